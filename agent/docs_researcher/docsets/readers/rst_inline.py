"""Inline text of a docutils tree as Markdown; links and substitutions are resolved within their page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, cast

from docutils import nodes

from docs_researcher.docsets.readers.base import NO_SITE, Site
from docs_researcher.docsets.readers.rst_roles import DOC
from docs_researcher.docsets.readers.site import title_of_page

_ESCAPED = re.compile(r"[*`]|<(?=[A-Za-z/!])")
_TICKS = re.compile(r"`+")
_DEPTH = 8
"""Substitutions in substitutions; more is a loop."""


class Inline:
    """The inline text of one document."""

    def __init__(self, document: nodes.document, path: str = "", site: Site = NO_SITE) -> None:
        """The text of `document`, the page at `path`; `site` is what it may refer to beside itself."""
        self._document = document
        self._path = path
        self._site = site
        self._substitutions = cast("dict[str, nodes.Element]", document.substitution_defs)
        self._uris: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._anonymous: list[str] = []
        self._used_anonymous = 0
        self._depth = 0
        self._read_targets()
        self._handlers: dict[type, Callable[[Any], str]] = {
            nodes.Text: lambda node: _escape(node.astext()),
            nodes.literal: lambda node: code_span(node.astext()),
            nodes.math: lambda node: code_span(node.astext()),
            nodes.emphasis: lambda node: self._wrapped(node, "*"),
            nodes.strong: lambda node: self._wrapped(node, "**"),
            nodes.reference: self._reference,
            nodes.inline: self._label,
            nodes.footnote_reference: lambda node: f" [{node.astext() or node.get('refname') or '#'}]",
            nodes.citation_reference: lambda node: f"[{node.astext()}]",
            nodes.substitution_reference: self._substitution,
            nodes.image: lambda node: node.get("alt", ""),
            nodes.problematic: lambda node: _escape(node.astext()),
            nodes.raw: lambda node: "",
            nodes.system_message: lambda node: "",
        }

    def text(self, children: Sequence[nodes.Node]) -> str:
        """These nodes as Markdown, line breaks as in the source."""
        text = "".join(self._one(child) for child in children)
        return text.replace("  [", " [") if any(isinstance(child, nodes.footnote_reference) for child in children) else text

    def plain(self, node: nodes.Node) -> str:
        """A node as it stands in code: without marks, substitutions put in."""
        if isinstance(node, nodes.substitution_reference):
            return nodes.unescape(self._substitution(node).replace("\\", ""))
        return "".join(self.plain(child) for child in node.children) if node.children else node.astext()

    def _one(self, node: nodes.Node) -> str:
        handler = self._handlers.get(type(node))
        return handler(node) if handler else self.text(node.children)

    def _wrapped(self, node: nodes.Element, mark: str) -> str:
        text = self.text(node.children)
        return f"{mark}{text}{mark}" if text and mark not in text else text

    def _reference(self, node: nodes.reference) -> str:
        text = self.text(node.children)
        uri = node.get("refuri", "")
        if not uri and node.get("anonymous"):
            uri = self._next_anonymous()
        elif not uri:
            uri = self._uri(node.get("refname", ""))
        if not uri or re.search(r"[\s()<>]", uri):
            return text
        return text if uri.removeprefix("mailto:") == node.astext() else f"[{text}]({uri})"

    def _next_anonymous(self) -> str:
        position = self._used_anonymous
        self._used_anonymous += 1
        return self._anonymous[position] if position < len(self._anonymous) else ""

    def _uri(self, name: str) -> str:
        for _ in range(_DEPTH):
            if name not in self._aliases:
                break
            name = self._aliases[name]
        return self._uris.get(name, "")

    def _label(self, node: nodes.inline) -> str:
        label = node.get("label", "")
        if label.startswith(DOC):
            title = title_of_page(self._site, self._path, label.removeprefix(DOC))
        else:
            title = self._labels.get(label) or self._site.labels.get(label)
        return _escape(title) if title else self.text(node.children)

    def _substitution(self, node: nodes.substitution_reference) -> str:
        name = node.astext()
        definition = self._substitutions.get(name) or self._substitutions.get(
            self._document.substitution_names.get(nodes.fully_normalize_name(name), "")
        )
        if definition is None or self._depth >= _DEPTH:
            return self._undefined(name)
        self._depth += 1
        try:
            return self.text(definition.children)
        finally:
            self._depth -= 1

    def _undefined(self, name: str) -> str:
        """A substitution that is not on the page: Sphinx knows the version and the date, others keep their name."""
        if name in ("version", "release"):
            return self._site.version
        return "" if name == "today" else name

    def _read_targets(self) -> None:
        """Addresses of link targets, and the titles of the sections that have a label of their own."""
        for target in self._document.findall(nodes.target):
            uri = target.get("refuri", "")
            if target.get("anonymous"):
                self._anonymous.append(uri or self._uri(target.get("refname", "")))
            for name in cast("list[str]", target["names"]):
                if uri:
                    self._uris[name] = uri
                elif "refname" in target:
                    self._aliases[name] = target["refname"]
                elif title := _title_behind(target):
                    self._labels[name] = title


def _title_behind(target: nodes.target) -> str:
    """The title of the section that a label stands before."""
    parent = target.parent
    if parent is None:
        return ""
    position = parent.index(target) + 1
    while position < len(parent.children) and isinstance(parent.children[position], nodes.target):
        position += 1
    node = parent.children[position] if position < len(parent.children) else None
    title = node.next_node(nodes.title) if isinstance(node, nodes.section) else None
    return " ".join(title.astext().split()) if title is not None else ""


def _escape(text: str) -> str:
    """Plain text with what Markdown would take for emphasis, code or a tag made literal."""
    return _ESCAPED.sub(lambda match: "\\" + match.group(), text) if "*" in text or "`" in text or "<" in text else text


def code_span(text: str) -> str:
    """`text` as inline code, with as many back-quotes as it needs."""
    text = " ".join(text.split())
    if "`" not in text:
        return f"`{text}`" if text else ""
    ticks = "`" * (max(len(run) for run in _TICKS.findall(text)) + 1)
    return f"{ticks} {text} {ticks}"
