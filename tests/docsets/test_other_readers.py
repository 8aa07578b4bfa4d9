"""AsciiDoc, notebooks and plain text."""

from __future__ import annotations

import json

import pytest

from docs_researcher.docsets.readers.asciidoc import read_asciidoc
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.choose import reader_for
from docs_researcher.docsets.readers.notebook import read_notebook
from docs_researcher.docsets.readers.plain import read_plain

ADOC = """\
= Turbine Guide
Jane Doe <jane@example.org>
v1.0, 2026-03-18
:version: 3.2
:url-docs: https://turbine.example

Turbine {version} spins, see {url-docs}[the site^] and <<braking,Braking>>.

include::missing.adoc[]

[#spinning]
== Spinning

.An example
[source,java]
----
== not a heading
Turbine t = new Turbine(); // <1>
----
<1> Made here.

NOTE: Only once.

[WARNING]
====
Mind *both* hands.

----
stop
----
====

* one
** deeper
* two
+
more of two

. first
. second

timeout:: Seconds to wait.

|===
|Name |Use

|`a`
|first
|`b` |second
|===

// a comment
////
hidden
////

[[braking]]
=== Braking

....
literal
....
"""


def shown(page: Page | None) -> str:
    assert page is not None
    return "\n\n".join(block.text for block in page.blocks)


def test_asciidoc_is_read_as_markdown() -> None:
    page = read_asciidoc("guide.adoc", ADOC)
    assert page is not None
    assert page.title == "Turbine Guide"
    headings = [(block.title, block.level, block.anchor) for block in page.blocks if block.kind == "heading"]
    assert headings == [("Turbine Guide", 1, None), ("Spinning", 2, "spinning"), ("Braking", 3, "braking")]
    text = shown(page)
    assert "Turbine 3.2 spins, see [the site](https://turbine.example) and Braking." in text
    assert "**An example**\n\n```java\n== not a heading\nTurbine t = new Turbine(); // <1>\n```" in text
    assert "**Note**: Only once." in text
    assert "**Warning**\n\nMind **both** hands.\n\n```\nstop\n```" in text
    assert "- one\n  - deeper\n- two\n\n  more of two" in text
    assert "1. first\n1. second" in text
    assert "- **timeout**: Seconds to wait." in text
    assert "| Name | Use |\n| --- | --- |\n| `a` | first |\n| `b` | second |" in text
    assert "```\nliteral\n```" in text
    assert "hidden" not in text
    assert "Jane" not in text
    assert "include::" not in text


def test_an_asciidoc_block_stands_on_its_line() -> None:
    page = read_asciidoc("guide.adoc", ADOC)
    assert page is not None
    assert next(block.line for block in page.blocks if block.language == "java") == 16


def test_an_unclosed_listing_runs_to_the_end() -> None:
    assert "```\nx\ny\n```" in shown(read_asciidoc("a.adoc", "= T\n\n----\nx\ny"))


NOTEBOOK = {
    "nbformat": 4,
    "metadata": {"kernelspec": {"language": "python"}},
    "cells": [
        {"cell_type": "markdown", "source": ["# Spin\n", "\n", "Start it."]},
        {"cell_type": "code", "source": "t.spin()", "outputs": [{"output_type": "stream", "text": ["spinning\n"]}]},
        {"cell_type": "code", "source": "t.log()", "outputs": [{"output_type": "stream", "text": ["x" * 10_000]}]},
        {"cell_type": "code", "source": "boom()", "outputs": [{"output_type": "error", "traceback": ["secret"]}]},
        {"cell_type": "raw", "source": "raw"},
    ],
}


def test_a_notebook_gives_its_text_and_code_and_short_results() -> None:
    page = read_notebook("spin.ipynb", json.dumps(NOTEBOOK))
    text = shown(page)
    assert page is not None
    assert page.title == "Spin"
    assert "Start it.\n\n```python\nt.spin()\n```\n\n```text\nspinning\n```\n\n```python\nt.log()\n```" in text
    assert "xxx" not in text
    assert "secret" not in text


def test_a_notebook_of_the_older_form_is_read() -> None:
    old = {
        "nbformat": 3,
        "worksheets": [{"cells": [{"cell_type": "heading", "level": 2, "source": "Old"}, {"cell_type": "code", "input": "f()"}]}],
    }
    assert shown(read_notebook("old.ipynb", json.dumps(old))) == "## Old\n\n```python\nf()\n```"


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"cells": 3}', '{"cells": [null, 1]}', "[" * 100_000])
def test_what_is_no_notebook_is_no_page(text: str) -> None:
    assert read_notebook("a.ipynb", text) is None


PROSE = """\
Turbine notes

The turbine has to be greased every week. Whoever greases it should write the date into the book that lies beside it, so that
nobody does it twice. Then it is started again, slowly.

    turbine --start
      --slowly

Do not touch it while it spins.
"""


def test_prose_is_paragraphs_and_indented_pieces_are_code() -> None:
    page = read_plain("notes.txt", PROSE)
    assert page is not None
    assert page.title == "Turbine notes"
    assert "```\nturbine --start\n  --slowly\n```" in shown(page)
    assert [block.line for block in page.blocks] == [1, 3, 6, 9]


@pytest.mark.parametrize("text", ["only words\n", "\n".join(f"package-{n}==1.{n}" for n in range(200)), "", "a,b,c\n" * 100])
def test_lists_and_data_are_no_prose(text: str) -> None:
    assert read_plain("list.txt", text) is None


@pytest.mark.parametrize(
    "path",
    ["a.html", "A.HTM", "a.ipynb", "a.adoc", "a.asciidoc", "a.txt", "a.rst", "a.md", "A.MD", "b/c.mdx", "A.MDX", "a.markdown",
     "a.mdoc", "a.qmd", "a.Rmd"],
)  # fmt: skip
def test_every_kind_has_a_reader_in_any_case(path: str) -> None:
    assert reader_for(path) is not None


@pytest.mark.parametrize("path", ["a.pdf", "a.png", "a.py", "a.json", "requirements.txt", "robots.txt", "a"])
def test_what_is_no_documentation_has_none(path: str) -> None:
    assert reader_for(path) is None


REAL_ADOC = """\
= Starting
:version: 3.2
:icons: font

[source,xml,indent=0,subs="verbatim,attributes"]
----
<version>{version}</version>
----

[source,java]
----
var x = "{version}"; // <1>
----
<1> Kept.

== New [.badge]#Since {version}#

++++
<b>raw</b>
++++

  $ indented

[%header,format=csv]
|===
A,B
1,"2,3"
|===

C{pp}{nbsp}and {cpp}, {unknown}.
"""


def test_attributes_marks_and_tables_of_values_are_read_as_published() -> None:
    page = read_asciidoc("start.adoc", REAL_ADOC)
    assert page is not None
    assert [block.text for block in page.blocks] == [
        "# Starting",
        "```xml\n<version>3.2</version>\n```",
        '```java\nvar x = "{version}"; // <1>\n```',
        "1. Kept.",
        "## New Since 3.2",
        "```\n$ indented\n```",
        "| A | B |\n| --- | --- |\n| 1 | 2,3 |",
        "C++ and C++, {unknown}.",
    ]
