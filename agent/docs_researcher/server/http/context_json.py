"""Tool results in the JSON of Context7's API, so that its clients make the same text of them as our MCP server does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from docs_researcher.core.messages import ToolResult
from docs_researcher.core.passages import UNTRUSTED, Candidate, Passage, Reputation
from docs_researcher.core.tokens import estimate_tokens
from docs_researcher.steps.fences import Segment, split_fences

TRUST: dict[Reputation, int] = {"High": 7, "Medium": 4, "Low": 0, "Unknown": -1}
"""The API has a score where we have a word; these are the lowest scores that clients show as that word."""


def search_json(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """The body of `/api/v2/libs/search`."""
    return {"results": [_result(candidate) for candidate in candidates], "searchFilterApplied": False}


def _result(candidate: Candidate) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": candidate.id,
        "title": _one_line(candidate.title),
        "description": _one_line(candidate.description),
        "totalSnippets": -1 if candidate.snippets is None else candidate.snippets,
        "trustScore": TRUST[candidate.reputation],
        "versions": list(candidate.versions),
    }
    if candidate.score is not None:
        fields["benchmarkScore"] = candidate.score
    if candidate.source:
        fields["source"] = _one_line(candidate.source)
    return fields


def context_json(result: ToolResult) -> dict[str, Any]:
    """The body of `/api/v2/context?type=json`.

    Each block of code is a snippet, described by the prose before it. What is left of a passage, and what the asker has to
    know (another version than the one asked for), are pieces of information. Pages that the passages are linked with stand
    beside them, which Context7's clients pass over.
    """
    code: list[dict[str, Any]] = []
    info = [_info(notice.text, "", "Note") for notice in result.notices if notice.code == "version_substituted"]
    for passage in result.passages:
        prose = ""
        for segment in split_fences(f"{UNTRUSTED}\n\n{passage.content}" if passage.untrusted else passage.content):
            if segment.code is None:
                prose = segment.raw.strip()
            else:
                code.append(_snippet(passage, prose, segment))
                prose = ""
        if prose:
            info.append(_info(prose, passage.source, passage.title))
    related = [{"title": _one_line(page.title), "path": page.path, "url": page.url} for page in result.related]
    return {"codeSnippets": code, "infoSnippets": info, **({"relatedPages": related} if related else {})}


def _snippet(passage: Passage, prose: str, segment: Segment) -> dict[str, Any]:
    code = segment.code or ""
    return {
        "codeTitle": _one_line(passage.title),
        "codeDescription": prose,
        "codeLanguage": segment.language or "text",
        "codeTokens": estimate_tokens(code),
        "codeId": passage.source,
        "pageTitle": _one_line(passage.title.partition(" > ")[0]),
        "codeList": [{"language": segment.language or "text", "code": code}],
    }


def _info(content: str, page: str, breadcrumb: str) -> dict[str, Any]:
    return {"pageId": page, "breadcrumb": _one_line(breadcrumb), "content": content, "contentTokens": estimate_tokens(content)}


def _one_line(text: str) -> str:
    return " ".join(text.split())
