"""Text out of the JavaScript literals that components take: `items={['npm', 'pnpm']}`, `content={[{ name: 'api' }]}`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias, cast

Literal: TypeAlias = "str | bool | list[Literal] | dict[str, Literal] | None"

_SKIPPED = re.compile(r"(?:[\s,;]+|//[^\n]*)*")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)
_KEY = re.compile(r"([A-Za-z_$][\w$-]*)\s*:|[\"']([^\"'\n]+)[\"']\s*:")
_WORD = re.compile(r"[\w$.+-]+")
_PLAIN = re.compile(r"[^{}()\[\],\"'`]+")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_NAMES = ("name", "parameter", "prop", "title", "label", "question")
_QUIET = frozenset({"href", "icon", "src", "id", "key", "class", "className", "image", "url", "link", "to", "value"})
_DEPTH = 12
"""Deeper nesting than any table of properties has; below it nothing is read."""


@dataclass(slots=True)
class _Cursor:
    text: str
    position: int = 0
    left: int = 0
    """Work that failed matches may still cost; at zero the rest of the text is given up, so that odd input stays linear."""

    def peek(self) -> str:
        """The next character behind spaces, commas and comments; empty at the end."""
        while True:
            match = _SKIPPED.match(self.text, self.position)
            if match:
                self.position = match.end()
            if not self.text.startswith("/*", self.position):
                return self.text[self.position : self.position + 1]
            closing = self.text.find("*/", self.position + 2)
            self.position = len(self.text) if closing < 0 else closing + 2

    def string(self) -> str | None:
        """The string literal that starts here, read; None when there is none."""
        match = _STRING.match(self.text, self.position)
        if match:
            self.position = match.end()
            return _unescape(match.group()[1:-1])
        if self.text[self.position : self.position + 1] in ("`", '"', "'"):
            self.left -= len(self.text) - self.position
            if self.left <= 0:
                self.position = len(self.text)
        return None


def parse_literal(text: str) -> Literal:
    """The strings of a literal in its structure. What is not a literal (functions, names, calls) becomes None; never raises."""
    return _value(_Cursor(text, left=4 * len(text) + 10_000), 0)


def _value(cursor: _Cursor, depth: int) -> Literal:
    character = cursor.peek()
    if character == "[" and depth < _DEPTH:
        return _array(cursor, depth)
    if character == "{" and depth < _DEPTH:
        return _object(cursor, depth)
    string = cursor.string()
    if string is not None:
        return string
    word = _WORD.match(cursor.text, cursor.position)
    if word and word.group() in ("true", "false"):
        cursor.position = word.end()
        return word.group() == "true"
    return _other(cursor)


def _array(cursor: _Cursor, depth: int) -> Literal:
    cursor.position += 1
    items: list[Literal] = []
    while (character := cursor.peek()) not in ("]", ""):
        before = cursor.position
        items.append(_value(cursor, depth + 1))
        if cursor.position == before or character in "})":
            cursor.position = before + 1
    cursor.position += 1
    return items


def _object(cursor: _Cursor, depth: int) -> Literal:
    cursor.position += 1
    entries: dict[str, Literal] = {}
    while cursor.peek() not in ("}", ""):
        key = _KEY.match(cursor.text, cursor.position)
        if key is None:  # a spread, a shorthand, a method
            before = cursor.position
            _other(cursor)
            cursor.position = max(cursor.position, before + 1)
            continue
        cursor.position = key.end()
        entries[key.group(1) or key.group(2)] = _value(cursor, depth + 1)
    cursor.position += 1
    return entries


def _other(cursor: _Cursor) -> Literal:
    """Skip an expression up to the comma or bracket that ends it. JSX gives its text, joined strings their text."""
    start = cursor.position
    depth = 0
    strings: list[str] = []
    while cursor.position < len(cursor.text):
        character = cursor.text[cursor.position]
        if character in "{[(":
            depth += 1
        elif character in "}])":
            if depth == 0:
                break
            depth -= 1
        elif character == "," and depth == 0:
            break
        string = cursor.string() if character in "\"'`" else None
        if string is None:
            plain = _PLAIN.match(cursor.text, cursor.position)
            cursor.position = plain.end() if plain else cursor.position + 1
        elif depth == 0:
            strings.append(string)
    source = cursor.text[start : cursor.position].strip().strip("()").strip()
    if source.startswith("<"):
        return " ".join(_TAG.sub(" ", source).split()) or None
    return "".join(strings) or None


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda match: {"n": "\n", "t": "\t"}.get(match.group(1), match.group(1)), text) if "\\" in text else text


def template_text(literal: str) -> str:
    """The text of a template literal, given with its back-ticks."""
    return _unescape(literal.strip()[1:-1])


def render_literal(value: Literal) -> str:
    """The text of a literal as Markdown: strings in a row, objects as list items, nested ones indented. Empty: no text."""
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        strings = [" ".join(item.split()) for item in value if isinstance(item, str)]
        if strings and len(strings) == len(value):
            return ", ".join(strings)
        return "\n".join(_items(value, 0))
    if isinstance(value, dict):
        return "\n".join(_item(value, 0))
    return ""


def _items(values: list[Literal], depth: int) -> list[str]:
    lines: list[str] = []
    for value in values:
        if isinstance(value, str):
            lines.append("  " * depth + "- " + " ".join(value.split()))
        elif isinstance(value, dict):
            lines.extend(_item(value, depth))
        elif isinstance(value, list):
            lines.extend(_items(value, depth))
    return lines


def _item(entries: dict[str, Literal], depth: int) -> list[str]:
    """One object as a list item: its name, its type in brackets, its other texts; what is nested follows one step in."""
    name_key = next((key for key in _NAMES if isinstance(entries.get(key), str)), "")
    head = ""
    if name_key:
        name = " ".join(cast("str", entries[name_key]).split())
        head = f"**{name}**" if name_key in ("title", "label", "question") or "`" in name else f"`{name}`"
        target = entries.get("href", entries.get("link"))
        if isinstance(target, str) and target and not re.search(r"[\s()]", target):
            head = f"[{name}]({target})"
    kind = entries.get("type")
    if isinstance(kind, str) and kind:
        shown = " ".join(kind.split())
        head += f" ({shown})" if "`" in shown else f" (`{shown}`)"
    if entries.get("isOptional") is True or entries.get("optional") is True:
        head += " optional"
    texts = [
        " ".join(value.split())
        for key, value in entries.items()
        if isinstance(value, str) and value.strip() and key not in (name_key, "type") and key not in _QUIET
    ]
    body = " ".join(texts)
    line = f"{head.strip()}: {body}" if head and body else head.strip() or body
    lines = ["  " * depth + "- " + line] if line else []
    for value in entries.values():
        inner: list[Literal] = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        lines.extend(_items(inner, depth + (1 if line else 0)))
    return lines
