"""Frontmatter entries turned into the fields of an `AgentDefinition`, with wrong types mended or reported."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, cast

from docs_researcher.core.errors import DefinitionError
from docs_researcher.core.limits import Limits
from docs_researcher.definition.entries import Entry
from docs_researcher.definition.schema import (
    COSMETIC_KEYS,
    HOST_KEYS,
    KNOWN_KEYS,
    OWN_KEY,
    TEMPLATE_KINDS,
    USED_KEYS,
    RepairLog,
    TemplateKind,
)

LIMIT_NAMES = tuple(field.name for field in fields(Limits))
_MAY_BE_ZERO = frozenset({"resolve_calls", "query_calls"})
_WHOLE = frozenset({"turns", "resolve_calls", "query_calls", "tokens_read", "answer_tokens"})
_SEPARATOR = re.compile(r"[\s,]+")
_RULE = re.compile(r"\([^)]*\)")


def read_text(entry: Entry | None, log: RepairLog) -> str:
    """A value that has to be text; a number or another value is read as it stands in the file. Empty if there is none."""
    if entry is None or entry.value is None:
        return ""
    if isinstance(entry.value, str):
        return entry.value.strip()
    if entry.text is None:
        log.add(entry.value_line, entry.value_column, f"the value of `{entry.key}` has to be text and was left out")
        return ""
    log.add(
        entry.value_line, entry.value_column, f"the value of `{entry.key}` was read as the text {entry.text!r}; put it in quotes"
    )
    return entry.text.strip()


def read_tools(entry: Entry | None, log: RepairLog) -> tuple[str, ...] | None:
    """Tool names from text with commas or blanks, or from a list. None: no such key. Empty: the key allows no tool."""
    if entry is None:
        return None
    value = entry.value
    if isinstance(value, str):
        names = _names([value])
    elif isinstance(value, list):
        items = cast("list[object]", value)
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) < len(items):
            log.add(entry.value_line, entry.value_column, f"items of `{entry.key}` that are not text were left out")
        names = _names(texts)
    else:
        names = ()
        if value is not None:
            what = f"the value of `{entry.key}` has to be names with commas between them or a list; it was read as no tools"
            log.add(entry.value_line, entry.value_column, what)
    if not names and entry.key == "tools":
        log.add(entry.line, entry.column, '`tools` names no tool, so it allows none; leave the key out or write "*" to allow all')
    return names


def _names(texts: Iterable[str]) -> tuple[str, ...]:
    """Single names; `Bash(git log:*)` is a rule for `Bash` and counts as that name."""
    parts = (part for text in texts for part in _SEPARATOR.split(_RULE.sub(" ", text)))
    return tuple(dict.fromkeys(part for part in parts if part))


def read_max_turns(entry: Entry | None, log: RepairLog) -> int | None:
    """Claude Code's `maxTurns`: a whole number above 0, also in quotes; anything else is ignored and reported."""
    if entry is None or entry.value is None:
        return None
    number = _whole_number(entry.value)
    if number is None or number < 1:
        log.add(entry.value_line, entry.value_column, f"`maxTurns` has to be a whole number above 0, not {entry.text!r}; ignored")
        return None
    if not isinstance(entry.value, int):
        log.add(entry.value_line, entry.value_column, f"`maxTurns` was read as the number {number}")
    return number


def read_own(entry: Entry | None, max_turns: int | None, log: RepairLog) -> tuple[Limits, TemplateKind | None, Mapping[str, Any]]:
    """The limits, the template kind and the keys we do not know below `docs-research:`.

    `maxTurns` lowers or raises the limit of turns unless our own block states one.

    Raises:
        DefinitionError: a limit or the template kind cannot be what the file says.
    """
    limits = Limits().with_changes(turns=max_turns)
    if entry is None or entry.value is None:
        return limits, None, {}
    if not isinstance(entry.value, dict):
        raise _refused(
            entry, f"`{OWN_KEY}` holds no keys", "Write `limits:` or `template:` below it, indented by two spaces.", log
        )
    template: TemplateKind | None = None
    unknown: dict[str, Any] = {}
    for child in entry.children:
        if child.key == "limits":
            limits = _read_limits(child, limits, log)
        elif child.key == "template":
            template = _read_template(child, log)
        else:
            unknown[f"{OWN_KEY}.{child.key}"] = child.value
            log.add(child.line, child.column, _unknown(child.key, ("limits", "template"), f" below `{OWN_KEY}`"))
    return limits, template, unknown


def _read_limits(entry: Entry, limits: Limits, log: RepairLog) -> Limits:
    if entry.value is None:
        return limits
    if not isinstance(entry.value, dict):
        names = ", ".join(LIMIT_NAMES)
        raise _refused(entry, "`limits` holds no keys", f"Write limits below it, indented by two spaces: {names}.", log)
    return limits.with_changes(**{child.key: _read_limit(child, log) for child in entry.children})


def _read_limit(entry: Entry, log: RepairLog) -> float | None:
    if entry.key not in LIMIT_NAMES:
        close = _near(entry.key, LIMIT_NAMES, 0.6)
        hint = f"Did you mean `{close[0]}`?" if close else f"The limits are {', '.join(LIMIT_NAMES)}."
        raise _refused(entry, f"there is no limit `{entry.key}`", hint, log)
    if entry.key == "cost" and entry.value is None:
        return None
    number = _whole_number(entry.value) if entry.key in _WHOLE else _number(entry.value)
    least = 0 if entry.key in _MAY_BE_ZERO else 1 if entry.key in _WHOLE else None
    if number is None or (number <= 0 if least is None else number < least):
        kind = "a number above 0" if least is None else f"a whole number of at least {least}"
        raise _refused(entry, f"the limit `{entry.key}` cannot be {entry.text!r}", f"Write {kind}.", log)
    if isinstance(entry.value, str):
        log.add(entry.value_line, entry.value_column, f"the limit `{entry.key}` was read as the number {number}")
    return number


def _read_template(entry: Entry, log: RepairLog) -> TemplateKind | None:
    if entry.value is None:
        return None
    if entry.value not in TEMPLATE_KINDS:
        hint = "Write `template: jinja2`, or leave the key out to have the prompt taken literally."
        raise _refused(entry, f"there is no template kind {entry.text!r}", hint, log)
    return entry.value


def read_unknown(entries: Sequence[Entry], log: RepairLog) -> dict[str, Any]:
    """The top-level keys without effect here, each reported unless it only says how a host shows or confines the agent."""
    unknown: dict[str, Any] = {}
    for entry in entries:
        if entry.key in USED_KEYS:
            continue
        unknown[entry.key] = entry.value
        if entry.key in HOST_KEYS:
            what = f"`{entry.key}` has no effect here: a research run has its two tools and nothing else"
            log.add(entry.line, entry.column, what, is_fault=False)
        elif entry.key not in COSMETIC_KEYS:
            log.add(entry.line, entry.column, _unknown(entry.key, sorted(KNOWN_KEYS), ""))
    return unknown


def _unknown(key: str, known: Sequence[str], where: str) -> str:
    folded = {name.lower().replace("_", "").replace("-", ""): name for name in known}
    close = folded.get(key.lower().replace("_", "").replace("-", ""))
    near = [close] if close else _near(key, known, 0.8)
    hint = f"; did you mean `{near[0]}`?" if near else ""
    return f"the key `{key}`{where} is not known and has no effect{hint}"


def _near(name: str, known: Sequence[str], cutoff: float) -> list[str]:
    """The known name that looks most like this one, if any does. Only asked when something is wrong."""
    from difflib import get_close_matches

    return get_close_matches(name, known, n=1, cutoff=cutoff)


def _whole_number(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _number(value: object) -> float | int | None:
    """A number, or text that is one; None for anything else, and for true, infinity and what is not a number."""
    if isinstance(value, str):
        try:
            value = float(value) if "." in value else int(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def _refused(entry: Entry, what: str, next_step: str, log: RepairLog) -> DefinitionError:
    return DefinitionError(what, next_step=next_step, path=log.path, line=entry.value_line, column=entry.value_column)
