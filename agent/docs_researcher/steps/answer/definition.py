"""What a question wants to be told what it is, and the sentence of the documentation that says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docs_researcher.docsets.searching.defining import IS_A, defines, spelt
from docs_researcher.docsets.searching.introduction import page_worth
from docs_researcher.steps.answer.cluster_cut import says_nothing
from docs_researcher.steps.answer.material import Material, Place, Statement
from docs_researcher.steps.answer.statement_choice import can_open
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.answer.units import Cluster
from docs_researcher.steps.question.asked_outright import asks_what_it_is

_THING = re.compile(
    r"\s*(?:what(?:'s|\sis|\sare)|explain|define)\s+(?:an?\s|the\s)?[`\"']?(?P<thing>[\w.@-]+(?:\s[\w.@-]+){0,2}?)(?:\(\))?[`\"']?"
    r"(?:\s(?:in|of|from)\s.{1,40})?\s*[?.!]*\s*",
    re.IGNORECASE,
)
_KIND_BEHIND = re.compile(r"(?<=\w\w\w)[\s.-](?:orm|js|framework|library)$", re.IGNORECASE)
"""What a name is spelt with or without: "Drizzle ORM", "Drizzle"."""
FEWEST_WORDS = 4
"""A first sentence of fewer words is a label."""

_BARE_LINK = re.compile(r"!?\[\]\([^()]*\)")
_BESIDE_THE_POINT = re.compile(
    r"\b(?:get(?:ting)? help|help|support|communit|contribut|involved|licen[cs]e|indices|tables?|contents|enterprise|"
    r"sponsors?|authors?|changelog|release|docs|documentation|accessibility|credits|policy|code of conduct|"
    r"development|pre-?requisite|migrat|security|communication|contact|cloning|running tests|^examples?$)",
    re.IGNORECASE,
)
"""Headings below which nothing is said of what a library is."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Where the documentation says what is asked."""

    place: Place
    is_said: bool
    """Whether a sentence has the form "X is a ..."; else it is the first one of an introduction."""


def is_about_itself(question: str, own: Sequence[str]) -> bool:
    """Whether a question asks nothing but what the library is, `own` being its names."""
    places = (match.span() for name in own if name for match in re.finditer(spelt(name), question, re.IGNORECASE))
    return any(asks_what_it_is(question, start, end) for start, end in places)


def asked_names(question: str, own: Sequence[str]) -> tuple[str, ...]:
    """The names of what a question wants explained, `own` being those of the library; empty where it asks something else."""
    if is_about_itself(question, own):
        return tuple(dict.fromkeys([*own, *(_KIND_BEHIND.sub("", name) for name in own)]))
    found = _THING.fullmatch(question)
    thing = found["thing"] if found else ""
    return tuple(dict.fromkeys((thing, thing.removesuffix("s")))) if len(thing) > 1 else ()


def definition(material: Material, names: Sequence[str], *, itself: bool) -> Definition | None:
    """The sentence that says what one of `names` is, that of the best passage first; None where none does.

    Of the library `itself` the first sentence of its README or introduction says it too.
    """
    if not names:
        return None
    sentences = [one for one in material.statements if one.kind == "sentence"]
    said = [one for one in sentences if defines(one.text, names) == IS_A]
    opening = _opening(material, sentences) if itself else ()
    told = [one for one in said if not _BESIDE_THE_POINT.search(one.heading.rsplit(" > ", 1)[-1])]
    said = told or ([] if opening else said)  # "X is a large project in need of contributors" defines nothing
    if said and (not opening or said[0].place[0] == 0):
        return Definition(said[0].place, is_said=True)
    first = next((one for one in opening if defines(one.text, names)), opening[0] if opening else None)
    return Definition(first.place, is_said=False) if first is not None else None


def introducing(units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """The units that tell of a library, without badges, and without those on help, licences and the documentation itself.

    The first one, which defines it, stays in any case.
    """
    found: list[ScoredUnit] = []
    for one in units:
        told = [number for number, cluster in enumerate(one.unit.clusters) if _tells(cluster)]
        beside = bool(_BESIDE_THE_POINT.search(one.unit.leaf))
        if beside and one is units[0]:
            told = told[:1]  # what stands above the first heading bears that heading where the two were found together
        if told and (not beside or one is units[0]):
            unit = replace(one.unit, clusters=tuple(one.unit.clusters[number] for number in told))
            found.append(replace(one, unit=unit, worth=tuple(one.worth[number] for number in told)))
    return found


def _tells(cluster: Cluster) -> bool:
    """Whether a cluster shows code, lists something, or holds a whole sentence; the texts of badges are none."""
    return bool(cluster.blocks) or any(
        one.kind != "sentence" or (one.text.endswith((".", "!", "?", ":")) and _words(one.text) > FEWEST_WORDS)
        for one in cluster.statements
    )


def _words(text: str) -> int:
    return len(re.findall(r"\w+", _BARE_LINK.sub("", text)))


def opened_by(units: Sequence[ScoredUnit], place: Place) -> list[ScoredUnit]:
    """The units, the one that holds a place first, without what stands above that place in it."""
    for number, one in enumerate(units):
        for first, cluster in enumerate(one.unit.clusters):
            if any(piece.place == place for piece in cluster.statements):
                worth = (max(one.worth) + 1.0, *one.worth[first + 1 :])
                unit = replace(one.unit, clusters=one.unit.clusters[first:])
                best = replace(one, unit=unit, worth=worth, score=max(one.score, units[0].score))
                return [best, *units[:number], *units[number + 1 :]]
    return list(units)


def _opening(material: Material, sentences: Sequence[Statement]) -> tuple[Statement, ...]:
    """The sentences at the top of the best passage that tell something, if that is where a documentation begins."""
    if not material.passages or not page_worth(material.passages[0].path or ""):
        return ()
    own = [one for one in sentences if one.place[0] == 0]
    return tuple(
        one
        for one in own
        if one.heading == own[0].heading and can_open(one) and not says_nothing(one) and _words(one.text) >= FEWEST_WORDS
    )
