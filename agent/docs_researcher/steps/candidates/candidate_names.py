"""The name gate: how far what is offered is called as asked.

Look-alikes are strangers, and so are names that only contain the asked one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docs_researcher.core.library_id import LibraryId
from docs_researcher.core.passages import Candidate
from docs_researcher.library.entries import fold_name as fold
from docs_researcher.steps.names import fold_loosely
from docs_researcher.steps.words import LANGUAGES, STOP_WORDS, word_set

EXACT, ALIAS, NEARLY, PROJECT, LOOSE_PROJECT, VARIANT = 100.0, 98.0, 97.0, 92.0, 90.0, 60.0
"""Points: the title is the name; is another name of it; is the name with a version or "js"; the id's project is the name; is it
but for "js"; the title says the name and more."""
OFFICIAL_OWNER, RELATED_OWNER = 14.0, 8.0

_WORDS = re.compile(r"[a-z0-9][a-z0-9+#]*", re.IGNORECASE)
_TITLE_VERSION = re.compile(r"v?\d+(?:\.(?:\d+|x))*", re.IGNORECASE)
_OF_A_LANGUAGE = re.compile(r"\s+\((?:Python|JavaScript)\)$")
"""Behind a title: the client of a service for one language, as our own list tells them apart."""
_SITE_ENDINGS = re.compile(r"(?:_(?:org|com|io|dev|net|ai|app|sh|rs|co|en|latest|stable|docs?|llms_txt|readthedocs))+$")
_OWNER_ENDINGS = re.compile(r"(?:org|labs?|hq|inc|io|team|project)$")
_SAYS_NOTHING = word_set("js docs documentation framework library official the api reference guide")
_PARTS_OF_A_PRODUCT = word_set(
    "client sdk driver core server library framework cli orm api python node web platform tool tools toolkit"
)
_NOT_THE_SAME = frozenset(("angularjs",))
"""Names that a suffix makes another product."""
_SHORTEST_SHARED = 4


@dataclass(frozen=True, slots=True)
class AskedNames:
    """The name asked for and other names of the same library, folded. The first is the one that was asked."""

    texts: tuple[str, ...]
    folded: tuple[str, ...]
    loose: frozenset[str]

    @classmethod
    def of(cls, name: str, aliases: Sequence[str]) -> AskedNames:
        """Prepare names; of a scoped package or a repository address the part after the `@` or the host counts too."""
        texts = tuple(dict.fromkeys((name, *aliases)))
        folded: list[str] = []
        for text in texts:
            folded.append(fold(text))
            folded.append(fold(re.sub(r"^(?:@|(?:https?://)?github\.com/|/)", "", text)))
        unique = tuple(dict.fromkeys(folded))
        return cls(texts, unique, frozenset(fold_loosely(text) for text in unique if text not in _NOT_THE_SAME))


@dataclass(frozen=True, slots=True)
class NameMatch:
    """How a candidate is called: points, and the words of its title beyond the name."""

    level: float
    additions: frozenset[str] = frozenset()

    @property
    def versions(self) -> tuple[str, ...]:
        """Versions among the additional words, as in "Vue 2"."""
        return tuple(word for word in self.additions if _TITLE_VERSION.fullmatch(word))

    @property
    def unusual(self) -> frozenset[str]:
        """Additional words that may make another product of it."""
        plain = _SAYS_NOTHING | _PARTS_OF_A_PRODUCT | STOP_WORDS | LANGUAGES.keys()
        return frozenset(word for word in self.additions if word not in plain and not _TITLE_VERSION.fullmatch(word))


def match_name(candidate: Candidate, identity: LibraryId, asked: AskedNames) -> NameMatch | None:
    """How the candidate is called by title or id; None for a stranger."""
    title = fold(_OF_A_LANGUAGE.sub("", candidate.title))
    if title in asked.folded:
        return NameMatch(EXACT if title == asked.folded[0] else ALIAS)
    if title not in _NOT_THE_SAME and fold_loosely(title) in asked.loose:
        return NameMatch(NEARLY)
    titled = _titled(candidate.title, identity, asked)
    site = _SITE_ENDINGS.sub("", identity.project)
    projects = {fold(identity.project), fold(f"{identity.owner}/{identity.project}"), fold(site)}
    if titled and titled.level == NEARLY:
        return titled
    if projects & set(asked.folded):
        return NameMatch(PROJECT, titled.additions if titled else frozenset())
    if title not in _NOT_THE_SAME and {fold_loosely(project) for project in projects} & asked.loose:
        return NameMatch(LOOSE_PROJECT)
    return titled


def _titled(title: str, identity: LibraryId, asked: AskedNames) -> NameMatch | None:
    """A title that holds the name as words in a row."""
    for name in asked.texts:
        additions = _additions(title, name)
        if additions is not None:
            additions -= words_of(identity.owner.replace("_", " "))
            plain = all(word in _SAYS_NOTHING or _TITLE_VERSION.fullmatch(word) for word in additions)
            return NameMatch(NEARLY if plain else VARIANT, additions)
    return None


def _additions(title: str, name: str) -> frozenset[str] | None:
    """The words of `title` beyond those of `name` when the name stands in it as words in a row, else None."""
    words = [word.lower() for word in _WORDS.findall(title.replace(".", "").replace("-", " "))]
    wanted = fold(name)
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 5) + 1):
            if fold("".join(words[start:end])) == wanted:
                return frozenset(words[:start] + words[end:])
    return None


def owner_points(identity: LibraryId, asked: AskedNames) -> float:
    """Points for an owner that is called like the product, or nearly so. A name in mixed scripts earns none."""
    if not identity.text.isascii():
        return 0.0
    owner = fold_loosely(identity.owner)
    names = {name.replace("/", "") for name in asked.loose}
    if owner in names or _OWNER_ENDINGS.sub("", owner) in names:
        return OFFICIAL_OWNER
    for name in names:
        if len(name) >= _SHORTEST_SHARED and (
            owner.startswith(name) or (len(owner) >= _SHORTEST_SHARED and name.startswith(owner))
        ):
            return RELATED_OWNER
    return 0.0


def words_of(text: str) -> set[str]:
    """The words of a text in lower case, letters and digits only."""
    return {word.lower() for word in _WORDS.findall(text)}
