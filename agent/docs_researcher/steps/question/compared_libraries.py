"""Questions that put several libraries side by side: "hono vs express", "compare flask and django for routing".

Each of them is asked about by itself, since neither's documentation says much of the other. Two things inside one library
(`useState` or `useReducer`), a library beside the one that is asked about, and a move from one to another are no such question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docs_researcher.library.catalogue import Catalogue
from docs_researcher.steps.question.identify import Identification
from docs_researcher.steps.question.mentions import Mention, find_mentions
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.words import GENERAL_LANGUAGES, STOP_WORDS

_VERSUS = re.compile(
    r"\s*(?:,\s*)?(?:vs\.?|versus|against|(?:is\s+|are\s+)?(?:compared?s?|compares)\s+(?:to|with|against)|"
    r"(?:is\s+|are\s+)?differ(?:s|ent)?\s+from|(?:more\s+\w+|\w+er)\s+than)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,|/|&|,?\s*(?:and|or|with|to)\b)\s*", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:compare|comparing|comparison|differences?|differ|pros\s+and\s+cons|trade-?offs?|(?:choose|choice|decide|choosing|"
    r"deciding)\s+between)\b",
    re.IGNORECASE,
)
_CHOOSES = re.compile(r"\b(?:which|choose|pick|better|prefer|(?:should|shall)\s+(?:i|we|you))\b", re.IGNORECASE)
TOGETHER = re.compile(r"\b(?:together|integrat\w+|combin\w+|alongside|side\s+by\s+side)\b", re.IGNORECASE)
MOVES = re.compile(r"\d\s+to\s+v?\d", re.IGNORECASE)
"""A move between two versions, which is all that need be said of a library."""
_PLACE = re.compile(r"\b(?:in|with|for|on|inside|using|from)\s+(?:an?\s+|my\s+|the\s+|our\s+)?$", re.IGNORECASE)
_MAY_COMPARE = re.compile(r"\b(?:vs\.?|versus|or|than|against|compar\w+|differ\w*|pros|trade-?offs?|between)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:what(?:['’]?s|\s+is|\s+are)?\s+the\s+|please\s+|can\s+you\s+)?(?:compare|comparison\s+(?:of|between)|differences?\s+between|"
    r"(?:the\s+)?pros\s+and\s+cons\s+of|(?:the\s+)?trade-?offs?\s+(?:of|between)|(?:choose|decide)\s+between|"
    r"(?:when\s+|which\s+(?:one\s+)?)?(?:should|shall)\s+(?:i|we|you)\s+(?:use|choose|pick|take|prefer)|"
    r"which\s+(?:one\s+)?is\s+(?:better|faster|best)|how\s+(?:do|does)|is|are)\b[\s:,]*",
    re.IGNORECASE,
)
_UNKNOWN_SIDE = re.compile(
    r"(?:vs\.?|versus|compared?\s+(?:to|with))\s+(?P<name>[A-Za-z@][\w@./-]{2,})(?=\s+(?:for|in|when)\b|\s*[?.!]*\s*$)",
    re.IGNORECASE,
)
_COMMON = frozenset("differ compare better which choose use using one prefer pros cons faster easier simpler best".split())
_WORD = re.compile(r"[^\W\d_][\w+-]*")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the libraries compared, with the question as it is put about it alone."""

    library: str
    """A name, as `identify` takes it for the library that the asker fixes."""
    question: str


def may_compare(text: str) -> bool:
    """Whether a text has a word of a comparison: a quick look."""
    return _MAY_COMPARE.search(text) is not None


def compared_libraries(text: str, understood: Identification, catalogue: Catalogue) -> tuple[Side, ...]:
    """The libraries that a question compares, in its order, at least two; empty for any other question.

    `understood` is what was identified in it; a library that is fixed beside the question is for the caller to respect.
    """
    asked = understood.asked
    if asked is None or not understood.use_docs or not may_compare(text) or TOGETHER.search(text):
        return ()
    text = _with_topic_once(text, find_mentions(text, catalogue))
    for chain in _chains(text, find_mentions(text, catalogue)):
        names = [mention.name for mention in chain]
        if asked.name in names and len(set(names)) == len(names):
            if len(chain) > 1:
                return _sides(text, [(mention.name, mention.start, end_of(text, mention)) for mention in chain])
            if (unknown := _unknown_side(text, chain[0])) is not None:
                known, other = _sides(text, [(asked.name, chain[0].start, end_of(text, chain[0])), unknown])
                return replace(known, question=text.strip()), other  # what nobody knows may be told of beside what is known
    return ()


def _with_topic_once(text: str, mentions: Sequence[Mention]) -> str:
    """The text with a topic that is said of both sides said once: "A vs B sessions" for "A sessions vs B sessions"."""
    for first, second in pairwise(mentions):
        topic, versus, rest = text[end_of(text, first) : second.start].rpartition(" vs")
        behind = text[end_of(text, second) :].strip(" ?.!")
        if versus and not rest.strip(" .") and topic.strip() and topic.strip().lower() == behind.lower():
            return f"{text[: end_of(text, first)]} vs {text[second.start :]}"
    return text


def _chains(text: str, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Names that stand beside each other with nothing but a comparison or a list between them."""
    chains: list[list[Mention]] = []
    for mention in mentions:
        if mention.kind == "identifier" or mention.name.lower() in GENERAL_LANGUAGES:
            continue
        if chains and _are_compared(text, chains[-1][-1], mention):
            chains[-1].append(mention)
        else:
            chains.append([mention])
    return chains


def _are_compared(text: str, first: Mention, second: Mention) -> bool:
    between = text[end_of(text, first) : second.start]
    if _VERSUS.fullmatch(between):
        return True
    if not _LISTED.fullmatch(between) or _PLACE.search(text, max(0, first.start - 20), first.start):
        return False
    if _COMPARES.search(text):
        return True
    if "or" not in between.lower().split():
        return False
    return not text[: first.start].strip() or bool(_CHOOSES.search(text)) or not telling(_without(text, first, second))


def end_of(text: str, mention: Mention) -> int:
    """Where a name ends, with the version behind it."""
    stated = version_follows(text, mention.end)
    return stated.end if stated is not None else mention.end


def _unknown_side(text: str, known: Mention) -> tuple[str, int, int] | None:
    """What a library is compared with, where that is one word that nobody knows as a library, and nothing more is said of it."""
    match = _UNKNOWN_SIDE.search(text, end_of(text, known))
    if match is None or text[end_of(text, known) : match.start()].strip() or match["name"].lower() in STOP_WORDS:
        return None
    return match["name"], match.start("name"), match.end("name")


def _sides(text: str, names: Sequence[tuple[str, int, int]]) -> tuple[Side, ...]:
    start, end = names[0][1], names[-1][2]
    return tuple(Side(name, _alone(text[:start], text[first:last], text[end:])) for name, first, last in names)


def _alone(before: str, name: str, behind: str) -> str:
    """The question about one library: without the others and without the words that compare."""
    before = _ASKING.sub(" ", before)
    if not telling(f"{before} {behind}"):
        return f"What is {name}?"
    return re.sub(r"\s+", " ", f"{before} {name}{behind}").strip(" ,:")


def telling(text: str) -> list[str]:
    """The words of a text that say what is asked."""
    return [word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS and word not in _COMMON]


def _without(text: str, first: Mention, second: Mention) -> str:
    return f"{text[: first.start]} {text[end_of(text, second) :]}"
