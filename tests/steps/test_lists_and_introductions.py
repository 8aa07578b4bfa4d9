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


def test_the_code_of_the_last_item_that_is_shown_stands_before_the_mark_of_the_gap() -> None:
    items = "\n".join(f"- `other{number}`: plain words about something else entirely, number {number}." for number in range(40))
    doubling = "- `doubling`: retries wait twice as long:\n\n  ```js\n  retry({ doubling: true })\n  ```\n"
    text = answer("Which option makes retries wait twice as long?", f"Options:\n\n{doubling}{items}\n")
    assert -1 < text.find("retry({ doubling: true })") < text.find("more items in the docs.")


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
    assert "1. Stop the retry worker.\n2. Start the retry worker.\n\n" in text
    assert "1. Paint the fence in green.\n2. Paint the gate in blue." in text


def test_numbers_count_on_behind_code_that_is_not_indented() -> None:
    content = "1. Create a retry file.\n\n```js\none()\n```\n\n2. Start the retry worker.\n"
    text = answer("How do I create a retry file?", content)
    assert text.index("1. Create") < text.index("2. Start")


@pytest.mark.parametrize("opening", ["Retry the request like this:", "A retry of the request looks as follows.", "For example,"])
def test_what_announces_code_is_not_shown_without_it(opening: str) -> None:
    code = f"again({', '.join(f'option_{number}={number}' for number in range(300))})"  # one line cannot be abridged
    text = answer("How do I retry a request?", f"Call `again` to retry a request. {opening}\n\n```py\n{code}\n```\n", budget=500)
    assert "Call `again` to retry a request." in text
    assert opening not in text


def test_what_leans_on_a_sentence_that_is_left_out_goes_with_it() -> None:
    code = f"again({', '.join(f'option_{number}={number}' for number in range(300))})"  # one line cannot be abridged
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
    code = f"retry = {', '.join(str(number) for number in range(600))}"  # one line cannot be abridged
    content = (
        f"The `retry` option sets how often to retry.\n\n**toml**\n\n```toml\nretry = 3\n```\n\n**ini**\n\n```ini\n{code}\n```\n"
    )
    text = answer("Which option sets how often to retry?", content, budget=500)
    assert "**toml**\n\n```toml" in text
    assert "**ini**" not in text


def test_items_below_items_are_indented_by_their_depth() -> None:
    content = (
        "A retry waits in one of these ways:\n\n- `fixed`: the same time.\n    - `short`: a second.\n        - `tiny`: less.\n"
        "- `doubling`: twice as long.\n"
    )
    text = answer("Which way of retries waits twice as long?", content)
    assert "- `fixed`: the same time.\n  - `short`: a second.\n    - `tiny`: less.\n- `doubling`: twice as long." in text


def test_steps_keep_what_stands_below_each_of_them() -> None:
    content = (
        "Run a retry by these steps:\n\n1. Create the retry.\n    - Its `name` is shown in lists.\n2. Choose the pauses:\n"
        f"    - The `KEY` is {'unrelated talk about colours, and ' * 40} so on.\n    - The `pause` of a retry, in seconds.\n"
        "3. Run the retry with pauses.\n"
    )
    text = answer("How do I run a retry with pauses of some seconds?", content)
    for line in ("1. Create", "`name`", "2. Choose", "`KEY`", "`pause`", "3. Run"):
        assert line in text


def test_what_announces_a_picture_that_is_not_there_is_left_out() -> None:
    content = (
        "Show the progress of a download with `track`:\n\n```py\ntrack(download)\n```\n\nThis produces the following output:\n\n"
        "(Image: bars)\n\nThe columns of the progress may be configured. Here's another example showing a download:\n\n"
        "Try the progress of many downloads yourself with the script `downloader.py`.\n"
    )
    text = answer("How do I show the progress of a download?", content)
    assert "track(download)" in text
    assert "columns of the progress" in text
    assert "following output" not in text
    assert "another example showing" not in text


def test_a_sentence_on_which_the_next_one_leans_stays_though_it_names_another_page() -> None:
    content = (
        "The bulk insert of rows leaves empty columns out, as described below. This behavior splits the insert into batches:\n\n"
        "```py\ninsert(rows)\n```\n"
    )
    text = answer("How do I insert rows in bulk?", content)
    assert text.index("leaves empty columns out") < text.index("This behavior splits")


def test_code_without_its_beginning_loses_the_sentence_that_points_back() -> None:
    content = "This default behavior splits the insert of rows:\n\n```py\ninsert(rows)\n```\n\nInsert many rows in one call.\n"
    text = answer("How do I insert rows?", content)
    assert "This default behavior" not in text
    assert "insert(rows)" in text


def test_a_list_of_other_pages_is_no_part_of_an_answer() -> None:
    pointers = "**See Also**\n\nrolling: Create rolling groups of rows."
    text = answer("How do I group rows by a column?", f"Group the rows by a column.\n\n{pointers}\n\n```py\ngroup(rows)\n```\n")
    assert "group(rows)" in text
    assert "See Also" not in text
    assert "rolling" not in text


def test_a_paragraph_that_was_only_a_link_is_left_out() -> None:
    content = "Mount the router of an app.\n\n```js\napp.mount(router)\n```\n\nDetailed reference on <https://acme.io/b>\n"
    text = answer("How do I mount a router?", content)
    assert "app.mount(router)" in text
    assert "acme.io" not in text


def test_the_name_of_an_entry_stands_above_its_list_and_not_in_its_first_item() -> None:
    content = "`Query.where`\n\n- `condition`: which rows of the table are kept.\n- `negated`: the other rows.\n"
    text = answer("Which rows of the table are kept by the condition?", content)
    assert "`Query.where`:\n\n- `condition`: which rows" in text


def test_a_list_of_features_does_not_stand_before_the_section_that_tells_how() -> None:
    features = (
        "- Retry with exponential backoff\n- Stop after attempts\n- Wait between attempts\n- Retry coroutines\n- Retry code\n"
    )
    code = "@retry(wait=wait_exponential(), stop=stop_after_attempt(5))"
    told = f"Wait longer each time with `wait_exponential`:\n\n```py\n{code}\n```\n"
    found = [
        Passage(
            title,
            content,
            f"pkg:npm/acme@3.1.0#docs/{title}.md",
            "/acme/acme",
            path=f"docs/{title}.md",
            confidence=0.8,
            score=score,
        )
        for title, content, score in (("Features", features, 2.0), ("Waiting", told, 1.4))
    ]
    question = "Acme: retry with exponential backoff and stop after 5 attempts"
    text = summarise(question, [ConceptEvidence(question, tuple(found))], budget=1_500, library=LIBRARY).text
    assert "stop_after_attempt(5)" in text
    assert "- Retry coroutines" not in text.partition("stop_after_attempt(5)")[0]
