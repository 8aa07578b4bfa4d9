"""Names of code that a question joins: "useState and useEffect", "debounce() vs throttle()", "useMemo, useCallback and memo"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.docsets.searching.hits import RankedChunk
from docs_researcher.docsets.searching.identifiers import asked_identifiers, is_called
from docs_researcher.docsets.searching.terms import STOP_WORDS, query_terms

_NAME = r"[A-Za-z_$][\w$.]*(?:\(\))?"
_JOINT = r"\s*(?:,\s*(?:and\s|or\s)?|&|/|\band\b|\bor\b|\bvs\.?|\bversus\b)\s*"
_RUN = re.compile(rf"(?<![\w./])`?{_NAME}`?(?:{_JOINT}`?{_NAME}`?)+")
_JOINTS = re.compile(_JOINT)
_COMPARING = frozenset("difference differences differ compare compared together combine combined".split())
MOST = 4
"""Names of one run that are looked for; a longer list is a paste."""


def joined_names(question: str) -> tuple[str, ...]:
    """The names that a question joins, as written, where it asks for nothing else and two and more are plainly names of code.

    A plain word counts beside two that are ("useMemo, useCallback and memo").
    """
    run = next((found for found in _RUN.finditer(question) if len(_JOINTS.split(found[0])) > 1), None)
    if run is None:
        return ()
    rest = f"{question[: run.start()]} {question[run.end() :]}"
    if any(term.text not in STOP_WORDS and term.text not in _COMPARING for term in query_terms(rest)):
        return ()
    parts = _JOINTS.split(run[0])
    names = tuple(dict.fromkeys(part.strip("`").removesuffix("()") for part in parts))
    code = sum(bool(asked_identifiers(f"{part} .")) for part in parts)
    return names if code > 1 and 1 < len(names) <= MOST else ()


def each_first(ranked: list[RankedChunk], names: Sequence[str]) -> list[RankedChunk]:
    """The same chunks, the best that is headed by each of the names before all others, in their order.

    Unchanged where fewer than two of the names head a chunk: then the docs tell of one only, or call them otherwise.
    """
    first: list[RankedChunk] = []
    for name in names:
        wanted = frozenset({name.lower(), name.lower().rpartition(".")[2]})
        found = next((chunk for chunk in ranked if is_called(chunk.heading, wanted)), None)
        if found is not None and found not in first:
            first.append(found)
    if len(first) < 2:
        return ranked
    first = [chunk for chunk in ranked if chunk in first]
    return [*first, *(chunk for chunk in ranked if chunk not in first)]
