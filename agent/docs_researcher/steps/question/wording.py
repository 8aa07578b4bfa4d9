"""A question cut into pieces: the words that a library's name may be made of, and where its clauses end."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from docs_researcher.steps.words import word_set

_PIECE = re.compile(r"(?:@(?=[A-Za-z0-9][\w.~-]*/[A-Za-z0-9]))?[A-Za-z0-9\u00c0-\u024f]+[+#]*")
_DOT_NET = re.compile(r"(?<![\w.])\.(?=[A-Za-z])")
_CODE_SPAN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_CLAUSE_END = re.compile(r"[.!?;:]+(?=\s|$)|[,()\[\]\n]|[。！？；：，、（）]|\s[-–—]\s")
_LATIN_WORD = re.compile(r"[^\W\d_]+")
_GERMAN = frozenset(
    "ich wie der die das den dem ein eine einen einem und oder nicht mit im ist sind wird werden kann kein keine für auf bei "
    "beim aus nach warum wenn was wo meine mein meinem meinen zum zur von".split()
)
_ROMANCE = frozenset(
    "el la los las un una y o que qué cómo como en con para por del al se mi no es está puedo hago hacer entre cuando le les "
    "des une et ou dans avec sur pour comment est je ne pas mon ma ce à du au os as um uma e não em com na faço qual onde".split()
)
_FEWEST_FOREIGN, _FOREIGN_SHARE = 2, 4
_OTHER_LETTERS = re.compile(r"[¿¡\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NO_TEXT = frozenset({"Cc", "Co", "Cn", "Cs"})
_UNREADABLE_SHARE = 20
"""More than one such sign of so many, and nobody wrote the text."""
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|[。！？：]\s*|\n\s*|\s[-–—]\s|[\"'“(]\s*)$")
WORD = re.compile(r"[A-Za-z][\w'+#-]*")
_SENTENCE_WORDS = word_set(
    "the a an we you they he she our your their this that these those is are was were be will would should please let's"
)
_MOST_SEARCH_WORDS = 9


@dataclass(frozen=True, slots=True)
class Piece:
    """One run of letters and digits. `gap` is what stands between it and the piece before it."""

    text: str
    start: int
    end: int
    gap: str

    @property
    def lower(self) -> str:
        """The piece in lower case."""
        return self.text.lower()


def pieces(text: str) -> tuple[Piece, ...]:
    """The pieces of a text in order. A scope's `@` and the dot of `.NET` belong to the piece behind them."""
    found: list[Piece] = []
    end = 0
    for match in _PIECE.finditer(text):
        start = match.start()
        if start and text[start - 1] == "." and _DOT_NET.match(text, start - 1):
            start -= 1
        found.append(Piece(text[start : match.end()], start, match.end(), text[end:start]))
        end = match.end()
    return tuple(found)


def code_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where code between back-ticks stands."""
    return tuple(match.span() for match in _CODE_SPAN.finditer(text)) if "`" in text else ()


def starts_sentence(text: str, position: int) -> bool:
    """Whether a sentence, a line or a quotation begins at `position`."""
    return bool(_SENTENCE_START.search(text, max(0, position - 6), position))


def is_german(text: str) -> bool:
    """Whether a text is German, where a capital says that a word is a noun and not that it is a name."""
    return _many(text, _GERMAN)


def is_foreign(text: str) -> bool:
    """Whether a text is no English, so that an English word in it is hardly an everyday one."""
    return bool(_OTHER_LETTERS.search(text)) or is_german(text) or _many(text, _ROMANCE)


def _many(text: str, function_words: frozenset[str]) -> bool:
    """Whether a quarter of the words are of a language's small ones."""
    words = _LATIN_WORD.findall(text.lower())
    found = sum(word in function_words for word in words)
    return found >= _FEWEST_FOREIGN and found * _FOREIGN_SHARE >= len(words)


def clause_break(text: str, start: int, end: int) -> bool:
    """Whether a clause ends between two positions. The comma of a plain list counts too."""
    return bool(_CLAUSE_END.search(text, start, end))


def is_unreadable(text: str) -> bool:
    """Whether much of a text is signs that nobody writes: what could not be decoded, control characters, letters of no script."""
    if text.isascii() and text.isprintable():
        return False
    signs = sum(sign == "\ufffd" or (unicodedata.category(sign) in _NO_TEXT and not sign.isspace()) for sign in text)
    return signs * _UNREADABLE_SHARE > len(text)


def is_title(text: str) -> bool:
    """Whether most words begin with a capital, so that a capital says nothing."""
    words = WORD.findall(text)
    return len(words) > 2 and sum(word[0].isupper() for word in words) > len(words) * 0.6


def is_telegraphic(text: str) -> bool:
    """Whether a text is a handful of search words: short, and without the small words of a sentence."""
    words = [word.lower() for word in WORD.findall(text)]
    return len(words) <= _MOST_SEARCH_WORDS and not any(word in _SENTENCE_WORDS for word in words)
