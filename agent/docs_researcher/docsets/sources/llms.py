"""llms.txt and llms-full.txt: the links of the one, the pages in the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.sources.base import Document

MAX_LINKS = 500
"""Pages that an index may name; what stands behind them is counted as left out."""

_NAME = re.compile(r"llms[\w.-]*\.txt", re.IGNORECASE)
_LINK = re.compile(r"^[ \t]*[-*+][ \t]+\[(?P<title>(?:[^\[\]\n]|\[[^\]\n]*\])+)\]\((?P<target>[^)\s]+)\)", re.MULTILINE)
_H1 = re.compile(r"^# +(?P<title>\S.*)$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SOURCE = re.compile(r"^(?:source|url|canonical)[ \t]*:[ \t]*<?(?P<url>https?://[^\s>]+)>?[ \t]*$", re.IGNORECASE)
_SOURCE_LINES = 4
"""The address of a page stands in the first lines below its title."""


def is_llms_name(name: str) -> bool:
    """Whether a file of this name is an llms.txt or one of its kin (`llms-full.txt`, `llms-small.txt`)."""
    return _NAME.fullmatch(name) is not None


def page_links(text: str, base: str) -> list[tuple[str, str]]:
    """Address and title of the pages that an index lists on its own host, each address once, in its order."""
    found: dict[str, str] = {}
    host = urlsplit(base).netloc.lower()
    for match in _LINK.finditer(text):
        address = urljoin(base, match["target"]).partition("#")[0]
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.netloc.lower() == host and address != base:
            found.setdefault(address, match["title"])
    return list(found.items())


def split_pages(name: str, data: bytes) -> list[Document]:
    """The pages that a file is made of: it is cut at its top headings. A file with one of them, or none, is one page.

    A page is called after the address that it states, else after its title.
    """
    text = decode(data).text
    if text is None:
        return [Document(name, data)]
    parts = list(_parts(text.replace("\r\n", "\n").removeprefix("\ufeff")))
    if len(parts) < 2:
        return [Document(f"{name}.md", data)]
    documents: list[Document] = []
    taken: set[str] = set()
    for title, body in parts:
        url = _stated_address(body)
        path = _path_of(url, title, taken)
        taken.add(path)
        documents.append(replace(Document(path, body.encode()), url=url))
    return documents


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Title and text of each part; what stands in front of the first title belongs to it."""
    lines: list[str] = []
    title, fence = "", ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = _H1.match(line) if not fence and not mark else None
        if heading:
            if title:
                yield title, "\n".join(lines)
                lines = []
            title = heading["title"].strip()
        lines.append(line)
    if any(line.strip() for line in lines):
        yield title, "\n".join(lines)


def _stated_address(body: str) -> str | None:
    for line in [line for line in body.split("\n", 12) if line.strip()][:_SOURCE_LINES]:
        match = _SOURCE.match(line.strip())
        if match:
            return match["url"]
    return None


def _path_of(url: str | None, title: str, taken: set[str]) -> str:
    stem = urlsplit(url).path.strip("/") if url else ""
    stem = re.sub(r"\.(?:md|mdx|html?)$", "", stem) or re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:80] or "page"
    path, number = f"{stem}.md", 1
    while path in taken:
        number += 1
        path = f"{stem}-{number}.md"
    return path
