"""Pages that lie in a tree twice: rendered to HTML beside their sources, and as the copies of their sources that Sphinx makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from docs_researcher.docsets.readers.base import MARKDOWN_SUFFIXES

RENDERED = "rendered from a source that is read"
COPIED = "a copy of the source of a page that is read"
_HTML = frozenset({".html", ".htm", ".xhtml"})
_SOURCES = MARKDOWN_SUFFIXES | {".rst", ".rest", ".txt", ".adoc", ".asciidoc", ".asc", ".ipynb"}
_GENERATED = frozenset({"index", "search", "genindex", "modindex", "py-modindex", "404", "print", "toc"})
"""Names of pages that have no source of their own, and so do not count."""
_COPIES = "_sources"
_CANDIDATES = 50
"""Sources of one name that a page is compared with; further ones are index pages of many folders."""

_MANY = 8
"""So many pages of the names of their neighbours are no chance, also where a reference was generated beside them."""

Route = tuple[str, ...]


def repeated(paths: Iterable[str]) -> dict[str, str]:
    """Which of these files repeat others, each with the reason.

    A folder of HTML counts as rendered when at least half of its pages lie as sources lie in another one: `site/guide/a.html` or
    `site/guide/a/index.html` as `docs/guide/a.md`. Then its search page and its indexes go as well. In a folder that holds still
    more, such as a generated reference, single pages count where there are many.
    """
    pages = [path for path in paths if PurePosixPath(path).suffix.lower() in _HTML]
    if not pages:
        return {}
    texts = [path for path in paths if PurePosixPath(path).suffix.lower() in _SOURCES]
    found = {path: COPIED for path in texts if _COPIES in path.split("/")[:-1]}
    by_name: dict[str, list[Route]] = {}
    for path in texts:
        if path not in found:
            route = _route(path)
            by_name.setdefault(route[-1] if route else "", []).append(route)
    rendered = _rendered({path: _route(path) for path in pages}, by_name)
    found.update((path, RENDERED) for path in pages if any(path.startswith(start) for start in rendered))
    return found


def _rendered(pages: dict[str, Route], by_name: dict[str, list[Route]]) -> tuple[str, ...]:
    """What rendered pages begin with: whole folders, and single pages of a folder that holds others too."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for path, route in pages.items():
        same = by_name.get(route[-1] if route else "", [])[:_CANDIDATES]
        if same:
            best = max(same, key=lambda source: _shared(route, source))
            count = _shared(route, best)
            pairs.setdefault((_folder(route[: len(route) - count]), _folder(best[: len(best) - count])), []).append(path)
    found: list[str] = []
    for (root, _), same in sorted(pairs.items()):
        inside = sum(path.startswith(root) and not _is_generated(path, root) for path in pages)
        if 2 * len(same) >= inside:
            found.append(root)
        elif len(same) >= _MANY:
            found.extend(same)
    return tuple(found)


def _is_generated(path: str, root: str) -> bool:
    return PurePosixPath(path[len(root) :]).with_suffix("").as_posix().lower() in _GENERATED


def _route(path: str) -> Route:
    """The path as an address: without its ending, and without the name of an index page."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if parts and parts[-1].lower() == "index":
        parts.pop()
    return tuple(parts)


def _shared(first: Route, second: Route) -> int:
    """How many of the last parts of two routes are the same."""
    count = 0
    while count < min(len(first), len(second)) and first[-1 - count] == second[-1 - count]:
        count += 1
    return count


def _folder(parts: Sequence[str]) -> str:
    return "/".join(parts) + "/" if parts else ""
