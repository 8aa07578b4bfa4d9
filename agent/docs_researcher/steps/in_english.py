"""A question in another language as the words that English documentation would be searched with.

No translation, only a glossary of the trade (`languages/*.txt`): words it knows become English, words that say nothing are left
out, and names, identifiers and everything else that English documentation may hold stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = {
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "pt": "Portuguese",
    "ru": "Russian",
    "ja": "Japanese",
    "zh": "Chinese",
    "ko": "Korean",
}
"""What the glossary knows, by the name of its file."""

_LATIN = ("de", "es", "fr", "it", "pt")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
_UNSPACED = frozenset({"ja", "zh", "ko"})
"""Languages whose words are looked for inside a run of characters."""
_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_FOREIGN_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_FEWEST_WORDS = 2
"""So many words of a language with Latin letters tell it: one alone (`para`, `die`) may be a name or English."""
_FEWEST_LETTERS = 3
_TOO = frozenset(
    "a an as auto die do for from get hat he i in is it me no not of on or per so son that the this to use was we what where "
    "will with you".split()
)
"""English words that are words of another language as well, or stand in an English question; they tell nothing."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one language: those that say nothing, and the English for beginnings of the others, longest first."""

    says_nothing: frozenset[str]
    english: tuple[tuple[str, tuple[str, ...]], ...]

    def english_for(self, word: str) -> tuple[str, ...]:
        """The English for a word by its longest beginning that is known; empty when none is."""
        return next((terms for beginning, terms in self.english if word.startswith(beginning)), ())


def in_english(text: str, code: str, *, all_terms: bool = False) -> str:
    """The words to search English documentation with for a text in the language `code`; those of `LANGUAGES` are known.

    With `all_terms` everything that a word may mean ("upload send"), else what it means most often.
    """
    glossary = _glossary(code)
    most = None if all_terms else 1
    pieces: list[str] = []
    end = 0
    for span in _CODE.finditer(text):
        pieces += [_replaced(text[end : span.start()], code, glossary, most), span.group()]
        end = span.end()
    pieces.append(_replaced(text[end:], code, glossary, most))
    words = " ".join(" ".join(pieces).split())
    return re.sub(r"\s+(?=[?.!,;:？。、，])", "", words).strip(" ?¿¡!.,;:？。、，")


def language_of(text: str) -> str | None:
    """The code of the language that a text is in, by its letters or by at least two of its small words; None for English."""
    prose = _CODE.sub(" ", text)
    for code, letters in _SCRIPTS:
        if letters.search(prose):
            return code
    words = [_folded(word) for word in _WORD.findall(prose)]
    counts = {code: sum(word in _glossary(code).says_nothing for word in words if word not in _TOO) for code in _LATIN}
    best = max(_LATIN, key=lambda code: counts[code])
    english = sum(word in _ENGLISH for word in words)
    return best if counts[best] >= _FEWEST_WORDS and counts[best] > english else None


_ENGLISH = frozenset("how the does with what why when and are can should which there my your i do is to of for using".split())


def _replaced(text: str, code: str, glossary: Glossary, most: int | None) -> str:
    return _inside_runs(text, glossary, most) if code in _UNSPACED else _word_by_word(text, glossary, most)


def _word_by_word(text: str, glossary: Glossary, most: int | None) -> str:
    def english(match: re.Match[str]) -> str:
        word = match.group()
        folded = _folded(word)
        if folded in glossary.says_nothing:
            return ""
        # Elided articles of French: l'authentification.
        stem = re.sub(r"^(?:l|d|qu|j|n|s|m|t|c)['’]", "", folded)
        if terms := glossary.english_for(folded) or glossary.english_for(stem):
            return " ".join(terms[:most])
        return "" if _FOREIGN_SCRIPT.search(word) or not word.isascii() or len(word) < _FEWEST_LETTERS else word

    # A word inside a path, an address or an identifier is no word of the language.
    return re.sub(rf"(?<![\w./@#$-]){_WORD.pattern}(?![\w/@(]|\.\w)", english, text)


def _inside_runs(text: str, glossary: Glossary, most: int | None) -> str:
    def english(match: re.Match[str]) -> str:
        run, found = match.group(), list[tuple[int, str]]()
        for word, terms in glossary.english:
            at = run.find(word)
            if at >= 0:
                found.append((at, " ".join(terms[:most])))
                run = run.replace(word, " " * len(word))
        return f" {' '.join(terms for _, terms in sorted(found))} "

    return _RUN.sub(english, text)


def _folded(word: str) -> str:
    """A word in lower case without the marks on its letters; Cyrillic й stays."""
    if _FOREIGN_SCRIPT.search(word):
        return word.casefold()
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


@cache
def _glossary(code: str) -> Glossary:
    says: frozenset[str] = frozenset()
    english: list[tuple[str, tuple[str, ...]]] = []
    for line in (Path(__file__).parent / "languages" / f"{code}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("says:"):
            says = frozenset(line.removeprefix("says:").split())
        elif line and not line.startswith("#"):
            beginnings, _, terms = line.partition("|")
            known = tuple(term.strip() for term in terms.split(","))
            english += [(beginning.strip(), known) for beginning in beginnings.split(",")]
    return Glossary(says, tuple(sorted(english, key=lambda entry: (-len(entry[0]), entry[0]))))
