"""Verbs of a question: generic ones say little, and one that is a stop word may be the name of a function."""

from __future__ import annotations

import re

from docs_researcher.docsets.searching.identifiers import is_called, possible_names
from docs_researcher.docsets.searching.index import Index, word_frequency
from docs_researcher.docsets.searching.terms import STOP_WORDS, Term
from docs_researcher.docsets.sql import rows

GENERIC_VERBS = frozenset("add build change create define give handle implement perform provide run set start write".split())
GENERIC_IN_TEXT = 0.7
"""What such a verb counts beside the things that it is done to: "create a server" is answered where a server is, however it comes
to be. Without it the right section was first for 71.8 instead of 73.2 % of 149 short questions (2026-11-30)."""
GENERIC_IN_HEADINGS = 0.2
"""The same in titles and headings: "Simple server" has all that is asked for."""
MOST_WORDS = 3
"""A longer question has its verb among other words, and then it is one."""
MOST_HEADINGS = 200

_WORD = re.compile(r"[a-z0-9]+")


def named_verb(index: Index, question: str) -> Term | None:
    """The stop word at the end of a short question where it is the name of a function: "queryset get", "axios get".

    Either a heading is that name, or the library writes it behind the word before it: `axios.get`.
    """
    words = _WORD.findall(question.lower())
    if not 2 <= len(words) <= MOST_WORDS or words[-1] not in possible_names(question) or words[-2] in STOP_WORDS:
        return None
    verb = words[-1]
    select = f"SELECT section_title FROM chunks_fts WHERE chunks_fts MATCH ? LIMIT {MOST_HEADINGS}"  # noqa: S608 - a number
    headings = (str(row[0]) for row in rows(index.connection, select, (f'section_title : "{verb}"',)))
    if any(is_called(heading.partition("(")[0], frozenset({verb})) for heading in headings):
        return Term(verb, (verb,))
    written = f"{words[-2]} {verb}"
    return Term(written.replace(" ", "."), (written,)) if word_frequency(index, written) else None
