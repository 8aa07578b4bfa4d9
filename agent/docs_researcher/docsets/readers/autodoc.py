"""What the pages of a guide leave to autodoc, autosummary or mkdocstrings: the dotted names whose docstrings belong there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DIRECTIVE = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:(?P<module>(?:py:)?(?:current)?module)|"
    r"auto(?P<kind>class|function|exception|data|module|method|attribute))::[ \t]*(?P<name>[\w.]+)|"
    r"^:::[ \t]+(?P<object>[A-Za-z_]\w*(?:\.\w+)*)[ \t]*$",
    re.MULTILINE,
)
_MARKS = (b"automodule", b"autoclass", b"autofunction", b"autoexception", b"autodata", b"automethod", b"autoattribute", b"::: ")
_MEMBERS = frozenset({"method", "attribute"})


def may_name(page: bytes) -> bool:
    """Whether a page can leave anything to autodoc at all."""
    return any(mark in page for mark in _MARKS)


def autodoc_names(pages: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in the order of the pages (texts in RST and Markdown). A method stands for its class."""
    return tuple(dict.fromkeys(name for page in pages for name in _names(page)))


def _names(page: str) -> Iterator[str]:
    module = ""
    for match in _DIRECTIVE.finditer(page):
        if match["object"]:
            yield match["object"]
            continue
        name = match["name"]
        if match["module"]:
            module = name
            continue
        if match["kind"] in _MEMBERS:
            name = name.rpartition(".")[0]
        if match["kind"] == "module":
            yield name
        elif name:
            yield name
            if module and not name.startswith(f"{module}."):
                yield f"{module}.{name}"
