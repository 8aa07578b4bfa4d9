"""Which version answers: of those that are installed, and of those that a registry offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from docs_researcher.core.errors import PackageNotFound
from docs_researcher.library.versions import best_match, choose_version, parse_version, satisfies

if TYPE_CHECKING:
    from docs_researcher.docsets.acquiring.fetch import PackageFetcher
    from docs_researcher.docsets.installed.store import Installed
    from docs_researcher.library.entries import Entry
    from docs_researcher.library.packages import PackageRef


@dataclass(frozen=True, slots=True)
class Target:
    """A version to fetch, and how it came to be chosen."""

    version: str
    how: str
    reason: str = ""
    """Why it is not the version asked for; empty when it is."""
    before_guide: bool = False
    """The version asked for is from before the package held its guide."""


def choose_release(package: PackageRef, entry: Entry | None, asked: str | None, fetcher: PackageFetcher) -> Target:
    """The version to fetch. Asks the registry for its newest first; for all versions only when that decides nothing.

    Args:
        package: whose version.
        entry: the catalogue's, which may know from which version on the package holds its guide.
        asked: exact, the beginning of a version, a range, or None for the newest.
        fetcher: asks the registry.

    Raises:
        PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
    """
    since = _since(package, entry)
    if asked is None:
        return Target(fetcher.newest(package), "newest release")
    if since and _is_below(asked, since):
        return Target(since, "", _why_since(package, since), before_guide=True)
    if _is_exact(asked):
        exact = asked.lstrip("v")
        if fetcher.offers(package, exact):
            return Target(exact, fits(asked, exact, "released"))
    else:
        newest = fetcher.newest(package)
        if satisfies(asked, newest):
            return Target(newest, fits(asked, newest, "released"))
    offered = fetcher.versions(package)
    with_docs = [version for version in offered if not since or not _is_below(version, since)]
    choice = choose_version(asked, with_docs)
    if choice.version is None:
        raise PackageNotFound(
            f"{package.type} offers no version of {package.name} near {asked}",
            next_step=f"Ask without a version, or list what there is: docs-research show {package.text}",
        )
    if not choice.substituted:
        return Target(choice.version, fits(asked, choice.version, "released"))
    return Target(choice.version, "", f"{package.type} has no version {asked} of {package.name}")


def ships_guide(package: PackageRef, entry: Entry | None, target: Target) -> bool:
    """Whether the package itself is known to hold a guide at this version, so that no other place need be asked."""
    documented = entry is not None and entry.docs is not None and entry.docs.package == package.at(None).text
    return documented and not target.before_guide


def installed_match(installed: Sequence[Installed], asked: str | None) -> Installed | None:
    """The installed docset for what is asked; `installed` is newest first."""
    if asked is None:
        return installed[0] if installed else None
    version = best_match(asked, [item.version for item in installed if item.version])
    return next((item for item in installed if version is not None and item.version == version), None)


def newest_edition(installed: Sequence[Installed], asked: str | None) -> Installed | None:
    """An installed guide that is kept for the newest release only and serves for the version asked for as well."""
    for item in installed:
        if item.meta.edition and (item.version is None or same_line(asked or "", item.version)):
            return item
    return None


def same_line(asked: str, version: str) -> bool:
    """Whether a version is of the same major line as the one asked for (below 1.0: of the same minor line)."""
    wanted, found = parse_version(asked), parse_version(version)
    if wanted is None or found is None:
        return False
    depth = 1 if found.numbers[0] or wanted.numbers[0] else 2
    return (*wanted.numbers, 0)[:depth] == (*found.numbers, 0)[:depth]


def fits(asked: str, version: str | None, where: str) -> str:
    """How a version came to be chosen, for the reader."""
    exact = version is not None and asked.lstrip("v") == version.lstrip("v")
    return "asked for" if exact else f"newest {where} that fits {asked}"


def _since(package: PackageRef, entry: Entry | None) -> str | None:
    """The first version of a package that holds its documentation, where the catalogue says so."""
    if entry is None or entry.docs is None or entry.docs.package != package.text:
        return None
    return entry.docs.since


def _is_below(asked: str, since: str) -> bool:
    """Whether every version that fits `asked` (a full or partial version) is older than `since`."""
    wanted, first = parse_version(asked), parse_version(since)
    return wanted is not None and first is not None and wanted.key < first.key and not satisfies(asked, since)


def _is_exact(asked: str) -> bool:
    """Whether this names one release: at least three numbers."""
    version = parse_version(asked)
    return version is not None and len(version.numbers) >= 3


def _why_since(package: PackageRef, since: str) -> str:
    registry = {"npm": "npm", "pypi": "PyPI"}[package.type]
    return f"the {registry} package {package.name} holds its documentation only from {since} on"
