"""What a question is about, in words that can be counted: stems, API symbols and the intent behind it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from docs_researcher.docsets.searching.abbreviations import ABBREVIATIONS
from docs_researcher.docsets.searching.joined_names import joined_names
from docs_researcher.docsets.searching.own_name import without_name
from docs_researcher.docsets.searching.terms import STOP_WORDS
from docs_researcher.docsets.searching.verbs import GENERIC_VERBS
from docs_researcher.steps.queries.compared import compared
from docs_researcher.steps.queries.developer_words import COMPOUND, RELATION, SYNONYM_GROUPS, called
from docs_researcher.steps.stems import stem

Intent = Literal["how_to", "what_is", "error", "option", "migration", "compare"]

ANOTHER_WORD = 0.5
"""What another word for the same thing counts for, beside 1 for the word itself."""

AIM = 1.5
"""What the words of the aim count for, beside 1 for those that only tell what happens."""
AGAINST = 0.4
"""What the words of what is to be avoided count for: a page full of them shows the other way."""

GENERIC = 0.4
"""What a word counts for that says how something is asked and not what: "which value does the option have"."""
PART = 0.3
"""What the parts of a name of the API count for, where the name itself stands somewhere."""
ABSENT = 0.7
"""What a word that stands in no passage counts for in the judgement of how sure an answer is."""
CALLED_SO = 0.8
"""What the developers' word for something described counts for, beside 1 for a word of the question."""

_GENERIC_WORDS = "code documentation example library sample snippet thing type value way"
_FILLERS = frozenset(
    "against anybody anyone everybody everyone people somebody someone difference differences differ versus vs compared".split()
)
"""Words that say nothing of a library, beside the stop words of the search."""

_AGAINST = re.compile(r"\b(?:without|instead of|rather than)\b([^,.;:?!]{3,60})", re.IGNORECASE)
_TIME = re.compile(r"\b(every|each|first|last|next|same|any) time\b", re.IGNORECASE)
"""What happens every time has nothing to do with time."""
_STATUS = re.compile(r"[1-5]\d\d")
"""A number that is a name: the status of a response."""
_SET_UP = re.compile(r"\bset(?:s|ting)?[ -]up\b", re.IGNORECASE)
"""One word, since `set` alone stands in every second line of code."""
_AIM = re.compile(
    r"\b(?:i|we) (?:want|need|wish|would like|'d like) (?:it |them |this )?(?:to )?(.{8,})$", re.IGNORECASE | re.DOTALL
)
_OLDER_WAY = re.compile(
    r"\bpages[ -](?:router|directory|folder)|(?<![\w/])pages/|\bget(?:ServerSide|Static|Initial)(?:Props|Paths)"
)
_LETTERS = re.compile(r"[a-z]+")
_SEPARATORS = re.compile(r"[ )-]")
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?", re.UNICODE)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SYMBOL = re.compile(
    r"(?<![\w@./-])(?:"
    r"--?[A-Za-z][\w-]+"  # --flags
    r"|@?[A-Za-z_$][\w$]*(?:[./][A-Za-z_$][\w$-]*)*\(\)?"  # calls
    r"|@?[A-Za-z_$][\w$]*(?:_[\w$]+)+"  # snake_case, UPPER_CASE
    r"|[A-Za-z$]?[a-z0-9]+[A-Z][\w$]*(?:\.[\w$]+)*"  # camelCase, dotted behind it
    r"|(?:[A-Z][a-z0-9]+){2,}\w*"  # PascalCase
    r"|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+"  # dotted names
    r"|@?[a-z][\w-]*/[a-z][\w/-]*"  # next/headers
    r")"
)
_BACKTICKED = re.compile(r"`([^`\n]{1,80})`")

_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "error",
        re.compile(
            r"\b(?:error|exception|traceback|fail(?:s|ed|ing|ure)?|warn(?:s|ing)?|warnings|crash\w*|broken"
            r"|never called|not called"
            r"|does(?:n't| not)|doesn't work|can(?:'t|not)|refused|unexpected|unknown|undefined|invalid|several times)\b"
            r"|[A-Z]\w+(?:Error|Warning|Exception)\b"
        ),
    ),
    (
        "migration",
        re.compile(
            r"\b(?:migrat\w+|upgrad\w+|deprecat\w+|breaking changes?|moving from|changed (?:in|since|between)|what changed"
            r"|between versions?)\b",
            re.I,
        ),
    ),
    (
        "compare",
        re.compile(
            r"\b(?:difference|differ|versus|vs\.?|compared?|better than|or should i|when (?:should|do|would) (?:i|we|you) .*"
            r"\b(?:rather than|instead of|and when|or when))\b",
            re.I,
        ),
    ),
    (
        "option",
        re.compile(
            r"\b(?:which|what)\b.{0,40}\b(?:option|setting|flag|parameter|argument|fixture|config\w*|default|value"
            r"|hook|prop|method|function"
            r"|command|type)s?\b|\b(?:settings?|options?|defaults?|configuration)\b",
            re.I,
        ),
    ),
    ("what_is", re.compile(r"^\s*(?:what (?:is|are|does)|what's|explain)\b", re.I)),
)


@lru_cache(maxsize=4096)
def stems_of(text: str) -> frozenset[str]:
    """The stems of all words in `text`; identifiers count by their parts and as a whole (lower case)."""
    found: set[str] = set()
    for match in _WORD.finditer(text):
        word = match.group().split("'")[0]
        found.add(stem(word))
        if not word.islower() and not word.isupper():
            found.update(stem(part) for part in _CAMEL.findall(word))
    for match in COMPOUND.finditer(text):
        rest = _LETTERS.match(text, match.end())
        found.add(stem(_SEPARATORS.sub("", match[0]) + (rest[0] if rest else "")))
    if "to" in text or "To" in text:
        found.update(stem(f"{match[1]}to{match[2]}") for match in RELATION.finditer(text))
    return frozenset(found)


@lru_cache(maxsize=2048)
def telling_stems(text: str) -> frozenset[str]:
    """The stems of the words in `text` that tell something: no short ones, none that stand in every text."""
    return frozenset(one for one in stems_of(text) if len(one) > 2) - stop_stems()


def symbols_of(text: str) -> tuple[str, ...]:
    """The names of an API in a text, as written: `snake_case`, `camelCase`, `a.b`, `call()`, `--flag`, code spans."""
    found = [match.group(1).strip() for match in _BACKTICKED.finditer(text)]
    found += [match.group().rstrip("(").removesuffix("()") for match in _SYMBOL.finditer(_BACKTICKED.sub(" ", text))]
    return tuple(dict.fromkeys(symbol.removesuffix("()") for symbol in found if len(symbol) > 1))


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """A question taken apart. `weights` says how much each stem tells, once `weighted` has seen the passages."""

    stems: tuple[str, ...]
    symbols: tuple[str, ...]
    intent: Intent
    text: str = ""
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    alternatives: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """For a stem, the stems of other words for the same thing."""

    aim: frozenset[str] = frozenset()
    """The stems of what is wanted, where the question first tells what happens: "..., but I want to ..."."""

    against: frozenset[str] = frozenset()
    """The stems of what is to be avoided: "without opening a port"."""

    called: frozenset[str] = frozenset()
    """The stems of what developers call what the question describes."""

    parts: frozenset[str] = frozenset()
    """The stems that stand in the question only as a part of a name of the API."""

    sides: tuple[str, ...] = ()
    """The names of what is compared, as the question writes them, or of code that it only joins; empty for any other question."""

    def share(self, stems: frozenset[str]) -> float:
        """The weighted share, 0 to 1, of the question's stems that stand in `stems`; another word for one counts in part."""
        total = sum(self.weights.get(term, 1.0) for term in self.stems)
        if not total:
            return 0.0
        return sum(self.weights.get(term, 1.0) * self._presence(term, stems) for term in self.stems) / total

    def _presence(self, term: str, stems: frozenset[str]) -> float:
        if term in stems:
            return 1.0
        others = self.alternatives.get(term)
        return ANOTHER_WORD if others and not others.isdisjoint(stems) else 0.0

    def absent(self, held: frozenset[str]) -> frozenset[str]:
        """The stems of the question of which neither they nor another word for the same stand in `held`."""
        return frozenset(term for term in self.stems if not self._presence(term, held))

    @property
    def asks_for_the_older_way(self) -> bool:
        """Whether the question is about the older of two ways that Next.js documents side by side."""
        return bool(_OLDER_WAY.search(self.text))

    def asks_for(self, *stems_or_words: str) -> bool:
        """Whether the question holds any of these words."""
        return any(stem(word) in self.stems for word in stems_or_words)

    def evened(self, held: frozenset[str]) -> QuestionTerms:
        """The same terms with weights nearer to one another, for judging how sure an answer is.

        What stands in every passage is what these are about, and an everyday word that stands in none ("bigger", "twice")
        does not make them wrong. `held` are the stems of all passages.
        """
        usual = sum(self.weights.values()) / len(self.weights) if self.weights else 1.0
        weights = {
            term: ((weight / usual if usual else 1.0) + self._even_weight(term))
            / 2
            * (1.0 if self._presence(term, held) else ABSENT)
            for term, weight in self.weights.items()
        }
        return replace(self, weights=weights)

    def _even_weight(self, term: str) -> float:
        return GENERIC if term in _generic() else PART if term in self.parts else 1.0

    def weighted(self, texts: Iterable[str]) -> QuestionTerms:
        """The same terms, each weighted by how few of the `texts` (parts of the passages) hold it."""
        holds = [stems_of(text) for text in texts]
        weights = {
            term: math.log(1 + (len(holds) + 1) / (1 + sum(term in stems for stems in holds))) if holds else 1.0
            for term in self.stems
        }
        missing = {term for term in self.stems if not any(term in stems for stems in holds)}
        known = [weight for term, weight in weights.items() if term not in missing]
        usual = sum(known) / len(known) if known else 1.0
        weights.update(dict.fromkeys(missing, usual))  # a word that stands nowhere must not outweigh all others
        whole = any(stem(symbol) in stems for symbol in self.symbols for stems in holds)
        for term in weights:
            weights[term] *= AIM if term in self.aim else AGAINST if term in self.against else 1.0
            weights[term] *= GENERIC if term in _generic() and len(weights) > 1 else 1.0
            weights[term] *= PART if whole and term in self.parts else CALLED_SO if term in self.called else 1.0
        return replace(self, weights=weights)


def question_terms(question: str, ignore: Iterable[str] = ()) -> QuestionTerms:
    """Take a question apart. `ignore` are words that say nothing here, such as the library's own name."""
    dropped = {stem(match.group()) for word in ignore for match in _WORD.finditer(word)}
    ignore = tuple(ignore)
    weighed = compared(question, ignore)
    intent: Intent = "compare" if weighed else _intent(question)
    sides = weighed or joined_names(without_name(question, ignore, with_version=True))
    named = question if intent == "error" else called(question)  # an error speaks in the words of the documentation
    named = COMPOUND.sub(lambda match: _SEPARATORS.sub("", match[0]), RELATION.sub(r"\1to\2", named))
    words = [match.group().split("'")[0] for match in _WORD.finditer(_SET_UP.sub("setup", _TIME.sub(r"\1", named)))]
    ordered: list[str] = []
    parts: list[str] = []
    for word in words:
        if (
            word.lower() in STOP_WORDS
            or word.lower() in _FILLERS
            or (word.isdigit() and not _STATUS.fullmatch(word))
            or len(word) < 2
        ):
            continue
        ordered.append(stem(word))
        if not word.islower() and not word.isupper() and stem(word) not in dropped:
            parts += [stem(part) for part in _CAMEL.findall(word) if len(part) > 2]
    stems = tuple(dict.fromkeys(term for term in [*ordered, *parts] if term not in dropped))
    if not stems:
        stems = tuple(dict.fromkeys(stem(word) for word in words if word.lower() not in STOP_WORDS))
    symbols = tuple(symbol for symbol in symbols_of(question) if stem(symbol) not in dropped and symbol not in set(ignore))
    alternatives = {term: _other_words()[term] for term in stems if term in _other_words()}
    aim = _AIM.search(question)
    avoided = () if intent == "compare" else _AGAINST.finditer(question)  # of two that are compared none is to be avoided
    against = frozenset[str]().union(*(stems_of(match.group(1)) for match in avoided))
    return QuestionTerms(
        stems,
        symbols,
        intent,
        question,
        {},
        alternatives,
        stems_of(aim.group(1)) if aim else frozenset(),
        against,
        frozenset(ordered) - stems_of(question),
        frozenset(parts) - {*ordered},
        sides,
    )


@lru_cache(maxsize=1)
def stop_stems() -> frozenset[str]:
    """The stems of the words that stand in every text."""
    return frozenset(stem(word) for word in STOP_WORDS)


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return frozenset(stem(word) for word in (*_GENERIC_WORDS.split(), *GENERIC_VERBS))


@lru_cache(maxsize=1)
def _other_words() -> Mapping[str, frozenset[str]]:
    """For each stem of the developers' vocabulary, the stems that may stand for it."""
    found: dict[str, set[str]] = {}
    for short, words in ABBREVIATIONS.items():
        found.setdefault(stem(short), set()).update(stem(word) for word in words)
    for group in SYNONYM_GROUPS:
        stems = {stem(word) for word in group}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {one: frozenset(others) for one, others in found.items()}


def _intent(question: str) -> Intent:
    for intent, pattern in _INTENTS:
        if pattern.search(question):
            return intent
    return "how_to"
