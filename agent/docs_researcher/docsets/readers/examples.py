"""Example programs of a package without a guide: each file a page, its opening comment as the text above its code."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from docs_researcher.core.clean import clean
from docs_researcher.docsets.readers.base import Block, Page
from docs_researcher.docsets.readers.reference import fenced
from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.searching.ranking import EXAMPLE_FOLDERS
from docs_researcher.docsets.skipped import Skipped

_LANGUAGES = {
    ".py": "python", ".js": "js", ".mjs": "js", ".cjs": "js", ".jsx": "jsx", ".ts": "ts", ".mts": "ts", ".tsx": "tsx",
    ".vue": "vue", ".svelte": "svelte",
}  # fmt: skip
_NO_EXAMPLE = re.compile(r"(?:__init__|setup|conftest|.*[._-](?:test|tests|spec|config)|test_.*|.*\.d)", re.IGNORECASE)
_NOT_READ = frozenset({"node_modules", "dist", "build", "test", "tests", "__tests__"})
MAX_EXAMPLE_BYTES = 40_000
"""A larger program is an application, and no example of one thing."""
MAX_EXAMPLES = 200
MIN_LINES = 3
MAX_TITLE = 100
_COMMENT = {"python": re.compile(r"#(?!!)[ \t]?(.*)"), "js": re.compile(r"//+[ \t]?(.*)")}
_SCRIPT_BLOCK = re.compile(r"^# /// \w+$\n(?:^#.*$\n)*?^# ///$\n?", re.MULTILINE)
"""What a runner of single files reads (PEP 723)."""
_BLOCK_COMMENT = re.compile(r"\s*/\*+(?P<text>.*?)\*/", re.DOTALL)
_OF_THE_FILE = re.compile(
    r"copyright|licen[cs]e|spdx|all rights reserved|-\*-|coding[:=]|eslint|prettier|@ts-|noqa|pylint|mypy:", re.IGNORECASE
)
"""A comment on the file itself, and not on what it shows."""


def is_example(path: str) -> bool:
    """Whether a file of a package, by its path inside, is an example program."""
    pure = PurePosixPath(path)
    folders = [part.lower() for part in pure.parts[:-1]]
    if not path.lower().startswith(EXAMPLE_FOLDERS) or _NOT_READ.intersection(folders):
        return False
    if any(part.startswith(".") for part in pure.parts):
        return False
    return pure.suffix.lower() in _LANGUAGES and _NO_EXAMPLE.fullmatch(pure.stem) is None


def example_pages(files: Mapping[str, bytes], skipped: list[Skipped]) -> list[Page]:
    """The pages of a package's example programs (path as shipped to content); what is too much is counted in `skipped`."""
    pages: list[Page] = []
    for path, data in sorted(files.items()):
        if len(data) > MAX_EXAMPLE_BYTES:
            skipped.append(Skipped.of(path, f"an example of more than {MAX_EXAMPLE_BYTES // 1000} kB"))
        elif len(pages) >= MAX_EXAMPLES:
            skipped.append(Skipped.of(path, f"one of more than {MAX_EXAMPLES} examples"))
        elif (page := example_page(path, data)) is not None:
            pages.append(page)
    return pages


def example_page(path: str, data: bytes) -> Page | None:
    """The page of an example program; None for one that shows nothing."""
    text = decode(data).text
    if text is None:
        return None
    code = clean(text).replace("\r\n", "\n").strip("\n")
    if sum(bool(line.strip()) for line in code.split("\n")) < MIN_LINES:
        return None
    language = _LANGUAGES[PurePosixPath(path).suffix.lower()]
    said = [line for line in _opening(code, language) if not _OF_THE_FILE.search(line)]
    while said and not said[0].strip(" =-#*"):
        said.pop(0)
    said[:1] = [line.lstrip("# ") for line in said[:1]]
    name = re.sub(r"[-_.]+", " ", PurePosixPath(path).stem).strip()
    subject = said[0].strip().rstrip(".:") if said and len(said[0]) <= MAX_TITLE else ""
    title = subject if subject.lower().startswith(("example", "an example")) else f"Example: {subject or name}"
    more = "\n".join(said[1:] if subject else said).strip()
    blocks = [Block("heading", f"# {title}", 1, level=1, title=title)]
    if more:
        blocks.append(Block("text", more, 1))
    blocks.append(Block("code", fenced(language, code), 1, language=language))
    return Page(path, title, "", tuple(blocks), is_reference=True)


def _opening(code: str, language: str) -> list[str]:
    """The lines of the docstring or comment that a program opens with."""
    if language == "python":
        try:
            docstring = ast.get_docstring(ast.parse(code))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            docstring = None
        return docstring.split("\n") if docstring else _line_comments(code, _COMMENT["python"])
    block = _BLOCK_COMMENT.match(re.sub(r"\A#!.*\n", "", code))
    if block is not None:
        return [line.strip().removeprefix("*").strip() for line in block["text"].split("\n")]
    return _line_comments(code, _COMMENT["js"])


def _line_comments(code: str, comment: re.Pattern[str]) -> list[str]:
    found: list[str] = []
    for line in _SCRIPT_BLOCK.sub("", code).split("\n"):
        match = comment.fullmatch(line.strip())
        if match is not None:
            found.append(match[1])
        elif found or not line.startswith("#!"):
            break
    return found
