"""Requests that no documentation answers: refactoring, review, explaining given code, business logic, general programming."""

from __future__ import annotations

import re
from functools import lru_cache

_REFACTORING = "refactoring needs no documentation"
_REVIEW = "a code review needs no documentation"
_GIVEN_CODE = "the asker's own code needs no documentation"
_BUSINESS = "business logic is the asker's own"
_WRITING = "writing from scratch is a task, not a question about a library"
GENERAL = "this is a general programming question"

_START = (
    r"(?:^|[.!?:]\s+|\n\s*)(?:\W|please\b|kindly\b|can you\b|could you\b|would you\b|will you\b|help me(?: to)?\b|"
    r"i want you to\b|i need you to\b|let's\b)*"
)
_CODE_NOUN = (
    r"(?:code|functions?|class(?:es)?|methods?|components?|snippets?|scripts?|files?|modules?|loops?|tests?|pr|pull\s+requests?|"
    r"diff|commits?|changes?|patch|implementation|blocks?|hooks?|views?|controllers?|services?|text|description|readme|endpoints?|"
    r"naming|logic|conditionals?|ifs|if[- ]statements?|variables?|lines?|program)"
)
_THIS = (
    rf"(?:(?:this|that|these|those|my|our|the|following|below)\s+(?:[\w#+.-]+\s+){{0,3}}?{_CODE_NOUN}\b"
    r"|(?:this|these|it|the\s+following)(?=\s*(?:[:\n.?!,]|$|(?:so|into|to|for|and|without|with|using)\b)))"
)
_REFACTOR_VERBS = (
    r"(?:refactor|clean\s+up|simplify|tidy(?:\s+up)?|restructure|rewrite|shorten|deduplicate|rename|reformat|modulari[sz]e|"
    r"dry\s+up|split\s+up|make)"
)
_EXTRACT = (
    r"extract\s+(?:the\s+)?(?:\w+\s+){0,3}(?:into|to)\s+(?:a|its|one|their)\s+(?:\w+\s+){0,2}"
    r"(?:functions?|methods?|class|module|component)"
)
_MAKE = (
    rf"make\s+(?:{_THIS}|it|this|them)\s+"
    r"(?:shorter|cleaner|simpler|nicer|more\s+(?:readable|compact|concise|elegant)|easier\s+to\s+read|readable)"
)
_REVIEW_VERBS = r"(?:(?:code[- ])?review|critique|rate|proofread|look\s+over|give\s+(?:me\s+)?feedback\s+on|comment\s+on|judge)"
_EXPLAIN_VERBS = r"(?:explain|describe|summari[sz]e|document|translate|annotate|walk\s+me\s+through)"
_MONEY = (
    r"(?:totals?|discounts?|invoices?|prices?|pricing|salary|salaries|vat|tax(?:es)?|shipping(?:\s+costs?)?|balances?|commissions?|"
    r"payroll|refunds?|loyalty\s+points|overtime|interest|bonus(?:es)?|fees?|surcharges?)"
)
_WRONG = (
    r"(?:wrong|incorrect|negative|off\s+by|twice|too\s+(?:high|low|much|many)|do(?:es)?\s*n[o']t\s+add\s+up|do(?:es)?\s+not\s+add\s+up|"
    r"never\s+pay|rounded|miscalculat\w+)"
)
_SCHOOL = (
    r"(?:big[- ]?o|time\s+complexity|space\s+complexity|design\s+patterns?|solid\s+principles|clean\s+code|naming\s+conventions?|"
    r"binary\s+search|bubble\s+sort|quick\s?sort|merge\s+sort|linked\s+lists?|fizz\s?buzz|palindromes?|fibonacci|recursion|closures?|"
    r"pair\s+programming|data\s+structures?|abstract\s+class(?:es)?|polymorphism|object[- ]oriented|functional\s+programming|"
    r"stack\s+and\s+(?:a\s+)?(?:queue|heap)|pass\s+by\s+(?:value|reference)|pure\s+functions?|dependency\s+inversion|"
    r"tabs\s+(?:and|or|vs)\s+spaces)"
)
_WRITTEN = r"(?:script|program|one-liner|regex|regular\s+expression|poem|joke|story|e?mail|essay|haiku|cover\s+letter|algorithm)"

_MONEY_SIGNS = (
    "discount invoice price pricing salar vat tax shipping balance commission payroll refund loyalty overtime interest bonus fee "
    "surcharge total"
)
_REFACTOR_SIGNS = "refactor clean simplify tidy restructure rewrite shorten dedup rename reformat modular dry split make extract"
_REVIEW_SIGNS = "review critique rate proofread look feedback comment judge"
_PRAISE_SIGNS = "clean good ok readable idiomatic fine look"
_EXPLAIN_SIGNS = "explain describe summar document translate annotate walk comment"
_SCHOOL_SIGNS = (
    "complex pattern principle clean convention search sort linked fizz palindrome fibonacci recurs closure pair "
    "structure abstract polymorph object functional stack pass pure inversion tabs bigo big-o"
)
_PATTERNS = (
    (_REFACTORING, _REFACTOR_SIGNS, rf"{_START}\s*(?:{_REFACTOR_VERBS}\s+{_THIS}|{_EXTRACT}|{_MAKE})"),
    (_REFACTORING, "refactor", rf"{_START}\s*refactor\b(?!.*\b(?:docs?|documentation|api|v?\d+\.\d)\b)"),
    (_REVIEW, _REVIEW_SIGNS, rf"{_START}\s*{_REVIEW_VERBS}\s+{_THIS}"),
    (_REVIEW, "review", r"\bcode\s+review\b"),
    (_REVIEW, _PRAISE_SIGNS, rf"\b(?:is|does|are)\s+{_THIS}.{{0,30}}\b(?:clean|good|ok|okay|readable|idiomatic|fine|look)\b"),
    (_GIVEN_CODE, _EXPLAIN_SIGNS, rf"{_START}\s*(?:{_EXPLAIN_VERBS}\s+(?:what\s+)?{_THIS}|add\s+comments\s+to\s+{_THIS})"),
    (
        _GIVEN_CODE,
        "docstring commit readme changelog",
        r"\bwrite\s+(?:a\s+|the\s+)?(?:docstring|commit\s+message|readme|changelog)s?\s+for\b",
    ),
    (_BUSINESS, _MONEY_SIGNS, rf"\b(?:my|our|the)\s+(?:[\w-]+\s+){{0,3}}{_MONEY}\b.{{0,80}}\b{_WRONG}\b"),
    (_BUSINESS, _MONEY_SIGNS, rf"\b{_WRONG}\s+(?:[\w-]+\s+)?{_MONEY}\b"),
    (_BUSINESS, "business", r"\bbusiness[- ](?:logic|rules?)\b"),
    (_BUSINESS, _MONEY_SIGNS, rf"\b(?:calculate|compute|work\s+out)\s+(?:the\s+|our\s+|a\s+)?(?:[\w-]+\s+){{0,2}}{_MONEY}\b"),
    (
        _WRITING,
        "write create generate make",
        rf"{_START}\s*(?:write|create|generate|make)\s+(?:me\s+)?(?:an?|some)\s+(?:[\w-]+\s+){{0,3}}?{_WRITTEN}\b",
    ),
    (GENERAL, _SCHOOL_SIGNS, rf"\b{_SCHOOL}\b"),
)
"""Why, signs of which one has to stand in the text, and the pattern; a pattern is compiled when a text has its sign."""

_OTHER_LANGUAGES = (
    (
        _REVIEW,
        r"(?:revisa\w*|revise|überprüfe|prüfe|relis|vérifie)\s+(?:mi|meu|meinen|mon|este|diesen|ce)\s+(?:código|code)"
        r"|コードレビュー|レビューして|代码审查|审查.{0,6}代码|检查.{0,6}代码|코드.{0,4}(?:리뷰|검토)",
    ),
    (
        _REFACTORING,
        r"重构(?:这|一下|下面|以下|我)|リファクタ(?:リング)?し|리팩(?:토|터)링해"
        r"|refactori[sz]a\w*\s+(?:este|esta|mi)|refaktoriere|refactorise|refatora\w*\s+(?:este|esta|meu)",
    ),
    (GENERAL, r"冒泡排序|二分查找|快速排序|设计模式|递归|再帰|バブルソート|재귀|버블\s*정렬|recursividad|rekursion"),
    (
        _WRITING,
        r"(?:schreib\w*\s+(?:mir\s+)?ein\w*|escribe\w*\s+un\w*|écris\w*\s+un\w*|escreva\s+um\w*)\s+"
        r"(?:gedicht|skript|poema|script|poème)",
    ),
)


def task_without_docs(text: str) -> str | None:
    """Why a request needs no documentation, as a phrase; None when it may need some."""
    lower = text.lower()
    for reason, signs, pattern in _PATTERNS:
        if any(sign in lower for sign in signs.split()) and _compiled(pattern).search(text):
            return reason
    if text.isascii():
        return None
    return next((reason for reason, pattern in _OTHER_LANGUAGES if _compiled(pattern).search(text)), None)


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)
