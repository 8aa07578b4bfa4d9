"""The text layout of the two documentation tools, both ways.

The layout is Context7's (its labels, their order and the two rules of hyphens), since hosts, prompts and other clients
already read it. Writing and parsing live together so that one cannot drift from the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from docs_researcher.core.lines import lines_of
from docs_researcher.core.passages import UNTRUSTED, Candidate, Passage, Reputation

CANDIDATES_HEADER = "Available Libraries:"
CANDIDATE_RULE = "----------"
"""Ten hyphens stand between two candidates."""
PASSAGE_RULE = "--------------------------------"
"""Thirty-two hyphens stand between two passages."""

_LABELS = {
    "title": "title",
    "name": "title",
    "context7-compatible library id": "id",
    "library id": "id",
    "description": "description",
    "code snippets": "snippets",
    "source reputation": "reputation",
    "trust score": "trust",
    "benchmark score": "score",
    "versions": "versions",
    "source": "source",
}
_LABEL_LINE = re.compile(r"^(?:- )?(" + "|".join(_LABELS) + r"):[ \t]*(.*)$", re.IGNORECASE)
_NOT_SAID = {"", "unknown", "n/a", "none", "null", "undefined", "latest", "-1"}


def render_candidates(candidates: Iterable[Candidate], note: str = "") -> str:
    """The text of `resolve-library-id` for these candidates, best first; `note` becomes a bold paragraph before them."""
    blocks = [_render_candidate(candidate) for candidate in candidates]
    body = f"\n{CANDIDATE_RULE}\n".join(blocks)
    return f"{CANDIDATES_HEADER}\n\n{_note(note)}{body}"


def _render_candidate(candidate: Candidate) -> str:
    lines = [
        f"- Title: {_one_line(candidate.title)}",
        f"- Context7-compatible library ID: {candidate.id}",
        f"- Description: {_one_line(candidate.description)}",
    ]
    if candidate.snippets is not None and candidate.snippets >= 0:
        lines.append(f"- Code Snippets: {candidate.snippets}")
    lines.append(f"- Source Reputation: {candidate.reputation}")
    if candidate.score is not None and candidate.score > 0:
        lines.append(f"- Benchmark Score: {candidate.score:g}")
    if candidate.versions:
        lines.append(f"- Versions: {', '.join(candidate.versions)}")
    if candidate.source:
        lines.append(f"- Source: {_one_line(candidate.source)}")
    return "\n".join(lines)


def render_passages(passages: Sequence[Passage], note: str = "") -> str:
    """The text of `query-docs` for these passages, best first; `note` becomes a bold paragraph before them."""
    items: list[str] = []
    for passage in passages:
        head = f"### {_one_line(passage.title)}\n\n"
        if passage.source:
            head += f"Source: {passage.source}\n\n"
        if passage.untrusted:
            head += f"{UNTRUSTED}\n\n"
        items.append(head + passage.content.strip("\n"))
    return _note(note) + f"\n\n{PASSAGE_RULE}\n\n".join(items)


def parse_candidates(text: str) -> tuple[Candidate, ...]:
    """The candidates in a `resolve-library-id` text, in its order.

    Lenient: labels may lack the hyphen, other servers' names for them are understood, words such as `Unknown` in a number's
    place mean "not said". A block without a usable id (one that starts with a slash) is dropped.
    """
    blocks: list[dict[str, str]] = [{}]
    current = ""
    for line in lines_of(text):
        if re.fullmatch(r"\s*-{5,}\s*", line):
            blocks.append({})
            current = ""
            continue
        match = _LABEL_LINE.match(line.strip())
        if match:
            key = _LABELS[match.group(1).lower()]
            if key in blocks[-1] and key in ("title", "id"):
                blocks.append({})  # a server that writes no rule between its blocks
            blocks[-1][key] = match.group(2).strip()
            current = key
        elif current == "description" and line.strip():
            blocks[-1]["description"] += " " + line.strip()
    return tuple(candidate for block in blocks if (candidate := _candidate(block)) is not None)


def _candidate(block: dict[str, str]) -> Candidate | None:
    words = block.get("id", "").split()
    if not words or not words[0].startswith("/") or words[0].count("/") < 2:
        return None
    versions = tuple(
        version for part in block.get("versions", "").split(",") if (version := part.strip()) and version.lower() not in _NOT_SAID
    )
    snippets = _number(block.get("snippets"))
    return Candidate(
        id=words[0],
        title=block.get("title", "") if block.get("title") != "undefined" else "",
        description=block.get("description", "") if block.get("description") != "undefined" else "",
        snippets=None if snippets is None else int(snippets),
        reputation=_reputation(block),
        score=_number(block.get("score")),
        versions=versions,
        source=block.get("source") or None,
    )


def _reputation(block: dict[str, str]) -> Reputation:
    word = block.get("reputation", "").strip().lower()
    for known in ("High", "Medium", "Low"):
        if word == known.lower():
            return known
    trust = _number(block.get("trust"))
    if trust is None:
        return "Unknown"
    return "High" if trust >= 7 else "Medium" if trust >= 4 else "Low"


def _number(text: str | None) -> float | None:
    if text is None or text.strip().lower() in _NOT_SAID:
        return None
    try:
        value = float(text.replace(",", "").split()[0])
    except (ValueError, IndexError):
        return None
    return value if value >= 0 else None


def lead_of(text: str) -> str:
    """What stands in a `query-docs` text before its first passage, such as a note; empty where no passage is laid out."""
    first = re.search(r"^### ", text, re.MULTILINE)
    return text[: first.start()] if first else ""


def parse_passages(text: str, library_id: str = "", version: str | None = None) -> tuple[Passage, ...]:
    """The passages in a `query-docs` text, in its order.

    Text before the first `### ` heading (a note of the server's) is not a passage. A rule of 32 hyphens or an item heading
    inside a code fence belongs to the code.
    """
    items: list[list[str]] = [[]]
    fence = ""
    for line in lines_of(text):
        fence = _fence_after(line, fence)
        if not fence and line.strip() == PASSAGE_RULE:
            items.append([])
        else:
            items[-1].append(line)
    passages = (_passage(lines, library_id, version) for lines in items)
    return tuple(passage for passage in passages if passage is not None)


def _passage(lines: list[str], library_id: str, version: str | None) -> Passage | None:
    start = next((index for index, line in enumerate(lines) if line.startswith("### ")), None)
    if start is None:
        return None
    title = lines[start][4:].strip()
    rest = lines[start + 1 :]
    while rest and not rest[0].strip():
        rest = rest[1:]
    source = ""
    if rest and rest[0].startswith("Source:"):
        source = rest[0][len("Source:") :].strip()
        rest = rest[1:]
    content = "\n".join(rest).strip("\n")
    untrusted = content.startswith(UNTRUSTED)
    content = content.removeprefix(UNTRUSTED).strip("\n")
    url = source if source.startswith(("http://", "https://")) else None
    return Passage(title, content, source, library_id, url=url, version=version, untrusted=untrusted)


def _fence_after(line: str, fence: str) -> str:
    """The code fence that is open behind this line, or an empty string."""
    stripped = line.lstrip()
    if not fence:
        match = re.match(r"(`{3,}|~{3,})", stripped)
        if match and not (match.group(1)[0] == "`" and "`" in stripped[len(match.group(1)) :]):
            return match.group(1)
        return ""
    bare = stripped.rstrip()
    closes = len(bare) >= len(fence) and set(bare) == {fence[0]}
    return "" if closes else fence


def _note(note: str) -> str:
    return f"**Note:** {_one_line(note)}\n\n" if note else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())
