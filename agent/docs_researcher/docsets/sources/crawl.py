"""The pages below an address, for a site that has no llms.txt: those of its sitemap, else what its pages link to.

Only what lies on the same host and below the path that the user gave, and only what the site's robots.txt allows. How many
pages, bytes and seconds there may be is bounded by `web`.
"""

from __future__ import annotations

import html
import posixpath
import re
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from docs_researcher.core.errors import PackageNotFound, SourceError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.core.lines import lines_of
from docs_researcher.docsets.skipped import Skipped

if TYPE_CHECKING:
    from docs_researcher.docsets.sources.web_client import WebClient, WebPage

AGENT = "docs-researcher"
"""The name that a robots.txt may address."""
MAX_SITEMAPS = 20
"""Sitemaps that an index of them may name; one holds up to 50,000 addresses."""
MAX_SITEMAP_BYTES = 10_000_000
MAX_ROBOTS_BYTES = 500_000
"""What the standard for robots.txt asks a reader to take at least."""
MAX_PAUSE = 10.0
"""The longest pause between two pages that a robots.txt can ask for, in seconds."""
_LINK = re.compile(r"<a\s[^<>]{0,2000}?\bhref\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))", re.IGNORECASE)
_LOCATION = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)", re.IGNORECASE)
_OTHER_FILE = re.compile(
    r"\.(?!(?:html?|xhtml|md|mdx|markdown|rst|adoc|txt|ipynb|php|aspx?|jsp)$)[a-z][a-z0-9]{0,5}$", re.IGNORECASE
)
"""The ending of a picture, an archive, a style sheet: not of a page. `/docs/v1.2` has none."""
_INDEX = re.compile(r"(?:^|/)index\.x?html?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much may be read: pages, bytes and seconds in all, and bytes of one page; `at_once` pages at the same time."""

    pages: int
    total_bytes: int
    page_bytes: int
    seconds: float
    at_once: int


@dataclass(slots=True)
class Crawl:
    """One reading of a site, from the page at `start` on. `skipped` grows while it goes on."""

    client: WebClient
    start: str
    """As the user wrote it: what is read lies below its path, also where it redirects to somewhere else."""
    bounds: Bounds
    skipped: list[Skipped]
    listener: Listener = ignore
    _robots: RobotFileParser = field(default_factory=RobotFileParser)
    _seen: set[str] = field(default_factory=set[str])
    _waiting: list[str] = field(default_factory=list[str])

    def pages(self, first: WebPage) -> Iterator[WebPage]:
        """The first page, which has been read already, and those below the start.

        Raises:
            SourceError: the robots.txt is there and cannot be read.
        """
        self._read_robots()
        self._seen |= {_same(self.start), _same(first.url)}
        self._note(self._in_sitemaps())
        follow = not self._waiting
        yield first
        if follow:
            self._note(links(first))
        yield from self._others(follow)

    def _others(self, follow: bool) -> Iterator[WebPage]:
        deadline, total, count = time.monotonic() + self.bounds.seconds, 0, 1
        pause = min(float(self._robots.crawl_delay(AGENT) or 0), MAX_PAUSE)
        at_once = 1 if pause else self.bounds.at_once
        with ThreadPoolExecutor(at_once) as pool:
            while self._waiting:
                why = self._why_to_stop(count, total, deadline)
                if why:
                    self.skipped.extend(Skipped.of(address, why) for address in self._waiting)
                    return
                if pause:
                    time.sleep(pause)  # as its robots.txt asks
                group = [self._waiting.pop(0) for _ in range(min(at_once, len(self._waiting), self.bounds.pages - count))]
                self.listener(Event("fetch", f"page {count + 1} of {count + len(group) + len(self._waiting)}"))
                for address, page in zip(group, pool.map(partial(self._fetched), group), strict=True):
                    if isinstance(page, SourceError):
                        self.skipped.append(Skipped.of(address, page.message))
                        continue
                    key = _same(page.url)
                    if key != _same(address) and key in self._seen:
                        continue  # redirected to a page that is read under its own address
                    self._seen.add(key)
                    count, total = count + 1, total + len(page.data)
                    yield page
                    if follow:
                        self._note(links(page))

    def _why_to_stop(self, count: int, total: int, deadline: float) -> str:
        if count >= self.bounds.pages:
            return f"one of more than {self.bounds.pages} pages"
        if time.monotonic() > deadline:
            return "the time allowed was over"
        return "the pages before it were large enough" if total > self.bounds.total_bytes else ""

    def _fetched(self, address: str) -> WebPage | SourceError:
        try:
            return self.client.get(address, max_bytes=self.bounds.page_bytes, same_host=True)
        except SourceError as error:
            return error

    def _note(self, addresses: Iterable[str]) -> None:
        """Put further pages of the site on the list, each once; those that may not be read are counted."""
        for address in addresses:
            address = address.partition("#")[0]
            key = _same(address)
            if key in self._seen or not is_below(address, self.start):
                continue
            self._seen.add(key)
            if self._robots.can_fetch(AGENT, address):
                self._waiting.append(address)
            else:
                self.skipped.append(Skipped.of(address, "not allowed by robots.txt"))

    def _read_robots(self) -> None:
        try:
            page = self.client.get(urljoin(self.start, "/robots.txt"), max_bytes=MAX_ROBOTS_BYTES, same_host=True)
            lines = lines_of(page.data.decode("utf-8", "replace")) if page.content_type != "text/html" else []
        except PackageNotFound:
            lines = []
        self._robots.parse(lines)

    def _in_sitemaps(self) -> list[str]:
        """The addresses that the site's sitemaps list; none where it has none that can be read."""
        named = [urljoin(self.start, address) for address in self._robots.site_maps() or ()]
        waiting = list(dict.fromkeys([*named, urljoin(_folder(self.start), "sitemap.xml"), urljoin(self.start, "/sitemap.xml")]))
        found: list[str] = []
        done: set[str] = set()
        while waiting and len(done) < MAX_SITEMAPS:
            address = waiting.pop(0)
            if address in done or urlsplit(address).netloc != urlsplit(self.start).netloc:
                continue
            done.add(address)
            try:
                page = self.client.get(address, max_bytes=MAX_SITEMAP_BYTES, same_host=True)
            except SourceError:
                continue
            text = page.data.decode("utf-8", "replace")
            listed = [html.unescape(match[1]) for match in _LOCATION.finditer(text)]
            if "<sitemapindex" in text[:2_000]:
                waiting += listed
            else:
                found += listed
        return found


def links(page: WebPage) -> list[str]:
    """Where the links of a page of HTML lead to, in its order."""
    if page.content_type not in ("text/html", "application/xhtml+xml"):
        return []
    text = page.data.decode("utf-8", "replace")
    targets = (html.unescape(match[1] or match[2] or match[3] or "").strip() for match in _LINK.finditer(text))
    return [address for target in targets if target and (address := _joined(page.url, target))]


def _joined(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:  # a broken address, such as http://[
        return ""


def is_below(address: str, start: str) -> bool:
    """Whether an address is that of a page on the host of `start`, below its path."""
    try:
        parts, top = urlsplit(address), urlsplit(start)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or parts.netloc.lower() != top.netloc.lower() or parts.query:
        return False
    path = posixpath.normpath(unquote(parts.path or "/"))
    inside = f"{path.rstrip('/')}/".startswith(unquote(urlsplit(_folder(start)).path))
    return inside and not _OTHER_FILE.search(path.rpartition("/")[2])


def _folder(start: str) -> str:
    """The address of the folder that a page opens: `/docs` and `/docs/` are that folder, `/docs/index.html` lies in it."""
    parts = urlsplit(start)
    path = parts.path or "/"
    last = path.rpartition("/")[2]
    folder = path.rpartition("/")[0] + "/" if re.search(r"\.x?html?$", last, re.IGNORECASE) else path.rstrip("/") + "/"
    return parts._replace(path=folder, query="", fragment="").geturl()


def _same(address: str) -> str:
    """Equal for the addresses of one page: `/a`, `/a/` and `/a/index.html`."""
    parts = urlsplit(address)
    return f"{parts.netloc.lower()}{_INDEX.sub('', unquote(parts.path)).rstrip('/')}"
