"""What the pages of one documentation may refer to: the titles of its pages and of its labelled sections."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from docs_researcher.docsets.readers.base import Site
from docs_researcher.docsets.readers.conf import Conf
from docs_researcher.docsets.readers.includes import wanted_files
from docs_researcher.docsets.readers.places import folders_of, named_in

_MARK = r"[=\-~^\"'`+*#.:_<>]"
_TITLE = re.compile(rf"(?:^({_MARK})\1{{2,}}[ \t]*\n)?^[ \t]?(?P<title>\S[^\n]*)\n({_MARK})\3{{2,}}[ \t]*$", re.MULTILINE)
_LABELLED = re.compile(
    rf"(?P<labels>(?:^\.\. _[^\n]+:[ \t]*\n(?:[ \t]*\n)*)+)"
    rf"(?:^({_MARK})\2{{2,}}[ \t]*\n)?^[ \t]?(?P<title>\S[^\n]*)\n({_MARK})\4{{2,}}[ \t]*$",
    re.MULTILINE,
)
_LABEL = re.compile(r"^\.\. _`?([^`\n]+?)`?:[ \t]*$", re.MULTILINE)
_MYST = re.compile(
    rb"\{(?:doc|ref|term|any|numref|(?:py:)?(?:func|class|meth|mod|attr|exc|data|obj))\}`|"
    rb"^(?:`{3,}|:{3,})[ \t]*\{(?:toctree|eval-rst|include|literalinclude|note|tip|warning|code-block|admonition|auto\w+)\}",
    re.MULTILINE,
)
"""What no other Markdown has: a role or a directive of Sphinx."""
_MYST_MARK = re.compile(
    rb"\{(?:[a-z:]{3,8}\}`|toctree|eval-rst|include|literalinclude|note|tip|warning|code-block|admonition|auto)"
)
"""Stands in whatever `_MYST` finds. It begins with a character, which makes looking for it many times as fast."""
_MYST_LABELLED = re.compile(
    r"(?P<labels>(?:^\([\w.:/ -]+\)=[ \t]*\n(?:[ \t]*\n)*)+)#{1,6}[ \t]+(?P<title>\S[^\n]*?)[ \t#]*$", re.MULTILINE
)
_MYST_LABEL = re.compile(r"^\(([\w.:/ -]+)\)=", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*\.\.[ \t]+include::", re.MULTILINE)
_ROLE = re.compile(r":[\w:+.-]+:`~?!?([^`<]*?)(?:\s*<[^>`]*>)?`")
_MARKS = re.compile(r"``|`|\*\*|(?<!\w)\*|\*(?!\w)|\\(?=\S)")


def site_of(pages: Iterable[tuple[str, str]], version: str, conf: Conf | None = None) -> Site:
    """The site of these pages in reStructuredText (path and text), with what the project's configuration says."""
    conf = conf or Conf()
    labels: dict[str, str] = {}
    titles: dict[str, str] = {}
    parts: set[str] = set()
    for path, text in pages:
        title = _TITLE.search(text)
        if title:
            titles[posixpath.splitext(path)[0]] = plain(title["title"])
        for label, shown in _labels(text):
            labels.setdefault(label, shown)
        if _INCLUDE.search(text):
            parts.update(wanted_files(path, text))
    return Site(labels, titles, frozenset(parts), version or conf.version, conf.shared, conf.highlight, conf.captions)


def with_markdown(site: Site, files: Iterable[tuple[str, bytes]]) -> Site:
    """The site with what its pages in Markdown (path and content) say of each other: labels of MyST, components of places."""
    labels = dict(site.labels)
    paths: list[str] = []
    named: set[str] = set()
    is_myst = site.is_myst
    for path, data in files:
        paths.append(path)
        named.update(named_in(data))
        is_myst = is_myst or (_MYST_MARK.search(data) is not None and _MYST.search(data) is not None)
        if b")=" in data:
            for label, shown in _myst_labels(data.decode("utf-8", "replace")):
                labels.setdefault(label, shown)
    places = folders_of(paths) & named if named else site.places
    return replace(site, labels=labels, is_myst=is_myst, places=places)


def _myst_labels(text: str) -> Iterator[tuple[str, str]]:
    for found in _MYST_LABELLED.finditer(text):
        for label in _MYST_LABEL.findall(found["labels"]):
            yield " ".join(label.lower().split()), plain(found["title"])


def title_of_page(site: Site, path: str, target: str) -> str | None:
    """The title of the page that `target` (`/topics/db`, `../intro`) means on the page at `path`; None when it is not known."""
    folder: str = posixpath.dirname(path)
    if not target.startswith("/"):
        return site.pages.get(posixpath.normpath(posixpath.join(folder, target)))
    while True:
        found = site.pages.get(posixpath.normpath(posixpath.join(folder, target.lstrip("/"))))
        if found or not folder:
            return found
        folder = posixpath.dirname(folder)


def plain(title: str) -> str:
    """A title without the marks of reStructuredText."""
    return " ".join(_MARKS.sub("", _ROLE.sub(r"\1", title)).split())


def _labels(text: str) -> Iterator[tuple[str, str]]:
    for found in _LABELLED.finditer(text) if ".. _" in text else ():
        for label in _LABEL.findall(found["labels"]):
            yield " ".join(label.lower().split()), plain(found["title"])
