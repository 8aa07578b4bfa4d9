"""What the pages of a guide leave to autodoc, autosummary or mkdocstrings: the dotted names whose docstrings belong there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+(?:(?P<module>(?:py:)?(?:current)?module)::[ \t]*(?P<current>[\w.]+)|"
    r"auto(?P<kind>class|function|exception|data|module|method|attribute)::[ \t]*(?P<name>[\w.]+)|"
    r"(?P<summary>autosummary)::)|"
    r"^[`~:]{3,}\{(?P<fence>autosummary)\}|"
    r"^:::[ \t]+(?P<object>[A-Za-z_]\w*(?:\.\w+)*)[ \t]*$",
    re.MULTILINE,
)
_MARKS = (b"automodule", b"autoclass", b"autofunction", b"autoexception", b"autodata", b"automethod", b"autoattribute",
          b"autosummary", b"::: ")  # fmt: skip
_MEMBERS = frozenset({"method", "attribute"})
_SUMMARISED = re.compile(r"[ \t]*(?:[^<\n]*<)?~?(?P<name>[A-Za-z_]\w*(?:\.\w+)*)>?[ \t]*$")
_FENCE_END = re.compile(r"[`~:]{3,}[ \t]*$")


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
        elif match["module"]:
            module = match["current"]
        elif match["summary"] or match["fence"]:
            indent = None if match["fence"] else len(match["indent"])
            for name in _summarised(page[match.end() :], indent):
                yield from _in_module(name, module)
        else:
            name = match["name"]
            if match["kind"] in _MEMBERS:
                name = name.rpartition(".")[0]
            if match["kind"] == "module":
                yield name
            elif name:
                yield from _in_module(name, module)


def _in_module(name: str, module: str) -> Iterator[str]:
    """A name as it is meant below the current module, and, one with dots, as it is written."""
    if module and not name.startswith(f"{module}."):
        yield f"{module}.{name}"
    if not module or "." in name:
        yield name


def _summarised(text: str, indent: int | None) -> Iterator[str]:
    """The names that a summary lists: its lines, deeper than `indent`, else (None) up to the end of its fence."""
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        if _FENCE_END.match(line) if indent is None else len(line) - len(line.lstrip()) <= indent:
            return
        match = _SUMMARISED.match(line)
        if match is not None:
            yield match["name"]
