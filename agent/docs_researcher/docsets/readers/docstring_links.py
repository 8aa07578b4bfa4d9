"""Named links in a docstring: `` `content`_ `` shows what its author put behind it, wherever in the docstring that stands."""

from __future__ import annotations

import re

_TARGET = re.compile(
    r"^[ \t]*\.\. _`?(?P<name>[^`:\n][^:\n]*?)`?:[ \t]*\n?[ \t]*(?P<address>https?://\S+)[ \t]*(?:\n|\Z)", re.MULTILINE
)
_NAMED = re.compile(r"(?<![`\w])`([^`<>]+)`_(?![_\w`])")
_WORD = re.compile(r"(?<![`\w])([A-Za-z][\w.-]*?[A-Za-z0-9])_(?![_\w`])")


def with_targets(text: str) -> str:
    """The docstring with the addresses of its named links in them; a link to what stands elsewhere shows its name alone.

    The parsers of docstrings cut it into sections and fields, behind which the addresses (`.. _content: https://...`) are lost.
    """
    if "_" not in text or not (_NAMED.search(text) or _TARGET.search(text)):
        return text
    targets = {_folded(match["name"]): match["address"] for match in _TARGET.finditer(text)}
    text = _TARGET.sub("", text)
    text = _NAMED.sub(lambda match: _link(match[1], targets) or " ".join(match[1].split()), text)
    return _WORD.sub(lambda match: _link(match[1], targets) or match[0], text) if targets else text


def _link(name: str, targets: dict[str, str]) -> str:
    address = targets.get(_folded(name))
    return f"`{' '.join(name.split())} <{address}>`__" if address else ""


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
