"""Answers are made of what stands under a heading, whole where it is short, and not of sentences torn out of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from acme_answers import answer
from docs_researcher.core.passages import Passage
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.answer.sentences import leans_on_the_one_before, plain
from docs_researcher.steps.fences import split_fences


def passage(content: str, title: str, path: str = "docs/guide.md", **values: float) -> Passage:
    return Passage(
        title,
        content,
        f"pkg:npm/acme@3.1.0#{path}",
        "/acme/acme",
        path=path,
        version="3.1.0",
        confidence=values.get("confidence", 0.8),
        score=values.get("score"),
    )


def test_the_entry_of_an_option_is_quoted_with_its_default_its_unit_and_what_it_depends_on() -> None:
    entry = (
        "+ Default: `1048576` (1MiB)\n\nThe largest payload, in bytes, that the server accepts. A larger one is answered with"
        " `ERR_TOO_LARGE`. The limit counts for what a hook returns, if there is one.\n"
    )
    text = answer("Acme ERR_TOO_LARGE: how do I allow bigger uploads?", passage(entry, "Server > `bodyLimit`")).text
    for part in ("`1048576` (1MiB)", "in bytes", "`ERR_TOO_LARGE`", "what a hook returns"):
        assert part in text


def test_a_wrong_and_a_right_way_that_share_most_of_their_code_are_both_shown() -> None:
    content = (
        "`ReturnWarning` is emitted when a test returns a value.\n\nExample:\n\n"
        "```py\ndef test_sum(a, b):\n    return a + b == 3\n```\n\n"
        "The fix is to replace the `return` with an `assert`:\n\n```py\ndef test_sum(a, b):\n    assert a + b == 3\n```\n"
    )
    text = answer("Acme shows ReturnWarning for my test", passage(content, "Tests > Returning a value")).text
    assert "return a + b == 3" in text
    assert "assert a + b == 3" in text


def test_a_paragraph_in_the_words_of_the_one_that_answers_stays_with_it() -> None:
    content = (
        "In Zebra the special variable of the loop is called `forloop`, and `empty` is for a loop without items.\n\n"
        "In Acme the special variable of the loop is called `loop`, and `else` is for a loop without items.\n\n"
    )
    text = answer("From Zebra to Acme: what becomes of forloop?", passage(content, "Switching > Loops")).text
    assert "is called `loop`" in text


def test_a_section_that_fits_loses_no_sentence_though_most_of_it_shares_no_word_with_the_question() -> None:
    sentences = [f"The {name} is painted on {day}s." for name in ("gate", "fence", "door") for day in ("Monday", "Sunday")]
    content = "\n\n".join([*sentences, "Call `retry` to run the job again.", "- One colour.\n- Two. Three. And four colours."])
    text = answer("How do I run a job again?", passage(content, "Jobs")).text
    for part in (*sentences, "- Two. Three. And four colours."):
        assert part in text


def test_a_section_that_two_queries_found_is_quoted_once() -> None:
    section = "### Retrying\n\nPass `retries` to run a job again:\n\n```py\nrun(job, retries=3)\n```\n"
    beside = "### Naming\n\nGive every job a name.\n\n"
    found = (passage(section, "Jobs > Retrying", score=2.0), passage(beside + section, "Jobs > Naming / Retrying", score=1.9))
    text = answer("How do I run a job again with retries?", *found).text
    assert text.count("Pass `retries`") == 1
    assert text.count("run(job, retries=3)") == 1


@pytest.mark.parametrize("opening", ["While this is simple, it does not scale.", "Previously, a job lost its name."])
def test_a_unit_does_not_begin_with_what_leans_on_something_that_is_not_quoted(opening: str) -> None:
    content = f"{opening}\n\nGive the job to `schedule` and it runs every night:\n\n```py\nschedule(job)\n```\n"
    text = answer("How do I schedule a job?", passage(content, "Scheduling jobs")).text
    assert opening not in text
    assert "schedule(job)" in text


def test_what_leans_on_the_name_in_the_heading_stays() -> None:
    text = answer("What does maxAge do?", passage("This is the age in seconds.\n\nIt may be zero.", "Options > `maxAge`")).text
    assert "This is the age in seconds." in text


def test_the_name_of_an_option_stands_before_its_first_sentence_and_not_before_each() -> None:
    content = "`timeout`\n\nSeconds to wait for a reply:\n\n```py\nAcme(timeout=3)\n```\n\nAfter a late reply, it waits again.\n"
    text = answer("Acme seconds to wait for a late reply", passage(content, "Client")).text
    assert "`timeout`: Seconds to wait" in text
    assert "`timeout`: After" not in text


def test_everyday_words_that_stand_nowhere_do_not_make_a_match_weak() -> None:
    content = "The `password_option` decorator asks for a password and for its confirmation:\n\n```py\n@password_option()\n```\n"
    found = passage(content, "Options > Password Option", confidence=0.45, score=2.0)
    assert not answer("Acme: ask for a password twice, please", found).weak


def test_a_weak_match_offers_a_query_in_the_words_of_the_documentation() -> None:
    found = passage("Call `setNotFound` to answer what has no page.", "Not Found Handler", confidence=0.1)
    text = answer("How do I send my very own JSON record to a stranger who is not found in orbit?", found).text
    assert "Ask next for “Not Found Handler”." in text


def test_an_upgrade_is_answered_from_the_guide_to_that_step_with_old_beside_new() -> None:
    def change(old: str, new: str, step: str, name: str) -> Passage:
        before = f'```js filename="Acme {step[0]}"\n{old}()\n```'
        after = f'```js filename="Acme {step[-1]}"\n{new}()\n```'
        content = f"`{old}` is now `{new}`.\n\n{before}\n\n{after}\n"
        return passage(content, f"Migrate Acme {step[0]}.x to {step[-1]}.0 > Client changes > {name}", f"docs/{step}.md")

    found = (
        change("addResult", "addOutput", "4-5", "Results"),
        change("getItems", "items", "3-4", "Items"),
        change("body", "payload", "4-5", "Body"),
    )
    text = answer("What changed in the Acme client between version 4 and 5?", *found).text
    for call in ("addResult()", "addOutput()", "body()", "payload()"):
        assert call in text
    assert "getItems" not in text


def test_a_line_that_only_says_since_when_is_left_out() -> None:
    content = "**Added in version 4.2**\n\nPass `backoff` to wait longer each time:\n\n```py\nretry(backoff=True)\n```\n"
    text = answer("How do I wait longer each time?", passage(content, "Retrying")).text
    assert "Added in version" not in text
    assert "retry(backoff=True)" in text


def test_escaped_marks_are_shown_as_the_characters_they_are() -> None:
    assert plain(r"Give \*names and \_\_all\_\_ to `a\*b`.") == r"Give *names and __all__ to `a\*b`."


@pytest.mark.parametrize(
    ("sentence", "leans"),
    [
        ("While this is simple, it is slow.", True),
        ("All of these limits are gone.", True),
        ("Previously, retries lost it.", True),
        ("`prefetch`, on the other hand, asks twice.", True),
        ("It is possible to add your own.", False),
        ("While a job runs, others wait.", False),
    ],
)
def test_a_sentence_that_needs_the_one_before_is_known(sentence: str, leans: bool) -> None:
    assert leans_on_the_one_before(sentence) is leans


def test_a_name_of_the_api_that_no_page_holds_is_said_to_be_missing() -> None:
    found = passage("Call `schedule` to run a job at night.", "Scheduling jobs")
    assert "What was read does not mention `scheduleNightly`." in answer("Acme scheduleNightly to run a job at night", found).text
    assert "does not mention" not in answer("Acme schedule to run a job at night", found).text


CORPUS = (
    passage(
        "Jobs run at night. This keeps the day free.\n\n> Note: a job needs a name.\n>\n> ```py\n> Job(name='backup')\n> ```\n\n"
        "To schedule a job, call `schedule`:\n\n```py\nfrom acme import schedule\n\nschedule(job, at='02:00')\n```\n\n"
        "- `at`: the hour.\n- `every`: the pause in seconds. Default `60`.\n",
        "Scheduling jobs",
    ),
    passage("1. Write the job.\n2. Schedule the job.\n\n```sh\nacme run\n```\n", "Getting started", "docs/start.md"),
    passage("| Error | Cause |\n|---|---|\n| `JobLost` | The worker died. |\n", "Errors", "docs/errors.md"),
)


@pytest.mark.parametrize(
    "question", ["How do I schedule a job?", "What does JobLost mean?", "Which option sets the pause of a job?", "start a job"]
)
def test_every_block_and_every_paragraph_of_an_answer_stands_in_a_passage(question: str) -> None:
    text = answer(question, *CORPUS).text
    pages = "\n".join(one.content for one in CORPUS)
    known = {segment.code for one in CORPUS for segment in split_fences(one.content)}
    words = plain(pages)
    blocks = [segment.code for segment in split_fences(text) if segment.code is not None]
    assert set(blocks) <= known
    assert len(blocks) == len(set(blocks))
    prose = "\n\n".join(segment.raw for segment in split_fences(text.split("References:")[0]) if segment.code is None)
    told = [
        line for line in prose.split("\n") if line.strip() and not line.startswith(("**Acme", "Source:", "Weak match", "|---"))
    ]
    assert told
    for line in told:
        assert plain(line) in words, line


def test_a_short_paragraph_beside_a_long_one_in_many_of_its_words_is_no_repetition() -> None:
    both = (
        "Zebra is a library for parsing pages. Acme is an application framework for crawling sites.\n\n"
        "Acme has its own way to extract data, but you can use Zebra in its place, which is a library for the parsing of pages"
        " and can be used from any code.\n"
    )
    use = "You can use Zebra with Acme: feed the body of a reply into `Zebra`, a library for parsing pages.\n"
    found = (passage(use, "FAQ > Can I use Acme with Zebra?"), passage(both, "FAQ > How does Acme compare to Zebra?"))
    assert "application framework" in answer("How does Acme differ from `Zebra`, and can I use both?", *found).text


def test_sections_are_quoted_in_the_order_of_their_worth_and_those_far_from_the_best_are_not() -> None:
    pages = [
        passage(
            f"To {verb} a letter, call `{verb}Letter`. Letters go by night.", f"Letters by {verb}", f"docs/{verb}.md", score=score
        )
        for verb, score in (("seal", 5.0), ("stamp", 4.8), ("fold", 4.6), ("weigh", 0.1))
    ]
    text = answer("Acme: bring my parcels and letters away before the harbour closes", *pages).text
    assert text.index("`sealLetter`") < text.index("`stampLetter`") < text.index("`foldLetter`")
    assert "weighLetter" not in text


def test_an_answer_ends_where_it_is_long_enough_though_there_is_more_that_is_near() -> None:
    words = "Letters go by night, and each has a seal of its own that the harbour knows. " * 18
    pages = [
        passage(f"To seal a letter, call `sealLetter{number}`. {words}", f"Letters {number}", f"docs/{number}.md", score=5.0)
        for number in range(8)
    ]
    text = answer("Acme: seal letters", *pages, budget=4_000).text
    assert 800 < estimate_tokens(text) < 1_600
    assert text.count("To seal a letter") < len(pages)


def test_a_section_whose_code_is_shown_already_is_quoted_for_what_it_says() -> None:
    code = "```py\nsend(letter)\n```"
    content = (
        f"## Send from the shore\n\nTo send a letter from the shore:\n\n{code}\n\n"
        f"## Send from a ship\n\nTo send a letter from a ship, open the hatch first. Sending is the same:\n\n{code}\n"
    )
    text = answer("Acme: send a letter", passage(content, "Letters")).text
    assert "open the hatch first" in text
    assert text.count("send(letter)") == 1


def test_a_small_answer_is_filled_with_code_instead_of_room_for_references() -> None:
    code = "```ts\nsealLetter('Dear all, the ship leaves at nine.', { wax: 'red' })\n```"
    content = f"To seal a letter, call `sealLetter` with its text:\n\n{code}\n"
    pages = [passage(content, f"Seal a letter {number}", f"docs/seal-{number}.md", score=9.0 - number) for number in range(4)]
    assert "{ wax: 'red' }" in answer("How do I seal a letter?", *pages, budget=130).text


def test_a_short_call_is_shown_beside_a_longer_block_that_holds_all_of_it_but_one_word() -> None:
    content = (
        "Print a message:\n\n```python\nimport acme\n\nacme.echo('Hello World!', bold=True)\nacme.echo('Hello!', nl=False)\n"
        "acme.echo(b'x')\n```\n\nYou can print a message to standard error by passing `err=True`:\n\n"
        "```python\nacme.echo('Hello World!', err=True)\n```\n"
    )
    assert "acme.echo('Hello World!', err=True)" in answer("Print a message to standard error", passage(content, "Printing")).text


def test_the_section_that_answers_best_stands_first_though_another_one_of_its_page_stands_above_it() -> None:
    found = (
        passage(
            "Pass `context` to `Acme.run` in place of the old argument:\n\n```py\nrun(context=1)\n```\n",
            "Upgrading > New context",
        ),
        passage("Fields take a context argument of a type:\n\n```py\nclass Pin(Field[int]): ...\n```\n", "Upgrading > Fields"),
    )
    lines = replace(found[0], line=90, score=2.0), replace(found[1], line=10, score=1.9)
    text = answer("Upgrading Acme: what became of the context of run?", *lines).text
    assert text.index("run(context=1)") < text.index("class Pin")


def test_numbered_sections_stay_in_the_order_of_their_numbers() -> None:
    found = (
        passage("Send the parcel with `send`:\n\n```py\nparcel.send()\n```\n", "Parcels > 2. Send the parcel", score=2.0),
        passage("Wrap the parcel with `wrap`:\n\n```py\nparcel.wrap()\n```\n", "Parcels > 1. Wrap the parcel", score=1.9),
    )
    lines = replace(found[0], line=90), replace(found[1], line=10)
    text = answer("How do I wrap and send a parcel?", *lines).text
    assert text.index("parcel.wrap()") < text.index("parcel.send()")


def test_what_is_most_likely_about_something_else_is_named_in_a_line_each_and_not_quoted() -> None:
    content = "The server keeps its routes in a tree. " + "A route has a handler and a name. " * 40
    found = [
        passage(f"{content}\n\n```py\nserver.route({n})\n```\n", f"Routes > Part {n}", f"docs/{n}.md", confidence=0.2)
        for n in range(4)
    ]
    summary = answer("Acme: train a neural network on a GPU with Kafka", *found)
    assert summary.weak
    assert "“GPU”" in summary.text
    assert "- Routes > Part 0" in summary.text
    assert estimate_tokens(summary.text) < 300


def test_the_entry_of_a_setting_comes_first_where_the_question_asks_which_setting_it_is() -> None:
    told = "A crawl follows links and has a limit. Nothing else is told of a crawl here.\n"
    entry = "The largest number of links that a crawl may follow. Default: `0`.\n"
    guide = passage(told, "Practices > Crawling many sites", "docs/practices.md", score=1.0)
    setting = passage(entry, "Settings > MAX_LINK_STEPS", "docs/settings.md", score=1.0)
    text = answer("Acme: which setting limits how many links a crawl goes?", guide, setting).text
    assert text.split("\n\n")[1].startswith("`MAX_LINK_STEPS`: The largest number of links")


def test_a_best_result_far_above_the_others_does_not_silence_a_section_that_is_headed_by_what_is_asked() -> None:
    listed = passage("- `retry_times`\n- `http_user`\n- `proxy`\n", "Requests > Meta keys", "docs/requests.md", score=104.0)
    named = passage(
        "Default: `2`\n\nHow often a failed page is tried again.", "Retrying > `RETRY_TIMES`", "docs/retry.md", score=1.4
    )
    assert "How often a failed page is tried again." in answer("Acme RETRY_TIMES default", listed, named).text


def upgrade(title: str, path: str, name: str, score: float) -> Passage:
    return passage(f"`{name}` of the client is gone.\n\n```js\n{name}()\n```\n", f"{title} > Client > {name}", path, score=score)


def test_an_upgrade_opens_with_the_guide_to_its_step_and_not_with_a_page_that_ranks_higher() -> None:
    found = (
        passage("`client()` makes a client.\n\n```js\nclient()\n```\n", "client > `client()`", "docs/client.md", score=1.2),
        upgrade("Migrate Acme 4.x to 5.0", "docs/migration-5.md", "oldCall", 1.0),
        upgrade("Migrate Acme 4.x to 5.0", "docs/migration-5.md", "olderCall", 0.9),
    )
    text = answer("What changed in Acme between version 4 and 5 for client?", *found).text
    assert text.index("oldCall()") < text.index("makes a client")
    assert "olderCall()" in text


def test_a_guide_that_only_says_where_it_leads_counts_and_the_one_before_it_does_not() -> None:
    found = (
        upgrade("V4 Migration Guide", "docs/Migration-Guide-V4.md", "fromThree", 2.0),
        upgrade("Migrating", "docs/Migration-Guide-V5.md", "fromFour", 1.5),
    )
    text = answer("Acme: how do I migrate the client from 4 to 5?", *found).text
    assert "fromFour()" in text
    assert "fromThree" not in text


def test_code_in_two_languages_is_shown_in_the_one_that_is_asked_for_and_the_other_is_named_once() -> None:
    content = (
        "Save the session with `save`:\n\n```ts\nsave(session as Session)\n```\n\n```js\nsave(session, {})\n```\n\n"
        "Load the session with `load`:\n\n```ts\nload(id as Id)\n```\n\n```js\nload(id, {})\n```\n"
    )
    text = answer("How do I save and load a session?", passage(content, "Sessions")).text
    assert "session as Session" in text
    assert "save(session, {})" not in text
    assert text.count("The documentation shows this code in JavaScript too.") == 1
    text = answer("How do I save and load a session in JavaScript?", passage(content, "Sessions")).text
    assert "session as Session" not in text
    assert "save(session, {})" in text
    assert text.count("The documentation shows this code in TypeScript too.") == 1


def test_the_older_of_two_ways_is_not_shown_beside_the_newer_one() -> None:
    def section(title: str, path: str, words: str, call: str, score: float) -> Passage:
        return passage(f"{words}:\n\n```js\n{call}()\n```\n", title, path, score=score)

    found = (
        section("Loading", "docs/app/loading.md", "Stream a page with `loading.js` while data loads", "Loading", 2.0),
        section("Rendering", "docs/pages/rendering.md", "Fetch data on the server for each page", "getProps", 1.9),
        section("Spinners", "docs/app/spinner.md", "Show a spinner while data loads", "Spinner", 1.5),
    )
    assert "getProps()" not in answer("Acme: show a picture while the data of a page loads on the server", *found).text
    assert "getProps()" in answer("Acme with pages router: fetch data on the server for each page", *found).text


def test_an_entry_whose_name_is_made_of_the_words_asked_for_comes_before_one_that_only_shares_some() -> None:
    def entry(name: str, score: float) -> Passage:
        return passage("The value of the request.", f"Request > `{name}(key)`", f"docs/{name}.md", score=score)

    text = answer("Acme: read a param as a list", entry("get_param_as_number", 5.0), entry("get_param_as_list", 1.5)).text
    assert text.index("get_param_as_list") < text.index("References:")
    assert "Source: Request > `get_param_as_number(key)`" not in text.split("get_param_as_list")[0]
