"""Text in documentation that gives orders to an assistant: found by general signs, and marked wherever it is passed on.

Whatever documentation holds is data. An answer does not quote such text; a result of a search holds it as it stands, below a line
that says what it is, so that whoever reads it, a model above all, does not take it for an instruction.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from docs_researcher.core.passages import UNTRUSTED, Passage

MODEL = r"(?:a\.?i\.?|llm|language model|large language model|coding|claude|gpt|chatgpt|copilot|cursor|gemini)"
HELPER = r"(?:assistants?|agents?|models?|llms?|chatbots?|bots?|ais?)"
_BEFORE = r"(?:previous|prior|above|earlier|preceding|existing|all|any|your|my|the|these|those|system|developer|other)"
_RULES = r"(?:instructions?|prompts?|rules|guidelines|directions|documentation|docs|policy|policies|context|safety|question)"
"""Words for what is spoken to, and for what it is to pass over, as parts of patterns."""

_ADDRESSED = (
    "ai ais llm llms assistant assistants agent agents model models bot bots chatbot chatbots claude gpt chatgpt copilot \
cursor gemini coding"
)
_ORDER = "note notes notice notices message messages instruction instructions attention attentions important hint hints reminder \
reminders directive directives"
_STRONG = (
    (
        (_ADDRESSED, _ORDER),
        rf"\b(?:note|notice|message|instructions?|attention|important|hint|reminder|directive)s?\s*(?:to"
        rf"|for)\s+(?:(?:all|any|the|every)\s+)?"
        rf"(?:{MODEL}[\s-]*)+{HELPER}?\b",
    ),
    (
        (_ADDRESSED, _ORDER),
        r"\b(?:note|notice|message|instructions?|attention|reminder)s?\s*(?:to|for)\s+(?:(?:all|any|the"
        r"|every)\s+)?(?:assistants?|agents?|models?|llms?)\s*:",
    ),
    ((_ADDRESSED,), rf"^\W*(?:dear|hey|hello|attention|{MODEL})\s*,?\s*{HELPER}\s*[:,]"),
    (
        (_ADDRESSED, "if when since because", "you"),
        rf"\b(?:if|when|since|because)\s+you(?:'re| are)\s+(?:an?|the)\s+(?:{MODEL}|assistant|agent|bot)\b",
    ),
    (
        ("ignore disregard forget override bypass",),
        rf"\b(?:ignore|disregard|forget|override|bypass)\s+(?:(?:{_BEFORE})\s+)+(?:of\s+the\s+)?{_RULES}\b",
    ),
    (
        ("policy instruction instructions prompt",),
        r"\b(?:new|updated|revised|real|actual)\s+(?:system\s+)?(?:policy|instructions?|system prompt|prompt)\s*:",
    ),
    (
        ("prompt instruction instructions", "system hidden initial"),
        r"\b(?:reveal|print|repeat|output|show|leak)\s+(?:me\s+)?(?:your|the)\s+(?:system|hidden|initial)\s+(?:prompt"
        r"|instructions?)\b",
    ),
    (
        (
            "answer response reply chat conversation output",
            "environment env secret secrets token tokens credential credentials key keys apikey apikeys password passwords",
        ),
        r"\b(?:read|print|include|add|send|append|output|reveal|post|put|insert|attach|copy)\b.{0,120}"
        r"\b(?:environment|env|secrets?|tokens?|credentials?|api[ _-]?keys?|passwords?|\w+_(?:KEY|TOKEN|SECRET))\b.{0,120}"
        r"\b(?:in|to|into|with|of)\s+(?:the|your|every|each|its)\s+(?:answer|response|reply|chat|conversation|output)\b",
    ),
    (("resolve query",), r"\b(?:call|invoke|use|run)\s+(?:the\s+)?`?(?:resolve-library-id|query-docs)\b"),
    (
        ("tool", "call invoke use"),
        r"\b(?:call|invoke|use)\s+(?:the|your|a)\s+(?:shell|bash|terminal|exec\w*|file|browser|fetch)\s+tool\b",
    ),
    (("answer reply respond", "question questions"), r"\b(?:answer|reply|respond)\s+(?:to\s+)?(?:every|all|any)\s+questions?\b"),
    (
        ("user human reader", "tell inform mention reveal"),
        r"\b(?:do not|don't|never)\s+(?:tell|inform|mention (?:this|it) to|reveal (?:this"
        r"|it) to)\s+(?:the\s+)?(?:user|human|reader)\b",
    ),
    (("im system user assistant endoftext",), r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>"),
)
"""Of each sign: groups of words, one of each of which has to stand in the text, and the pattern. The patterns are slow."""
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[a-z]+")
_SIGN_WORDS = frozenset(
    """agent agents ai ais answer answers assistant assistants attention bot bots bypass chat chatbot chatbots chatgpt
    claude coding conversation copilot cursor disregard forget function gemini gpt human ignore im endoftext
    instruction instructions llm llms language model models output override policy prompt query reader reply
    resolve respond response system tool user""".split()
)
"""A text with none of these words is beyond suspicion: most paragraphs are done with one look."""


def may_speak_to_an_assistant(text: str) -> bool:
    """Whether a text has a word without which none speaks to an assistant: a quick look, which clears most paragraphs."""
    return not _SIGN_WORDS.isdisjoint(_WORD.findall(text.lower()))


def gives_orders(text: str) -> bool:
    """Whether a paragraph or a block of code bears a strong sign of orders to an assistant, whatever the question is about."""
    words = frozenset(_WORD.findall(text.lower()))
    if _SIGN_WORDS.isdisjoint(words):
        return False
    return any(
        all(not group.isdisjoint(words) for group in groups) and pattern.search(text) is not None
        for groups, pattern in _strong_signs()
    )


@cache
def _strong_signs() -> tuple[tuple[tuple[frozenset[str], ...], re.Pattern[str]], ...]:
    """Made for the first text that needs a second look."""
    return tuple(
        (tuple(frozenset(group.split()) for group in groups), re.compile(pattern, re.IGNORECASE)) for groups, pattern in _STRONG
    )


def is_untrusted(content: str) -> bool:
    """Whether a paragraph of a text gives orders to an assistant."""
    return may_speak_to_an_assistant(content) and any(map(gives_orders, _PARAGRAPHS.split(content)))


def marked(content: str) -> str:
    """A text with the mark in front where it gives orders to an assistant; else as it is."""
    return f"{UNTRUSTED}\n\n{content}" if is_untrusted(content) else content


def looked_through(passage: Passage) -> Passage:
    """A passage that knows whether it gives orders to an assistant."""
    return replace(passage, untrusted=True) if is_untrusted(passage.content) else passage
