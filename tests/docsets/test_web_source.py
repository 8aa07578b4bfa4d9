"""Web addresses: llms.txt with its links, llms-full.txt, one page; and what is not read for a stranger."""

from __future__ import annotations

import pytest

from docs_researcher.core.errors import PackageNotFound, SourceError, SourceRefused, SourceUnavailable
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.build import BuildReport
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources import web as web_source
from docs_researcher.docsets.sources.llms import page_links
from docs_researcher.docsets.sources.web_client import WebClient, is_public
from docs_researcher.library.catalogue import Catalogue
from loopback_web import Answer, Loopback


def markdown(text: str) -> Answer:
    return Answer(text.encode(), content_type="text/markdown; charset=utf-8")


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] -- used by pytest
    """Behind a proxy it is the proxy that connects; here it is this process, and only to this machine."""
    monkeypatch.delenv("https_proxy", raising=False)


def add(url: str, store: Store, name: str | None = "turbine") -> BuildReport:
    return add_source(url, store=store, catalogue=Catalogue.load(), name=name)


def pages(report: BuildReport, store: Store) -> list[str]:
    return [path for path, _ in store.open(report.installed).pages()]


def test_the_pages_that_an_index_lists_are_read_in_its_order_with_their_addresses(web: Loopback, store: Store) -> None:
    web.pages["/docs/llms.txt"] = markdown(
        "# Turbine\n\n> Spins.\n\n- [B](/docs/b.md): b\n- [A](a.md)\n- [Again](a.md#part)\n- [Elsewhere](https://other.example/x.md)\n"
    )
    web.pages["/docs/b.md"] = markdown("# B\n\nBrake it.\n")
    web.pages["/docs/a.md"] = markdown("# A\n\nAim it.\n")
    report = add(f"{web.url}/docs/llms.txt", store)
    assert pages(report, store) == ["llms.txt.md", "docs/b.md", "docs/a.md"]
    hit = store.open(report.installed).search("aim").hits[0]
    assert hit.url == f"{web.url}/docs/a.md"
    assert report.installed.meta.source_url == f"{web.url}/docs/llms.txt"
    assert [asked.path for asked in web.asked].count("/docs/a.md") == 1


def test_the_full_file_is_preferred_for_the_address_of_a_site(web: Loopback, store: Store) -> None:
    web.pages["/docs/llms-full.txt"] = markdown("# One\n\nFirst.\n\n# Two\n\nSecond.\n")
    assert pages(add(f"{web.url}/docs", store), store) == ["one.md", "two.md"]


def test_a_site_that_answers_everything_with_its_start_page_is_read_as_that_page(web: Loopback, store: Store) -> None:
    start = Answer(b"<html><body><main><h1>Turbine</h1><p>Spin it.</p></main></body></html>", content_type="text/html")
    for path in ("/", "/llms.txt", "/llms-full.txt"):
        web.pages[path] = start
    report = add(f"{web.url}/", store)
    assert pages(report, store) == ["index.html"]


def test_one_page_is_read_as_what_it_is(web: Loopback, store: Store) -> None:
    web.pages["/guide"] = Answer(b"<h1>Guide</h1><nav>Menu</nav><p>Grease it.</p>", content_type="text/html; charset=utf-8")
    report = add(f"{web.url}/guide", store)
    [hit] = store.open(report.installed).search("grease").hits
    assert (hit.title, hit.url) == ("Guide", f"{web.url}/guide")
    assert "Menu" not in hit.content


def test_a_link_that_leads_nowhere_is_counted_and_the_others_are_read(web: Loopback, store: Store) -> None:
    web.pages["/llms.txt"] = markdown("- [Gone](/gone.md)\n- [There](/there.md)\n- [Away](/away.md)\n")
    web.pages["/there.md"] = markdown("# There\n\nText.\n")
    web.pages["/away.md"] = Answer(status=302, headers={"location": "http://169.254.169.254/latest"})
    report = add(f"{web.url}/llms.txt", store)
    reasons = {item.path: item.reason for item in report.skipped}
    assert "has nothing at /gone.md" in reasons[f"{web.url}/gone.md"]
    assert "not followed" in reasons[f"{web.url}/away.md"]
    assert "there.md" in pages(report, store)


def test_more_links_than_the_bound_are_counted(web: Loopback, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_source, "MAX_LINKS", 2)
    web.pages["/llms.txt"] = markdown("".join(f"- [P](/{number}.md)\n" for number in range(5)))
    for number in range(5):
        web.pages[f"/{number}.md"] = markdown(f"# P{number}\n\nText {number}.\n")
    report = add(f"{web.url}/llms.txt", store)
    assert pages(report, store)[1:] == ["0.md", "1.md"]
    assert len([item for item in report.skipped if "more than" in item.reason]) == 3


def test_a_page_that_is_too_large_or_too_slow_is_refused(web: Loopback) -> None:
    web.pages["/big.md"] = markdown("x" * 5_000)
    with WebClient(web.url) as client:
        with pytest.raises(SourceRefused, match="sent more than"):
            client.get(f"{web.url}/big.md", max_bytes=1_000)
        with pytest.raises(SourceUnavailable, match="too slow"):
            client.get(f"{web.url}/big.md", max_bytes=10_000, seconds=0)


def test_a_missing_page_and_an_error_are_told_apart(web: Loopback, store: Store) -> None:
    with pytest.raises(PackageNotFound, match="has nothing at"):
        add(f"{web.url}/none.md", store)
    web.pages["/broken.md"] = Answer(status=500)
    with pytest.raises(SourceUnavailable, match="HTTP 500"):
        add(f"{web.url}/broken.md", store)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_an_address_inside_the_network_is_not_read_at_a_strangers_wish(web: Loopback, host: str) -> None:
    port = web.url.rpartition(":")[2]
    with WebClient("https://turbine.example/llms.txt") as client, pytest.raises(SourceError):
        client.get(f"http://{host}:{port}/", max_bytes=1_000)
    assert web.asked == []


@pytest.mark.parametrize(
    ("address", "public"),
    [("93.184.216.34", True), ("2606:2800:220:1::1", True), ("127.0.0.1", False), ("10.0.0.1", False), ("192.168.1.1", False),
     ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False), ("::1", False), ("fe80::1%eth0", False),
     ("::ffff:10.0.0.1", False), ("64:ff9b::a00:1", False), ("2002:a00:1::1", False), ("224.0.0.1", False), ("fec0::1", False),
     ("nonsense", False)],
)  # fmt: skip
def test_only_addresses_of_the_open_internet_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_links_are_taken_from_lists_on_the_same_host_only() -> None:
    listed = "- [A [b]](/a.md): text\n* [C](https://h.example/c)\n- [D](https://evil.example/d)\n- [E](mailto:e@h)\n"
    text = f"See [x](/not-listed.md).\n\n{listed}"
    assert page_links(text, "https://h.example/llms.txt") == [("https://h.example/a.md", "A [b]"), ("https://h.example/c", "C")]
