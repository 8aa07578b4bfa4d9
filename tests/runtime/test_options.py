"""The options of a question in Python: known by name, told in the docstring, and none else taken."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from docs_researcher import DocsResearchError, make_researcher, research, research_sync
from docs_researcher.core.errors import UsageError
from docs_researcher.runtime import given
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


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"question": None}, "question cannot be None"),
    ({"question": 5}, "question cannot be 5"),
    ({"library": 5}, "library cannot be 5"),
    ({"answer_tokens": "x"}, "answer_tokens cannot be 'x'"),
    ({"answer_tokens": 5}, "answer_tokens cannot be 5"),
    ({"answer_tokens": True}, "answer_tokens cannot be True"),
    ({"trace": 5}, "trace cannot be 5"),
    ({"project_dir": "/nope"}, "project_dir cannot be '/nope'"),
    ({"project_dir": "x" * 5_000}, "project_dir cannot be"),
    ({"limits": {"bogus": 1}}, "limits cannot be"),
    ({"limits": {"seconds": -1}}, "limits cannot be"),
    ({"limits": 3}, "limits cannot be 3"),
    ({"model": None}, "model cannot be None"),
    ({"model": 5}, "model cannot be 5"),
    ({"docs_from": "elsewhere"}, "docs_from cannot be"),
    ({"offline": "no"}, "offline cannot be 'no'"),
    ({"listener": 1}, "listener cannot be 1"),
    ({"disk_mb": -1}, "disk_mb cannot be -1"),
    ({"prices": 1}, "prices cannot be 1"),
    ({"agent": 1}, "agent cannot be 1"),
]


@pytest.mark.parametrize(("wrong", "what"), WRONG, ids=[f"{next(iter(wrong))}-{place}" for place, (wrong, _) in enumerate(WRONG)])
def test_a_value_that_cannot_be_used_is_a_usage_error_with_what_to_give(home: object, wrong: dict[str, Any], what: str) -> None:
    asked: dict[str, Any] = {"question": "How do I sign a request?", "model": "extractive", "offline": True, **wrong}
    with pytest.raises(UsageError) as caught:
        research_sync(**asked)
    assert isinstance(caught.value, DocsResearchError)
    assert what in caught.value.what
    assert caught.value.next_step.startswith("Give ")


def test_paths_may_be_texts(home: object, tmp_path: Path) -> None:
    trace = tmp_path / "run.jsonl"
    research_sync("How do I sign?", model="extractive", offline=True, trace=str(trace), project_dir=str(tmp_path))
    assert trace.is_file()


def test_every_option_has_its_values_checked() -> None:
    assert set(given._OPTIONS) == set(ResearchOptions.__annotations__)  # pyright: ignore[reportPrivateUsage]


def test_a_model_that_nobody_knows_is_refused_where_only_claude_could_be_asked(
    home: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="There is no model 'bogus'") as caught:
        research_sync("How do I sign?", model="bogus", offline=True)
    assert "haiku" in caught.value.next_step
    for known in ("haiku", "Sonnet[1m]", "claude-opus-4-1", "us.anthropic.claude-haiku-5-5-v1:0"):
        answer = research_sync("How do I sign?", model=known, offline=True)
        assert "model_unavailable" in [notice.code for notice in answer.notices]
