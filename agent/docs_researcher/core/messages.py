"""The conversation of one research run, as values that do not know who thinks.

A conversation is one `UserMessage`, then `AssistantMessage` and `ToolMessage` in turn. Each tool call of an assistant
message gets exactly one result in the tool message behind it, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from docs_researcher.core.answer import AnsweredLibrary, Needs, Notice, Status
from docs_researcher.core.passages import Candidate, Passage, RelatedPage

RESOLVE = "resolve-library-id"
QUERY = "query-docs"
"""The names of the two documentation tools."""
RESEARCH = "research-library-docs"
"""The name of the tool that is the whole research."""

ToolOutcome = Literal[
    "ok",
    "not_found",
    "not_ready",
    "redirected",
    "unauthorised",
    "rate_limited",
    "unavailable",
    "refused",
    "limit",
    "error",
]
"""What a tool result is. Only "ok" may become evidence; everything else is a message about why there is none."""

StopReason = Literal["end", "tool_calls", "max_tokens", "refused", "cut"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is shown to a model."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    title: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a model asks for. `arguments` are as the model wrote them, aliases included."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a documentation tool answered.

    `text` is the tool's text in the layout of `core.layout`: what a model reads, byte for byte the same from every transport.
    `passages` and `candidates` are the same content as values; `notices` are for the asker.
    """

    text: str
    passages: tuple[Passage, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    related: tuple[RelatedPage, ...] = ()
    """Pages that the passages link to or are linked from, best first. The text does not name them."""
    notices: tuple[Notice, ...] = ()
    outcome: ToolOutcome = "ok"
    library: AnsweredLibrary | None = None
    """The library and version that a `query-docs` result was read from, where the provider knows it."""
    fetch_seconds: float = 0.0
    """How much of the call went into fetching and indexing documentation for the first time."""
    ask_again_in: int | None = None
    """Of documentation that is not ready: the seconds after which it may be, as the text says too."""
    tokens_read: int | None = None
    """Of a result that was trimmed for a model: the tokens that were read for it; None where all that was read is shown."""
    finds_versions: bool = False
    """Of candidates: an id may be queried at any version, listed or not. The provider takes the nearest and says which."""

    @property
    def is_error(self) -> bool:
        """Whether the model has to be told that the call failed."""
        return self.outcome not in ("ok", "not_found")


@dataclass(frozen=True, slots=True)
class UserMessage:
    """The question, or what the runtime has to say later on.

    `ahead` are calls that the runtime made before the first turn, with their results: shown as a labelled block of the
    message, never as turns of the model.
    """

    text: str
    ahead: tuple[tuple[ToolCall, ToolResult], ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One turn of the model. `raw` is the model adapter's own form, sent back unchanged."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    raw: object = None


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The results of the calls of the assistant message before it, in the order of those calls."""

    results: tuple[tuple[ToolCall, ToolResult], ...]


Message = UserMessage | AssistantMessage | ToolMessage


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """Tokens of one model turn as the model's API counts them; zero for a model that has no API."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """One turn of a model: tool calls, or the final text.

    A model that knows more about its final text than Markdown can carry says so in `status`, `needs` and `notices`; None leaves
    the judgement to the runtime.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: ModelUsage = field(default_factory=ModelUsage)
    status: Status | None = None
    needs: Needs | None = None
    notices: tuple[Notice, ...] = ()
    library: AnsweredLibrary | None = None
    """The library that the final text is about, if the model knows better than the ledger."""
    is_finished: bool = False
    """That the model would have asked for nothing more, had it been allowed: a limit that closed the turn took nothing away."""
    raw: object = None
