"""Hold a finished answer against what was read: its code, its links and its sources.

Works on anybody's Markdown. Nothing is believed because a model wrote it: an example or a reference leaves this function only
if it stands in the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from docs_researcher.core.answer import Example, Reference
from docs_researcher.core.ledger import Evidence, Ledger
from docs_researcher.core.passages import Passage, page_address
from docs_researcher.steps.answer.answer_text import page_of
from docs_researcher.steps.checks.code_match import CodeIndex
from docs_researcher.steps.checks.unfenced_code import unfenced_code
from docs_researcher.steps.fences import Segment, split_fences

_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(?P<target>\S+?)>?(?:\s.*)?$", re.MULTILINE)
_LINK = re.compile(
    r"\[(?P<label>[^\[\]\n]{1,300})\]\((?P<target><[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+[\"'(][^)\n]*)?\)"
)
_BARE = re.compile(r"(?P<address>\b(?:https?://|www\.)[^\s<>\"'`\])]+|\bpkg:[a-z]+/[^\s<>\"'`\])]+)")
_CITATION = re.compile(r"(?<![\w\])])\[(?P<number>\d{1,3})\](?![(\[:])")
_SOURCE_LINE = re.compile(r"^\W*Sources?:\s*(?P<named>.+)$", re.MULTILINE)
_PATH = re.compile(r"(?<![\w/@.:-])(?:[\w@.()\[\]-]+/)+[\w@.()\[\]-]+\.(?:mdx?|rst|txt|html?|ipynb|adoc)\b")


@dataclass(frozen=True, slots=True)
class Grounded:
    """An answer's text with what of it stands in the ledger and what does not."""

    text: str
    """The text, without images; a link without evidence is its label alone."""
    examples: tuple[Example, ...]
    """The documentation's own text of each block that was found, in order."""
    references: tuple[Reference, ...]
    """The pages used, each once, in the order of first use."""
    unsupported_blocks: int
    unsupported_links: int
    blocks_without_evidence: tuple[str, ...] = ()
    links_without_evidence: tuple[str, ...] = ()
    adapted_blocks: tuple[str, ...] = ()
    """Blocks that share nearly all of their tokens with one of the documentation, but are not it."""


def ground(text: str, ledger: Ledger, said: Iterable[str] = ()) -> Grounded:
    """Compare the code blocks, links and named sources of `text` with the passages of the ledger.

    A host that our own notices name (`said`) may be named.
    """
    reading = _Reading(ledger, text, hosts=_hosts(said))
    pieces = [reading.code(segment) if segment.code is not None else reading.prose(segment.raw) for segment in split_fences(text)]
    return Grounded(
        "\n".join(pieces),
        tuple(dict.fromkeys(reading.examples)),
        tuple(_reference(passage) for passage in reading.used.values()),
        len(reading.strange_blocks),
        len(reading.strange_links),
        tuple(reading.strange_blocks),
        tuple(reading.strange_links),
        tuple(reading.adapted),
    )


def _hosts(said: Iterable[str]) -> frozenset[str]:
    """The hosts called `www.` in these sentences, perhaps with a path; a query could carry something out."""
    found = (match["address"].rstrip(".,;:!?") for text in said for match in _BARE.finditer(text))
    return frozenset(address for address in found if address.startswith("www.") and "?" not in address)


@dataclass(slots=True)
class _Reading:
    """Reads an answer from top to bottom and remembers what it used."""

    ledger: Ledger
    text: str
    hosts: frozenset[str] = frozenset()
    """Hosts that our own notices name."""
    examples: list[Example] = field(default_factory=list[Example])
    used: dict[tuple[str, str], Passage] = field(default_factory=dict[tuple[str, str], Passage])
    strange_blocks: list[str] = field(default_factory=list[str])
    strange_links: list[str] = field(default_factory=list[str])
    adapted: list[str] = field(default_factory=list[str])
    _index: CodeIndex = field(init=False)
    _named: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self._index = CodeIndex(self.ledger)
        self._named = frozenset(one.number for one in self.ledger if any(name in self.text for name in _names(one.passage)))

    def code(self, segment: Segment) -> str:
        code = segment.code or ""
        match = self._index.find(code, self._named)
        if match is None:
            if code.strip():
                self.strange_blocks.append(code)
            return segment.raw
        if match.kind == "adapted":
            self.adapted.append(code)
        passage = match.evidence.passage
        self.examples.append(Example(match.code, segment.language or match.language, _source(passage)))
        self._use(passage)
        return segment.raw

    def prose(self, raw: str) -> str:
        spans = list(_SPAN.finditer(raw))
        events: list[tuple[int, Passage]] = []
        edits: list[tuple[int, int, str]] = []
        taken: list[tuple[int, int]] = [span.span() for span in spans]
        for block in unfenced_code(raw):
            if block.code.strip() and self._index.find(block.code, self._named) is None and not self._is_quoted(block.code):
                self.strange_blocks.append(block.code)
                edits.append((block.start, block.end, ""))
            taken.append((block.start, block.end))
        for match in _IMAGE.finditer(raw):
            if _free(match, taken):
                self.strange_links.append(match.group())
                edits.append((*match.span(), ""))
                taken.append(match.span())
        for match in [*_LINK.finditer(raw), *_DEFINITION.finditer(raw)]:
            if _free(match, taken):
                self._target(match, events, edits)
                taken.append(match.span())
        for match in _BARE.finditer(raw):
            if _free(match, taken):
                self._address(match, events)
                taken.append(match.span())
        events += self._mentions(raw, taken)
        for _, passage in sorted(events, key=lambda event: event[0]):
            self._use(passage)
        return _edited(raw, edits)

    def _target(self, match: re.Match[str], events: list[tuple[int, Passage]], edits: list[tuple[int, int, str]]) -> None:
        target = match.group("target").strip("<>")
        passage = self._passage_at(target)
        if passage is not None:
            events.append((match.start(), passage))
        elif not self._stands_in_evidence(target):
            self.strange_links.append(target)
            edits.append((*match.span(), match.groupdict().get("label") or ""))

    def _address(self, match: re.Match[str], events: list[tuple[int, Passage]]) -> None:
        address = match.group("address").rstrip(".,;:!?")
        passage = self._passage_at(address)
        if passage is not None:
            events.append((match.start(), passage))
        elif address not in self.hosts and not self._stands_in_evidence(address):
            self.strange_links.append(address)

    def _mentions(self, raw: str, taken: list[tuple[int, int]]) -> Iterable[tuple[int, Passage]]:
        """Passages named by number, by a `Source:` line or by their path."""
        entries = tuple(self.ledger)
        for match in _CITATION.finditer(raw):
            if not _free(match, taken):
                continue
            number = int(match.group("number"))
            if 1 <= number <= len(entries):
                yield match.start(), entries[number - 1].passage
            else:
                self.strange_links.append(match.group())
        for match in _SOURCE_LINE.finditer(raw):
            passage = _by_title(match.group("named").strip(), entries)
            if passage is not None:
                yield match.start(), passage
        for match in _PATH.finditer(raw):
            there = [one.passage for one in entries if one.passage.path == match.group()]
            if there:  # two libraries may have a page of one path: the whole source tells them apart
                whole = (passage for passage in there if passage.source and raw.endswith(passage.source, 0, match.end()))
                yield match.start(), next(whole, there[0])

    def _passage_at(self, target: str) -> Passage | None:
        wanted = _address(target)
        for one in self.ledger:
            passage = one.passage
            if wanted in {_address(known) for known in (passage.url, passage.source, passage.path) if known}:
                return passage
        return None

    def _is_quoted(self, text: str) -> bool:
        """Whether a text stands in a passage, white space aside: indented prose of a page is no code of ours to judge."""
        wanted = " ".join(text.split())
        return any(wanted in " ".join(one.passage.content.split()) for one in self.ledger)

    def _stands_in_evidence(self, target: str) -> bool:
        """Whether the documentation itself names this address, or it is the package that a passage was read from.

        An address with a query could carry something out and is never passed on from a page's text.
        """
        if target.startswith("pkg:"):
            return any(one.passage.source.split("#", 1)[0] == target for one in self.ledger)
        if target.startswith("www.") and "/" not in target:
            return any(urlsplit(one.passage.url or "").hostname == target.lower() for one in self.ledger)
        if not target.startswith(("http://", "https://")) or "?" in target:
            return False
        known = re.compile(re.escape(target.rstrip("/")) + r"(?![\w/.-]*\w)")
        return any(known.search(one.passage.content) for one in self.ledger)

    def _use(self, passage: Passage) -> None:
        self.used.setdefault((passage.library_id, page_of(passage)), passage)


def _names(passage: Passage) -> tuple[str, ...]:
    return tuple(name for name in (passage.title, passage.source, passage.url, passage.path) if name)


def _by_title(named: str, entries: Iterable[Evidence]) -> Passage | None:
    """The passage that a source line names by its title, or by its page's title and a heading that stands in it."""
    passages = [one.passage for one in entries if one.passage.title]
    page, _, heading = named.partition(" > ")
    last = heading.rsplit(" > ", 1)[-1]
    tests: tuple[Callable[[Passage], bool], ...] = (
        lambda passage: passage.title == named,
        lambda passage: _page_title(passage) == page and bool(last) and (last in passage.title or last in passage.content),
        lambda passage: _page_title(passage) == page,
    )
    return next((passage for test in tests for passage in passages if test(passage)), None)


def _page_title(passage: Passage) -> str:
    return passage.title.split(" > ", 1)[0]


def _address(text: str) -> str:
    """An address in the form in which two are compared: a web page without its fragment and its last slash."""
    if text.startswith(("http://", "https://")):
        scheme, _, rest = page_address(text).partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host.lower()}{slash}{path}".rstrip("/")
    return text


def _source(passage: Passage) -> str:
    return passage.url or passage.source or passage.path or passage.title


def _reference(passage: Passage) -> Reference:
    return Reference(
        title=_page_title(passage),
        url=page_address(passage.url) if passage.url else None,
        path=passage.path,
        library_id=passage.library_id,
        version=passage.version,
        date=passage.date,
    )


def _free(match: re.Match[str], taken: Iterable[tuple[int, int]]) -> bool:
    return not any(start < match.end() and match.start() < end for start, end in taken)


def _edited(raw: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, replacement in sorted(edits, reverse=True):
        raw = raw[:start] + replacement + raw[end:]
    return raw
