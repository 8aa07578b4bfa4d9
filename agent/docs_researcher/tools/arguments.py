"""The arguments of tools, as models really write them.

Models reach for old and invented names (`userQuery`, `context7CompatibleLibraryID`). A known alias is rewritten, and only
when the right name is absent. What is neither is refused by our own tools, and ignored by the two documentation tools, as
Context7 ignores it. What cannot be used is refused with what can, before anything is asked: a refused call costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from docs_researcher.core.errors import ArgumentsRefused
from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.messages import QUERY, RESOLVE, ToolResult, ToolSpec
from docs_researcher.core.secrets import remove_secrets

VERSION = "version"
"""The one text that may be a whole number. No other number may: 2.10 would arrive as 2.1."""
SHOWN_CHARACTERS = 60
"""Of a value that cannot be used: enough to know it again."""
TOOL_ALIASES = {"get-library-docs": QUERY}
"""Names that the tools had before."""

_QUERY_ALIASES = ("userQuery", "question", "user_query", "topic")
ALIASES: dict[str, dict[str, tuple[str, ...]]] = {
    RESOLVE: {
        "query": _QUERY_ALIASES,
        "libraryName": ("library_name", "library", "name"),
    },
    QUERY: {
        "libraryId": (
            "context7CompatibleLibraryID",
            "context7CompatibleLibraryId",
            "libraryID",
            "libraryName",
            "library_id",
            "library",
        ),
        "query": _QUERY_ALIASES,
    },
}
"""For each tool its arguments, all of them required, and the other names under which they are accepted, first wins."""

_SHAPES = {
    RESOLVE: 'resolve-library-id takes {"libraryName": "Next.js", "query": "what to look up"}, both strings',
    QUERY: 'query-docs takes {"libraryId": "/owner/project", "query": "what to look up"}, both strings',
}


def canonical_tool(name: str) -> str | None:
    """The tool that `name` means (old names included), or None."""
    name = TOOL_ALIASES.get(name, name)
    return name if name in ALIASES else None


def canonical_arguments(tool: str, arguments: object) -> dict[str, str]:
    """The arguments of one call under their right names, with white space around the values removed.

    `arguments` is what the model wrote: a mapping, or the JSON text of one.

    Raises:
        ArgumentsRefused: no such tool, or an argument that is missing, empty, no string, or no library id.
    """
    name = canonical_tool(tool)
    if name is None:
        raise ArgumentsRefused(
            f"there is no tool {tool!r}", next_step=f"Call {RESOLVE} to find a library, or {QUERY} to read its documentation."
        )
    given = as_object(arguments)
    if given is None:
        raise ArgumentsRefused(f"the arguments of {name} are not an object", next_step=f"{_SHAPES[name]}.")
    found = {key: _value(name, key, first_given(given, key, aliases)) for key, aliases in ALIASES[name].items()}
    if "libraryId" in found:
        found["libraryId"] = _library_id(found["libraryId"])
    return found


def checked_arguments(spec: ToolSpec, aliases: Mapping[str, tuple[str, ...]], arguments: object) -> dict[str, Any]:
    """The arguments of a call of one of our own tools under their right names, each of the type that the tool's schema says.

    An optional argument that is null or empty is left out, since models fill in every argument that a schema has. A number
    written as text is taken as the number, and a whole number as a version.

    Args:
        spec: the tool.
        aliases: other names under which its arguments are accepted.
        arguments: what the model wrote: a mapping, or the JSON text of one.

    Raises:
        ArgumentsRefused: an argument that is missing, unknown, or not what the schema says; it names the argument, and what was
            expected.
    """
    given = as_object(arguments)
    properties: Mapping[str, Mapping[str, Any]] = spec.input_schema["properties"]
    takes = f"{spec.name} takes {', '.join(properties)}; {' and '.join(spec.input_schema['required'])} must be given."
    if given is None:
        raise ArgumentsRefused(f"the arguments of {spec.name} are not an object", next_step=takes)
    known = {name for key in properties for name in (key, *aliases.get(key, ()))}
    unknown = [name for name in given if name not in known]
    if unknown:
        raise ArgumentsRefused(f"{spec.name} has no argument {unknown[0]!r}", next_step=takes)
    found = {key: first_given(given, key, aliases.get(key, ())) for key in properties}
    checked = {key: _checked(spec.name, key, properties[key], value) for key, value in found.items() if not _is_empty(value)}
    for key in spec.input_schema["required"]:
        if key not in checked:
            raise ArgumentsRefused(f"{spec.name} needs the argument {key!r}, and it is missing or empty", next_step=takes)
    return checked


def as_object(arguments: object) -> Mapping[str, Any] | None:
    """The arguments of a call, also where they come as JSON in a string; None where they are no object."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return None
    return cast("Mapping[str, Any]", arguments) if isinstance(arguments, Mapping) else None


def first_given(given: Mapping[str, Any], key: str, aliases: tuple[str, ...]) -> object:
    """The value under the right name, else under the first alias that is present; None when there is none."""
    return next((given[name] for name in (key, *aliases) if name in given), None)


def without_secrets(arguments: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """The arguments with every secret in `query` replaced by a mark, and how many secrets there were."""
    query, count = remove_secrets(arguments.get("query", ""))
    return ({**arguments, "query": query}, count) if count else (dict(arguments), 0)


def refused_result(error: ArgumentsRefused) -> ToolResult:
    """What the model is told about a refused call."""
    return ToolResult(f"{error.message}.\n\n{error.next_step}".strip(), outcome="refused")


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _checked(tool: str, key: str, schema: Mapping[str, Any], value: object) -> object:
    """A value that is not empty, held against the schema of its argument."""
    if schema["type"] == "string":
        if key == VERSION and isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise _unfit(tool, key, value, "a string")
        if value.strip() not in schema.get("enum", (value.strip(),)):
            raise _unfit(tool, key, value, " or ".join(map(repr, schema["enum"])))
        return value.strip()
    number = _whole(value)
    least = schema.get("minimum")
    if number is None or (least is not None and number < least):
        raise _unfit(tool, key, value, "a whole number" + (f" of at least {least}" if least is not None else ""))
    return number


def _whole(value: object) -> int | None:
    """A whole number, also one that is written as text or with a fraction of nothing; None for anything else."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    try:
        return None if isinstance(value, bool) else int(str(value))
    except ValueError:
        return None


def _unfit(tool: str, key: str, value: object, expected: str) -> ArgumentsRefused:
    shown = repr(value)
    shown = shown if len(shown) <= SHOWN_CHARACTERS else f"{shown[:SHOWN_CHARACTERS]}…"
    return ArgumentsRefused(f"the argument {key!r} of {tool} cannot be {shown}", next_step=f"Give it {expected}.")


def _value(tool: str, key: str, value: object) -> str:
    if value is None:
        problem = f"{tool} needs the argument {key!r}"
    elif not isinstance(value, str):
        problem = f"the argument {key!r} of {tool} is not a string"
    elif not value.strip():
        problem = f"the argument {key!r} of {tool} is empty"
    else:
        return value.strip()
    raise ArgumentsRefused(problem, next_step=f"{_SHAPES[tool]}.")


def _library_id(text: str) -> str:
    text = text.strip("`\"' ")
    if LibraryId.try_parse(text) is not None:
        return text
    hint = f" If you mean the id /{text}, write it with the slash in front." if LibraryId.try_parse(f"/{text}") else ""
    raise ArgumentsRefused(
        f"{text!r} is not a library id, which looks like /owner/project or /owner/project/version",
        next_step=f'Call resolve-library-id first, with {{"libraryName": {json.dumps(text)}, "query": "…"}}, '
        f"and use an id from its answer.{hint}",
    )
