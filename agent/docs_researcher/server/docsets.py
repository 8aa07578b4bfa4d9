"""The installed docsets as an MCP server names them: `name@version`, one label for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
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
        """The docset that a text names: a label, a library id, a package or a name, each with or without a version."""
        labelled = self.labelled()
        exact = labelled.get(text.strip())
        return exact if exact is not None else _meant(text.strip(), tuple(labelled.values()))

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


def _meant(text: str, installed: Sequence[Installed]) -> Installed | None:
    from docs_researcher.core.library_id import LibraryId
    from docs_researcher.library.entries import fold_name
    from docs_researcher.library.packages import parse_package
    from docs_researcher.library.versions import best_match

    parsed = LibraryId.try_parse(text) if text.startswith("/") else None
    package = parse_package(text) if parsed is None else None
    if parsed is not None:
        wanted, version = parsed.base, parsed.version
        own = [item for item in installed if item.library_id.casefold() == wanted.casefold()]
    elif package is not None:
        version = package.version
        own = [item for item in installed if (item.path.parent.name, item.name) == (package.type, package.name)]
    else:
        name, at, tail = text.rpartition("@")
        name, version = (name, tail) if at and name else (text, None)
        folded = fold_name(name)
        own = [item for item in installed if folded in (fold_name(item.name), fold_name(item.meta.title))]
    if version is None:
        return own[0] if own else None
    best = best_match(version, [item.version for item in own if item.version])
    return next((item for item in own if best is not None and item.version == best), None)
