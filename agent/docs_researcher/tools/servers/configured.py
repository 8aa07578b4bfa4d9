"""All servers that are configured for a folder, and the one that a name means."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from docs_researcher.core.errors import UsageError
from docs_researcher.definition.places import config_file
from docs_researcher.tools.servers.approvals import check_approved
from docs_researcher.tools.servers.entries import ServerEntry
from docs_researcher.tools.servers.files import SkippedFile, known_files, project_folder, read_file


@dataclass(frozen=True, slots=True)
class Configured:
    """What was found. Of two servers with one name the first counts: ours, then the user's, then the project's."""

    entries: tuple[ServerEntry, ...]
    skipped: tuple[SkippedFile, ...] = ()
    shadowed: tuple[ServerEntry, ...] = ()
    """Those whose name another one has that counts before them."""

    @property
    def ours(self) -> tuple[ServerEntry, ...]:
        """The servers of our own configuration that are switched on: the only ones that are used without being named."""
        return tuple(entry for entry in self.entries if entry.origin.scope == "own" and not entry.disabled)

    def find(self, name: str) -> ServerEntry:
        """The server of that name, ready to be used.

        Raises:
            UsageError: there is none.
            ConfigurationError: it is configured in a way that cannot work.
            ConsentRequired: the project's file that names it was not approved.
        """
        entry = next((entry for entry in self.entries if entry.name == name), None)
        if entry is None:
            raise self._unknown(name)
        check_approved(entry)
        if entry.problem is not None:
            raise entry.problem
        return entry

    def _unknown(self, name: str) -> UsageError:
        names = [entry.name for entry in self.entries]
        near = get_close_matches(name, names, n=1)
        why = f"did you mean {near[0]!r}?" if near else f"configured are: {', '.join(names)}" if names else "none is configured"
        if self.skipped:
            why += "; not readable: " + ", ".join(f"{file.path} ({file.reason})" for file in self.skipped)
        return UsageError(
            f"No MCP server is configured under the name {name!r}",
            why=why,
            next_step=f"Run `docs-research mcp list`, or add [mcp_servers.{name}] to {config_file()}.",
        )


def configured_servers(start: Path | None = None) -> Configured:
    """Read every known file for the project around `start` (None: the current folder).

    Raises:
        ConfigurationError: our own file cannot be read.
    """
    project = project_folder(start or Path.cwd())
    entries: dict[str, ServerEntry] = {}
    skipped: dict[Path, SkippedFile] = {}
    shadowed: list[ServerEntry] = []
    for file in known_files(project):
        found, broken = read_file(file, project)
        if broken is not None:
            skipped[broken.path] = broken
        shadowed += [entry for entry in found if entries.setdefault(entry.name, entry) is not entry]
    return Configured(tuple(entries.values()), tuple(skipped.values()), tuple(shadowed))


def our_servers() -> tuple[ServerEntry, ...]:
    """The servers of our own configuration alone, switched on. Cheap when there is no such file.

    Raises:
        ConfigurationError: our own file cannot be read.
    """
    if not config_file().is_file():
        return ()
    folder = Path.cwd()
    entries, _ = read_file(known_files(folder)[0], folder)
    return Configured(tuple(entries)).ours
