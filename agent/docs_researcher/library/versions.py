"""Versions in one place: reading them, ordering them, matching what was asked for, choosing one.

Versions come as people and tags write them: `v15.1.8`, `v19_1_0`, `pkg@1.2.3`, `@scope/pkg@1.2.3`, `release-1.2.3`,
`REL_2_1_9`, `2024.10.1`, `1.0.0rc1`, `1.0.0-rc.10`, `6.1.4.1`. Numbers are compared as numbers everywhere. A text that names
no number (`main`, `latest`, `__branch__canary`) is a label: it has no `Version`, sorts below every version and is never
"the newest stable one".

Plain dotted numbers and semver prereleases are read here; other spellings go to `packaging` (PEP 440), ranges to `packaging`
or `nodesemver` (npm's grammar). Both are imported only when such a text comes along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

MAX_VERSION_CHARS = 128
"""A longer text is no version."""
MAX_RANGE_CHARS = 256
"""A longer range is refused, as npm does; matching time grows with the square of the length."""

Part = tuple[int, int, str]
"""One piece of a prerelease or build: (rank, number, word)."""
SortKey = tuple[int, tuple[int, ...], tuple[Part, ...], tuple[int, int], tuple[Part, ...]]
"""Epoch, release numbers without zeros at the end, prerelease, post release, build: comparable with every other key."""

_DEV, _END, _NUMBER, _WORD, _FINAL = -1, 0, 1, 2, 3
_STABLE: tuple[Part, ...] = ((_FINAL, 0, ""),)
_NO_POST = (-1, 0)

_NAMED_PREFIX = re.compile(r"(?:[a-z][a-z0-9.]*[-_])*?(?:version|release|ver|rel|jdk|go|v|r)?[-_. ]?(?=\d)", re.IGNORECASE)
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)*")
_SEMVER = re.compile(r"([0-9]+(?:\.[0-9]+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")
_STABLE_SUFFIX = re.compile(r"[-.](?:final|ga|release|jre|android|lts|stable)$", re.IGNORECASE)
_PEP_440_ONLY = re.compile(r"(?:post|rev|dev|r\d)", re.IGNORECASE)
_WORDS_OF_RELEASES = {"a": "alpha", "b": "beta", "c": "rc", "pre": "rc", "preview": "rc"}

_NEWEST = frozenset({"", "*", "x", "any", "latest", "newest", "current", "stable", "release", "lts"})
_RANGE_SIGNS = re.compile(r"[\^~<>=|,*! ]|\.x\b", re.IGNORECASE)
_PEP_440_RANGE = re.compile(r"~=|===?|!=|,|\d(?:a|b|c|rc|\.dev|\.post)\d", re.IGNORECASE)
_PRERELEASE_IN_RANGE = re.compile(r"\d(?:-[0-9a-z]|\.?(?:a|b|c|rc|alpha|beta|pre|preview|dev)\.?\d)", re.IGNORECASE)
_PROTOCOL = re.compile(r"(workspace|npm|catalog|file|link|portal|patch|git|github|https?|git\+\w+):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Version:
    """A version that could be read.

    Attributes:
        text: as it was written.
        core: without the prefix (`1.2.3` of `@scope/pkg@1.2.3`, `19.1.0` of `v19_1_0`).
        numbers: the release numbers as written, zeros at the end kept.
        key: what to sort by.
    """

    text: str
    core: str
    numbers: tuple[int, ...]
    key: SortKey

    @property
    def is_prerelease(self) -> bool:
        """Whether this is an alpha, beta, release candidate, canary or development version."""
        return self.key[2] != _STABLE or self.key[3][1] < 0

    def starts_with(self, numbers: Sequence[int]) -> bool:
        """Whether the release numbers begin with these; missing ones count as zero."""
        own = self.numbers + (0,) * (len(numbers) - len(self.numbers))
        return own[: len(numbers)] == tuple(numbers)


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """Which version was chosen.

    Attributes:
        version: as listed; None when nothing could be chosen.
        how: a phrase for the reader, such as "the newest stable 15.x".
        substituted: another version than the one asked for.
    """

    version: str | None
    how: str
    substituted: bool = False


def parse_version(text: str) -> Version | None:
    """Read one version or tag; None for a label, a range or anything else that is no version."""
    core = _peel(text)
    if core is None:
        return None
    if _PLAIN.fullmatch(core):
        return _version(text, core, _integers(core))
    core = _STABLE_SUFFIX.sub("", core)
    semver = _SEMVER.fullmatch(core)
    if semver and not _PEP_440_ONLY.match(semver[2] or ""):
        pre = _prerelease(semver[2]) if semver[2] else _STABLE
        return _version(text, core, _integers(semver[1]), pre=pre, build=_parts(semver[3] or ""))
    return _parse_pep440(text, core)


def sort_newest(texts: Iterable[str]) -> list[str]:
    """The texts, newest version first; labels stand last, in the order given."""
    known: list[tuple[SortKey, str]] = []
    labels: list[str] = []
    for text in texts:
        version = parse_version(text)
        if version is None:
            labels.append(text)
        else:
            known.append((version.key, text))
    known.sort(key=lambda pair: pair[0], reverse=True)
    return [text for _, text in known] + labels


def newest_stable(texts: Iterable[str]) -> str | None:
    """The highest version that is no prerelease, as listed."""
    return best_match("latest", texts)


def satisfies(asked: str, version: str) -> bool:
    """Whether a listed version is one of those asked for.

    `asked` may be an exact version, the beginning of one ("15" is any stable 15.x, "6.1.4" also 6.1.4.1), a range of npm,
    Python or Ruby ("2.x", "^5", ">=3,<4", "~> 7.0"), "15+", or a word ("latest" is any stable version; any other word only
    the label of that name). Prereleases satisfy only what names a prerelease.
    """
    wanted = _wanted(asked)
    if wanted is None:
        return False
    found = parse_version(version)
    if found is None:
        return bool(wanted) and _label(wanted) == _label(version)
    if wanted.lower() in _NEWEST:
        return not found.is_prerelease
    point = parse_version(wanted)
    if point is not None:
        return _satisfies_point(point, found)
    if not _RANGE_SIGNS.search(wanted) and not re.match(r"\d", wanted):
        return _names_channel(wanted, found)
    if found.is_prerelease and not _PRERELEASE_IN_RANGE.search(wanted):
        return False
    return _satisfies_range(wanted, found)


def best_match(asked: str, versions: Iterable[str]) -> str | None:
    """The highest listed version that satisfies what was asked; exactly that one when it is listed.

    A prerelease is chosen only when `asked` names one.
    """
    listed = list(versions)
    wanted = _wanted(asked)
    point = parse_version(wanted) if wanted else None
    if point is not None and (len(point.numbers) >= 3 or point.is_prerelease):
        for text in listed:
            found = parse_version(text)
            if found is not None and found.key == point.key:
                return text
    fitting = sort_newest(text for text in listed if satisfies(asked, text))
    return fitting[0] if fitting else None


def choose_version(asked: str | None, versions: Iterable[str]) -> VersionChoice:
    """Choose among the listed versions: the best match, else the nearest one (`substituted`), else none.

    Nearest is the line (major.minor) closest to what was asked: of the same major first, then newer before older; of that
    line its newest version. Without `asked` it is the newest stable version, or the newest prerelease when there is no other.
    """
    listed = list(versions)
    wanted = (asked or "").strip()
    match = best_match(wanted or "latest", listed)
    if match is not None:
        return VersionChoice(match, _how_matched(wanted, match))
    ordered = [version for text in sort_newest(listed) if (version := parse_version(text)) is not None]
    if not ordered:
        return VersionChoice(None, "no version is listed")
    anchor = _anchor(wanted)
    if anchor is None:
        newest = next((version for version in ordered if not version.is_prerelease), ordered[0])
        kind = "prerelease; no stable version is listed" if newest.is_prerelease else "stable version"
        return VersionChoice(newest.text, f"the newest {kind}", substituted=wanted.lower() not in _NEWEST)
    stable = [version for version in ordered if not version.is_prerelease]
    nearest = _nearest(anchor, stable or ordered)
    return VersionChoice(nearest.text, f"the nearest to {wanted} that is listed", substituted=True)


def _how_matched(wanted: str, match: str) -> str:
    point, found = parse_version(wanted), parse_version(match)
    if found is None:
        return f"the one listed as {match}"
    if wanted.lower() in _NEWEST:
        return "the newest stable version"
    if point is None:
        return f"the newest version that fits {wanted}"
    if point.is_prerelease or (point.key == found.key and len(point.numbers) >= 3):
        return "the version asked for"
    return f"the newest stable {'.'.join(map(str, point.numbers))}.x"


def _nearest(anchor: Version, ordered: Sequence[Version]) -> Version:
    """The version nearest to `anchor`; `ordered` is newest first and not empty."""
    wanted = _line(anchor)
    same_major = [version for version in ordered if version.numbers[0] == wanted[0]]
    pool = same_major or list(ordered)
    newer = [version for version in pool if _line(version) >= wanted]
    line = _line(newer[-1]) if newer else _line(pool[0])
    return next(version for version in pool if _line(version) == line)


def _line(version: Version) -> tuple[int, int]:
    """Major and minor."""
    return (*version.numbers, 0)[0], (*version.numbers, 0, 0)[1]


def _anchor(wanted: str) -> Version | None:
    """The version that "nearest" is measured from: the text itself, or the first number in a range."""
    point = parse_version(wanted)
    if point is not None:
        return point
    number = re.search(r"\d{1,9}(?:\.\d{1,9})*", wanted[:MAX_RANGE_CHARS])
    return parse_version(number[0]) if number else None


def _peel(text: str) -> str | None:
    """The text without name, word and `v` in front, with dots for underscores; None when no digit begins what is left."""
    text = text.strip()
    if len(text) > MAX_VERSION_CHARS or text.startswith("__"):
        return None
    text = text.rsplit("@", 1)[-1]
    text = text.rsplit("/", 1)[-1]
    prefix = _NAMED_PREFIX.match(text)
    if prefix is None:
        return None
    core = text[prefix.end() :]
    return core if "." in core else core.replace("_", ".")


def _version(
    text: str,
    core: str,
    numbers: tuple[int, ...],
    *,
    epoch: int = 0,
    pre: tuple[Part, ...] = _STABLE,
    post: tuple[int, int] = _NO_POST,
    build: tuple[Part, ...] = (),
) -> Version:
    release = numbers
    while len(release) > 1 and release[-1] == 0:
        release = release[:-1]
    return Version(text, core, numbers, (epoch, release, pre, post, build))


def _integers(dotted: str) -> tuple[int, ...]:
    return tuple(int(number) for number in dotted.split("."))


def _parts(text: str) -> tuple[Part, ...]:
    """Numbers and words of a text such as `rc.10`, `beta4` or `canary.82`, in its order."""
    pieces: list[str] = re.findall(r"[0-9]+|[A-Za-z]+", text)
    return tuple(_part(piece) for piece in pieces)


def _part(piece: str) -> Part:
    if piece.isdigit():
        return _NUMBER, int(piece), ""
    word = piece.lower()
    return _WORD, 0, _WORDS_OF_RELEASES.get(word, word)


def _prerelease(text: str) -> tuple[Part, ...]:
    return (*_parts(text), (_END, 0, ""))


def _parse_pep440(text: str, core: str) -> Version | None:
    from packaging.version import InvalidVersion
    from packaging.version import Version as Pep440

    try:
        read = Pep440(core)
    except InvalidVersion:
        return None
    pre, post = _STABLE, _NO_POST
    ending: Part = (_END, 0, "") if read.dev is None else (_DEV, read.dev, "")
    if read.pre is not None:
        pre = (*_parts("".join(map(str, read.pre))), ending)
    elif read.dev is not None and read.post is None:
        pre = (ending,)
    if read.post is not None:
        post = (read.post, 0 if read.dev is None else -1)
    return _version(text, core, read.release, epoch=read.epoch, pre=pre, post=post, build=_parts(read.local or ""))


def _wanted(asked: str) -> str | None:
    """What was asked without a protocol in front; None when it cannot name a version (too long, a path, a repository)."""
    asked = asked.strip()
    if len(asked) > MAX_RANGE_CHARS:
        return None
    protocol = _PROTOCOL.fullmatch(asked)
    if protocol is None:
        return asked
    if protocol[1] == "workspace":
        return "" if protocol[2] in ("^", "~") else protocol[2].strip()
    if protocol[1] == "npm":
        _, at, wanted = protocol[2][1:].rpartition("@")
        return wanted.strip() if at else ""
    return None


def _label(text: str) -> str:
    return text.strip().lower().removeprefix("__branch__")


def _satisfies_point(point: Version, found: Version) -> bool:
    if point.is_prerelease or found.is_prerelease:
        return point.key[:4] == found.key[:4]
    if point.key[0] != found.key[0] or (point.key[3] != _NO_POST and point.key[3] != found.key[3]):
        return False
    return found.starts_with(point.numbers)


def _names_channel(word: str, found: Version) -> bool:
    """Whether a word such as "canary" or "beta" is the channel of this prerelease."""
    return found.is_prerelease and _parts(word)[:1] == found.key[2][:1]


def _satisfies_range(wanted: str, found: Version) -> bool:
    at_least = re.fullmatch(r"v?(\d+(?:\.\d+)*)\+", wanted)
    if at_least:
        wanted = f">={at_least[1]}"
    wanted = re.sub(r"~>\s*v?(\d+(?:\.\d+)*)", _pessimistic, wanted)
    if _PEP_440_RANGE.search(wanted) and "^" not in wanted and "||" not in wanted:
        return _satisfies_pep440(wanted, found)
    import nodesemver

    matches: Callable[..., bool] = cast(Any, nodesemver).satisfies  # the library states no types
    try:
        return matches(_semver_text(found), wanted.replace(",", " "), loose=True)
    except ValueError:
        return False


def _satisfies_pep440(wanted: str, found: Version) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    try:
        return SpecifierSet(re.sub(r"(?<![=<>!~])=(?!=)", "==", wanted)).contains(found.core, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _pessimistic(match: re.Match[str]) -> str:
    """Ruby's `~> 7.0` (at least 7.0, below 8) as two comparisons."""
    numbers = list(_integers(match[1]))
    upper = numbers[:-1] or numbers
    upper = [*upper[:-1], upper[-1] + 1]
    return f">={match[1]},<{'.'.join(map(str, upper))}"


def _semver_text(version: Version) -> str:
    """The version as npm's grammar has it: three numbers and the prerelease."""
    numbers = ".".join(str(number) for number in (*version.numbers, 0, 0)[:3])
    if version.key[2] == _STABLE:
        return numbers
    pieces = [word or str(number) for rank, number, word in version.key[2] if rank != _END]
    return f"{numbers}-{'.'.join(pieces)}"
