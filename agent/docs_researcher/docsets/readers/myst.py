"""MyST, the Markdown of Sphinx: directives in fences (```{note}), roles (`{doc}` before a code span), reStructuredText inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from docs_researcher.docsets.readers.admonitions import label
from docs_researcher.docsets.readers.base import Block

Nested = Callable[[str, int], Iterator[Block]]
"""Reads Markdown that stands inside a directive: the text and the number of its first line in the file."""

_OPTIONS = re.compile(r"\A(?:[ \t]*:[\w-]+:[^\n]*\n?)+|\A---[ \t]*\n(?:.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
LANGUAGES: Mapping[str, str] = {"doctest": "pycon", "testcode": "python", "testoutput": "text", "ipython": "python"}
"""Directives whose body is code of one language; what stands behind their names is something else."""
_CODE = frozenset({"code-block", "code", "sourcecode", "code-cell", "prompt", *LANGUAGES})
_DROPPED = frozenset(
    "toctree contents currentmodule module highlight index automodule tableofcontents bibliography raw include testsetup "
    "testcleanup towncrier-draft-entries program-output command-output graphviz digraph todo todolist".split()
)
_AS_RST = frozenset(
    "eval-rst list-table csv-table table image figure math productionlist glossary click:example click:run autoclass "
    "autofunction automethod autoattribute autodata autoexception autosummary function method class exception attribute data "
    "option envvar py:function py:method py:class py:attribute py:data py:exception".split()
)
_CONTAINERS = frozenset(
    "tab-set tab-item grid grid-item grid-item-card card dropdown div container epigraph sidebar topic margin only panels "
    "tabbed admonition details button-link cards".split()
)
_VERSIONS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}


def is_code(name: str) -> bool:
    """Whether a directive of this name is a block of code whose argument is the language."""
    return name in _CODE


def without_options(body: str) -> str:
    """The body of a directive without the options at its beginning."""
    options = _OPTIONS.match(body)
    return body[options.end() :] if options else body


def directive(name: str, argument: str, body: str, line: int, level: int, nested: Nested) -> Iterator[Block] | None:
    """The blocks of a directive in a fence, or None for a fence that is code after all (```{python}, ```{r}).

    Args:
        name: in lower case.
        argument: what stands behind the name.
        body: the fence's content.
        line: of the fence.
        level: of the heading above it.
        nested: reads the body where it is Markdown.
    """
    if name in _DROPPED:
        return iter(())
    if name == "literalinclude":
        return iter([Block("text", f"Code: `{argument}`", line)])
    if name in _AS_RST:
        return _rst(name, argument, body, line, level)
    options = _OPTIONS.match(body)
    text = body[options.end() :] if options else body
    first = line + 1 + body.count("\n", 0, options.end() if options else 0)
    if name in _VERSIONS:
        return _with_label(
            f"**{_VERSIONS[name]} {argument.partition(' ')[0]}**", argument.partition(" ")[2], text, line, first, nested
        )
    if name in _CONTAINERS:
        return _with_label(f"**{argument}**" if argument and "*" not in argument else argument, "", text, line, first, nested)
    is_admonition = bool(label(name, ""))
    return _with_label(label(name, argument), "", text, line, first, nested) if is_admonition else None


def _with_label(shown: str, rest: str, body: str, line: int, first: int, nested: Nested) -> Iterator[Block]:
    if shown:
        yield Block("admonition", f"{shown}: {rest}" if rest else shown, line)
    yield from nested(body, first)


def _rst(name: str, argument: str, body: str, line: int, level: int) -> Iterator[Block]:
    from docs_researcher.docsets.readers.rst import read_rst

    text = body
    if name != "eval-rst":
        lines = "\n".join(f"   {row}" if row else "" for row in body.split("\n"))
        text = f".. {name}:: {argument}\n{lines}"
    page = read_rst("fence.rst", text)
    before = line if name == "eval-rst" else line - 1
    for block in page.blocks if page is not None else ():
        if block.kind == "heading":
            depth = min(6, level + block.level)
            yield block._replace(level=depth, text=f"{'#' * depth} {block.text.lstrip('# ')}", line=before + block.line)
        else:
            yield block._replace(line=before + block.line)


_ROLE = re.compile(r"\{([A-Za-z][\w:+.-]*)\}\Z")


def unwrap_roles(text: str, spans: list[tuple[int, int]], labels: Mapping[str, str]) -> str:
    """`text` with every role (`{doc}` before a code span) as its readers see it.

    `spans` are the code spans in `text`, `labels` the titles that references (`{ref}`) may mean.
    """
    from docs_researcher.docsets.readers.rst_roles import shown_role

    pieces: list[str] = []
    position = 0
    for start, end in spans:
        role = _ROLE.search(text, position, start)
        if role is None:
            continue
        pieces.append(text[position : role.start()])
        ticks = len(text[start:end]) - len(text[start:end].lstrip("`"))
        found = shown_role(role[1], text[start + ticks : end - ticks].strip())
        mark = {"code": "`" * ticks, "emphasis": "*", "strong": "**"}.get(found.form, "")
        named = labels.get(" ".join(found.target.lower().split())) if found.form == "reference" else None
        pieces.append(named or f"{mark}{found.text}{mark}")
        position = end
    return "".join([*pieces, text[position:]])
