"""The transcript of a run: one JSON object a line, secrets cut out, written only on request."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import IO, Any

from docs_researcher.core.answer import Answer
from docs_researcher.core.errors import UsageError
from docs_researcher.core.messages import AssistantMessage, Message, ToolCall, ToolResult, UserMessage
from docs_researcher.core.secrets import remove_secrets
from docs_researcher.core.tokens import estimate_tokens

MAX_FIRST_LINE = 4_000_000
"""A transcript begins with the question and the whole prompt on one line."""


class Transcript:
    """Appends what happens to a file. Without a path it writes nothing.

    A transcript that is there already is written over; any other file is left alone.

    Raises:
        UsageError: the file cannot be written, or holds something else.
    """

    def __init__(self, path: Path | None) -> None:
        self._started = time.monotonic()
        self._file: IO[str] | None = None
        if path is not None:
            _check_ours(path)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = path.open("w", encoding="utf-8")
            except OSError as error:
                raise UsageError(
                    f"The trace file {path} cannot be written",
                    why=error.strerror or str(error),
                    next_step="Give --trace a file in a folder that you may write to.",
                ) from error

    def question(self, text: str, system: str) -> None:
        """Record what the run starts with."""
        self._write("question", text=text, system=system)

    def message(self, message: Message) -> None:
        """Record one message of the conversation."""
        if isinstance(message, UserMessage):
            self._write("user", text=message.text)
            for call, result in message.ahead:
                self._write("tool", call=_call(call), ahead=True, **_result(result))
        elif isinstance(message, AssistantMessage):
            self._write("assistant", text=message.text, tool_calls=[_call(call) for call in message.tool_calls])
        else:
            for call, result in message.results:
                self._write("tool", call=_call(call), **_result(result))

    def answer(self, answer: Answer) -> None:
        """Record what the asker got."""
        self._write("answer", answer=answer.to_dict())

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, kind: str, **values: Any) -> None:
        if self._file is None:
            return
        line = json.dumps({"at": round(time.monotonic() - self._started, 3), "kind": kind, **_safe(values)}, ensure_ascii=False)
        self._file.write(line + "\n")
        self._file.flush()


def _check_ours(path: Path) -> None:
    """Refuse to write over a file that is no transcript. What is no regular file, such as a pipe, holds nothing to lose."""
    if not path.is_file():
        return
    try:
        with path.open("rb") as file:
            first = file.readline(MAX_FIRST_LINE)
    except OSError:
        return  # the attempt to write it says why
    try:
        entry: Any = json.loads(first) if first.strip() else {"at": 0, "kind": ""}
    except ValueError:
        entry = None
    if not (isinstance(entry, dict) and {"at", "kind"} <= entry.keys()):
        raise UsageError(
            f"{path} exists and is no transcript",
            why="nothing was written over",
            next_step="Give --trace another file, or remove this one.",
        )


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}


def _result(result: ToolResult) -> dict[str, Any]:
    return {
        "outcome": result.outcome,
        "text": result.text,
        "tokens": (tokens := estimate_tokens(result.text)),
        "tokens_read": tokens if result.tokens_read is None else result.tokens_read,
        "passages": [
            {"title": passage.title, "source": passage.source, "score": passage.score, "confidence": passage.confidence}
            for passage in result.passages
        ],
        "notices": [{"code": notice.code, "text": notice.text} for notice in result.notices],
    }


def _safe(value: Any) -> Any:
    """The same value with secrets cut out of every string in it, before anything is escaped for JSON."""
    if isinstance(value, str):
        return remove_secrets(value)[0]
    if isinstance(value, dict):
        return {key: _safe(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType] -- JSON values
    if isinstance(value, list | tuple):
        return [_safe(item) for item in value]  # pyright: ignore[reportUnknownVariableType] -- JSON values
    return value
