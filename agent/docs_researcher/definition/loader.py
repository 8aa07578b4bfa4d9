"""Agent definition files loaded: Claude Code's form, with what people really write in it mended and reported."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePath

from docs_researcher.core.errors import DefinitionError
from docs_researcher.definition import fields
from docs_researcher.definition.entries import Entry, Unreadable, read_yaml
from docs_researcher.definition.frontmatter import MAX_BYTES, decode, split
from docs_researcher.definition.mending import mend
from docs_researcher.definition.schema import AgentDefinition, RepairLog

BUILTIN_NAME = "docs-researcher.md"
SUFFIXES = frozenset({".md"})
"""File names that are agent definitions; compared without regard to case, as Claude Code does for plugins."""


def load_definition(path: str | os.PathLike[str]) -> AgentDefinition:
    """The agent definition in a file.

    Raises:
        DefinitionError: the file cannot be read, or says something that cannot be mended; with path, line and column.
    """
    shown = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DefinitionError(
            "the agent definition cannot be opened",
            why=error.strerror or str(error),
            next_step="Name a Markdown file that exists and that you may read.",
            path=shown,
        ) from error
    return parse_definition(data, source=shown)


def parse_definition(text: str | bytes, *, source: str = "<text>") -> AgentDefinition:
    """The agent definition in a text or in the bytes of a file; `source` is its path, for messages and a missing name.

    Raises:
        DefinitionError: like `load_definition`.
    """
    log = RepairLog(source)
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    parts = split(decode(data, log), log)
    read = read_yaml(parts.lines, parts.first_line, log)
    entries = mend(parts.lines, parts.first_line, read, log) if isinstance(read, Unreadable) else read
    by_key = {entry.key: entry for entry in entries}
    if "description" in by_key:
        by_key["description"] = _with_comment(by_key["description"], parts.lines, parts.first_line, log)
    unknown = fields.read_unknown(entries, log)
    limits, template, unknown_own = fields.read_own(
        by_key.get("docs-research"), fields.read_max_turns(by_key.get("maxTurns"), log), log
    )
    if not parts.body:
        log.add(parts.body_line, 1, "the file has no text below its frontmatter, so the agent has no instructions")
    return AgentDefinition(
        name=_name(by_key, parts.first_line, log),
        description=_description(by_key, parts.first_line, log),
        prompt=parts.body,
        model=fields.read_text(by_key.get("model"), log) or "inherit",
        tools=fields.read_tools(by_key.get("tools"), log),
        disallowed_tools=fields.read_tools(by_key.get("disallowedTools"), log) or (),
        limits=limits,
        template=template,
        unknown={**unknown, **unknown_own},
        repairs=log.sorted(),
        source=source,
        prompt_line=parts.body_line,
    )


@cache
def builtin_definition() -> AgentDefinition:
    """The definition of docs-researcher that comes with this package."""
    resource = files("docs_researcher.prompts") / BUILTIN_NAME
    return parse_definition(resource.read_bytes(), source=str(resource))


def _name(entries: Mapping[str, Entry], first_line: int, log: RepairLog) -> str:
    entry = entries.get("name")
    name = fields.read_text(entry, log)
    if not name:
        name = "" if log.path.startswith("<") else PurePath(log.path).stem
        if not name:
            raise _missing("name", "name: my-agent", entry, entries, first_line, log)
        log.add(entry.line if entry else first_line, 1, f"the file states no `name`; the agent is named {name!r} after it")
    if name.startswith("-") or ":" in name or "\n" in name:
        fault = log.yaml_fault()
        raise DefinitionError(
            f"the name {name!r} cannot be used",
            why=f"a name is one line, does not begin with - and holds no colon{f'; {fault}' if fault else ''}",
            next_step="Use lower-case letters and hyphens, such as `name: docs-researcher`.",
            path=log.path,
            line=entry.value_line if entry else first_line,
            column=entry.value_column if entry else 1,
        )
    return name


def _description(entries: Mapping[str, Entry], first_line: int, log: RepairLog) -> str:
    entry = entries.get("description")
    description = fields.read_text(entry, log)
    if not description:
        raise _missing("description", 'description: "When to use this agent."', entry, entries, first_line, log)
    return description.replace("\\n", "\n")  # written out by generators; Claude Code reads it as a line break


def _missing(
    key: str, example: str, entry: Entry | None, entries: Mapping[str, Entry], first_line: int, log: RepairLog
) -> DefinitionError:
    other = next((name for name in entries if name != key and name.lower() == key), None)
    why = f"`{other}` is not read: keys are written in lower case" if other else "every agent needs one"
    line, column = (entry.value_line, entry.value_column) if entry else (first_line, 1)
    what = f"`{key}` is empty" if entry else f"the frontmatter has no `{key}`"
    return DefinitionError(what, why=why, next_step=f"Write `{example}`.", path=log.path, line=line, column=column)


def _with_comment(entry: Entry, lines: tuple[str, ...], first_line: int, log: RepairLog) -> Entry:
    """Mend a description that YAML took for a comment as a whole; say so when it took the end of one for a comment."""
    line = lines[entry.line - first_line]
    if entry.value is None:
        text = line.partition(":")[2].strip()
        if not text.startswith("#"):
            return entry
        column = line.index("#") + 1
        log.add(entry.line, column, "the value of `description` was read as if it stood in quotes (for YAML, # begins a comment)")
        return replace(entry, value=text, text=text, value_column=column)
    start = entry.value_column - 1
    cut = line.find(" #", start) if entry.value_line == entry.line else -1
    if cut >= 0 and line[start] not in "\"'|>" and line[start:cut].strip() == entry.value:
        log.add(entry.line, cut + 2, "what follows # is a comment for YAML; put the description in quotes to keep it")
    return entry
