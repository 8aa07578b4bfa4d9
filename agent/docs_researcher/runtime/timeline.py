"""A transcript read back: what happened when, with the tokens of each step and their sum.

Tokens are the estimate of `core.tokens`. The sum is what the conversation holds after a step, that is, what the next turn of a
model reads. The answer that left the run is no part of the conversation: its tokens are shown and not added.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.errors import UsageError
from docs_researcher.core.parsed import mapping
from docs_researcher.core.tokens import estimate_tokens

MAX_LINE_BYTES = 16_000_000
"""A line of a transcript holds one tool result; a longer one is no line of ours."""
MAX_BYTES = 512_000_000
"""A transcript holds what one run has read; a larger file is none, and a device may never end."""

MAX_SECONDS = 1e9
"""No run lasts thirty years."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a transcript."""

    at: float
    """Seconds since the run began."""
    kind: str
    """What the transcript calls it: question, user, assistant, tool, answer."""
    text: str
    """What was said; empty for a tool call, whose text is documentation."""
    tokens: int
    total: int
    """Tokens of the conversation after this step."""
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: str | None = None
    """How a tool call ended, or the status of the answer."""
    passages: int | None = None
    ahead: bool = False
    """Whether the runtime made the call before the model's first turn."""
    calls: tuple[str, ...] = ()
    """The tools that a turn of the model asks for."""
    notices: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    """The passages of a tool call, best first: title, and score where the source tells it."""
    confidence: float | None = None
    """How sure the source was of them, 0 to 1, where it tells."""
    tokens_read: int | None = None
    """Of a tool call: tokens of documentation that were read; `tokens` of them were passed on to the model."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """A whole transcript."""

    steps: tuple[Step, ...]
    damaged: int
    """Lines that cannot be read."""


def read_timeline(path: Path) -> Timeline:
    """Read a transcript. A line that is cut off or no step of ours is counted and passed over.

    Raises:
        UsageError: the file cannot be opened, is larger than `MAX_BYTES`, or is no transcript: not one line of it can be read.
    """
    steps: list[Step] = []
    damaged = total = 0
    for line in _lines(path):
        step = _step(line, total)
        if step is None:
            damaged += 1
        else:
            steps.append(step)
            total = step.total
    if damaged and not steps:
        raise UsageError(
            f"{path} is no transcript",
            why="not one of its lines can be read as a step of a run",
            next_step="Name a file that --trace FILE wrote.",
        )
    return Timeline(tuple(steps), damaged)


def _lines(path: Path) -> Iterator[bytes]:
    """The lines that hold anything. Of one that is too long only the first part is handed on, which cannot be read then."""
    left = MAX_BYTES
    try:
        with path.open("rb") as file:
            while line := file.readline(MAX_LINE_BYTES):
                rest = line
                left -= len(line)
                while not rest.endswith(b"\n") and left >= 0 and (rest := file.readline(MAX_LINE_BYTES)):
                    left -= len(rest)
                if left < 0:
                    raise _too_large(path)
                if line.strip():
                    yield line
    except OSError as error:
        raise UsageError(
            f"The transcript {path} cannot be read",
            why=error.strerror or str(error),
            next_step="Name a file that `--trace FILE` has written.",
        ) from error


def _too_large(path: Path) -> UsageError:
    return UsageError(
        f"{path} is no transcript",
        why=f"it is larger than {MAX_BYTES // 1_000_000} MB, and no run reads that much",
        next_step="Name a file that --trace FILE wrote.",
    )


def _step(line: bytes, total: int) -> Step | None:
    try:
        data: object = json.loads(line.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return None
    values = mapping(data)
    at, kind = _number(values.get("at")), values.get("kind")
    if at is None or not isinstance(kind, str):
        return None
    if kind == "tool":
        return _tool(at, values, total)
    if kind == "answer":
        return _answer(at, values, total)
    text = _text(values.get("text"))
    read = _text(values.get("system")) if kind == "question" else text  # the question itself comes again as a message
    tokens = estimate_tokens(read) + _added_tokens(values)
    calls = tuple(_text(mapping(call).get("name")) for call in _list(values.get("tool_calls")))
    return Step(at, kind, text, tokens, total + tokens, calls=calls)


def _added_tokens(values: Mapping[str, Any]) -> int:
    """Tokens of the arguments that a turn of the model writes."""
    return sum(estimate_tokens(json.dumps(mapping(call).get("arguments"))) for call in _list(values.get("tool_calls")))


def _tool(at: float, values: Mapping[str, Any], total: int) -> Step:
    call = mapping(values.get("call"))
    passages = [mapping(passage) for passage in _list(values.get("passages"))]
    tokens = _count(values.get("tokens"), estimate_tokens(_text(values.get("text"))))
    return Step(
        at,
        "tool",
        "",
        tokens,
        total + tokens,
        tool=_text(call.get("name")),
        arguments=mapping(call.get("arguments")),
        outcome=_text(values.get("outcome")),
        passages=len(passages),
        ahead=values.get("ahead") is True,
        notices=_notices(values),
        found=tuple(map(_found, passages)),
        confidence=_number(passages[0].get("confidence")) if passages else None,
        tokens_read=_count(values.get("tokens_read"), tokens),
    )


def _count(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else otherwise


def _found(passage: Mapping[str, Any]) -> str:
    score = _number(passage.get("score"))
    return _text(passage.get("title")) + (f" (score {score:.3g})" if score is not None else "")


def _answer(at: float, values: Mapping[str, Any], total: int) -> Step:
    answer = mapping(values.get("answer"))
    text = _text(answer.get("text"))
    return Step(at, "answer", text, estimate_tokens(text), total, outcome=_text(answer.get("status")), notices=_notices(answer))


def _notices(values: Mapping[str, Any]) -> tuple[str, ...]:
    found = [mapping(notice) for notice in _list(values.get("notices"))]
    return tuple(f"{_text(notice.get('code'))}: {_text(notice.get('text'))}" for notice in found)


def _number(value: object) -> float | None:
    """A number that can be shown; None for anything else."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value < MAX_SECONDS else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
