"""Versions that an answer states and nothing that was read does."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docs_researcher.core.ledger import Ledger
from docs_researcher.steps.fences import split_fences

_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|https?://\S+|pkg:\S+", re.DOTALL)
_NUMBERS = r"\d+\.\d+(?:\.\d+)?(?:-(?:alpha|beta|rc|canary|next)[\w.]*)?"
_CLAIM = re.compile(
    rf"(?<![\w.@/-])(?:v(?P<marked>{_NUMBERS})|(?P<whole>\d+\.\d+\.\d+(?:-\w[\w.]*)?)|"
    rf"\b(?:versions?|releases?)\s+(?P<named>{_NUMBERS}))(?![\w]|\.\d|\s?(?:%|x\b|ms\b|s\b|MB\b|KB\b|GB\b))",
    re.IGNORECASE,
)
"""What is certainly a version: with a `v`, with three numbers, or behind the word. `1.5 seconds` and `0.25` are none."""

UNREAD = "(not stated in what was read)"


def unread_versions(text: str, ledger: Ledger, known: Iterable[str]) -> tuple[str, ...]:
    """The versions that the prose of `text` states and that stand in no passage, each once, in order.

    `known` are further texts that may state a version: the question, notices, the version that was read.
    """
    claims = dict.fromkeys(
        match["marked"] or match["whole"] or match["named"]
        for segment in split_fences(text)
        if segment.code is None
        for match in _CLAIM.finditer(_SPAN.sub(" ", segment.raw))
    )
    if not claims:
        return ()
    read = [passage_text for one in ledger for passage_text in _texts(one.passage)]
    stated = "\n".join([*read, *known])
    return tuple(claim for claim in claims if not re.search(rf"(?<![\d.]){re.escape(claim)}(?!\d|\.\d)", stated))


def mark_versions(text: str, unread: Iterable[str]) -> str:
    """The text with a mark behind each of these versions, outside of code and addresses."""
    for version in unread:
        claim = rf"(?<![\w.@/-])(?P<claim>v?{re.escape(version)})(?![\w]|\.\d)"
        pattern = re.compile(f"{_SPAN.pattern}|{claim}", re.DOTALL)
        text = "\n".join(
            segment.raw
            if segment.code is not None
            else pattern.sub(lambda match: f"{match[0]} {UNREAD}" if match["claim"] else match[0], segment.raw)
            for segment in split_fences(text)
        )
    return text


def _texts(passage: object) -> tuple[str, ...]:
    return tuple(str(getattr(passage, name) or "") for name in ("title", "content", "source", "version", "path"))
