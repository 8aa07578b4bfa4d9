"""What `Annotated[...]` says of a parameter or attribute: its type, and its description in `Doc("...")`.

FastAPI, Typer and SQLModel describe every parameter so (`typing_extensions.Doc`, `annotated_doc.Doc`; PEP 727) and leave the
docstring to the function as a whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from typing import TYPE_CHECKING

from docs_researcher.docsets.readers.base import Block
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.reference import as_prose

if TYPE_CHECKING:
    from griffe import Expr, ExprCall, Parameter

_ANNOTATED = ("typing.Annotated", "typing_extensions.Annotated")


def shown_annotation(annotation: Expr | str | None) -> str:
    """The annotation as a signature shows it: without the text that describes it."""
    parts = _parts(annotation)
    if not any(_says(part) for part in parts[1:]):
        return str(annotation)
    kept = [str(part) for part in parts if not _says(part)]
    return kept[0] if len(kept) == 1 else f"Annotated[{', '.join(kept)}]"


def described(annotation: Expr | str | None) -> str:
    """The Markdown of `Doc("...")` and `deprecated("...")` in an annotation; empty where there is none."""
    said = [text for part in _parts(annotation)[1:] if (text := _says(part))]
    return "\n\n".join(said)


def annotation_blocks(annotation: Expr | str | None, line: int) -> tuple[Block, ...]:
    """The description of one attribute as blocks of a page."""
    text = described(annotation)
    return _read(text, line) if text else ()


def parameter_blocks(parameters: Iterable[Parameter], line: int) -> Iterator[Block]:
    """The parameters that are described in their annotations: short ones as a list, longer ones apart, each with its code."""
    rows: list[str] = []
    for parameter in parameters:
        text = described(parameter.annotation)
        if not text:
            continue
        if "\n\n" not in text:
            rows.append(f"- `{parameter.name}`: {' '.join(text.split())}")
            continue
        yield from _list(rows, line)
        rows = []
        yield from _read(f"`{parameter.name}`: {text}", line)
    yield from _list(rows, line)


def _list(rows: list[str], line: int) -> Iterator[Block]:
    if rows:
        yield Block("list", "\n".join(rows), line)


def _read(text: str, line: int) -> tuple[Block, ...]:
    page = read_markdown("annotation.md", text)
    return as_prose(page.blocks, line) if page is not None else ()


def _parts(annotation: Expr | str | None) -> list[Expr | str]:
    """The type and what is said of it in `Annotated[...]`; nothing for any other annotation."""
    from griffe import ExprSubscript, ExprTuple

    if not isinstance(annotation, ExprSubscript) or annotation.canonical_path not in _ANNOTATED:
        return []
    return list(annotation.slice.elements) if isinstance(annotation.slice, ExprTuple) else []


def _says(part: Expr | str) -> str:
    """What a part of an annotation says to readers: its description, or why the parameter should not be used any more."""
    from griffe import ExprCall

    if not isinstance(part, ExprCall):
        return ""
    # A parameter that is called `deprecated` itself hides what the name stands for, so the written name counts too.
    names = {path.rpartition(".")[2] for path in (part.canonical_path, str(part.function))}
    kind = next((kind for kind in ("Doc", "deprecated") if kind in names), "")
    if not kind:
        return ""
    text = _literal(part)
    return f"**Deprecated:** {text}" if text and kind == "deprecated" else text


def _literal(call: ExprCall) -> str:
    """The text of a call's only argument without a name, where it is written down and not computed."""
    from griffe import ExprKeyword

    positional = [argument for argument in call.arguments if not isinstance(argument, ExprKeyword)]
    if len(positional) != 1:
        return ""
    try:
        value = ast.literal_eval(str(positional[0]))
    except (ValueError, SyntaxError):
        return ""
    return cleandoc(value).strip() if isinstance(value, str) else ""
