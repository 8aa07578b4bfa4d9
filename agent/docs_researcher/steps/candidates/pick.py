"""Step 3: which of the offered libraries is meant, and at which listed version.

The name is a gate: what is not called as asked is a stranger, however high its score. Behind the gate the signals of
`candidate_signals` decide. Titles and descriptions are data: they can make a candidate lose, hardly make it win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.passages import Candidate
from docs_researcher.library.entries import fold_name as fold
from docs_researcher.library.versions import best_match, sort_newest
from docs_researcher.steps.candidates.candidate_signals import Asked, Judged, judge

_TIE_POINTS = 3.0
"""Two candidates closer than this are equally likely, unless one of them is official."""
_NAMED_VERSIONS = 6
"""How many existing versions a warning names."""


@dataclass(frozen=True, slots=True)
class Pick:
    """What was picked. `candidate` is None when none fits, and when several fit equally well (`tied`)."""

    candidate: Candidate | None
    id: str | None = None
    """What to query: the id, with the version as listed when one fits."""
    version: str | None = None
    """The listed version that fits what was asked; None when none was asked, or none fits."""
    warnings: tuple[str, ...] = ()
    """Sentences that the answer has to say."""
    tied: tuple[Candidate, ...] = ()
    how: str = ""
    """Why this one, in a phrase."""
    missing: str = ""
    """That the version asked for is not listed, and which are; empty when one fits or none was asked."""


def pick(
    name: str,
    asked_version: str | None,
    query: str,
    candidates: Sequence[Candidate],
    aliases: Sequence[str] = (),
) -> Pick:
    """Pick the candidate that is called `name` (or one of `aliases`) and serves `asked_version` and `query` best."""
    asked = Asked.of(name, asked_version, query, aliases)
    usable = [candidate for candidate in candidates if LibraryId.try_parse(candidate.id)]
    judged = sorted((j for c in usable if (j := judge(c, asked))), key=lambda j: j.points, reverse=True)
    if not judged:
        return _none_fits(name, candidates)
    tied = _ties(judged)
    if tied:
        choices = ", ".join(candidate.id for candidate in tied)
        return Pick(
            None,
            warnings=(f"Several libraries are called {name} and nothing asked tells them apart: {choices}.",),
            tied=tied,
            how="several are equally likely",
        )
    return _at_version(judged[0], asked_version, asked)


def _none_fits(name: str, candidates: Sequence[Candidate]) -> Pick:
    offered = ", ".join(candidate.title for candidate in candidates[:4])
    seen = f"none of what was offered ({offered}) is {name}" if candidates else f"nothing was found for {name}"
    return Pick(None, warnings=(f"No suitable documentation set: {seen}.",), how="none is called as asked")


def _ties(judged: Sequence[Judged]) -> tuple[Candidate, ...]:
    """The candidates that are as likely as the first one: other owners, another subject, none of them official."""
    first = judged[0]
    if first.official:
        return ()
    equal = [
        other
        for other in judged[1:]
        if first.points - other.points < _TIE_POINTS
        and other.level == first.level
        and not other.site
        and not first.site
        and first.differs_from(other)
    ]
    return tuple(j.candidate for j in (first, *equal)) if equal else ()


def _at_version(chosen: Judged, asked_version: str | None, asked: Asked) -> Pick:
    candidate = chosen.candidate
    given = LibraryId.parse(candidate.id)
    warnings = list(chosen.warnings)
    if not asked_version:
        return Pick(candidate, candidate.id, given.version, tuple(warnings), how=chosen.why)
    if given.version and best_match(asked_version, [given.version]):
        return Pick(candidate, candidate.id, given.version, tuple(warnings), how=chosen.why)
    listed = versions_of_package(candidate.versions, asked)
    fitting = best_match(asked_version, listed)
    if fitting is not None:
        how = f"{chosen.why}; version {fitting} fits {asked_version}"
        return Pick(candidate, given.at(fitting).text, fitting, tuple(warnings), how=how)
    numbered = any(character.isdigit() for version in listed for character in version)
    lists = f"lists {', '.join(sort_newest(listed)[:_NAMED_VERSIONS])}" if numbered else "is unversioned"
    missing = f"Version {asked_version} not indexed: {candidate.id} {lists}"
    used = "; its unversioned documentation is used." if numbered else ", so its documentation may be of another version."
    warnings.append(missing + used)
    id_used = given.base if candidate.versions else candidate.id
    return Pick(candidate, id_used, None, tuple(warnings), how=chosen.why, missing=f"{missing}.")


def versions_of_package(versions: Sequence[str], asked: Asked) -> tuple[str, ...]:
    """The listed versions that belong to what was asked.

    A repository of several packages lists `@scope/one@1.0.0` and `@scope/two@2.0.0`: those of the asked package are
    taken; else those that name no package; else all.
    """
    owners = {version: fold(version.rpartition("@")[0].removesuffix("/")) for version in versions}
    for name in asked.names.folded:
        own = tuple(version for version, owner in owners.items() if owner == name)
        if own:
            return own
    plain = tuple(version for version, owner in owners.items() if not owner)
    return plain or tuple(versions)
