"""Instructions that people write into a question: "use context7", "use /vercel/next.js for routing", "use library /id"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from docs_researcher.core.library_id import LibraryId, find_ids
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.words import word_set

_ID = r"(?P<id>/[^\s/@][^\s/]*/\S+)"
_TOOL = r"(?:context7|context 7|docs-researcher|docs-research|the\s+docs)"
_USE = r"(?:please\s+)?(?:use|using|via|check|consult|ask|look\s+(?:it\s+)?up\s+(?:in|with))"
_WITH_ID = re.compile(
    rf"(?:[-–—,;:]\s*)?\b{_USE}\s+(?:{_TOOL}\s+)?"
    rf"(?:(?:with|and|for|library(?:\s+id)?|docs(?:\s+(?:of|from))?|id)\s+)*[`'\"(<\[]*{_ID}",
    re.IGNORECASE,
)
_WITHOUT_ID = re.compile(
    rf"(?:[-–—,;:(]\s*)?\b{_USE}\s+{_TOOL}\b(?:\s+mcp)?(?:\s+for\s+(?:this|that))?\)?\s*[.!]?", re.IGNORECASE
)
_JOINT = re.compile(
    r"^\s*(?:[-–—,;:.)\]`'\">]+\s*|(?:for|to|on|about|and)\s+(?:find(?:\s+out)?\s+|answer\s*:?\s*)?)+", re.IGNORECASE
)
_SAYS_ID = re.compile(r"context\s?7|docs-research|library|\bid\b", re.IGNORECASE)
_TRAILING = ".,;:!?)]}\"'`>"
_FILE_PATHS = word_set(
    "etc usr var tmp home opt bin root dev proc sys src app api lib mnt srv pages public static assets users user docs v1 "
    "v2 v3 auth login admin"
)
"""First parts of paths: `/etc/hosts` and `/api/users` have the form of an id and are none unless they are given as one."""


@dataclass(frozen=True, slots=True)
class Instructed:
    """What is left of a question, and the id that it gave."""

    query: str
    docs_id: LibraryId | None


def read_instructions(question: str, catalogue: Catalogue) -> Instructed:
    """Take instructions out of a question. An id is kept byte for byte; without one `docs_id` is None."""
    docs_id: LibraryId | None = None
    match = _WITH_ID.search(question)
    if match:
        docs_id = LibraryId.try_parse(match["id"].rstrip(_TRAILING))
        if docs_id and docs_id.owner.lower() in _FILE_PATHS and not _SAYS_ID.search(match[0]):
            docs_id = None
    if match and docs_id:
        rest = question[match.start("id") + len(docs_id.text) :]
        question = _join(question[: match.start()], rest)
    elif "/" in question:
        docs_id, question = _bare_id(question, catalogue)
    question = _WITHOUT_ID.sub(" ", question)
    return Instructed(_tidy(question), docs_id)


def _bare_id(question: str, catalogue: Catalogue) -> tuple[LibraryId | None, str]:
    """An id that stands in the question without an instruction: at its beginning, or known to the catalogue."""
    for text in find_ids(question):
        library_id = LibraryId.parse(text)
        at_start = question.lstrip().startswith(text)
        if catalogue.by_id(library_id.base) is None and not (at_start and library_id.owner.lower() not in _FILE_PATHS):
            continue
        position = question.index(text)
        before = question[:position].rstrip("`'\"([ ")
        return library_id, _join(before, question[position + len(text) :])
    return None, question


def _join(before: str, rest: str) -> str:
    before = before.rstrip()
    rest = _JOINT.sub("", rest) if not before else rest.lstrip("`'\")>]")
    return f"{before} {rest.strip()}"


def _tidy(text: str) -> str:
    return re.sub(r"[ \t]{2,}", " ", text).strip().strip("-–—,;: ").strip()
