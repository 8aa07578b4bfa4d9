"""A block of code that is longer than its room: what of it the question is about, with a comment where lines are left out.

What is kept are whole pieces of the block: its imports, the function, element or call that holds most of what is asked, and what
that uses. Of a piece that is too long itself the first and the last line stay, and the same is done between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from docs_researcher.core.tokens import estimate_tokens

FEWEST_TOKENS = 60
"""In less room nothing of a long block is worth showing."""
_MARK_TOKENS = 10
_BY_HASH = frozenset(
    "python py python3 pycon ruby rb bash sh shell console zsh yaml yml toml ini cfg dockerfile nginx makefile elixir r".split()
)
_BY_DASHES = frozenset("sql lua haskell elm".split())
_BY_TAG = frozenset("html xml svg vue svelte markdown md mdx astro".split())
_JINJA = frozenset("jinja jinja2 html+jinja django twig".split())
_CSS = frozenset("css".split())
_COUNT = r"\.\.\. \d+ lines? left out"
LEFT_OUT = re.compile(rf"^\s*(?:#|//|--|<!--|\{{#|/\*) {_COUNT}(?: (?:-->|#\}}|\*/))?$")
"""A line that stands for lines which are left out."""
_IMPORT = re.compile(r"^\s*(?:>>> )?(?:import\b|from\s+\S+\s+import\b|(?:const|let|var)\s.*\brequire\(|use\s|using\s|#include)")
_CLOSES = re.compile(
    r"^\s*(?:[)\]}>]|</|\.{3}(?:\s|$)|\.\w|\|\s|&&|[?:]\s|else\b|elif\b|except\b|finally\b|catch\b|end\b|\{% e(?:nd|l)|\"{3}\s*$)"
)
"""The beginning of a line that goes on with what stands above it."""
_OPENS_NEXT = re.compile(r"^\s*(?:@\w|#|//|/\*|\*|--\s|<!--)")
"""A line that belongs to the one below it: a decorator, a comment."""
_PROMPT = re.compile(r"^\s*(?:>>> |\$ )", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_DEFINES = re.compile(
    r"^\s*(?:>>> )?(?:export\s+)?(?:default\s+)?(?:async\s+)?"
    r"(?:def|class|function|const|let|var|type|interface)\s+(\w+)"
)
_SETS = re.compile(r"^\s*(?:>>> )?(\w+)\s*(?::[^=]*)?=(?!=)")

Share = Callable[[str], float]
"""How much of what is asked a piece of code holds."""


def abridged(code: str, language: str, share: Share, room: int) -> str:
    """What of `code` fits into `room` tokens; all of it where it does, nothing where there is hardly any room."""
    if estimate_tokens(code) <= room:
        return code
    if room < FEWEST_TOKENS:
        return ""
    lines = code.split("\n")
    kept = _kept(lines, range(len(lines)), share, room)
    return "\n".join(_marked(lines, kept, _comment(language, code))) if kept else ""


def runs_of(code: str) -> tuple[str, ...]:
    """The runs of lines between the marks of an abridged block; one of a block without marks."""
    runs: list[list[str]] = [[]]
    for line in code.split("\n"):
        if LEFT_OUT.match(line):
            runs.append([])
        else:
            runs[-1].append(line)
    return tuple("\n".join(run) for run in runs if any(line.strip() for line in run))


def _kept(lines: Sequence[str], within: range, share: Share, room: int) -> list[int]:
    """The numbers of the lines that are kept of those `within`."""
    pieces = _pieces(lines, within)
    if len(pieces) == 1:
        return _of_one(lines, pieces[0], share, room)
    texts = ["\n".join(lines[number] for number in piece) for piece in pieces]
    costs = [estimate_tokens(text) + 1 for text in texts]
    shares = [share(text) for text in texts]
    imports = [place for place, text in enumerate(texts) if _IMPORT.match(text)]
    others = [place for place in range(len(pieces)) if place not in imports] or imports
    best = max(others, key=lambda place: (shares[place], -place))
    chosen: dict[int, Sequence[int]] = {}
    spent = sum(costs[place] for place in imports)
    if spent <= room // 3:
        chosen = {place: pieces[place] for place in imports}
        room -= spent
    if costs[best] <= room:
        chosen[best] = pieces[best]
    elif inner := _of_one(lines, pieces[best], share, room):
        chosen[best] = inner
    room -= sum(estimate_tokens(lines[number]) + 1 for number in chosen.get(best, ())) + _MARK_TOKENS
    for place in _by_use(texts, shares, best, others):
        if place not in chosen and costs[place] + _MARK_TOKENS <= room:
            chosen[place] = pieces[place]
            room -= costs[place] + _MARK_TOKENS
    return sorted(number for piece in chosen.values() for number in piece)


def _by_use(texts: Sequence[str], shares: Sequence[float], best: int, others: Sequence[int]) -> list[int]:
    """The other pieces: what defines a name that the best one uses, then what holds most, the nearest first."""
    used = set(_NAME.findall(texts[best]))

    def order(place: int) -> tuple[bool, float, int]:
        return not (_defined(texts[place]) & used), -shares[place], abs(place - best)

    return sorted((place for place in others if place != best), key=order)


def _defined(text: str) -> set[str]:
    found = (_DEFINES.match(line) or _SETS.match(line) for line in text.split("\n") if not line.startswith((" ", "\t")))
    return {match.group(1) for match in found if match}


def _of_one(lines: Sequence[str], piece: Sequence[int], share: Share, room: int) -> list[int]:
    """Of one piece its first line, what is kept of its body, and its last line if that closes it; else its first lines."""
    filled = [number for number in piece if lines[number].strip()]
    depth = _indent(lines[filled[0]])
    body = [number for number in filled if _indent(lines[number]) > depth]
    if body and len(body) < len(filled):
        head = [number for number in filled if number < body[0]]
        tail = [number for number in filled if number > body[-1]]
        left = room - sum(estimate_tokens(lines[number]) + 1 for number in (*head, *tail)) - _MARK_TOKENS
        inner = _kept(lines, range(body[0], body[-1] + 1), share, left) if left > 0 else []
        if inner:
            return [*head, *inner, *tail]
    first: list[int] = []
    room -= _MARK_TOKENS
    for number in piece:
        room -= estimate_tokens(lines[number]) + 1
        if room < 0:
            break
        first.append(number)
    return first


def _pieces(lines: Sequence[str], within: range) -> list[list[int]]:
    """The lines by the statements, elements or entries that they belong to, in order; blank lines go with what stands above."""
    filled = [number for number in within if lines[number].strip()]
    depth = min((_indent(lines[number]) for number in filled), default=0)
    prompts = any(_PROMPT.match(lines[number]) for number in filled)
    pieces: list[list[int]] = []
    waiting = False
    for number in within:
        line = lines[number]
        begins = bool(line.strip()) and (
            bool(_PROMPT.match(line)) if prompts else _indent(line) <= depth and not _CLOSES.match(line)
        )
        if not pieces or (begins and not waiting):
            pieces.append([])
        pieces[-1].append(number)
        waiting = begins and not prompts and bool(_OPENS_NEXT.match(line))
    return pieces


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _marked(lines: Sequence[str], kept: Sequence[int], comment: tuple[str, str]) -> list[str]:
    """The kept lines, with a comment for each run of lines that is left out."""
    found: list[str] = []
    opening, closing = comment
    expected = 0
    for number in (*kept, len(lines)):
        gone = [line for line in lines[expected:number] if line.strip()]
        if not gone or (len(gone) == 1 and estimate_tokens(gone[0]) <= _MARK_TOKENS):
            found += lines[expected:number]
        else:
            count = f"{len(gone)} line{'s' if len(gone) > 1 else ''}"
            found.append(f"{' ' * _indent(gone[0])}{opening} ... {count} left out{closing}")
        found += lines[number : number + 1]
        expected = number + 1
    while found and not found[-1].strip():
        found.pop()
    return found


def _comment(language: str, code: str) -> tuple[str, str]:
    """What stands before and behind a comment in a language; where it is not told, as the code itself looks."""
    language = language.lower()
    for languages, comment in (
        (_BY_HASH, ("#", "")),
        (_BY_DASHES, ("--", "")),
        (_BY_TAG, ("<!--", " -->")),
        (_JINJA, ("{#", " #}")),
        (_CSS, ("/*", " */")),
    ):
        if language in languages:
            return comment
    return ("//", "") if language or re.search(r"[;{]\s*$", code, re.MULTILINE) else ("#", "")
