"""The words to search with: those of the question, in the forms in which documentation is titled."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docs_researcher.steps.queries.developer_words import RELATION, SPELLED_OUT
from docs_researcher.steps.words import STOP_WORDS

_SET_UP = re.compile(r"\bset(?:ting)?[ -]?up\b|\bintegrat(?:e|ing)\b|\bget(?:ting)? started with\b", re.IGNORECASE)
_GUIDE_WORD = "implement"
"""Guides are titled "How to implement X" where people ask how to set X up."""
_LOOSE_END = re.compile(r"\b(?:in|with|for|of|using|from|by|on|to)\s*(?=[?.!,:;]|$)", re.IGNORECASE)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+", re.IGNORECASE)
_MAIL = re.compile(r"\b[\w.+-]+@[a-z][\w-]*(?:\.[a-z][\w-]*)+", re.IGNORECASE)
_NEWS = re.compile(
    r"what(?:['’]?s|\s+is|\s+has|\s+was)?\s+(?:new|changed|changes)(?:\s+(?:in|with|since))?(?:\s+version)?", re.IGNORECASE
)
"""Asks for all that is new in a version."""
_SHORTEST = 2
"""A query of fewer words than this says too little; the question is taken as it is."""


def without_addresses(text: str) -> str:
    """`text` without web and connection addresses and mail addresses: no server needs them to find documentation."""
    return " ".join(_MAIL.sub(" ", _URL.sub(" ", text)).split())


def query_words(concept: str, names: Iterable[str], version: str | None = None) -> str:
    """A search query for one concept of a question.

    `names` are what the question calls the library and `version` what it says of its version: the id says both already, and
    in the library's own documentation the name tells nothing, unless nothing else is said ("how do I frob"). Short forms of
    everyday notions are spelled out.
    """
    words = concept = RELATION.sub(r"\1-to-\2", without_addresses(concept))
    behind = rf"(?:\s*[@v]?\s*{re.escape(version)}(?![\w.]))?" if version else ""
    for name in sorted(names, key=len, reverse=True):
        words = re.sub(rf"(?<![\w/@.-]){re.escape(name)}{behind}(?![\w/-])(?:'s)?", " ", words)
    words = re.sub(r"\s+(?=[?.!,;:])", "", " ".join(_LOOSE_END.sub(" ", words).split())).lstrip("?.!,:; ")
    if version and _NEWS.fullmatch(words.strip(" ?.!")):
        return f"what's new in {version} release notes"
    found = re.findall(r"\w{2,}", words.lower())
    if len(found) < _SHORTEST or (words.isascii() and STOP_WORDS.issuperset(found)):
        words = concept
    spelled = re.sub(
        r"(?<![\w./@`-])[a-z][a-z0-9]+(?![\w./(`-])", lambda match: SPELLED_OUT.get(match.group(), match.group()), words
    )
    return f"{_GUIDE_WORD} {spelled}" if _SET_UP.search(spelled) else spelled
