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
from docs_researcher.library.entries import fold_name as fold
from docs_researcher.library.versions import best_match, parse_version, satisfies
from docs_researcher.steps.names import fold_loosely
from docs_researcher.steps.words import LANGUAGES, STOP_WORDS, word_set

EXACT, PROJECT, VARIANT = 100.0, 92.0, 60.0
"""Points of the name: the title is the name, the id's project is, or the title says the name and more."""
_OFFICIAL_OWNER, _RELATED_OWNER, _SITE, _LLMS_TXT = 14.0, 8.0, 7.0, 6.0
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
    r"templates?|tutorials?|cheat ?sheets?|courses?|wrappers?|tips|clone|backup|copy of|dotfiles|demo|sandbox|examples|"
    r"third[- ]party)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:archived?|deprecated|discontinued|end[- ]of[- ]life|moved to|has moved|renamed to|superseded|unmaintained|"
    r"no longer (?:maintained|updated|developed)|obsolete|outdated|legacy|old (?:docs|documentation|repository|repo|version))\b",
    re.IGNORECASE,
)
_VERSION_IN_TEXT = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+(?:-[a-z0-9.]+)?|(?<=v)\d+)(?![\w.]*\w)", re.IGNORECASE)
_TITLE_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))*", re.IGNORECASE)
_WORDS = re.compile(r"[a-z0-9][a-z0-9+#]*", re.IGNORECASE)
_SITE_ENDINGS = re.compile(r"(?:_(?:org|com|io|dev|net|ai|app|sh|rs|co|en|latest|stable|docs?|llms_txt|readthedocs))+$")
_PLAIN_ADDITIONS = word_set("js docs documentation framework library official the api reference guide")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked, made ready for comparison."""

    names: tuple[str, ...]
    folded_names: tuple[str, ...]
    version: str | None
    terms: frozenset[str]
    languages: frozenset[str]

    @classmethod
    def of(cls, name: str, version: str | None, query: str, aliases: Sequence[str] = ()) -> Asked:
        """Prepare a name, a version, a query and other names of the same library."""
        names = tuple(dict.fromkeys((name, *aliases)))
        folded = tuple(dict.fromkeys(fold(one) for one in names))
        words = _words(query) | _words(name)
        languages = frozenset(LANGUAGES[word] for word in words if word in LANGUAGES)
        return cls(names, folded, version, _stems(_words(query)), languages)


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
    level, additions = _name_level(candidate, identity, asked)
    if level is None:
        return None
    text = f"{candidate.title} {candidate.description}"
    subject = _stems(_words(text))
    owner_points = _owner_points(identity, asked)
    second_hand = _is_second_hand(candidate, identity, owner_points)
    past = bool(_PAST.search(text))
    points = level + owner_points + _SITES.get(identity.owner, 0.0) + _REPUTATION[candidate.reputation]
    points += _NOT_OFFICIAL * second_hand + _NOT_CURRENT * past
    points += _language_points(candidate, identity, additions, asked)
    points += _version_points(candidate, identity, additions, asked)
    points += _coverage_points(candidate)
    on_subject = asked.terms & subject - _stems(_words(" ".join(asked.names)))
    points += min(_MOST_SUBJECT_POINTS, _SUBJECT_POINTS * len(on_subject))
    warnings = (f"{candidate.id} says that it is archived, moved or no longer maintained.",) if past else ()
    official = owner_points >= _OFFICIAL_OWNER and candidate.reputation != "Low" and not second_hand
    why = _why(level, official, identity.owner in _SITES)
    return Judged(candidate, level, points, official, identity.owner in _SITES, why, warnings, subject)


def _why(level: float, official: bool, site: bool) -> str:
    name = "a variant of the name"
    if level == PROJECT:
        name = "its project is called so"
    elif level > PROJECT:
        name = "its title is the name asked for"
    return name + (", from its own organisation" if official else ", the documentation site" if site else "")


def _name_level(candidate: Candidate, identity: LibraryId, asked: Asked) -> tuple[float | None, frozenset[str]]:
    """The points of the name and the words that the title has beyond it; None for a stranger."""
    title = fold(candidate.title)
    site = _SITE_ENDINGS.sub("", identity.project)
    projects = {fold(identity.project), fold(f"{identity.owner}/{identity.project}"), fold(site)}
    if title in asked.folded_names:
        return EXACT, frozenset()
    loose = {fold_loosely(name) for name in asked.names}
    if fold_loosely(candidate.title) in loose:
        return EXACT - 1, frozenset()
    for name in asked.names:
        additions = _additions(candidate.title, name)
        if additions is not None:
            rest = additions - _PLAIN_ADDITIONS
            if all(_TITLE_VERSION.fullmatch(word) for word in rest):
                return EXACT - 2, additions
            return VARIANT, additions
    if projects & set(asked.folded_names) or {fold_loosely(project) for project in projects} & loose:
        return PROJECT, frozenset()
    return None, frozenset()


def _additions(title: str, name: str) -> frozenset[str] | None:
    """The words of `title` beyond those of `name` when the name stands in it as words in a row, else None."""
    words = [word.lower() for word in _WORDS.findall(title.replace(".", ""))]
    wanted = fold(name)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 5) + 1):
            if fold("".join(words[start:end])) == wanted:
                return frozenset(words[:start] + words[end:])
    return None


def _owner_points(identity: LibraryId, asked: Asked) -> float:
    owner = fold_loosely(identity.owner)
    names = {fold_loosely(name) for name in asked.names}
    if owner in names or re.sub(r"(?:org|labs?|hq|inc|io|team|project)$", "", owner) in names:
        return _OFFICIAL_OWNER
    if any(len(name) >= 4 and (owner.startswith(name) or (len(owner) >= 4 and name.startswith(owner))) for name in names):
        return _RELATED_OWNER
    return 0.0


def _is_second_hand(candidate: Candidate, identity: LibraryId, owner_points: float) -> bool:
    if _SECOND_HAND.search(f"{identity.owner.replace('_', ' ')} {identity.project.replace('_', ' ')}"):
        return True
    return owner_points < _OFFICIAL_OWNER and bool(_SECOND_HAND.search(candidate.description))


def _language_points(candidate: Candidate, identity: LibraryId, additions: frozenset[str], asked: Asked) -> float:
    """Points for a variant in the language that the query names, or against one in another language."""
    project = _words(identity.project.replace("_", " ")) - _words(" ".join(asked.names))
    names = {LANGUAGES[word] for word in (additions | project) if word in LANGUAGES}
    described = {LANGUAGES[word] for word in _words(candidate.description) if word in LANGUAGES}
    if not asked.languages:
        return 0.0
    if names:
        return _RIGHT_LANGUAGE if names & asked.languages else _WRONG_LANGUAGE
    if described:
        return _SAID_LANGUAGE if described & asked.languages else -_SAID_LANGUAGE
    return 0.0


def _version_points(candidate: Candidate, identity: LibraryId, additions: frozenset[str], asked: Asked) -> float:
    """Points for having the asked version: listed, in the id, or said by the title or the description."""
    if not asked.version:
        return 0.0
    numbered = [version for version in (*candidate.versions, identity.version or "") if parse_version(version)]
    if numbered:
        return _RIGHT_VERSION if best_match(asked.version, numbered) else 0.0
    said = [word for word in additions if _TITLE_VERSION.fullmatch(word)] or _VERSION_IN_TEXT.findall(candidate.description)
    if not said:
        return 0.0
    return _RIGHT_VERSION if any(satisfies(asked.version, version) for version in said) else _WRONG_VERSION


def _coverage_points(candidate: Candidate) -> float:
    snippets = _MEAN_SNIPPETS if candidate.snippets is None or candidate.snippets < 0 else candidate.snippets
    score = _MEAN_SCORE if candidate.score is None else min(100.0, max(0.0, candidate.score))
    return 3.0 * math.log10(1 + min(snippets, 100_000)) + score / 10


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(text)}


def _stems(words: set[str]) -> frozenset[str]:
    """The words that carry meaning, without a plural s."""
    return frozenset(re.sub(r"(?<=..[a-rt-z])s$", "", word) for word in words if word not in STOP_WORDS and len(word) > 1)
