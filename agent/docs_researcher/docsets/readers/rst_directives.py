"""What is done with the directives of docutils, Sphinx and their extensions, by name without domain.

A directive that stands in none of these tables keeps its argument as a title and its body as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

CODE_DIRECTIVES: Mapping[str, str | None] = {
    "code-block": None,
    "sourcecode": None,
    "code": None,
    "code-tab": None,
    "code-cell": None,
    "highlight-block": None,
    "ipython": "python",
    "prompt": None,
    "doctest": "pycon",
    "testcode": "python",
    "testoutput": "text",
    "console": "console",
    "snippet": None,
    "math": "latex",
    "productionlist": "text",
    "click:example": "python",
    "click:run": "python",
    "plot": "python",
    "jsonschema": "json",
    "mermaid": "mermaid",
}
"""Their body is code. The value is its language; None: the first word of the argument."""

DROPPED_DIRECTIVES = frozenset(
    "toctree index contents sectnum meta raw include rst-class cssclass role default-role default-domain tabularcolumns "
    "target-notes header footer title date automodule inheritance-diagram graphviz digraph graph uml youtube video testsetup "
    "testcleanup todo todolist program sectionauthor moduleauthor codeauthor footer_topic towncrier-draft-entries "
    "program-output command-output currentmodule highlight module literalinclude image tags".split()
)
"""Nothing of their body is shown. Some of them say something all the same: `highlight`, `module`, `literalinclude` ..."""

LABELS: Mapping[str, str] = {
    "note": "Note",
    "warning": "Warning",
    "tip": "Tip",
    "hint": "Hint",
    "important": "Important",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
    "attention": "Attention",
    "seealso": "See also",
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "version-added": "Added in version",
    "version-changed": "Changed in version",
    "version-removed": "Removed in version",
    "version-deprecated": "Deprecated since version",
    "deprecated": "Deprecated since version",
    "deprecated-removed": "Deprecated since version",
    "legacy": "Legacy",
}
"""Admonitions and what is put before their text."""

TEXT_DIRECTIVES = frozenset(
    "note warning tip hint important caution danger error attention seealso legacy compound epigraph highlights pull-quote "
    "line-block glossary hlist change".split()
)
"""Without an argument: the text may begin on the directive's own line."""

SILENT_ARGUMENT = frozenset(
    "container only ifconfig grid tab-set tabs grid-item card-carousel card-deck div class figure changelog "
    "changelog_imports hlist glossary compound".split()
)
"""Their argument says how to arrange or when to show the body, and is no text."""

CALLABLES = frozenset(
    "function method classmethod staticmethod decorator decoratormethod coroutinefunction coroutinemethod abstractmethod "
    "autofunction automethod autodecorator".split()
)
SIGNATURES = CALLABLES | frozenset(
    "class exception attribute property data type typevar struct enum enumerator macro member var union namespace interface "
    "autoclass autoexception autoattribute autodata autoproperty autopydantic_model "
    "option cmdoption envvar setting confval templatetag templatefilter fieldlookup django-admin django-admin-option "
    "signal hook fixture event control state globalvar describe object directive opcode click argparse".split()
)
"""Descriptions of one object: the argument is its signature, one a line."""

FACTS = ("type", "default", "value", "required")
"""Options of such a description that a reader is shown."""

PREFIXED = {
    "class": "class ",
    "autoclass": "class ",
    "exception": "exception ",
    "autoexception": "exception ",
    "decorator": "@",
    "decoratormethod": "@",
    "classmethod": "classmethod ",
    "staticmethod": "static ",
}
"""What is shown before a signature."""

MARKERS = frozenset("setting templatetag templatefilter fieldlookup django-admin signal object describe envvar".split())
"""Without a body these only mark a place for links, next to a heading that says the same."""


_LEXERS = frozenset(
    "bash bat batch c clojure cmake console cpp c++ csharp css cython dart diff docker dockerfile elixir erlang fortran go "
    "graphql groovy haskell hcl html http ini ipython java javascript jinja js json julia jsx kotlin latex lua make makefile "
    "matlab mysql nginx perl php pip postgresql powershell protobuf py pycon pytb python python3 r ruby "
    "rust scala scss sh shell sql sqlite svelte swift terraform toml ts tsx typescript vue xml yaml yml".split()
)
_CODE_NAME = re.compile(r"(?:^|[-_:])(?:code|example|run|snippet|console|shell|terminal|prompt|output|listing)s?(?:$|[-_:])")
_SHOWN_TAGS = frozenset({"html", "builder_html", "format_html", "not latex", "not pdf", "not epub", "not text", "not man"})


def is_shown(tags: str) -> bool:
    """Whether a page in HTML shows what is there `only` for these tags, as far as the builder decides it."""
    alternatives = [part.strip() for part in re.split(r"\bor\b", tags)]
    return any(all(_holds(tag.strip()) for tag in re.split(r"\band\b", part)) for part in alternatives)


def _holds(tag: str) -> bool:
    tag = " ".join(tag.strip("() ").split())
    return tag in _SHOWN_TAGS or (tag.startswith("not ") and tag != "not html")


def is_lexer(word: str) -> bool:
    """Whether a directive's argument is the language of code, so that its body is that."""
    return word.lower() in _LEXERS


def may_be_code(name: str) -> bool:
    """Whether the name of a directive that is not known says that its body may be code."""
    return _CODE_NAME.search(name) is not None


def short_name(name: str) -> str:
    """The name of a directive in lower case, without the domain that its object belongs to (`py:function`)."""
    lowered = name.lower()
    return lowered if lowered in CODE_DIRECTIVES else lowered.rpartition(":")[2]
