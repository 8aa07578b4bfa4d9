"""One name for a service and for its client: `openai` of the question "openai v1.3 python" is the Python client."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry
from docs_researcher.library.packages import PackageRef, PackageType, normalise_pypi_name
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.words import LANGUAGES, word_set

_REGISTRIES: dict[str, PackageType] = {"python": "pypi", "js": "npm"}
_WORD_BEHIND = re.compile(r"[ ]+(?:for[ ]+|in[ ]+)?([A-Za-z]+)")
_WORD_BEFORE = re.compile(r"([A-Za-z]+)(?:'s)?[ ]+$")
_AS_A_TOOL = word_set("with using via through import require")


def told_apart(text: str, mentions: Sequence[Mention], catalogue: Catalogue) -> list[Mention]:
    """The mentions, each name that a service shares with a package standing for the one that the words beside it mean.

    A package is meant beside its language, in code, and where the service is named by another name ("postgres through pg").
    """
    return [_told_apart(text, mention, mentions, catalogue) for mention in mentions]


def _told_apart(text: str, mention: Mention, others: Sequence[Mention], catalogue: Catalogue) -> Mention:
    if mention.kind not in ("name", "word", "code") or mention.entry is None:
        return mention
    language = _language_beside(text, mention)
    for registry in _REGISTRIES.values():
        client = _package_owner(catalogue, registry, mention.text)
        if client is None or client.name == mention.entry.name:
            continue
        if _REGISTRIES.get(language) == registry or mention.kind == "code" or _through(text, mention, others):
            return replace(mention, name=client.name, entry=client)
    return mention


def _package_owner(catalogue: Catalogue, registry: PackageType, name: str) -> Entry | None:
    name = normalise_pypi_name(name) if registry == "pypi" else name.lower()
    return catalogue.by_package(PackageRef(registry, name))


def _language_beside(text: str, mention: Mention) -> str:
    """The language named right behind the mention and its version, or right before it; empty without one."""
    stated = version_follows(text, mention.end)
    behind = _WORD_BEHIND.match(text, stated.end if stated else mention.end)
    before = _WORD_BEFORE.search(text, max(0, mention.start - 20), mention.start)
    found = (LANGUAGES.get(match[1].lower(), "") for match in (behind, before) if match)
    return next((language for language in found if language), "")


def _through(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether the name stands for the means: "with pg", where the service is named by another name already."""
    before = _WORD_BEFORE.search(text, max(0, mention.start - 20), mention.start)
    named = any(other.entry is mention.entry and other.text.lower() != mention.text.lower() for other in others)
    return named and before is not None and before[1].lower() in _AS_A_TOOL
