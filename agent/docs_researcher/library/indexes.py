"""The indexes of a catalogue: its names, ids and packages with the positions of their entries.

Those of our own catalogue are compiled; those of further entries (a user's file, installed docsets, a project's dependencies)
are made from the entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.library.name_forms import NameForms, forms_from_record, forms_to_record, name_forms


class Indexes:
    """The indexes of some entries, made when they are asked for."""

    def __init__(self, entries: Sequence[Entry] = (), first: int = 0) -> None:
        """The first of the entries stands at position `first` of the catalogue."""
        self._entries = entries
        self._first = first

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Every folded name: names and aliases first, then package names that are not taken.

        A package name that belongs to several entries stands for none of them.
        """
        return {name: self._first + position for name, position in index_names(self._entries).items()}

    @cached_property
    def forms(self) -> NameForms:
        """How the names stand in a text."""
        return name_forms(self._entries, self._first)

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Every id in lower case, without a version."""
        index: dict[str, int] = {}
        for position, entry in enumerate(self._entries, self._first):
            for library_id in (entry.id, *entry.other_ids):
                index.setdefault(library_id.lower(), position)
        return index

    @cached_property
    def packages(self) -> Mapping[str, int]:
        """Every package of npm and PyPI, as `npm:next`."""
        index: dict[str, int] = {}
        for position, entry in enumerate(self._entries, self._first):
            for package in (*(f"npm:{name}" for name in entry.npm), *(f"pypi:{name}" for name in entry.pypi)):
                index.setdefault(package, position)
        return index

    def record(self) -> dict[str, Any]:
        """The indexes as the compiled file holds them."""
        return {"names": self.names, "forms": forms_to_record(self.forms), "ids": self.ids, "packages": self.packages}


class CompiledIndexes(Indexes):
    """The indexes of the compiled file, which is trusted; each is read when it is asked for."""

    def __init__(self, parts: Mapping[str, bytes]) -> None:
        """The parts of the file by their names, as JSON."""
        super().__init__()
        self._parts = parts

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Every folded name."""
        return self._read("names")

    @cached_property
    def forms(self) -> NameForms:
        """How the names stand in a text."""
        return forms_from_record(self._read("forms"))

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Every id in lower case."""
        return self._read("ids")

    @cached_property
    def packages(self) -> Mapping[str, int]:
        """Every package of npm and PyPI."""
        return self._read("packages")

    def _read(self, name: str) -> Any:
        import json

        return json.loads(self._parts[name])


class JoinedIndexes(Indexes):
    """The indexes of a catalogue with further entries behind it; a name that both know means the further one."""

    def __init__(self, known: Indexes, further: Indexes) -> None:
        """The positions of `further` are those behind `known`."""
        super().__init__()
        self._known = known
        self._further = further

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Every folded name."""
        return {**self._known.names, **self._further.names}

    @cached_property
    def forms(self) -> NameForms:
        """How the names stand in a text."""
        return self._known.forms | self._further.forms

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Every id in lower case; one that both know is the known one's."""
        return {**self._further.ids, **self._known.ids}

    @cached_property
    def packages(self) -> Mapping[str, int]:
        """Every package; one that both know is the known one's."""
        return {**self._further.packages, **self._known.packages}


def index_names(entries: Sequence[Entry]) -> dict[str, int]:
    """Every folded name with the position of its entry, as `Indexes.names` describes it."""
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
