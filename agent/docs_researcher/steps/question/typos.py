"""Misspelt names: looked for only where a name is expected and none was found, because it is the one slow comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docs_researcher.library.catalogue import Catalogue, SimilarName
from docs_researcher.library.entries import fold_name
from docs_researcher.steps.question.alias_index import AliasIndex, alias_index
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.near_words import NEAR_WORDS
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.question.wording import Piece, is_telegraphic, pieces
from docs_researcher.steps.words import (
    APP_NOUNS,
    EVERYDAY_WORDS,
    NUMBER_OWNERS,
    REQUEST_VERBS,
    STOP_WORDS,
    TRADE_WORDS,
    UNITS,
    word_set,
)

_SHORTEST, _LONG = 5, 8
"""Shorter words are too near to too many names. Words of `_LONG` letters are compared wherever they stand; longer ones may have
two letters wrong."""
_MOST_TRIED = 6
_EXPECTED_BEFORE = word_set("in with using use for via from to on of")
_PLAIN = NEAR_WORDS | STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | UNITS | NUMBER_OWNERS | APP_NOUNS
_JOINTS = frozenset("-_./")
_NOUNS = APP_NOUNS | TRADE_WORDS
_TOPIC = re.compile(r"\s*[:：]\s|\s+[-–—]\s")


def misspelt(text: str, certain: Sequence[Mention], doubtful: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """Words that are a known name with one or two letters wrong."""
    unknown = [mention for mention in certain if mention.kind == "unknown"]
    named = [mention for mention in certain if mention.kind not in ("identifier", "unknown")]
    found: list[Mention] = []
    index = alias_index(catalogue)
    found += [mention for one in unknown if (mention := _corrected_package(one, catalogue)) is not None]
    unknown = [one for one in unknown if not any(mention.start == one.start for mention in found)]
    taken = [*named, *doubtful, *found]
    for piece in _tried(text, named=bool(named)):
        if any(mention.start < piece.end and piece.start < mention.end for mention in taken):
            continue
        mention = _corrected(text, piece, catalogue, index)
        if mention and not any(other.start == mention.start and "-" in other.text for other in unknown):
            found.append(mention)
            break
    return found


def near_names(word: str, catalogue: Catalogue, limit: int) -> list[str]:
    """Names of libraries that a word may be a misspelling of, wherever it stands; none for a word of English."""
    if len(word) < _SHORTEST or not word.isalpha() or word.lower() in _PLAIN:
        return []
    index, folded = alias_index(catalogue), fold_name(word)
    matches = catalogue.similar_names(folded, limit)
    return [match.entry.name for match in matches if _is_typo_of(folded, match, index, versioned=False)]


def spelt(text: str, mentions: Sequence[Mention]) -> tuple[str, list[Mention]]:
    """A text with its misspelt names put right, so that nobody looks for "axois", and the mentions at their places in it."""
    kept: list[Mention] = []
    moved = 0
    for mention in mentions:
        start, end = mention.start + moved, mention.end + moved
        if mention.kind == "typo":
            text = f"{text[:start]}{mention.name}{text[end:]}"
            moved += len(mention.name) - (end - start)
            end = start + len(mention.name)
            mention = replace(mention, text=mention.name, written=mention.text)
        kept.append(replace(mention, start=start, end=end))
    return text, kept


def _corrected_package(unknown: Mention, catalogue: Catalogue) -> Mention | None:
    """The package that a hyphenated name is misspelt from, by letters that changed places or one that is wrong."""
    word = fold_name(unknown.text)
    if "-" not in unknown.text or len(word) <= _LONG:
        return None
    for match in catalogue.similar_names(word, 4):
        name = match.name
        if name[0] == word[0] and (match.distance == 1 or sorted(word) == sorted(name)) and not _inflected(word, name):
            return replace(unknown, name=match.entry.name, kind="typo", entry=match.entry)
    return None


def _tried(text: str, *, named: bool) -> list[Piece]:
    """The words worth a comparison. Beside a known name only the first word of the text is one."""
    all_pieces = pieces(text)
    candidates: list[Piece] = []
    for position, piece in enumerate(all_pieces[:1] if named else all_pieces):
        if len(piece.text) < _SHORTEST or not piece.text.isalpha() or piece.lower in _PLAIN or piece.gap in _JOINTS:
            continue
        if position == 0 and len(all_pieces) > 1 and all_pieces[1].gap == " " and all_pieces[1].text.isalpha():
            candidates.append(Piece(text[piece.start : all_pieces[1].end], piece.start, all_pieces[1].end, piece.gap))
        if len(piece.text) >= _LONG or _name_expected(text, all_pieces, position):
            candidates.append(piece)
    return candidates[:_MOST_TRIED]


def _name_expected(text: str, all_pieces: Sequence[Piece], position: int) -> bool:
    """Whether a name may stand here: as a topic, before a version, behind "in", as the first of some search words."""
    piece = all_pieces[position]
    if version_follows(text, piece.end):
        return True
    following = all_pieces[position + 1] if position + 1 < len(all_pieces) else None
    if position == 0:
        return (
            bool(_TOPIC.match(text, piece.end)) or is_telegraphic(text) or (following is not None and following.lower in _NOUNS)
        )
    if all_pieces[position - 1].lower in _EXPECTED_BEFORE:
        return following is None or following.gap.strip() != "" or following.lower in APP_NOUNS
    return False


def _corrected(text: str, piece: Piece, catalogue: Catalogue, index: AliasIndex) -> Mention | None:
    word = fold_name(piece.text)
    versioned = version_follows(text, piece.end) is not None
    matches = [match for match in catalogue.similar_names(word, 4) if _is_typo_of(word, match, index, versioned=versioned)]
    if not matches:
        return None
    best = min(matches, key=lambda match: (match.distance, sorted(match.name) != sorted(word)))
    return Mention(piece.start, piece.end, piece.text, best.entry.name, "typo", best.entry)


def _is_typo_of(word: str, match: SimilarName, index: AliasIndex, *, versioned: bool) -> bool:
    name = match.name
    if len(name) < _SHORTEST or name[0] != word[0] or match.distance > (2 if min(len(word), len(name)) > _LONG else 1):
        return False
    if sorted(word) == sorted(name) and match.distance > 0:
        return True  # letters that changed places make no English word of a name
    if _stutters(word, name):
        return True
    if versioned:
        return True
    return not _inflected(word, name) and not (name in index.words and name in EVERYDAY_WORDS)


def _stutters(word: str, name: str) -> bool:
    """Whether one letter of a name is written once too often: "expresss"."""
    return any(first == second and word[:at] + word[at + 1 :] == name for at, (first, second) in enumerate(pairwise(word)))


def _inflected(word: str, name: str) -> bool:
    """Whether one is the other with something behind it: "expressed" is no misspelt Express, "network" no NetworkX."""
    longer, shorter = (word, name) if len(word) > len(name) else (name, word)
    doubled = longer == f"{shorter}s" and shorter.endswith("s")
    return longer.startswith(shorter) and not doubled
