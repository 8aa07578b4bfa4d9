"""What most pages open with belongs to none of them."""

from __future__ import annotations

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from pages_source import PagesSource

POINTER = "> Find all pages in the [index](https://acme.example/llms.txt), which is always current."


def shown(store: Store, pages: dict[str, str]) -> tuple[dict[str, str], int]:
    report = build_docset(PagesSource(pages), store, replace=True)
    hits = store.open(report.installed).search("sprocket", limit=50).hits
    return {hit.path: hit.content for hit in hits}, len(report.notes)


def test_a_paragraph_that_most_pages_open_with_is_left_out_and_counted(store: Store) -> None:
    pages = {f"docs/p{number}.md": f"{POINTER}\n\n# Page {number}\n\nA sprocket {number}.\n" for number in range(9)}
    pages["docs/own.md"] = "# Own\n\nIts own opening about a sprocket.\n"
    found, notes = shown(store, pages)
    assert found["docs/p3.md"] == "A sprocket 3."
    assert found["docs/own.md"] == "Its own opening about a sprocket."
    assert notes == 9


def test_it_is_kept_where_it_stands_further_down_or_in_few_pages(store: Store) -> None:
    below = "\n\n".join(f"Paragraph {number} says enough." for number in range(8))
    pages = {f"docs/p{number}.md": f"# Page {number}\n\n{POINTER}\n\nA sprocket.\n" for number in range(8)}
    pages["docs/low.md"] = f"# Low\n\n{below}\n\n{POINTER}\n\nA sprocket.\n"
    assert "Find all pages" in shown(store, pages)[0]["docs/low.md"]
    found, notes = shown(store, dict(list(pages.items())[:5]))
    assert all("Find all pages" in text for text in found.values())
    assert notes == 0


def test_equal_headings_code_and_words_like_see_also_are_no_such_opening(store: Store) -> None:
    text = "# Setup {0}\n\nSee also this.\n\n```sh\nacme run the whole thing now\n```\n\nA sprocket.\n"
    pages = {f"docs/p{number}.md": text.format(number) for number in range(9)}
    found, notes = shown(store, pages)
    assert all("See also this." in content and "acme run" in content for content in found.values())
    assert notes == 0
