"""What moves a chunk up or down beside its full-text score: its page's title, its heading, and whether it is release notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import apsw

from docs_researcher.docsets.searching.terms import STOP_WORDS, Term

RELEASE_NOTES = 0.6
"""Factor on the score of release notes, changelogs and upgrade guides unless the question is about versions."""
SOURCE = 0.6
"""Factor on the score of pages made from source (docstrings, declarations): beside a guide they fill its gaps and must not
crowd it out, and where there is no guide all pages have it. Without it 14 instead of 16 of 24 known answers were whole
(2026-11-29)."""
SOURCE_FILES = (".py", ".pyi", ".ts", ".mts", ".cts")
EXAMPLE_FOLDERS = ("example/", "examples/", "demo/", "demos/", "samples/")
"""Whose programs are read where there is no guide: they show how a thing is done, as a guide does."""
TITLE = 0.4
HEADING = 0.15
LEAD = 0.4
"""What a title or heading that holds nothing but words of the question adds, as a share of the score; one with half as many
of them adds half. The text before the first heading gets LEAD by the page's title, since it says what the page is about.
Full-text ranking measures a chunk as one text, so to it a page called "Caching" is like one that mentions caching in a long
title. With these the right page stood first for 85 % instead of 77 % of 78 questions (2026-11-29)."""
OTHER = 0.6
"""What a word of a title counts that the question does not hold but describes; a word of the question counts 1."""

_ABOUT_VERSIONS = re.compile(
    r"\b(?:versions?|upgrad\w*|migrat\w*|breaking|deprecat\w*|change-?logs?|release[sd]?|removed|renamed|"
    r"what'?s new|new in|changed (?:in|since)|changes (?:in|since|between)|from (?:version )?v?\d+\S* to)\b",
    re.IGNORECASE,
)
_RELEASE_NOTES_PART = re.compile(
    r"(?:\d+[-_.])?(?:change[-_ ]?logs?|changes|release[-_ ]?notes?|releases?|what'?s[-_ ]?new|upgrad(?:e|es|ing)|migrating|"
    r"migration[-_ ]?guides?|(?:migrating|migration|upgrading|upgrade|release|releases|changelog|changes|whatsnew)[-_ .]v?\d.*|"
    r"(?:migrating|migration|upgrade|upgrading)[-_ ](?:guide|from|to|of)\b.*|v?\d+[-_ ](?:migration|upgrade)(?:[-_ ]guide)?)",
    re.IGNORECASE,
)

_HISTORY = re.compile(r"(?:version )?history|change-?logs?|release notes", re.IGNORECASE)


def is_about_versions(question: str) -> bool:
    """Whether a question asks about versions, upgrades or what changed."""
    return _ABOUT_VERSIONS.search(question) is not None


@lru_cache(maxsize=4096)
def is_release_notes(path: str) -> bool:
    """Whether a page is release notes, a changelog or an upgrade guide, by its path."""
    return any(_RELEASE_NOTES_PART.fullmatch(part.partition(".")[0]) for part in path.split("/"))


class Titles:
    """The words of titles and headings as the full-text index has them. Kept with an open docset, whose titles never change."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._tokenizer = connection.fts5_tokenizer("porter", ["unicode61"])
        self._known: dict[str, tuple[str, ...]] = {}

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


class Nudges:
    """The factor on the score of each chunk, for one question: its terms, and `other` terms for what it describes."""

    def __init__(
        self, titles: Titles, terms: Sequence[Term], other: Iterable[str], names: Sequence[str], *, about_versions: bool
    ) -> None:
        self._titles = titles
        self._about_versions = about_versions
        self._wanted = dict.fromkeys((stem for word in other for stem in titles.stems(word)), OTHER)
        asked = {stem for term in terms for word in term.same for stem in titles.stems(word)}
        self._wanted.update(dict.fromkeys(asked, 1.0))
        self._unimportant = {stem for name in names for stem in titles.of(name)} - asked
        self._shares: dict[str, float] = {}

    def factor(self, path: str, title: str, heading: str) -> float:
        """What to multiply the score of a chunk by. `heading` is its heading path, joined with " > "."""
        of_title = self._share(title)
        last = heading.rpartition(" > ")[2]
        factor = 1 + TITLE * of_title + (HEADING * self._share(last) if last else LEAD * of_title)
        if not self._about_versions and (is_release_notes(path) or _HISTORY.fullmatch(last)):
            factor *= RELEASE_NOTES
        is_declared = path.endswith(SOURCE_FILES) and not path.startswith(EXAMPLE_FOLDERS)
        return factor * SOURCE if is_declared else factor

    def _share(self, title: str) -> float:
        """The share of the words in a title that the question asks for; stop words and the library's name do not count."""
        known = self._shares.get(title)
        if known is None:
            # One plain loop: this runs for eighty titles a query, and took a tenth of its time as two comprehensions.
            asked, count = 0.0, 0
            for stem in self._titles.of(title):
                if stem not in self._unimportant:
                    count += 1
                    asked += self._wanted.get(stem, 0.0)
            known = self._shares[title] = asked / count if count else 0.0
        return known
