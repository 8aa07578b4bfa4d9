"""A definition's prompt made ready for a run: as it stands, or rendered as a Jinja2 template.

Only definitions marked `template: jinja2` are rendered, in a sandbox, with the variables listed in `VARIABLES` and with the
partials of this package (`{% include "server_notes.md" %}`). There is no clock among the variables: the same settings of a
run give the same prompt, byte for byte, so that a model's prompt cache holds from one question to the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition.schema import AgentDefinition

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

VARIABLES: Mapping[str, str] = {
    "limits": "the limits of the run (core.limits.Limits): limits.resolve_calls, limits.query_calls, limits.answer_tokens ...",
    "tools": "the names of the offered tools, in a stable order",
    "libraries": "what the user's project depends on, one text each such as `next 15.1.8 (/vercel/next.js)`; empty by default",
    "server_notes": "instructions of foreign documentation servers, each a ServerNote; empty by default, which leaves them out",
}
"""Every variable that a template may use, and what it holds. The first two are given for every run."""

_OPTIONAL: Mapping[str, tuple[object, ...]] = {"libraries": (), "server_notes": ()}

MAX_PROMPT_CHARACTERS = 200_000
"""Stops a template that writes without end; a prompt of this size would leave most models no room to work."""

MAX_SERVER_NOTE_CHARACTERS = 2_000
"""Hosts cut a server's instructions at about this size."""

_TEMPLATE_FILE = "<template>"
"""The file name that Jinja2 gives to a template made from a string."""

_PARTIAL_NAME = re.compile(r"[a-z0-9_-]+\.md")


@dataclass(frozen=True, slots=True)
class ServerNote:
    """What a documentation server says about its own use. Text from outside: shown to the model as such, cut and cleaned."""

    server: str
    text: str


def render(definition: AgentDefinition, variables: Mapping[str, Any]) -> str:
    """The prompt of a definition for a run with these variables. A definition that is no template is returned as it stands.

    Raises:
        ValueError: a variable that `VARIABLES` does not list.
        DefinitionError: the template cannot be rendered; with path and line.
    """
    foreign = sorted(variables.keys() - VARIABLES.keys())
    if foreign:
        raise ValueError(f"not a variable of prompt templates: {', '.join(foreign)}")
    if definition.template is None:
        return definition.prompt
    values: dict[str, Any] = {**_OPTIONAL, **variables}
    values["server_notes"] = tuple(_safe_note(note) for note in values["server_notes"])
    values["libraries"] = tuple(_one_line(str(library)) for library in values["libraries"])
    try:
        return _joined(_environment().from_string(definition.prompt).generate(**values))
    except Exception as error:  # whatever a template does wrong is reported as a fault of its file
        raise _template_error(definition, error) from error


def _joined(pieces: Iterable[str]) -> str:
    texts: list[str] = []
    length = 0
    for piece in pieces:
        texts.append(piece)
        length += len(piece)
        if length > MAX_PROMPT_CHARACTERS:
            raise ValueError(f"the prompt grows beyond {MAX_PROMPT_CHARACTERS:,} characters")
    return "".join(texts).strip()


def _safe_note(note: ServerNote) -> ServerNote:
    text = clean(note.text).strip()
    if len(text) > MAX_SERVER_NOTE_CHARACTERS:
        text = text[:MAX_SERVER_NOTE_CHARACTERS].rstrip() + " [cut]"
    return ServerNote(_one_line(note.server), text)


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    from jinja2 import FunctionLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=FunctionLoader(_partial),
        undefined=StrictUndefined,
        autoescape=False,  # the output is Markdown for a model, never HTML
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _partial(name: str) -> str | None:
    """The text of a partial of this package; None for any other name, so that no file outside can be included."""
    if not _PARTIAL_NAME.fullmatch(name):
        return None
    resource = files("docs_researcher.prompts") / "partials" / name
    return resource.read_text(encoding="utf-8") if resource.is_file() else None


def _template_error(definition: AgentDefinition, error: Exception) -> DefinitionError:
    from jinja2 import TemplateNotFound, UndefinedError

    line = _line(error)
    if isinstance(error, UndefinedError):
        next_step = f"The variables are {', '.join(VARIABLES)}."
    elif isinstance(error, TemplateNotFound):
        next_step = 'Include partials of this package by their file name, such as {% include "server_notes.md" %}.'
    else:
        next_step = "Mend the template, or take out `template: jinja2` to have the prompt taken literally."
    return DefinitionError(
        "the prompt template cannot be rendered",
        why=str(error) or type(error).__name__,
        next_step=next_step,
        path=definition.source,
        line=None if line is None else definition.prompt_line + line - 1,
    )


def _line(error: Exception) -> int | None:
    """The line of the template that an error comes from: Jinja2 puts template lines into the traceback."""
    line = getattr(error, "lineno", None)
    if isinstance(line, int):
        return line
    lines = [number for frame, number in walk_tb(error.__traceback__) if frame.f_code.co_filename == _TEMPLATE_FILE]
    return lines[-1] if lines else None
