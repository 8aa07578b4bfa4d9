"""A piece of documentation made to fit a budget without cutting code."""

from __future__ import annotations

import re

from docs_researcher.core.tokens import estimate_tokens

LEFT_OUT_CODE = "[A block of code is left out here; it is longer than the space for it.]"
LEFT_OUT = "[Shortened: the rest stands on the page.]"

_FENCE = re.compile(r"^[ \t]{0,3}(?:> ?)*(`{3,}|~{3,})(.*)$")


def trim(content: str, max_tokens: int) -> str:
    """The paragraphs of a Markdown text that fit, in order, with a mark where something is missing.

    Code is kept whole or left out whole. A text whose first paragraph alone does not fit is cut between two words.
    """
    note = estimate_tokens(LEFT_OUT)
    kept: list[str] = []
    used = note
    prose_is_full = False
    for block, is_code in paragraphs(content):
        cost = estimate_tokens(block) + 1
        if used + cost <= max_tokens and not prose_is_full:
            kept.append(block)
            used += cost
        elif is_code:
            if kept and kept[-1] != LEFT_OUT_CODE and used + note <= max_tokens and not prose_is_full:
                kept.append(LEFT_OUT_CODE)
                used += note
        elif not prose_is_full:
            prose_is_full = True
            if not any(not mark.startswith(("[", "#")) for mark in kept):
                kept.append(_first_words(block, max(1, max_tokens - used)))
    if not kept:
        kept.append(LEFT_OUT_CODE)
    return "\n\n".join([*kept, LEFT_OUT])


def paragraphs(content: str) -> list[tuple[str, bool]]:
    """The text cut at blank lines outside fences: each piece, and whether it is code. An open fence runs to the end."""
    pieces: list[tuple[str, bool]] = []
    lines: list[str] = []
    fence = ""

    def close(is_code: bool) -> None:
        text = "\n".join(lines).strip("\n")
        if text.strip():
            pieces.append((text, is_code))
        lines.clear()

    for line in content.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            lines.append(line)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                close(True)
                fence = ""
        elif mark and not (mark[1][0] == "`" and "`" in mark[2]):
            close(False)
            lines.append(line)
            fence = mark[1]
        elif line.strip():
            lines.append(line)
        else:
            close(False)
    close(bool(fence))
    return pieces


def _first_words(text: str, max_tokens: int) -> str:
    """The beginning of a text that fits, cut at a blank where there is one."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    cut = text[:low]
    blank = cut.rfind(" ")
    return cut[:blank] if blank > low // 2 else cut
