"""Libraries that the catalogue does not hold, named so that they can be nothing else: "ahooks v3.8.2: ...", "the X crate"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.words import NUMBER_OWNERS, REQUEST_VERBS, STOP_WORDS, TRADE_WORDS, word_set

_NAME = r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*"
_TOPIC = re.compile(rf"\s*({_NAME})(?=\s*[:：]\s|\s+[-–—]\s)")
_LEADING = re.compile(rf"\s*({_NAME})(?=[@\s=])")
_KIND_OF_THING = re.compile(
    rf"\b(?:the|using|use|with|of|called|named)\s+[`'\"]?({_NAME})[`'\"]?\s+"
    r"(?:library|package|crate|gem|sdk|framework|npm\s+(?:package|module)|pypi\s+package|module)\b",
    re.IGNORECASE,
)
_KIND_BEFORE = re.compile(
    rf"\b(?:library|package|crate|gem|npm\s+module)\s+(?:called\s+|named\s+)?[`'\"]({_NAME})[`'\"]", re.IGNORECASE
)
_HYPHENED = re.compile(r"(?<![\w./@-])([a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?=\s+v?\d+\.\d)")
_LIKE_A_LIBRARY = re.compile(r"(?<![\w./@-])([a-z]{3,}(?:lib|js|sdk|orm|py|db))(?![\w./-])")
_GREETINGS = word_set(
    "question help urgent bug error note todo hi hello hey quick problem issue re fwd typo task goal context example step "
    "warning ps edit update tldr tl dr help me beginner newbie stuck fyi btw ok okay thanks version release chapter "
    "raises returns yields caution attention important summary background expected actual steps setup current desired title "
    "subject internal password email name user users date time text message msg description author caveat caveats details "
    "reproduction environment logs result results solution answer reason hint tip tips hypothetical scenario idea quote "
    "story wip draft disclaimer assumption assumptions requirement requirements definition option main core common standard "
    "platform distribution filename stdout stderr cwd frame pattern executable frozen extension indent"
)
_NO_NAME = re.compile(
    r"[A-Z]\w*(?:Error|Exception|Warning|Fault|Panic)|[A-Z][A-Z0-9_]*_[A-Z0-9_]+|xxx+|[a-z]+(?:ed|ing|ive|ous|ible|able|ally)",
)
"""Classes of errors, constants, and what an English word looks like before "module" or "package"."""
_COMMON = word_set("stdlib zlib mathlib testdb userdb mydb main.py")
_PLAIN = _COMMON | STOP_WORDS | TRADE_WORDS | REQUEST_VERBS | NUMBER_OWNERS | _GREETINGS


def unknown_names(text: str, certain: Sequence[Mention], doubtful: Sequence[Mention]) -> list[Mention]:
    """Mentions of libraries that are not known. Nothing that overlaps a known one, and no word of the trade."""
    found: list[Mention] = []
    for pattern in (_KIND_OF_THING, _KIND_BEFORE, _HYPHENED):
        found += [_mention(match) for match in pattern.finditer(text)]
    if not any(mention.kind != "identifier" for mention in certain):
        found += [_mention(match) for match in _LIKE_A_LIBRARY.finditer(text)]
        topic = _TOPIC.match(text)
        leading = _LEADING.match(text)
        if topic:
            found.append(_mention(topic))
        elif leading and version_follows(text, leading.end(1)):
            found.append(_mention(leading))
    elif leading := _LEADING.match(text):
        stated = version_follows(text, leading.end(1))
        if stated and ("." in stated.text or stated.text[0] in "vV"):
            found.append(_mention(leading))
    taken = [*certain, *doubtful]
    kept: dict[str, Mention] = {}
    for mention in found:
        apart = all(mention.end <= other.start or mention.start >= other.end for other in taken)
        if apart and mention.name.lower() not in _PLAIN and not _NO_NAME.fullmatch(mention.name):
            kept.setdefault(mention.name.lower(), mention)
    return list(kept.values())


def _mention(match: re.Match[str]) -> Mention:
    return Mention(match.start(1), match.end(1), match[1], match[1], "unknown")
