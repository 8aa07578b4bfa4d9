"""Code as a fenced block, and the language of code that names none."""

from __future__ import annotations

import ast
import re
import shlex

from docs_researcher.docsets.readers.base import Block

_TICKS = re.compile(r"`{3,}")
_PYTHON = re.compile(
    r"^[ \t]*(?:from [\w.]+ import |import \w|def \w+\(|async def |class \w+[(:]|@\w|return |with [^\n]+:$|for [^\n]+:$)",
    re.MULTILINE,
)
_SQL_MARKS = re.compile(r"\{(?:printsql|execsql|opensql|sql|stop)\}")
"""Where `python+sql` code has output that the published page folds away; the marks are no part of the code."""
_PARSED_CHARACTERS = 4_000
_PLAIN = frozenset({"none", "default", "guess"})
_SAME = {"python3": "python", "py": "python", "py3": "python"}


def code_block(code: str, language: str, line: int) -> Block:
    """A block of code as its published page shows it, less the empty lines around it. `line` is that of its first line."""
    language = language.strip().lower()
    if language.endswith("+sql"):
        language = language.removesuffix("+sql")
        code = _SQL_MARKS.sub("", code)
    language = "" if language in _PLAIN else _SAME.get(language, language)
    empty = len(code) - len(code.lstrip("\n"))
    return Block("code", fenced(language, code.strip("\n")), line + empty, language=language)


def fenced(language: str, code: str) -> str:
    """`code` between fences that it does not hold itself."""
    longest = max((len(run) for run in _TICKS.findall(code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def guessed_language(code: str) -> str:
    """The language of code without one: a Python session, a shell session, Python, or unknown (empty)."""
    start = code.lstrip()
    if start.startswith(">>>"):
        return "pycon"
    if start.startswith(("$ ", "> ")):
        return "console"
    return "python" if _PYTHON.search(code) or parses_as_python(code) else ""


def parses_as_python(code: str) -> bool:
    """Whether short code is a Python statement with a call or an assignment in it; a plain word or path is none.

    Backslashes are left out: Python would warn about some of them.
    """
    if len(code) > _PARSED_CHARACTERS or "\\" in code or ("(" not in code and "=" not in code):
        return False
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def invoked_commands(code: str) -> str | None:
    """The command lines that code for `click:run` stands for (`invoke(hello, args=["--count=2"])`); None where it does more."""
    try:
        statements = ast.parse(code).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    lines = [_command_line(node.value) if isinstance(node, ast.Expr) else None for node in statements]
    return "\n".join(f"$ {line}" for line in lines if line) if lines and all(lines) else None


def _command_line(call: ast.expr) -> str | None:
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "invoke" or len(call.args) not in (1, 2):
        return None
    values = {word.arg: word.value for word in call.keywords if word.arg is not None}
    try:
        arguments = [
            str(item) for item in ast.literal_eval(values.get("args", call.args[1] if len(call.args) > 1 else ast.List([])))
        ]
        environment = dict(ast.literal_eval(values.get("env", ast.Dict([], []))))
        name = ast.literal_eval(values["prog_name"]) if "prog_name" in values else ast.unparse(call.args[0]).replace("_", "-")
    except (ValueError, TypeError, SyntaxError):
        return None
    return shlex.join([*(f"{key}={value}" for key, value in environment.items()), str(name), *arguments])
