"""Markdown taken apart for quoting: fences, parts, directives, sentences without links, symbols and stems."""

from __future__ import annotations

import pytest

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.directives import code_in
from docs_researcher.steps.answer.passage_parts import parts_of
from docs_researcher.steps.answer.sentences import plain, points_elsewhere, sentences_of
from docs_researcher.steps.answer.summarise import ConceptEvidence, summarise
from docs_researcher.steps.fences import caption_of, split_fences
from docs_researcher.steps.queries.question_terms import Intent, question_terms, stems_of, symbols_of
from docs_researcher.steps.stems import stem


def test_the_segments_of_a_text_are_the_text_again() -> None:
    text = "a\n\n```js\nb\n```\nc\n~~~ts title='x'\nd\n~~~\n\n- e\n  ```\n  f\n  ```\n"
    assert "\n".join(segment.raw for segment in split_fences(text)) == text


def test_a_fence_ends_only_at_a_fence_as_long_as_its_own() -> None:
    (segment,) = split_fences("````md\n```js\nx\n```\n````")
    assert (segment.code, segment.language) == ("```js\nx\n```", "md")


def test_an_open_fence_runs_to_the_end() -> None:
    assert split_fences("a\n```py\nx = 1\n\ny")[1].code == "x = 1\n\ny"


def test_back_ticks_within_a_line_open_no_fence() -> None:
    assert [segment.code for segment in split_fences("```a_long_name``` text\nmore")] == [None]


def test_code_in_a_list_loses_only_the_fence_s_indentation() -> None:
    assert split_fences("- a\n\n  ```py\n  if x:\n      y()\n  ```")[1].code == "if x:\n    y()"


@pytest.mark.parametrize(
    ("opening", "language", "caption"),
    [
        ('```tsx filename="app/page.tsx" switcher', "tsx", "app/page.tsx"),
        ("```js{15-18} twoslash [server.js]", "js", "server.js"),
        ('~~~ts title="a b.ts"', "ts", "a b.ts"),
        ("```python", "python", ""),
    ],
)
def test_the_language_is_the_first_word_and_the_file_name_is_kept(opening: str, language: str, caption: str) -> None:
    (segment,) = split_fences(f"{opening}\nx\n{opening[:3]}")
    assert (segment.language, caption_of(segment.info)) == (language, caption)


def test_the_parts_of_a_passage_keep_their_order_kind_and_heading() -> None:
    content = (
        "Text one\nstill one.\n\n### Head\n\n"
        "- item\n  goes on\n1. step\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx\n```\n> quoted\n"
    )
    parts = parts_of(content)
    assert [(part.kind, part.heading) for part in parts] == [
        ("text", ""),
        ("heading", "Head"),
        ("item", "Head"),
        ("step", "Head"),
        ("table", "Head"),
        ("code", "Head"),
        ("quote", "Head"),
    ]
    assert (parts[0].text, parts[2].text, parts[3].marker) == ("Text one still one.", "item goes on", "1.")


def test_a_heading_mark_inside_code_is_code() -> None:
    assert [part.kind for part in parts_of("```sh\n# not a heading\n```")] == ["code"]


def test_a_code_directive_gives_its_code_without_its_options() -> None:
    (code,) = code_in("{code-block}", "python", ":caption: test_hello.py\n:linenos:\n\nrunner = CliRunner()\n")
    assert (code.code, code.language, caption_of(code.info)) == ("runner = CliRunner()", "python", "test_hello.py")


def test_each_example_in_a_piece_of_rst_is_a_block_of_its_own() -> None:
    body = (
        ".. click:example::\n\n    @cli.command()\n    def sync():\n        pass\n\n"
        "Like this:\n\n.. click:run::\n\n    invoke(cli)\n\nOr::\n\n    last()\n"
    )
    assert [code.code for code in code_in("{eval-rst}", "", body)] == ["@cli.command()\ndef sync():\n    pass", "last()"]


def test_a_directive_without_code_gives_none() -> None:
    assert code_in("{toctree}", "", "a\nb") == ()


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Call [`f`](/docs/f#x) now.", "Call `f` now."),
        ("A [link](https://a.example/p(1)) here.", "A link here."),
        ("An ![image](x.png) and <b>bold</b> text.", "An and bold text."),
        ("Keep `<Suspense>` and `arr[0](x)`.", "Keep `<Suspense>` and `arr[0](x)`."),
        ("[![A](a.svg)](https://a.example/a) [![B](b.svg)][b] Text with `x[](y)`.", "Text with `x[](y)`."),
        ("Go to https://a.example/x?q=1 today.", "Go to a.example today."),
        ("Use {func}`pass_obj` and :meth:`invoke <Context.invoke>`.", "Use `pass_obj` and `invoke`."),
        ("> [!NOTE] careful".removeprefix("> "), "careful"),
        ("A [x][ref] and a note[^1].", "A x and a note."),
        ("Open javascript:alert(1) in the next file: it opens.", "Open in the next file: it opens."),
    ],
)
def test_links_images_tags_and_roles_are_taken_off(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_sentences_end_at_full_stops_and_not_within_code_or_abbreviations() -> None:
    text = "Call `a. B` first, e.g. Like this. `x.Y` is next (see there.) Version 1.2 works! Then?"
    assert sentences_of(text) == (
        "Call `a. B` first, e.g. Like this.",
        "`x.Y` is next (see there.)",
        "Version 1.2 works!",
        "Then?",
    )


def test_a_sentence_that_only_sends_the_reader_on_is_known() -> None:
    assert points_elsewhere("See Authentication with Cache Components.")
    assert points_elsewhere("For more information, read on.")
    assert not points_elsewhere("Users see their own sessions.")


@pytest.mark.parametrize(
    "words",
    [("authenticating", "authentication", "authenticated"), ("routes", "routing"), ("retries", "retry"), ("skipped", "skip")],
)
def test_forms_of_a_word_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


def test_names_count_whole_and_by_their_parts() -> None:
    assert {stem("visibility"), stem("timeout")} <= stems_of("visibility_timeout")
    assert {stem("generate"), stem("object")} <= stems_of("generateObject")


def test_symbols_are_what_looks_like_an_api() -> None:
    found = symbols_of("use `a b`, --last-failed, cb_kwargs, useState(), request.meta and next/headers in this plain text")
    assert set(found) == {"a b", "--last-failed", "cb_kwargs", "useState", "request.meta", "next/headers"}


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("How do I set up auth?", "how_to"),
        ("What is a middleware?", "what_is"),
        ("Which option sets the timeout?", "option"),
        ("TypeError: x is not a function", "error"),
        ("How do I upgrade from 4 to 5?", "migration"),
        ("What is the difference between push and replace?", "compare"),
    ],
)
def test_the_intent_of_a_question_is_read_from_its_words(question: str, intent: Intent) -> None:
    assert question_terms(question).intent == intent


def test_what_is_wanted_counts_more_and_what_is_to_be_avoided_less() -> None:
    texts = ["open a port", "accept any file", "run a test"]
    wanted = question_terms("It opens a port, but I want to accept any file").weighted(texts).weights
    assert wanted[stem("accept")] > wanted[stem("port")]
    avoided = question_terms("run a test without opening a port").weighted(texts).weights
    assert avoided[stem("test")] > avoided[stem("port")]


def test_the_library_s_own_name_tells_nothing() -> None:
    assert question_terms("How does Acme cache pages?", ["Acme"]).stems == (stem("cache"), stem("pages"))


def test_a_block_in_a_quote_is_code_without_the_marks_of_the_quote() -> None:
    text = "> Note: careful.\n>\n> ```js\n> if (a > b) {\n>   run()\n> }\n> ```\n> Go on.\n\nAfter."
    segments = split_fences(text)
    assert [segment.code for segment in segments] == [None, "if (a > b) {\n  run()\n}", None]
    assert "\n".join(segment.raw for segment in segments) == text
    assert [part.kind for part in parts_of(text)] == ["quote", "code", "quote", "text"]


def test_a_block_in_a_quote_ends_with_the_quote() -> None:
    assert [segment.code for segment in split_fences("> ```js\n> run()\nAfter.")] == ["run()", None]


def test_marks_of_a_markup_that_is_not_shown_are_no_text() -> None:
    content = (
        "% A comment for the authors.\n\nOpen the gate with `open_gate`.\n\n.. versionadded:: 2.1\n\n"
        "````python\n```python\nopen_gate()\n```\n````\n"
    )
    found = Passage("Gates", content, "pkg:pypi/acme@1#docs/gates.md", "/acme/acme", path="docs/gates.md", confidence=1.0)
    text = summarise("How do I open a gate?", [ConceptEvidence("open a gate", (found,))], budget=1_500, library=None).text
    assert "```python\nopen_gate()\n```" in text
    assert "````" not in text
    assert "comment for the authors" not in text
    assert "versionadded" not in text


def test_a_meant_line_break_separates_what_stands_on_both_sides_of_it() -> None:
    parts = parts_of("Type: `number`\\\nDefault: `1`\n\nAs many.\n- One\\\n  more.\n")
    assert [part.text for part in parts] == ["Type: `number`", "Default: `1`", "As many.", "One more."]


def test_a_tag_that_is_escaped_is_text() -> None:
    assert plain("inside the \\<p> tag and <b>here</b>") == "inside the <p> tag and here"
