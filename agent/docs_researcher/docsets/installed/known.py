"""The libraries that a question may name: the catalogue's, and those that the user installed and that are not in it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from docs_researcher.docsets.installed.store import Installed, Store
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.library.packages import parse_package

OWN_ECOSYSTEM = "local"
"""The ecosystem of a library that the user added from a folder, an archive or a repository."""

GENERIC_NAMES = frozenset({
    "api", "app", "book", "code", "content", "data", "doc", "docs", "documentation", "examples", "guide", "guides", "help",
    "home", "lib", "library", "main", "manual", "notes", "package", "pages", "project", "reference", "repo", "site", "source",
    "src", "test", "tests", "tmp", "tutorial", "tutorials", "web", "website", "wiki", "work",
})  # fmt: skip
"""Names that folders have and that are words in any question; such a library must be named more plainly than that."""

_asked: ContextVar[Store | None] = ContextVar("_asked", default=None)


@contextmanager
def asking_over(store: Store) -> Generator[None]:
    """Questions asked inside are about the docsets of this store: a caller who may see only some names no others."""
    before = _asked.set(store)
    try:
        yield
    finally:
        _asked.reset(before)


def asked_store() -> Store:
    """The store that questions are about now: that of the default home unless `asking_over` says otherwise."""
    return _asked.get() or Store()


def known_libraries(store: Store, catalogue: Catalogue) -> Catalogue:
    """The catalogue with an entry more for each installed library that it does not hold, those of damaged files among them.

    The same value as before while nothing is installed or removed, so that what is built from it is built once.
    """
    listing = store.listing()
    return _extended(
        catalogue, (*listing.installed, *(item for item in listing.broken if item.path.parent.name == OWN_ECOSYSTEM))
    )


def own_library(store: Store, library: str) -> str | None:
    """The id behind what an asker gave as the library, if it is exactly the name of a folder or archive that was added.

    Whoever gave a folder a name means it by that name, also where the catalogue knows another library called so.
    """
    listing = store.listing()
    for item in listing.installed:
        if item.meta.purl is None and item.name == library:
            return item.library_id
    for item in listing.broken:  # so that its damage is told, and no other library of that name fetched
        if item.path.parent.name == OWN_ECOSYSTEM and library in (item.name, item.label):
            return item.library_id
    return None


@lru_cache(maxsize=4)
def _extended(catalogue: Catalogue, installed: tuple[Installed, ...]) -> Catalogue:
    own: dict[str, Entry] = {}
    for item in installed:
        if catalogue.by_id(item.library_id) is None:
            own.setdefault(item.library_id, _entry(item, full_namesake_of(item, catalogue)))
    return catalogue.extended(own.values(), (item.library_id for item in installed))


def namesake_of(item: Installed, catalogue: Catalogue) -> Entry | None:
    """The library of the catalogue that the user's own docset has a name of, which is no longer meant by that name."""
    is_own = item.meta.purl is None and item.library_id.startswith(f"/{OWN_ECOSYSTEM}/")
    return catalogue.by_name(item.name) if is_own else None


def full_namesake_of(item: Installed, catalogue: Catalogue) -> Entry | None:
    """The library of the catalogue by whose full name the user called what they added; all its names then mean that."""
    entry = catalogue.by_name(item.name) if item.meta.purl is None else None
    return entry if entry is not None and fold_name(entry.name) == fold_name(item.name) else None


def _entry(item: Installed, namesake: Entry | None) -> Entry:
    package = parse_package(item.meta.purl) if item.meta.purl else None
    names = (package.name,) if package is not None else ()
    title = item.meta.title or item.name
    aliases = (title,) if title.casefold() != item.name.casefold() else ()
    words = (item.name,) if item.name.casefold() in GENERIC_NAMES else ()
    if namesake is not None:
        aliases, words = (*aliases, namesake.name, *namesake.aliases), (*words, *namesake.words)
    return Entry(
        name=item.name,
        id=item.library_id,
        ecosystem=package.type if package is not None else OWN_ECOSYSTEM,
        description=item.meta.description,
        aliases=tuple(dict.fromkeys(aliases)),
        words=words,
        npm=names if package is not None and package.type == "npm" else (),
        pypi=names if package is not None and package.type == "pypi" else (),
    )
