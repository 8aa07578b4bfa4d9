"""Agents found by name: the folders of a project and of the user, and the definition that comes with this package.

The order is Claude Code's: the project before the user, the nearest folder of a project first. Beside Claude Code's own
folders there are ours, which win within the same project folder and within the user's: what lies there is meant for this
program alone. A file that cannot be loaded never hides another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.loader import SUFFIXES, builtin_definition, load_definition
from docs_researcher.definition.places import claude_folder, config_folder, is_path, project_folders
from docs_researcher.definition.schema import AgentDefinition, Repair

Rule = Literal["file", "project, .docs-research", "project, .claude", "user, docs-researcher", "user, .claude", "built in"]
"""How an agent came to be found, highest precedence first; "file" is one that was named by its path."""

OWN_AGENTS = Path(".docs-research") / "agents"
CLAUDE_AGENTS = Path(".claude") / "agents"
MAX_FILES = 1_000
"""Markdown files that are read below one folder of agents; more is no folder of agents."""
MAX_FOLDERS = 300
"""Folders that are looked into below one; a link may lead to the root of the disk."""
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder in which agents are looked for, and by which rule."""

    folder: Path
    rule: Rule
    rank: int = 0
    """Counts from 0, the highest precedence."""


@dataclass(frozen=True, slots=True)
class Found:
    """An agent that loads."""

    definition: AgentDefinition
    rule: Rule
    rank: int = 0
    shadowed_by: str | None = None
    """The path of the file that the name stands for instead; None for the one that is used."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that does not load."""

    path: Path
    rule: Rule
    error: DefinitionError
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Agents:
    """Everything that was found, highest precedence first."""

    found: tuple[Found, ...]
    broken: tuple[Broken, ...] = ()
    documents: tuple[Path, ...] = ()
    """Files without frontmatter: Claude Code takes them for documentation, and so do we."""

    def named(self, name: str) -> Found | None:
        """The agent that a name stands for; upper and lower case count only where names differ in nothing else."""
        used = [item for item in self.found if item.shadowed_by is None]
        exact = next((item for item in used if item.definition.name == name), None)
        return exact or next((item for item in used if item.definition.name.casefold() == name.casefold()), None)


def places(start: Path) -> tuple[Place, ...]:
    """The folders that agents are looked for in, highest precedence first. They need not exist."""
    user = (
        Place(config_folder() / "agents", "user, docs-researcher"),
        Place(claude_folder() / "agents", "user, .claude"),
    )
    taken = {place.folder for place in user}  # a home folder that is a repository is still the user's
    project = [
        place
        for folder in project_folders(start)
        for place in (Place(folder / OWN_AGENTS, "project, .docs-research"), Place(folder / CLAUDE_AGENTS, "project, .claude"))
        if place.folder not in taken
    ]
    return tuple(replace(place, rank=rank) for rank, place in enumerate((*project, *user)))


def find_agents(start: Path | None = None) -> Agents:
    """Every agent that a run started in `start` (else the current folder) could use by name."""
    read = [read_folder(place) for place in places(start or Path.cwd())]
    found = [item for agents in read for item in agents.found]
    return Agents(
        _with_shadows([*found, Found(builtin_definition(), "built in", len(read))]),
        tuple(item for agents in read for item in agents.broken),
        tuple(path for agents in read for path in agents.documents),
    )


def read_folder(place: Place) -> Agents:
    """The agents in one folder and the folders below it, in the order of their paths. A missing folder holds none."""
    found: list[Found] = []
    broken: list[Broken] = []
    documents: list[Path] = []
    for path in _files(place.folder):
        if _is_document(path):
            documents.append(path)
            continue
        try:
            found.append(Found(load_definition(path), place.rule, place.rank))
        except DefinitionError as error:
            broken.append(Broken(path, place.rule, error, place.rank))
    return Agents(tuple(found), tuple(broken), tuple(documents))


def find_agent(name_or_path: str | os.PathLike[str], start: Path | None = None) -> AgentDefinition:
    """The agent in a file, or the one that a name stands for in `start` (else the current folder).

    A text is a path when it holds a slash or ends like a Markdown file. Anything else is a name, and where no agent has it that
    of a file here.

    Raises:
        DefinitionError: the file cannot be loaded, or there is no agent of that name.
    """
    text = os.fspath(name_or_path)
    if not isinstance(name_or_path, str) or is_path(text):
        return load_definition(text)
    agents = find_agents(start)
    broken = [item for item in agents.broken if item.path.stem.casefold() == text.casefold()]
    found = agents.named(text)
    if found is None and not broken and Path(text).is_file():
        return load_definition(text)
    if found is None:
        raise broken[0].error if broken else _unknown(text, agents)
    passed_over = [_passed_over(item) for item in broken if item.rank <= found.rank]
    return replace(found.definition, repairs=(*passed_over, *found.definition.repairs))


def _with_shadows(found: list[Found]) -> tuple[Found, ...]:
    first: dict[str, str] = {}
    return tuple(
        item
        if (winner := first.setdefault(item.definition.name, item.definition.source)) == item.definition.source
        else replace(item, shadowed_by=winner)
        for item in found
    )


def _files(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder, sorted. Hidden folders are left out, and so is what is no file and could block a reader.

    Links to folders are not followed, so that no circle holds us.
    """
    found: list[Path] = []
    for number, (root, folders, names) in enumerate(os.walk(folder), start=1):
        here = Path(root)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found.extend(path for name in names if (path := here / name).suffix.lower() in SUFFIXES and path.is_file())
        if number == MAX_FOLDERS or len(found) > MAX_FILES:
            break
    yield from sorted(found)[:MAX_FILES]


def _is_document(path: Path) -> bool:
    """Whether a file has text and no frontmatter. One that cannot be read is left to the loader, which says why."""
    try:
        with path.open("rb") as file:
            start = file.read(4_096).removeprefix(_MARK).lstrip()
    except OSError:
        return False
    return not start.startswith(b"---") and b"\0" not in start


def _passed_over(broken: Broken) -> Repair:
    error = broken.error
    what = f"this file may be the agent of that name and cannot be loaded, so another one is used ({error.why or error.what})"
    return Repair(str(broken.path), error.line or 1, error.column or 1, what)


def _not_loaded(broken: Sequence[Broken]) -> str:
    """The files of which none knows which agent they are, with the first one's fault and its line."""
    if not broken:
        return ""
    more = f", and {len(broken) - 1} more" if len(broken) > 1 else ""
    return f"; a file that cannot be loaded may be it: {broken[0].error.message}{more}"


def _unknown(name: str, agents: Agents) -> DefinitionError:
    from difflib import get_close_matches

    names = sorted({item.definition.name for item in agents.found})
    close = get_close_matches(name, names, n=1, cutoff=0.6)
    return DefinitionError(
        f"there is no agent named {name!r}",
        why=f"known here: {', '.join(names)}{_not_loaded(agents.broken)}",
        next_step=f"Did you mean `--agent {close[0]}`?"
        if close
        else "See `docs-research agents list`, or name a file: ./NAME.md",
    )
