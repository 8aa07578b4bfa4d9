"""What of a cluster is quoted where not all of it fits, and what of it stands by itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from docs_researcher.steps.answer.abridged import abridged
from docs_researcher.steps.answer.material import NOWHERE, CodeBlock, Place, Statement, is_symbol
from docs_researcher.steps.answer.sentences import leans_on_the_one_before, points_elsewhere
from docs_researcher.steps.answer.statement_choice import is_opening
from docs_researcher.steps.answer.units import Cluster, Piece, cost, piece_text
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

SHORT_CODE = 200
"""Tokens up to which a block of code is quoted whole or not at all."""
SHORT_LIST = 220
"""Tokens up to which a list or table is quoted whole, whatever else there is to say."""
MATCHING = 0.5
"""Of a longer one, the members that hold this share of what the best one holds of the question."""
FEWEST_STEPS = 2
"""A list of steps is cut at its end; with fewer steps left it tells nothing."""
GAP = 10
"""Tokens of the line that marks a gap."""


def shortened(cluster: Cluster, terms: QuestionTerms, room: int) -> Cluster:
    """As much of a cluster as fits into `room` tokens.

    Of long code what is asked about, of a long list those members that match, then paragraphs from the first on.
    """
    pieces = list(with_short_code(cluster, terms, room).pieces)
    pieces = _with_short_lists(pieces, terms, room)
    while pieces and sum(map(cost, pieces)) > room:
        pieces = _without_last(pieces)
    return Cluster(standing(pieces))


def with_short_code(cluster: Cluster, terms: QuestionTerms, room: int) -> Cluster:
    """A cluster with its long blocks of code abridged, so that it has about `room` tokens where that is enough."""
    over = cluster.tokens - room
    pieces = list(cluster.pieces)
    for block in sorted(cluster.blocks, key=cost, reverse=True):
        if over <= 0 or cost(block) <= SHORT_CODE:
            break
        target = min(max(SHORT_CODE, cost(block) - over), room)
        code = abridged(block.code, block.language, lambda text: terms.share(stems_of(text)), target)
        if not code:
            break
        short = replace(block, code=code)
        over -= cost(block) - cost(short)
        pieces = [short if piece is block else piece for piece in pieces]
    return Cluster(tuple(pieces))


def _without_last(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces without the last paragraph or block, or the last list; of a list that is too long to be whole its last member.

    A short list without its end hides what somebody may look for.
    """
    last = pieces[-1]
    if isinstance(last, Statement) and last.group is not None and last.kind == "item":
        members = [piece for piece in pieces if isinstance(piece, Statement) and piece.group == last.group]
        if sum(map(cost, members)) <= SHORT_LIST and len(members) < len(pieces):
            return [piece for piece in pieces if not (isinstance(piece, Statement) and piece.group == last.group)]
    return [piece for piece in pieces if piece.place[:2] != last.place[:2]]


def _with_short_lists(pieces: Sequence[Piece], terms: QuestionTerms, room: int) -> list[Piece]:
    found = list(pieces)
    groups = dict.fromkeys(piece.group for piece in pieces if isinstance(piece, Statement) and piece.group is not None)
    for group in groups:
        members = [piece for piece in pieces if isinstance(piece, Statement) and piece.group == group]
        size = sum(map(cost, members))
        rest = sum(map(cost, found)) - size
        matching = _matching(members, terms)
        stands_out = sum(map(cost, matching)) * 3 <= size
        if size <= SHORT_LIST or (size + rest <= room and not stands_out):
            continue
        kept = _as_fits(matching, members, max(SHORT_LIST, room - rest) - GAP)
        dropped = {piece.place for piece in members} - {piece.place for piece in kept}
        found = [piece for piece in found if piece.place not in dropped]
    return found


def _matching(members: Sequence[Statement], terms: QuestionTerms) -> list[Statement]:
    """The members of a list that match best, in their order; all of a list of steps, which need one another."""
    if any(one.kind == "step" for one in members):
        return list(members)
    shares = [terms.share(stems_of(piece_text(one))) for one in members]
    best = max(shares)
    wanted = zip(members, shares, strict=True)
    return [one for one, share in wanted if not best or share >= MATCHING * best]


def _as_fits(wanted: Sequence[Statement], members: Sequence[Statement], room: int) -> list[Statement]:
    """The first of the wanted members that fit; a lone first step tells nothing."""
    kept: list[Statement] = []
    for one in wanted:
        room -= cost(one)
        if room < 0:
            break
        kept.append(one)
    steps = sum(one.kind == "step" for one in kept)
    tells = kept and (kept[0].kind != "step" or steps >= min(FEWEST_STEPS, sum(one.kind == "step" for one in members)))
    return kept if tells else []


def standing(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """The pieces that are understood beside one another.

    Without those that announce something which is not there, what leans on those, and what greets or sends the reader on; but a
    sentence on which the next one of its paragraph leans stays with it.
    """
    leant_on = {piece.needs for piece in pieces if isinstance(piece, Statement) and piece.kind == "sentence" and piece.place[2]}
    kept = [piece for piece in pieces if isinstance(piece, CodeBlock) or piece.place in leant_on or not says_nothing(piece)]
    gone: set[Place] = set()
    while True:
        fallen = {piece.place for number, piece in enumerate(kept) if _falls(number, kept, gone)}
        if not fallen:
            return tuple(kept)
        gone |= fallen
        kept = [piece for piece in kept if piece.place not in fallen]


_THIS = re.compile(r"(?:this|these|such) (\w+)", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"(?:this|these|that|those|it|they|such|both|its|their)\b(?! (?:is|may be|can be) (?:possible|best|easy))", re.IGNORECASE
)
"""The beginning of a sentence about a thing that stands above it."""
_SINCE = re.compile(
    r"\**(?:added|changed|deprecated|new|removed) (?:in|since) version [\w.]+\**[.:]?|\*(?:figure|table|listing) \d+\*[.:]?",
    re.IGNORECASE,
)
"""A line that only says since when, or numbers a picture."""


def says_nothing(one: Statement) -> bool:
    """Whether a sentence only greets, sends the reader on, or says since when."""
    if one.kind != "sentence":
        return False
    return (
        one.text.startswith("|")
        or bool(_SINCE.fullmatch(one.text))
        or (one.opens is None and (points_elsewhere(one.text) or is_opening(one.text)))
    )


def _falls(number: int, kept: Sequence[Piece], gone: Collection[Place]) -> bool:
    one = kept[number]
    if isinstance(one, CodeBlock):
        return False
    if one.needs in gone and one.kind == "sentence":
        return True
    if one.opens is None:
        return False
    following = kept[number + 1] if number + 1 < len(kept) else None
    if following is None or one.opens == NOWHERE:
        return True
    if isinstance(following, CodeBlock):
        return following.place != one.opens and not following.joined
    return following.place != one.opens and not (following.group is not None and following.group == one.opens[:2])


def with_a_beginning(pieces: Sequence[Piece], heading: str) -> tuple[Piece, ...]:
    """The pieces of a unit without the sentences at its top that lean on something above it, which is not quoted.

    "This option" below the heading `maxAge` leans on the heading, and stays. So does what would leave nothing.
    """
    kept = list(pieces)
    while len(kept) > 1 and _lacks_its_beginning(kept[0], heading):
        rest = list(standing(kept[1:]))
        if not rest:
            break
        kept = rest
    return tuple(kept) if kept else tuple(pieces)


def _lacks_its_beginning(first: Piece, heading: str) -> bool:
    if isinstance(first, CodeBlock) or first.kind != "sentence" or first.label or is_symbol(heading):
        return False
    if first.opens is not None and not _POINTS_BACK.match(first.text):
        return False  # "Alternatively, call it so:" is understood with what it announces
    named = _THIS.match(first.text)
    return leans_on_the_one_before(first.text) and not (named and stems_of(named.group(1)) & stems_of(heading))
