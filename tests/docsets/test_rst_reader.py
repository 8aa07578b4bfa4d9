"""reStructuredText as people write it, with Sphinx's directives and roles, read into Markdown blocks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.readers.choose import reader_for
from docs_researcher.docsets.readers.rst import read_rst, read_text
from docs_researcher.docsets.readers.rst_roles import shown_role
from rst_pages import blocks_of, kinds_and_texts, page_of


def test_sections_become_headings_with_the_ids_of_their_published_page() -> None:
    page = page_of(
        """\
        .. _start:

        =====
        Title
        =====

        Intro.

        First ``part``
        ==============

        Text.

        Deeper
        ------

        More.

        Deeper
        ------

        Again.
        """
    )
    assert page.title == "Title"
    headings = [block for block in page.blocks if block.kind == "heading"]
    assert [(block.level, block.text, block.title) for block in headings] == [
        (1, "# Title", "Title"),
        (2, "## First `part`", "First part"),
        (3, "### Deeper", "Deeper"),
        (3, "### Deeper", "Deeper"),
    ]
    assert [block.anchor for block in headings] == ["title", "first-part", "deeper", "id1"]


def test_one_character_over_and_under_and_under_only_are_two_levels() -> None:
    headings = [block for block in blocks_of("=====\nTitle\n=====\n\nSection\n=======\n\nText.\n") if block.kind == "heading"]
    assert [(block.level, block.title) for block in headings] == [(1, "Title"), (2, "Section")]


def test_a_literal_block_is_code_and_holds_no_sections() -> None:
    text = "Title\n=====\n\nLike this::\n\n    Not a title\n    ===========\n\n    $ run *this*\n\nAfter.\n"
    page = page_of(text)
    assert [block.kind for block in page.blocks] == ["heading", "text", "code", "text"]
    assert page.blocks[1].text == "Like this:"
    assert page.blocks[2].text == "```\nNot a title\n===========\n\n$ run *this*\n```"
    assert page.blocks[2].line == 6
    [chunk] = chunk_page(page)
    assert "```\nNot a title\n===========\n\n$ run *this*\n```" in chunk.content


@pytest.mark.parametrize(
    ("role", "text", "shown"),
    [
        ("class", "~flask.Flask", "`Flask`"),
        ("meth", "~flask.Flask.run", "`Flask.run()`"),
        ("func", "!json.dumps", "`json.dumps()`"),
        ("py:func", ".select", "`select()`"),
        ("class", "~_orm.Session", "`Session`"),
        ("class", "_orm.Session", "`Session`"),
        ("attr", "Flask.debug", "`Flask.debug`"),
        ("class", "the app <flask.Flask>", "the app"),
        ("ref", "the guide <guide>", "the guide"),
        ("ref", "session-basics", "session basics"),
        ("doc", "/topics/http/urls", "urls"),
        ("doc", "deploying/index", "deploying"),
        ("setting", "DEBUG", "`DEBUG`"),
        ("file", "my file.py", "`my file.py`"),
        ("pep", "8", "PEP 8"),
        ("rfc", "2616#section-3", "RFC 2616"),
        ("issue", "123", "#123"),
        ("term", "WSGI server", "WSGI server"),
        ("nobody-knows", "thing", "`thing`"),
        ("nobody-knows", "some words", "some words"),
        ("emphasis", "so", "*so*"),
        ("strong", "so", "**so**"),
    ],
)
def test_roles_are_unwrapped(role: str, text: str, shown: str) -> None:
    assert kinds_and_texts(f"Use :{role}:`{text}` here.\n") == [("text", f"Use {shown} here.")]


def test_single_back_quotes_are_code_if_they_hold_one_word() -> None:
    assert kinds_and_texts("Set `name` in `the file`.\n") == [("text", "Set `name` in the file.")]
    assert shown_role("", "a.b").form == "code"


def test_links_labels_and_substitutions_are_resolved_within_the_page() -> None:
    text = """\
        .. |name| replace:: the **project**
        .. |ver| replace:: |name| 2

        See `Flask <https://flask.example/>`_, Site_, `a b`_ and `this`__ or https://x.example/y, |ver|, |unknown|, :ref:`below`.

        .. _Site: https://site.example/
        .. _a b: Site_
        .. __: https://anon.example/

        .. _below:

        The *end*
        =========

        Text.
        """
    [first, heading, _] = blocks_of(text)
    assert first.text == (
        "See [Flask](https://flask.example/), [Site](https://site.example/), [a b](https://site.example/) and "
        "[this](https://anon.example/) or https://x.example/y, the **project** 2, unknown, The end."
    )
    assert heading.text == "# The *end*"


def test_plain_text_does_not_become_markup() -> None:
    assert kinds_and_texts("Takes \\*args, a < b and <script> but __init__ stays.\n") == [
        ("text", "Takes \\*args, a < b and \\<script> but __init__ stays.")
    ]
    assert kinds_and_texts("Use ``a`b`` and ````x````.\n")[0][1].startswith("Use `` a`b `` and ")


def test_addresses_are_links_however_many_stand_in_one_paragraph() -> None:
    names = "\n".join(f"Person {number} <person{number}@example.org>" for number in range(450))
    assert kinds_and_texts(f"A :class:`Person`.\n\nSee http://example.org/a_b and mail me@example.org.\n\n{names}\n")[:2] == [
        ("text", "A `Person`."),
        ("text", "See http://example.org/a_b and mail me@example.org."),
    ]


def test_lists_keep_their_numbers_nesting_and_code() -> None:
    text = """\
        3. Three

           - inner
           - more

        4. Four::

             x = 1

        term
           Its *meaning*.

        ``other`` : str
           Else.

        -a, --all   Everything.
        """
    blocks = kinds_and_texts(text)
    assert blocks == [
        ("list", "3. Three\n\n   - inner\n   - more\n\n4. Four:\n\n   ```python\n   x = 1\n   ```"),
        ("list", "- **term**: Its *meaning*.\n- `other` : str: Else."),
        ("list", "- `-a, --all`: Everything."),
    ]


def test_tables_become_markdown_tables() -> None:
    text = """\
        ====  ==============
        Name  Meaning
        ====  ==============
        a     one ``|`` two
        b     - x
              - y
        ====  ==============

        .. list-table:: Caption
           :header-rows: 1

           * - A
             - B
           * - 1
             - 2

        +---+---+
        | a | b |
        +---+---+
        | wide  |
        +-------+
        """
    assert kinds_and_texts(text) == [
        ("table", "| Name | Meaning |\n| --- | --- |\n| a | one `\\|` two |\n| b | - x - y |"),
        ("text", "**Caption**"),
        ("table", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
        ("table", "|  |  |\n| --- | --- |\n| a | b |\n| wide |  |"),
    ]


def test_quotes_footnotes_and_line_blocks_stay_readable() -> None:
    text = "Text [1]_ here.\n\n    A quote\n    of two lines.\n\n.. [1] The note.\n\n| one\n| two\n"
    assert kinds_and_texts(text) == [
        ("text", "Text [1] here."),
        ("quote", "> A quote\n> of two lines."),
        ("text", "[1] The note."),
        ("text", "one  \ntwo"),
    ]


def test_nothing_is_lost_when_a_construct_is_broken() -> None:
    text = "Title\n=====\n\n+---+\n| broken |\n+-\n\nUnclosed *emphasis and ``code\n\n- list\nno blank line\n\n"
    text += ".. code-block:: python\n   x = 1\n"
    whole = "\n".join(block.text for block in blocks_of(text))
    for word in ("broken", "emphasis", "code", "list", "no blank line", "x = 1"):
        assert word in whole


@pytest.mark.parametrize(
    "text",
    [
        "- " * 3_000 + "x",
        "\n".join(" " * depth + "- x\n" for depth in range(0, 400, 2)),
        ".. note:: " * 500 + "x",
        "`" * 20_000 + "x",
        "*a " * 20_000,
        "+---" * 400 + "+\n" + "| a " * 400 + "|\n" + "+---" * 400 + "+\n",
        "*" * 20_000 + "x",
        "|a" * 20_000,
        "x" * 200_000,
        "=" * 300 + "\n" + "t" * 300 + "\n" + "=" * 300,
        ".. |a| replace:: |b|\n.. |b| replace:: |a|\n\n|a|\n",
    ],
)
def test_odd_input_is_kept_and_never_raises(text: str) -> None:
    page = read_rst("x.rst", text)
    assert page is not None
    assert page.blocks


def test_a_text_without_words_is_no_page() -> None:
    assert read_rst("x.rst", " \n\n") is None
    assert read_rst("x.rst", ".. toctree::\n\n   a\n") is None


def test_text_files_are_read_only_when_they_hold_rst() -> None:
    page = read_text("docs/topics/auth.txt", "Using auth\n==========\n\n:mod:`django` has it.\n")
    assert page is not None
    assert page.title == "Using auth"
    assert read_text("docs/x.txt", ".. note:: Only this.\n") is not None
    assert read_text("docs/x.txt", "alpha==1.0\nbeta>=2\n") is None
    assert read_text("docs/x.txt", "Just\nsome words.\n") is None


def test_the_reader_goes_by_the_name_of_the_file() -> None:
    assert reader_for("docs/a.rst") is read_rst
    assert reader_for("docs/A.RST") is read_rst
    assert reader_for("docs/a.txt") is read_text
    for name in ("docs/requirements.txt", "docs/spelling_wordlist.txt", "x.egg-info/SOURCES.txt", "robots.txt", "x.py"):
        assert reader_for(name) is None


def test_line_breaks_and_marks_of_other_systems_change_nothing() -> None:
    text = "Title\n=====\n\nText.\n"
    expected = page_of(text)
    for other in ("\ufeff" + text, text.replace("\n", "\r\n"), text.replace("\n", "\r")):
        assert read_rst("docs/page.rst", other) == expected


def test_a_line_ends_at_a_line_break_only() -> None:
    text = "Title\n=====\n\n* One\u2028two\x85three.\n\n::\n\n    x = 'a\x0bb\x1ec'\n    y\n"
    assert [block.text for block in page_of(text).blocks][1:] == ["- One two three.", "```python\nx = 'a b c'\ny\n```"]


def test_docutils_is_not_loaded_to_match_file_names_and_stays_as_it_was_after_a_page() -> None:
    code = (
        "import sys\n"
        "from docs_researcher.docsets.readers.choose import reader_for\n"
        "read = reader_for('a.rst')\n"
        "assert 'docutils' not in sys.modules\n"
        "from docutils.parsers.rst import directives, roles\n"
        "before = directives.directive, roles.role, dict(directives._directives), dict(roles._roles)\n"
        "assert read('a.rst', '.. code-block:: x\\n\\n   y\\n\\n.. role:: z\\n\\n:z:`a`\\n')\n"
        "assert before == (directives.directive, roles.role, dict(directives._directives), dict(roles._roles))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
