"""A tool result as plain JSON values beside its text, so that a client of ours loses nothing over MCP.

The text layout cannot carry the path, version, date and confidence of a passage. Our server adds them under one namespaced
`_meta` key, which hosts do not show to their model. What the text does carry is not sent twice: a value is written only
where it differs from what `core.layout` reads out of the text, so reading text and values together gives back exactly the
result that went in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar, cast, get_args

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.layout import parse_candidates, parse_passages
from docs_researcher.core.messages import ToolOutcome, ToolResult
from docs_researcher.core.passages import Candidate, Passage, RelatedPage, Reputation

RESULT_KEY = "docs-researcher/result"
"""The `_meta` key of a tool result."""

FORMAT = 1
"""Raised when a reader of the old form would misread the new one."""

_OUTCOMES: tuple[str, ...] = get_args(ToolOutcome)
_REPUTATIONS: tuple[str, ...] = get_args(Reputation)
_MAYBE_TEXT = (str, type(None))
_MAYBE_NUMBER = (int, float, type(None))
_PASSAGE_TYPES: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "content": (str,),
    "source": (str,),
    "library_id": (str,),
    "url": _MAYBE_TEXT,
    "path": _MAYBE_TEXT,
    "version": _MAYBE_TEXT,
    "date": _MAYBE_TEXT,
    "confidence": _MAYBE_NUMBER,
    "absent": (list,),
    "score": _MAYBE_NUMBER,
    "sections": (list,),
    "line": (int, type(None)),
    "untrusted": (bool,),
}
_CANDIDATE_TYPES: dict[str, tuple[type, ...]] = {
    "id": (str,),
    "title": (str,),
    "description": (str,),
    "snippets": (int, type(None)),
    "reputation": (str,),
    "score": _MAYBE_NUMBER,
    "versions": (list,),
    "source": _MAYBE_TEXT,
}
_LIBRARY_TYPES: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "id": (str,),
    "version": _MAYBE_TEXT,
    "version_choice": (str,),
}
_RELATED_TYPES: dict[str, tuple[type, ...]] = {
    "path": (str,),
    "title": (str,),
    "url": _MAYBE_TEXT,
    "links_to": (int,),
    "linked_from": (int,),
}
_NOTICE_TYPES: dict[str, tuple[type, ...]] = {"code": (str,), "text": (str,)}

_Value = TypeVar("_Value", Passage, Candidate)


def to_wire(result: ToolResult) -> dict[str, Any]:
    """The values of a result that its text does not carry, as JSON values."""
    return {
        "format": FORMAT,
        "outcome": result.outcome,
        "passages": _differences(result.passages, parse_passages(result.text), Passage("", "")),
        "candidates": _differences(result.candidates, parse_candidates(result.text), Candidate("", "")),
        "related": [asdict(page) for page in result.related],
        "notices": [asdict(notice) for notice in result.notices],
        "library": asdict(result.library) if result.library else None,
        "fetch_seconds": result.fetch_seconds,
        "finds_versions": result.finds_versions,
        "ask_again_in": result.ask_again_in,
    }


def from_wire(text: str, data: object) -> ToolResult | None:
    """The result whose text and `to_wire` values these are; None if `data` is not of that form.

    `data` may come from anybody, so every value is checked for its type.
    """
    try:
        return _read(text, _object(data))
    except _Malformed:
        return None


class _Malformed(Exception):
    """Values that our server did not write."""


def _differences(values: Sequence[_Value], parsed: Sequence[_Value], blank: _Value) -> list[dict[str, Any]]:
    bases = parsed if len(parsed) == len(values) else [blank] * len(values)
    written: list[dict[str, Any]] = []
    for value, base in zip(values, bases, strict=True):
        own = {field.name: getattr(value, field.name) for field in fields(value)}
        written.append({name: _json(item) for name, item in own.items() if item != getattr(base, name)})
    return written


def _json(value: Any) -> Any:
    return [_json(item) for item in cast("tuple[Any, ...]", value)] if isinstance(value, tuple) else value


def _read(text: str, data: Mapping[str, Any]) -> ToolResult:
    if data.get("format") != FORMAT or data.get("outcome") not in _OUTCOMES:
        raise _Malformed
    passages = _restored(data.get("passages"), parse_passages(text), Passage("", ""), _PASSAGE_TYPES)
    candidates = _restored(data.get("candidates"), parse_candidates(text), Candidate("", ""), _CANDIDATE_TYPES)
    library, seconds = data.get("library"), data.get("fetch_seconds", 0.0)
    if not isinstance(seconds, int | float) or isinstance(seconds, bool):
        raise _Malformed
    return ToolResult(
        text,
        passages=tuple(map(_passage, passages)),
        candidates=tuple(_candidate(values) for values in candidates),
        related=tuple(RelatedPage(**_checked(page, _RELATED_TYPES, complete=True)) for page in _array(data.get("related", []))),
        notices=tuple(Notice(**_checked(notice, _NOTICE_TYPES, complete=True)) for notice in _array(data.get("notices"))),
        outcome=data["outcome"],
        library=None if library is None else AnsweredLibrary(**_checked(library, _LIBRARY_TYPES, complete=True)),
        fetch_seconds=seconds,
        finds_versions=data.get("finds_versions") is True,
        ask_again_in=_seconds(data.get("ask_again_in")),
    )


def _seconds(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _restored(
    written: object, parsed: Sequence[_Value], blank: _Value, types: Mapping[str, tuple[type, ...]]
) -> list[dict[str, Any]]:
    entries = _array(written)
    bases = parsed if len(parsed) == len(entries) else [blank] * len(entries)
    return [
        {**{field.name: getattr(base, field.name) for field in fields(base)}, **_checked(entry, types)}
        for entry, base in zip(entries, bases, strict=True)
    ]


def _candidate(values: dict[str, Any]) -> Candidate:
    if values["reputation"] not in _REPUTATIONS:
        raise _Malformed
    values["versions"] = _texts(values["versions"])
    return Candidate(**values)


def _passage(values: dict[str, Any]) -> Passage:
    values["absent"] = _texts(values["absent"])
    values["sections"] = tuple(map(_section, values["sections"]))
    return Passage(**values)


def _section(value: object) -> tuple[str, float]:
    pair = tuple(cast("Sequence[object]", value)) if isinstance(value, list | tuple) else ()
    heading, share = pair if len(pair) == 2 else ("", None)
    if not isinstance(heading, str) or not isinstance(share, int | float) or isinstance(share, bool):
        raise _Malformed
    return heading, float(share)


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    found = tuple(value for value in values if isinstance(value, str))
    if len(found) != len(values):
        raise _Malformed
    return found


def _checked(entry: object, types: Mapping[str, tuple[type, ...]], *, complete: bool = False) -> dict[str, Any]:
    values = _object(entry)
    if complete and set(values) != set(types):
        raise _Malformed
    for name, value in values.items():
        if name not in types or not isinstance(value, types[name]) or isinstance(value, bool):
            raise _Malformed
    return dict(values)


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _Malformed
    return cast("dict[str, Any]", value)


def _array(value: object) -> list[object]:
    if not isinstance(value, list):
        raise _Malformed
    return cast("list[object]", value)
