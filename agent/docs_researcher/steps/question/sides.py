"""The libraries that a question asks about one by one: those that it compares, or asks different things of."""

from __future__ import annotations

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.question.asked_apart import asked_apart
from docs_researcher.steps.question.compared_libraries import Side, compared_libraries
from docs_researcher.steps.question.identify import Identification


def sides_of(understood: Identification, catalogue: Catalogue) -> tuple[Side, ...]:
    """Each of the libraries with its own question, in the order of the question; empty where that is asked as one.

    A library that is fixed beside the question is for the caller to respect.
    """
    if understood.docs_id:
        return ()
    return compared_libraries(understood.query, understood, catalogue) or asked_apart(understood.query, understood)
