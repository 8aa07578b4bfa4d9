"""A question inside a project: the libraries that it depends on are known by name, at the versions that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry
from docs_researcher.library.projects.values import ECOSYSTEMS, Dependency, Project
from docs_researcher.library.versions import parse_version, satisfies
from docs_researcher.steps.question.named import Named
from docs_researcher.steps.words import (
    APP_NOUNS,
    EVERYDAY_WORDS,
    GENERAL_LANGUAGES,
    REQUEST_VERBS,
    STOP_WORDS,
    TRADE_WORDS,
    word_set,
)

_PLAIN_WORD = re.compile(r"[a-z]{2,}")
_ENGLISH = word_set(
    "once open history colors color forever natural concurrently marked through extend extends after before common core "
    "between inherits merge print find search time date email mail address money country phone image images video audio font "
    "icons icon colour path paths size sort split join clone copy diff patch watch wait retry delay limit queue "
    "task tasks job jobs process parallel series memory disk glob mime send depth level levels stream streams buffer events "
    "event emitter signal "
    "signals bus hub hooks helper helpers shared tools toolkit kit starter base basic plus simple smart super fast quick light "
    "universal global local safe secure pretty tiny mini micro easy magic cool awesome"
)
"""Package names that a question is more likely to mean as a word."""
_NO_NAMES = _ENGLISH | STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | EVERYDAY_WORDS | APP_NOUNS | GENERAL_LANGUAGES
_NUMBERS = r"v?(\d+(?:\.\d+){0,3})"
_CARET = re.compile(rf"\^\s*{_NUMBERS}")
_TILDE = re.compile(rf"~>?\s*{_NUMBERS}")
_COMPATIBLE = re.compile(r"~=\s*v?(\d+(?:\.\d+)+)")
_BETWEEN = re.compile(rf">=?\s*{_NUMBERS}\s*,?\s*<\s*{_NUMBERS}")
_PREFIX = re.compile(rf"(?:==?\s*)?{_NUMBERS}(?:\.[*xX])?")


@dataclass(frozen=True, slots=True)
class ProjectVersion:
    """What a project has of one library."""

    dependency: Dependency
    version: str
    """Exact where a lock file, a pin or an installed copy says it; else what its range comes down to, such as 15."""
    asked: str | None = None
    """The version that the asker named, where the project's is not one of it. The asker's counts."""

    @property
    def how(self) -> str:
        """How the version was chosen, in words."""
        if self.dependency.version is not None:
            return f"installed in this project ({self.dependency.file})"
        return f"declared in this project ({self.dependency.file}: {self.dependency.declared})"

    def sentence(self, name: str) -> str:
        """What the asker has to know, with the library by its name."""
        verb = "has" if self.dependency.version is not None else "asks for"
        has = f"{verb} {name} {self.dependency.version or self.dependency.declared} ({self.dependency.file})"
        if self.asked is not None:
            return f"This project {has}, but {self.asked} was asked for, and counts."
        return f"This project {has}."


@lru_cache(maxsize=4)
def with_dependencies(catalogue: Catalogue, project: Project | None) -> Catalogue:
    """The catalogue with an entry more for each package of npm and PyPI that the project itself names and it does not hold.

    Names that are words of the trade or of everyday English are left out: `debug` in a question is a verb.
    """
    if project is None:
        return catalogue
    own: dict[str, Entry] = {}
    at_hand: set[str] = set()
    for dependency in project.dependencies:
        package = dependency.package
        if package is None or not dependency.direct:
            continue
        entry = catalogue.by_package(package)
        if entry is not None:
            at_hand.update((entry.id, *entry.other_ids))
            continue
        name = package.name
        if name in _NO_NAMES or catalogue.by_name(name) is not None or len(name) < 2:
            continue
        own.setdefault(f"/{package.type}/{name}", _entry(package.type, name))
    return catalogue.extended(own.values(), (*at_hand, *own))


def _entry(ecosystem: str, name: str) -> Entry:
    return Entry(
        name=name,
        id=f"/{ecosystem}/{name}",
        ecosystem=ecosystem,
        description="",
        words=(name,) if _PLAIN_WORD.fullmatch(name) else (),
        npm=(name,) if ecosystem == "npm" else (),
        pypi=(name,) if ecosystem == "pypi" else (),
    )


def project_version(named: Named, project: Project | None) -> ProjectVersion | None:
    """What the project has of a library that a question names; None where it has none of it, or says no version."""
    dependency = _dependency(named, project) if project is not None else None
    if dependency is None or dependency.local:
        return None
    version = dependency.version or declared_version(dependency.declared)
    if version is None:
        return None
    if named.version is not None and not _agrees(named.version, version, exact=dependency.version is not None):
        return ProjectVersion(dependency, version, named.version)
    return ProjectVersion(dependency, version)


def at_project_version(named: Named, project: Project | None) -> Named:
    """The library at the version of the project, unless the asker named another one."""
    found = project_version(named, project)
    return named if found is None or found.asked is not None else replace(named, version=found.version)


def _agrees(asked: str, version: str, *, exact: bool) -> bool:
    """Whether the project's version is one of those asked for, and says it at least as exactly."""
    return asked == version or (exact and satisfies(asked, version))


def declared_version(declared: str | None) -> str | None:
    """What a range comes down to as a version in part: `^15.1.0` is 15, `~5.2.1` is 5.2, `>=4,<5` is 4, `==5.2.*` is 5.2.

    None for a range without an upper end, which the newest release fits.
    """
    text = (declared or "").strip()
    if match := _CARET.fullmatch(text):
        numbers = match[1].split(".")
        return ".".join(numbers[:2]) if numbers[0] == "0" and len(numbers) > 1 else numbers[0]
    if match := _COMPATIBLE.fullmatch(text):
        return ".".join(match[1].split(".")[:-1])
    if match := _TILDE.fullmatch(text):
        return ".".join(match[1].split(".")[:2])
    if match := _BETWEEN.fullmatch(text):
        low, high = match[1].split("."), match[2].split(".")
        return low[0] if int(high[0]) == int(low[0]) + 1 and not any(map(int, high[1:])) else None
    match = _PREFIX.fullmatch(text)
    return match[1] if match and parse_version(match[1]) is not None else None


def _dependency(named: Named, project: Project) -> Dependency | None:
    """The project's package that a library's documentation is of: of the same registry as that is read from."""
    for ecosystem, name in _packages(named):
        found = project.find(ecosystem, name)
        if found is not None:
            return found
    return None


def _packages(named: Named) -> Iterator[tuple[str, str]]:
    entry = named.entry
    if entry is None:
        yield from ((ecosystem, named.name) for ecosystem in ECOSYSTEMS)
        return
    main = entry.package
    if main is not None:
        yield main.type, main.name
    if main is None or main.type == "npm":
        yield from (("npm", name) for name in entry.npm)
    if main is None or main.type == "pypi":
        yield from (("pypi", name) for name in entry.pypi)
    for package in entry.packages if main is None else ():
        ecosystem, _, name = package.partition(":")
        yield ecosystem, name


def versions_in_project(libraries: Sequence[Named], project: Project | None) -> dict[str, ProjectVersion]:
    """By its name, what the project has of each library."""
    found = ((named.name, project_version(named, project)) for named in libraries)
    return {name: version for name, version in found if version is not None}


def package_of(named: Named, project: Project | None) -> str | None:
    """The short form (`npm:ahooks`) of a package that is known by its own name alone: a dependency, or an installed docset."""
    entry = named.entry
    package = entry.package if entry is not None else None
    if entry is None and project is not None:
        dependency = _dependency(named, project)
        package = dependency.package if dependency is not None else None
        return package.at(None).text if package is not None else None
    if entry is None or package is None or entry.other_ids:  # one of two packages of a library that is known by its name
        return None
    return package.text if entry.id == f"/{package.type}/{package.name}" else None
