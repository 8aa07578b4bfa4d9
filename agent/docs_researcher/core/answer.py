"""What a question gets back: one frozen value, its statuses and its exit codes.

The field names are the JSON contract of `--json` and of the `research-library-docs` tool; they are documented as stable.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Status = Literal["complete", "failed", "not_found", "partial", "needs_input", "refused"]

EXIT_CODES: dict[Status, int] = {
    "complete": 0,
    "failed": 1,
    "not_found": 3,
    "partial": 4,
    "needs_input": 5,
    "refused": 6,
}
"""The exit code of the command line for each status. 2 is kept for wrong arguments."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the asker has to know about the answer: a stable `code` and one sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class AnsweredLibrary:
    """The library that the answer is about."""

    name: str
    id: str
    """The id without a version, such as `/vercel/next.js`."""
    version: str | None
    """The version whose documentation was read; None where the source states none."""
    version_choice: str
    """How the version was chosen, in words: "asked for", "newest with docs", "nearest to 15 that has docs" ..."""


@dataclass(frozen=True, slots=True)
class Example:
    """One block of code, letter for letter as it stands in the documentation."""

    code: str
    language: str
    source: str
    """URL of the page, else its purl with the path."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Where the answer was taken from."""

    title: str
    url: str | None
    path: str | None
    """The page's path as shipped by its source (`dist/docs/01-app/...`); None from a foreign server."""
    library_id: str
    version: str | None
    date: str | None
    """Date of the documentation (ISO 8601, day), where the source states one."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The one question that has to be answered first, with at most four choices."""

    question: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """What the answer cost. Tokens are the estimate of `core.tokens`, except a model's own counts."""

    model: str = ""
    turns: int = 0
    tool_calls: int = 0
    tokens_read: int = 0
    """Tokens of documentation read inside, none of which reached the asker unasked."""
    tokens_returned: int = 0
    """Tokens of `Answer.text`."""
    seconds: float = 0.0
    cost: float | None = None
    """US dollars by the user's own price file; None without one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The one thing that leaves a research run."""

    status: Status
    text: str
    """Markdown for the reader; never empty."""
    library: AnsweredLibrary | None = None
    """None where no library was found, or none is needed."""
    examples: tuple[Example, ...] = ()
    """The blocks of code in `text`, in its order."""
    references: tuple[Reference, ...] = ()
    """The pages that `text` was taken from."""
    notices: tuple[Notice, ...] = ()
    needs: Needs | None = None
    """None unless the status is `needs_input`."""
    usage: AnswerUsage = field(default_factory=AnswerUsage)

    @property
    def exit_code(self) -> int:
        """The exit code of the command line for this answer."""
        return EXIT_CODES[self.status]

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values, with the field names of this class."""
        return asdict(self)
