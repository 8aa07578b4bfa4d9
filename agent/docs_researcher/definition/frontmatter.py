"""From the bytes of a definition file to the lines of its frontmatter and the text of its body."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from docs_researcher.core.errors import DefinitionError
from docs_researcher.core.lines import with_line_feeds
from docs_researcher.definition.schema import RepairLog

MAX_BYTES = 1_048_576
"""A prompt is a few kilobytes; a larger file was named by mistake."""

MAX_FRONTMATTER_CHARACTERS = 65_536
"""Bounds the work of the YAML parser on a file that forgot its closing line."""

_UTF_16 = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_OPENING = re.compile(r"---[ \t]*")
_CLOSING = re.compile(r"(---|\.\.\.)[ \t]*")
_NOT_YAML = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What YAML forbids or would count as a line break of its own."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A definition file taken apart. `lines[0]` of the frontmatter is line `first_line` of the file."""

    lines: tuple[str, ...]
    first_line: int
    body: str
    body_line: int


def _windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are not UTF-8 one by one as Windows-1252, which holds Latin-1's letters."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    data = error.object[error.start : error.end]
    text = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in data)
    return text, error.end


codecs.register_error("docs-researcher.windows-1252", _windows_1252)


def decode(data: bytes, log: RepairLog) -> str:
    """The text of a definition file, with all line breaks as LF.

    Read as UTF-8, with or without a byte order mark; UTF-16 with a mark is read too. Bytes that are not UTF-8 are read as
    Windows-1252.

    Raises:
        DefinitionError: the file is too large, or holds no text.
    """
    if len(data) > MAX_BYTES:
        raise DefinitionError(
            f"the file has {len(data):,} bytes",
            why=f"an agent definition has at most {MAX_BYTES:,}",
            next_step="Name the Markdown file of the agent.",
            path=log.path,
        )
    text = _decode(data, log)
    if "\r" in text:
        before = text[: text.index("\r")]
        kind = "CRLF" if "\r\n" in text else "CR"
        log.add(before.count("\n") + 1, len(before) - before.rfind("\n"), f"line breaks written as {kind} were read as LF")
        text = with_line_feeds(text)
    return text


def _decode(data: bytes, log: RepairLog) -> str:
    if data.startswith(_UTF_32) or (not data.startswith((_UTF_16[0][0], _UTF_16[1][0])) and b"\0" in data):
        raise DefinitionError(
            "this is not a text file in UTF-8",
            why="it holds NUL bytes, as binary files and UTF-32 do",
            next_step="Save it as UTF-8.",
            path=log.path,
            line=1,
            column=1,
        )
    for mark, encoding in _UTF_16:
        if data.startswith(mark):
            log.add(1, 1, "the file is UTF-16 and was read as such; other programs need UTF-8")
            return data[len(mark) :].decode(encoding, "replace")
    if data.startswith(codecs.BOM_UTF8):
        log.add(1, 1, "a byte order mark at the start was left out")
        data = data[len(codecs.BOM_UTF8) :]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8", "replace")) + 1
        log.add(before.count(b"\n") + 1, column, "bytes that are not UTF-8 were read as Windows-1252; save the file as UTF-8")
        return data.decode("utf-8", "docs-researcher.windows-1252")


def split(text: str, log: RepairLog) -> Parts:
    """Take the text of a definition file apart at the two lines `---`.

    Raises:
        DefinitionError: there is no frontmatter, or it is not closed.
    """
    lines = text.split("\n")
    opening = next((number for number, line in enumerate(lines) if line.strip()), 0)
    if not _OPENING.fullmatch(lines[opening]):
        raise DefinitionError(
            "the file has no frontmatter",
            why=f"it begins with {_shown(lines[opening])} instead of a line ---" if text.strip() else "it is empty",
            next_step="Begin it with a line ---, then `name: ...` and `description: ...`, then a line ---, then the prompt.",
            path=log.path,
            line=opening + 1,
            column=1,
        )
    closing = next((number for number in range(opening + 1, len(lines)) if _CLOSING.fullmatch(lines[number])), None)
    if closing is None:
        raise DefinitionError(
            "the frontmatter that begins here is not closed",
            why="no line below it holds --- alone",
            next_step="Put a line --- behind the last key.",
            path=log.path,
            line=opening + 1,
            column=1,
        )
    if opening:
        log.add(1, 1, f"{opening} empty line{'s' if opening > 1 else ''} before the frontmatter left out")
    if lines[closing].startswith("."):
        log.add(closing + 1, 1, "the frontmatter ends with `...`, read as `---`")
    for number in (opening, closing):
        if len(lines[number]) > 3:
            log.add(number + 1, 4, "blanks behind the line of the frontmatter left out")
    yaml_lines = _without_controls(lines[opening + 1 : closing], opening + 2, log)
    body_start = next((number for number in range(closing + 1, len(lines)) if lines[number].strip()), closing + 1)
    body = "\n".join(lines[body_start:]).rstrip()
    return Parts(tuple(yaml_lines), opening + 2, body, body_start + 1)


def _without_controls(lines: list[str], first_line: int, log: RepairLog) -> list[str]:
    if sum(map(len, lines)) > MAX_FRONTMATTER_CHARACTERS:
        raise DefinitionError(
            "the frontmatter is too long",
            why=f"it has more than {MAX_FRONTMATTER_CHARACTERS:,} characters",
            next_step="Put a line --- behind the last key; the prompt belongs below it.",
            path=log.path,
            line=first_line,
            column=1,
        )
    found = [(number, match) for number, line in enumerate(lines) if (match := _NOT_YAML.search(line))]
    for number, match in found:
        log.add(first_line + number, match.start() + 1, f"the character U+{ord(match.group()):04X} was read as a space")
    return [_NOT_YAML.sub(" ", line) for line in lines] if found else lines


def _shown(line: str) -> str:
    text = line.strip()
    return repr(text if len(text) <= 40 else text[:37] + "...")
