"""Units that say what another one says: the same section found twice, and the same entry for another variant of a thing.

A library documents a method of its synchronous and of its asynchronous client, or one query builder for each database, in the
same words. One of them is quoted; that the others say the same takes a line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.steps.answer.material import CodeBlock
from docs_researcher.steps.answer.sides import is_headed_by
from docs_researcher.steps.answer.unit_scores import ScoredUnit
from docs_researcher.steps.answer.units import Unit, piece_text
from docs_researcher.steps.queries.question_terms import QuestionTerms

SAME_PLACE = 0.7
"""The share of a unit's pieces that stand in another one, from which on the two are the same."""
SAME_WORDS = 0.8
"""The share of the words of two entries that stand in both, from which on they are one entry for two variants."""
FEWEST_WORDS = 8
"""An entry of fewer words is too short to be called the same as another one."""
MOST_NAMED = 2
MOST_PARAMETERS = 3
SHORTEST_TERM = 4
_OPENING, _CLOSING = frozenset("([{<"), frozenset(")]}>")
_ARROWS = re.compile(r"[-=]>|[<>]=")
_PARAMETER = re.compile(r"[\s*.]*(\w+)")
_WORD = re.compile(r"[^\W_]{2,}")
_POINTER = re.compile(r"see(?: also)?:? `?(?:[\w$]+[.#])*(?P<name>[\w$]+)(?:\(\))?`?\.?", re.IGNORECASE)


def without_doubles(scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Scored units, best first, without those of which most stands in a better one from the same place.

    Two queries find a section twice, each time beside other neighbours.
    """
    kept: list[ScoredUnit] = []
    pieces: dict[tuple[str, str], set[str]] = {}
    for one in scored:
        known = pieces.setdefault((one.page, one.unit.leaf), set())
        own = {piece_text(piece) for cluster in one.unit.clusters for piece in cluster.pieces}
        if len(own & known) < SAME_PLACE * len(own):
            kept.append(one)
        known |= own
    return kept


def without_pointers(scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Scored units, best first, without entries that only name another one which is there too.

    The methods of a wrapper say "See: _.debounce"; what that does stands in its own entry, which takes the place of the best
    of them.
    """
    named = [_pointed_at(one.unit) for one in scored]
    told = {_name(one.unit) for one, name in zip(scored, named, strict=True) if not name} - {""}
    first: dict[str, float] = {}
    for one, name in zip(scored, named, strict=True):
        if name in told:
            first.setdefault(name, one.score)
    kept = [one for one, name in zip(scored, named, strict=True) if name not in told]
    raised = [replace(one, score=max(one.score, first.pop(_name(one.unit), one.score))) for one in kept]
    return sorted(raised, key=lambda one: -one.score)


def _pointed_at(unit: Unit) -> str:
    """The last name of what an entry points at, if it says nothing else; else empty."""
    statements = [one for cluster in unit.clusters for one in cluster.statements]
    match = _POINTER.fullmatch(statements[0].text.strip()) if len(statements) == 1 else None
    return match["name"] if match is not None else ""


def without_variants(
    scored: Sequence[ScoredUnit], terms: QuestionTerms
) -> tuple[list[ScoredUnit], dict[tuple[int, str], tuple[Unit, ...]]]:
    """Scored units, best first, with one of each set of variants; and the others of its set by rank and heading of that one.

    What is compared is no variant. Of a set the one stays of whose place the question has a word ("async", "sqlite"), else the
    best.
    """
    kept: list[ScoredUnit] = []
    others: dict[int, list[ScoredUnit]] = {}
    for one in scored:
        is_side = any(is_headed_by(side, one.unit) for side in terms.sides)
        place = None if is_side else next((number for number, other in enumerate(kept) if is_variant(one.unit, other.unit)), None)
        if place is None:
            kept.append(one)
        elif _asked_for(one.unit, terms) > _asked_for(kept[place].unit, terms):
            others.setdefault(place, []).append(kept[place])
            kept[place] = replace(one, score=kept[place].score)
        else:
            others.setdefault(place, []).append(one)
    found = {
        (kept[place].unit.rank, kept[place].unit.heading): tuple(other.unit for other in same) for place, same in others.items()
    }
    return kept, found


def _asked_for(unit: Unit, terms: QuestionTerms) -> int:
    heading = unit.heading.lower()
    return sum(len(term) >= SHORTEST_TERM and term in heading for term in terms.stems)


def is_variant(one: Unit, other: Unit) -> bool:
    """Whether two entries have the same last name, or one a word before it, and say the same in nearly the same words."""
    if not _are_one_name(_name(one), _name(other)) or one.heading == other.heading:
        return False
    ours, theirs = _words(one), _words(other)
    if min(len(ours), len(theirs)) < FEWEST_WORDS:
        return False
    return len(ours & theirs) >= SAME_WORDS * min(len(ours), len(theirs))


def variants_line(one: Unit, others: Sequence[Unit]) -> str:
    """The line that says for which variants of an entry the same is documented, and which parameters these have or lack."""
    unique = {place: other for other in reversed(others) if (place := _place(other.heading)) != _place(one.heading)}
    told = [f"`{place}`{_difference(one, other)}" for place, other in reversed(unique.items())]
    listed = ", ".join(told[:MOST_NAMED]) + (" and others" if len(told) > MOST_NAMED else "")
    return f"The documentation says the same of {listed}." if told else ""


def _difference(one: Unit, other: Unit) -> str:
    """The parameters of the other's signature that the one's has not, and those that it has alone; empty without any."""
    ours, theirs = _parameters(one), _parameters(other)
    if not ours or not theirs:
        return ""
    more, fewer = [name for name in theirs if name not in ours], [name for name in ours if name not in theirs]
    parts = [f"{word} {_listed(names)}" for word, names in (("with", more), ("without", fewer)) if names]
    return f" ({', '.join(parts)})" if parts else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:MOST_PARAMETERS]) + (" …" if len(names) > MOST_PARAMETERS else "")


def _parameters(unit: Unit) -> tuple[str, ...]:
    """The names of the parameters in a unit's first declaration, without those of functions among them."""
    code = _ARROWS.sub("  ", unit.blocks[0].code) if unit.blocks else ""
    begin = code.find("(")
    if begin < 0:
        return ()
    depth, inside = 0, list[str]()
    for sign in code[begin:]:
        depth -= sign in _CLOSING
        if depth == 1 or sign == ",":
            inside.append(sign if depth == 1 else " ")
        depth += sign in _OPENING
        if not depth:
            break
    found = (_PARAMETER.match(part) for part in "".join(inside).split(","))
    return tuple(dict.fromkeys(match[1] for match in found if match and match[1] not in ("self", "cls", "this")))


def _are_one_name(one: str, other: str) -> bool:
    """Whether two names are one, or one with a word before it: `Client`, `AsyncClient`."""
    short, long = sorted((one, other), key=len)
    return long.endswith(short) and (short == long or (len(short) >= SHORTEST_TERM and short[:1].isupper()))


def _name(unit: Unit) -> str:
    return unit.leaf.strip("`").rsplit(".", 1)[-1].split("(")[0]


def _place(heading: str) -> str:
    """How a variant is told from another: its own dotted name, with the module before it where the name does not hold that."""
    module, leaf = heading.split(" > ", 1)[0], heading.rsplit(" > ", 1)[-1].strip("`")
    return leaf if leaf.startswith(module) else f"{module}: {leaf}"


def _words(unit: Unit) -> frozenset[str]:
    prose = " ".join(
        piece_text(piece) for cluster in unit.clusters for piece in cluster.pieces if not isinstance(piece, CodeBlock)
    )
    return frozenset(word.lower() for word in _WORD.findall(prose))
