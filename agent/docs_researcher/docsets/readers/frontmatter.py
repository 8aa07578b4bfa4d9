"""The front matter of a Markdown file: YAML between `---` lines, TOML between `+++` lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

_YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_KEY_LINE = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:=][ \t]*(.*)$", re.MULTILINE)
_TYPED = re.compile(r"^(?:true|false|null|~|yes|no|[\[{&*!|>].*|\d{4}-\d\d-\d\d.*)$", re.IGNORECASE)
_PARSED_CHARACTERS = 65_536
"""Longer front matter is read line by line: three short values are wanted, not a document of its own."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a page says about itself. An empty string: not said, or not said as text or a number."""

    title: str = ""
    description: str = ""
    source: str = ""
    name: str = ""
    """What it is called in a list (`sidebar_label`), or by programs (`name`); a heading above the whole page says it better."""
    lines: int = 0
    """How many lines of the file it takes up."""


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    r"""The front matter of `text` (line breaks are `\n`) and the text behind it.

    Broken YAML or TOML is read line by line. A block between two rules that holds no key at all is not front matter.
    """
    marker = text[:3]
    if marker not in ("---", "+++"):
        return FrontMatter(), text
    match = (_YAML if marker == "---" else _TOML).match(text)
    if match is None:
        return FrontMatter(), text
    source = match.group(1)
    values = _parse(source, toml=marker == "+++") if len(source) <= _PARSED_CHARACTERS else None
    if values is None:
        values = _line_by_line(source)
        if not values and source.strip():
            return FrontMatter(), text
    front = FrontMatter(
        title=_text(values.get("title")),
        description=_text(values.get("description")),
        source=_text(values.get("source")),
        name=_text(values.get("sidebar_label")) or _text(values.get("name")),
        lines=match.group(0).count("\n"),
    )
    return front, text[match.end() :]


@lru_cache(maxsize=256)  # a page that others show is taken apart for each of them
def _parse(source: str, *, toml: bool) -> Mapping[str, Any] | None:
    """The values, or None when the source is not a mapping in its language."""
    try:
        values: object = _toml(source) if toml else _yaml(source)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, Any]", values) if isinstance(values, Mapping) else None


def _toml(source: str) -> object:
    import tomllib

    return tomllib.loads(source)


def _yaml(source: str) -> object:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader is missing from some builds of PyYAML
    try:
        return yaml.load(source, Loader=loader)  # noqa: S506 - both are safe loaders
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _line_by_line(source: str) -> dict[str, Any]:
    """The unindented `key: value` lines, values as text; typed words and nested values are left out. The first of a key wins."""
    values: dict[str, Any] = {}
    for key, raw in _KEY_LINE.findall(source):
        value = raw.strip()
        quoted = len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'"
        if quoted:
            value = value[1:-1]
        values.setdefault(key, None if not quoted and _TYPED.match(value) else value)
    return values


def _text(value: object) -> str:
    """A string or number as one line of text; anything else is not said."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return ""
    return " ".join(str(value).split())
