"""Sites without an llms.txt: one page says that it is one, and `--crawl` reads what lies below the address, within bounds."""

from __future__ import annotations

import pytest

from docs_researcher.core.errors import SourceUnavailable, UsageError
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.acquiring.keeping import update
from docs_researcher.docsets.acquiring.notices import coverage_notices
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources import web as web_source
from docs_researcher.docsets.sources.crawl import is_below, links
from docs_researcher.docsets.sources.web_client import WebPage
from docs_researcher.library.catalogue import Catalogue
from loopback_web import Answer, Loopback


def html(title: str, *targets: str) -> Answer:
    anchors = "".join(f'<a class="x" href="{target}">{target}</a> ' for target in targets)
    body = f"<html><body><main><h1>{title}</h1><p>All about {title}.</p>{anchors}</main></body></html>"
    return Answer(body.encode(), content_type="text/html; charset=utf-8")


def text(body: str, kind: str = "text/plain") -> Answer:
    return Answer(body.encode(), content_type=kind)


def add(url: str, store: Store, *, crawl: bool = True) -> BuildReport:
    return add_source(url, store=store, catalogue=Catalogue.load(), name="turbine", crawl=crawl)


def pages(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


def left_out(report: BuildReport, web: Loopback) -> dict[str, str]:
    return {item.path.removeprefix(web.url): item.reason for item in report.skipped}


def test_one_page_of_a_site_says_so_and_names_what_reads_more(web: Loopback, store: Store) -> None:
    web.pages["/docs"] = html("Turbine", "/docs/blades")
    report = add(f"{web.url}/docs", store, crawl=False)
    assert (report.pages, report.installed.meta.coverage) == (1, "page")
    (notice,) = coverage_notices(report.installed)
    assert notice.code == "one_page"
    assert f"docs-research add {web.url}/docs --crawl" in notice.text
    assert "llms.txt" in notice.text


def test_a_page_that_is_named_as_a_file_is_what_was_asked_for(web: Loopback, store: Store) -> None:
    web.pages["/docs/blades.html"] = html("Blades")
    assert add(f"{web.url}/docs/blades.html", store, crawl=False).installed.meta.coverage == ""


def test_a_crawl_reads_what_the_pages_link_to_below_the_address_and_nothing_else(web: Loopback, store: Store) -> None:
    web.pages["/docs"] = html("Turbine", "/docs/blades", "guides/", "/docs/logo.png", "/blog", "https://other.example/docs/x")
    web.pages["/docs/blades"] = html("Blades", "/docs/", "#top", "/docs/blades/pitch?print=1", "/docs/blades/pitch")
    web.pages["/docs/blades/pitch"] = html("Pitch", "/docs")
    web.pages["/guides/"] = html("Guides of another part")
    report = add(f"{web.url}/docs", store)
    assert pages(report, store) == ["docs.html", "docs/blades.html", "docs/blades/pitch.html"]
    assert report.installed.meta.coverage == ""
    assert {"/blog", "/docs/logo.png", "/guides/"}.isdisjoint(asked.path for asked in web.asked)
    hit = store.open(report.installed).search("pitch").hits[0]
    assert hit.url == f"{web.url}/docs/blades/pitch"


def test_a_sitemap_says_what_there_is_and_links_are_not_followed_then(web: Loopback, store: Store) -> None:
    web.pages["/robots.txt"] = text(f"User-agent: *\nDisallow:\nSitemap: {web.url}/maps/index.xml\n")
    web.pages["/maps/index.xml"] = text(f"<sitemapindex><sitemap><loc>{web.url}/maps/docs.xml</loc></sitemap></sitemapindex>")
    listed = "".join(f"<url><loc>{web.url}{path}</loc></url>" for path in ("/docs/", "/docs/a/", "/docs/b/", "/blog/c/"))
    web.pages["/maps/docs.xml"] = text(f"<urlset>{listed}</urlset>")
    web.pages["/docs/"] = html("Turbine", "/docs/draft/")
    web.pages["/docs/a/"] = html("A", "/docs/draft/")
    web.pages["/docs/b/"] = html("B")
    report = add(f"{web.url}/docs/", store)
    assert pages(report, store) == ["docs.html", "docs/a.html", "docs/b.html"]
    assert "/docs/draft/" not in [asked.path for asked in web.asked]


def test_a_comment_of_robots_txt_ends_with_its_line(web: Loopback, store: Store) -> None:
    web.pages["/robots.txt"] = text("User-agent: *\n# Not any more:\u2028Disallow: /docs\n")
    web.pages["/docs/"] = html("Turbine", "/docs/a")
    web.pages["/docs/a"] = html("A")
    assert pages(add(f"{web.url}/docs/", store), store) == ["docs.html", "docs/a.html"]


def test_what_robots_txt_forbids_is_not_asked_for_and_counted(web: Loopback, store: Store) -> None:
    web.pages["/robots.txt"] = text("User-agent: docs-researcher\nDisallow: /docs/internal\n")
    web.pages["/docs/"] = html("Turbine", "/docs/internal/keys", "/docs/a")
    web.pages["/docs/a"] = html("A")
    report = add(f"{web.url}/docs/", store)
    assert left_out(report, web) == {"/docs/internal/keys": "not allowed by robots.txt"}
    assert "/docs/internal/keys" not in [asked.path for asked in web.asked]


def test_a_robots_txt_that_cannot_be_read_stops_the_crawl(web: Loopback, store: Store) -> None:
    web.pages["/robots.txt"] = Answer(status=500)
    web.pages["/docs/"] = html("Turbine", "/docs/a")
    with pytest.raises(SourceUnavailable, match="HTTP 500"):
        add(f"{web.url}/docs/", store)


def test_pages_beyond_the_bound_are_counted(web: Loopback, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_source, "MAX_LINKS", 3)
    web.pages["/"] = html("Turbine", *(f"/p{number}" for number in range(6)))
    for number in range(6):
        web.pages[f"/p{number}"] = html(f"P{number}")
    report = add(f"{web.url}/", store)
    assert report.pages == 3
    assert set(left_out(report, web).values()) == {"one of more than 3 pages"}
    assert len(report.skipped) == 4


def test_the_scope_stays_with_the_address_that_was_given_where_it_redirects(web: Loopback, store: Store) -> None:
    web.pages["/docs"] = Answer(status=302, headers={"location": "/docs~abc"})
    web.pages["/docs~abc"] = html("Turbine", "/docs/a", "/docs/b")
    web.pages["/docs/a"] = html("A", "/docs~abc/c")
    web.pages["/docs/b"] = html("B")
    report = add(f"{web.url}/docs", store)
    assert pages(report, store) == ["docs~abc.html", "docs/a.html", "docs/b.html"]


def test_a_page_that_leads_nowhere_or_to_one_that_is_read_already_is_no_second_page(web: Loopback, store: Store) -> None:
    web.pages["/docs/"] = html("Turbine", "/docs/gone", "/docs/old", "/docs/new", "/docs/new/index.html")
    web.pages["/docs/new"] = html("New")
    web.pages["/docs/old"] = Answer(status=301, headers={"location": "/docs/new"})
    report = add(f"{web.url}/docs/", store)
    assert report.pages == 2
    assert "has nothing at /docs/gone" in left_out(report, web)["/docs/gone"]


def test_a_site_with_an_llms_txt_is_read_from_that(web: Loopback, store: Store) -> None:
    web.pages["/docs/llms.txt"] = text("- [A](/docs/a.md)\n", "text/markdown")
    web.pages["/docs/a.md"] = text("# A\n\nText.\n", "text/markdown")
    assert pages(add(f"{web.url}/docs", store), store) == ["llms.txt.md", "docs/a.md"]
    assert "/robots.txt" not in [asked.path for asked in web.asked]


def test_an_update_crawls_again(web: Loopback, store: Store) -> None:
    web.pages["/docs/"] = html("Turbine", "/docs/a")
    web.pages["/docs/a"] = html("A")
    report = add(f"{web.url}/docs/", store)
    web.pages["/docs/a"] = html("A", "/docs/b")
    web.pages["/docs/b"] = html("B")
    (done,) = update([report.installed], store, Catalogue.load())
    assert done.report is not None
    assert done.report.pages == 3


@pytest.mark.parametrize("argument", ["npm:turbine", "Next.js", "https://github.com/acme/turbine", "."])
def test_only_sites_are_crawled(argument: str, store: Store) -> None:
    with pytest.raises(UsageError, match="--crawl is for websites"):
        add_source(argument, store=store, catalogue=Catalogue.load(), crawl=True)


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("https://a.example/docs/x", True),
        ("https://a.example/docs", True),
        ("https://A.example/docs/v1.2", True),
        ("https://a.example/docs/../private", False),
        ("https://a.example/docs/%2e%2e/private", False),
        ("https://a.example/docsearch", False),
        ("https://a.example:8443/docs/x", False),
        ("https://a.example/docs/x?page=2", False),
        ("https://a.example/docs/x.tar.gz", False),
        ("mailto:someone@a.example", False),
        ("http://[broken", False),
    ],
)
def test_only_pages_below_the_address_count(address: str, inside: bool) -> None:
    assert is_below(address, "https://a.example/docs") is inside


def test_links_are_found_however_they_are_written() -> None:
    body = (
        b"<a href='one'>1</a><A\nid=x HREF=two>2</A><a href=\"/three?a=1&amp;b=2\">3</a><a name=x>4</a><a href='http://[x'>5</a>"
    )
    page = WebPage("https://a.example/docs/", "text/html", body)
    assert links(page) == ["https://a.example/docs/one", "https://a.example/docs/two", "https://a.example/three?a=1&b=2"]
    assert links(WebPage("https://a.example/", "text/html", b"<a " * 200_000)) == []


def test_a_site_may_be_named_without_its_scheme(store: Store) -> None:
    with pytest.raises(SourceUnavailable, match="offline"):
        add_source("docs.example.com/guide", store=store, catalogue=Catalogue.load(), crawl=True, offline=True)
    with pytest.raises(UsageError, match="--crawl is for websites"):
        add_source("turbine", store=store, catalogue=Catalogue.load(), crawl=True, offline=True)
