"""Versions in a question and in the titles of a documentation: a guide to the upgrade asked about goes before those to others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_UPGRADE = re.compile(
    r"\b(?:versions?|upgrad\w*|migrat\w*|breaking|deprecat\w*|change-?logs?|release[sd]?|removed|renamed|"
    r"what'?s new|what is new|new in|changed (?:in|since)|changes (?:in|since|between))\b",
    re.IGNORECASE,
)
_FROM_ONE_TO = re.compile(r"\bfrom (?:version )?v?\d+\S* to\b", re.IGNORECASE)
_NUMBER = r"\d{1,3}(?:\.(?:\d{1,3}|x)){0,7}"  # bounded, since a search for it begins at each of its parts
_FROM_TO = re.compile(
    rf"\bv?(?P<old>{_NUMBER})\s*(?:to|->|=>|→|➔)\s*(?:version\s+)?(?P<marked>v?)(?P<new>{_NUMBER})\b", re.IGNORECASE
)
_MARKED = re.compile(rf"\b(?:v|versions?\s+|releases?\s+)(?P<new>{_NUMBER})\b", re.IGNORECASE)
_ALONE = re.compile(rf"(?<![\w.])(?P<new>{_NUMBER})(?![\w.%]|\s*(?:ms|s|sec\w*|min\w*|px|times|items|kb|mb|gb)\b)", re.IGNORECASE)

_NAMED_FROM_TO = re.compile(rf"v?({_NUMBER})\s*(?:to|->|→)\s*v?({_NUMBER})\b", re.IGNORECASE)
_NAMED_FROM = re.compile(rf"\bfrom (?:version )?v?({_NUMBER})\b", re.IGNORECASE)
_NAMED = re.compile(rf"(?<![\w.])(?:v\.?\s?({_NUMBER})|({_NUMBER})(?![\w%]|\.?\s*[).:]\s))", re.IGNORECASE)
_STEP = re.compile(r"^\d{1,3}[.):]\s")
"""A heading that begins so counts the steps of a guide."""
_PATH_VERSION = re.compile(r"(?:^|[/_.-])v(\d{1,3}(?:[._-]\d{1,3})*)(?=[/_.-]|$)", re.IGNORECASE)

UPGRADE_WORDS = ("migration", "migrating", "upgrade", "upgrading", "breaking changes")
"""What documentation calls a way from one version to another, which a question may only write as "4 to 5"."""
SAME, NEAR, BEFORE, OTHER = 1.0, 0.7, 0.8, -1.0
"""How well a title fits that names the version asked for, one that begins like it, the one to upgrade from, or another one."""


@dataclass(frozen=True, slots=True)
class AskedVersions:
    """The versions that a question is about."""

    new: tuple[int, ...]
    """The one asked for, without the zeros at its end."""
    old: tuple[int, ...] | None = None
    """The one that an upgrade starts from."""

    @property
    def written(self) -> tuple[str, ...]:
        """How pages write the version: `v5`, and with its parts `2.1`."""
        number = ".".join(map(str, self.new))
        return (f"v{number}", number) if len(self.new) > 1 else (f"v{number}",)

    def fit(self, title: str, heading: str, path: str) -> float:
        """How well a chunk fits by the versions that stand in its heading, else in its title, else in its path; 0 without any."""
        for text in (heading, title):
            if named := named_versions(text):
                return max(self._fit(new, old) for new, old in named)
        return max((self._fit(_numbers(found), None) for found in _PATH_VERSION.findall(path)), default=0.0)

    def _fit(self, new: tuple[int, ...] | None, old: tuple[int, ...] | None) -> float:
        if new is not None:
            return SAME if new == self.new else NEAR if _alike(new, self.new) else OTHER
        return BEFORE if old is not None and self.old is not None and _alike(old, self.old) else OTHER


def is_about_versions(question: str) -> bool:
    """Whether a question asks about versions, upgrades or what changed."""
    return _UPGRADE.search(question) is not None or _FROM_ONE_TO.search(question) is not None


def asked_versions(question: str, names: Iterable[str]) -> AskedVersions | None:
    """The versions that a question about an upgrade or a release is about; None for any other question.

    "resize from 3 to 5" says nothing of versions, "fastify 3 to 5" does: the library's name or a `v` stands before the number.
    """
    about = _UPGRADE.search(question) is not None
    if (found := _FROM_TO.search(question)) is not None:
        before = question[: found.start()].rstrip().lower()
        marked = found["marked"] or found.group().startswith(("v", "V")) or "." in found.group()
        if about or marked or before.endswith(tuple(name.lower() for name in names if name)):
            return AskedVersions(_numbers(found["new"]), _numbers(found["old"]))
        return None
    if about and (found := _MARKED.search(question) or _ALONE.search(question)) is not None:
        return AskedVersions(_numbers(found["new"]))
    return None


@lru_cache(maxsize=4096)
def named_versions(text: str) -> Sequence[tuple[tuple[int, ...] | None, tuple[int, ...] | None]]:
    """The versions in a title or heading path, each as the version that is reached and the one it starts from."""
    last = text.rpartition(" > ")[2]
    if not any(map(str.isdigit, last)):
        return _outer(text) if " > " in text else ()
    if (pair := _NAMED_FROM_TO.search(last)) is not None:
        return ((_numbers(pair[2]), _numbers(pair[1])),)
    if (old := _NAMED_FROM.search(last)) is not None:
        return ((None, _numbers(old[1])),)
    found = [(_numbers(marked or bare), None) for marked, bare in _NAMED.findall(_STEP.sub("", last))]
    return tuple(found) or (_outer(text) if " > " in text else ())


def _outer(text: str) -> Sequence[tuple[tuple[int, ...] | None, tuple[int, ...] | None]]:
    return named_versions(text.rpartition(" > ")[0])


def _numbers(version: str) -> tuple[int, ...]:
    """A version as numbers, without what says nothing at its end: 5.0.x is 5."""
    found = [int(part) for part in re.findall(r"\d+", version)]
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return tuple(found)


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one begins with the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
