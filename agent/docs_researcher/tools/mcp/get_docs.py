"""A server that offers `get_docs` (a list of installed libraries, and a search in one) instead of the two documentation tools.

Its library argument enumerates what is installed as `name@version`; that list stands in for `resolve-library-id`. Its answers
are JSON; they become passages. Its search wants every word to be there, so a question is cut down to its terms, and asked
again with any of them when nothing has all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from docs_researcher.core.answer import AnsweredLibrary, Notice
from docs_researcher.core.layout import render_candidates, render_passages
from docs_researcher.core.library_id import SCOPED_OWNER, LibraryId
from docs_researcher.core.messages import ToolResult
from docs_researcher.core.parsed import mapping
from docs_researcher.core.passages import Candidate, Passage
from docs_researcher.docsets.searching.terms import STOP_WORDS
from docs_researcher.library.catalogue import Catalogue, fold_name
from docs_researcher.library.packages import PackageRef
from docs_researcher.library.versions import choose_version, sort_newest

TOOL = "get_docs"
MAX_TERMS = 8
"""Words of a query that are searched for; the first ones say what it is about."""
MAX_ALL = 3
"""With more words than these, no passage has all of them."""
MAX_VERSIONS = 20
SIMILAR = 3

_WORD = re.compile(r"[^\W_][\w$.-]*[\w$]|[^\W_]")


def installed_in(schema: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The libraries that the input schema of a `get_docs` tool enumerates, as written; None if it is some other tool."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not {"library", "topic"} <= set(cast("dict[str, Any]", properties)):
        return None
    library: object = cast("dict[str, Any]", properties)["library"]
    listed = cast("dict[str, Any]", library).get("enum") if isinstance(library, dict) else None
    return tuple(item for item in cast("list[Any]", listed or []) if isinstance(item, str) and item.rpartition("@")[0])


class GetDocs:
    """The two documentation tools in terms of one server's list."""

    def __init__(self, server: str, installed: Sequence[str]) -> None:
        self._server = server
        self._catalogue = Catalogue.load()
        self._versions: dict[str, list[str]] = {}
        for item in installed:
            name, _, version = item.rpartition("@")
            self._versions.setdefault(name, []).append(version)
        self._names = {self._id(name): name for name in self._versions}

    def resolve(self, name: str) -> ToolResult:
        """The installed libraries of that name, else those whose name holds it."""
        entry = self._catalogue.find(name)
        wanted = fold_name(entry.name if entry is not None else name)
        exact = [base for base, own in self._names.items() if wanted in self._known_as(base, own) or base == name]
        near = [base for base, own in self._names.items() if len(wanted) > 1 and wanted in fold_name(own)][:SIMILAR]
        candidates = tuple(self._candidate(base) for base in exact or near)
        if not candidates:
            text = (
                f"The server {self._server} has no library named {name!r}. It has: {', '.join(sorted(self._versions)) or 'none'}."
            )
            return ToolResult(text, outcome="not_found")
        return ToolResult(render_candidates(candidates), candidates=candidates)

    def library(self, library_id: str) -> tuple[str, AnsweredLibrary, tuple[Notice, ...]] | None:
        """The value for the server's `library` argument, what it stands for, and what the asker has to know.

        None if no such library is installed.
        """
        wanted = LibraryId.parse(library_id)
        name = self._names.get(wanted.base)
        if name is None:
            return None
        choice = choose_version(wanted.version, self._versions[name])
        version = choice.version or sort_newest(self._versions[name])[0]
        library = AnsweredLibrary(self._title(wanted.base, name), wanted.base, version, choice.how)
        if not choice.substituted:
            return f"{name}@{version}", library, ()
        words = f"The server {self._server} has no {wanted.version} of {library.name}; this is {version}."
        return f"{name}@{version}", library, (Notice("version_substituted", words),)

    def not_installed(self, library_id: str) -> ToolResult:
        """What is answered for an id that is not in the list."""
        known = ", ".join(sorted(self._names)) or "none"
        text = f"The server {self._server} has no library {library_id}. Its ids are: {known}."
        return ToolResult(text, outcome="not_found")

    def _known_as(self, base: str, name: str) -> set[str]:
        entry = self._catalogue.by_id(base)
        return {fold_name(name), fold_name(name.rpartition("/")[2]), *([fold_name(entry.name)] if entry is not None else [])}

    def _id(self, name: str) -> str:
        for kind in ("npm", "pypi"):
            entry = self._catalogue.by_package(PackageRef(kind, name, None))
            if entry is not None:
                return entry.id
        if name.startswith("@") or LibraryId.try_parse(f"/local/{name}") is None:
            return f"/{SCOPED_OWNER}/{name}"
        return f"/local/{name}"

    def _title(self, base: str, name: str) -> str:
        entry = self._catalogue.by_id(base)
        return entry.name if entry is not None else name

    def _candidate(self, base: str) -> Candidate:
        name, entry = self._names[base], self._catalogue.by_id(base)
        return Candidate(
            id=base,
            title=self._title(base, name),
            description=entry.description if entry is not None else "",
            reputation="High" if entry is not None else "Unknown",
            versions=tuple(sort_newest(self._versions[name])[:MAX_VERSIONS]),
            source=self._server,
        )


def topics(query: str) -> tuple[str, ...]:
    """What to search for, in the order in which it is tried: all of the words, then any of them."""
    words = [word for word in _WORD.findall(query) if word.casefold() not in STOP_WORDS]
    words = list(dict.fromkeys(words))[:MAX_TERMS] or query.split()[:MAX_TERMS]
    anything = " OR ".join(words)
    return (" ".join(words), anything) if 1 < len(words) <= MAX_ALL else (anything,)


def answer_text(text: str) -> str:
    """An answer in the layout of `query-docs`; a text that is not of the server's form stays as it is."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    results = cast("dict[str, Any]", value).get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        return text
    found: list[Passage] = []
    for item in cast("list[object]", results):
        row = mapping(item)
        title, content, source = (row.get(key) for key in ("title", "content", "source"))
        if isinstance(title, str) and isinstance(content, str) and content.strip():
            found.append(Passage(title, content, source if isinstance(source, str) else ""))
    return render_passages(found)


def located(passage: Passage, library: AnsweredLibrary) -> Passage:
    """A passage read out of that text with what is known of it: the version, and its source as a path or an address."""
    is_address = passage.source.startswith(("https://", "http://"))
    path = None if is_address else passage.source or None
    return replace(passage, library_id=library.id, version=library.version, path=path)
