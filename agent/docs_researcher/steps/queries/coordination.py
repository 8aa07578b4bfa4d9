"""Lists and joined clauses inside one sentence: where "A, B and C" or "where do I A, and how do I B" comes apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from docs_researcher.steps.queries.choices import asks_which_when
from docs_researcher.steps.words import GENERIC_VERBS, LINK_WORDS, REQUEST_VERBS, STOP_WORDS, word_set

_WORD = re.compile(r"[^\W_][\w'$.+#/-]*")
_ASKS = r"(?:how|where|what|which|when|why|who|can|could|should|does|do|is|are|will|may|must)"
_ASKS_ELSEWHERE = (
    r"(?:cómo|dónde|qué|cuál|cuándo|por\s+qué|wie|wo|was|warum|wann|welche[rsnm]?|comment|où|pourquoi|quand|quel(?:le)?s?"
    r"|que|como|onde|qual|quando|как|где|почему|когда|какой|какая|какие|что)"
)
_ASKING_JOINT = re.compile(
    rf"\s*[,;]?\s+(?:and|also|plus|then|y|und|et|e|и|а\s+также)\s+(?:also\s+|then\s+)?(?={_ASKS}\b|{_ASKS_ELSEWHERE}\b)"
    r"|\s*[,;]?\s+and\s+(?:i|we)\s+also\s+(?=(?:want|need|have|would|must|should|wish)\b)",
    re.IGNORECASE,
)
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ASIAN_ASK = re.compile(r"如何|怎么|怎样|为什么|どう|어떻게")
_ASIAN_ASKING_JOINT = re.compile(
    r"[，,、；]\s*(?:以及|并且|而且|还有|另外|同时|和|또한?|그리고|また)?\s*(?=如何|怎么|怎样|为什么)"
)
_LIST_END = re.compile(r"\s*,?\s+(?:and|plus|as well as|&|y|e|und|sowie|et|ainsi que|и)\s+(?:also\s+|then\s+)?", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,，、;；]\s*(?:(?:and|y|e|und|et|и)\s+)?", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|y|und|et|e|и)\s+", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|oder|ou|o|vs\.?|versus|but)\b|还是|或者|または|あるいは|또는|아니면|それとも", re.IGNORECASE)
_ASIAN_LIST = re.compile(
    r"\s*(?:、|，|,|と(?=[^\s、，。いはがをにのき])|や(?=[\u30a0-\u30ff\u4e00-\u9fff])|および|以及|和|与|跟|및|그리고|"
    r"(?<=[\uac00-\ud7af])(?:와|과|하고)(?=\s))\s*"
)
_TELLS = re.compile(r"[了着没不]|时候|之后|以后|报错|失败|出现|提示|生效|什么|原因|哪|吗")
"""Marks of a clause in Chinese: what stands between such commas tells a story and is no list of topics."""
_GOES_ON = re.compile(
    r"(?:たら|ると|れば|って|いて|んで|して|けど|のに|ので|から|際に|場合|が)$|(?:면|고|서|데|지만|니까|며|는데)$"
)
"""Ends of clauses in Japanese and Korean that another clause follows."""
_ROMANCE_ASK = re.compile(r"\b(?:comment|cómo|como)\b\s+", re.IGNORECASE)
_ROMANCE_AND = re.compile(r"\s*,?\s+(?:et|y|e)\s+(?=[^\W\d_]{2,}(?:ar|er|ir|re)(?:l[oae]s?|se)?\s+\S)", re.IGNORECASE)
_LEADING_ASK = re.compile(
    r"^\s*(?:(?:so|hi|hello|hey|please|also|then|and|now)[, ]+)*"
    r"(?:(?:how|where|when|what|which|can|could|should|would|do|does|did|is|are|i|we|you|to|me|need|want|have|like|the|a|an|some|best|right|way|ways|of|for|show|tell|"
    r"explain|help|give|get|with|please|let|must|there|possible|it|d|im|am|trying|looking|works?)\b[ ']*)+",
    re.IGNORECASE,
)
_ADVERBS = word_set("auto automatically also then still just only always never safely")
_PRONOUNS = word_set("it them its they their this these those ones he she")
_TAIL = re.compile(r"\s+(?:in|for|with|using|on|inside|under|within|en|con|in|mit|avec|dans|com|no|na|sous)\s+", re.IGNORECASE)
_MOST_ITEM_WORDS = 9
_SUBORDINATE = re.compile(
    r"\b(?:when|if|because|while|so that|unless|until|after|before|although|though|whose|which|where|since|as soon as|"
    r"without|instead)\b",
    re.IGNORECASE,
)
_MOST_TOPIC_WORDS = 4
_FEWEST_BARE, _MOST_BARE_WORDS = 3, 2


def asking_clauses(sentence: str) -> list[str]:
    """The clauses of "where do I A, and how do I B"; the sentence itself when it asks once."""
    parts = [part.strip() for part in _ASKING_JOINT.split(sentence)]
    if len(parts) < 2 and _ASIAN.search(sentence):
        parts = [part.strip() for part in _ASIAN_ASKING_JOINT.split(sentence)]
        return parts if len(parts) > 1 and _ASIAN_ASK.search(parts[0]) else [sentence]
    if len(parts) < 2:
        return _infinitives(sentence)
    if any(len(words(part)) < 3 for part in parts):
        return [sentence]
    if asks_which_when(parts) or any(_leans_on(second, first) for first, second in pairwise(parts)):
        return [sentence]
    return parts


def _infinitives(sentence: str) -> list[str]:
    """`comment gérer A et faire B`: two infinitives behind one question word of a Romance language."""
    asked = _ROMANCE_ASK.search(sentence)
    if asked is None:
        return [sentence]
    parts = [part.strip() for part in _ROMANCE_AND.split(sentence)]
    return parts if len(parts) == 2 and len(words(parts[0][asked.end() :])) > 1 else [sentence]


def _leans_on(second: str, first: str) -> bool:
    """Whether a clause only goes on with the subject of the one before: a pronoun, or no topic of its own."""
    own = [word for word in words(second) if word.lower() not in STOP_WORDS]
    if leans(second):
        return True
    named = re.search(r"\b(?:what|which)\s+(?:does|do|is|are|can)\s+[`'\"]?(\w*[a-z][A-Z]\w*|\w+_\w+|\w+\(\))", first)
    return bool(named) and len(own) <= 2


def leans(phrase: str) -> bool:
    """Whether a pronoun in a phrase stands for something said before it."""
    return any(word.lower() in _PRONOUNS for word in words(phrase))


def list_items(phrase: str) -> list[str]:
    """The items of a list of three and more ("A, B and C", "A and B and C"), or of two plain topics; else nothing."""
    if _OR.search(phrase):
        return []
    linked = {word.lower() for word in words(phrase)} & LINK_WORDS
    if _ASIAN.search(phrase):
        return [] if linked else _asian_items(phrase)
    items = _long_list(phrase) or _chain_of_and(phrase)
    if items:
        return items if not linked or are_actions(items) else []
    return [] if linked else _pair(phrase)


def are_actions(items: Sequence[str]) -> bool:
    """Whether every item of a list is something to do, so that "publish two libs together" speaks of one of them alone."""
    return len(items) >= _FEWEST_BARE and all(_is_action(item) for item in items)


def _asian_items(phrase: str) -> list[str]:
    items = [item.strip() for item in _ASIAN_LIST.split(phrase)]
    if not 2 <= len(items) <= 6 or any(not item or len(item) > 24 for item in items[:-1]):
        return []
    if any(_GOES_ON.search(item) for item in items[:-1]) or ("，" in phrase and any(_TELLS.search(item) for item in items)):
        return []
    return items if len(items) >= 3 else []


def _long_list(phrase: str) -> list[str]:
    """`A, B and C` and `A, B, and C`."""
    end = None
    for match in _LIST_END.finditer(phrase):
        end = match
    if end is None:
        return _bare_list(phrase)
    head = _COMMA.split(phrase[: end.start()])
    if len(head) < 2:
        return []
    items = [*head, phrase[end.end() :]]
    items[0] = without_ask(items[0])
    items = [item.strip(" ,.?!") for item in items]
    short = all(0 < len(words(item)) <= _MOST_ITEM_WORDS for item in items)
    if not short or any(_SUBORDINATE.match(item) for item in items) or _SUBORDINATE.search(phrase[: end.start()]):
        return []
    return items


def _bare_list(phrase: str) -> list[str]:
    """`A, B, C`: three and more plain topics of a few words, with nothing between them but commas."""
    items = _COMMA.split(phrase.strip(" ,.?!"))
    if len(items) < _FEWEST_BARE or _SUBORDINATE.search(phrase):
        return []
    items[0] = without_ask(items[0]).strip()
    verb = words(items[0])[:1]
    if verb and verb[0].lower() in GENERIC_VERBS:
        items[0] = " ".join(words(items[0])[2 if words(items[0])[1:2] == ["up"] else 1 :])
    last = _TAIL.split(items[-1])[0]
    plain = all(0 < len(words(item)) <= _MOST_BARE_WORDS for item in (*items[:-1], last))
    return items if plain and not any(leans(item) for item in items) else []


def _chain_of_and(phrase: str) -> list[str]:
    """`A and B and C`."""
    items = _AND.split(phrase)
    if len(items) < 3 or any(len(words(item)) > _MOST_ITEM_WORDS for item in items):
        return []
    items[0] = without_ask(items[0])
    return [item.strip(" ,.?!") for item in items] if all(items) else []


def _pair(phrase: str) -> list[str]:
    """`set up A and B` with two short topics, or `do A and do B` with an object each."""
    if _SUBORDINATE.search(phrase):
        return []
    parts = re.split(r"\s*,?\s+(?:and|y|und|et|e)\s+", phrase, flags=re.IGNORECASE)
    if len(parts) != 2:
        return []
    apart = phrase[len(parts[0]) :].lstrip().startswith(",")
    left, right = without_ask(parts[0]).strip(), parts[1].strip(" ?!.")
    if leans(right) and not (apart and _is_action(right) and _is_action(left) and _own_object(left)):
        return []
    if _is_action(right):
        return [left, right] if _is_action(left) and (_two_jobs(left, right) or (apart and _own_object(left))) else []
    verb = words(left)[:1]
    if not verb or verb[0].lower() not in GENERIC_VERBS:
        return []
    topic = _TAIL.split(right)[0]
    first = " ".join(words(_TAIL.split(left)[0] if apart else left)[2 if words(left)[1:2] == ["up"] else 1 :])
    short = all(0 < len(words(one)) <= _MOST_TOPIC_WORDS for one in (first, topic))
    return [first if not apart else left, right] if short and not _shares_head(first, topic) else []


def _is_action(phrase: str) -> bool:
    """Whether a phrase is a verb with an object: "rate limit a worker", "also auto update from S3"."""
    found = [word.lower() for word in words(phrase)]
    while found and found[0] in _ADVERBS:
        found.pop(0)
    return len(found) >= 2 and (found[0] in REQUEST_VERBS or found[0].partition("-")[2] in REQUEST_VERBS)


def _own_object(left: str) -> bool:
    """Whether an action before ", and" is whole in itself: a verb and two words of meaning."""
    return sum(word.lower() not in STOP_WORDS for word in words(left)) > _FEWEST_BARE - 1


def _two_jobs(left: str, right: str) -> bool:
    """Whether two actions are two jobs: each with an object of its own, none of them the place of the other."""
    first, second = words(left), words(right)
    if len(first) == 2 and first[1].lower() in REQUEST_VERBS:
        return False  # "separate connect and read timeouts": the verbs are names of one kind of thing
    if second[1].lower() in ("on", "in", "at", "with", "from", "into", "to", "through", "over"):
        return False
    if second[1].lower() == "the":
        return False
    shared = {word.lower() for word in first} & {word.lower() for word in second}
    return not (shared - STOP_WORDS)


def _shares_head(first: str, topic: str) -> bool:
    """Whether "connect and read timeouts" is one topic with two adjectives."""
    return len(words(first)) == 1 and len(words(topic)) == 2


def without_ask(text: str) -> str:
    """The text without "how do I" and the like in front."""
    return _LEADING_ASK.sub("", text, count=1)


def words(text: str) -> list[str]:
    """The words of a text."""
    return _WORD.findall(text)
