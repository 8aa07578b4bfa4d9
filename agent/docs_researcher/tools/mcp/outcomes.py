"""What a foreign server's text really is: documentation, or a message about why there is none.

Context7's server hands every failure back as ordinary text, without an error flag: a missing library, a spent quota, an
unfinished index, a broken network. Taken for documentation, such a sentence would be summarised as if it were the answer.

A text is taken for a message only if the whole of it has that shape: short, no passage layout, no code, and a known
beginning. Documentation that merely speaks of rate limits or invalid keys stays documentation.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import cast

from docs_researcher.core.clean import clean
from docs_researcher.core.layout import CANDIDATES_HEADER, PASSAGE_RULE
from docs_researcher.core.library_id import find_ids
from docs_researcher.core.lines import lines_of
from docs_researcher.core.messages import QUERY, RESOLVE, ToolOutcome

MESSAGE_CHARACTERS = 1_200
"""A longer text is no message."""
MESSAGE_LINES = 8
"""A text with more lines (blank ones aside) is no message."""
QUOTED_CHARACTERS = 300
"""As much of a server's message is passed on: enough to act on, too little to give orders."""

_CODES: dict[str, ToolOutcome] = {
    "library_not_finalized": "not_ready",
    "library_redirected": "redirected",
    "validation_error": "refused",
    "invalid_library_id": "refused",
    "invalid_api_key": "unauthorised",
    "unauthorized": "unauthorised",
    "access_denied": "unauthorised",
    "forbidden": "unauthorised",
    "spending_limit_exceeded": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "library_not_found": "not_found",
    "tag_not_found": "not_found",
    "no_snippets_found": "not_found",
    "no_libraries_found": "not_found",
    "internal_error": "unavailable",
    "search_failed": "unavailable",
    "timeout": "unavailable",
}
"""The API's error codes; an unknown one is "error"."""

_WITHIN = r"(?:(?![.!?]\s).){0,200}?"
"""Anything up to the end of the sentence; a dot inside an id does not end one."""
_END = r"(?=[.:;!,\n]|\s*$)"
_BEGINNINGS: tuple[tuple[str, ToolOutcome], ...] = (
    (r"input validation error\b", "refused"),
    (r"(?:mcp error )?-3260[02]\b", "refused"),
    (rf"(?:the |your )?(?:invalid|missing|expired|unknown)(?: or (?:missing|expired))? api key{_END}", "unauthorised"),
    (rf"(?:your |the )?api key is (?:invalid|missing|expired|unknown){_END}", "unauthorised"),
    (rf"unauthori[sz]ed{_END}", "unauthorised"),
    (
        rf"(?:you (?:have been |are ))?rate.limit(?:ed)?(?: or quota)?(?: has been)?(?: exceeded| reached)?{_END}",
        "rate_limited",
    ),
    (rf"(?:your )?(?:\w+ )?quota (?:has been )?exceeded{_END}", "rate_limited"),
    (rf"(?:\d{{3}} )?too many requests{_END}", "rate_limited"),
    (r"documentation not found or not finali[sz]ed\b", "not_found"),
    (
        rf"(?:this |the )?library\b{_WITHIN}\bis (?:still being|being|not yet|not) (?:finali[sz]ed|processed|indexed)\b",
        "not_ready",
    ),
    (
        rf"(?:this |the )?library\b{_WITHIN}\b(?:has moved|was moved|(?:been |was )?redirected|(?:been |was )?renamed)\b",
        "redirected",
    ),
    (
        rf"(?:this |the )?library\b{_WITHIN}\b(?:does not exist|(?:was |could )?not (?:be )?found)(?=[.:;!,]|\s*$| or )",
        "not_found",
    ),
    (rf"(?:the )?(?:tag|version)\b{_WITHIN}\b(?:does not exist|(?:was |is )?not (?:found|available))\b", "not_found"),
    (
        r"no (?:\w+ )?(?:libraries|library|documentation|docs|snippets|results?|matches)(?: (?:were|was))?"
        r" (?:found|available|matched|match)\b",
        "not_found",
    ),
    (r"(?:documentation|docs|snippets) (?:was |were )?not found(?=[.:;!,]|\s*$| for )", "not_found"),
    (r"error (?:fetching|searching|retrieving)\b", "unavailable"),
    (r"(?:\w*error: )?fetch failed\b", "unavailable"),
    (r"(?:internal server error|bad gateway|service unavailable|gateway time-?out)" + _END, "unavailable"),
)
_SHAPES: tuple[tuple[re.Pattern[str], ToolOutcome], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), outcome) for pattern, outcome in _BEGINNINGS
)
_STATUS = re.compile(r"(?:error:? )?request failed with (?:http )?status(?: code)? (\d{3})\b", re.IGNORECASE)
_PAGE = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)
_TAGS = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.IGNORECASE | re.DOTALL)
_LAYOUT_LINE = re.compile(rf"^(?:#{{1,6}} |`{{3,}}|~{{3,}}|{PASSAGE_RULE}\s*$|{CANDIDATES_HEADER})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a server's text is. `said` quotes a message in one line, cleaned and cut; it is empty for documentation."""

    outcome: ToolOutcome
    said: str = ""
    moved_to: str | None = None
    """For "redirected": the library's new id, when the message names one."""


def read_outcome(text: str, *, is_error: bool = False) -> Reading:
    """What `text` is. `is_error` is the server's own flag: such a text is a message whatever its shape."""
    if not text.strip():
        return Reading("error", "the server returned no text") if is_error else Reading("not_found", "an empty answer")
    found = _json_message(text) or _page(text)
    if found is None and (is_error or _is_message_shaped(text)):
        found = _sentence(text)
    if found is None and is_error:
        found = Reading("error", _quoted(text))
    return found or Reading("ok")


def failure_text(reading: Reading, server: str, tool: str) -> str:
    """What a model is told about a failed call: what happened, the server's words in quotes, what to do next."""
    what, next_step = _WORDS[reading.outcome]
    quoted = f' It said: "{reading.said}"' if reading.said else ""
    if reading.moved_to:
        next_step = f"Call {QUERY} with the id {reading.moved_to}."
    elif reading.outcome == "not_found" and tool == RESOLVE:
        next_step = "Try the name as its makers write it, or its package name; else say that it was not found."
    return f"{tool} on the server {server}: {what}.{quoted}\n\nNext: {next_step}"


_WORDS: dict[ToolOutcome, tuple[str, str]] = {
    "ok": ("done", "read it"),
    "not_found": (
        "nothing was found under that id, or not for that version",
        f"Call {QUERY} once with the id without its version and say that the version was not found, or call {RESOLVE} again.",
    ),
    "not_ready": (
        "the library is known but not ready to be read",
        "Say so; use another candidate only if it is the same library.",
    ),
    "redirected": ("the library has moved to another id", f"Call {RESOLVE} again for its new id."),
    "unauthorised": (
        "the credentials were refused",
        "Stop calling this server. The user has to check the key in the server's configuration.",
    ),
    "rate_limited": ("rate limited, or the quota is spent", "Stop calling this server and answer with what was read so far."),
    "unavailable": (
        "the server could not reach its documentation",
        "Try once more at most, else answer with what was read so far.",
    ),
    "refused": ("the arguments were refused", "Correct the arguments and call again."),
    "limit": ("the answer was too large to be read", "Ask a narrower question."),
    "error": ("the call failed", "Answer with what was read so far and say that the lookup failed."),
}


def _json_message(text: str) -> Reading | None:
    """A body of the API that was passed on as it came: an object with `error` and hardly more."""
    if not text.lstrip().startswith("{") or len(text) > MESSAGE_CHARACTERS:
        return None
    try:
        body = json.loads(text)
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    values = cast("dict[str, object]", body)
    code, message = values.get("error"), values.get("message")
    if not isinstance(code, str) or len(values) > 5:
        return None
    said = message if isinstance(message, str) and message else code
    outcome = _CODES.get(code.lower())
    if outcome is None:
        sentence = _sentence(said)
        outcome = sentence.outcome if sentence else "error"
    moved = values.get("redirectUrl")
    return Reading(
        outcome, _quoted(said), _moved_to(moved if isinstance(moved, str) else said) if outcome == "redirected" else None
    )


def _page(text: str) -> Reading | None:
    """An HTML page where text was due: a proxy's or a gateway's."""
    if not _PAGE.match(text):
        return None
    return Reading("unavailable", _quoted(_TAGS.sub(" ", text[:20_000])) or "an HTML page")


def _is_message_shaped(text: str) -> bool:
    lines = [line for line in lines_of(text) if line.strip()]
    return len(text) <= MESSAGE_CHARACTERS and len(lines) <= MESSAGE_LINES and not _LAYOUT_LINE.search(text)


def _sentence(text: str) -> Reading | None:
    start = text.strip().lstrip("*_>❌⚠ \ufe0f")
    status = _STATUS.match(start)
    if status:
        return Reading(_status_outcome(int(status.group(1))), _quoted(text))
    for pattern, outcome in _SHAPES:
        if pattern.match(start):
            return Reading(outcome, _quoted(text), _moved_to(text) if outcome == "redirected" else None)
    return None


def _status_outcome(status: int) -> ToolOutcome:
    if status in (401, 403):
        return "unauthorised"
    if status in (402, 429):
        return "rate_limited"
    if status == 404:
        return "not_found"
    return "unavailable" if status >= 500 else "error"


def _moved_to(text: str) -> str | None:
    """The last id in a message about a move: the new one stands behind the old one."""
    ids = find_ids(text)
    return ids[-1] if ids else None


def _quoted(text: str) -> str:
    line = " ".join(clean(text).split()).replace('"', "'")
    return line if len(line) <= QUOTED_CHARACTERS else line[: QUOTED_CHARACTERS - 1].rstrip() + "…"
