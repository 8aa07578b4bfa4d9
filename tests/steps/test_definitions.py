"""An answer to "what is X" opens with the sentence that says it."""

from __future__ import annotations

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")
HINT = "Job queue for Acme users"


def passage(content: str, title: str, path: str, score: float = 1.0) -> Passage:
    return Passage(
        title, content, f"pkg:npm/acme@3.1.0#{path}", "/acme/acme", path=path, version="3.1.0", confidence=0.4, score=score
    )


def answer(question: str, *passages: Passage) -> list[str]:
    """The paragraphs of an answer, without the line that names the library."""
    text = summarise(question, [ConceptEvidence(question, passages)], budget=1_500, library=LIBRARY, description=HINT).text
    return text.split("\n\n")[1:]


README = passage(
    "Build passing on Linux\n\nSee the news.\n\nAcme is a queue for jobs that keeps them on disk.\n\n"
    "Chat with us on the server\n\nAcme retries what fails:\n\n```js\nqueue.add(job)\n```\n",
    "Acme",
    "README.md",
)
PLUGINS = passage("Every acme plugin is an acme for acme. Acme acme acme acme.\n", "Plugins", "docs/plugins.md", 1.4)


def test_the_sentence_that_defines_a_library_opens_the_answer_and_badges_are_left_out() -> None:
    said = answer("What is Acme?", README, PLUGINS)
    opening = next(part for part in said if "queue for jobs" in part)
    assert said.index(opening) <= 1  # the note that only a README was read may stand before it
    assert not any("Build passing" in part or "Chat with us" in part for part in said)
    assert any("queue.add(job)" in part for part in said)
    assert not any(HINT in part for part in said)


def test_where_no_page_defines_a_library_its_package_does_and_the_introduction_follows() -> None:
    opening = passage("A queue for jobs, written from scratch.\n", "Acme", "docs/index.md")
    assert answer("what is acme", opening)[:2] == [f"Acme: {HINT}.", "A queue for jobs, written from scratch."]


def test_what_the_package_says_is_not_added_to_an_answer_about_something_else() -> None:
    assert HINT not in "\n".join(answer("How do I add a job to the queue in Acme?", README))


def test_the_definition_of_a_term_opens_the_answer_though_another_page_repeats_the_term() -> None:
    term = passage(
        "Before one begins, read this.\n\nA shelf is a group of jobs that share a worker.\n", "Concepts > Shelves", "docs/c.md"
    )
    often = passage("Call `shelf.add` for each shelf of shelves. The shelf knows its shelf.\n", "Shelf > `add`", "docs/a.md", 1.4)
    assert answer("What is a shelf in Acme?", often, term)[0].startswith("A shelf is a group of jobs")


def test_a_library_is_defined_by_its_name_without_the_kind_behind_it_too() -> None:
    library = AnsweredLibrary("Acme ORM", "/acme/acme-orm", "3.1.0", "newest with docs")
    found = passage("Acme is a mapper that keeps rows in memory.\n", "Acme ORM", "docs/index.md")
    question = "What is Acme ORM?"
    text = summarise(question, [ConceptEvidence(question, (found,))], budget=500, library=library, description=HINT).text
    assert text.split("\n\n")[1].startswith("Acme is a mapper")
    assert HINT not in text


def test_a_call_for_help_below_its_own_heading_defines_nothing() -> None:
    readme = passage(
        "Acme keeps your jobs on disk and retries what fails.\n\n## Contribute\n\nAcme is a project in need of contributors.\n",
        "Acme",
        "README.md",
    )
    said = [part for part in answer("What is Acme?", readme) if "Acme" in part]
    assert any("keeps your jobs" in part for part in said)
    assert not any("need of contributors" in part for part in said)


def test_text_above_the_first_of_several_headings_is_not_under_it() -> None:
    readme = passage(
        "Acme is a queue for jobs.\n\n## Support Acme\n\nBuy a mug.\n\n## Usage\n\nCall `acme.add` with a job.\n",
        "Acme > Support Acme / Usage",
        "README.md",
    )
    said = answer("What is Acme?", readme)
    opening = next(number for number, part in enumerate(said) if "queue for jobs" in part)
    assert said[opening + 1] == "Source: Acme"
    assert not any("mug" in part for part in said)
