"""Text that pages take from other files, put in place before a page is read; the numbers of the page's own lines are kept.

Known are `include` and `literalinclude` of reStructuredText and MyST, `include::` of AsciiDoc, snippets of MkDocs and
VitePress, `{{#include}}` of mdBook.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from docs_researcher.docsets.readers.base import MARKDOWN_SUFFIXES
from docs_researcher.docsets.readers.include_lines import book_lines, language_of, numbered, rst_lines, tagged

MAX_DEPTH = 5
"""Files that include files that include files."""
MAX_CHARACTERS = 2_000_000
"""What may be taken into one page; more is a bomb."""

Read = Callable[[str], str | None]
"""The text of a file by its path in the source; None when there is none that may be read."""

_DIRECTIVE = re.compile(r"([ \t]*)\.\.[ \t]+(include|literalinclude)::[ \t]+(\S.*?)[ \t]*$")
_OPTION = re.compile(r"[ \t]+:([\w-]+):[ \t]*(.*?)[ \t]*$")
_ADOC = re.compile(r"include::([^\[\]]+)\[([^\]]*)\][ \t]*$")
_ADOC_ATTRIBUTE = re.compile(r":([\w][\w-]*):[ \t]+(\S.*)$")
_ADOC_VALUE = re.compile(r"(\w+)=(?:\"([^\"]*)\"|([^,\]]*))")
_MYST = re.compile(r"([ \t]*)(`{3,}|~{3,})\{(include|literalinclude)\}[ \t]+(\S+)[ \t]*$")
_SNIPPET = re.compile(r"([ \t]*);?-{1,3}8<-{1,3}[ \t]+[\"']([^\"'\n]+)[\"'][ \t]*$")
_VITEPRESS = re.compile(r"([ \t]*)<<<[ \t]+@?/?([\w./@-]+\.\w+)(?:#([\w-]+))?[^\n]*$")
_FASTAPI = re.compile(r"([ \t]*)\{[*!]>?[ \t]*([\w./-]+\.\w+)(?:[ \t]+(?:ln|hl)\[[^\n]*)?[ \t]*[*!]\}[ \t]*$")
_BOOK = re.compile(r"\{\{#(?:rustdoc_)?(include|playground|playpen)[ \t]+([^\s{}:]+)(?::([^\s{}]*))?[^{}\n]*\}\}")
_ANY = re.compile(
    r"include::|\{(?:literal)?include\}|8<--|^[ \t]*<<<[ \t]|^[ \t]*\{[*!]|\{\{#(?:rustdoc_)?(?:include|play)", re.MULTILINE
)
_WORDS = ("include::", "include}")
_MARKS = tuple(map(re.compile, (r"8(?=<--)", r"<(?=<<)", r"\{(?=[*!]|\{#)")))
"""One of these stands in whatever `_ANY` finds; looking for them is many times as fast, as it is for each single character."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """A text with what it includes; `lines` has the number of the page's own line for each line, None where nothing changed."""

    text: str
    lines: tuple[int, ...] | None = None
    taken: tuple[str, ...] = ()
    """The files that were taken in."""


@dataclass(slots=True)
class _Page:
    """One page while it is put together."""

    read: Read
    taken: list[str] = field(default_factory=list[str])
    size: int = 0

    def found(self, path: str, target: str) -> tuple[str, str] | None:
        """Path and text of the file that a page means by `target`; None when there is none or there is no more room."""
        for candidate in candidates(path, target):
            text = self.read(candidate)
            if text is not None:
                self.size += len(text)
                if self.size > MAX_CHARACTERS:
                    return None
                self.taken.append(candidate)
                return candidate, text
        return None


@dataclass(frozen=True, slots=True)
class _Taken:
    """The lines that stand in for a directive."""

    rows: list[str]
    count: int
    """The number of lines that it has itself."""
    is_page: bool = False
    """They are text of a page, which may include further files."""


def expand(path: str, text: str, read: Read) -> Expanded:
    """The text of a page with everything in place that `read` can get. Never raises for what stands in it."""
    taker = _taker(path)
    if taker is None or not _may_include(text) or not _ANY.search(text):
        return Expanded(text)
    page = _Page(read)
    lines = text.split("\n")
    shown, numbers = _expanded(lines, path, page, 0)
    if not page.taken:
        return Expanded(text)
    return Expanded("\n".join(shown), tuple(numbers), tuple(page.taken))


def _may_include(text: str) -> bool:
    return any(map(text.__contains__, _WORDS)) or any(mark.search(text) for mark in _MARKS)


def wanted_files(path: str, text: str) -> Iterator[str]:
    """The paths that a page may take text from, each only a possibility."""

    def note(candidate: str) -> None:
        noted.append(candidate)

    noted: list[str] = []
    expand(path, text, note)
    yield from noted


def candidates(path: str, target: str) -> Iterator[str]:
    """Where a target may lie, seen from a page: beside it; from the documentation's root, which is one of the folders above."""
    folder = posixpath.dirname(path)
    above = [folder]
    while above[-1]:
        above.append(posixpath.dirname(above[-1]))
    family = re.fullmatch(r"(?:[\w.-]+:)?(example|partial|page)\$(.+)", target)
    if family:  # Antora: folders of one module
        module = next((item for item in above if posixpath.basename(posixpath.dirname(item)) == "modules"), folder)
        yield from _inside(posixpath.join(module, f"{family[1]}s", family[2]))
        return
    if not target.startswith("/"):
        yield from _inside(posixpath.join(folder, target))
    for item in above if target.startswith("/") else above[1:]:
        yield from _inside(posixpath.join(item, target.lstrip("/")))


def _inside(path: str) -> Iterator[str]:
    normal = posixpath.normpath(path)
    if not normal.startswith(("../", "/")) and normal not in ("..", "."):
        yield normal


def _taker(path: str) -> Callable[[list[str], int, str, _Page, dict[str, str]], _Taken | None] | None:
    suffix = posixpath.splitext(path)[1].lower()
    if suffix in (".rst", ".rest", ".txt", ".inc"):
        return _take_rst
    if suffix in (".adoc", ".asciidoc", ".asc"):
        return _take_adoc
    return _take_markdown if suffix in MARKDOWN_SUFFIXES else None


def _expanded(lines: list[str], path: str, page: _Page, depth: int) -> tuple[list[str], list[int]]:
    taker = _taker(path)
    shown: list[str] = []
    numbers: list[int] = []
    attributes: dict[str, str] = {}
    position = 0
    while position < len(lines):
        taken = taker(lines, position, path, page, attributes) if taker is not None and depth < MAX_DEPTH else None
        body = [lines[position]] if taken is None else taken.rows
        if taken is not None and taken.is_page:
            body, _ = _expanded(body, page.taken[-1], page, depth + 1)
        shown.extend(body)
        numbers.extend([position + 1] * len(body))
        position += 1 if taken is None else taken.count
    return shown, numbers


def _indented(text: str, by: str) -> list[str]:
    return [by + line if line.strip() else "" for line in text.split("\n")]


def _options(lines: list[str], start: int) -> tuple[dict[str, str], int]:
    options: dict[str, str] = {}
    while start < len(lines) and (match := _OPTION.match(lines[start])):
        options[match[1]] = match[2]
        start += 1
    return options, start


def _take_rst(lines: list[str], position: int, path: str, page: _Page, attributes: dict[str, str]) -> _Taken | None:
    match = _DIRECTIVE.match(lines[position])
    if match is None or match[3].startswith("<"):
        return None
    options, behind = _options(lines, position + 1)
    found = page.found(path, match[3])
    text = rst_lines(found[1], options) if found is not None else None
    if found is None or text is None:
        return None
    if match[2] == "include" and not {"literal", "code"} & options.keys():
        if not found[0].endswith((".rst", ".rest", ".txt", ".inc")):
            return None
        return _Taken(["", *_indented(text, match[1]), ""], behind - position, is_page=True)
    language = options.get("language") or options.get("code") or language_of(found[0]) or "text"
    caption = [f"{match[1]}   :caption: {options['caption']}"] if options.get("caption") else []
    rows = [f"{match[1]}.. code-block:: {language}", *caption, "", *_indented(text, f"{match[1]}   "), ""]
    return _Taken(rows, behind - position)


def _take_adoc(lines: list[str], position: int, path: str, page: _Page, attributes: dict[str, str]) -> _Taken | None:
    attribute = _ADOC_ATTRIBUTE.match(lines[position])
    if attribute:
        attributes[attribute[1]] = attribute[2]
    match = _ADOC.match(lines[position])
    if match is None:
        return None
    target = re.sub(r"\{([\w-]+)\}/?", lambda found: f"{attributes[found[1]]}/" if found[1] in attributes else "", match[1])
    found = page.found(path, target.replace("//", "/").strip())
    if found is None:
        return None
    values = {key: quoted or plain for key, quoted, plain in _ADOC_VALUE.findall(match[2])}
    names = [name.strip() for name in re.split(r"[;,]", values.get("tags", values.get("tag", ""))) if name.strip()]
    text = tagged(found[1].rstrip("\n"), names)
    if text is None:
        return None
    rows = numbered(text.split("\n"), values["lines"], "..") if values.get("lines") else text.split("\n")
    offset = re.fullmatch(r"[+-]?\d", values.get("leveloffset", "0"))
    if offset and int(offset[0]):
        rows = [_moved(row, int(offset[0])) for row in rows]
    return _Taken(rows, 1, is_page=_taker(found[0]) is _take_adoc)


def _moved(row: str, offset: int) -> str:
    """A line of AsciiDoc; a heading some levels deeper or higher."""
    return re.sub(r"^(=+)(?=[ \t]+\S)", lambda level: "=" * max(1, min(6, len(level[1]) + offset)), row)


def _take_markdown(lines: list[str], position: int, path: str, page: _Page, attributes: dict[str, str]) -> _Taken | None:
    line = lines[position]
    myst = _MYST.match(line)
    if myst:
        return _take_myst(lines, position, path, page, myst)
    snippet = _SNIPPET.match(line)
    if snippet:
        target, _, section = snippet[2].partition(":")
        found = page.found(path, target)
        text = tagged(found[1].rstrip("\n"), [section] if section and not section.isdigit() else []) if found else None
        return _Taken(_indented(text, snippet[1]), 1) if text is not None else None
    book = _BOOK.search(line) if "{{#" in line else None
    if book:
        return _take_book(line, path, page, book)
    code = _VITEPRESS.match(line) or _FASTAPI.match(line)
    if code is None:
        return None
    found = page.found(path, code[2])
    region = code[3] if code.re is _VITEPRESS else None
    text = tagged(found[1].rstrip("\n"), [region] if region else []) if found else None
    return _Taken(_fence(text, language_of(code[2]), code[1]), 1) if text is not None else None


def _take_book(line: str, path: str, page: _Page, match: re.Match[str]) -> _Taken | None:
    """Lines of another file, in place; `playground` shows them as code."""
    found = page.found(path, match[2])
    text = book_lines(found[1].rstrip("\n"), match[3] or "") if found is not None else None
    if found is None or text is None:
        return None
    before, behind = line[: match.start()], line[match.end() :]
    if before.strip() or behind.strip():
        return _Taken([f"{before}{' '.join(text.split())}{behind}"], 1)
    if match[1] != "include":
        return _Taken(_fence(text, language_of(found[0]), before), 1)
    return _Taken(_indented(text, before), 1, is_page=posixpath.splitext(found[0])[1].lower() in MARKDOWN_SUFFIXES)


def _take_myst(lines: list[str], position: int, path: str, page: _Page, match: re.Match[str]) -> _Taken | None:
    end = position + 1
    while end < len(lines) and lines[end].strip() != match[2]:
        end += 1
    options, _ = _options([f" {line.strip()}" for line in lines[position + 1 : end]], 0)
    found = page.found(path, match[4])
    text = rst_lines(found[1], options) if found is not None else None
    if found is None or text is None:
        return None
    if match[3] == "include" and not {"literal", "code"} & options.keys():
        is_markdown = posixpath.splitext(found[0])[1].lower() in MARKDOWN_SUFFIXES
        return _Taken(["", *_indented(text, match[1]), ""], end + 1 - position, is_page=True) if is_markdown else None
    language = options.get("language") or options.get("code") or language_of(found[0])
    return _Taken(_fence(text, language, match[1]), end + 1 - position)


def _fence(text: str, language: str, indent: str) -> list[str]:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    mark = "`" * (longest + 1)
    return _indented(f"{mark}{language}\n{text}\n{mark}", indent)
