"""What kind of page a chunk stands on, by its path, and the words of titles as the full-text index has them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

import apsw

from docs_researcher.docsets.searching.terms import STOP_WORDS

RELEASE_NOTES = 0.6
"""Factor on the score of release notes, changelogs and upgrade guides unless the question is about versions."""
SOURCE = 0.6
"""Factor on the score of pages made from source (docstrings, declarations): beside a guide they fill its gaps and must not
crowd it out, and where there is no guide all pages have it. Without it 14 instead of 16 of 24 known answers were whole
(2026-11-29)."""
SOURCE_FILES = (".py", ".pyi", ".ts", ".mts", ".cts")
EXAMPLE_FOLDERS = ("example/", "examples/", "demo/", "demos/", "samples/")
"""Whose programs are read where there is no guide: they show how a thing is done, as a guide does."""
EXAMPLE = 0.7
"""Factor on the score of example programs: they hold the words of everything that they use, and the README says which of it
matters. With it the right piece was first for 82 instead of 78 % of 78 questions to declared libraries, from 0.6 to 0.8 alike
(2026-11-30). The same for READMEs, or for what is passed on from other packages, changed nothing."""

_RELEASE_NOTES_PART = re.compile(
    r"(?:\d+[-_.])?(?:change[-_ ]?logs?|changes|deprecations?|removals?|"
    r"release[-_ ]?notes?|releases?|what'?s[-_ ]?new|upgrad(?:e|es|ing)|migrating|"
    r"migration[-_ ]?guides?|(?:migrating|migration|upgrading|upgrade|release|releases|changelog|changes|whatsnew)[-_ .]v?\d.*|"
    r"(?:migrating|migration|upgrade|upgrading)[-_ ](?:guide|from|to|of)\b.*|v?\d+[-_ ](?:migration|upgrade)(?:[-_ ]guide)?)",
    re.IGNORECASE,
)
_PROJECT = re.compile(
    r"contribut(?:ing|ors?|e)(?:[-_].*)?|copyright|licen[cs]es?|authors?|credits|sponsors?|backers|historical[-_]notes"
    r"|announce(?:ments?)?|talks|governance|code[-_]of[-_]conduct|acknowledge?ments?|roadmap|maintain(?:ers?|ing)|releasing"
    r"|third[-_]?party[-_]?(?:notices?|licen[cs]es?)|notices?",
    re.IGNORECASE,
)
_INTERNAL = re.compile(r"(?:^|/)(?:_lib|_?internals?|private|_utils?|deprecated|docs?/development|hacking)/")
_RELEASES = re.compile(r"(?:version|release|revision|change) history|change-?logs?|release notes", re.IGNORECASE)
"""What a whole page is called; one that is only called "History" may be about that of a browser."""
_HISTORY = re.compile(r"(?:version )?history|change-?logs?|release notes", re.IGNORECASE)

ABOUT_PROJECT = 0.5
"""Factor on the score of pages on those who make the library: how to contribute, who did, its licence. They hold many everyday
words. With it the right page was first for 64.5 instead of 64.0 % of 214 questions, from 0.4 to 0.7 alike (2026-11-30)."""
INTERNAL = 0.8
"""Factor on the score of what lies in a folder of the library's own parts, or in one for those who develop it."""


@lru_cache(maxsize=4096)
def is_release_notes(path: str) -> bool:
    """Whether a page is release notes, a changelog or an upgrade guide, by its path."""
    return any(_RELEASE_NOTES_PART.fullmatch(part.partition(".")[0]) for part in path.split("/"))


@lru_cache(maxsize=4096)
def _project_factor(path: str) -> float:
    factor = ABOUT_PROJECT if any(_PROJECT.fullmatch(part.partition(".")[0]) for part in path.split("/")) else 1.0
    return factor * INTERNAL if _INTERNAL.search(path) else factor


def is_declared(path: str) -> bool:
    """Whether a page is made from the declarations and docstrings of a source file; example programs are not."""
    return path.endswith(SOURCE_FILES) and not path.startswith(EXAMPLE_FOLDERS)


@lru_cache(maxsize=16_384)
def kind_factor(path: str, title: str, heading: str, about_versions: bool) -> float:
    """What a chunk's score is multiplied by for the kind of its page; `heading` is its heading path, joined with " > ".

    Nothing is named in the calls: looking for what was remembered takes eight times as long with names.
    """
    factor = _project_factor(path)
    if not about_versions and (
        is_release_notes(path) or _HISTORY.fullmatch(heading.rpartition(" > ")[2]) or _RELEASES.fullmatch(title)
    ):
        factor *= RELEASE_NOTES
    if path.startswith(EXAMPLE_FOLDERS):
        return factor * EXAMPLE
    return factor * SOURCE if path.endswith(SOURCE_FILES) else factor


class Titles:
    """The words of titles and headings as the full-text index has them. Kept with an open docset, whose titles never change."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._tokenizer = connection.fts5_tokenizer("porter", ["unicode61"])
        self._known: dict[str, tuple[str, ...]] = {}
        self._joined: dict[str, tuple[str, ...]] = {}
        self._words: dict[str, tuple[str, ...]] = {}

    def stems(self, text: str) -> tuple[str, ...]:
        """The stems of every word."""
        data = text.encode("utf-8", "replace")
        found = self._tokenizer(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
        return tuple(str(stem) for stem in found)

    def of(self, title: str) -> tuple[str, ...]:
        """The stems of a title without its stop words."""
        known = self._known.get(title)
        if known is None:
            words = (word for word in title.split() if word.lower() not in STOP_WORDS)
            known = self._known[title] = self.stems(" ".join(words))
        return known

    def joined(self, title: str) -> tuple[str, ...]:
        """The stems of what the neighbouring words of a title would be as one: "autogener" of "Auto Generating Migrations"."""
        known = self._joined.get(title)
        if known is None:
            words = title.split()
            known = self._joined[title] = self.stems(" ".join(map("".join, pairwise(words))))
        return known

    def kept(self, words: str) -> tuple[str, ...]:
        """The stems of every word, remembered."""
        known = self._words.get(words)
        if known is None:
            known = self._words[words] = self.stems(words)
        return known
