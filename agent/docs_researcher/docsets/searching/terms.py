"""A question taken apart into search terms, and the extra words under which a chunk can be found.

Both sides live here because they must agree. The full-text index splits at every sign and keeps `useVictorState` as one
word, so it alone would find neither `C#` nor `victor state` nor two characters of a Chinese sentence. A chunk is therefore
indexed with a few extra words (`csharp`, `victor`, character pairs), and a question asks for the same words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from docs_researcher.docsets.searching.abbreviations import ABBREVIATIONS

MAX_CANDIDATES = 64
"""A longer question (a pasted log) is read this far; the search then keeps the rarest of them."""
MAX_QUERY_CHARS = 4_000
MAX_PARTS = 6

_STOPPED = """
a about above after again all also am an and any anybody anyone anything are aren as at be because been before being
below best better between both but by can cannot cant come could did didn didnt do does doesn doesnt doing don done
dont down each either else ever every example examples explain few find first for from further get gets getting give
go going good got had has have having he help her here hers him his how i if im in into is isn isnt it its itself just
know let like ll look looking made make makes making many may me might more most much must my need needed needs no nor
not now of off on once one only or other our out over own please possible properly re really right same say see shall
she should show simple so some someone something still such tell than that thats the their them then there these they
thing things this those through to too try trying under until up us use used uses using ve versus very vs want wanted wants was
way ways we well were what whats when where whether which while who whose why will with within without won wont work
working works would write you your yours
"""
STOP_WORDS = frozenset(_STOPPED.split())
"""Words that nearly every chunk holds: they change the order little and cost four times the time (measured 2026-11-29)."""

_CJK = "\u1100-\u11ff\u2e80-\u2fff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_CJK_RUN = re.compile(f"[{_CJK}\U00020000-\U0003ffff]+")
_PIECE = re.compile(r"[$.]?\w+(?:[-_./:@+#'’]+\w+)*(?:\+\+|#)?")
_SYMBOL = re.compile(r"(?<![\w$.#+])(?:([A-Za-z]\w{0,30}?)(\+\+|#)(?![\w+#])|([$.])([A-Za-z_]\w{0,60})(?![\w(]))")
_SUFFIXED = (("#", re.compile(r"#(?<=\w#)(?![\w+#])")), ("++", re.compile(r"\+\+(?<=\w\+\+)(?![\w+#])")))
"""Where a name such as C# may end. Looked for first: at most places of a text, `_SYMBOL` costs ten times as much, and of
patterns those are fast that begin with a character."""
_PREFIXED = re.compile(r"[$.](?<![\w$.#+][$.])[A-Za-z_]\w{0,60}(?![\w(])")
"""The other names that `_SYMBOL` knows."""
_DOTTED = re.compile(r"\.(?<![\w$.#+]\.)[A-Za-z_]\w{0,60}(?![\w(])")
"""The same without a dollar."""
_SYMBOL_NAMES = {"++": "plusplus", "#": "sharp", "$": "dollar", ".": "dot"}
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+|[0-9]+")
_HUMPED = re.compile(r"[A-Za-z]*[a-z][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z]+[A-Za-z0-9]*")
_WORD = re.compile(r"\w+")
_SHAPE = {
    code: "a" if chr(code).islower() else "A" if chr(code).isupper() else "0" if chr(code).isdigit() or code == ord("_") else " "
    for code in range(128)
}
"""ASCII text by the kind of its characters: finding "aA" in it is many times as fast as a regular expression on the text."""
_HUMP_SHAPES = ("aA", "AAa")
_LETTERS = bytes(ord(chr(code).lower()) if chr(code).isalpha() and code < 128 else ord(" ") for code in range(256))
"""Small letters with blanks for everything else."""
_SET_UP = re.compile(r"\bset(?:ting)?[ -]up\b", re.IGNORECASE)
"""Says no more than "use"; "set" alone (a header, a data type) does."""
_SPLIT = re.compile(r"[-_./:@+#]+")
_ENDING = re.compile(r"['’](?:s|t|re|ve|ll|d|m)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that a question asks for.

    `same` are words and phrases of which any stands for the term itself (`auth`, `authentication`); `parts` are pieces of it
    that help to rank (`next`, `headers` of `next/headers`) and stand for a share of it each.
    """

    text: str
    same: tuple[str, ...]
    parts: tuple[str, ...] = ()


@lru_cache(maxsize=2)  # one search takes its question apart twice: with and without the library's name
def query_terms(query: str) -> tuple[Term, ...]:
    """The distinct terms of a question in its order, without stop words unless nothing else is left. Never fails."""
    query = _SET_UP.sub(" ", unicodedata.normalize("NFC", query[:MAX_QUERY_CHARS]))
    terms: dict[str, Term] = {}
    stopped: dict[str, Term] = {}
    for piece in _PIECE.findall(query):
        for term in _terms_of(piece):
            kept = stopped if term.text in STOP_WORDS else terms
            kept.setdefault(term.text, term)
    return tuple((terms or stopped).values())[:MAX_CANDIDATES]


def searched_words(terms: Iterable[Term]) -> Iterator[str]:
    """The words and phrases that a full-text query asks for: of each term what stands for it, then its parts."""
    for term in terms:
        yield from (*term.same, *term.parts)


def any_of(words: Iterable[str]) -> str:
    """The full-text query for chunks that hold any of the words or phrases, each quoted by itself: nothing in it is syntax."""
    return " OR ".join(quoted(word) for word in dict.fromkeys(words))


def quoted(word: str) -> str:
    """A word or phrase as a full-text string."""
    return '"' + word.replace('"', '""').replace("\x00", " ") + '"'


def extra_words(text: str) -> str:
    """The words to index a chunk under beside its own: parts of identifiers that are no words in it, symbols, CJK pairs."""
    extra: dict[str, None] = {}
    if parts := dict.fromkeys(chain.from_iterable(map(_parts_to_index, sorted(filter(_parts_to_index, _maybe_humped(text)))))):
        present = f" {text.encode('ascii', 'replace').translate(_LETTERS).decode()} "
        extra.update(dict.fromkeys([part for part in parts if f" {part} " not in present]))
    extra.update(dict.fromkeys(_symbol_words(text)))
    if not text.isascii():
        for run in _CJK_RUN.findall(text):
            extra.update(dict.fromkeys(_pairs(run)))
    return " ".join(extra)


@lru_cache(maxsize=16_384)  # of a documentation's identifiers each stands in many chunks
def _parts_to_index(word: str) -> tuple[str, ...]:
    """The parts of a word of several, those that are worth an entry."""
    if not _HUMPED.fullmatch(word):
        return ()
    parts = (part.lower() for part in _HUMP.findall(word) if len(part) > 2 and not part.isdigit())
    return tuple(part for part in parts if part not in STOP_WORDS)


def _maybe_humped(text: str) -> set[str]:
    """The words of a text, at least all those that have a capital behind another letter."""
    if not text.isascii():
        return set(_WORD.findall(text))
    shape = text.translate(_SHAPE)
    found: set[str] = set()
    for wanted in _HUMP_SHAPES:
        position = shape.find(wanted)
        while position >= 0:
            end = shape.find(" ", position)
            end = len(shape) if end < 0 else end
            found.add(text[shape.rfind(" ", 0, position) + 1 : end])
            position = shape.find(wanted, end)
    return found


def _symbol_words(text: str) -> Iterator[str]:
    """The symbols of a text in its order."""
    if any(sign in text and suffixed.search(text) for sign, suffixed in _SUFFIXED):
        yield from map(_symbol_word, _SYMBOL.finditer(text))
    else:
        prefixed = _PREFIXED if "$" in text else _DOTTED
        yield from ((_SYMBOL_NAMES[symbol[0]] + symbol[1:]).lower() for symbol in prefixed.findall(text))


def _symbol_word(match: re.Match[str]) -> str:
    if match[1]:
        return (match[1] + _SYMBOL_NAMES[match[2]]).lower()
    return (_SYMBOL_NAMES[match[3]] + match[4]).lower()


def _pairs(run: str) -> list[str]:
    """A run of CJK characters as its overlapping pairs; a single character stays one."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _terms_of(piece: str) -> list[Term]:
    if not piece.isascii() and (runs := _CJK_RUN.findall(piece)):
        rest = [part for part in _CJK_RUN.split(piece) if part.strip("$.+#-_/:@")]
        terms = [Term(run, (run,), tuple(dict.fromkeys(_pairs(run))) if len(run) > 2 else ()) for run in runs]
        return [*terms, *(term for part in rest for term in _terms_of(part))]
    piece = _ENDING.sub("", piece).replace("’", "'")
    if symbol := _SYMBOL.fullmatch(piece):
        word = _symbol_word(symbol)
        bare = (symbol[1] or symbol[4]).lower()
        # "c" of `C#` is every chunk on C and C++ as well; a longer word (`$state`) is a fair second guess.
        return [Term(piece.lower(), (word,), (bare,) if len(bare) > 2 else ())]
    piece = piece.strip("$.#+'")
    if not piece.strip("_"):
        return []
    return [_word_term(piece)]


def _word_term(piece: str) -> Term:
    text = piece.lower()
    compound = _SPLIT.search(piece) is not None
    parts: dict[str, None] = {}
    for part in _SPLIT.split(piece):
        humps = _HUMP.findall(part) if part.isascii() and not part.islower() and not part.isupper() else []
        if compound:
            parts[part.lower()] = None
        if len(humps) > 1:
            parts.update(dict.fromkeys(hump.lower() for hump in humps))
    useful = tuple(part for part in parts if len(part) > 1 and not part.isdigit() and part not in STOP_WORDS)[:MAX_PARTS]
    return Term(text, (text, *ABBREVIATIONS.get(text, ())), tuple(part for part in useful if part != text))
