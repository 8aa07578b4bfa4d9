"""The lines with which another example of the same page imports what a shown one uses.

Pages import once, in their first example. Whoever is shown the third one cannot run it without these lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from docs_researcher.steps.answer.material import CodeBlock

INTRODUCTION = "Imported in another example of the page:"
MOST_LINES = 5
_PYTHON = frozenset("python py python3 pycon py3 ipython".split())
_SCRIPT = frozenset("js jsx ts tsx javascript typescript mjs cjs mts vue svelte".split())
_UNTYPED = frozenset("js jsx javascript mjs cjs".split())
_PROMPT = re.compile(r"^(?:>>> |\.\.\. |In \[\d+\]: )", re.MULTILINE)
_PYTHON_IMPORT = re.compile(
    r"^(?:from[ \t]+(?!\.)[\w.]+[ \t]+import[ \t]+(?P<names>\([^()]*\)|[^\n(]+)|import[ \t]+(?P<modules>[\w., \t]+))$",
    re.MULTILINE,
)
_SCRIPT_IMPORT = re.compile(
    r"^(?:import\s+(?:type\s+)?(?P<names>[^'\";]+?)\s+from\s+['\"][^.'\"][^'\"]*['\"];?"
    r"|(?:const|let|var)\s+(?P<required>[^=]+?)\s*=\s*require\(['\"][^.'\"][^'\"]*['\"]\);?)[ \t]*$",
    re.MULTILINE,
)
_NAME = re.compile(r"(?:[\w.$*]+\s+as\s+|[\w$]+\s*:\s*)?([A-Za-z_$][\w$]*)")
_STRING_OR_COMMENT = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"[^\"\n]*\"|'[^'\n]*'|#[^\n]*|//[^\n]*", re.DOTALL)


def imports_for(shown: Sequence[CodeBlock], others: Iterable[CodeBlock], known: str = "") -> tuple[str, str]:
    """The import lines out of `others` that `shown` blocks need and do not hold, and their language; empty when there are none.

    A name is needed where it is used and neither imported nor defined in what is shown, nor imported in the `known` code of the
    answer. `others` are blocks of the same page; what they import from several places (`@acme/react`, `@acme/vue`) is left out.
    """
    family = next((found for block in shown if (found := _family(block))), None)
    if family is None:
        return "", ""
    codes = [_bare(block) for block in shown if _family(block) is family]
    together = "\n".join(codes)
    if re.search(r"^\s*(?:from\s|import\s)|\brequire\(", together, re.MULTILINE):
        return "", ""
    language = shown[0].language
    best: dict[str, tuple[tuple[bool, int], str]] = {}
    origins: dict[str, set[str]] = {}
    for block in others:
        if _family(block) is not family:
            continue
        for line, names in _imports(_bare(block), family):
            fit = block.language.lower() != language.lower(), line.count(",")
            if language.lower() in _UNTYPED and re.search(r"\btype\s", line):
                continue
            for name in names:
                origins.setdefault(name, set()).add(_origin(line))
                if _is_needed(name, together) and not _imports_it(known, name) and (name not in best or fit < best[name][0]):
                    best[name] = fit, line
    lines = list(dict.fromkeys(line for name, (_, line) in best.items() if len(origins[name]) == 1))
    return ("\n".join(lines), language) if 0 < len(lines) <= MOST_LINES else ("", "")


def _imports_it(code: str, name: str) -> bool:
    return re.search(rf"^\s*(?:import|from|const)\b[^\n]*\b{re.escape(name)}\b", code, re.MULTILINE) is not None


def _origin(line: str) -> str:
    """Where an import takes its names from."""
    quoted = re.findall(r"['\"]([^'\"]+)['\"]", line)
    return quoted[-1] if quoted else line.split()[1]


def _family(block: CodeBlock) -> frozenset[str] | None:
    language = block.language.lower()
    return next((family for family in (_PYTHON, _SCRIPT) if language in family), None)


def _bare(block: CodeBlock) -> str:
    return _PROMPT.sub("", block.code)


def _imports(code: str, family: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    for match in (_PYTHON_IMPORT if family is _PYTHON else _SCRIPT_IMPORT).finditer(code):
        listed = next(text for text in match.groups() if text)
        names = [_NAME.fullmatch(part.strip()) for part in re.split(r"[,{}()]", re.sub(r"#[^\n]*", "", listed))]
        yield match.group().rstrip(), [name.group(1) for name in names if name]


def _is_needed(name: str, code: str) -> bool:
    """Whether a name is called or taken apart in code that does not define it."""
    bare, word = _STRING_OR_COMMENT.sub("", code), re.escape(name)
    if not re.search(rf"(?<![\w$.]){word}\s*[.(<]", bare):
        return False
    by_keyword = rf"\b(?:def|class|function|const|let|var|as|for)\s+{word}\b"
    by_value = rf"^\s*{word}\s*(?::[^=\n]*)?=(?!=)|[(,]\s*{word}\s*[,)=:]"
    return not re.search(f"{by_keyword}|{by_value}", bare, re.MULTILINE)
