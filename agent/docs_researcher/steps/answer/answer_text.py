"""How the chosen pieces of an answer are written down: headline, excerpts with their sources, references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from docs_researcher.core.answer import AnsweredLibrary
from docs_researcher.core.passages import Passage, page_address
from docs_researcher.steps.answer.material import CodeBlock, Group, Statement
from docs_researcher.steps.answer.sentences import is_label, plain
from docs_researcher.steps.fences import caption_of

REFERENCES = "References:"
SOURCE = "Source: "
INDENT = "  "
"""Before an item below another one, for each level."""

Groups = Mapping[Group, tuple[Statement, ...]]
"""The members of each list and table."""


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


def excerpt(statements: Sequence[Statement], blocks: Sequence[CodeBlock], groups: Groups) -> str:
    """One passage's chosen statements and blocks in the order of reading.

    Where a list or table of `groups` is not shown whole, a line behind it says how much is missing.
    """
    pieces: list[str] = []
    shown = Counter(one.group for one in statements if one.kind != "sentence")
    depths = _depths(statements)
    last_of = {one.group: one.place for one in statements if one.group is not None}
    statements = [_alone(one, shown, groups) for one in statements]
    previous: Statement | CodeBlock | None = None
    label = missing = ""
    for one in sorted([*statements, *blocks], key=lambda piece: piece.place):
        if missing and isinstance(one, Statement):  # the code behind the last member that is shown belongs to that one
            pieces.append(missing)
            missing = ""
        text = block_text(one) if isinstance(one, CodeBlock) else _statement_text(one, previous, label, depths)
        label = one.label if isinstance(one, Statement) else label
        if pieces:
            pieces.append(_gap(previous, one))
        pieces.append(text)
        if isinstance(one, Statement) and one.group is not None and last_of[one.group] == one.place:
            missing = gap_mark(one, len(groups.get(one.group, ())) - shown[one.group])
        previous = one
    return "".join([*pieces, missing])


def _alone(one: Statement, shown: Mapping[Group | None, int], groups: Groups) -> Statement:
    """A step that stands alone is a sentence: a lone "2." misleads."""
    alone = shown[one.group] == 1 and (one.group is None or len(groups.get(one.group, ())) > 1)
    return replace(one, kind="sentence", group=None) if alone and one.kind == "step" else one


def gap_mark(one: Statement, missing: int) -> str:
    """The line behind a list or table of which `missing` members are not shown; empty when it is shown whole."""
    if missing < 1:
        return ""
    noun = {"row": "row", "step": "step"}.get(one.kind, "item")
    return f"\n\n… {missing} more {noun}{'s' if missing > 1 else ''} in the docs."


def _gap(previous: Statement | CodeBlock | None, one: Statement | CodeBlock) -> str:
    if not isinstance(previous, Statement) or not isinstance(one, Statement):
        return "\n\n"
    if previous.kind == one.kind and one.kind != "sentence" and previous.group == one.group:
        return "\n"
    if one.kind == "sentence" and previous.kind == "sentence" and previous.place[1] == one.place[1]:
        return " "
    return "\n\n"


def _depths(statements: Sequence[Statement]) -> dict[Group, list[int]]:
    """By how many columns the members of each list are indented, each width once, the outermost first."""
    found: dict[Group, set[int]] = {}
    for one in statements:
        if one.group is not None:
            found.setdefault(one.group, set()).add(one.depth)
    return {group: sorted(widths) for group, widths in found.items()}


def _statement_text(
    one: Statement, previous: Statement | CodeBlock | None, label: str, depths: Mapping[Group, Sequence[int]]
) -> str:
    """A statement as written, below the name it stands under unless that is said: `label` is the one said last."""
    text, above = one.text, ""
    name = one.label.strip("`").split("(")[0].split(":")[-1]
    if one.label and one.label != label and one.kind != "step" and not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        label = one.label if one.label.startswith("`") else f"`{one.label}`"
        if one.kind == "sentence" and not is_label(text):
            text = f"{label}: {text}"
        else:
            above = f"{label}:\n\n"
    level = depths[one.group].index(one.depth) if one.group is not None else 0
    return above + _in_its_form(one, text, previous, INDENT * level)


def _in_its_form(one: Statement, text: str, previous: Statement | CodeBlock | None, indent: str) -> str:
    if one.kind == "step":
        return f"{indent}{one.marker} {text}"
    if one.kind == "item":
        return f"{indent}- {text}"
    if one.kind == "row" and not (isinstance(previous, Statement) and previous.group == one.group):
        return f"{one.header}\n{text}"
    return text


def block_text(block: CodeBlock) -> str:
    """A block in its fence, below its file name if it has one."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`{3,}", block.code)), default=2))
    caption = caption_of(block.info)
    named = f"`{caption}`:\n\n" if caption else ""
    return f"{named}{fence}{block.language}\n{block.code}\n{fence}{_placeholders(block.code)}"


_PLACEHOLDER = re.compile(r"(?<!\w)__[A-Z][A-Z0-9_]*?__(?!\w)")
_CONSTANTS = frozenset(
    "__FILE__ __LINE__ __DIR__ __FUNCTION__ __CLASS__ __METHOD__ __NAMESPACE__ __TRAIT__ __DEV__ __DATE__ __TIME__".split()
)
"""Names of this form that languages and bundlers define themselves."""


def _placeholders(code: str) -> str:
    """The line below a block that says which of its names stand for something of the reader's own; empty without any."""
    names = [name for name in dict.fromkeys(_PLACEHOLDER.findall(code)) if name not in _CONSTANTS]
    if not names:
        return ""
    listed = ", ".join(f"`{name}`" for name in names)
    return f"\n\n{listed}: {'placeholders' if len(names) > 1 else 'a placeholder'} of the documentation; put in your own."


def source_line(passage: Passage, heading: str) -> str:
    """The line below an excerpt: the page's title and the heading where it stands."""
    return f"{SOURCE}{_one_line(heading or passage.title)}"


_LOOSE_END = re.compile(
    r"(?:\s+(?:the|an?|with|in|for|of|using|from|by|on|to|and|or|its|my|your|our))+[\s.,;:!?]*$", re.IGNORECASE
)
"""What is left of a sentence where the library's name stood at its end."""


def concept_heading(concept: str) -> str:
    """The heading of one concept's section."""
    text = _one_line(plain(concept)).lstrip("#").strip()
    text = _LOOSE_END.sub("", text) or text
    return f"## {text[:1].upper()}{text[1:]}"


def page_of(passage: Passage) -> str:
    """The page that a passage belongs to: passages of one page are one reference."""
    if passage.url:
        return page_address(passage.url)
    return passage.path or passage.source or passage.title


def reference_line(passage: Passage, library: AnsweredLibrary | None) -> str:
    """One reference: title, link or path; library id and version too where they are not those of the headline."""
    title = _one_line(passage.title.split(" > ", 1)[0]).replace("[", "(").replace("]", ")") or "Untitled"
    if passage.url:
        text = f"- [{title}]({page_address(passage.url)})"
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
