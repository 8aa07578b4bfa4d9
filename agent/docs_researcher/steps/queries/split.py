"""Step 4a: one search query for each independent concept of a question, three at most.

A question is taken apart only where its parts do not need one another: several asking sentences, "where do I A, and how do
I B", lists of topics. How things work together, a comparison or a choice stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docs_researcher.docsets.searching.introduction import INTRODUCTION_WORDS
from docs_researcher.steps.queries.choices import asks_which_when, goes_on_choosing
from docs_researcher.steps.queries.coordination import are_actions, asking_clauses, leans, list_items, without_ask, words
from docs_researcher.steps.question.asked_outright import asks_what_it_is
from docs_researcher.steps.question.identify import Identification
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.versions_in_text import moves_between_versions, version_follows
from docs_researcher.steps.words import EVERYDAY_WORDS, LINK_WORDS, STOP_WORDS, word_set

MOST_QUERIES = 3
"""What `query-docs` may be called for in one question."""

_SUBJECT_WORDS = 3
_MOVE = "migration guide upgrade breaking changes"
"""What the pages are called that say how to go from one version to another."""
_MOVE_WORDS = word_set(
    "migrate migrating migration migrations upgrade upgrading upgrades update updating move moving guide steps changes change "
    "changed changelog breaking path help please version versions difference differences new v to from"
)
_PLACE = re.compile(
    r"\b(?:in|with|inside|on)\s+(?:(?:an?|the|my|our)\s+)?(\S+?)(?:\s+v?\d[\w.]*)?(?:\s+(?:app|project))?\s*[?.!]*$"
)
_COURTESIES = word_set(
    "example examples thanks thank thx ty cheers help idea ideas tip tips hint hints advice appreciated advance hi hello hey "
    "sorry btw fyi suggestion suggestions thoughts code sample samples snippet snippets"
)
_VAGUE = _COURTESIES | word_set(
    "missing wrong workaround workarounds fix fixed solution bug known issue problem expected normal cause reason recommended "
    "supported possible correct doing mistake idiomatic clean cleaner easy easier simple simpler approach practice practices "
    "official happening broken intended safe allowed alternative alternatives else solve debug anyone"
)
"""Words of a question that only goes on with the one before: "Is there a known workaround?"."""

_SENTENCE = re.compile(r"(?<=[?？!])\s*|(?<=[。！])\s*|(?<=[.;])\s+(?=[A-Z¿\"'`]|[^\x00-\x7f])|\n+")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_ASKS = re.compile(
    r"[?？]\s*$|^\s*(?:how|where|what|which|when|why|can|could|should|show|explain|tell|give)\b|(?:吗|呢|怎么|如何|どう|方法|어떻게|나요|까요|궁금)",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:each|all of (?:them|these|those|it)|(?:the )?(?:three|four|five|two) of (?:them|these)|"
    r"these (?:things|points|topics)|every one|jeweils|cada uno|chacun)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\b(?:the two|both|these|those|together|combined?|interact(?:s|ing)?|instead|either|differ\w*|vs\.?|versus|compared?|"
    r"pros\s+and\s+cons|trade-?offs?|nachteile?|ventajas|avantages|vantaggi|vantagens|better|prefer\w*|besser|gemeinsam|vergleich\w*|mieux|mejor|melhor|compar\w*|отлича\w*|разниц\w*|сравн\w*|лучше|вместе)\b"
    r"|一起|区别|配合|违い|違い|併用|차이|함께|diferencia|unterschied|différence|diferença|zusammen|ensemble|juntos",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"^\s*(?:and\s+|but\s+|or\s+)?(?:is|are|was|does|do|did|can|could|should|would|will|why|what|how|which)?\s*"
    r"(?:is\s+|does\s+|do\s+|can\s+|should\s+|about\s+)?(?:it|that|this|they|them|these|those)\b",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"^\s*(\S(?:[^:?!\n]{0,60}?\S)?)(?:\s*[:：]\s+|\s+[-–—]\s+)")
_MOVING = re.compile(r"\s*(?:moving|migrat\w+|upgrad\w+|going|switching|porting)\b", re.IGNORECASE)
_EACH_BEHIND = re.compile(r"\s*[-–—:,]\s*(?:(?:please\s+)?(?:show|explain|give|tell)\b|one\s+by\s+one|each\b).*$", re.IGNORECASE)
_DANGLING = re.compile(
    r"^\s*(?:in|with|for|using|on)\s+(?=,|I\b|we\b)|\s+(?:in|with|for|using|on|of|inside)\s*[?.!]?\s*$", re.IGNORECASE
)
_JOINING = frozenset(("und", "y", "et", "e", "mit", "con", "avec", "com", "plus"))
_LEADING_PLACE = re.compile(
    r"^\s*((?:in|with|using|for|on|when\s+using|en|con|in|mit|avec|dans|com|no|na)\s+(?:(?!i\b|we\b|you\b)[^\s,?!]+\s+){0,3}[^\s,?!]+),\s+",
    re.IGNORECASE,
)
_ADDITION = re.compile(
    r"^\s*(?:另外|还有|此外|以及|また|それと|あと|그리고|또한|또|también|además|außerdem|de plus|também|"
    r"also|and|plus|then)[,，、\s]*",
    re.IGNORECASE,
)
_IMPORT = re.compile(
    r"^\s*(?:import\b.*|from\s+\S+\s+import\b.*|(?:const|let|var)\s.*require\(.*|"
    r"(?:npm|pnpm|yarn|pip|npx|uv|bun)\s+(?:i|install|add)\s+\S+(?:\s*[-–—:]\s*|\s*$))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Split:
    """The search queries, and the concepts beyond them, which have to be named in the answer."""

    concepts: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def split(question: str, identification: Identification) -> Split:
    """The search queries for a question that was identified. No lookup due: none.

    `question` is taken without its instructions, as `identification.query` has it.
    """
    if not identification.use_docs:
        return Split(())
    text = identification.query or question
    if any(asks_what_it_is(text, mention.start, mention.end) for mention in identification.mentions):
        return Split((_what_it_is(identification),))
    if _only_moves(text, identification):
        return Split((_move(text, identification),))
    concepts = _concepts(text, identification)
    return Split(tuple(concepts[:MOST_QUERIES]), tuple(concepts[MOST_QUERIES:]))


def _only_moves(text: str, identification: Identification) -> bool:
    """Whether a question is about going from one version to another, and about nothing else."""
    if not moves_between_versions(text, identification.mentions):
        return False
    said = {word.lower() for word in words(_without_names(text, identification.mentions))}
    return not any(word.isalpha() and word not in STOP_WORDS | _MOVE_WORDS for word in said)


def _move(text: str, identification: Identification) -> str:
    """The whole question, with what such pages are called and the version as in their titles: "V5 Migration Guide"."""
    said, version = _single(text).split(), identification.asked.version if identification.asked else None
    further = [f"v{version}"] if version and version.isdigit() else []
    return " ".join([*said, *(word for word in [*further, *_MOVE.split()] if word not in said)])


def _what_it_is(identification: Identification) -> str:
    """The query for what the library is: the question, what such pages are called, and what is known of the library."""
    asked = identification.asked
    description = asked.entry.description if asked is not None and asked.entry is not None else ""
    return f"What is {asked.name if asked is not None else 'it'}? {INTRODUCTION_WORDS} {description}".strip()


def _concepts(text: str, identification: Identification) -> list[str]:
    prose = _IMPORT.sub(" ", _CODE.sub(" ", text)).strip() or text
    topic, body = _topic(prose, identification)
    sentences = [sentence.strip() for sentence in _SENTENCE.split(body) if sentence and words(sentence)]
    sentences = [sentence for sentence in sentences if _EACH.search(sentence) or not _says_nothing(sentence)] or sentences
    asking = [sentence for position, sentence in enumerate(sentences) if _is_asking(sentences, position)]
    parts = _parts(sentences, asking, identification)
    if len(parts) < 2:
        return [_single(prose)]
    context = _context(topic, parts, identification)
    place = _place_at_end(parts, identification)
    queries: list[str] = []
    for part in parts:
        needed = f"{context} {place}".strip() if place and place.lower() not in part.lower() else context
        if queries and leans(part):
            needed = " ".join([needed, *_subject(queries[-1])]).strip()
        queries.append(_query(part, needed, identification))
    return queries


def _place_at_end(parts: Sequence[str], identification: Identification) -> str:
    """The other library behind the last item of a list, which all items are about: "A, B and C in FastAPI"; empty without one."""
    if any(_ASKS.search(part) for part in parts[1:]):
        return ""
    found = _PLACE.search(parts[-1])
    asked = identification.asked.name if identification.asked else ""
    others = {mention.text for mention in identification.mentions if mention.name != asked and mention.kind != "identifier"}
    return found[1] if found and found[1] in others else ""


def _says_nothing(sentence: str) -> bool:
    """Whether a sentence only asks for help: "How?", "Examples please", "Thanks in advance"."""
    return all(word.lower() in STOP_WORDS or word.lower() in _COURTESIES for word in words(sentence))


def _subject(query: str) -> list[str]:
    """The first words of meaning of a query: what "it" and "them" in the next one stand for."""
    return [word for word in words(query) if word.lower() not in STOP_WORDS][:_SUBJECT_WORDS]


def _is_asking(sentences: Sequence[str], position: int) -> bool:
    """Whether a sentence asks, by its words or because the next one begins with "also"."""
    following = sentences[position + 1] if position + 1 < len(sentences) else ""
    return bool(_ASKS.search(sentences[position]) or _ADDITION.match(following))


def _topic(text: str, identification: Identification) -> tuple[str, str]:
    """What stands before the colon or dash at the beginning when it names the library, and the rest."""
    match = _TOPIC.match(text) or _LEADING_PLACE.match(text)
    if match is None:
        return "", text
    named = any(mention.start < match.end(1) for mention in identification.mentions) or len(words(match[1])) == 1
    return (match[1], text[match.end() :]) if named or _MOVING.match(match[1]) else ("", text)


def _parts(sentences: Sequence[str], asking: Sequence[str], identification: Identification) -> list[str]:
    """The independent parts; fewer than two when the question is one."""
    whole = " ".join(sentences)
    if len(sentences) > 1 and _EACH.search(sentences[-1]) and len(words(sentences[-1])) <= 10:
        items = _items(" ".join(sentences[:-1]), identification)
        if items:
            return items
    if len(asking) > 1:
        return _asking_parts(asking, identification)
    if asking and len(sentences) > 1:
        sentence = asking[0]
    elif len(sentences) == 1:
        sentence = sentences[0]
    else:
        return []
    if _TOGETHER.search(whole) or _only_libraries(sentence, identification):
        items = _items(sentence, identification)
        return items if are_actions(items) else []
    clauses = asking_clauses(sentence)
    if len(clauses) > 1:
        return clauses
    return _items(sentence, identification)


def _asking_parts(asking: Sequence[str], identification: Identification) -> list[str]:
    """Several asking sentences: one part each, unless one leans on the one before it."""
    parts = [asking[0]]
    for previous, sentence in pairwise(asking):
        if goes_on_choosing(sentence) or asks_which_when((previous, sentence)):
            parts[-1] = f"{parts[-1]} {sentence}"
            continue
        own = [word for word in words(sentence) if word.lower() not in STOP_WORDS and word.lower() not in _VAGUE]
        leans = _LEANS.match(sentence) or _TOGETHER.search(sentence) or not own
        if leans and not _ADDITION.match(sentence):
            parts[-1] = f"{parts[-1]} {sentence}"
        else:
            parts.append(_ADDITION.sub("", sentence))
    if len(parts) == 1:
        return []
    return [piece for part in parts for piece in (asking_clauses(part) if not _TOGETHER.search(part) else [part])]


def _items(sentence: str, identification: Identification) -> list[str]:
    """The items of the list that a sentence asks for."""
    items = list_items(sentence)
    if not items or any(_is_only_library(item, identification) or _VALUE.fullmatch(item.strip()) for item in items):
        return []
    return items


_VALUE = re.compile(r"[ivx]+|[a-z]|[\W\d]+|\"[^\"]*\"|'[^']*'", re.IGNORECASE)
"""A numeral, a letter, a number or a quoted text: an example of one thing that is asked for, and no topic."""


def _is_only_library(item: str, identification: Identification) -> bool:
    folded = item.strip(" ?.!").lower()
    if folded in EVERYDAY_WORDS:
        return False  # "background tasks, websockets and uploads": a topic, also where a library is called so
    return any(mention.text.lower() == folded for mention in identification.mentions)


def _only_libraries(sentence: str, identification: Identification) -> bool:
    """Whether the words of a question say how things go together."""
    return bool({word.lower() for word in words(sentence)} & LINK_WORDS)


def _context(topic: str, parts: Sequence[str], identification: Identification) -> str:
    """Words that every part needs: what the topic says beside names, and other libraries that no part names."""
    asked = identification.asked
    if _MOVING.match(topic):
        version = asked.version if asked else None
        return f"migration {version}" if version else "migration"
    others = [
        mention.text
        for mention in identification.mentions
        if asked is not None and mention.name != asked.name and mention.kind != "identifier"
    ]
    said = " ".join(parts).lower()
    rest = words(_without_names(topic, identification.mentions))
    shared = [word for word in rest if word.lower() not in STOP_WORDS and word.lower() not in _JOINING]
    missing = [name for name in dict.fromkeys(others) if name.lower() not in said]
    return " ".join([*shared, *missing])


def _without_names(text: str, mentions: Sequence[Mention]) -> str:
    """The text without these names and the versions behind them."""
    for mention in mentions:
        if mention.kind == "identifier" or mention.text not in text:
            continue
        start = text.index(mention.text)
        end = start + len(mention.text)
        stated = version_follows(text, end)
        text = f"{text[:start]} {text[stated.end if stated else end :]}"
    return text


def _query(part: str, context: str, identification: Identification) -> str:
    """A part as a query of its own: without the asked library, which its id says already, and with the shared words."""
    part = _EACH_BEHIND.sub("", part)
    if part.isascii():
        asked = [
            mention for mention in identification.mentions if identification.asked and mention.name == identification.asked.name
        ]
        shorter = _DANGLING.sub("", without_ask(_without_names(part, asked))).strip()
        part = shorter if any(word.lower() not in STOP_WORDS for word in words(shorter)) else part
    query = re.sub(r"\s+", " ", _ADDITION.sub("", part)).strip(" ,;:?？!。.")
    return f"{query} {context}" if context else query


def _single(prose: str) -> str:
    """The whole question as one query."""
    return re.sub(r"\s+", " ", prose).strip()
