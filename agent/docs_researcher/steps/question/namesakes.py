"""One name for a service and for its clients: `openai` of the question "openai v1.3 python" is the Python client."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.library.packages import PackageRef, PackageType, normalise_pypi_name
from docs_researcher.library.projects.values import Project
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.registry import registry_meant
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.words import GENERAL_LANGUAGES, LANGUAGES, word_set

_REGISTRIES: dict[str, PackageType] = {"python": "pypi", "js": "npm"}
_WORD_BEHIND = re.compile(
    r"[ ]+(?:(?:client|sdk|driver|library|package|bindings|api)[ ]+)?(?:for[ ]+|in[ ]+)?([A-Za-z]+)", re.IGNORECASE
)
"""What may tell the language: "redis python", "docker sdk for python"."""
_WORD_BEFORE = re.compile(r"([A-Za-z]+)(?:'s)?[ ]+$")
_AS_A_TOOL = word_set("with using via through import require")


def told_apart(text: str, mentions: Sequence[Mention], catalogue: Catalogue, project: Project | None = None) -> list[Mention]:
    """The mentions, each name that a service shares with a package standing for the one that is meant.

    A package is meant beside its language, in code, and where the service is named by another name ("postgres through pg"). Of
    a service that cannot be read itself the client is meant that the asker has; of one in the cloud any, which is a guess.
    """
    told = [_told_apart(text, mention, mentions, catalogue, project) for mention in mentions]
    return [mention for mention in told if not _tells_the_language(text, mention, told)]


def _tells_the_language(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a language stands behind a library to say which of its packages is meant, and is not asked about itself."""
    if fold_name(mention.name) not in GENERAL_LANGUAGES or version_follows(text, mention.end):
        return False
    return any(
        other.end < mention.start
        and fold_name(other.name) not in GENERAL_LANGUAGES
        and (behind := _word_behind(text, other)) is not None
        and behind.start(1) == mention.start
        for other in others
    )


def _told_apart(text: str, mention: Mention, others: Sequence[Mention], catalogue: Catalogue, project: Project | None) -> Mention:
    if mention.kind not in ("name", "word", "code") or mention.entry is None:
        return mention
    language = _language_beside(text, mention)
    for registry in _REGISTRIES.values():
        client = _package_owner(catalogue, registry, mention.text)
        if client is None or client.name == mention.entry.name:
            continue
        beside = _REGISTRIES.get(language) == registry or mention.kind == "code" or _through(text, mention, others)
        if beside or _only_for_another(mention.entry, registry, text):
            return replace(mention, name=client.name, entry=client)
    return _client(text, mention, mention.entry, catalogue, project)


def _only_for_another(entry: Entry, registry: PackageType, text: str) -> bool:
    """Whether a library has packages of another registry alone, and the text speaks of this one: "bcrypt hash, in python"."""
    packages: dict[PackageType, Sequence[str]] = {"npm": entry.npm, "pypi": entry.pypi}
    elsewhere = any(names for other, names in packages.items() if other != registry)
    return elsewhere and not packages[registry] and registry_meant(text, None) == registry


def _client(text: str, mention: Mention, service: Entry, catalogue: Catalogue, project: Project | None) -> Mention:
    if service.package is not None or service.guide_at is not None or service.id in catalogue.at_hand:
        return mention
    clients = _clients(service, catalogue)
    have = {registry: client for registry, client in clients.items() if client.id in catalogue.at_hand}
    among = have or (clients if service.ecosystem == "cloud" else {})
    if not among:
        return mention
    meant = registry_meant(text, project)
    by_words = among.get(meant) if meant is not None else None
    chosen = by_words or next(iter(among.values()))
    others = [client.package for client in among.values() if client is not chosen and by_words is None]
    return replace(mention, name=chosen.name, entry=chosen, guessed=others[0] if others else None)


def _clients(service: Entry, catalogue: Catalogue) -> dict[PackageType, Entry]:
    """The packages that are called as the service is, by their registry; that of PyPI, which more people use, first."""
    found: dict[PackageType, Entry] = {}
    for registry in _REGISTRIES.values():
        owners = (_package_owner(catalogue, registry, name) for name in (service.name, *service.aliases))
        owner = next((owner for owner in owners if owner is not None and owner.name != service.name), None)
        if owner is not None:
            found[registry] = owner
    return found


def _package_owner(catalogue: Catalogue, registry: PackageType, name: str) -> Entry | None:
    name = normalise_pypi_name(name) if registry == "pypi" else name.lower()
    return catalogue.by_package(PackageRef(registry, name))


def _language_beside(text: str, mention: Mention) -> str:
    """The language named right behind the mention and its version, or right before it; empty without one."""
    behind = _word_behind(text, mention)
    before = _WORD_BEFORE.search(text, max(0, mention.start - 20), mention.start)
    found = (LANGUAGES.get(match[1].lower(), "") for match in (behind, before) if match)
    return next((language for language in found if language), "")


def _word_behind(text: str, mention: Mention) -> re.Match[str] | None:
    stated = version_follows(text, mention.end)
    return _WORD_BEHIND.match(text, stated.end if stated else mention.end)


def _through(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether the name stands for the means: "with pg", where the service is named by another name already."""
    before = _WORD_BEFORE.search(text, max(0, mention.start - 20), mention.start)
    named = any(other.entry is mention.entry and other.text.lower() != mention.text.lower() for other in others)
    return named and before is not None and before[1].lower() in _AS_A_TOOL
