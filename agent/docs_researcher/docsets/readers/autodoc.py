"""What the pages of a Sphinx documentation leave to autodoc: the dotted names whose docstrings belong there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DIRECTIVE = re.compile(
    r"^[ \t]*\.\.[ \t]+(?:(?P<module>(?:py:)?(?:current)?module)|"
    r"auto(?P<kind>class|function|exception|data|module|method|attribute))::[ \t]*(?P<name>[\w.]+)",
    re.MULTILINE,
)
_MEMBERS = frozenset({"method", "attribute"})


def autodoc_names(pages: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in the order of the pages (texts in RST). A method stands for its class."""
    return tuple(dict.fromkeys(name for page in pages for name in _names(page)))


def _names(page: str) -> Iterator[str]:
    module = ""
    for match in _DIRECTIVE.finditer(page):
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
