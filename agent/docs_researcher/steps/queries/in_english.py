"""A question in another language as the words that English documentation would be searched with.

No translation, only a glossary of the trade (`languages/*.txt`): words it knows become English, words that say nothing are left
out, and names, identifiers and everything else that English documentation may hold stays as it was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docs_researcher.core.lines import lines_of
from docs_researcher.steps.question.wording import is_unreadable

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
_OWN_LETTERS = {
    "de": re.compile(r"[äöß]"),
    "es": re.compile(r"[ñ¿¡]"),
    "fr": re.compile(r"[êèùûœ]"),
    "it": re.compile(r"[ìò]"),
    "pt": re.compile(r"[ãõ]"),
}
"""Of two languages with as many small words in a text (`como`, `de`, `no`) it is the one whose letters it has."""
_UNSPACED = frozenset({"ja", "zh", "ko"})
"""Languages whose words are looked for inside a run of characters."""
_RUN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?: [\uac00-\ud7af]+)*")
"""Korean puts blanks inside what is one term."""
_FOREIGN_SCRIPT = re.compile(r"[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_FEWEST_WORDS = 2
"""So many words of a language with Latin letters tell it: one alone (`para`, `die`) may be a name or English."""
_FEWEST_LETTERS = 3
_SHARE = 3
"""One of so many letters has to be of a script, or what stands in it is a sign that the question is about."""
_TOO = frozenset(
    "a an as auto die do for form forma from get hat he i in is it me mode no not of on or per so solo son statt that the this "
    "to usa use was we what where will with you".split()
)
"""English words that are words of another language as well, or stand in an English question; they tell nothing."""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The words of one language: those that say nothing, and the English for beginnings of the others, longest first."""

    says_nothing: frozenset[str]
    english: tuple[tuple[str, tuple[str, ...]], ...]
    terms: tuple[tuple[str, tuple[str, ...]], ...]
    """Those of `english` that are several words."""

    def english_for(self, word: str) -> tuple[str, ...]:
        """The English for a word by its longest beginning that is known; empty when none is."""
        return next((terms for beginning, terms in self.english if beginning == f"{word}$" or word.startswith(beginning)), ())

    def term_at(self, words: Sequence[str]) -> tuple[int, tuple[str, ...]]:
        """How many of the words are one known term (`tiempo de espera`), and its English; 0 when they begin with none."""
        for term, terms in self.terms:
            count = term.count(" ") + 1
            if " ".join(words[:count]).startswith(term):
                return count, terms
        return 0, ()


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
    if is_unreadable(prose):
        return None
    for code, letters in _SCRIPTS:
        if letters.search(prose) and _is_written_in(code, prose, len(letters.findall(prose))):
            return code
    words = [_folded(word) for word in _WORD.findall(prose)]
    counts = {code: sum(word in _glossary(code).says_nothing for word in words if word not in _TOO) for code in _LATIN}
    best = max(_LATIN, key=lambda code: (counts[code], bool(_OWN_LETTERS[code].search(prose))))
    english = sum(word in _ENGLISH for word in words)
    told = counts[best] >= _FEWEST_WORDS or (counts[best] and _foreign_words(words, best) >= _FEWEST_WORDS)
    return best if told and counts[best] > english else None


def _is_written_in(code: str, prose: str, letters: int) -> bool:
    """Whether letters are of a language and not only of its script: bytes that are no text decode as rare ones by accident."""
    glossary, folded = _glossary(code), prose.casefold().replace("ё", "е")
    if code in _UNSPACED:
        known = any(word in folded for word in (*glossary.says_nothing, *(beginning for beginning, _ in glossary.english)))
    else:
        known = any(word in glossary.says_nothing or glossary.english_for(word) for word in _WORD.findall(folded))
    words = sum(map(str.isalpha, prose))
    return known or (letters >= _FEWEST_LETTERS and letters * _SHARE >= words)


def _foreign_words(words: Sequence[str], code: str) -> int:
    """How many words the glossary knows under another name in English: `hochladen`, and not `import`."""
    long = [word for word in words if len(word) > _FEWEST_LETTERS]
    known = [(word, _glossary(code).english_for(word)) for word in long]
    return sum(bool(terms) and not any(_alike(word, term) for term in terms) for word, terms in known)


def _alike(word: str, term: str) -> bool:
    return word[:_FEWEST_LETTERS] == term[:_FEWEST_LETTERS]


_ENGLISH = frozenset("how the does with what why when and are can should which there my your i do is to of for using".split())


def _replaced(text: str, code: str, glossary: Glossary, most: int | None) -> str:
    return _inside_runs(text, glossary, most) if code in _UNSPACED else _word_by_word(text, glossary, most)


def _word_by_word(text: str, glossary: Glossary, most: int | None) -> str:
    # A word inside a path, an address or an identifier is no word of the language.
    words = list(re.finditer(rf"(?<![\w./@#$-]){_WORD.pattern}(?![\w/@(]|\.\w)", text))
    folded = [_folded(word.group()) for word in words]
    pieces, end, at = list[str](), 0, 0
    while at < len(words):
        count, terms = glossary.term_at(folded[at:])
        together = words[at : at + count]
        if not count or " ".join(word.group() for word in together) != text[words[at].start() : together[-1].end()]:
            count, terms = 1, _word_in_english(words[at].group(), folded[at], glossary)
        pieces += [text[end : words[at].start()], " ".join(terms[:most])]
        at += count
        end = words[at - 1].end()
    return "".join([*pieces, text[end:]])


def _word_in_english(word: str, folded: str, glossary: Glossary) -> tuple[str, ...]:
    if folded in glossary.says_nothing:
        return ()
    # Elided articles of French: l'authentification.
    stem = re.sub(r"^(?:l|d|qu|j|n|s|m|t|c)['’]", "", folded)
    if terms := glossary.english_for(folded) or glossary.english_for(stem):
        return terms
    return () if _FOREIGN_SCRIPT.search(word) or not word.isascii() or len(word) < _FEWEST_LETTERS else (word,)


def _inside_runs(text: str, glossary: Glossary, most: int | None) -> str:
    def english(match: re.Match[str]) -> str:
        run, found = match.group(), list[tuple[int, str]]()
        # What says nothing is taken out as well: 進行 (to be under way) is no 行 (row).
        silent = [(word, ()) for word in glossary.says_nothing]
        for word, terms in sorted([*glossary.english, *silent], key=lambda entry: -len(entry[0])):
            at = run.find(word)
            if at >= 0 and terms:
                found.append((at, " ".join(terms[:most])))
            run = run.replace(word, "\0" * len(word))
        return f" {' '.join(terms for _, terms in sorted(found))} "

    return _RUN.sub(english, text)


def _folded(word: str) -> str:
    """A word in lower case without the marks on its letters; Cyrillic й stays, ё is written as е."""
    if _FOREIGN_SCRIPT.search(word):
        return word.casefold().replace("ё", "е")
    return "".join(sign for sign in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(sign))


@cache
def _glossary(code: str) -> Glossary:
    says: frozenset[str] = frozenset()
    english: list[tuple[str, tuple[str, ...]]] = []
    for line in lines_of((Path(__file__).parent / "languages" / f"{code}.txt").read_text(encoding="utf-8")):
        if line.startswith("says:"):
            says = frozenset(line.removeprefix("says:").split())
        elif line and not line.startswith("#"):
            beginnings, _, terms = line.partition("|")
            known = tuple(term.strip() for term in terms.split(","))
            english += [(beginning.strip(), known) for beginning in beginnings.split(",")]
    english.sort(key=lambda entry: (-len(entry[0]), entry[0]))
    return Glossary(says, tuple(english), tuple(entry for entry in english if " " in entry[0]))
