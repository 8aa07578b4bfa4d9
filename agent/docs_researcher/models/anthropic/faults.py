"""What can go wrong between us and a Messages API, in plain words, with whether it is worth another try.

Branches on status and error type, never on text or on class names: texts change, and classes were renamed within a major.
"""

from __future__ import annotations

from dataclasses import dataclass

import anthropic
import httpx2

from docs_researcher.models.anthropic.credentials import KEY_HELP

_TYPES = {
    "overloaded_error": (529, "the API is overloaded (not your machine)"),
    "rate_limit_error": (429, "the API's rate limit is reached"),
    "api_error": (500, "the API had an internal error"),
    "timeout_error": (504, "the API timed out"),
}
_RETRIED = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure of a turn."""

    words: str
    retry: bool
    wait: float | None = None
    """Seconds that the API asked us to wait, from `retry-after`."""
    next_step: str = ""
    status: int | None = None
    detail: str = ""
    """The API's own message, for branching on refused request fields."""


class TurnCut(Exception):
    """A stream that ended without saying that it was finished."""


def classify(error: Exception, base_url: str, model: str) -> Fault | None:
    """The fault behind an exception of one turn, or None for an exception that is not the API's."""
    if isinstance(error, anthropic.APIStatusError):
        return _status_fault(error, base_url, model)
    if isinstance(error, TurnCut | httpx2.RemoteProtocolError):
        return Fault("the API's reply broke off", retry=True)
    if isinstance(error, anthropic.APITimeoutError | httpx2.TimeoutException):
        return Fault("the API did not answer in time", retry=True)
    if isinstance(error, anthropic.APIConnectionError | httpx2.TransportError):
        cause = error.__cause__ or error
        return Fault(f"{base_url} cannot be reached ({cause})", retry=True, next_step="Check the address and the network.")
    if isinstance(error, TypeError) and "authentication" in str(error):
        return Fault("no key is set for the model", retry=False, next_step=KEY_HELP)
    if isinstance(error, ValueError):
        return Fault("the model's tool call could not be read", retry=True)
    return None


def _status_fault(error: anthropic.APIStatusError, base_url: str, model: str) -> Fault:
    # An error event inside a stream arrives with status 200; its type says what the status would have been.
    status, words = _TYPES.get(str(error.type), (error.status_code, ""))
    status = status if error.status_code == 200 else error.status_code
    words = words or next((text for code, text in _TYPES.values() if code == status), f"the API answered with status {status}")
    message = _api_message(error)
    if status in (401, 403):
        return Fault(f"{base_url} refused the key (status {status})", False, next_step=KEY_HELP, status=status, detail=message)
    if status == 404:
        return Fault(
            f"{base_url} knows no model {model!r}", False, next_step="Choose another with --model.", status=status, detail=message
        )
    if status == 402:
        return Fault("the account has no credit left", False, next_step="Add credit, or use --model extractive.", status=status)
    retry = status in _RETRIED
    told = error.response.headers.get("x-should-retry")
    if told in ("true", "false"):
        retry = told == "true"
    if not retry and message:
        words = f"{words}: {message}"
    return Fault(words, retry, _retry_after(error.response), status=status, detail=message)


def _api_message(error: anthropic.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error")  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType] -- the body is untyped
        if isinstance(inner, dict):
            return " ".join(str(inner.get("message", "")).split())[:300]  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return ""


def _retry_after(response: httpx2.Response) -> float | None:
    for header, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = response.headers.get(header)
        if value is None:
            continue
        try:
            return max(0.0, float(value) / scale)
        except ValueError:
            continue  # an HTTP date: the usual wait serves
    return None
