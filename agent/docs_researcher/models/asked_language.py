"""The language of a question, and what follows from it where the documentation is in English."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docs_researcher.steps.queries.in_english import LANGUAGES, in_english, language_of


@dataclass(frozen=True, slots=True)
class AskedLanguage:
    """`code` is None for English and for a language that is not known: the question is then taken as it is."""

    code: str | None

    @classmethod
    def of(cls, text: str) -> AskedLanguage:
        """The language that a question is asked in."""
        return cls(language_of(text))

    @property
    def is_foreign(self) -> bool:
        """Whether it has to be put into English."""
        return self.code is not None

    def query(self, text: str) -> str:
        """What to search for: every English word that fits."""
        return in_english(text, self.code, all_terms=True) or text if self.code is not None else text

    def as_read(self, text: str, read: Sequence[str]) -> str:
        """What was asked, in the language of the texts that were read."""
        return in_english(text, self.code) or text if self.code is not None and not self._is_of(read) else text

    def told(self, queries: Iterable[str], read: Sequence[str]) -> tuple[str, ...]:
        """A sentence for the asker: which words English documentation was searched for. None when it is in their language."""
        asked = "; ".join(dict.fromkeys(queries))
        if self.code is None or not asked or self._is_of(read):
            return ()
        return (f"The question is in {LANGUAGES[self.code]}; the documentation was searched for: {asked}.",)

    def _is_of(self, read: Sequence[str]) -> bool:
        """Whether texts are in this language themselves."""
        return language_of(" ".join(read)) == self.code
