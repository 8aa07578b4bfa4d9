"""Which lines of another file a page takes: by number, between marks, by the name of a Python object, by tags."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from textwrap import dedent

_TAG = re.compile(r"(?P<kind>tag|end)::(?P<name>[\w.-]+)\[\]")
_REGION = re.compile(
    r"#\s*(?P<end>end)?region\b[ \t]*(?P<name>[\w.-]*)|--8<--[ \t]*\[(?P<mark>start|end):(?P<section>[\w.-]+)\]|"
    r"\bANCHOR(?P<anchor_end>_END)?:[ \t]*(?P<anchor>[\w.-]+)"
)
LANGUAGES: Mapping[str, str] = {
    "py": "python", "pyi": "python", "pyx": "cython", "js": "js", "mjs": "js", "cjs": "js", "jsx": "jsx", "ts": "ts",
    "tsx": "tsx",
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "hpp": "cpp", "cs": "csharp", "java": "java", "kt": "kotlin", "go": "go",
    "rs": "rust", "rb": "ruby", "php": "php", "swift": "swift", "sh": "bash", "bash": "bash", "bat": "bat", "ps1": "powershell",
    "html": "html", "htm": "html", "css": "css", "scss": "scss", "vue": "vue", "svelte": "svelte", "xml": "xml", "json": "json",
    "yml": "yaml", "yaml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini", "conf": "ini", "sql": "sql", "graphql": "graphql",
    "proto": "protobuf", "f90": "fortran", "f": "fortran", "txt": "text", "diff": "diff",
}  # fmt: skip
"""Languages of code by the endings of its files."""


def language_of(path: str) -> str:
    """The language of a file by its ending; empty when it is not known."""
    return LANGUAGES.get(path.rpartition(".")[2].lower(), "")


def rst_lines(text: str, options: Mapping[str, str]) -> str | None:
    """What `literalinclude` or `include` with these options takes of a text; None when a mark or an object is not in it."""
    if options.get("pyobject"):
        found = _python_object(text, options["pyobject"])
        if found is None:
            return None
        text = found
    lines = text.split("\n")
    if options.get("lines"):
        lines = numbered(lines, options["lines"], "-")
    if "start-line" in options or "end-line" in options:
        lines = lines[_number(options.get("start-line")) : _number(options.get("end-line"))]
    for name, is_start, keeps in (
        ("start-at", True, True),
        ("start-after", True, False),
        ("end-at", False, True),
        ("end-before", False, False),
    ):
        if options.get(name):
            cut = _cut(lines, options[name], is_start=is_start, keeps=keeps)
            if cut is None:
                return None
            lines = cut
    shown = "\n".join(lines).rstrip()
    margin = options.get("dedent")
    if margin is None:
        return shown
    return "\n".join(line[int(margin) :] for line in lines) if margin.isdigit() else dedent(shown)


def numbered(lines: Sequence[str], ranges: str, dash: str) -> list[str]:
    """The lines with these numbers (`1-3,7,9-`), counted from 1."""
    found: list[str] = []
    for part in re.split(r"[,;]", ranges.strip("\"' ")):
        first, has_dash, last = part.strip().partition(dash)
        start = int(first) if first.strip().isdigit() else 1
        stop = int(last) if last.strip().isdigit() else len(lines) if has_dash else start
        found.extend(lines[start - 1 : stop])
    return found


def book_lines(text: str, place: str) -> str | None:
    """What mdBook takes of a file: a line (`7`), lines (`2:10`, `:10`, `2:`) or what stands between the marks of a name."""
    parts = place.split(":")
    if not all(part.isdigit() or not part for part in parts):
        return tagged(text, [place])
    if not any(parts):
        return tagged(text, [])
    lines = text.split("\n")
    start = int(parts[0]) if parts[0] else 1
    last = start if len(parts) == 1 else int(parts[1]) if parts[1] else len(lines)
    return "\n".join(lines[max(start - 1, 0) : last])


def tagged(text: str, tags: Sequence[str]) -> str | None:
    """The lines between AsciiDoc's tags or the regions of these names, without the lines of the marks; None without them.

    No tags: all lines but those of the marks.
    """
    kept: list[str] = []
    open_tags: list[str] = []
    has_found = all(tag.startswith(("!", "*")) for tag in tags)
    for line in text.split("\n"):
        mark = _TAG.search(line) or _REGION.search(line)
        if mark:
            groups = mark.groupdict()
            name = groups.get("name") or groups.get("section") or groups.get("anchor") or ""
            if groups.get("kind") == "end" or groups.get("end") or groups.get("mark") == "end" or groups.get("anchor_end"):
                del open_tags[
                    max((index for index, tag in enumerate(open_tags) if not name or tag == name), default=len(open_tags)) :
                ]
            else:
                open_tags.append(name)
                has_found = has_found or name in tags
        elif _is_wanted(open_tags, tags):
            kept.append(line)
    return dedent("\n".join(kept)).strip("\n") if has_found else None


def _is_wanted(open_tags: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether the line inside these tags is one of those wanted: `a`, `!a`, `*` (all tags), `**` (all lines)."""
    for tag in reversed(open_tags):
        if tag in tags or f"!{tag}" in tags:
            return tag in tags
        if "*" in tags or "!*" in tags:
            return "*" in tags
    return "**" in tags or all(tag.startswith("!") for tag in tags)


def _number(value: str | None) -> int | None:
    try:
        return int(value) if value else None
    except ValueError:
        return None


def _cut(lines: list[str], mark: str, *, is_start: bool, keeps: bool) -> list[str] | None:
    place = next((number for number, line in enumerate(lines) if mark in line), None)
    if place is None:
        return None
    if is_start:
        return lines[place if keeps else place + 1 :]
    return lines[: place + 1 if keeps else place]


def _python_object(text: str, name: str) -> str | None:
    try:
        scope: Sequence[ast.stmt] = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found: ast.stmt | None = None
    for part in name.split("."):
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        match = next((node for node in scope if isinstance(node, kinds) and node.name == part), None)
        if match is None:
            return None
        found, scope = match, match.body
    if not isinstance(found, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    first = min([found.lineno, *(decorator.lineno for decorator in found.decorator_list)])
    return "\n".join(text.split("\n")[first - 1 : found.end_lineno])
