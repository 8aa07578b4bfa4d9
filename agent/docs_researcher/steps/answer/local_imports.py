"""What a block of code takes from another file of the same example, and which block defines it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.core.passages import Passage
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.fences import split_fences

_SCRIPT = re.compile(
    r"^\s*import\s+(?:type\s+)?(?P<names>[^'\";]+?)\s+from\s+['\"](?P<path>(?:\.{1,2}|@|~)/[^'\"]+)['\"]", re.MULTILINE
)
_PYTHON = re.compile(r"^\s*from\s+(?P<path>\.+[\w.]*)\s+import\s+\(?(?P<names>[\w, ]+)", re.MULTILINE)
_NAME = re.compile(r"(?:\b\w+\s+as\s+)?\b(?!(?:type|as)\b)([A-Za-z_$][\w$]*)")
_FENCE = "```"


def local_imports(code: str) -> tuple[tuple[str, str], ...]:
    """The names that a block imports out of files beside it, each with the file as written without its leading dots."""
    found: list[tuple[str, str]] = []
    for pattern in (_SCRIPT, _PYTHON):
        for match in pattern.finditer(code):
            path = match.group("path").lstrip(".@~/")
            found += [(name, path) for name in _NAME.findall(match.group("names"))]
    return tuple(dict.fromkeys(found))


def defines(code: str, name: str) -> bool:
    """Whether a block defines a name at its top level: a function with a body, a class or a constant."""
    if re.search(rf"\bfunction\s+{re.escape(name)}\s*\([^()]*\)[^{{}}]{{0,80}}\{{\s*(?://[^\n]*\s*)?\}}", code):
        return False  # a stub
    pattern = rf"^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|def)\s+{re.escape(name)}(?![\w$])"
    return re.search(pattern, code, re.MULTILINE) is not None


_STUB = re.compile(
    r"\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s+\w+\s*\([^()]*\)[^{}]{0,80}\{\s*(?://[^\n]*\s*)?\}\s*"
)


def is_stub(code: str) -> bool:
    """Whether a block is nothing but a function without a body, to be filled in further on."""
    return _STUB.fullmatch(code) is not None


def words_for_what_is_missing(passages: Sequence[Passage]) -> str | None:
    """A query for the block that defines what the code of the best page imports; None when nothing is missing there."""
    if not passages:
        return None
    page = page_of(passages[0])
    codes = [segment.code for one in passages if _FENCE in one.content for segment in split_fences(one.content) if segment.code]
    for one in passages:
        if page_of(one) != page or _FENCE not in one.content:
            continue
        for segment in split_fences(one.content):
            for name, path in local_imports(segment.code or ""):
                if path and not any(defines(code, name) for code in codes):
                    return f"define {name} {path}"
    return None
