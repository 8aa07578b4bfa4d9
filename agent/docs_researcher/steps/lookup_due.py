"""Whether documentation has to be looked up at all, and if not, why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docs_researcher.library.entries import fold_name
from docs_researcher.steps.mentions import Mention
from docs_researcher.steps.words import GENERAL_LANGUAGES, STOP_WORDS, word_set

_WORD = re.compile(r"[^\W_]{2,}")
_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

_CODE_OBJECT = (
    r"(?:(?:this|that|these|those|my|our|the|following|below|a|an|some)\s+(?:[\w#+.-]+\s+){0,3}?(?:code|function|functions|class|method|component|snippet|script|file|"
    r"module|loop|query|test|tests|pr|pull\s+request|diff|commit|change|changes|patch|implementation|block|hook|view|controller|service|text|description|readme|endpoint)s?\b"
    r"|(?:this|these|it|the\s+following)(?=\s*(?:[:\n.?!,]|$|so\b|into\b|to\b|for\b|and\b)))"
)
_NO_LOOKUP = (
    ("refactoring needs no documentation", rf"^(?:\W|please|can you|could you|would you|help me(?: to)?|i want you to|let's|how would you|how do i|kindly)*\s*"
     rf"(?:refactor|clean\s+up|simplify|tidy(?:\s+up)?|restructure|rewrite|shorten|deduplicate|rename|extract|reformat|modularize|dry\s+up)\s+{_CODE_OBJECT}"),
    ("a code review needs no documentation", rf"^(?:\W|please|can you|could you|would you|help me(?: to)?|kindly)*\s*(?:(?:code[- ])?review|critique|rate|proofread|check|look\s+over|give\s+(?:me\s+)?feedback\s+on|comment\s+on)\s+{_CODE_OBJECT}"),
    ("a code review needs no documentation", r"\bcode review\b|\b(?:is|does) (?:this|my) (?:code|function|naming|approach|pr)\b.{0,30}\b(?:clean|good|ok|okay|readable|idiomatic|look)"),
    ("explaining or documenting given code needs no lookup", rf"^(?:\W|please|can you|could you)*\s*(?:explain|describe|summari[sz]e|comment|document|translate|add\s+comments\s+to|write\s+(?:a\s+)?(?:docstring|comment|commit message|readme)s?\s+for|convert)\s+(?:what\s+)?{_CODE_OBJECT}"),
    ("business logic is the asker's own", r"\b(?:my|our|the)\s+(?:[\w-]+\s+){0,3}(?:total|discount|discounts|invoice|invoices|price|prices|salary|tax|shipping|balance|commission|payroll|refund|refunds|loyalty points|order total|business (?:rule|rules|logic))\b.{0,60}\b(?:wrong|incorrect|negative|off by|twice|too (?:high|low)|does not add up|doesn't add up|should)\b"),
    ("business logic is the asker's own", r"\bbusiness[- ](?:logic|rules?)\b|\b(?:calculate|compute|apply)\s+(?:the\s+)?(?:[\w-]+\s+){0,2}(?:discounts?|vat|tax(?:es)?|shipping cost|commission|interest|payroll)\b"),
    ("a script from scratch is a programming task", r"^(?:\W|please|can you|could you)*\s*(?:write|create|generate|make)\s+(?:me\s+)?(?:a|an|some)\s+(?:small\s+|simple\s+|short\s+)?(?:bash|shell|python|node|javascript|powershell|perl|ruby|go)?\s*(?:script|program|one-liner|regex|regular expression|poem|joke|story|email|essay)\b"),
    ("this is a general programming question", r"\b(?:big[- ]?o|time complexity|space complexity|design patterns?|solid principles|clean code|naming conventions?|binary search|bubble sort|quick ?sort|merge sort|linked list|fizz ?buzz|palindrome|fibonacci|recursion|pair programming)\b"),
)  # fmt: skip
_NOT_DUE = tuple((reason, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for reason, pattern in _NO_LOOKUP)
_MULTILINGUAL = (
    ("a code review needs no documentation", re.compile(r"(?:revisa|revisar|revise|überprüfe|prüfe|relis|vérifie)\s+(?:mi|meu|meinen|mon|este|diesen|ce)\s+(?:código|code)|コードレビュー|レビューして|代码审查|审查.{0,6}代码|코드\s*리뷰", re.IGNORECASE)),
    ("refactoring needs no documentation", re.compile(r"重构(?:这|一下|下面|以下)|リファクタ(?:リング)?して|리팩(?:토|터)링해|refactoriza\s+(?:este|esta|mi)|refaktoriere|refactorise|refatore|refatora", re.IGNORECASE)),
)  # fmt: skip
_API_SIGNS = re.compile(r"\b(?:deprecated|migrat\w+|upgrad\w+|new (?:api|syntax)|version|instead of|replac\w+|options?|api|docs?|documentation)\b", re.IGNORECASE)


def why_not_due(text: str, libraries: Sequence[Mention], *, versioned: bool) -> str | None:
    """Why no lookup is due, as a phrase; None when one is. `libraries` are the named ones, the asked one first."""
    if not _WORD.search(text):
        return "there is no question"
    task = _task(text)
    if task and not (versioned and _API_SIGNS.search(text)):
        return task
    if not libraries:
        return "no library is named"
    if _only_a_language(libraries) and not versioned:
        return "this is a general programming question"
    if not _says_something(text, libraries):
        return "the question is too vague"
    return None


def _task(text: str) -> str | None:
    for reason, pattern in _NOT_DUE:
        if pattern.search(text):
            return reason
    if text.isascii():
        return None
    return next((reason for reason, pattern in _MULTILINGUAL if pattern.search(text)), None)


def _only_a_language(libraries: Sequence[Mention]) -> bool:
    return all(fold_name(mention.name) in GENERAL_LANGUAGES for mention in libraries)


def _says_something(text: str, libraries: Sequence[Mention]) -> bool:
    """Whether a word of meaning stands beside the names."""
    rest = list(text)
    for mention in libraries:
        if mention.kind != "identifier":
            rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    left = "".join(rest)
    words = [word for word in _WORD.findall(left) if word.lower() not in STOP_WORDS and not word.isdigit()]
    return any(word.lower() not in _EMPTY_WORDS or _ASIAN.search(word) for word in words)


_EMPTY_WORDS = word_set(
    "help question problem please thanks thank hi hello issue stuck broken something anything version error bug"
)
