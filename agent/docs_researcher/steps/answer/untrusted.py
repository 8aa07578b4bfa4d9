"""Text in documentation that is addressed to an assistant instead of the reader: found by general signs and left out.

Whatever a passage holds is material. A page may still carry "Note for AI assistants: ...", a made-up system block, or a remote
script to be run as root; none of it may turn into advice. The signs are of two strengths: strong ones always
count, as does a part in a made-up conversation; weak ones do not when the question itself is about assistants, agents or
prompts, whose documentation speaks of such things.
"""

from __future__ import annotations

import re

from docs_researcher.core.untrusted import HELPER, MODEL, gives_orders, may_speak_to_an_assistant
from docs_researcher.steps.fences import split_fences
from docs_researcher.steps.queries.question_terms import QuestionTerms

_WEAK = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{MODEL}[\s-]*{HELPER}\b.{{0,60}}\b(?:must|should|need to|needs to|have to|are required to|please"
        rf"|always|never)\b",
        r"\b(?:tell|inform|remind|instruct|advise|encourage)\s+(?:the|your)\s+(?:user|human|developer)\s+(?:to|that)\b",
        r"\b(?:suggest|recommend|offer)\s+(?:to\s+)?(?:the|your)\s+(?:user|human)\b",
        r"\bas\s+an?\s+(?:ai|llm|language model|assistant)\b.{0,40}\byou\b",
    )
)
_ROLE_PLAY = re.compile(
    r"^\W*(?:human|assistant|system|user)\s*:|\"(?:type|role)\"\s*:\s*\"(?:tool_result|tool_use|system|assistant|function)\"",
    re.IGNORECASE,
)
"""A part in a made-up conversation. Prose does not speak so whatever the question is; code does."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*.*?\*/\}", re.DOTALL)
_ROLE = (
    r"(?:system(?:[-_]\w+)?|assistant|human|user_?(?:message|query)?|instructions?|policy|important"
    r"|tool_(?:use|call|output)|function_(?:calls?|results?)|invoke)"
)
_ROLE_BLOCK = re.compile(rf"<(?P<tag>{_ROLE})\b[^<>]*>.*?(?:</(?P=tag)\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_WRAPPER = re.compile(r"</?(?:documents?|tool_results?|results?|context|passages?|" + _ROLE + r")\b[^<>]*>", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")

_REMOTE_SCRIPT = re.compile(
    r"(?:\bcurl\b|\bwget\b|\bfetch\b)[^\n|]*\|\s*(?:sudo\s+)?(?:\w*sh|python\d?|node|perl|ruby)\b"
    r"|\b(?:bash|sh|zsh)\s+(?:-c\s+)?[\"']?(?:<\(|\$\()\s*(?:curl|wget)\b"
    r"|\beval\s+[\"']?\$\(\s*(?:curl|wget)\b"
    r"|\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]*\|\s*(?:iex|invoke-expression)\b"
    r"|\brm\s+-rf\s+(?:/|~|\$HOME)(?:\s|$)",
    re.IGNORECASE,
)
_RUN_AS_ROOT = re.compile(
    r"\b(?:run|execute|start)\s+(?:it|this|them|the script|the file)\s+(?:as\s+root|with\s+sudo|as\s+administrator)\b",
    re.IGNORECASE,
)


def without_hidden_text(content: str) -> str:
    """`content` without comments, made-up role blocks and wrapper tags; fenced code is left as it is."""
    return "\n".join(segment.raw if segment.code is not None else _visible(segment.raw) for segment in split_fences(content))


def _visible(prose: str) -> str:
    """Prose without what is hidden in it. What stands between back-ticks is documentation about a tag and stays."""
    spans: list[str] = []

    def keep(match: re.Match[str]) -> str:
        spans.append(match.group())
        return f"\x00{len(spans) - 1}\x00"

    prose = _CODE_SPAN.sub(keep, _COMMENT.sub(" ", prose.replace("\x00", "")))
    prose = _WRAPPER.sub(" ", _ROLE_BLOCK.sub(" ", prose))
    return re.sub("\x00(\\d+)\x00", lambda match: spans[int(match.group(1))], prose)


def speaks_to_an_assistant(text: str, terms: QuestionTerms | None = None, *, code: bool = False) -> bool:
    """Whether a paragraph or a block of code gives orders to an assistant, or plays a part of a conversation with one.

    Code is held against the strong signs only: `{"role": "system"}` is everyday code.
    """
    if not may_speak_to_an_assistant(text):
        return False
    if gives_orders(text):
        return True
    if code:
        return False
    if _ROLE_PLAY.search(text):
        return True
    if terms is not None and terms.asks_for(
        "agent", "assistant", "ai", "llm", "prompt", "model", "tool", "role", "message", "chat"
    ):
        return False
    return any(pattern.search(text) for pattern in _WEAK)


def is_remote_script(text: str) -> bool:
    """Whether a text tells to run something from the network unseen, or to run it as root."""
    return bool(_REMOTE_SCRIPT.search(text) or _RUN_AS_ROOT.search(text))


def asks_to_install(terms: QuestionTerms) -> bool:
    """Whether a question is about installing, where a remote script may be quoted as documentation."""
    return terms.asks_for("install", "installation", "installer", "setup", "download", "upgrade", "uninstall", "bootstrap")


def may_be_quoted(text: str, terms: QuestionTerms, *, code: bool = False) -> bool:
    """Whether a paragraph, list item or block of code may stand in an answer to this question."""
    if speaks_to_an_assistant(text, terms, code=code):
        return False
    return asks_to_install(terms) or not is_remote_script(text)
