"""Misspelt names: looked for only where a name is expected and none was found, because it is the one slow comparison."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.alias_index import AliasIndex, alias_index
from docs_researcher.steps.mentions import Mention
from docs_researcher.steps.versions_in_text import version_follows
from docs_researcher.steps.wording import Piece, pieces
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
"""Shorter words are too near to too many names; from `_LONG` letters on two edits are allowed."""
_MOST_TRIED = 6
_EXPECTED_BEFORE = word_set("in with using use for via from to on of")
_PLAIN = STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | UNITS | NUMBER_OWNERS | APP_NOUNS
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "or", "ion", "al", "ive", "ly", "y", "ish", "ful", "able")
_TOPIC = re.compile(r"\s*[:：]\s|\s+[-–—]\s")


def misspelt(text: str, certain: Sequence[Mention], doubtful: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """Words that are a known name with one or two letters wrong."""
    unknown = [mention for mention in certain if mention.kind == "unknown"]
    named = [mention for mention in certain if mention.kind not in ("identifier", "unknown")]
    found: list[Mention] = []
    index = alias_index(catalogue)
    taken = [*named, *doubtful]
    for piece in _tried(text, bool(named)):
        if any(mention.start < piece.end and piece.start < mention.end for mention in taken):
            continue
        mention = _corrected(text, piece, catalogue, index)
        if mention and not any(other.start == mention.start and "-" in other.text for other in unknown):
            found.append(mention)
            break
    return found


def _tried(text: str, named: bool) -> list[Piece]:
    """The words worth a comparison. Beside a known name only the first word of the text is one."""
    all_pieces = pieces(text)
    candidates: list[Piece] = []
    for position, piece in enumerate(all_pieces):
        if named and position > 0:
            break
        if len(piece.text) < _SHORTEST or not piece.text.isalpha() or piece.lower in _PLAIN:
            continue
        if any(character.isupper() for character in piece.text[1:]) and not piece.text.isupper() and len(piece.text) > 12:
            continue
        joined = piece.gap in "-_./" and piece.gap != ""
        if not joined and (len(piece.text) >= _LONG or _name_expected(text, all_pieces, position)):
            candidates.append(piece)
    return candidates[:_MOST_TRIED]


def _name_expected(text: str, all_pieces: Sequence[Piece], position: int) -> bool:
    piece = all_pieces[position]
    if position == 0 and (_TOPIC.match(text, piece.end) or len(piece.text) >= _LONG):
        return True
    if version_follows(text, piece.end):
        return True
    following = all_pieces[position + 1].lower if position + 1 < len(all_pieces) else ""
    if position and all_pieces[position - 1].lower in _EXPECTED_BEFORE:
        return following in APP_NOUNS or position + 1 == len(all_pieces) or not following
    return position == 0 and following in APP_NOUNS | TRADE_WORDS


def _corrected(text: str, piece: Piece, catalogue: Catalogue, index: AliasIndex) -> Mention | None:
    word = piece.lower
    for match in catalogue.similar_names(word, 3):
        name = match.name
        allowed = 2 if min(len(word), len(name)) >= _LONG else 1
        if match.distance > allowed or name[0] != word[0] or len(name) < _SHORTEST or _inflected(word, name):
            continue
        if name in index.words and name in EVERYDAY_WORDS and not version_follows(text, piece.end):
            continue
        return Mention(piece.start, piece.end, piece.text, match.entry.name, "typo", match.entry)
    return None


def _inflected(word: str, name: str) -> bool:
    """Whether one is the other with something behind it: "expressed" is no misspelt Express."""
    longer, shorter = (word, name) if len(word) > len(name) else (name, word)
    rest = longer[len(shorter) :]
    return longer.startswith(shorter) and (rest in _ENDINGS or len(rest) > 1 or rest.isdigit())
