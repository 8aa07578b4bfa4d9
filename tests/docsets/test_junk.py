"""What lies in real packages and is no page, or not as it stands: vendored releases, templates, rendered copies, raw marks."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.readers.docstrings import docstring_blocks
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.readers.rst import read_rst
from docs_researcher.docsets.sources.choose import choose
from docs_researcher.docsets.sources.rendered import repeated


def test_copies_of_other_projects_releases_are_no_documentation() -> None:
    paths = ["README.md", "include/cargo/bytecount-0.6.9/README.md", "guide/release-1.2.3/notes.md"]
    assert choose(paths).paths == ("README.md", "guide/release-1.2.3/notes.md")
    assert choose(["docs/acme-1.2.3/use.md"]).paths == ("docs/acme-1.2.3/use.md",)


def test_what_autosummary_makes_pages_of_is_no_page() -> None:
    assert (
        read_rst("doc/templates/base.rst", '{{ objname | escape | underline(line="=") }}\n\n.. automodule:: {{ fullname }}\n')
        is None
    )
    assert read_rst("doc/templates/use.rst", "Templates\n=========\n\nWrite ``{{ name }}``.\n") is not None


def test_pages_are_read_once_where_a_generated_reference_lies_beside_their_rendered_copies() -> None:
    sources = [f"doc/page{n}.txt" for n in range(10)]
    rendered = [f"doc/html/page{n}.html" for n in range(10)]
    generated = [f"doc/html/api/m{n}.html" for n in range(40)]
    assert sorted(repeated([*sources, *rendered, *generated])) == rendered


def test_text_that_is_raw_for_one_kind_of_output_is_shown_without_its_marks() -> None:
    page = read_rst("whats_new.rst", (
        "News\n====\n\n.. role:: raw-html(raw)\n   :format: html\n\n.. role:: raw-latex(raw)\n   :format: latex\n\n"
        ".. |Major| replace:: :raw-html:`<span class=\"badge\">Major</span>` :raw-latex:`{\\small\\sc [Major]}`\n\n"
        "- |Major| it spins.\n"
    ))  # fmt: skip
    assert page is not None
    assert page.blocks[-1].text.split() == ["-", "Major", "it", "spins."]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("See `the guide <https://a.example/x>`_ first.", "See [the guide](https://a.example/x) first."),
        ("See `the guide <https://a.example/x #y>`__.", "See [the guide](https://a.example/x#y)."),
        ("Uses `Minkowski`_ distance.", "Uses Minkowski distance."),
        ("Print each |test case| as it runs.", "Print each test case as it runs."),
        ("One of a|b|c.", "One of a|b|c."),
    ],
)
def test_marks_of_rst_in_the_description_of_a_parameter_are_read(said: str, shown: str) -> None:
    from griffe import Docstring

    blocks = docstring_blocks(Docstring(f"Spin it.\n\n    Args:\n        x: {said}\n".replace("\n    ", "\n")))
    assert f"- `x`: {shown}" in "\n".join(block.text for block in blocks)


def test_the_type_of_what_is_returned_is_shown_without_marks() -> None:
    from griffe import Docstring

    blocks = docstring_blocks(Docstring("Spin it.\n\n:rtype: list of :class:`Turn` objects\n:returns: All of them.\n"))
    assert "- `list of Turn objects`: All of them." in "\n".join(block.text for block in blocks)


BADGES = """# Acme [![Version][image]][registry] [![Tests][shield]][registry]

[![CI](https://img.shields.io/x?of=a(b))](https://ci.example)
<a href="https://d.example"><img src="https://x.example/badge.svg" alt="Docs"></a>
[![Coverage](https://coverage-badge.example/a.svg)](https://c.example)
Look: ![the flow](flow.png) [![Logo](logo.png)][registry], `![CI](https://img.shields.io/x)`.

[image]: https://badgen.net/v
[shield]: https://badgen.net/t
[registry]: https://r.example
"""


def test_badges_are_no_text_of_a_page_however_they_are_written() -> None:
    page = read_markdown("README.md", BADGES)
    assert page is not None
    assert page.title == "Acme"
    assert [block.text for block in page.blocks] == [
        "# Acme",
        "Look: ![the flow](flow.png) [![Logo](logo.png)](https://r.example), `![CI](https://img.shields.io/x)`.",
    ]


def test_a_table_without_outer_pipes_gets_them() -> None:
    page = read_markdown("README.md", "Key | Says\n--- | ---\n`a` | x\n| `b` | y |\n`c` | z \\|\n")
    assert page is not None
    assert page.blocks[0].text == "| Key | Says |\n| --- | --- |\n| `a` | x |\n| `b` | y |\n| `c` | z \\| |"
