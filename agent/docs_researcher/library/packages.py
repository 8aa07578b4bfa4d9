"""Packages of npm and PyPI, named in short (`npm:next@16.4.6`) or as a purl (`pkg:npm/next@16.4.6`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast
from urllib.parse import quote

PackageType = Literal["npm", "pypi"]
LANGUAGE_OF: dict[PackageType, str] = {"npm": "JavaScript", "pypi": "Python"}
"""The language of a registry, as readers call it."""

_NPM_NAME = re.compile(r"(?:@[A-Za-z0-9~_-][A-Za-z0-9._~-]*/)?[A-Za-z0-9~_-][A-Za-z0-9._~-]*")
_PYPI_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_VERSION = re.compile(r"(?! )(?:[^\s/\\@?#%\x00-\x1f]| (?=[<>=^~0-9|])){1,128}")
"""A version, or a range, which may hold single blanks between its bounds (`>=4 <5`)."""
_PYPI_RANGE = re.compile(r"(?P<name>[A-Za-z0-9._-]+)\s*(?P<range>[<>~!]=?.*)")
_SHORT = re.compile(r"(npm|pypi)[:/](.+)", re.IGNORECASE)
_MAX_NAME_CHARS = 214
"""npm's own limit; PyPI's names are shorter."""


@dataclass(frozen=True, slots=True)
class PackageRef:
    """A package, perhaps at one version. `name` is as the registry has it: scope included, PyPI names normalised."""

    type: PackageType
    name: str
    version: str | None = None

    @property
    def purl(self) -> str:
        """The package as a purl, such as `pkg:npm/%40trpc/server@10.0.0`."""
        name = "/".join(quote(part, safe=".~_-") for part in self.name.split("/"))
        version = f"@{quote(self.version, safe='.~_-')}" if self.version else ""
        return f"pkg:{self.type}/{name}{version}"

    @property
    def text(self) -> str:
        """The short form, such as `npm:@trpc/server@10.0.0`."""
        version = f"@{self.version}" if self.version else ""
        return f"{self.type}:{self.name}{version}"

    def at(self, version: str | None) -> PackageRef:
        """The same package at another version."""
        return PackageRef(self.type, self.name, version)


def parse_package(text: str) -> PackageRef | None:
    """Read `npm:next@16`, `npm/next@16.1.7`, `pypi:pytest==9.2.0` or a purl; None for everything else.

    A bare word such as `next` is None: it is the name of a library, not of a package. Names and versions that no registry
    takes (a path, a blank, a `..`) are None too, so that what comes back is safe in an address.
    """
    text = text.strip()
    if text[:4].lower() == "pkg:":
        return _parse_purl(text)
    short = _SHORT.fullmatch(text)
    if short is None:
        return None
    kind = cast(PackageType, short[1].lower())
    name, version = _split_version(kind, short[2])
    return _package(kind, name, version)


def normalise_pypi_name(name: str) -> str:
    """The name as PyPI's index spells it: lower case, one hyphen for any run of `-`, `_` and `.`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _split_version(kind: PackageType, text: str) -> tuple[str, str | None]:
    if kind == "pypi" and "==" in text:
        name, _, version = text.partition("==")
        return name.strip(), version.strip()
    bounds = _PYPI_RANGE.fullmatch(text) if kind == "pypi" else None
    if bounds is not None:
        return bounds["name"], bounds["range"].strip()
    at = text.find("@", 1)
    if at < 0:
        return text, None
    return text[:at], text[at + 1 :]


def _package(kind: PackageType, name: str, version: str | None) -> PackageRef | None:
    pattern = _NPM_NAME if kind == "npm" else _PYPI_NAME
    if len(name) > _MAX_NAME_CHARS or not pattern.fullmatch(name):
        return None
    if version is not None and (not _VERSION.fullmatch(version) or set(version) == {"."}):
        return None
    return PackageRef(kind, normalise_pypi_name(name) if kind == "pypi" else name, version)


def _parse_purl(text: str) -> PackageRef | None:
    from packageurl import PackageURL

    try:
        purl = PackageURL.from_string(text)
    except ValueError:
        return None
    if purl.type not in ("npm", "pypi"):
        return None
    name = f"{purl.namespace}/{purl.name}" if purl.namespace else purl.name
    return _package(purl.type, name, purl.version)
