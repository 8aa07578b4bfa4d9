"""A question that compares gets both sides: a paragraph that tells them apart, else what each of them is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from acme_answers import answer
from docs_researcher.core.messages import ToolResult
from docs_researcher.core.passages import Passage
from docs_researcher.steps.queries.compared import compared
from extractive_talk import LIBRARY as NEXT_LIBRARY
from extractive_talk import Talk, found, resolved


def passage(content: str, title: str, path: str = "docs/guide.md", score: float = 1.0) -> Passage:
    source = f"pkg:npm/acme@3.1.0#{path}"
    return Passage(title, content, source, "/acme/acme", path=path, version="3.1.0", confidence=0.7, score=score)


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Acme: difference between pick and with_columns", ("pick", "with_columns")),
        ("Acme PlainHandler vs raw socket handler", ("PlainHandler", "raw socket handler")),
        ("acme onRequest vs preHandler hook", ("onRequest", "preHandler")),
        ("Acme: option --strict or --safe, which one?", ("--strict", "--safe")),
        ("What is the difference between Client, Pool and Agent in Acme?", ("Client", "Pool", "Agent")),
        ("When should I take subtests rather than parametrize?", ("subtests", "parametrize")),
        ("Acme: when do I take a Form and when a fetcher?", ("Form", "fetcher")),
        ("Should I use Redis or RabbitMQ as the broker for Acme?", ("Redis", "RabbitMQ")),
        ("Acme hooks or transformRequest: which one changes the response?", ("hooks", "transformRequest")),
        ("Which one resizes in place: thumbnail or resize?", ("thumbnail", "resize")),
        ("How does Acme differ from BeautifulSoup, and can I use both?", ()),
        ("How do I use Zod or Yup with a form?", ()),
        ("How do I store a session?", ()),
    ],
)
def test_what_a_question_compares_is_read_out_of_it(question: str, sides: tuple[str, ...]) -> None:
    assert compared(question, ("Acme",)) == sides


def test_the_paragraph_that_tells_both_apart_stands_first_though_another_page_ranks_higher() -> None:
    both = "`lazy_load` asks once a row, whereas `join_load` asks for all rows in one query.\n"
    other = "Configure `lazy_load` globally:\n\n```py\nconfigure(load='lazy_load')\n```\n"
    found = (
        passage(other, "Configuration > Loading", "docs/configuration.md", 1.0),
        passage(both, "Queries > Loading", "docs/queries.md", 0.8),
    )
    text = answer("Acme: what is the difference between lazy_load and join_load?", *found).text
    assert "whereas `join_load`" in text
    assert text.find("whereas") < (text.find("configure(load") if "configure(load" in text else len(text))


def test_two_names_in_a_list_of_their_kind_are_not_told_apart_by_it_and_sections_headed_by_them_come_first() -> None:
    listed = "Both may be limited further, as may strategies such as `joinload()` and `manyload()`.\n"
    found = (
        passage(listed, "Joins > Criteria", "docs/joins.md", 1.0),
        passage("Asks for all rows in one statement.\n", "Strategies > Join Load", "docs/strategies.md", 0.6),
        passage("Asks for the others in a second statement.\n", "Strategies > Many Load", "docs/strategies.md", 0.5),
    )
    text = answer("acme joinload vs manyload", *found).text
    assert -1 < text.find("in one statement") < text.find("in a second statement")
    assert text.find("in a second statement") < text.find("may be limited further") % len(text)


def test_without_such_a_paragraph_what_each_side_is_stands_in_the_answer() -> None:
    noise = [
        passage(f"Pick a colour for column {n}, then pick the width.", f"Styling > Colour {n}", f"docs/s{n}.md", 1.0)
        for n in range(5)
    ]
    pick = passage("Returns only the columns that are named.", "Frame > `Frame.pick`", "docs/frame.md", 0.6)
    add = passage("Keeps all columns and adds the named ones.", "Frame > `Frame.with_columns`", "docs/frame.md", 0.5)
    text = answer("Acme: difference between pick and with_columns", *noise, pick, add).text
    assert "only the columns that are named" in text
    assert "adds the named ones" in text
    assert text.index("only the columns") < text.find("Pick a colour") % len(text)


def test_release_notes_do_not_open_a_comparison() -> None:
    notes = passage(
        "Added `EasyHandler`, which unlike a raw handler is easy.", "Release notes > EasyHandler", "docs/release-notes.md", 1.0
    )
    guide = passage("Write a request handler as a class.", "Handlers > EasyHandler", "docs/handlers.md", 0.9)
    raw = passage("A raw handler speaks the protocol itself.", "Handlers > Raw handlers", "docs/handlers.md", 0.8)
    text = answer("Acme EasyHandler vs raw handler", notes, guide, raw).text
    assert text.index("Write a request handler") < text.index("speaks the protocol itself")
    assert "Added `EasyHandler`" not in text


def test_a_side_that_heads_nothing_is_asked_for_by_its_name() -> None:
    def titled(title: str, content: str) -> Passage:
        return Passage(
            title, content, f"pkg:npm/next@15.1.8#docs/{title}.md", "/vercel/next.js", path=f"docs/{title}.md", score=1.0
        )

    talk: Talk = resolved("Next.js: difference between redirect and permanentRedirect")
    talk.answer_with(talk.turn(), found(titled("redirect", "Sends the visitor elsewhere.")))
    second = talk.turn()
    assert [call.arguments["query"] for call in second.tool_calls] == ["permanentRedirect"]
    talk.answer_with(second, found(titled("permanentRedirect", "Sends the visitor elsewhere for good.")))
    text = talk.turn().text
    assert "Sends the visitor elsewhere." in text
    assert "elsewhere for good" in text


def test_a_comparison_of_which_both_sides_are_there_needs_no_further_query() -> None:
    told = Passage(
        "redirect", "`redirect` is for now, whereas `permanentRedirect` is for good.", "pkg:npm/next@15.1.8#docs/r.md",
        "/vercel/next.js", path="docs/r.md", confidence=0.9, score=1.0,
    )  # fmt: skip
    talk = resolved("Next.js: difference between redirect and permanentRedirect")
    talk.answer_with(talk.turn(), ToolResult("found", passages=(told,), library=NEXT_LIBRARY))
    last = talk.turn()
    assert not last.tool_calls
    assert "whereas `permanentRedirect`" in last.text


def client(module: str, word: str = "") -> Passage:
    content = (
        f"```py\n{word}def pipeline(self, transaction=True)\n```\n\n"
        "Return a new pipeline object that can queue commands for later execution. They are sent together and may be atomic.\n"
    )
    return passage(content, f"{module} > Client.pipeline", f"src/{module}.py", 0.9 if word else 1.0)


def test_an_entry_for_another_variant_in_the_same_words_is_named_and_not_quoted_again() -> None:
    text = answer("Acme: how do I use a pipeline of commands?", client("acme.client"), client("acme.aio.client", "async ")).text
    assert text.count("Return a new pipeline object") == 1
    assert "The documentation says the same of `acme.aio.client: Client.pipeline`." in text


def test_of_two_variants_the_one_that_the_question_names_is_quoted() -> None:
    found = client("acme.client"), client("acme.asyncio.client", "async ")
    text = answer("Acme: how do I use a pipeline of commands with asyncio?", *found).text
    assert "async def pipeline" in text
    assert "The documentation says the same of `acme.client: Client.pipeline`." in text


def test_a_parameter_that_only_one_of_two_variants_has_is_named() -> None:
    other = client("acme.aio.client", "async ")
    shards = replace(other, content=other.content.replace("transaction=True", "shard_hint: dict[str, int] = {}, *args"))
    text = answer("Acme: how do I use a pipeline of commands?", client("acme.client"), shards).text
    place = "`acme.aio.client: Client.pipeline`"
    assert f"the same of {place} (with `shard_hint`, `args`, without `transaction`)." in text
