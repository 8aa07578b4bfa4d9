"""Links between the pages of a documentation: what they are resolved to, what they are worth to a search, and "see also"."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw
import pytest

from docs_researcher.docsets.file import Docset

FILLER = {f"docs/other{number}.md": f"# Other {number}\n\nMatters of another kind, number {number}.\n" for number in range(8)}


def linked(docset: Docset) -> set[tuple[str, str]]:
    """Pairs of `path#anchor` where the first links to the second."""
    connection: Any = apsw.Connection(str(docset.path), flags=apsw.SQLITE_OPEN_READONLY)
    joined = "links JOIN chunks a ON a.id = source JOIN chunks b ON b.id = target"
    select = f"SELECT a.doc_path, a.anchor, b.doc_path, b.anchor FROM {joined}"
    found = {
        (path + (f"#{anchor}" if anchor else ""), target + (f"#{there}" if there else ""))
        for path, anchor, target, there in connection.execute(select).fetchall()
    }
    connection.close()
    return found


def long(text: str) -> str:
    """Prose that keeps a section from being joined with its neighbours."""
    return f"{text} " + "It is described here at some length. " * 30


MARKDOWN = {
    "docs/start.md": "# Start\n\nSee [the guide](./guide.md#retries), [cache](/guides/cache), [up](../README.md), [x](gone.md).\n"
    "\n```js\nlist[0](guide)\n```\n\nNot `[a link](guide.md)` but [by reference][g].\n\n[g]: guide 'Guide'\n",
    "docs/guide.md": f"# Guide\n\n{long('First.')}\n\n## Timeouts\n\n{long('Wait.')}\n\n## Retries\n\n{long('Again.')}\n",
    "docs/guides/02-cache.md": "# Cache\n\nKeep it. Back to <a href='../start'>the start</a>.\n",
    "README.md": "# Acme\n\nRead [the docs](docs/start.md) or [elsewhere](https://example.com/docs/start.md).\n",
}


def test_links_of_markdown_lead_to_the_section_of_the_page_that_they_mean(make_docset: Any) -> None:
    docset = make_docset(MARKDOWN)
    assert linked(docset) == {
        ("docs/start.md", "docs/guide.md#retries"),
        ("docs/start.md", "docs/guide.md"),
        ("docs/start.md", "docs/guides/02-cache.md"),
        ("docs/start.md", "README.md"),
        ("docs/guides/02-cache.md", "docs/start.md"),
        ("README.md", "docs/start.md"),
    }
    assert (docset.meta.links, docset.meta.dangling_links) == (6, 1)


RST = {
    "docs/index.rst": "Acme\n====\n\nSee :doc:`topics/jobs`, :ref:`stopping <stop>`, :class:`~acme.Runner`, :meth:`Runner.stop`, "
    ":setting:`RUN_LIMIT`, :class:`str`, :ref:`python:glossary` and :ref:`nowhere`.\n",
    "docs/topics/jobs.rst": f"Jobs\n====\n\n{long('Jobs run.')}\n\n"
    f".. _stop:\n\nStopping a job\n--------------\n\n{long('Halt.')}\n\n"
    f"API\n---\n\n.. class:: Runner\n\n   {long(long('Runs.'))}\n\n   .. method:: stop()\n\n      {long(long('Stops.'))}\n",
    "docs/settings.rst": f"Settings\n========\n\n{long('All of them.')}\n\n"
    f".. setting:: RUN_LIMIT\n\nRUN_LIMIT\n---------\n\n{long('How many.')}\n",
}


def test_roles_of_restructuredtext_lead_to_pages_labels_objects_and_settings(make_docset: Any) -> None:
    docset = make_docset(RST)
    assert linked(docset) == {
        ("docs/index.rst", "docs/topics/jobs.rst"),
        ("docs/index.rst", "docs/topics/jobs.rst#stopping-a-job"),
        ("docs/index.rst", "docs/topics/jobs.rst#Runner"),
        ("docs/index.rst", "docs/topics/jobs.rst#Runner.stop"),
        ("docs/index.rst", "docs/settings.rst#run-limit"),
    }
    assert docset.meta.dangling_links == 1, "an object or label of another project is no fault of this one"


def test_links_in_the_content_of_html_count_and_those_of_its_menu_do_not(make_docset: Any) -> None:
    menu = "<nav><a href='b.html'>B</a> <a href='c.html'>C</a></nav>"
    page = "<html><body>{}<main><h1>{}</h1><p>{}</p></main></body></html>"
    pages = {
        "docs/a.html": page.format(menu, "A", "More in <a href='b.html#deep'>the deep part</a>."),
        "docs/b.html": page.format(menu, "B", f"{long('Shallow.')}</p><h2 id='deep'>Deep</h2><p>{long('Deep.')}"),
        "docs/c.html": page.format(menu, "C", "Nothing."),
    }
    assert linked(make_docset(pages)) == {("docs/a.html", "docs/b.html#deep")}


def test_cross_references_of_asciidoc_and_roles_of_myst_are_links(make_docset: Any) -> None:
    pages = {
        "docs/a.adoc": f"= A\n\n{long('See xref:b.adoc#part[the part] and <<own,this>>.')}\n\n"
        f"[[own]]\n== Own\n\n{long('Text.')}\n",
        "docs/b.adoc": f"= B\n\n{long('First.')}\n\n[[part]]\n== Part\n\n{long('Second.')}\n",
        "docs/c.md": "# C\n\nFirst look at {doc}`d` and {ref}`there <spot>`.\n",
        "docs/d.md": f"# D\n\n{long('First.')}\n\n(spot)=\n## Spot\n\n{long('Second.')}\n",
    }
    assert linked(make_docset(pages)) == {
        ("docs/a.adoc", "docs/a.adoc#own"),
        ("docs/a.adoc", "docs/b.adoc#part"),
        ("docs/c.md", "docs/d.md"),
        ("docs/c.md", "docs/d.md#spot"),
    }


CALLED: Mapping[str, str] = {
    **FILLER,
    "docs/quotas.md": "# Quotas\n\nHow much each tenant may consume in an hour.\n",
    "docs/start.md": "# Start\n\nFirst read about [throttling](quotas.md).\n",
    "docs/deploy.md": "# Deploy\n\nA busy tenant meets [throttling](quotas.md).\n",
}


def test_a_page_is_found_by_the_words_that_two_others_link_to_it_with(make_docset: Any) -> None:
    hits = make_docset(CALLED).search("throttling").hits
    assert hits[0].path == "docs/quotas.md"


def test_what_one_link_alone_calls_a_page_does_not_count(make_docset: Any) -> None:
    pages = {path: text for path, text in CALLED.items() if path != "docs/deploy.md"}
    assert [hit.path for hit in make_docset(pages).search("throttling").hits] == ["docs/start.md"]


def test_pages_to_see_also_are_linked_with_the_results_and_none_of_them(make_docset: Any) -> None:
    docset = make_docset(
        {
            **FILLER,
            "docs/upload.md": "# Upload files\n\nSee [limits](limits.md).\n",
            "docs/limits.md": "# Limits\n\nSizes.\n",
            "docs/tour.md": "# Tour\n\nAll of [sending](upload.md).\n",
            "docs/changelog.md": "# Changelog\n\nNew: [sending](upload.md).\n",
        }
    )
    best = docset.search("upload files").hits[:1]
    found = docset.related(best)
    assert [(page.path, page.title, page.linked_from, page.links_to) for page in found] == [
        ("docs/limits.md", "Limits", 1, 0),
        ("docs/tour.md", "Tour", 0, 1),
    ]
    assert [page.path for page in docset.related(best, limit=1)] == ["docs/limits.md"]
    assert docset.related(docset.search("matters number 3").hits[:1]) == ()


@pytest.mark.parametrize("dropped", [("links",), ("links", "link_words")])
def test_a_docset_without_the_tables_of_links_is_searched_as_before(
    make_docset: Any, tmp_path: Path, dropped: tuple[str, ...]
) -> None:
    docset = make_docset(CALLED)
    copy = tmp_path / "older.db"
    copy.write_bytes(docset.path.read_bytes())
    connection: Any = apsw.Connection(str(copy))
    for name in dropped:
        connection.execute(f"DROP TABLE {name}")
    connection.execute("DELETE FROM meta WHERE key IN ('links', 'dangling_links')")
    connection.close()
    with Docset.open(copy) as older:
        result = older.search("tenant")
        assert {hit.path for hit in result.hits} == {"docs/quotas.md", "docs/deploy.md"}
        assert older.related(result.hits) == ()


@pytest.mark.parametrize(
    "text",
    [
        "# A\n\n" + "[" * 5_000,
        "# A\n\n" + "[a](" * 2_000,
        "# A\n\n" + ":ref:`" * 2_000,
        "# A\n\n" + "[a](//b) [c](%ff%00#%zz) [d](?x) [e](#) [f](../../../../../x) [g](.)",
    ],
)
def test_odd_links_are_passed_over(make_docset: Any, text: str) -> None:
    docset = make_docset({"docs/a.md": text, "docs/b.rst": text.replace("# A", "A\n=")})
    assert docset.meta.links == 0
