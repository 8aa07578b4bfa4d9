"""Lists, tables and the sentences that announce something: whole, or cut where the reader can see it."""

from __future__ import annotations

import pytest

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.sentences import introduces
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise

LIBRARY = AnsweredLibrary("Acme", "/acme/acme", "3.1.0", "newest with docs")


def answer(question: str, content: str, budget: int = 1_500) -> str:
    passage = Passage(
        "Guide > Part", content, "pkg:npm/acme@3.1.0#docs/guide.md", "/acme/acme", path="docs/guide.md", confidence=1.0
    )
    return summarise(question, [ConceptEvidence(question, (passage,))], budget=budget, library=LIBRARY).text


def table(rows: int, words: str = "plain words about something else entirely") -> str:
    lines = "\n".join(f"| `key{number}` | {words} {number} |" for number in range(rows))
    head = "The flags of the retry command:\n\n| Flag | Meaning |\n|---|---|"
    return f"{head}\n{lines}\n| `nap` | Seconds to wait between retries. |\n"


def test_a_short_table_is_shown_whole_when_one_row_is_wanted() -> None:
    text = answer("How many seconds to wait between retries?", table(3))
    assert all(f"`key{number}`" in text for number in range(3))
    assert "more row" not in text
    assert "The flags of the retry command:" in text


def test_of_a_long_table_the_rows_that_match_are_shown_and_the_gap_is_marked() -> None:
    text = answer("How many seconds to wait between retries?", table(60))
    assert "| `nap` | Seconds to wait between retries. |\n\n… 60 more rows in the docs." in text
    assert "`key7`" not in text


def test_a_short_list_is_shown_whole_below_the_sentence_that_announces_it() -> None:
    content = (
        "Retries can wait in these ways:\n\n- `fixed`: the same time.\n- `linear`: a little more.\n- `doubling`: twice as long.\n"
    )
    text = answer("Which way of retries waits twice as long?", content)
    assert (
        "Retries can wait in these ways:\n\n- `fixed`: the same time.\n- `linear`: a little more.\n- `doubling`: twice as long."
        in text
    )


def test_of_a_long_list_the_items_that_match_are_shown_and_the_gap_is_marked() -> None:
    items = "\n".join(f"- `other{number}`: plain words about something else entirely, number {number}." for number in range(40))
    text = answer(
        "Which option makes retries wait twice as long?", f"Options:\n\n{items}\n- `doubling`: retries wait twice as long.\n"
    )
    assert "- `doubling`: retries wait twice as long.\n\n… 40 more items in the docs." in text


def test_numbered_steps_keep_the_code_that_they_announce() -> None:
    content = (
        "1. Create the retry file:\n\n   ```js\n   one()\n   ```\n\n2. Add a retry to it:\n\n   ```js\n   two()\n   ```\n\n"
        "3. Register the retry file:\n\n   ```js\n   three()\n   ```\n\n4. Run the retry file:\n\n   ```js\n   four()\n   ```\n"
    )
    text = answer("How do I create a retry file?", content)
    for step, code in [("1. Create", "one()"), ("2. Add", "two()"), ("3. Register", "three()"), ("4. Run", "four()")]:
        assert text.index(step) < text.index(code)


def test_steps_that_do_not_fit_are_cut_at_their_end_with_a_mark() -> None:
    steps = "".join(
        f"{number}. Prepare the retry file, part {number}:\n\n   ```js\n   {'call(retry) + ' * 30}{number}\n   ```\n\n"
        for number in range(1, 9)
    )
    text = answer("How do I prepare a retry file?", steps, budget=900)
    assert "1. Prepare" in text
    assert "8. Prepare" not in text
    assert "more steps in the docs." in text
    shown = [line for line in text.split("\n") if line.endswith(":") and line[0].isdigit()]
    assert text.count("```js") == len(shown)


def test_a_second_list_does_not_go_on_in_the_first_one() -> None:
    content = (
        "To retry by hand:\n\n1. Stop the retry worker.\n2. Start the retry worker.\n\n"
        "Some other prose stands here about colours.\n\n1. Paint the fence in green.\n2. Paint the gate in blue.\n"
    )
    text = answer("How do I retry by hand with the retry worker?", content)
    assert "1. Stop the retry worker.\n2. Start the retry worker." in text
    assert "Paint" not in text


def test_numbers_count_on_behind_code_that_is_not_indented() -> None:
    content = "1. Create a retry file.\n\n```js\none()\n```\n\n2. Start the retry worker.\n"
    text = answer("How do I create a retry file?", content)
    assert text.index("1. Create") < text.index("2. Start")


@pytest.mark.parametrize("opening", ["Retry the request like this:", "A retry of the request looks as follows.", "For example,"])
def test_what_announces_code_is_not_shown_without_it(opening: str) -> None:
    code = "\n".join(f"step_{number}(value_{number}, option={number})" for number in range(300))
    text = answer("How do I retry a request?", f"Call `again` to retry a request. {opening}\n\n```py\n{code}\n```\n", budget=500)
    assert "Call `again` to retry a request." in text
    assert opening not in text


def test_what_leans_on_a_sentence_that_is_left_out_goes_with_it() -> None:
    code = "\n".join(f"step_{number}(value_{number}, option={number})" for number in range(300))
    content = (
        f"A retry can be made by hand:\n\n```py\n{code}\n```\n\nThis makes a retry by hand once more. Use `again` for a retry.\n"
    )
    text = answer("How do I make a retry?", content, budget=500)
    assert "by hand:" not in text
    assert "Use `again` for a retry." in text


@pytest.mark.parametrize(
    ("sentence", "announces"),
    [
        ("Deploy it with the functions runner:", True),
        ("The output looks like this.", True),
        ("It accepts the following arguments.", True),
        ("See the table below.", True),
        ("**ini**", True),
        ("Retries wait for one second.", False),
        ("For example, a retry waits.", False),
    ],
)
def test_a_sentence_that_announces_something_is_known(sentence: str, announces: bool) -> None:
    assert introduces(sentence) is announces


def test_the_label_of_a_tab_is_not_shown_without_its_code() -> None:
    code = "\n".join(f"retry_{number} = {number}" for number in range(300))
    content = (
        f"The `retry` option sets how often to retry.\n\n**toml**\n\n```toml\nretry = 3\n```\n\n**ini**\n\n```ini\n{code}\n```\n"
    )
    text = answer("Which option sets how often to retry?", content, budget=500)
    assert "**toml**\n\n```toml" in text
    assert "**ini**" not in text
