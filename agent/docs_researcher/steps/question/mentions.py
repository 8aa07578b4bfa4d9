"""Where a text names libraries: names and aliases (longest first), package names, identifiers, unknown packages, typos."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.library.packages import PackageRef
from docs_researcher.steps.question.alias_index import MOST_PIECES, AliasIndex, alias_index
from docs_researcher.steps.question.package_names import command_spans, packages_in
from docs_researcher.steps.question.wording import Piece, pieces
from docs_researcher.steps.words import (
    LANGUAGES,
    NAME_SUFFIXES,
    NUMBER_OWNERS,
    PLAIN_PREFIXES,
    PLAIN_TAILS,
    REQUEST_VERBS,
    STOP_WORDS,
    TRADE_WORDS,
    word_set,
)

MentionKind = Literal["name", "word", "package", "code", "identifier", "unknown", "typo"]

MOST_MENTIONS = 64
"""What one question is read for; a text with more is no question, and each is compared with the others."""

_JOINED_GAPS = frozenset((" ", ".", "-", "_", "/", ""))
_FILE_ENDINGS = word_set(
    "js jsx ts tsx mjs cjs py rb go rs java kt php cs vue svelte json yaml yml toml md mdx txt html css scss sql sh lock "
    "env xml prisma"
)
_DIGITS_AT_END = re.compile(r"([a-z@/+#]*[a-z])(\d{1,2})")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+|(?<![\w/])[\w.+-]+@[\w-]+(?:\.[A-Za-z]{2,})+\b", re.IGNORECASE)
_REPOSITORY = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/([\w.-]+/[\w.-]*\w)", re.IGNORECASE)
_SCOPED = re.compile(r"(?<![\w@])@[A-Za-z0-9][\w.~-]*/[A-Za-z0-9][\w.~-]*")
_COMPOUND = re.compile(r"(?<![\w./@-])([a-z][a-z0-9]*)-(?:[a-z0-9]+-)*([a-z][a-z0-9]*)(?![\w/@.-])")
_GOES_ON_AS_VERSION = re.compile(r"\.\d|\.x\b|\s*(?:->|→|=>|/|\b(?:to|and|or|vs\.?|versus)\b)\s*v?\d", re.IGNORECASE)
_SHORTEST_STEM = 4
_PLAIN_STEMS = STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | NUMBER_OWNERS
_WORD = re.compile(r"\S*")
_WORD_END = re.compile(r"\S*$")
_MOST_CHOICE = 100
"""How far before a slash the word in front of it is looked for."""
_IDENTIFIER = re.compile(r"[$+_@]?[A-Za-z_][\w$]*(?:(?:::|\.|/|-)[A-Za-z_][\w-]*)*(?:\(\))?|\.[a-z]+rc(?:\.\w+)?")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a library is named. `end` is where its version would begin, so the 3 of `Vue3` lies behind it."""

    start: int
    end: int
    text: str
    name: str
    """The canonical name; for a library that the catalogue does not hold, the name as written."""
    kind: MentionKind
    entry: Entry | None = None
    guessed: PackageRef | None = None
    """The package that may as well be meant, where `entry` is one of several clients of what was named."""
    written: str = ""
    """What the question has in its place, where `text` is that name put right."""


def find_mentions(text: str, catalogue: Catalogue) -> tuple[Mention, ...]:
    """All mentions in the order of the text, none inside another. Words that may be plain English are of kind "word"."""
    index = alias_index(catalogue)
    found = [*_addressed(text, catalogue)]
    text = without_addresses(text)
    found += [*_packages(text, catalogue), *_scoped(text, index), *_named(text, index), *_asian(text, index)]
    found += [*_identifiers(text, index), *_compounds(text, index)]
    tools = command_spans(text)
    if tools:
        found = [mention for mention in found if not any(start <= mention.start and mention.end <= end for start, end in tools)]
    return _without_overlaps(found)


def without_addresses(text: str) -> str:
    """The text with blanks in place of URLs and mail addresses: `postgres://...` asks nothing about PostgreSQL."""
    if "://" not in text and "@" not in text:
        return text
    return _ADDRESS.sub(lambda match: " " * len(match[0]), text)


def _addressed(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    """Libraries whose repository a URL names."""
    if "://" not in text:
        return
    for match in _REPOSITORY.finditer(text):
        entry = catalogue.by_id(f"/{match[1]}".removesuffix(".git"))
        if entry is not None:
            yield Mention(match.start(1), match.end(1), match[1], entry.name, "name", entry)


def _without_overlaps(found: list[Mention]) -> tuple[Mention, ...]:
    """The longest ones. Of equal spans what may be a plain word loses, then what was found later in the list."""
    order = sorted(enumerate(found), key=lambda pair: (-(pair[1].end - pair[1].start), pair[1].kind == "word", pair[0]))
    taken: list[Mention] = []
    covered = bytearray(max((mention.end for mention in found), default=0))
    for _, mention in order:
        # Longer ones come first, so one that lies over a taken one has its first or last character in it.
        if not covered[mention.start] and not covered[mention.end - 1]:
            taken.append(mention)
            covered[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    return tuple(sorted(taken, key=lambda mention: mention.start)[:MOST_MENTIONS])


def _packages(text: str, catalogue: Catalogue) -> Iterator[Mention]:
    index = alias_index(catalogue)
    for found in packages_in(text):
        entry = catalogue.by_package(found.package) or index.names.get(fold_name(found.package.name))
        if entry is None and found.certain is False:
            continue
        name = entry.name if entry else found.package.name
        yield Mention(found.start, found.end, text[found.start : found.end], name, "package", entry)


def _scoped(text: str, index: AliasIndex) -> Iterator[Mention]:
    if "@" not in text:
        return
    for match in _SCOPED.finditer(text):
        name = match[0].rstrip(".-")
        entry = index.names.get(fold_name(name))
        yield Mention(match.start(), match.start() + len(name), name, entry.name if entry else name, "package", entry)


def _asian(text: str, index: AliasIndex) -> Iterator[Mention]:
    if text.isascii() or index.asian is None:
        return
    for match in index.asian.finditer(text):
        entry = index.names.get(fold_name(match[0]))
        if entry is not None:
            yield Mention(match.start(), match.end(), match[0], entry.name, "name", entry)


def _named(text: str, index: AliasIndex) -> Iterator[Mention]:
    found = pieces(text)
    position = 0
    behind_a_name = False
    while position < len(found):
        mention, taken = _longest_name(text, found, position, index)
        if mention is not None and behind_a_name and taken > 1 and _begins_with_a_language(mention, found[position], index):
            mention, taken = None, 1
        if mention is not None:
            yield mention
        behind_a_name = mention is not None
        position += taken


def _begins_with_a_language(mention: Mention, first: Piece, index: AliasIndex) -> bool:
    """Whether a language stands before a name that is complete without it, as in "playwright python click an iframe"."""
    rest = fold_name(mention.text.removeprefix(first.text))
    return first.lower in LANGUAGES and index.names.get(rest) is mention.entry


def _longest_name(text: str, found: tuple[Piece, ...], first: int, index: AliasIndex) -> tuple[Mention | None, int]:
    """The longest name that begins at a piece, and how many pieces to go on."""
    last = _run_end(found, first)
    for end in range(last, first, -1):
        run = found[first:end]
        key = _key(run)
        entry, key, until = _known(key, run, index)
        if entry is None or not _spaces_fit(text, run, key, index):
            continue
        compound = _compound(text, run[0].start, until, found, end)
        if compound == "part":
            continue
        if compound == "package" and key in index.words and found[end].lower in PLAIN_TAILS:
            continue
        if compound == "package":
            return _unknown_package(text, found, first)
        kind: MentionKind = "code" if compound == "code" else "word" if key in index.words else "name"
        return Mention(run[0].start, until, text[run[0].start : until], entry.name, kind, entry), end - first
    return None, 1


def _run_end(found: tuple[Piece, ...], first: int) -> int:
    end = first + 1
    while end < len(found) and end - first < MOST_PIECES and found[end].gap in _JOINED_GAPS:
        end += 1
    return end


def _key(run: tuple[Piece, ...]) -> str:
    return run[0].lower + "".join(f"/{piece.lower}" if piece.gap == "/" else piece.lower for piece in run[1:])


def _known(key: str, run: tuple[Piece, ...], index: AliasIndex) -> tuple[Entry | None, str, int]:
    """The entry for a folded name, the name under which it is known, and where the name ends in the text."""
    end = run[-1].end
    digits = _DIGITS_AT_END.fullmatch(key) if key not in index.numbered else None
    if digits and digits[1] in index.names and index.names.get(key, index.names[digits[1]]) is index.names[digits[1]]:
        return index.names[digits[1]], digits[1], end - len(digits[2])
    for form in (key, key.lstrip(".").replace(".", "")):
        if form in index.names:
            return index.names[form], form, end
    return None, key, end


def _spaces_fit(text: str, run: tuple[Piece, ...], key: str, index: AliasIndex) -> bool:
    if all(piece.gap != " " for piece in run[1:]):
        return True
    groups: list[str] = []
    for piece in run:
        if groups and piece.gap != " ":
            groups[-1] += f"/{piece.lower}" if piece.gap == "/" else piece.lower
        else:
            groups.append(piece.lower)
    if len(groups) > 1 and groups[-1].isdigit() and key in index.numbered:
        stem = key.removesuffix(groups[-1])
        return _is_numbered_name(text, run[-1].end, key, stem, index) and index.may_be_spaced(stem, tuple(groups[:-1]))
    return index.may_be_spaced(key, tuple(groups))


def _is_numbered_name(text: str, end: int, key: str, stem: str, index: AliasIndex) -> bool:
    """Whether "Jinja 2" and "boto 3" are a name with its digit, and not a name with a version: "Jinja 2.11", "Jinja 2 to 3"."""
    if _GOES_ON_AS_VERSION.match(text, end):
        return False
    own, bare = index.names[key], index.names.get(stem)
    if bare is not None:
        return bare is own or bare.ecosystem == own.ecosystem
    return len(stem) >= _SHORTEST_STEM and stem not in _PLAIN_STEMS


def _compound(text: str, start: int, end: int, found: tuple[Piece, ...], following: int) -> str:
    """What a name is inside a longer word: "whole" when it is none, "code", "package", or a meaningless "part"."""
    before = text[start - 1] if start else " "
    if before in "-_/$\\" or (before == "." and text[start] != "." and start > 1 and text[start - 2].isalnum()):
        return "whole" if before == "/" and _is_choice(text, start) else "part"
    if following >= len(found) or found[following].start != end + 1:
        return "whole"
    return _compound_by_tail(text[end], text, end, found[following])


def _compound_by_tail(sign: str, text: str, end: int, tail: Piece) -> str:
    if sign == "-":
        return "whole" if tail.lower in NAME_SUFFIXES or tail.text[0].isdigit() else "package"
    if sign == ".":
        if tail.text[0].isdigit():
            return "whole"
        return "part" if tail.lower in _FILE_ENDINGS else "code"
    if sign == "/":
        return "whole" if _is_choice(text, tail.start) else "part"
    return "part" if sign in "_$\\" else "whole"


def _is_choice(text: str, position: int) -> bool:
    """Whether the slash before `position` separates exactly two words, as in "React/Vue"."""
    left = _WORD_END.search(text, max(0, position - _MOST_CHOICE), position - 1)
    right = _WORD.match(text, position)
    whole = f"{left[0] if left else ''}/{right[0] if right else ''}"
    return whole.count("/") == 1 and not whole.startswith(("@", "/", "."))


def _unknown_package(text: str, found: tuple[Piece, ...], first: int) -> tuple[Mention | None, int]:
    """A hyphenated name that begins with a known one and is not known itself: `react-day-picker`."""
    end = first + 1
    while end < len(found) and found[end].gap == "-" and not found[end].text[0].isdigit():
        end += 1
    if end < len(found) and found[end].start == found[end - 1].end + 1 and text[found[end - 1].end] in "._/":
        return None, end - first
    name = text[found[first].start : found[end - 1].end]
    return Mention(found[first].start, found[end - 1].end, name, name, "unknown"), end - first


def _compounds(text: str, index: AliasIndex) -> Iterator[Mention]:
    """Packages that are not known and end in a known name: `ingress-nginx`."""
    for match in _COMPOUND.finditer(text):
        first, last = match[1], match[2]
        key = fold_name(last)
        if (
            key in index.names
            and key not in index.words
            and first not in PLAIN_PREFIXES
            and fold_name(match[0]) not in index.names
        ):
            yield Mention(match.start(), match.end(), match[0], match[0], "unknown")


def _identifiers(text: str, index: AliasIndex) -> Iterator[Mention]:
    exact, beginnings = known_identifiers()
    for match in _IDENTIFIER.finditer(text):
        word = match[0]
        library = exact.get(word) or exact.get(word.removesuffix("()").removeprefix("@"))
        if library is None and ("." in word or "::" in word or "/" in word):
            library = next((exact[part] for part in re.split(r"::|\.|/", word) if part in exact), None)
        if library is None:
            library = next((owner for beginning, owner in beginnings if word.startswith(beginning)), None)
        if library is None:
            continue
        entry = index.names.get(fold_name(library))
        yield Mention(match.start(), match.end(), word, entry.name if entry else library, "identifier", entry)


@lru_cache(maxsize=1)
def known_identifiers() -> tuple[dict[str, str], tuple[tuple[str, str], ...]]:
    """Identifiers with their library, and beginnings of identifiers with theirs."""
    data = json.loads(files("docs_researcher.steps.question").joinpath("identifiers.json").read_bytes())
    exact: dict[str, str] = {}
    beginnings: list[tuple[str, str]] = []
    for library, identifiers in data.items():
        if library == "about":
            continue
        for identifier in identifiers:
            if identifier.endswith("*"):
                beginnings.append((identifier[:-1], library))
            else:
                exact[identifier] = library
    return exact, tuple(beginnings)
