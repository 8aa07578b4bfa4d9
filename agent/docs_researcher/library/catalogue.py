"""The catalogue: the libraries that are known by name, id and package.

Its source is YAML (`data/*.yaml`); what is read at run time is `data/catalogue.json`, made from it by
`python -m docs_researcher.library.compile_catalogue`, so that a question pays for no YAML. Users add a file of their own,
written like the YAML source; its entries stand before ours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from docs_researcher.core.library_id import LibraryId
from docs_researcher.library.entries import DocsLocation, Entry, GitDocs, entry_from_row, fold_name, other_side, url_for
from docs_researcher.library.indexes import CompiledIndexes, Indexes, JoinedIndexes
from docs_researcher.library.name_forms import NameForms
from docs_researcher.library.packages import PackageRef, parse_package

__all__ = ["Catalogue", "DocsLocation", "Entry", "GitDocs", "SimilarName", "fold_name", "url_for"]

FIRST_ROW = b'"entries":['
"""The line of the compiled file behind which each line is an entry. Before it each line is an index; all is one JSON object."""
COMPILED = Path(__file__).parent / "data" / "catalogue.json"
"""Found beside the code: `importlib.resources` brings in `zipfile` and `tempfile`, which no question needs."""


@dataclass(frozen=True, slots=True)
class SimilarName:
    """A known name that is spelled like the one asked about; `distance` counts the edits between them."""

    entry: Entry
    name: str
    distance: int


class Names(Mapping[str, Entry]):
    """Folded names with their entries; an entry is built when it is asked for."""

    def __init__(self, positions: Mapping[str, int], entry_at: Callable[[int], Entry]) -> None:
        """`entry_at` gives the entry at a position of the catalogue."""
        self._positions = positions
        self._entry_at = entry_at

    def __getitem__(self, name: str) -> Entry:
        return self._entry_at(self._positions[name])

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)

    def beside(self, positions: Mapping[str, int]) -> Names:
        """These names and some more, which stand behind them."""
        return Names({**positions, **self._positions}, self._entry_at) if positions else self


class Catalogue:
    """Entries with their indexes. Immutable; an index, and an entry of the compiled file, is read when it is first asked for."""

    def __init__(
        self,
        entries: Iterable[Entry | bytes],
        checked: str = "",
        indexes: Indexes | None = None,
        at_hand: frozenset[str] = frozenset(),
    ) -> None:
        """An entry of the compiled file is given as its row, and `indexes` as they are known already."""
        self._rows: list[Entry | bytes] = list(entries)
        self.checked = checked
        """The day on which the names were last compared with the registries' lists (ISO 8601)."""
        self._known_indexes = indexes
        self.at_hand = at_hand
        """Ids of the libraries that the asker has: installed docsets, dependencies of the project that is asked in."""

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

    def extended(self, entries: Iterable[Entry], at_hand: Iterable[str] = ()) -> Catalogue:
        """A catalogue with further entries behind these; a name that both know means the further one.

        `at_hand` are ids of entries that the asker has, beside those of before.
        """
        added, have = tuple(entries), self.at_hand.union(at_hand)
        if not added:
            return self if have == self.at_hand else Catalogue(self._rows, self.checked, self._indexes, have)
        indexes = JoinedIndexes(self._indexes, Indexes(added, len(self._rows)))
        return Catalogue((*self._rows, *added), self.checked, indexes, have)

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in their order."""
        return tuple(self._entry(position) for position in range(len(self._rows)))

    @cached_property
    def names(self) -> Names:
        """Every known name, folded, with its entry, as `Indexes.names` describes it."""
        return Names(self._indexes.names, self._entry)

    @property
    def forms(self) -> NameForms:
        """How the names stand in a text."""
        return self._indexes.forms

    @cached_property
    def _indexes(self) -> Indexes:
        return self._known_indexes if self._known_indexes is not None else Indexes(self.entries)

    def _entry(self, position: int) -> Entry:
        row = self._rows[position]
        if not isinstance(row, Entry):
            row = self._rows[position] = entry_from_row(json.loads(row))
        return row

    def by_id(self, base_id: str) -> Entry | None:
        """The entry with this id (without a version), or with it among its other ids.

        The id of a package (`/pypi/stripe`) stands for the library as that registry has it, where another one is its main one.
        """
        position = self._indexes.ids.get(base_id.lower())
        if position is not None:
            return self._entry(position)
        owner, _, name = base_id.strip("/").partition("/")
        package = parse_package(f"{owner}:{name}") if owner in ("npm", "pypi") else None
        entry = self.by_package(package) if package is not None else None
        return entry if entry is not None and entry.id == base_id else None

    def by_name(self, text: str) -> Entry | None:
        """The entry of exactly this name, alias or package name; case, spaces, dots, hyphens and underscores do not count."""
        return self.names.get(fold_name(text))

    def by_package(self, package: PackageRef) -> Entry | None:
        """The entry that this package belongs to, at whatever version; of a library at both registries, that side of it."""
        position = self._indexes.packages.get(f"{package.type}:{package.name}")
        entry = None if position is None else self._entry(position)
        if entry is None or entry.package is None or entry.package.type == package.type:
            return entry
        return other_side(entry)

    def by_repository(self, path: str) -> Entry | None:
        """The entry whose documentation lies in this GitHub repository (`owner/name`), or that is called after it.

        A repository that keeps the documentation of several libraries stands for none of them.
        """
        wanted = path.lower()
        found = [entry for entry in self.entries if entry.git is not None and entry.git.repository.lower() == wanted]
        return found[0] if len(found) == 1 else self.by_id(f"/{wanted}")

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


@cache
def _compiled() -> Catalogue:
    """Our own catalogue, read once a process: it never changes, and every part of a run asks for it."""
    return read_compiled()


def read_compiled() -> Catalogue:
    """Our own catalogue, read anew."""
    lines = COMPILED.read_bytes().split(b"\n")
    first = lines.index(FIRST_ROW)
    parts = {name.strip(b'{"').decode(): part.rstrip(b",") for name, _, part in (line.partition(b'":') for line in lines[:first])}
    rows = [line.rstrip(b",") for line in lines[first + 1 : -2]]
    return Catalogue(rows, json.loads(parts["checked"]), CompiledIndexes(parts))
