"""What moves a chunk up or down beside its full-text score: its title and heading, the kind of its page, and names of code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from docs_researcher.docsets.searching.basics import is_basic
from docs_researcher.docsets.searching.identifiers import (
    asked_identifiers,
    is_called,
    is_joined,
    joined_words,
    possible_names,
    words_of_names,
)
from docs_researcher.docsets.searching.ranking import Titles, is_declared, kind_factor
from docs_researcher.docsets.searching.terms import Term

TITLE = 0.4
HEADING = 0.15
LEAD = 0.4
"""What a title or heading that holds nothing but words of the question adds, as a share of the score; one with half as many
of them adds half. The text before the first heading gets LEAD by the page's title, since it says what the page is about.
Full-text ranking measures a chunk as one text, so to it a page called "Caching" is like one that mentions caching in a long
title. With these the right page stood first for 85 % instead of 77 % of 78 questions (2026-11-29)."""
NAME = 0.4
"""The same for the heading of declarations, a name such as `QueryClient.invalidateQueries`, whose words are told apart."""
OTHER = 0.6
"""What a word of a title counts that the question does not hold but describes; a word of the question counts 1."""
POSSIBLE_NAME = 0.5
"""What a stop word counts in the heading of declarations."""
HELD = 0.3
"""What a heading adds that holds all terms of a question, by their rarity, however many words it has besides. With it the right
page was first for 64.5 instead of 63.6 % of 214 questions; with twice as much for as many as without (2026-11-30)."""
CALLED = 1.5
"""Factor for a chunk that is headed by an identifier of the question, whole: `useEffect` is not meant by `useLayoutEffect`, nor
`useQueries` by `useQuery`, which has the same stem. With 2 or 1.25 the same pages came first (2026-11-30)."""

JOINED = 1.5
"""The same for a name of several words that stand together in the question: "left join" is `SelectQueryBuilder.leftJoin`."""
EXACT = 0.4
"""What a heading adds that holds all of the question's words and no others; it shrinks with each that it lacks or has besides.
With it the right piece was first for 70.8 instead of 69.7 % of 89 questions to declared libraries (2026-11-30)."""
BASIC = 1.2
"""Factor for a section on the basics where a question has at most FEW terms: who wants a special case says which. With it the
right section was first for 73.2 instead of 72.5 % of 149 short questions, from 1.1 to 1.4 alike (2026-11-30)."""
FEW = 3


class Nudges:
    """The factor on the score of each chunk, for one question."""

    def __init__(
        self,
        titles: Titles,
        question: str,
        rarities: Mapping[Term, float],
        other: Iterable[str],
        names: Sequence[str],
        *,
        about_versions: bool,
    ) -> None:
        """Weigh for a question without the library's names: its terms with the rarity of each, and other terms for them."""
        self._titles = titles
        self._about_versions = about_versions
        self._identifiers = asked_identifiers(question)
        self._joined = joined_words(question)
        self.of_code = bool(asked_identifiers(f"{question} ."))
        """Whether a name of code is asked for, by the way it is written."""
        self._few = len(rarities) <= FEW
        stems = {term: frozenset(stem for word in term.same for stem in titles.stems(word)) for term in rarities}
        asked = frozenset[str]().union(*stems.values())
        self._wanted = dict.fromkeys((stem for word in other for stem in titles.stems(word)), OTHER)
        self._wanted.update(dict.fromkeys(asked, 1.0))
        self._in_names = {
            **dict.fromkeys(possible_names(question), POSSIBLE_NAME),
            **dict.fromkeys((stem for term in rarities for part in term.parts for stem in titles.stems(part)), 1.0),
            **self._wanted,
        }
        total = sum(rarities.values())
        self._shares_of_terms = [(rarities[term] / total, found) for term, found in stems.items()] if total else []
        self._unimportant = {stem for name in names for stem in titles.of(name)} - asked
        self._titled: dict[str, float] = {}
        self._headed: dict[tuple[str, bool], tuple[float, float]] = {}

    def factor(self, path: str, title: str, heading: str) -> float:
        """What to multiply the score of a chunk by. `heading` is its heading path, joined with " > "."""
        of_title = self.of_title(title)
        declared = is_declared(path)
        last = heading.rpartition(" > ")[2]
        words, terms = self._of_heading(last, declared) if last else (of_title, 0.0)
        of_words = LEAD if not last else NAME if declared else HEADING
        factor = 1 + TITLE * of_title + of_words * words + HELD * terms + EXACT * words * terms
        if self._few and is_basic(last):
            factor *= BASIC
        if self._identifiers and is_called(last, self._identifiers):
            factor *= CALLED
        elif declared and is_joined(last, self._joined):
            factor *= JOINED
        return factor * self.of_page(path, title, heading)

    def of_page(self, path: str, title: str, heading: str) -> float:
        """The part of it that is for the kind of page."""
        return kind_factor(path, title, heading, self._about_versions)

    def of_title(self, title: str) -> float:
        """The share of the words in a title that the question asks for; stop words and the library's name do not count."""
        known = self._titled.get(title)
        if known is None:
            known = self._share(self._titles.of(title), self._wanted)
            if known < 1 and not self._wanted.keys().isdisjoint(self._titles.joined(title)):
                known = max(known, self._share_joined(title))
            self._titled[title] = known
        return known

    def _share_joined(self, title: str) -> float:
        """The share of a title some of whose words the question writes as one: "timezone" and "Time zones"."""
        words = title.split()
        stems, joined = list(self._titles.kept(title)), self._titles.joined(title)
        if len(stems) != len(words) or len(joined) != len(words) - 1:
            return 0.0
        for place, stem in enumerate(joined):
            if stem in self._wanted:
                stems[place] = stems[place + 1] = stem
        return self._share(stems, self._wanted)

    def of_heading(self, path: str, heading: str) -> float:
        """The same for the last of a heading path; 0 without one."""
        last = heading.rpartition(" > ")[2]
        return self._of_heading(last, is_declared(path))[0] if last else 0.0

    def _of_heading(self, last: str, declared: bool) -> tuple[float, float]:
        """How much of a heading is asked for, and how much of what is asked for it holds."""
        known = self._headed.get((last, declared))
        if known is None:
            if declared:
                named = [self._titles.kept(words) for words in words_of_names(last)]
                found = frozenset[str]().union(*named)
                share = max([self._share(stems, self._in_names) for stems in named])
            else:
                stems = self._titles.of(last)
                found = frozenset(stems)
                share = self._share(stems, self._wanted)
                if " / " in last:  # small neighbours that share a chunk are headings of their own
                    share = max([self._share(self._titles.of(part), self._wanted) for part in last.split(" / ")])
            held = sum([weight for weight, stems in self._shares_of_terms if not found.isdisjoint(stems)])
            known = self._headed[last, declared] = share, held
        return known

    def _share(self, stems: Iterable[str], wanted: Mapping[str, float]) -> float:
        # One plain loop: this runs for eighty titles a query, and took a tenth of its time as two comprehensions.
        asked, count = 0.0, 0
        for stem in stems:
            if stem not in self._unimportant:
                count += 1
                asked += wanted.get(stem, 0.0)
        return asked / count if count else 0.0
