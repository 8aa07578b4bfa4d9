"""Sphinx and MyST directives inside fences: the code in them is code, their prose is prose, the rest is machinery.

Sphinx sites written in Markdown put examples as `{code-block} python` with option lines, or as a piece of RST in
`{eval-rst}`. What is taken out of them is letter for letter what stands there, without the directive's own lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CODE = frozenset(
    "code-block code sourcecode code-cell literalinclude prompt parsed-literal doctest testcode ipython jupyter-execute".split()
)
_PROSE = {"note", "tip", "hint", "important", "warning", "caution", "attention", "danger", "error", "admonition", "seealso"}
_OPTION = re.compile(r"^\s*:(?P<name>[\w-]+):\s*(?P<value>.*)$")
_RST_CODE = re.compile(r"^(?P<indent>\s*)\.\. (?P<name>[\w:-]*(?:code|example|prompt|sourcecode)[\w-]*)::\s*(?P<argument>.*)$")
_RST_LITERAL = re.compile(r"^(?P<indent>\s*)(?!\.\. )\S.*::\s*$")


@dataclass(frozen=True, slots=True)
class DirectiveCode:
    """One block of code out of a directive."""

    code: str
    language: str
    info: str


def is_directive(language: str) -> bool:
    """Whether a fence's first word makes it a directive: `{note}`."""
    return language.startswith("{") and language.endswith("}")


def is_prose_directive(language: str) -> bool:
    """Whether a directive holds prose: an admonition."""
    return language.strip("{}") in _PROSE


def code_in(language: str, info: str, body: str) -> tuple[DirectiveCode, ...]:
    """The code in a directive's body; empty for directives that hold none."""
    name = language.strip("{}")
    if name in _CODE:
        options, code = _split_options(body.split("\n"))
        caption = f'filename="{options["caption"]}"' if options.get("caption") else ""
        return (DirectiveCode(code, info.split(" ")[0], caption),) if code else ()
    if name == "eval-rst":
        return _rst_code(body.split("\n"))
    return ()


def _split_options(lines: list[str]) -> tuple[dict[str, str], str]:
    """The option lines at the top of a directive's body, and the body without them."""
    options: dict[str, str] = {}
    start = 0
    while start < len(lines) and (match := _OPTION.match(lines[start])):
        options[match.group("name")] = match.group("value").strip()
        start += 1
    return options, "\n".join(lines[start:]).strip("\n").rstrip()


def _rst_code(lines: list[str]) -> tuple[DirectiveCode, ...]:
    found: list[DirectiveCode] = []
    position = 0
    while position < len(lines):
        match = _RST_CODE.match(lines[position]) or _RST_LITERAL.match(lines[position])
        position += 1
        if not match:
            continue
        end = _end_of_body(lines, position, len(match.group("indent")))
        options, code = _split_options(_dedented(lines[position:end]))
        argument = match.groupdict().get("argument") or ""
        if code:
            caption = f'filename="{options["caption"]}"' if options.get("caption") else ""
            found.append(DirectiveCode(code, argument.split(" ")[0] or "python", caption))
        position = end
    return tuple(found)


def _end_of_body(lines: list[str], start: int, indent: int) -> int:
    end = start
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent):
        end += 1
    return end


def _dedented(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    widths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return [line[min(widths) :] for line in lines] if widths else []
