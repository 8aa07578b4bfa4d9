"""Running text without what a reader never sees: tags, comments, script bodies. Inline code is not touched."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape

from docs_researcher.docsets.readers.badges import is_badge
from docs_researcher.docsets.readers.components import attribute_text
from docs_researcher.docsets.readers.jsx import Scan, Tag, scan_tag
from docs_researcher.docsets.readers.myst import unwrap_roles
from docs_researcher.docsets.readers.powers import raised

_ICON = r":(?:material|octicons|simple|fontawesome-(?:brands|solid|regular))-[\w-]+:[ \t]?"
_LIST = r"\{(?<=[)\]*_`:]\{):?[ \t]*[.#][^{}\n]*\}"
_ANNOTATION = r"\{%-?[ \t]*(?:[#.$/][^%\n]*|\w[\w-]*(?:[ \t][^%\n]*)?)%\}"
_ENTITY = r"&(?!lt;|gt;|amp;|quot;)[A-Za-z][A-Za-z0-9]{1,24};"
"""A character by its name; those that Markdown would take for a mark stay as they are written."""
_SUSPECT = re.compile(rf"{_ENTITY}|<[A-Za-z/>!]|\{{/\*|\{{[\"'] +[\"']\}}|{_ICON}|{_LIST}|\{{%|`#!\w|\{{:\w+\}}`")
_SUSPECT_CHARACTERS = ("<", "&", "{", "`#!", ":material-", ":octicons-", ":simple-", ":fontawesome-")
"""One of these stands in whatever `_SUSPECT` finds."""
_STOP = re.compile(rf"\\.|``*|<!--|\{{/\*|\{{[\"'] *[\"']\}}|<|{_ICON}|{_LIST}|{_ANNOTATION}|{_ENTITY}", re.DOTALL)
"""Icons and lists of attributes (Python-Markdown, Kramdown) and annotations (Markdoc) go where they are no code."""
_TEMPLATE = re.compile(r"\{%-?[ \t]*(\W?)[ \t]*([\w-]*)")
_MARKED_CODE = re.compile(r"(`+)(#!\w+[ \t]+(?=\S))?(.*?)(\{:\w+\})?(`+)", re.DOTALL)
"""Inline code with its language, as Python-Markdown and Rehype Pretty Code write it."""
_TICKS = re.compile(r"`+")
_COMMENT_END = re.compile(r"\*/\s*\}")
_ADDRESS = r"\(((?:[^()\s]|\([^()\s]*\))+)(?:\s[^()]*)?\)"
_LINKED_IMAGE = re.compile(rf"\[(!\[[^\[\]]*\]{_ADDRESS})\]\[([^\[\]]+)\]")
_IMAGE = re.compile(rf"\[!\[[^\[\]]*\]{_ADDRESS}\](?:{_ADDRESS}|\[[^\[\]]*\])|!\[[^\[\]]*\]{_ADDRESS}")
_REFERENCE = re.compile(r"(?<!\])(!?)\[([^\[\]]+)\](?:\[([^\[\]]*)\])?(?![(:\[])")
_OBJECT = re.compile(r"(?<![\w\]!\\])\[([^\[\]\n]+)\]\[((?:[A-Za-z_]\w*(?:\.\w+)+)?)\]")
"""A reference to an object of an API (`[text][acme.Client]`), which mkdocstrings turns into a link and nothing here defines."""
_SUPERSCRIPT = re.compile(r"(\w?\w|[)\]]) ?<sup>\s*([^<>\s]{1,9})\s*</sup>")
_DEFINITION = re.compile(
    r"^[ >\t]*\[([^\[\]^][^\[\]]*)\]:[ \t]*(?:<([^<>\n]*)>|(\S+))(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$"
)
_BREAKS = "p br div td th tr li ul ol dl dt dd table thead tbody option summary h1 h2 h3 h4 h5 h6 section article figcaption"
_BREAKING = frozenset(_BREAKS.split())
_HIDDEN = re.compile(r"</(script|style)[ \t]*>", re.IGNORECASE)


@dataclass(slots=True)
class Shown:
    """What cleaning the texts of one document shares."""

    scan: Scan
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    """Targets of reference-style links by their folded label."""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    """Titles of sections anywhere in the documentation, by the label above them (MyST)."""


@dataclass(slots=True)
class _Output:
    parts: list[str] = field(default_factory=list[str])
    links: list[str] = field(default_factory=list[str])
    """Targets of the `<a href>` that are open."""


def clean_inline(text: str, shown: Shown) -> str:
    """`text` (one paragraph, heading or table row, its container prefixes included) as a reader sees it.

    A line that held nothing but tags is dropped. `<a href="x">y</a>` becomes a Markdown link.
    """
    if "}`" in text:
        text = unwrap_roles(text, code_spans(text), shown.labels)
    if shown.links and "[" in text:
        text = _resolve_references(text, shown.links)
    if "![" in text:
        text = _without_badges(text)
    if "][" in text:
        text = _outside_code(_OBJECT, text, _object_text)
    if "</sup>" in text:
        text = _outside_code(_SUPERSCRIPT, text, lambda match: match[1] + raised(match[1], match[2]))
    if not any(map(text.__contains__, _SUSPECT_CHARACTERS)) or not _SUSPECT.search(text):
        return text
    cleaned = _strip(text, shown.scan)
    if cleaned == text or "\n" not in text:
        return cleaned.rstrip() if cleaned != text else text
    return "\n".join(line.rstrip() for line in cleaned.split("\n") if line.strip(" \t>"))


def _without_badges(text: str) -> str:
    """`text` without images that tell the state of the project, and without the lines that held nothing else."""
    seen = _outside_code(_IMAGE, text, lambda match: "" if is_badge(match[1] or match[3]) else match[0])
    return text if seen == text else "\n".join(line.rstrip() for line in seen.split("\n") if line.strip(" \t>"))


def _strip(text: str, scan: Scan) -> str:
    output = _Output()
    ticks: dict[int, list[int]] | None = None
    missing: set[str] = set()
    position = 0
    while (stop := _STOP.search(text, position)) is not None:
        output.parts.append(text[position : stop.start()])
        found = stop.group()
        if found[0] == "`":
            ticks = _tick_runs(text) if ticks is None else ticks
            position = _code_span_end(ticks, stop.start(), len(found))
            output.parts.append(_code(text[stop.start() : position]))
        elif found in ("<!--", "{/*"):
            position = _comment_end(text, stop, missing)
            output.parts.append(text[stop.start() : position] if position == stop.end() else "")
        elif found == "<":
            position = _tag_end(text, stop.start(), scan, output, missing)
        elif found[0] == "&":
            output.parts.append(unescape(found).replace("\u00a0", " "))
            position = stop.end()
        elif found.startswith("{%"):
            output.parts.append("" if _is_annotation(found, scan) else found)
            position = stop.end()
        elif found.lstrip(" \t")[0] in "{:":
            output.parts.append(" " if found[1] in "\"'" else "")
            position = stop.end()
        else:  # an escape
            output.parts.append(found)
            position = stop.end()
    output.parts.append(text[position:])
    return "".join(output.parts)


def _code(span: str) -> str:
    match = _MARKED_CODE.fullmatch(span) if "#!" in span or "{:" in span else None
    return f"{match[1]}{match[3]}{match[5]}" if match and match[3] else span


def _is_annotation(tag: str, scan: Scan) -> bool:
    """Whether a template tag is Markdoc's: of other engines it may be what the text is about."""
    sign, name = _TEMPLATE.match(tag).groups()  # pyright: ignore[reportOptionalMemberAccess] -- found by a narrower pattern
    return sign in ("#", ".") or f"%{name}" in scan.closed or (sign == "$" and "%" in "".join(scan.closed))


def _comment_end(text: str, stop: re.Match[str], missing: set[str]) -> int:
    """Where the comment ends; the end of its own opening when it is never closed."""
    opening = stop.group()
    if opening in missing:
        return stop.end()
    if opening == "<!--":
        closing = text.find("-->", stop.start() + 2)
        if closing >= 0:
            return closing + 3
    else:
        match = _COMMENT_END.search(text, stop.end())
        if match:
            return match.end()
    missing.add(opening)
    return stop.end()


def _tag_end(text: str, start: int, scan: Scan, output: _Output, missing: set[str]) -> int:
    """Handle the `<` at `start`: write what is to be seen of it and return the position behind."""
    tag = scan_tag(text, start, len(text), scan)
    if tag is None or not tag.is_markup(scan) or _is_generic(text, start, tag):
        output.parts.append("<")
        return start + 1
    name = tag.name.lower()
    if name in ("script", "style") and not tag.closing and not tag.self_closing and name not in missing:
        closing = next((match for match in _HIDDEN.finditer(text, tag.end) if match.group(1).lower() == name), None)
        if closing:
            return closing.end()
        missing.add(name)
    output.parts.append(_spaced(_seen(text, tag, output, missing), tag, text[start - 1 : start], text[tag.end : tag.end + 1]))
    return tag.end


def _spaced(seen: str, tag: Tag, before: str, after: str) -> str:
    """What a tag shows, apart from the words that touch it: a label is no part of them."""
    if not seen.strip() or tag.name.lower() == "a":
        return seen
    gap = "" if not after or after.isspace() or after in "<.,;:)" else ": " if seen.endswith("**") else " "
    return f"{' ' if before.isalnum() else ''}{seen}{gap}"


def _is_generic(text: str, start: int, tag: Tag) -> bool:
    """`Promise<Response>` in running text: a type, not a component."""
    before = text[start - 1 : start]
    return (
        tag.is_component() and not tag.closing and not tag.self_closing and bool(before) and (before.isalnum() or before == "_")
    )


def _seen(text: str, tag: Tag, output: _Output, missing: set[str]) -> str:
    """What stands in the place of a tag."""
    name = tag.name.lower()
    if name == "a":
        if tag.closing:
            return _link_end(output)
        href = tag.attributes.get("href", "").strip()
        if href and not re.search(r"[\s<>()]", href) and "a" not in missing:
            if text.find("</a", tag.end) >= 0:
                output.links.append(href)
                return "["
            missing.add("a")
        return ""
    carried = attribute_text(tag)
    if carried:
        return carried if "\n" not in carried else " ".join(carried.split())
    return " " if name in _BREAKING else ""


def _link_end(output: _Output) -> str:
    """The end of the `<a href>` that is open; one that showed nothing (a badge) goes."""
    if not output.links:
        return ""
    target = output.links.pop()
    while output.parts and not output.parts[-1].strip():
        output.parts.pop()
    if output.parts and output.parts[-1] == "[":
        output.parts.pop()
        return ""
    return f"]({target})"


def _tick_runs(text: str) -> dict[int, list[int]]:
    """Where each length of back-tick run stands."""
    runs: dict[int, list[int]] = {}
    for match in _TICKS.finditer(text):
        runs.setdefault(match.end() - match.start(), []).append(match.start())
    return runs


def _code_span_end(runs: Mapping[int, list[int]], start: int, length: int) -> int:
    """Behind the code span that opens at `start`, or behind its back-ticks when no run of that length follows."""
    places = runs.get(length, [])
    following = bisect_right(places, start)
    return places[following] + length if following < len(places) else start + length


def code_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of the code spans in `text`, in order."""
    if "`" not in text:
        return []
    runs = _tick_runs(text)
    spans: list[tuple[int, int]] = []
    position = 0
    while (match := _STOP.search(text, position)) is not None:
        position = match.end()
        if match.group()[0] == "`":
            position = _code_span_end(runs, match.start(), len(match.group()))
            if position > match.end():
                spans.append((match.start(), position))
    return spans


def link_definition(line: str) -> tuple[str, str] | None:
    """Folded label and target when the line defines a reference-style link (`[label]: target`)."""
    match = _DEFINITION.match(line) if "]:" in line else None
    return (_folded(match.group(1)), match.group(2) or match.group(3) or "") if match else None


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _object_text(match: re.Match[str]) -> str:
    return match[1] if match[2] or match[1].startswith("`") else match[0]


def _resolve_references(text: str, links: Mapping[str, str]) -> str:
    """Reference-style links written out as `[text](target)`, so that a chunk does not need its page's foot."""

    def written_out(match: re.Match[str]) -> str:
        target = links.get(_folded(match.group(3) or match.group(2)))
        escaped = match.start() > 0 and text[match.start() - 1] == "\\"
        return match.group() if target is None or escaped else f"{match.group(1)}[{match.group(2)}]({target})"

    def linked(match: re.Match[str]) -> str:
        target = links.get(_folded(match[3]))
        return match[0] if target is None else f"[{match[1]}]({target})"

    text = _outside_code(_REFERENCE, text, written_out)
    return _outside_code(_LINKED_IMAGE, text, linked) if "][" in text else text


def _outside_code(pattern: re.Pattern[str], text: str, shown: Callable[[re.Match[str]], str]) -> str:
    """`text` with every match replaced that does not begin inside inline code."""
    spans = code_spans(text)
    starts = [start for start, _ in spans]

    def replaced(match: re.Match[str]) -> str:
        index = bisect_left(starts, match.start() + 1) - 1
        is_code = index >= 0 and match.start() < spans[index][1]
        return match.group() if is_code else shown(match)

    return pattern.sub(replaced, text)
