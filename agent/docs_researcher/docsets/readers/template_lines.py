"""Lines that a template engine, MyST or Kramdown reads and no reader sees: `{% hint %}`, `(label)=`, `{: .class }`, `[[toc]]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docs_researcher.docsets.readers.admonitions import label
from docs_researcher.docsets.readers.block_tokens import replace

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

_INVISIBLE = re.compile(
    r"\([\w:./ -]+\)=[ \t]*$|\{:?[ \t]*[.#][^{}\n]*\}[ \t]*$|\{%[^\n]*%\}[ \t]*$|\{\{#title\b[^{}\n]*\}\}[ \t]*$|"
    r"\[\[?_?toc_?\]\]?[ \t]*$|\*\[[^\]\n]+\]:[^\n]*$|;?-{1,3}8<-{1,3}(?:[ \t]+[^\n]*)?$",
    re.IGNORECASE,
)
"""A line that names a place or dresses the next block, a template tag, a table of contents to be made, an abbreviation, a snippet
of a file that is not here."""
_MISSING = re.compile(r"<<<[ \t]+@?/?([\w./@-]+\.\w+)|\{\{#(?:rustdoc_)?(?:include|playground|playpen)[ \t]+([\w./-]+\.\w+)")
"""Code of a file that is not here."""
_TAG = re.compile(r"\{%-?[ \t]*([\w-]+)")
_ATTRIBUTE = re.compile(r"\b([\w-]+)=(?:\"([^\"\n]+)\"|'([^'\n]+)')")
_ASIDES = frozenset({"hint", "callout", "admonition", "alert", "aside", "note"})


def template_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line of this kind. A template tag ends the paragraph that it stands below."""
    position = state.bMarks[start] + state.tShift[start]
    if state.src[position : position + 1] not in ("(", "{", "[", "*", "<", "-", ";") or state.is_code_block(start):
        return False
    if silent and not state.src.startswith("{%", position):
        return False
    missing = _MISSING.match(state.src, position, state.eMarks[start])
    match = missing or _INVISIBLE.match(state.src, position, state.eMarks[start])
    if match is None:
        return False
    if silent:
        return True
    if missing:
        return replace(state, start, start + 1, f"Code: `{missing[1] or missing[2]}`")
    text, is_label = _shown(match.group()) if match.group().startswith("{%") else ("", False)
    return replace(state, start, start + 1, text, "admonition" if is_label else "text")


def _shown(tag: str) -> tuple[str, bool]:
    """What a template tag shows of its attributes, and whether that is the label of an admonition."""
    name = _TAG.match(tag)
    values = {key: double or single for key, double, single in _ATTRIBUTE.findall(tag)}
    title = values.get("title") or values.get("label") or values.get("summary") or ""
    if name and name[1] in _ASIDES:
        shown = label(values.get("style") or values.get("type") or name[1], title)
        return shown, bool(shown)
    if name and name[1].endswith("parameter") and values.get("name"):
        return f"`{values['name']}`" + (f" (`{values['type']}`)" if values.get("type") else ""), False
    texts = [f"**{title}**" if title else "", values.get("description", "")]
    return " ".join(filter(None, texts)), False
