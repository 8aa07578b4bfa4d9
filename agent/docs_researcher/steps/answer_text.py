"""How the chosen pieces of an answer are written down: headline, excerpts with their sources, references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage
from docs_researcher.steps.fences import caption_of
from docs_researcher.steps.material import CodeBlock, Statement
from docs_researcher.steps.sentences import plain

REFERENCES = "References:"
SOURCE = "Source: "


def headline(library: AnsweredLibrary | None, passages: Sequence[Passage]) -> str:
    """One line that names the library, its version and where the text comes from."""
    if library is None:
        return ""
    name = f"{library.name} {library.version}" if library.version else f"{library.name} (version not stated)"
    origin = next((text for passage in passages if (text := origin_of(passage))), "")
    return f"**{name}** (`{library.id}`){f', from {origin}' if origin else ''}"


def origin_of(passage: Passage) -> str:
    """The package or the site that a passage was read from, without the page."""
    source = passage.source or passage.url or ""
    if source.startswith("pkg:"):
        return source.split("#", 1)[0]
    return urlsplit(source).hostname or ""


def excerpt(statements: Sequence[Statement], blocks: Sequence[CodeBlock]) -> str:
    """One passage's chosen statements and blocks in the order of reading, then the line that names their source."""
    pieces: list[str] = []
    if sum(one.kind == "step" for one in statements) == 1:
        statements = [replace(one, kind="sentence") if one.kind == "step" else one for one in statements]  # a lone "2." misleads
    previous: Statement | CodeBlock | None = None
    for one in sorted([*statements, *blocks], key=lambda piece: piece.place):
        text = block_text(one) if isinstance(one, CodeBlock) else _statement_text(one, previous)
        if pieces:
            pieces.append(_gap(previous, one))
        pieces.append(text)
        previous = one
    return "".join(pieces)


def _gap(previous: Statement | CodeBlock | None, one: Statement | CodeBlock) -> str:
    if not isinstance(previous, Statement) or not isinstance(one, Statement):
        return "\n\n"
    if previous.kind == one.kind and one.kind != "sentence":
        return "\n"
    if one.kind == "sentence" and previous.kind == "sentence" and previous.place[1] == one.place[1]:
        return " "
    return "\n\n"


def _statement_text(one: Statement, previous: Statement | CodeBlock | None) -> str:
    text = one.text
    known = isinstance(previous, Statement) and previous.label == one.label
    name = one.label.strip("`").split("(")[0].split(":")[-1]
    if one.label and not known and one.kind != "step" and name not in text:
        label = one.label if one.label.startswith("`") else f"`{one.label}`"
        text = f"{label}: {text}"
    if one.kind == "step":
        return f"{one.marker} {text}"
    if one.kind == "item":
        return f"- {text}"
    if one.kind == "row" and not (isinstance(previous, Statement) and previous.header == one.header):
        return f"{one.header}\n{text}"
    return text


def block_text(block: CodeBlock) -> str:
    """A block in its fence, below its file name if it has one."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`{3,}", block.code)), default=2))
    caption = caption_of(block.info)
    named = f"`{caption}`:\n\n" if caption else ""
    return f"{named}{fence}{block.language}\n{block.code}\n{fence}"


def source_line(passage: Passage, heading: str) -> str:
    """The line below an excerpt: the page's title and the heading where it stands."""
    return f"{SOURCE}{_one_line(heading or passage.title)}"


def concept_heading(concept: str) -> str:
    """The heading of one concept's section."""
    text = _one_line(plain(concept)).lstrip("#").strip()
    return f"## {text[:1].upper()}{text[1:]}"


def page_of(passage: Passage) -> str:
    """The page that a passage belongs to: passages of one page are one reference."""
    if passage.url:
        return passage.url.split("#", 1)[0]
    return passage.path or passage.source or passage.title


def reference_line(passage: Passage, library: AnsweredLibrary | None) -> str:
    """One reference: title, link or path; library id and version too where they are not those of the headline."""
    title = _one_line(passage.title.split(" > ", 1)[0]).replace("[", "(").replace("]", ")") or "Untitled"
    if passage.url:
        text = f"- [{title}]({passage.url.split('#', 1)[0]})"
    else:
        place = passage.source or passage.path or ""
        text = f"- {title}: {place}" if place else f"- {title}"
    if (
        library is None
        or (passage.library_id and passage.library_id != library.id)
        or passage.version not in (None, library.version)
    ):
        owner = " ".join(part for part in (passage.library_id, passage.version) if part)
        text += f" ({owner})" if owner else ""
    return text


def references(passages: Iterable[Passage], library: AnsweredLibrary | None) -> list[str]:
    """The lines of the reference list, one a page, in the order given."""
    pages: dict[str, Passage] = {}
    for passage in passages:
        pages.setdefault(page_of(passage), passage)
    return [reference_line(passage, library) for passage in pages.values()]


def _one_line(text: str) -> str:
    return " ".join(text.split())
