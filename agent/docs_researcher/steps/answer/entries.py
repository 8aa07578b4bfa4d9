"""The entries of a long reference section, such as the parameters of a function: those that a question is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docs_researcher.steps.answer.material import CodeBlock
from docs_researcher.steps.answer.units import Cluster
from docs_researcher.steps.queries.question_terms import QuestionTerms, stems_of

FEWEST = 5
"""With fewer entries a section is read as a whole."""
MATCHING = 0.75
"""The share of what the best one holds of the question that another one needs."""
_ENTRY = re.compile(r"\**`(?P<name>[\w.$-]+)`\**(?: \([^)]*\))?: ")


def about_the_question(clusters: Sequence[Cluster], terms: QuestionTerms) -> frozenset[int]:
    """The places of the clusters to quote: all of them, unless they are many entries of which some match better.

    An entry begins with its name and goes on to the next one. What stands before the first one belongs to all. A name that holds
    a word of the question says more than a description that does.
    """
    entries = list(_entries(clusters))
    if len(entries) < FEWEST:
        return frozenset(range(len(clusters)))
    shares = [terms.share(stems_of(name)) for name, _ in entries]
    if not any(shares):
        shares = [terms.share(stems_of("\n".join(clusters[place].text for place in places))) for _, places in entries]
    best = max(shares)
    others = {place for (_, places), share in zip(entries, shares, strict=True) if share < MATCHING * best for place in places}
    return frozenset(range(len(clusters))) - others


def _entries(clusters: Sequence[Cluster]) -> Iterator[tuple[str, list[int]]]:
    name, places = "", list[int]()
    for place, cluster in enumerate(clusters):
        first = cluster.pieces[0] if cluster.pieces else None
        match = None if first is None or isinstance(first, CodeBlock) else _ENTRY.match(first.text)
        if match is not None:
            if name:
                yield name, places
            name, places = match["name"], []
        places.append(place)
    if name:
        yield name, places
