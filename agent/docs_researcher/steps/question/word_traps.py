"""Names that are English words: whether "spring", "express" or "go" means the library here.

Alone such a word proves nothing. It counts with evidence beside it (a version, a topic prefix, "in X", "my X app"), or with
evidence in the rest of the question (its own API, its ecosystem, its trade).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from docs_researcher.docsets.installed.known import OWN_ECOSYSTEM
from docs_researcher.library.entries import Entry, fold_name
from docs_researcher.steps.question.asked_outright import asks_what_it_is, is_asked_about_next
from docs_researcher.steps.question.mentions import Mention
from docs_researcher.steps.question.taken import (
    ends_a_message,
    is_moved,
    is_put_to_choice,
    is_taken_rather,
    is_used_with,
    owns_code,
)
from docs_researcher.steps.question.versions_in_text import version_follows
from docs_researcher.steps.question.wording import code_spans, is_foreign, is_german, is_title, starts_sentence
from docs_researcher.steps.words import (
    APP_NOUNS,
    EVERYDAY_WORDS,
    GENERAL_LANGUAGES,
    LANGUAGES,
    ON_A_SCREEN,
    REQUEST_VERBS,
    STOP_WORDS,
    SURROUNDINGS,
    TRADE_WORDS,
    word_set,
)

_WORD = re.compile(r"[A-Za-z][\w'+#-]*")
_NEXT_WORD = re.compile(r"(?:'s)?[ ]+(?:(?:still|also|really|already|even|now|actually)[ ]+)?([A-Za-z][\w'+#-]*)")
_PREVIOUS_WORD = re.compile(r"([A-Za-z][\w'+#-]*)[ ]+$")
_WORD_BEYOND = re.compile(r"([A-Za-z][\w'+#-]*)[ ]+[A-Za-z][\w'+#-]*[ ]+$")
_TOPIC = re.compile(r"(?:\s+[\w.+-]+){0,2}?(?:\s*[:：]|\s+[-–—])(?=\s)")
_TOPIC_ASKED = re.compile(r"\s*[:：]\s+(?:how|what|why|which|when|where)\b", re.IGNORECASE)
_TOPIC_AT_ONCE = re.compile(r"[:：]\s+\S+\s+\S")
_NO_TOPICS = word_set("next react go rest get got act step task fire play actions action query table form")
"""With a colon behind them these head a list of things to do, or a part of a page."""
_ASKED_ABOUT = re.compile(r"(?:^|[?.!,]\s+)(?:(?:what|how|why|when|where)\s+)?(?:does|doesn't|can|can't|is)\s+$", re.IGNORECASE)
"""What stands before the subject of a question: "What does attrs do with ...?"."""
_NOT_ASKED_ABOUT = word_set("click go rest next act play make fire get got")
_ONLY_OF_A_THING = "support"
"""What software is asked about: "does click support ..."; a click does not support anything."""
_DOING = word_set("do work support handle keep need have make know treat ignore replace")
_ENDS = re.compile(r"\s*(?:$|[?.!,;:)\]。？！，、])")
_AND_NEXT = re.compile(r"\s+(?:and|or)\s+", re.IGNORECASE)
_IN_ANOTHER = re.compile(r"\b(?:in|inside|within)\s+(?:(?:an?|the|my|our)\s+)?$", re.IGNORECASE)
_CALLED = re.compile(r"(?:\.\w|::\w|\()")
_SUBJECTS = word_set(
    "to i we you they he she should can could must would will shall may might let's please do does did don't cannot can't "
    "not never always"
)
_IN = word_set(
    "in with using use for via of from on inside under from into and or like than versus vs plus between en con entre de del "
    "para desde em com dans avec sur mit im bei unter zwischen und oder"
)
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_VERB_OBJECT = word_set(
    "a an the it its our their his her my your this that these those them us me him about on to back through ahead over "
    "and how what why when where who which whether interest concern well"
)
_ASKING = word_set("how what why when where")
_TIME_NOUNS = word_set("time step steps week month year day days sprint release sale season one")
_OWNERS = word_set("my our your the a an this that any some each every another his her their its")

_VERBS = word_set("react express go click echo got rest invoke compose relay warp plug remix dash play render helm nest ink")
_TOLD_TO_ACT = word_set("next go play act step task make get got click")
"""With a verb behind them these tell what to do: "next add a footer"."""
_HAS_OBJECT = re.compile(r"[ ]+(?:an?|the|my|our|all|each|every|this|some|several|multiple|only|two)\b", re.IGNORECASE)
_ONLY_VERBS = REQUEST_VERBS - TRADE_WORDS - APP_NOUNS
_FUNCTIONS = word_set("next echo print go click get make send request requests box pipe query render")
"""Names that are functions elsewhere too: `next()` is Python's, and Express's, more often than Next.js."""
_BEFORE_A_NOUN = word_set("in with using via of from into inside than within")
_PHRASES = frozenset(
    (
        "rich text",
        "black box",
        "black friday",
        "next gen",
        "next door",
        "next line",
        "next page",
        "next version",
        "next question",
        "next item",
        "express lane",
        "go live",
        "click event",
        "click events",
        "click handler",
        "click handlers",
        "request body",
        "rest api",
        "play button",
        "play back",
        "box shadow",
        "node tree",
    )
)
_COMPARED_BEFORE = re.compile(r"\S\s+(?:vs\.?|versus)\s+$", re.IGNORECASE)
_MOST_COMPARED = 12
_COMPARED_BEHIND = re.compile(r"\s+(?:v?\d[\w.]*\s+)?(?:vs\.?|versus)\s+\S", re.IGNORECASE)
_ACTING = word_set("does doesn't isn't has hasn't keeps hangs crashes fails complains says gives sees reports raises ignores")
_CALL_BEHIND = re.compile(r"[ ]+[.\w]*\w\(")
_TROUBLE = word_set(
    "slow slower fast faster memory leak leaks hang hangs stuck broken breaks crash crashes freezes installed installation "
    "setup imports imported missing supports supported alternative alternatives tutorial docs"
)
_SENTENCE_WORDS = word_set(
    "the a an we you they he she our your their this that these those is are was were be will would should please let's"
)
_MOST_SEARCH_WORDS = 9
_FEW_WORDS = 3
"""Two or three words that begin with a library's name are a search for something in it: "click options"."""
_CODE_LIKE = re.compile(
    r"\b[a-z]+_[a-z_]+\b|\b[A-Z][a-z]+[A-Z]\w+|\b[a-z]+[A-Z]\w+|\w\(\)|\b[A-Z]+_[A-Z_]+\b|(?<!\S)--[a-z][\w-]+"
    r"|\w\.(?:toml|ya?ml|json|cfg|ini|py|[jt]sx?)\b"
)
_STATUS = re.compile(r"\s+[45]\d\d\b")
_RECEIVED = word_set("got get")
"""With a status behind them these say what came back: \"got 404 from the server\"."""

_NEEDED = 3
"""Points of evidence that make a word a name."""


@dataclass(frozen=True, slots=True)
class Around:
    """The text around one word, and what else the question names."""

    text: str
    mention: Mention
    before: str
    after: str

    @classmethod
    def of(cls, text: str, mention: Mention) -> Around:
        """Look at the words beside a mention."""
        before = _PREVIOUS_WORD.search(text, max(0, mention.start - 30), mention.start)
        after = _NEXT_WORD.match(text, mention.end)
        return cls(text, mention, before[1].lower() if before else "", after[1].lower() if after else "")


def means_library(text: str, mention: Mention, others: Sequence[Mention], *, at_hand: bool = False) -> bool:
    """Whether this word means the library of its entry. `others` are the mentions that are certain.

    `at_hand`: the asker has the library, as a dependency or installed, and so means it by less.
    """
    own = mention.entry is not None and mention.entry.ecosystem == OWN_ECOSYSTEM
    around = Around.of(text, mention)
    everyday = fold_name(mention.text) in EVERYDAY_WORDS
    if _certain(around) or _is_asked_outright(around, everyday=everyday, at_hand=at_hand and not own):
        return True
    if _plainly_a_word(around) and not (_is_joined(around, others) or _is_used(around)):
        return False
    points = _beside(around)
    if own:
        return points > 0 and _means_own(around, others)
    if not everyday:
        return points + _elsewhere(around, others) > 0 and (at_hand or not _only_begins(around, points, others))
    if points == 0:
        return False
    if not _is_used(around) and _is_inside_another(around, others):
        return points + at_hand > _NEEDED
    return points + at_hand + _elsewhere(around, others) + _begins_a_search(around, others, at_hand=at_hand) >= _NEEDED


def _is_inside_another(around: Around, others: Sequence[Mention], *, beside: bool = True) -> bool:
    """Whether the text says in which library the thing is that the word means: "requests per second in FastAPI".

    With `beside`, a word behind "in" or "with" is not such a thing.
    """
    mention = around.mention
    if beside and around.before in _IN and around.before not in ("and", "or"):
        return False
    return any(
        other.start >= mention.end
        and other.kind in ("name", "package", "typo")
        and fold_name(other.name) not in GENERAL_LANGUAGES | SURROUNDINGS
        and _IN_ANOTHER.search(around.text, mention.end, other.start)
        for other in others
    )


def _means_own(around: Around, others: Sequence[Mention]) -> bool:
    """Whether a word with a hint beside it is a folder of the user's: what else the question names speaks against that."""
    if fold_name(around.mention.text) in STOP_WORDS:
        return False  # "use one", "with it"
    if _is_inside_another(around, others, beside=False):
        return False
    return around.before in _IN or not others


def _is_joined(around: Around, others: Sequence[Mention]) -> bool:
    """Whether a text begins with the word and another library joined to it: "black and isort together"."""
    if around.mention.start or around.after not in ("and", "or"):
        return False
    return any(_AND_NEXT.fullmatch(around.text, around.mention.end, other.start) for other in others)


def _is_asked_outright(around: Around, *, everyday: bool, at_hand: bool) -> bool:
    """Whether the text begins with the word and asks then, or asks what it is; of an everyday word only if it is at hand."""
    text, mention = around.text, around.mention
    if is_asked_about_next(text, mention.start, mention.end, at_hand=at_hand):
        return True
    plain = everyday or mention.text.lower() in TRADE_WORDS
    return (at_hand or not plain) and asks_what_it_is(text, mention.start, mention.end)


def _begins_a_search(around: Around, others: Sequence[Mention], *, at_hand: bool) -> int:
    """Points for the first of some search words that name no other library: "click option prompt password"."""
    text, mention = around.text, around.mention
    if others or text[: mention.start].strip("\"'`") or not is_telegraphic(text):
        return 0
    goes_on = around.after in REQUEST_VERBS | APP_NOUNS
    return goes_on + at_hand


def _only_begins(around: Around, points: int, others: Sequence[Mention]) -> bool:
    """Whether all that speaks for a name is that a sentence begins with it: "Celery is great in a salad"."""
    if points > 1 or around.mention.start or _elsewhere(around, others) or is_foreign(around.text):
        return False
    words = _words(around.text)
    if around.after in LANGUAGES:
        return False  # "playwright python"
    return not words & (_TROUBLE | REQUEST_VERBS) and not around.text.rstrip().endswith("?")


def _certain(around: Around) -> bool:
    """A version behind it, code around it, or a capital in the middle of a sentence."""
    text, mention = around.text, around.mention
    called = _CALLED.match(text, mention.end) and not (mention.text.lower() in _FUNCTIONS and text[mention.end] == "(")
    if version_follows(text, mention.end) or called or owns_code(text, mention.end) or text.strip(" ?.!") == mention.text:
        return True
    if any(start <= mention.start < end for start, end in code_spans(text)):
        return True
    if _is_of_a_language(around) or is_moved(text, mention.start, mention.end):
        return True  # "Python's click", "upgrade click to 8"
    if around.before in _BEFORE_A_NOUN and mention.text.lower() in _VERBS:
        return True  # "in react": a verb cannot stand there
    if _COMPARED_BEFORE.search(text, max(0, mention.start - _MOST_COMPARED), mention.start) or _COMPARED_BEHIND.match(
        text, mention.end
    ):
        return True
    word = mention.text
    if word.lower() in (APP_NOUNS | TRADE_WORDS) or around.before == "import":
        return False  # "the right Provider", "from flask import Blueprint": the name of a part
    capital = word[:1].isupper() and not word.isupper()
    return capital and not starts_sentence(text, mention.start) and not is_title(text) and not is_german(text)


def _is_of_a_language(around: Around) -> bool:
    """Whether the word before it is a language that it is written for, not that of a name: "playwright python click"."""
    language = around.before.removesuffix("'s")
    if language not in LANGUAGES or LANGUAGES[language] == around.mention.text.lower():
        return False
    beyond = _WORD_BEYOND.search(around.text, max(0, around.mention.start - 50), around.mention.start)
    return language != around.before or beyond is None or beyond[1].lower() in STOP_WORDS | _IN


def _plainly_a_word(around: Around) -> bool:
    """A verb with its subject or object, or an adjective before a noun of time."""
    if (around.before in _SUBJECTS and not _is_subject(around)) or around.after in _TIME_NOUNS:
        return True
    if f"{around.mention.text.lower()} {around.after}" in _PHRASES:
        return True
    if around.mention.text.lower() in _RECEIVED and _STATUS.match(around.text, around.mention.end):
        return True
    if _CALL_BEHIND.match(around.text, around.mention.end):
        return False  # "yup when()": its own function, and no conjunction
    if around.after in _ASKING and around.mention.start == 0 and not _may_act(around.mention.text):
        return False  # "yup when another field is set": only what one can do has such an object
    return around.after in _VERB_OBJECT and around.before not in _IN


def _may_act(word: str) -> bool:
    return word.lower() in _VERBS | REQUEST_VERBS | _NOT_ASKED_ABOUT


def _beside(around: Around) -> int:
    """Points for the words right beside it."""
    text, mention = around.text, around.mention
    ends = bool(_ENDS.match(text, mention.end))
    if _is_subject(around) or _is_one_of_two(around):
        return _NEEDED
    if _is_used(around) or _acts(around.after) or _STATUS.match(text, mention.end) or ends_a_message(text, mention.end):
        return 2
    first = starts_sentence(text, mention.start)
    if mention.start == 0 and (points := _heads(around)):
        return points
    if around.after in APP_NOUNS:
        return 2 if around.before in (_OWNERS | _IN) or first or not around.before else 1
    if around.before in _IN:
        return 2 if ends or not around.after or around.after in TRADE_WORDS or around.after in LANGUAGES else 1
    if first and mention.start == 0 and is_telegraphic(text):
        return 2
    if first or _ASIAN.search(text[max(0, mention.start - 2) : mention.end + 2]):
        return 1
    if fold_name(mention.text) not in EVERYDAY_WORDS and is_foreign(text):
        return 1
    if around.before in ("and", "or") or text[max(0, mention.start - 2) : mention.start] == ", ":
        return 1
    return 1 if around.after in TRADE_WORDS or (ends and _ends_a_search(around)) else 0


def _ends_a_search(around: Around) -> bool:
    """Whether a rare word is the last of some search words: "copy and paste from clipboard playwright"."""
    return fold_name(around.mention.text) not in EVERYDAY_WORDS and is_telegraphic(around.text)


def _heads(around: Around) -> int:
    """Points for a name that a text begins with, as its topic or as the first of a few search words."""
    text, mention = around.text, around.mention
    if len(text.split()) <= _FEW_WORDS + bool(_words(text) & ON_A_SCREEN) and is_telegraphic(text):
        return _NEEDED
    if mention.text.lower() not in _NO_TOPICS and _TOPIC_AT_ONCE.match(text, mention.end):
        return _NEEDED
    if not _TOPIC.match(text, mention.end):
        return 2 if _names_who_acts(around) else 0
    asked = _TOPIC_ASKED.match(text, mention.end) and mention.text.lower() not in _VERBS | _FUNCTIONS
    return _NEEDED if asked else 2


def _names_who_acts(around: Around) -> bool:
    """Whether a verb follows a first word that is one too, so that the first is a name: "express serve static files"."""
    if around.after not in REQUEST_VERBS or around.mention.text.lower() in _TOLD_TO_ACT:
        return False
    return around.after in _ONLY_VERBS or bool(_HAS_OBJECT.match(around.text, around.mention.end + 1 + len(around.after)))


def _is_subject(around: Around) -> bool:
    """Whether a question asks what it does: "What does attrs do with slots?"."""
    if around.mention.text.lower() in _NOT_ASKED_ABOUT and around.after != _ONLY_OF_A_THING:
        return False
    return around.after in REQUEST_VERBS | _DOING and bool(_ASKED_ABOUT.search(around.text, 0, around.mention.start))


def _is_one_of_two(around: Around) -> bool:
    text, mention = around.text, around.mention
    word = mention.text.lower()
    if word in _NOT_ASKED_ABOUT | _VERBS:
        return False
    return is_taken_rather(text, mention.start, mention.end) or is_put_to_choice(text, mention.start, mention.end)


def _is_used(around: Around) -> bool:
    text, mention = around.text, around.mention
    word = mention.text.lower()
    return word not in TRADE_WORDS | APP_NOUNS | _FUNCTIONS and is_used_with(text, mention.start, mention.end)


def is_telegraphic(text: str) -> bool:
    """Whether a text is a handful of search words: short, and without the small words of a sentence."""
    words = [word.lower() for word in _WORD.findall(text)]
    return len(words) <= _MOST_SEARCH_WORDS and not any(word in _SENTENCE_WORDS for word in words)


def _acts(word: str) -> bool:
    """Whether the word behind it says what it does, as in "express throws": only a thing does that, not a verb."""
    return word in _ACTING or (word.endswith("s") and word[:-1] in REQUEST_VERBS and word not in TRADE_WORDS)


def _elsewhere(around: Around, others: Sequence[Mention]) -> int:
    """Points for the rest of the question: its own API, its description, its ecosystem, words of the trade."""
    entry = around.mention.entry
    if entry is None:
        return 0
    own_api = any(other.entry is entry for other in others)
    family = any(other.entry and other.entry is not entry and other.entry.ecosystem == entry.ecosystem for other in others)
    words = _words(around.text) - {around.mention.text.lower()}
    trade = bool(words & TRADE_WORDS) or bool(others) or _shows_code(around.text)
    return 3 * own_api + 1 * family + 1 * trade + 1 * bool(words & description_words(entry))


@lru_cache(maxsize=2)  # asked for each name of one question, which may be 8,000 characters long
def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


@lru_cache(maxsize=2)  # as above
def _shows_code(text: str) -> bool:
    return bool(_CODE_LIKE.search(text))


def description_words(entry: Entry) -> frozenset[str]:
    """The words of an entry's description that say what it is about."""
    own = fold_name(entry.name)
    words = (word.lower() for word in _WORD.findall(entry.description))
    return frozenset(word for word in words if len(word) > 2 and word not in STOP_WORDS and word != own)
