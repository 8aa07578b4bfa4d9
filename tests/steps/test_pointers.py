"""Entries that only name another one, such as the methods of a wrapper, give way to that one."""

from __future__ import annotations

from acme_answers import answer, passage


def test_entries_that_only_name_another_one_give_way_to_it() -> None:
    whole = "```ts\ndebounce(func: Function, wait: number): Debounced\n```\n\nCalls a function once nothing asks for it.\n"
    only = "```ts\ndebounce(wait: number): Chain\n```\n\nSee: _.debounce\n"
    found = [
        passage(only, "acme: function > Chain.debounce", "function.d.ts"),
        passage(only, "acme: function > Wrapper.debounce", "function.d.ts"),
        passage(whole, "acme: function > AcmeStatic.debounce", "function.d.ts"),
    ]
    text = answer("Acme debounce", *found).text
    assert text.index("Calls a function once") < text.index("References:")
    assert "Chain.debounce" not in text
    assert "Wrapper.debounce" not in text
    assert "Chain.debounce" in answer("Acme debounce", found[0]).text, "what it names is not there"


def test_a_section_whose_heading_ends_in_a_dot_is_no_entry_that_all_others_name() -> None:
    text = passage("Sessions keep a visitor signed in.\n\nCall `createSession` to begin one.\n", "Sessions", "docs/sessions.md")
    dotted = passage("Lifetimes are told in seconds.\n", "Sessions > Of times, lifetimes etc.", "docs/times.md")
    found = answer("Acme: begin a session", text, dotted).text
    assert "Sessions keep a visitor signed in." in found
    assert "Call `createSession` to begin one." in found
