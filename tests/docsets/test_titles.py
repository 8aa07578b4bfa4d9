"""What pages are called: a title tells a page from the others of its library."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sources.base import SourceInfo
from pages_source import PagesSource

SCOPED = SourceInfo("@acme/web-kit", "1.0.0", "/npm/@acme/web-kit", purl="pkg:npm/%40acme/web-kit@1.0.0", title="Acme Web Kit")


def title(store: Store, path: str, text: str, info: SourceInfo | None = None) -> str:
    source = PagesSource({path: text}, info) if info else PagesSource({path: text})
    docset = store.open(build_docset(source, store, replace=True).installed)
    [hit] = docset.search("sprocket").hits
    return hit.title


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("docs/context.md", "# acme\n\n## Context\n\n### Deeper\n\nA sprocket.\n", "Context"),
        ("docs/custom-rules.md", "# Acme\n\n## One\n\nA sprocket.\n\n## Two\n\nText.\n", "Custom rules"),
        ("docs/plugins/README.md", "# acme\n\n- [a](a.md) is a sprocket\n", "Plugins"),
        ("docs/index.md", "# Acme\n\n## The manual\n\nA sprocket.\n", "Acme"),
        ("docs/acme.md", "# Acme\n\n## Use\n\nA sprocket.\n", "Acme"),
        ("README.md", "# Acme\n\n## Use\n\nA sprocket.\n", "Acme"),
        ("docs/caching.md", "# Acme and caches\n\n## Use\n\nA sprocket.\n", "Acme and caches"),
        ("docs/server.rst", "Acme\n====\n\nServing\n-------\n\nA sprocket.\n", "Serving"),
    ],
)
def test_a_page_that_begins_with_the_name_of_its_library_is_called_after_its_subject(
    store: Store, path: str, text: str, expected: str
) -> None:
    assert title(store, path, text) == expected


def test_the_name_of_a_scoped_package_is_known_with_and_without_its_scope(store: Store) -> None:
    for heading in ("@acme/web-kit", "web-kit", "Web Kit", "Acme Web-Kit"):
        assert title(store, "docs/hooks.md", f"# {heading}\n\n## Hooks\n\nA sprocket.\n", SCOPED) == "Hooks"


def test_the_heading_that_is_no_title_is_not_shown_again(store: Store) -> None:
    pages = {"docs/context.md": "# acme\n\n## Context\n\nA sprocket.\n"}
    docset = store.open(build_docset(PagesSource(pages), store).installed)
    [hit] = docset.search("sprocket").hits
    assert hit.content == "A sprocket."
    assert hit.heading == ""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("docs/SKILL.md", "---\nname: acme-kit\n---\n\n## When to use\n\nA sprocket.\n\n## How\n\nText.\n", "acme-kit"),
        ("docs/rows.md", "---\nsidebar_label: Rows\n---\n\n## First\n\nA sprocket.\n", "Rows"),
        ("docs/rows.md", "---\nname: rows-page\n---\n\n# Working with rows\n\nA sprocket.\n", "Working with rows"),
        ("docs/server.md", "## Factory\n\nA sprocket.\n\n## Instance\n\nText.\n", "Server"),
        ("docs/hooks.md", "## Hooks\n\nA sprocket.\n\n## Scope\n\nText.\n", "Hooks"),
        ("docs/hooks.md", "## All of it\n\n### One\n\nA sprocket.\n", "All of it"),
        ("README.rst", f"{'It does much. ' * 20}\n\nDocumentation\n-------------\n\nA sprocket.\n\nUse\n---\n\nText.\n", "Acme"),
        ("README.rst", "Acme for all\n============\n\nUse\n---\n\nA sprocket.\n", "Acme for all"),
    ],
)
def test_the_heading_of_one_section_is_no_title_of_its_page(store: Store, path: str, text: str, expected: str) -> None:
    assert title(store, path, text) == expected


def test_badges_are_no_text_of_a_readme(store: Store) -> None:
    text = """
Acme
====

.. image:: https://img.shields.io/acme.svg
   :alt: Downloads

.. image:: https://github.com/acme/acme/workflows/tests/badge.svg
   :alt: Acme build status

|state| |shape|

.. |state| image:: https://codecov.io/gh/acme/acme.svg
   :alt: Coverage

.. |shape| image:: shape.png
   :alt: A wheel with teeth

A sprocket.
"""
    docset = store.open(build_docset(PagesSource({"README.rst": text}), store).installed)
    [hit] = docset.search("sprocket").hits
    assert hit.content == "A wheel with teeth\n\nA sprocket."
