"""The values that reading a project gives."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from docs_researcher.library.packages import PackageRef, normalise_pypi_name, parse_package

Ecosystem = Literal["npm", "pypi", "cargo", "golang", "gem", "composer", "maven", "nuget"]
"""Named as in purls."""
ECOSYSTEMS: tuple[Ecosystem, ...] = get_args(Ecosystem)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~+/-]{0,213}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_!~-]{0,99}")
_RANGE = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,200}")
_CASELESS = frozenset(("pypi", "nuget", "composer"))


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package that a project uses. `name` is as its registry has it, also where the project gave it an alias."""

    ecosystem: Ecosystem
    name: str
    version: str | None
    """Exact, out of a lock file, a pin or an installed copy."""
    declared: str | None
    """What the manifest asks for, as written."""
    direct: bool
    """Named by the project itself, not only by one of its dependencies."""
    file: str
    """Where the version stands, else where the package is declared; relative to the project's root."""
    line: int | None = None
    local: bool = False
    """A folder, a workspace member, a repository or an archive: no registry may be asked for it."""

    @property
    def package(self) -> PackageRef | None:
        """The package at npm or PyPI; None for other ecosystems and for what is `local`."""
        if self.local or self.ecosystem not in ("npm", "pypi"):
            return None
        return PackageRef(self.ecosystem, self.name, self.version)


@dataclass(frozen=True, slots=True)
class Project:
    """What was read. Of two dependencies with one name the nearer one stands first."""

    root: Path
    dependencies: tuple[Dependency, ...] = ()
    notices: tuple[str, ...] = field(default=(), compare=False)
    """What could not be read, a sentence each, with file and line."""

    def find(self, ecosystem: str, name: str) -> Dependency | None:
        """The dependency on a package, the nearest one; names of PyPI, NuGet and Composer are compared without case."""
        wanted = comparable(ecosystem, name)
        for dependency in self.dependencies:
            if dependency.ecosystem == ecosystem and comparable(ecosystem, dependency.name) == wanted:
                return dependency
        return None

    def names(self, package: PackageRef) -> bool:
        """Whether the project itself depends on this package of a registry."""
        return any(
            one.direct and not one.local and (one.ecosystem, one.name) == (package.type, package.name)
            for one in self.dependencies
        )


def comparable(ecosystem: str, name: str) -> str:
    """The form in which two package names of an ecosystem are compared."""
    if ecosystem == "pypi":
        return normalise_pypi_name(name)
    return name.lower() if ecosystem in _CASELESS else name


def valid_name(ecosystem: Ecosystem, name: str) -> str | None:
    """The name as the registry spells it; None for what is no name there."""
    if ecosystem in ("npm", "pypi"):
        package = parse_package(f"{ecosystem}:{name}")
        return package.name if package is not None and package.version is None else None
    return name if _NAME.fullmatch(name) and ".." not in name else None


def valid_version(text: object) -> str | None:
    """An exact version as written, None for everything else."""
    return text if isinstance(text, str) and _VERSION.fullmatch(text) and text[:1] != "." else None


def valid_range(text: object) -> str | None:
    """What a manifest asks for, as written; None where it is no printable line."""
    text = text.strip() if isinstance(text, str) else ""
    return text if _RANGE.fullmatch(text) else None
