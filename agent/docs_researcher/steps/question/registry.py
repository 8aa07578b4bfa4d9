"""Which package a library is read from, where npm and PyPI both have one: a client for JavaScript, and one for Python.

The words of the question decide where they name a language or its tools, then the project that is asked in, then which of them
more people use. The last is a guess, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from docs_researcher.library.entries import Entry, other_side
from docs_researcher.library.packages import LANGUAGE_OF, PackageRef, PackageType
from docs_researcher.library.projects.values import Project

if TYPE_CHECKING:
    from docs_researcher.steps.question.named import Named

_WORDS: dict[PackageType, re.Pattern[str]] = {
    "npm": re.compile(
        r"\b(?:node\.?js|javascript|typescript|npm|npx|pnpm|yarn|deno|bun|(?:in|for|with|from|on|using) (?:node|js|ts)|"
        r"node (?:client|sdk|app|server|library|package|version))\b(?![-/])|\.(?:m?js|tsx?)\b|\brequire\(|\bconst \w+ =",
        re.IGNORECASE,
    ),
    "pypi": re.compile(
        r"\b(?:python\d?|cpython|pip\d?|pipx|pypi|conda|jupyter|asyncio|virtualenv|uv (?:add|pip|sync))\b(?![-/])|\.py\b",
        re.IGNORECASE,
    ),
}
"""Words that tell which language is written. `node` alone is also a part of a cluster, `ts` a time series."""
_REGISTRY_OF: dict[str, PackageType] = {
    "python": "pypi",
    "javascript": "npm",
    "typescript": "npm",
    "node": "npm",
    "nodejs": "npm",
}
_A_LANGUAGE = "|".join(_REGISTRY_OF)
_PORT = re.compile(r"^(?:nodejs|node|js|py|python)-|-(?:nodejs|node|js|py|python)$")


def in_registry(libraries: Sequence[Named], text: str, project: Project | None) -> list[Named]:
    """The libraries of a question, each with its entry as the registry has it that is meant."""
    return [_in_registry(named, text, libraries, project) for named in libraries]


def _in_registry(named: Named, text: str, others: Sequence[Named], project: Project | None) -> Named:
    entry = named.entry
    side = other_side(entry) if entry is not None else None
    if entry is None or side is None or entry.package is None:
        return replace(named, language_said=_other_language(named, text))
    meant = _of_words(entry, text) or _of_project(entry, project) or _of_company(named, others)
    if meant is None:
        return replace(named, guessed=entry.other_package)
    if meant == entry.package.type:
        return named
    return replace(named, id=side.id if named.id == entry.id else named.id, entry=side)


def _other_language(named: Named, text: str) -> str:
    """The language that stands beside a library's name, where the library has packages for another one alone; else empty."""
    package = named.entry.package if named.entry is not None else None
    if named.entry is None or package is None or (named.entry.npm and named.entry.pypi):
        return ""
    for name in sorted(_called(named.entry), key=len, reverse=True):
        beside = re.search(
            rf"(?<![\w@/-]){re.escape(name)}\s+(?:(?:in|for)\s+)?({_A_LANGUAGE})\s*(?:[?.!,]|$)"
            rf"|(?:^|[,;]\s*)({_A_LANGUAGE})\s+{re.escape(name)}(?![\w/-])",
            text,
            re.IGNORECASE,
        )
        if beside is not None:
            type = _REGISTRY_OF[(beside[1] or beside[2]).lower()]
            return LANGUAGE_OF[type] if type != package.type else ""
    return ""


def registry_meant(text: str, project: Project | None) -> PackageType | None:
    """The registry that the words of a question are about, else that of all of the project's own dependencies."""
    said: list[PackageType] = [type for type, words in _WORDS.items() if words.search(text)]
    return said[0] if len(said) == 1 else _of_dependencies(project, tuple(_WORDS))


def _of_words(entry: Entry, text: str) -> PackageType | None:
    """What the question says: a language, its tools, or a name that only one of the packages has."""
    own: dict[PackageType, set[str]] = {"npm": set(entry.npm) - set(entry.pypi), "pypi": set(entry.pypi) - set(entry.npm)}
    said: list[PackageType] = [
        type for type, words in _WORDS.items() if words.search(text) or _names_one_of(text, own[type] - _called(entry))
    ]
    return said[0] if len(said) == 1 else None


def _called(entry: Entry) -> set[str]:
    """The library's own names, in small letters: whoever writes one of them may mean either package."""
    return {name.lower() for name in (entry.name, *entry.aliases)}


def _names_one_of(text: str, names: Iterable[str]) -> bool:
    return any(re.search(rf"(?<![\w@/-]){re.escape(name)}(?![\w/-])", text, re.IGNORECASE) for name in names)


def _of_project(entry: Entry, project: Project | None) -> PackageType | None:
    """What the project has of it; else the registry that all of its own dependencies are of."""
    if project is None:
        return None
    sides: dict[PackageType, tuple[str, ...]] = {"npm": entry.npm, "pypi": entry.pypi}
    has: list[PackageType] = [
        type for type, names in sides.items() if any(project.find(type, name) is not None for name in names)
    ]
    if not has:
        meant = _of_dependencies(project, tuple(sides))
        return None if meant is not None and _is_port(entry, sides[meant]) else meant
    return has[0] if len(has) == 1 else None


def _is_port(entry: Entry, packages: Sequence[str]) -> bool:
    """Whether packages are a port of a library of the other registry, and say so: `nodejs-polars`. Few know of one."""
    return entry.ecosystem in _WORDS and bool(packages) and bool(_PORT.search(packages[0]))


def _of_dependencies(project: Project | None, types: Sequence[PackageType]) -> PackageType | None:
    if project is None:
        return None
    has: list[PackageType] = [type for type in types if any(one.direct and one.ecosystem == type for one in project.dependencies)]
    return has[0] if len(has) == 1 else None


def _of_company(named: Named, others: Sequence[Named]) -> PackageType | None:
    """The registry of the other libraries that the question names: "Stripe with Django" is about Python."""
    found = {one.entry.ecosystem for one in others if one is not named and one.entry is not None}
    types: list[PackageType] = [type for type in _WORDS if type in found]
    return types[0] if len(types) == 1 else None


def guess_sentence(named: Named) -> str:
    """What the asker has to know of a package that was guessed; empty where nothing was, or where both have the same guide."""
    entry, other = named.entry, named.guessed
    package: PackageRef | None = entry.package if entry is not None else None
    if named.language_said and package is not None:
        return (
            f"{named.name} is a library for {LANGUAGE_OF[package.type]} ({package.text}), and the question says "
            f"{named.language_said}; if a package for {named.language_said} is meant, name it as the library."
        )
    if entry is None or package is None or other is None or _guide_is_of_both(entry):
        return ""
    return (
        f"This is {named.name} for {LANGUAGE_OF[package.type]} ({package.text}), which nothing in the question says; "
        f"for {LANGUAGE_OF[other.type]} name {other.text} as the library."
    )


def _guide_is_of_both(entry: Entry) -> bool:
    return entry.llms is not None or (entry.git is not None and entry.git.tag is None)
