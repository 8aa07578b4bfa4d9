"""The installed docsets as an MCP server names them: `name@version`, one label for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.docsets.installed.home import docset_files

if TYPE_CHECKING:
    from docs_researcher.docsets.file import Docset
    from docs_researcher.docsets.installed.store import Installed, Store


class Docsets:
    """What is installed, by label. Everything is read anew, so that what another process installs is seen."""

    def __init__(self, store: Callable[[], Store]) -> None:
        """`store` is called when something is read for the first time: the import behind it is not needed before."""
        self._store = store

    def labelled(self) -> dict[str, Installed]:
        """Every docset by its label, in the order of the store: by library, newest version first.

        A label is `name@version`, or the name of a docset without a version; two of the same are told apart by their kind
        (`npm:redis@5.0.0`).
        """
        installed = self._store().installed()
        plain = [label(item) for item in installed]
        times = Counter(plain)
        return {
            name if times[name] == 1 else f"{item.path.parent.name}:{name}": item
            for name, item in zip(plain, installed, strict=True)
        }

    def named(self, text: str) -> Installed | None:
        """The docset that a text names: a label, or what `docsets.installed.named` reads. None where it is not installed.

        Raises:
            DocsetInvalid, DocsetUnreadable: its file cannot be used.
        """
        exact = self.labelled().get(text.strip())
        if exact is not None:
            return exact
        from docs_researcher.core.errors import VersionNotFound
        from docs_researcher.docsets.installed.named import installed_under

        found = installed_under(text, self._store())
        try:
            return found and found.chosen()
        except VersionNotFound:
            return None

    def open(self, installed: Installed) -> Docset:
        """The docset itself. See `docsets.store.Store.open`."""
        return self._store().open(installed)

    def state(self) -> tuple[str, ...]:
        """See `installed_state`."""
        return installed_state(self._store().docsets_dir)


def installed_state(docsets_dir: Path) -> tuple[str, ...]:
    """A value that changes when a docset comes, goes or is built anew: cheap enough to be asked for every few seconds."""
    try:
        return tuple(f"{path.parent.name}/{path.name} {size} {time}" for path, (size, time) in docset_files(docsets_dir))
    except OSError:  # who asks for a docset is told
        return ()


def label(installed: Installed) -> str:
    """`name@version`, or the name alone."""
    return f"{installed.name}@{installed.version}" if installed.version else installed.name
