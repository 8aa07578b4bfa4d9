"""The labels of admonitions in Markdown."""

from __future__ import annotations

_KINDS = (
    "note tip info warning danger caution important success failure error bug example quote abstract summary question hint "
    "attention seealso deprecated experimental details tldr"
)
_ADMONITIONS = frozenset(_KINDS.split())


def label(name: str, title: str) -> str:
    """The label of an admonition as Markdown: `**Tip: Title**`. Empty for a container that only arranges things."""
    title = title.strip().strip('"')
    is_kind = name.lower() in _ADMONITIONS or name.lower().startswith("version-")
    kind = name.replace("-", " ").capitalize() if is_kind else ""
    if title.casefold() == kind.casefold():
        title = ""
    text = ": ".join(filter(None, (kind, title)))
    return f"**{text}**" if text and "*" not in text else text
