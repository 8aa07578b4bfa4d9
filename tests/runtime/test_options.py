"""The options of a question in Python: known by name, told in the docstring, and none else taken."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from docs_researcher import make_researcher, research, research_sync
from docs_researcher.runtime.options import ResearchOptions


def test_an_option_that_is_none_is_refused_with_those_that_are(home: object) -> None:
    wrong: dict[str, Any] = {"ofline": True}
    for ask in (lambda: make_researcher(**wrong), lambda: research_sync("What is acme?", **wrong)):
        with pytest.raises(TypeError, match=r"'ofline'; the options are .*offline"):
            ask()


def test_research_and_its_synchronous_form_answer_alike(home: object) -> None:
    given: ResearchOptions = {"model": "extractive", "offline": True, "docs_from": "local"}
    awaited = asyncio.run(research("How do I sign a request?", answer_tokens=300, **given))
    assert awaited.status == "needs_input"
    assert research_sync("How do I sign a request?", answer_tokens=300, **given).text == awaited.text


def test_the_docstring_names_every_option() -> None:
    told = research.__doc__ or ""
    assert [name for name in ResearchOptions.__annotations__ if name not in told] == []
