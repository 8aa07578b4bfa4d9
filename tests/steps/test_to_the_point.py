"""Which section opens an answer to a few words: the plain case before a special one, and what the search holds of each."""

from __future__ import annotations

import pytest

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")
SPECIAL = """## Line length of parameter comments

Where a line with a parameter comment exceeds the line length, the line is wrapped to the line length again:

```python
wrap(line, length=line_length)
```
"""
PLAIN = """## Line length

The line length is 88, unless an option says otherwise.

```python
format(length=100)
```
"""


def readme(content: str, *sections: tuple[str, float]) -> Passage:
    title = f"Acme > {' / '.join(heading for heading, _ in sections) or 'Style'}"
    source = "pkg:npm/acme@3.1.0#README.md"
    return Passage(title, content, source, "/acme/acme", path="README.md", confidence=0.9, score=2.0, sections=sections)


def opening(question: str, *passages: Passage) -> str:
    """The first source line of the answer."""
    text = summarise(question, [ConceptEvidence(question, passages)], budget=1_500, library=LIBRARY).text
    return next(line for line in text.split("\n") if line.startswith("Source: "))


@pytest.mark.parametrize("content", [SPECIAL + PLAIN, PLAIN + SPECIAL])
def test_the_section_whose_heading_is_all_that_is_asked_for_comes_before_one_on_a_special_case(content: str) -> None:
    assert opening("acme line length", readme(content)) == "Source: Acme > Line length"


def test_who_asks_for_the_special_case_gets_it() -> None:
    assert opening("acme line length parameter comments", readme(PLAIN + SPECIAL)).endswith("of parameter comments")


ALIKE = "## {0}\n\nA store keeps values.\n\n```ts\nstore.keep(value)\n```\n"


@pytest.mark.parametrize(("best", "first"), [("Alpha", 1.0), ("Beta", 0.2)])
def test_of_two_sections_of_one_passage_that_are_alike_the_one_opens_that_the_search_found(best: str, first: float) -> None:
    content = ALIKE.format("Alpha") + "\n" + ALIKE.format("Beta").replace("store.keep", "shop.keep")
    found = readme(content, ("Alpha", first), ("Beta", 1.2 - first))
    assert opening("how do I keep values in acme?", found) == f"Source: Acme > {best}"
