"""Directives, roles and settings of Sphinx and its extensions: what their published pages show is what is read."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.readers.base import NO_SITE, Site
from docs_researcher.docsets.readers.conf import conf_paths, find_conf, read_conf
from docs_researcher.docsets.readers.rst import read_rst
from docs_researcher.docsets.readers.site import site_of


def shown(text: str, site: Site = NO_SITE) -> list[tuple[str, str]]:
    page = read_rst("page.rst", text, site)
    return [(block.kind, block.text) for block in page.blocks] if page else []


def test_cards_tabs_and_dropdowns_keep_their_titles_and_bodies() -> None:
    text = (
        ".. grid:: 1 2\n\n   .. grid-item-card:: Card\n      :link: a\n\n      Head\n      ^^^\n      Body\n      +++\n"
        "      Foot\n\n.. tab-set::\n\n   .. tab-item:: Python\n      :sync: py\n\n      Prose in a tab.\n\n"
        ".. dropdown:: More\n   :open:\n\n   Hidden.\n\n"
        ".. button-link:: https://example.com\n   :color: info\n\n   Go\n"
    )
    assert shown(text) == [
        ("text", "**Card**"),
        ("text", "Head\nBody\nFoot"),
        ("text", "**Python**"),
        ("text", "Prose in a tab."),
        ("text", "**More**"),
        ("text", "Hidden."),
        ("text", "[Go](https://example.com)"),
    ]


def test_a_formula_may_stand_on_the_line_of_its_directive() -> None:
    assert shown(".. math:: a^2 = b\n   :label: x\n\n.. math::\n\n   c\n") == [
        ("code", "```latex\na^2 = b\n```"),
        ("code", "```latex\nc\n```"),
    ]


def test_output_and_code_that_a_page_hides_is_hidden() -> None:
    text = ".. testcode:: group\n\n   print(1)\n\n.. testoutput::\n   :hide:\n\n   1\n\n.. testoutput::\n\n   2\n"
    assert shown(text) == [("code", "```python\nprint(1)\n```"), ("code", "```text\n2\n```")]


@pytest.mark.parametrize(
    ("tags", "is_there"),
    [("html", True), ("latex", False), ("not latex", True), ("html and not epub", True), ("latex or html", True), ("man", False)],
)
def test_only_what_stands_in_the_pages_of_a_site_is_read(tags: str, is_there: bool) -> None:
    assert bool(shown(f".. only:: {tags}\n\n   Words.\n")) is is_there


def test_terms_of_a_glossary_that_share_a_definition_stay_together() -> None:
    text = ".. glossary::\n   :sorted:\n\n   env\n      Where it runs.\n\n   source\n   srcdir\n      The folder.\n"
    assert shown(text) == [("list", "- **env**: Where it runs.\n- **source, srcdir**: The folder.")]


def test_a_change_log_has_a_heading_a_version_and_its_tags() -> None:
    text = (
        "Changes\n=======\n\n.. changelog::\n    :version: 2.1\n    :released: May 1\n\n    .. change::\n"
        "        :tags: bug, orm\n        :tickets: 7, 8\n\n      Fixed it.\n\n"
        ".. changelog::\n    :version: 2.0\n\n    .. change::\n        :tickets:6\n\n        Old.\n"
    )
    assert shown(text) == [
        ("heading", "# Changes"),
        ("heading", "## 2.1 (May 1)"),
        ("list", "- [bug, orm, #7, #8] Fixed it."),
        ("heading", "## 2.0"),
        ("list", "- [#6] Old."),
    ]


def test_the_fields_of_an_object_are_parameters_with_their_types() -> None:
    text = (
        ".. function:: send(a, b)\n\n   Sends.\n\n   :param str a: the first\n   :param b: the second\n   :type b: int or None\n"
        "   :return: an id\n   :rtype: int\n   :raises ValueError: too long\n   :file: kept\n"
    )
    assert [block for _, block in shown(text)][2:] == [
        "Parameters:",
        "- `a` (str): the first\n- `b` (int or None): the second",
        "Raises:",
        "- `ValueError`: too long",
        "Returns:",
        "- int: an id",
        "- **file**: kept",
    ]


def test_stars_in_a_signature_need_no_backslash() -> None:
    assert shown(".. function:: dict(\\**items)\n\n   Makes one.\n")[0] == ("heading", "# `dict(**items)`")


def test_what_is_returned_needs_no_type() -> None:
    text = ".. function:: f()\n\n   Does.\n\n   :return: a thing\n   :raises: `ValueError` on error\n"
    assert [block for _, block in shown(text)][2:] == ["Raises:", "- `ValueError` on error", "Returns:", "- a thing"]


@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        (".. my-example::\n\n   import acme\n   acme.run()\n", [("code", "```python\nimport acme\nacme.run()\n```")]),
        (".. run-code:: bash\n\n   acme run\n", [("code", "```bash\nacme run\n```")]),
        (".. try_examples::\n\n   >>> 1 + 1\n   2\n", [("code", "```pycon\n>>> 1 + 1\n2\n```")]),
        (".. example::\n\n   Some words of prose.\n", [("text", "Some words of prose.")]),
        (".. tab:: Python\n\n   Some words of prose.\n", [("text", "**Python**"), ("text", "Some words of prose.")]),
        (".. tags:: a, b\n", []),
    ],
)
def test_the_body_of_an_unknown_directive_is_code_or_text(directive: str, expected: list[tuple[str, str]]) -> None:
    assert shown(directive) == expected


def test_what_click_runs_is_shown_as_its_page_shows_it() -> None:
    text = (
        ".. click:run::\n\n   invoke(hello_there, args=['--count=2', 'a b'])\n   invoke(touch, env={'SRC': 'x'}, prog_name='t')\n"
    )
    assert shown(text) == [("code", "```console\n$ hello-there --count=2 'a b'\n$ SRC=x t\n```")]
    more = ".. click:run::\n\n   with isolated_filesystem():\n       invoke(touch)\n"
    assert shown(more) == [("code", "```python\nwith isolated_filesystem():\n    invoke(touch)\n```")]


def test_an_option_is_not_taken_from_the_text_of_a_note() -> None:
    assert shown(".. note::\n   :class:`Foo` does it.\n") == [("admonition", "**Note:** `Foo` does it.")]


def test_names_of_a_summary_are_those_at_the_margin() -> None:
    assert shown(".. autosummary::\n   :toctree: generated/\n\n   abs\n   ~acme.norm  -- the norm\n") == [
        ("list", "- `abs`\n- `acme.norm`")
    ]


def test_menus_icons_and_badges_show_what_a_reader_sees() -> None:
    text = "Use :menuselection:`&File --> Open`, :guilabel:`&OK`, :octicon:`x;1em`, :bdg-primary:`New`.\n"
    assert shown(text) == [("text", "Use File → Open, OK, , New.")]


def test_images_in_substitutions_and_versions_in_code_are_put_in() -> None:
    image = ".. |logo| image:: a.png\n   :alt: The logo\n\n|logo| of it [#n]_ here.\n\n"
    text = f"{image}.. parsed-literal::\n\n   pip install x==\\ |version|\n\n.. [#n] A note.\n"
    assert shown(text, Site(version="1.2")) == [
        ("text", "The logo of it [n] here."),
        ("code", "```\npip install x==1.2\n```"),
        ("text", "[n] A note."),
    ]


CONF = '''
import os, sys
sys.path.insert(0, os.path.abspath("../src"))
extensions = ["sphinx.ext.extlinks"]
release = "4.1"
_url = "https://example.org/"
rst_prolog = """
.. |acme| replace:: Acme *X*
"""
rst_epilog = ".. _home: " + _url
highlight_language = "console"
extlinks = {"adv": (_url + "%s", "ADV-%s"), "plain": (_url + "%s", "%s"), "none": (_url, None)}
'''


def test_what_every_page_has_of_the_configuration_is_there() -> None:
    conf = read_conf(CONF)
    site = site_of([("docs/a.rst", "A\n=\n")], "", conf)
    text = "The |acme| |release|, `home`_ and :adv:`7`, :plain:`x`::\n\n   acme run\n"
    assert shown(text, site) == [
        ("text", "The Acme *X* 4.1, [home](https://example.org/) and ADV-7, `x`:"),
        ("code", "```console\nacme run\n```"),
    ]
    assert conf.roots == ("../src",)


@pytest.mark.parametrize("text", ["def (", "\0", "rst_prolog = f()\nextlinks = x\n", "(" * 5_000])
def test_a_configuration_that_cannot_be_read_says_nothing(text: str) -> None:
    assert read_conf(text).shared == ""


def test_the_configuration_is_found_above_the_pages() -> None:
    pages = ["docs/source/a.rst", "docs/source/b/c.rst"]
    assert conf_paths(pages) == ["conf.py", "docs/conf.py", "docs/source/conf.py", "docs/source/b/conf.py"]
    files = {"conf.py": "DEBUG = 1\n", "docs/source/conf.py": CONF}
    assert find_conf(pages, files.get)[0] == "docs/source/conf.py"
