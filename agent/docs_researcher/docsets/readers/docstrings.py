"""Python docstrings as blocks of a page: Google's, NumPy's and Sphinx's forms, RST and Markdown in their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent
from typing import TYPE_CHECKING, Any, cast

from docs_researcher.docsets.readers.base import Block
from docs_researcher.docsets.readers.docstring_fields import Field, Part, has_fields, is_silent, parts_of, titled, with_types
from docs_researcher.docsets.readers.docstring_links import with_targets
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.reference import as_prose, fenced
from docs_researcher.docsets.readers.rst import read_rst
from docs_researcher.docsets.readers.rst_code import parses_as_python
from docs_researcher.docsets.readers.rst_roles import shown_role

if TYPE_CHECKING:
    from griffe import Docstring, DocstringSection

MAX_CHARACTERS = 40_000
"""A longer docstring is a manual of its own; the parsers of its forms are slow on it, so it is read as text."""
_ROLE = re.compile(r":(\w[\w+-]*(?::\w+)?):`([^`]+)`")
_RST = re.compile(r"::\s*$|^\s*\.\. |:\w+:`|``|`__?(?!\w)|^\S[^\n]*\n([=~^\"'+*#-])\1{2,}[ \t]*$", re.MULTILINE)
_LINK = re.compile(r"(?<![`\w])`([^`<>]+?)\s*<(https?://[^`<>]+)>`__?")
_REFERENCE = re.compile(r"(?<![`\w])`([^`<>]+)`__?(?!\w)")
_SUBSTITUTION = re.compile(r"(?<![|\w`])\|(\w(?:[\w .-]*\w)?)\|(?![|\w])")
_DIRECTIVE = re.compile(r"\.\. [\w:-]+::")
_TOUCHING = re.compile(
    r"^([ \t]*)(?!\.\. |:)\S[^\n]*(?<!::)\n(?=\1\.\. (?:note|warning|version\w+|deprecated|seealso)::)", re.MULTILINE
)
"""A line directly above a directive, without the blank line between them that reStructuredText wants."""
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What some readers take for the end of a line beside `\\n`. In a docstring it is the escape of an example in it."""
_ESCAPES = {"\r\n": r"\r\n", "\v": r"\v", "\f": r"\f"}
_PAGE_END = re.compile(r"^[ \t]*\f[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*`{3,}[^`\n]*$", re.MULTILINE)
_DOCTEST = re.compile(r"^[ \t]*>>> ", re.MULTILINE)
_USAGE = re.compile(r"(?:usage|examples?|for (?:example|instance)|like (?:this|so))\b[^\n]*(?::|\.\.\.|…)$", re.IGNORECASE)
"""The end of a paragraph that introduces code, which some docstrings leave unmarked."""
_NAMED = {
    "parameters": "Parameters",
    "other parameters": "Other parameters",
    "attributes": "Attributes",
    "functions": "",
    "classes": "",
    "modules": "",
    "type aliases": "",
    "type parameters": "",
}
_VALUES = {"returns": "Returns", "yields": "Yields", "receives": "Receives", "raises": "Raises", "warns": "Warns"}


def docstring_blocks(docstring: Docstring | None) -> tuple[Block, ...]:
    """The blocks of a docstring; none when there is none. Never raises for what stands in it."""
    if docstring is None or not docstring.value.strip():
        return ()
    line = docstring.lineno or 1
    if len(docstring.value) > MAX_CHARACTERS:
        return _text(docstring.value, line)
    value = with_targets(_with_escapes(docstring.value))
    if has_fields(value):
        return tuple(block for part in parts_of(value) for block in _part(part, line))
    if value != docstring.value:
        docstring = _changed(docstring, value)
    try:
        sections = docstring.parse("auto")
    except Exception:  # the parsers of the three forms raise many kinds on odd text, which is worth keeping as it is
        return _text(docstring.value, line)
    return tuple(block for section in sections for block in _section(section, line))


def _with_escapes(text: str) -> str:
    r"""The text with control characters as they were written: a file ends its lines in `\n`, so a `\r` stood there as an escape.

    A form feed that stands by itself ends a page (or, for click, its help) and is not shown.
    """
    return _LINE_ENDS.sub(lambda found: _ESCAPES.get(found[0], ascii(found[0])[1:-1]), _PAGE_END.sub("", text))


def _changed(docstring: Docstring, value: str) -> Docstring:
    from griffe import Docstring

    return Docstring(value, lineno=docstring.lineno, endlineno=docstring.endlineno, parent=docstring.parent)


def _part(part: Part, line: int) -> Iterator[Block]:
    yield from _text("\n".join(part.lines), line)
    before = ""
    rows: list[str] = []
    for found in with_types(part.fields):
        if is_silent(found):
            continue
        if found.group != before:
            yield from _items(titled(before), rows, line)
            before, rows = found.group, []
        rows.append(_row(found, has_title=bool(titled(found.group))))
    yield from _items(titled(before), rows, line)


def _row(found: Field, *, has_title: bool) -> str:
    text = _described(found.text)
    if not has_title:
        return f"{found.group.capitalize()}: {' '.join(filter(None, (found.argument, text)))}"
    name = _as_label(found.argument)
    return f"- `{name}`: {text}".removesuffix(": ") if name else f"- {text}"


def _section(section: DocstringSection, line: int) -> Iterator[Block]:
    kind, value = section.kind.value, section.value
    if kind == "text":
        yield from _text(value, line)
    elif kind in _NAMED:
        if _NAMED[kind]:
            yield from _items(section.title or _NAMED[kind], _lines_of(value, named=True), line)
    elif kind in _VALUES:
        yield from _items(section.title or _VALUES[kind], _lines_of(value, named=False), line)
    elif kind == "examples":
        yield from _examples(value, line)
    elif kind in ("admonition", "deprecated"):
        title = section.title or str(getattr(value, "annotation", "") or getattr(value, "kind", "") or "Note").capitalize()
        yield Block("text", f"**{title}**", line)
        yield from _text(str(getattr(value, "contents", None) or getattr(value, "description", "")), line)


def _text(text: str, line: int) -> tuple[Block, ...]:
    """Running text, read as what it is written in; a bare doctest becomes code."""
    text = text.strip("\n")
    if not text.strip():
        return ()
    if _RST.search(text) and not _FENCE.search(text):
        page = read_rst("docstring.rst", _TOUCHING.sub(r"\g<0>\n", _SUBSTITUTION.sub(r"\1", text)))
    else:
        page = read_markdown("docstring.md", _fence_doctests(text))
    return as_prose(page.blocks, line) if page is not None else ()


def _fence_doctests(text: str) -> str:
    """Doctests, and Python that a sentence introduces, in fences."""
    if _FENCE.search(text):
        return text
    paragraphs = re.split(r"\n[ \t]*\n", text)
    introduced = False
    for number, part in enumerate(paragraphs):
        if _DOCTEST.match(part):
            paragraphs[number] = fenced("pycon", dedent(part).strip("\n"))
        elif introduced and not part[:1].isspace() and parses_as_python(part):
            paragraphs[number] = fenced("python", part)
        else:
            introduced = _USAGE.search(part.strip()) is not None
    return "\n\n".join(paragraphs)


def _lines_of(items: Any, *, named: bool) -> list[str]:
    found: list[str] = []
    for item in cast("list[Any]", items):
        description = _described(str(item.description or ""))
        annotation = _as_label(str(item.annotation or ""))
        name = _as_label(str(getattr(item, "name", "") or "")).replace("\\*", "*")
        label = (name if named else name or annotation) or annotation
        if label and description:
            found.append(f"- `{label}`: {description}")
        elif description or (label and not named):
            found.append(f"- {description or f'`{label}`'}")
    return found


def _as_label(annotation: str) -> str:
    """The type of what is returned, as some docstrings state it: in quotes, or with the marks of RST."""
    return _plain(annotation).strip("'\"").replace("`", "")


def _described(text: str) -> str:
    """The description of a parameter; further paragraphs stand indented below the first."""
    paragraphs = re.split(r"\n[ \t]*\n|\n(?=[ \t]*\.\. [\w:-]+::)", text.strip())
    if _DIRECTIVE.match(paragraphs[0]):
        return " ".join(" ".join(block.text for block in _text(text, 1)).split())
    first = " ".join(_plain(paragraphs[0]).split())
    if len(paragraphs) == 1:
        return first
    rest = "\n\n".join(block.text for block in _text("\n\n".join(paragraphs[1:]), 1))
    return first + "".join(f"\n  {line}" if line else "\n" for line in ["", *rest.split("\n")])


def _shown(match: re.Match[str]) -> str:
    """A role as its published page shows it."""
    found = shown_role(match[1], match[2])
    return f"`{found.text}`" if found.form == "code" else found.text


def _plain(text: str) -> str:
    """The marks of RST in one line of text turned into those of Markdown."""
    text = _LINK.sub(lambda match: f"[{match[1]}]({''.join(match[2].split())})", text)
    text = _ROLE.sub(_shown, text)
    text = _REFERENCE.sub(r"\1", text)
    text = _SUBSTITUTION.sub(r"\1", text)
    text = re.sub(r"``([^`]+)``", r"`\1`", text)
    return re.sub(r"\\[ \n]|\\(?=[\[\]])", "", text)


def _items(title: str, lines: list[str], line: int) -> Iterator[Block]:
    if lines and title:
        yield Block("text", f"{title}:", line)
    if lines:
        yield Block("list" if title else "text", "\n".join(lines), line)


def _examples(parts: Any, line: int) -> Iterator[Block]:
    for kind, text in cast("list[tuple[Any, str]]", parts):
        if kind.value == "text":
            yield from _text(text, line)
        else:
            yield Block("code", fenced("pycon", dedent(text).strip("\n")), line, language="pycon")
