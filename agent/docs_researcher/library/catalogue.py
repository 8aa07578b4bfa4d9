"""The catalogue: the libraries that are known by name, id and package.

Its source is YAML (`data/*.yaml`); what is read at run time is `data/catalogue.json`, made from it by
`python -m docs_researcher.library.compile_catalogue`, so that a question pays for no YAML. Users add a file of their own,
written like the YAML source; its entries stand before ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from docs_researcher.core.library_id import LibraryId
from docs_researcher.library.entries import DocsLocation, Entry, entry_from_row, fold_name, url_for
from docs_researcher.library.packages import PackageRef, parse_package

__all__ = ["Catalogue", "DocsLocation", "Entry", "SimilarName", "fold_name", "index_names", "url_for"]

COMPILED = Path(__file__).parent / "data" / "catalogue.json"
"""Found beside the code: `importlib.resources` brings in `zipfile` and `tempfile`, which no question needs."""


@dataclass(frozen=True, slots=True)
class SimilarName:
    """A known name that is spelled like the one asked about; `distance` counts the edits between them."""

    entry: Entry
    name: str
    distance: int


class Catalogue:
    """Entries with their indexes. Immutable; an index is built when it is first asked for."""

    def __init__(self, entries: Iterable[Entry], checked: str = "", names: Mapping[str, int] | None = None) -> None:
        """`names`, when it is known already, is what `index_names` says for these entries."""
        self.entries: tuple[Entry, ...] = tuple(entries)
        self.checked = checked
        """The day on which the names were last compared with the registries' lists (ISO 8601)."""
        self._positions = names

    @classmethod
    def load(cls, extra: Path | None = None) -> Catalogue:
        """Our catalogue, with the user's own file (YAML) before it.

        Raises:
            ConfigurationError: the user's file cannot be read or is not of the catalogue's form.
        """
        ours = _compiled()
        if extra is None:
            return ours
        from docs_researcher.library.catalogue_source import read_user_file

        own = read_user_file(extra)
        replaced = {entry.id for entry in own}
        return cls([*own, *(entry for entry in ours.entries if entry.id not in replaced)], ours.checked)

    def extended(self, entries: Iterable[Entry]) -> Catalogue:
        """A catalogue with further entries behind these; a name that both know means the further one."""
        added = tuple(entries)
        positions = dict(index_names(self.entries) if self._positions is None else self._positions)
        positions.update((name, len(self.entries) + position) for name, position in index_names(added).items())
        return Catalogue((*self.entries, *added), self.checked, positions)

    @cached_property
    def names(self) -> Mapping[str, Entry]:
        """Every known name, folded, with its entry: names and aliases first, then package names that are not taken.

        A package name that belongs to several entries stands for none of them.
        """
        positions = index_names(self.entries) if self._positions is None else self._positions
        return {name: self.entries[position] for name, position in positions.items()}

    @cached_property
    def _ids(self) -> Mapping[str, Entry]:
        index: dict[str, Entry] = {}
        for entry in self.entries:
            for library_id in (entry.id, *entry.other_ids):
                index.setdefault(library_id.lower(), entry)
        return index

    @cached_property
    def _packages(self) -> Mapping[tuple[str, str], Entry]:
        index: dict[tuple[str, str], Entry] = {}
        for entry in self.entries:
            for name in entry.npm:
                index.setdefault(("npm", name), entry)
            for name in entry.pypi:
                index.setdefault(("pypi", name), entry)
        return index

    def by_id(self, base_id: str) -> Entry | None:
        """The entry with this id (without a version), or with it among its other ids."""
        return self._ids.get(base_id.lower())

    def by_name(self, text: str) -> Entry | None:
        """The entry of exactly this name, alias or package name; case, spaces, dots, hyphens and underscores do not count."""
        return self.names.get(fold_name(text))

    def by_package(self, package: PackageRef) -> Entry | None:
        """The entry that this package belongs to, at whatever version."""
        return self._packages.get((package.type, package.name))

    def by_repository(self, path: str) -> Entry | None:
        """The entry whose documentation lies in this GitHub repository (`owner/name`), or that is called after it."""
        wanted = path.lower()
        for entry in self.entries:
            if entry.repository is not None and entry.repository.lower() == wanted:
                return entry
        return self.by_id(f"/{wanted}")

    def find(self, text: str) -> Entry | None:
        """The entry for a name, an id (with or without a version), a package or an address of its repository."""
        text = text.strip()
        package = parse_package(text)
        if package is not None:
            return self.by_package(package)
        named = self.by_name(text)
        if named is not None:
            return named
        library_id = LibraryId.try_parse("/" + text.removeprefix("https://").removeprefix("github.com").lstrip("/"))
        if library_id is None:
            return None
        if library_id.owner in ("npm", "pypi"):
            package = parse_package(f"{library_id.owner}:{library_id.project}")
            return self.by_package(package) if package is not None else None
        return self.by_id(library_id.base)

    def similar(self, text: str, limit: int = 3) -> tuple[Entry, ...]:
        """Entries with a name spelled like this one, nearest first, for "did you mean"; exact matches included."""
        return tuple(match.entry for match in self.similar_names(text, limit))

    def similar_names(self, text: str, limit: int = 3) -> tuple[SimilarName, ...]:
        """Like `similar`, with the name that was matched (folded) and how many edits away it is.

        Two letters changed places count as one edit. Names of up to 3 letters must match, up to 6 may have one edit,
        up to 10 two, longer ones three.
        """
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        folded = fold_name(text)
        allowed = 0 if len(folded) <= 3 else 1 if len(folded) <= 6 else 2 if len(folded) <= 10 else 3
        known = list(self.names)
        found = extract(folded, known, scorer=OSA.distance, score_cutoff=allowed, limit=limit * 4)
        nearest: dict[str, SimilarName] = {}
        for name, distance, _ in found:
            entry = self.names[name]
            nearest.setdefault(entry.id, SimilarName(entry, name, int(distance)))
        return tuple(nearest.values())[:limit]


def index_names(entries: Sequence[Entry]) -> dict[str, int]:
    """Every folded name with the position of its entry, as `Catalogue.names` describes it."""
    index: dict[str, int] = {}
    for position, entry in enumerate(entries):
        for name in (entry.name, *entry.aliases):
            index.setdefault(fold_name(name), position)
    packages: dict[str, int | None] = {}
    for position, entry in enumerate(entries):
        for name in sorted({fold_name(name) for name in _package_names(entry)}):
            packages[name] = position if packages.get(name, position) == position else None
    for name, owner in packages.items():
        if owner is not None:
            index.setdefault(name, owner)
    return index


def _package_names(entry: Entry) -> Iterable[str]:
    yield from entry.npm
    yield from entry.pypi
    for package in entry.packages:
        yield package.partition(":")[2]


@cache
def _compiled() -> Catalogue:
    """Our own catalogue, read once a process: it never changes, and every part of a run asks for it."""
    compiled = json.loads(COMPILED.read_bytes())
    return Catalogue([entry_from_row(row) for row in compiled["entries"]], compiled["checked"], compiled["names"])
