"""How well one offered library fits what was asked: points from its name, owner, language, version and coverage.

Missing data is neutral: an unknown reputation, score or snippet count neither helps nor harms.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.passages import Candidate
from docs_researcher.library.versions import best_match, parse_version, satisfies
from docs_researcher.steps.candidates.candidate_names import (
    OFFICIAL_OWNER,
    PROJECT,
    VARIANT,
    AskedNames,
    NameMatch,
    match_name,
    owner_points,
    words_of,
)
from docs_researcher.steps.words import LANGUAGES, STOP_WORDS

_SITE, _LLMS_TXT = 7.0, 6.0
_REPUTATION = {"High": 5.0, "Medium": 1.0, "Low": -14.0, "Unknown": 2.0}
_NOT_OFFICIAL, _NOT_CURRENT = -45.0, -55.0
_RIGHT_LANGUAGE, _WRONG_LANGUAGE = 62.0, -70.0
_SAID_LANGUAGE = 10.0
"""A description may name the language that a library is for, and also the one that it is made in."""
_RIGHT_VERSION, _WRONG_VERSION = 30.0, -50.0
_SUBJECT_POINTS, _MOST_SUBJECT_POINTS = 4.0, 8.0
_MEAN_SCORE, _MEAN_SNIPPETS = 75.0, 500

_SITES = {"websites": _SITE, "docs": _SITE, "llmstxt": _LLMS_TXT}
_SECOND_HAND = re.compile(
    r"\b(?:community|unofficial|forks?|forked|mirror(?:ed)?|translations?|translated|personal|awesome|boilerplate|starter|"
    r"templates?|tutorials?|cheat ?sheets?|courses?|wrappers?|tips|clone|backup|copy of|dotfiles|demo|sandbox|examples|samples?|"
    r"third[- ]party)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:archived?|deprecated|discontinued|end[- ]of[- ]life|moved to|has moved|renamed to|superseded|unmaintained|"
    r"no longer (?:maintained|updated|developed)|obsolete|outdated|legacy|old (?:docs|documentation|repository|repo|version))\b",
    re.IGNORECASE,
)
_VERSION_IN_TEXT = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+(?:-[a-z0-9.]+)?|(?<=v)\d+)(?![\w.]*\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, made ready for comparison."""

    names: AskedNames
    version: str | None
    terms: frozenset[str]
    languages: frozenset[str]

    @classmethod
    def of(cls, name: str, version: str | None, query: str, aliases: Sequence[str] = ()) -> Asked:
        """Prepare a name, a version, a query and other names of the same library."""
        words = words_of(query) | words_of(name)
        languages = frozenset(LANGUAGES[word] for word in words if word in LANGUAGES)
        names = AskedNames.of(name, aliases)
        terms = _stems(words_of(query)) - _stems(words_of(" ".join(names.texts)))
        return cls(names, version, terms, languages)


@dataclass(frozen=True, slots=True)
class Judged:
    """One candidate behind the name gate."""

    candidate: Candidate
    level: float
    points: float
    official: bool
    site: bool
    why: str
    warnings: tuple[str, ...] = ()
    subject: frozenset[str] = field(default=frozenset())

    def differs_from(self, other: Judged) -> bool:
        """Whether the two descriptions speak of different things."""
        shared = self.subject & other.subject
        return len(shared) * 2 < min(len(self.subject), len(other.subject))


def judge(candidate: Candidate, asked: Asked) -> Judged | None:
    """The candidate's points, or None for a stranger."""
    identity = LibraryId.parse(candidate.id)
    match = match_name(candidate, identity, asked.names)
    if match is None:
        return None
    text = f"{candidate.title} {candidate.description}"
    subject = _stems(words_of(text))
    from_owner = owner_points(identity, asked.names)
    second_hand = _is_second_hand(candidate, identity, from_owner)
    past = _PAST.search(text)
    on_version = _version_points(candidate, identity, match, asked)
    if match.level == VARIANT and not from_owner and on_version <= 0 and match.unusual - asked.terms:
        return None  # "Pillow Extras" is not Pillow, unless the query or the version speaks for it
    points = match.level + from_owner + _SITES.get(identity.owner, 0.0) + _REPUTATION[candidate.reputation]
    points += _NOT_OFFICIAL * second_hand + _NOT_CURRENT * (past is not None) + on_version
    points += _language_points(candidate, identity, match, asked)
    points += _coverage_points(candidate)
    points += min(_MOST_SUBJECT_POINTS, _SUBJECT_POINTS * len(asked.terms & subject))
    warnings = (f'{candidate.id} says of itself "{past[0].lower()}", so it may be out of date.',) if past else ()
    official = from_owner >= OFFICIAL_OWNER and candidate.reputation != "Low" and not second_hand
    site = identity.owner in _SITES
    return Judged(candidate, match.level, points, official, site, _why(match.level, official, site), warnings, subject)


def _why(level: float, official: bool, site: bool) -> str:
    name = "a variant of the name"
    if level > PROJECT:
        name = "its title is the name asked for"
    elif level > VARIANT:
        name = "its project is called so"
    return name + (", from its own organisation" if official else ", the documentation site" if site else "")


def _is_second_hand(candidate: Candidate, identity: LibraryId, from_owner: float) -> bool:
    if not candidate.id.isascii():
        return True  # letters of two scripts in an id are made to be mistaken for another
    if _SECOND_HAND.search(f"{identity.owner.replace('_', ' ')} {identity.project.replace('_', ' ')}"):
        return True
    return from_owner < OFFICIAL_OWNER and bool(_SECOND_HAND.search(candidate.description))


def _language_points(candidate: Candidate, identity: LibraryId, match: NameMatch, asked: Asked) -> float:
    """Points for a variant in the language that the query names, or against one in another language."""
    project = words_of(identity.project.replace("_", " ")) - words_of(" ".join(asked.names.texts))
    names = {LANGUAGES[word] for word in (match.additions | project) if word in LANGUAGES}
    described = {LANGUAGES[word] for word in words_of(candidate.description) if word in LANGUAGES}
    if not asked.languages:
        return 0.0
    if names:
        return _RIGHT_LANGUAGE if names & asked.languages else _WRONG_LANGUAGE
    if described:
        return _SAID_LANGUAGE if described & asked.languages else -_SAID_LANGUAGE
    return 0.0


def _version_points(candidate: Candidate, identity: LibraryId, match: NameMatch, asked: Asked) -> float:
    """Points for having the asked version: listed, in the id, or said by the title or the description."""
    if not asked.version:
        return 0.0
    numbered = [version for version in (*candidate.versions, identity.version or "") if parse_version(version)]
    if numbered:
        return _RIGHT_VERSION if best_match(asked.version, numbered) else 0.0
    said = match.versions or _VERSION_IN_TEXT.findall(candidate.description)
    if not said:
        return 0.0
    return _RIGHT_VERSION if any(satisfies(asked.version, version) for version in said) else _WRONG_VERSION


def _coverage_points(candidate: Candidate) -> float:
    snippets = _MEAN_SNIPPETS if candidate.snippets is None or candidate.snippets < 0 else candidate.snippets
    score = _MEAN_SCORE if candidate.score is None else min(100.0, max(0.0, candidate.score))
    return 3.0 * math.log10(1 + min(snippets, 100_000)) + score / 10


def _stems(words: set[str]) -> frozenset[str]:
    """The words that carry meaning, without a plural s."""
    return frozenset(re.sub(r"(?<=..[a-rt-z])s$", "", word) for word in words if word not in STOP_WORDS and len(word) > 1)
