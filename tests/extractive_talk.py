"""A conversation with the extractive model, grown turn by turn as a runtime would let it grow."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.ledger import Ledger
from docs_researcher.core.limits import Limits, Meter
from docs_researcher.core.messages import (
    QUERY,
    RESOLVE,
    AssistantMessage,
    Message,
    Reply,
    ToolMessage,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.models.base import ModelRequest, Question
from docs_researcher.models.extractive import ExtractiveModel

CATALOGUE = Catalogue.load()
TOOLS = (ToolSpec(RESOLVE, "", {}), ToolSpec(QUERY, "", {}))
NEXT = Candidate("/vercel/next.js", "Next.js", "The React framework", 900, "High", versions=("v15.1.8", "v14.3.0"))
LIBRARY = AnsweredLibrary("next", "/vercel/next.js", "15.1.8", "newest 15")
PASSAGE = Passage(
    "redirect > Usage",
    "To redirect a visitor, call `redirect` with a path:\n\n"
    "```tsx\nimport { redirect } from 'next/navigation'\n\nredirect('/login')\n```\n",
    "pkg:npm/next@15.1.8#docs/redirect.md",
    "/vercel/next.js",
    path="docs/redirect.md",
    version="15.1.8",
    confidence=0.95,
    score=9.0,
)


@dataclass
class Talk:
    """A conversation that grows as a runtime would let it grow."""

    question: Question
    messages: list[Message] = field(default_factory=lambda: [UserMessage("q")])
    meter: Meter = field(default_factory=lambda: Meter(Limits()))
    tools: tuple[ToolSpec, ...] = TOOLS

    def turn(self) -> Reply:
        request = ModelRequest(
            "", self.question, tuple(self.messages), self.tools, Ledger(), self.meter, None if self.tools else "a limit"
        )
        return asyncio.run(ExtractiveModel(lambda: CATALOGUE).reply(request))

    def answer_with(self, reply: Reply, *results: ToolResult) -> None:
        self.messages.append(AssistantMessage(reply.text, reply.tool_calls))
        self.messages.append(ToolMessage(tuple(zip(reply.tool_calls, results, strict=True))))
        for call in reply.tool_calls:
            self.meter.count_call(call.name)


def talk(text: str, library: str | None = None, answer_tokens: int = 1_500) -> Talk:
    return Talk(Question(text, library, answer_tokens))


def calls(reply: Reply) -> list[tuple[str, dict[str, str]]]:
    return [(call.name, dict(call.arguments)) for call in reply.tool_calls]


def queried(reply: Reply) -> list[str]:
    return [str(call.arguments["query"]) for call in reply.tool_calls if call.name == QUERY]


def found(*passages: Passage, notices: Sequence[Notice] = (), library: AnsweredLibrary | None = LIBRARY) -> ToolResult:
    return ToolResult("text", passages=passages, notices=tuple(notices), library=library)


def resolved(question: str = "How do I redirect a visitor in Next.js 15?", *candidates: Candidate) -> Talk:
    one = talk(question)
    one.answer_with(one.turn(), ToolResult("text", candidates=candidates or (NEXT,)))
    return one
