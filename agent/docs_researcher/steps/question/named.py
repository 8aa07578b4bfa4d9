"""A library that a question names, as it was understood."""

from __future__ import annotations

from dataclasses import dataclass

from docs_researcher.library.entries import Entry
from docs_researcher.library.packages import PackageRef


@dataclass(frozen=True, slots=True)
class Named:
    """A library that was named. `name` is the canonical one, or as written when the catalogue does not hold it."""

    name: str
    version: str | None = None
    """As written, in the question or in the `library` argument."""
    id: str | None = None
    """The given id byte for byte, else the catalogue's."""
    entry: Entry | None = None
    overruled: str | None = None
    """The version of the `library` argument, where the question names another one, which counts."""
    guessed: PackageRef | None = None
    """The library's package at the other registry, where nothing says which of the two is meant."""
    language_said: str = ""
    """The language that the question puts beside the name, where the library has no package for it: "chalk in python"."""
