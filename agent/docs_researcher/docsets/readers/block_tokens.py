"""The leaf tokens that our block rules and parser put beside CommonMark's, and how a rule pushes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock

    from docs_researcher.docsets.readers.base import Kind

REPLACED = "replaced"
"""Token type: its lines are replaced by its `content`, nothing or a block of the kind that `meta` states under `kind`."""
PREFORMATTED = "preformatted"
"""Token type: an HTML `pre` or a component of code; its `content` is the code, its `info` the language."""
PARAGRAPH = "paragraph"
"""Token type: a paragraph as a whole. They are half of all tokens, and three for each took a twentieth of a build."""
INDENTED = "indented"
"""Token type (open and close): `!!! note` and its like; `info` is the label, the lines below it are indented by four."""


def replace(state: StateBlock, start: int, end: int, content: str, kind: Kind = "text") -> bool:
    """Put `content` in the place of these lines and go on behind them."""
    token = state.push(REPLACED, "", 0)
    token.map = [start, end]
    token.content = content
    token.meta = {"kind": kind}
    state.line = end
    return True


def preformatted(state: StateBlock, start: int, end: int, code: str, language: str = "") -> bool:
    """Put a block of code in the place of these lines and go on behind them."""
    token = state.push(PREFORMATTED, "", 0)
    token.map = [start, end]
    token.content = code
    token.info = language
    state.line = end
    return True
