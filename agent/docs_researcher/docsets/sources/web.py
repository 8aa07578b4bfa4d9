"""Documentation at a web address: llms-full.txt, llms.txt with what it lists on its host, one page, or the pages below it."""

from __future__ import annotations

import posixpath
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from docs_researcher.core.errors import DocsResearchError, NoDocumentation, PackageNotFound, SourceError, SourceRefused
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.names import slug_of
from docs_researcher.docsets.readers.text import decode
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.base import Document, SourceInfo, SourceTree
from docs_researcher.docsets.sources.llms import MAX_LINKS, is_llms_name, page_links, split_pages

if TYPE_CHECKING:
    from docs_researcher.docsets.sources.web_client import WebClient, WebPage

MAX_PAGE_BYTES = 10_000_000
MAX_TOTAL_BYTES = 80_000_000
MAX_SECONDS = 300.0
"""The longest that all pages together may take; what is left then is counted as left out."""
AT_ONCE = 5
"""Pages that are asked for at the same time; more would be rude to a host."""
FULL, INDEX = "llms-full.txt", "llms.txt"
_PAGE_SUFFIX = re.compile(r"\.(?:md|mdx|markdown|rst|adoc|txt|html?|ipynb)$", re.IGNORECASE)


class WebSource:
    """What one address leads to. Links of an llms.txt are followed one step, on the same host; those of pages only on request."""

    def __init__(
        self,
        url: str,
        *,
        name: str | None = None,
        version: str | None = None,
        info: SourceInfo | None = None,
        first: WebPage | None = None,
        crawl: bool = False,
    ) -> None:
        """What lies at `url`.

        Args:
            url: as the user wrote it.
            name: what to call the library, its host otherwise.
            version: its version, where the user says so.
            info: what is known about the library; made from the address, name and version otherwise.
            first: the page at the address, where it was read already.
            crawl: where there is no llms.txt, read the pages below the address too.
        """
        self._url = url.partition("#")[0]
        self._given = first
        self._crawl = crawl
        known = web_info(self._url, name, version)
        self.info = replace(info, source_url=known.source_url) if info is not None else known

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The documents in the order in which the index lists them; all but the first are fetched as they are asked for."""
        listener(Event("fetch", f"fetching {self._url}"))
        page = self._given or first_page(self._url)
        skipped: list[Skipped] = []
        name = posixpath.basename(urlsplit(page.url).path)
        if is_llms_name(name):
            return SourceTree(self.info, self._listed(page, name, skipped, listener), skipped)
        info = self.info if _PAGE_SUFFIX.search(urlsplit(self._url).path) else replace(self.info, is_site=True)
        documents = self._below(page, skipped, listener) if self._crawl else iter([_document(page)])
        return SourceTree(info, documents, skipped)

    def _listed(self, page: WebPage, name: str, skipped: list[Skipped], listener: Listener) -> Iterator[Document]:
        from docs_researcher.docsets.sources.web_client import WebClient

        links = page_links(decode(page.data).text or "", page.url)
        if not links or "full" in name:
            yield from split_pages(name, page.data)
            return
        yield Document(f"{name}.md", page.data, url=page.url)
        with WebClient(self._url) as client:
            yield from self._linked(client, links, skipped, listener)

    def _below(self, page: WebPage, skipped: list[Skipped], listener: Listener) -> Iterator[Document]:
        from docs_researcher.docsets.sources.crawl import Bounds, Crawl
        from docs_researcher.docsets.sources.web_client import WebClient

        bounds = Bounds(MAX_LINKS, MAX_TOTAL_BYTES, MAX_PAGE_BYTES, MAX_SECONDS, AT_ONCE)
        with WebClient(self._url) as client:
            for one in Crawl(client, self._url, bounds, skipped, listener).pages(page):
                yield _document(one)

    def _linked(
        self, client: WebClient, links: list[tuple[str, str]], skipped: list[Skipped], listener: Listener
    ) -> Iterator[Document]:
        deadline = time.monotonic() + MAX_SECONDS
        for address, _ in links[MAX_LINKS:]:
            skipped.append(Skipped.of(address, f"one of more than {MAX_LINKS} pages"))
        wanted = [address for address, _ in links[:MAX_LINKS]]
        total = 0
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for start in range(0, len(wanted), AT_ONCE):
                group = wanted[start : start + AT_ONCE]
                listener(Event("fetch", f"page {start + 1} of {len(wanted)}"))
                if time.monotonic() > deadline or total > MAX_TOTAL_BYTES:
                    reason = "the time allowed was over" if total <= MAX_TOTAL_BYTES else "the pages before it were large enough"
                    skipped.extend(Skipped.of(address, reason) for address in wanted[start:])
                    return
                for address, page in zip(group, pool.map(partial(_fetched, client), group), strict=True):
                    if isinstance(page, DocsResearchError):
                        skipped.append(Skipped.of(address, page.message))
                    else:
                        total += len(page.data)
                        yield _document(page)


def first_page(url: str) -> WebPage:
    """The page at an address: its llms-full.txt or llms.txt where there is one.

    Raises:
        SourceError: there is none, or it cannot be read.
    """
    from docs_researcher.docsets.sources.web_client import WebClient

    with WebClient(url) as client:
        return _first(client, url.partition("#")[0])


def _first(client: WebClient, url: str) -> WebPage:
    """The page at the address; for one that is no file, its llms-full.txt or llms.txt where there is one."""
    path = urlsplit(url).path
    if _PAGE_SUFFIX.search(path):
        return client.get(url, max_bytes=MAX_TOTAL_BYTES)
    base = url.partition("?")[0].rstrip("/") + "/"
    for name in (FULL, INDEX):
        try:
            page = client.get(urljoin(base, name), max_bytes=MAX_TOTAL_BYTES)
        except PackageNotFound:
            continue
        if page.content_type != "text/html":  # a site that answers every address with its start page
            return page
    return client.get(url, max_bytes=MAX_PAGE_BYTES)


def web_info(url: str, name: str | None, version: str | None) -> SourceInfo:
    """What is known about a web address: the library is called after its host."""
    parts = urlsplit(url)
    if not parts.hostname:
        raise NoDocumentation(f"{url} names no host", next_step="Give the whole address, such as https://docs.example.org/guide.")
    host = parts.hostname.removeprefix("www.").removeprefix("docs.")
    title = name or host
    slug = slug_of(title) or "docs"
    return SourceInfo(slug, version, f"/local/{slug}", title=title, source_url=_without_user(url))


def _without_user(url: str) -> str:
    netloc = urlsplit(url).netloc
    return url.replace(netloc, netloc.rpartition("@")[2], 1) if "@" in netloc else url


def _fetched(client: WebClient, address: str) -> WebPage | SourceError:
    try:
        return client.get(address, max_bytes=MAX_PAGE_BYTES, same_host=True)
    except SourceError as error:
        return error


def _document(page: WebPage) -> Document:
    """The document of a page; its path says how it is to be read."""
    path = unquote(urlsplit(page.url).path).strip("/") or "index"
    if ".." in path.split("/"):
        raise SourceRefused(f"{page.url} is no address of a page")
    is_html = page.content_type in ("text/html", "application/xhtml+xml")
    if is_html and not path.lower().endswith((".html", ".htm")):
        path = f"{_PAGE_SUFFIX.sub('', path)}.html"
    elif not is_html and (page.content_type == "text/markdown" or not _PAGE_SUFFIX.search(path) or path.endswith(".txt")):
        path = path if path.lower().endswith((".md", ".mdx")) else f"{path}.md"
    return Document(path, page.data, url=page.url)
