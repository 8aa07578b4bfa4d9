"""The directives of docutils and Sphinx: code, admonitions, descriptions of objects, and what only arranges a site."""

from __future__ import annotations

from textwrap import dedent

import pytest

from docs_researcher.docsets.readers.rst import read_rst
from rst_pages import blocks_of, kinds_and_texts, page_of


def test_code_blocks_become_fences_with_their_language_and_line() -> None:
    text = """\
        Title
        =====

        .. code-block:: python
           :caption: The ``app.py``
           :emphasize-lines: 1

           def view():

               return "a * b `c`"

        .. sourcecode:: pycon+sql

            >>> print(stmt)
            {printsql}SELECT 1{stop}

        .. code-block::

           plain {printsql}

        .. code:: python3

           x = 1
        """
    blocks = [block for block in blocks_of(text) if block.kind == "code"]
    assert [(block.language, block.text) for block in blocks] == [
        ("python", '```python\ndef view():\n\n    return "a * b `c`"\n```'),
        ("pycon", "```pycon\n>>> print(stmt)\nSELECT 1\n```"),
        ("", "```\nplain {printsql}\n```"),
        ("python", "```python\nx = 1\n```"),
    ]
    lines = dedent(text).split("\n")
    for block in blocks:
        first = block.text.split("\n")[1]
        assert first in lines[block.line - 1]
    assert ("text", "The `app.py`:") in kinds_and_texts(text)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("from flask import Flask", "python"),
        ("app.run(debug=True)", "python"),
        (">>> 1 + 1", "pycon"),
        ("$ flask run", "console"),
        ("flask run", ""),
        ("docs/index.html", ""),
        ("<b>bold</b>", ""),
        ('path = "C:\\dir"', ""),
    ],
)
def test_the_language_of_a_literal_block_is_told_by_its_text(code: str, language: str) -> None:
    [block] = [block for block in blocks_of(f"See::\n\n    {code}\n") if block.kind == "code"]
    assert block.language == language


def test_highlight_sets_the_language_of_what_follows() -> None:
    blocks = blocks_of(
        ".. highlight:: sh\n\nSee::\n\n    a --b\n\n.. code-block::\n\n    c\n\n.. highlight:: none\n\nSee::\n\n    d\n"
    )
    assert [block.language for block in blocks if block.kind == "code"] == ["sh", "sh", ""]


def test_a_fence_is_longer_than_the_back_quotes_in_its_code() -> None:
    [block] = blocks_of(".. code-block:: md\n\n    ````\n    x\n    ````\n")
    assert block.text == "`````md\n````\nx\n````\n`````"


def test_admonitions_keep_their_label_and_their_code() -> None:
    text = """\
        .. note:: Short.

        .. warning::
           :class: loud

           First.

           .. code-block:: sh

              rm -r .

        .. admonition:: My *title*

           Body.

        .. versionadded:: 2.1
           With ``that``.

        .. deprecated:: 3.0

        .. seealso:: :doc:`/other`
        """
    assert kinds_and_texts(text) == [
        ("admonition", "**Note:** Short."),
        ("admonition", "**Warning:** First."),
        ("code", "```sh\nrm -r .\n```"),
        ("admonition", "My *title*: Body."),
        ("admonition", "**Added in version 2.1:** With `that`."),
        ("admonition", "**Deprecated since version 3.0**"),
        ("admonition", "**See also:** other"),
    ]


def test_what_only_arranges_a_site_is_dropped() -> None:
    text = """\
        :orphan:

        Title
        =====

        .. toctree::
           :maxdepth: 2

           one
           two <three>

        .. contents:: Local
        .. index:: single: x
        .. a comment
        .. raw:: html

           <b>no</b>

        .. include:: /etc/hostname
        .. meta::
           :description: What it is about.

        .. image:: x.png
           :alt: A drawing of it

        .. only:: html

           Shown.
        """
    page = page_of(text)
    assert [(block.kind, block.text) for block in page.blocks] == [
        ("heading", "# Title"),
        ("text", "A drawing of it"),
        ("text", "Shown."),
    ]
    assert page.description == "What it is about."


def test_an_unknown_directive_keeps_its_title_and_body() -> None:
    text = ".. fancy-card:: The *title*\n   :icon: star\n   :link: a b c\n\n   Body.\n\n   - one\n   - two\n"
    assert kinds_and_texts(text) == [("text", "The *title*"), ("text", "Body."), ("list", "- one\n- two")]


def test_objects_at_the_end_of_a_section_get_headings_and_anchors() -> None:
    text = """\
        API
        ===

        .. module:: acme.core

        Intro.

        .. class:: Client(url, *, timeout=3)

           A client.

           .. method:: get(path)
                       get(path, default)

              Fetch it.

              :param path: where

        .. py:function:: connect(url)

           Connect.

        .. autofunction:: acme.core.close
        """
    page = page_of(text)
    headings = [(block.level, block.title, block.anchor) for block in page.blocks if block.kind == "heading"]
    assert headings == [
        (1, "API", "api"),
        (2, "class Client(url, *, timeout=3)", "acme.core.Client"),
        (3, "get(path)", "acme.core.Client.get"),
        (2, "connect(url)", "acme.core.connect"),
    ]
    texts = [block.text for block in page.blocks]
    assert "`get(path, default)`" in texts
    assert "- `path`: where" in texts
    assert texts[-1] == "`acme.core.close`"


def test_options_that_say_something_about_an_object_are_kept() -> None:
    text = ".. confval:: dirs\n   :type: ``list``\n   :default: ``[]``\n   :no-index:\n\n   Where to look.\n"
    assert kinds_and_texts(text) == [
        ("heading", "# `dirs`"),
        ("text", "type: `list`  \ndefault: `[]`"),
        ("text", "Where to look."),
    ]


def test_an_object_with_text_of_its_section_behind_it_gets_no_heading() -> None:
    text = "API\n===\n\n.. function:: go()\n\n   Goes.\n\nAbout the whole section.\n"
    assert kinds_and_texts(text) == [
        ("heading", "# API"),
        ("text", "`go()`"),
        ("text", "Goes."),
        ("text", "About the whole section."),
    ]


def test_a_directive_directly_below_a_signature_is_no_further_signature() -> None:
    page = page_of("A\n=\n\n.. function:: load(data)\n    .. versionadded:: 2.0\n\n    Loads.\n")
    assert [block.text for block in page.blocks] == ["# A", "## `load(data)`", "**Added in version 2.0**", "Loads."]


def test_a_page_that_leaves_all_of_its_text_to_autodoc_is_none() -> None:
    assert read_rst("docs/api.rst", ":orphan:\n\n.. autoclass:: acme.Api\n    :members:\n\n.. autofunction:: acme.run\n") is None
    assert kinds_and_texts("Names\n=====\n\n.. autoclass:: acme.Api\n")[0] == ("heading", "# Names")
    assert kinds_and_texts("Use it.\n\n.. autoclass:: acme.Api\n")[0] == ("text", "Use it.")
