"""The whole research as one tool of a parent agent: its schema, its arguments as models write them, its result.

The MCP server and the Python integrations show and answer the same tool from here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docs_researcher.core.answer import Answer
from docs_researcher.core.errors import ArgumentsRefused, DocsResearchError
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import RESEARCH, ToolSpec
from docs_researcher.tools.arguments import checked_arguments

MIN_ANSWER_TOKENS = 100
"""Less than this holds no example."""

ALIASES = {
    "question": ("query", "userQuery", "user_query", "prompt"),
    "library": ("libraryName", "library_name", "libraryId", "library_id"),
    "version": (),
    "answer_tokens": ("answerTokens", "max_tokens", "tokens"),
}
"""The arguments, and other names that models use for them."""

RESEARCH_SPEC = ToolSpec(
    name=RESEARCH,
    title="Research library documentation",
    description="""\
Answer a question about a library, framework, SDK, API, command line tool or cloud service from its real documentation. The \
whole research runs inside: finding the library, choosing the version, reading. What comes back is one short Markdown answer \
with code letter for letter from the documentation, the version it is of, and its sources; none of the pages that were read.

Use it whenever an answer depends on how such a thing works: API syntax, options and defaults, configuration, set-up, migration \
between versions, an error that a library reports, the use of a command line tool. Use it also for well-known libraries: what \
you remember may be older than the version in use.

Do not use it for refactoring, for scripts that need no library, for faults in the user's own logic, for code review, or for \
general questions of programming.

Ask one thing a call, in a full sentence; several independent questions are several calls, at the same time if you like. Pass \
the answer's version and sources on to the user. If it asks a question back, ask the user or call again with `library`.""",
    input_schema={
        "type": "object",
        "properties": {
            "question": {
                "type": "string",
                "description": "What to find out, with the library's name and, where it matters, the version: "
                '"How do I validate a query string in fastify 5?". No keys, passwords or private code.',
            },
            "library": {
                "type": "string",
                "description": "Fixes the library: a name, name@version, a package (npm:fastify, pypi:pytest) or an id "
                "(/vercel/next.js). Leave it out when the question names it.",
            },
            "version": {
                "type": "string",
                "description": "The version in use, exact or in part: 15, 15.1.2, ^5. The nearest documented one answers "
                "otherwise, and says so.",
            },
            "answer_tokens": {
                "type": "integer",
                "minimum": MIN_ANSWER_TOKENS,
                "description": "The most tokens that the answer may have; 1500 unless given.",
            },
        },
        "required": ["question"],
    },
)
"""The tool as models see it."""


@dataclass(frozen=True, slots=True)
class ResearchArguments:
    """One call, checked."""

    question: str
    library: str | None = None
    """As `Researcher.research` takes it, the version included."""
    answer_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What the parent agent is given."""

    text: str
    """Markdown: the answer, or what went wrong and what to do next. Never empty."""
    is_error: bool = False
    """Whether there is no answer because something failed."""
    answer: Answer | None = None
    """The whole answer; None when there is none."""


def read_arguments(arguments: object) -> ResearchArguments:
    """The arguments of one call: a mapping, or the JSON text of one. See `tools.arguments.checked_arguments`.

    Raises:
        ArgumentsRefused: no question, or an argument that there is not or that cannot be used.
    """
    found = checked_arguments(RESEARCH_SPEC, ALIASES, arguments)
    library, version = found.get("library"), found.get("version")
    if version is not None:
        library = with_version(library, version, found["question"])
    return ResearchArguments(found["question"], library, found.get("answer_tokens"))


def read_row(values: Mapping[str, Any]) -> ResearchArguments:
    """The arguments in a row of a file, whose other fields are the file's own.

    Raises:
        ArgumentsRefused: no question, or an argument that cannot be used.
    """
    names = {name for key, others in ALIASES.items() for name in (key, *others)}
    return read_arguments({name: value for name, value in values.items() if name in names})


def with_version(library: str | None, version: str, question: str) -> str:
    """The library that a version given beside it belongs to, with the version in it.

    Without a library it belongs to the one that the question asks about. A version that stands in `library` itself comes first.

    Raises:
        ArgumentsRefused: neither names a library.
    """
    # Imported here, since a server shows the tool, for which a host waits, long before anybody calls it.
    from docs_researcher.library.packages import parse_package
    from docs_researcher.library.versions import parse_version

    if library is None:
        from docs_researcher.runtime.model_choice import known
        from docs_researcher.steps.question.identify import identify

        named = identify(question, known())
        library = named.docs_id.text if named.docs_id is not None else named.asked and named.asked.name
    if not library:
        raise ArgumentsRefused(
            "the argument 'version' needs a library", next_step="Say which library it is the version of: library."
        )
    if library.startswith("/"):
        return _id_at(library, version)
    package = parse_package(library)
    if package is not None:
        return library if package.version else f"{library}@{version}"
    _, at, written = library.rpartition("@")
    return library if at and parse_version(written) is not None else f"{library}@{version}"


def _id_at(text: str, version: str) -> str:
    """An id at a version; the sign of a range (`^15`) has no place in an id, where `15` means any 15."""
    parsed = LibraryId.try_parse(text)
    if parsed is None or parsed.version is not None:
        return text
    return parsed.at(version.lstrip("^~>=v ")).text


async def answer_call(research: Callable[[ResearchArguments], Awaitable[Answer]], arguments: object) -> ToolReply:
    """Answer one call of the tool. Errors of this package become a reply that says what to do next; nothing else is caught."""
    try:
        answer = await research(read_arguments(arguments))
    except DocsResearchError as error:
        return ToolReply(f"{error.message}.\n\n{error.next_step}".strip(), is_error=True)
    return ToolReply(answer.text, answer.status == "failed", answer)
