"""Step 1: what a question is about, as far as its text says: libraries with their versions, an id, whether to look up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docs_researcher.core.library_id import LibraryId
from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.library.packages import parse_package
from docs_researcher.library.projects.values import Project
from docs_researcher.library.versions import satisfies
from docs_researcher.steps.question.alias_index import alias_index
from docs_researcher.steps.question.asked import asked_first
from docs_researcher.steps.question.instructions import read_instructions
from docs_researcher.steps.question.lookup_due import OPEN_REASONS, why_not_due
from docs_researcher.steps.question.mentions import Mention, find_mentions
from docs_researcher.steps.question.named import Named
from docs_researcher.steps.question.namesakes import told_apart
from docs_researcher.steps.question.registry import in_registry
from docs_researcher.steps.question.typos import misspelt, spelt
from docs_researcher.steps.question.unknown_names import unknown_names
from docs_researcher.steps.question.versions_in_text import stated_versions
from docs_researcher.steps.question.word_sense.meaning import means_library
from docs_researcher.steps.words import GENERAL_LANGUAGES

_PINNED = re.compile(r"(?P<name>.+?)\s*(?:@|==|(?=[<>~^!])|\s+v?(?=\d))\s*(?P<version>(?:[^@\s]| (?=[<>=]))+)$")
_TAKEN_BACK = re.compile(
    r"\s*(?:v?\d[\w.]*)?\s*(?:\.{2,}|…|[,;–—-])?\s*(?:(?:oh|no|uh|um|er|ah|oops)[,.\s]+)*"
    r"(?:sorry|oops|i\s+mean(?:t)?|no\s+wait|scratch\s+that|äh+|ähm|pardon|perdón|perdão|désolé|entschuldigung)\b",
    re.IGNORECASE,
)
"""Behind a name that the asker puts right at once: "in Vuex, sorry, Pinia"."""
_LABELS = frozenset(("latest", "stable"))
_DOT_NET = ("net", "dotnet")
_DOT_NET_IDS = ("/dotnet/", "/websites/learn_microsoft_en-us_aspnet")
_MAX_CHARS = 8_000
"""A longer question is read up to here; what is asked stands in its first pages."""


@dataclass(frozen=True, slots=True)
class Identification:
    """What was understood."""

    use_docs: bool
    reason: str
    libraries: tuple[Named, ...]
    """The asked one first."""
    docs_id: LibraryId | None
    query: str
    """The question without instructions such as "use context7", and with misspelt names put right."""
    mentions: tuple[Mention, ...] = ()
    """Where `query` names libraries, in the order of the text."""

    @property
    def asked(self) -> Named | None:
        """The library that the question is about."""
        return self.libraries[0] if self.libraries else None


def identify(question: str, catalogue: Catalogue, library: str | None = None, project: Project | None = None) -> Identification:
    """Read a question. `library` (a name, name@version, purl or id) fixes the asked library, whatever the text says.

    `project` is the one that is asked in: it tells which package of a library is meant where npm and PyPI both have one.
    """
    instructed = read_instructions(question[:_MAX_CHARS], catalogue)
    docs_id = instructed.docs_id
    query, mentions = spelt(instructed.query, _mentions(instructed.query, catalogue, project))
    versions = _family_versions(stated_versions(query, mentions), mentions)
    named = [_named(mention, versions.get(mention.name)) for mention in _ordered(query, mentions)]
    if library:
        fixed, given = _fixed(library, catalogue)
        docs_id = given or docs_id
        named = _put_first(fixed, named)
        if given and named[0].overruled:
            docs_id = given.at(named[0].version)
    elif docs_id:
        named = _put_first(_by_id(docs_id, catalogue), named)
    exact = docs_id is not None or (library is not None and parse_package(library) is not None)
    named = [*named[:exact], *in_registry(named, query, project)[exact:]]
    why_not = why_not_due(query, mentions, versioned=any(one.version for one in named))
    if (library or docs_id) and why_not in OPEN_REASONS and query:
        why_not = None
    if why_not and not (library or docs_id) and all(fold_name(one.name) in GENERAL_LANGUAGES for one in named):
        named = []  # a language alone is no library
    reason = why_not or f"{named[0].name} is named"
    return Identification(why_not is None, reason, tuple(named), docs_id, query, tuple(mentions))


def _mentions(query: str, catalogue: Catalogue, project: Project | None) -> list[Mention]:
    """The mentions that count: words only with evidence; unknown names and typos only where nothing better stands."""
    mentions = find_mentions(query, catalogue)
    certain = [mention for mention in mentions if mention.kind != "word"]
    doubtful = [mention for mention in mentions if mention.kind == "word"]
    for _ in range(2):
        kept = [mention for mention in doubtful if means_library(query, mention, certain, at_hand=_at_hand(mention, catalogue))]
        certain += kept
        doubtful = [mention for mention in doubtful if mention not in kept]
    certain += unknown_names(query, certain, doubtful)
    corrected = misspelt(query, certain, doubtful, catalogue)
    read_anew = {mention.start for mention in corrected}
    found = sorted([*corrected, *(m for m in certain if m.start not in read_anew)], key=lambda mention: mention.start)
    return told_apart(query, [mention for mention in found if not _TAKEN_BACK.match(query, mention.end)], catalogue, project)


def _named(mention: Mention, version: str | None) -> Named:
    entry = mention.entry
    return Named(mention.name, version, entry.id if entry else None, entry, guessed=mention.guessed)


def _at_hand(mention: Mention, catalogue: Catalogue) -> bool:
    return mention.entry is not None and mention.entry.id in catalogue.at_hand


def _ordered(query: str, mentions: Sequence[Mention]) -> list[Mention]:
    return asked_first(query, mentions) if mentions else []


def _family_versions(versions: dict[str, str], mentions: Sequence[Mention]) -> dict[str, str]:
    """The version of .NET is that of the libraries which are released with it (ASP.NET Core, EF Core, MAUI)."""
    platform = next((m.name for m in mentions if fold_name(m.name) in _DOT_NET and m.name in versions), None)
    if platform is None:
        return versions
    family = {m.name for m in mentions if m.entry and _released_with_dot_net(m.entry)} - set(versions)
    return versions | dict.fromkeys(family, versions[platform])


def _released_with_dot_net(entry: Entry) -> bool:
    return entry.id.startswith(_DOT_NET_IDS) and fold_name(entry.name) not in GENERAL_LANGUAGES


def _fixed(library: str, catalogue: Catalogue) -> tuple[Named, LibraryId | None]:
    """The library that an argument names, and its id when the argument is one."""
    library = library.strip()
    library_id = LibraryId.try_parse(library) if library.startswith("/") else None
    if library_id:
        return _by_id(library_id, catalogue), library_id
    package = parse_package(library)
    if package:
        entry = catalogue.by_package(package)
        return Named(entry.name if entry else package.name, package.version, entry.id if entry else None, entry), None
    pinned = _PINNED.fullmatch(library) if fold_name(library) not in alias_index(catalogue).numbered else None
    name, version = (pinned["name"], pinned["version"]) if pinned else (library, None)
    if version in _LABELS:
        version = None
    entry = catalogue.find(name)
    return Named(entry.name if entry else name, version, entry.id if entry else None, entry), None


def _by_id(library_id: LibraryId, catalogue: Catalogue) -> Named:
    entry = catalogue.find(library_id.base)
    name = entry.name if entry else f"{library_id.owner}/{library_id.project}"
    return Named(name, library_id.version, library_id.text, entry)


def _put_first(fixed: Named, named: Sequence[Named]) -> list[Named]:
    """The fixed library first. A version that the text states for it counts, unless the argument says the same more exactly."""
    same = next((one for one in named if fold_name(one.name) == fold_name(fixed.name)), None)
    if same and same.version and _counts(same.version, fixed.version):
        fixed = replace(fixed, version=same.version, overruled=fixed.version)
    return [fixed, *(one for one in named if one is not same)]


def _counts(stated: str, given: str | None) -> bool:
    return given is None or not (given == stated or satisfies(stated, given))
