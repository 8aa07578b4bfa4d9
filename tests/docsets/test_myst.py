"""MyST: directives in fences, roles, targets, and reStructuredText inside; blocks of pymdownx; template tags."""

from typing import Any

import pytest

from docs_researcher.docsets.readers.base import Block
from docs_researcher.docsets.readers.markdown import read_markdown


def blocks_of(text: str, path: str = "page.md") -> list[Block]:
    page = read_markdown(path, text)
    return list(page.blocks) if page else []


def texts_of(text: str) -> list[str]:
    return [block.text for block in blocks_of(text)]


PAGE = """\
(commands)=

# Commands

{.hide-header}

See {doc}`/entry-points`, {func}`~click.echo` and {ref}`the options <options>`; `{not}` and `a role` stay.

```{currentmodule} click
```

```{eval-rst}
.. click:example::

    @click.command()
    def cli():
        click.echo("hi")

.. function:: echo(message)

    Prints :class:`str`.
```

## Next

```{list-table}
:header-rows: 1

* - Name
  - Use
* - echo
  - prints
```
"""


def test_reststructuredtext_in_a_fence_is_read_as_such() -> None:
    assert texts_of(PAGE) == [
        "# Commands",
        "See entry points, `echo()` and the options; `{not}` and `a role` stay.",
        '```python\n@click.command()\ndef cli():\n    click.echo("hi")\n```',
        "## `echo(message)`",
        "Prints `str`.",
        "## Next",
        "| Name | Use |\n| --- | --- |\n| echo | prints |",
    ]


def test_blocks_of_a_fence_stand_on_their_lines() -> None:
    lines = PAGE.split("\n")
    found = {block.text.split("\n")[0]: block.line for block in blocks_of(PAGE)}
    assert lines[found["```python"] - 1] == "    @click.command()"
    assert lines[found["Prints `str`."] - 1] == "    Prints :class:`str`."
    assert lines[found["## Next"] - 1] == "## Next"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```{note} Mind\n:class: x\n\nText.\n```", ["**Note: Mind**", "Text."]),
        ("```{versionadded} 8.2\nNow faster.\n```", ["**Added in version 8.2**", "Now faster."]),
        ("````{tab-set}\n```{tab-item} npm\n`npm i`\n```\n````", ["**npm**", "`npm i`"]),
        ("```{code-block} python\n:linenos:\n\nx = 1\n```", ["```{code-block} python\n\nx = 1\n```"]),
        ("```{python}\nx = 1\n```", ["```{python}\nx = 1\n```"]),
        ("```{r} plot-1\nplot(x)\n```", ["```{r} plot-1\nplot(x)\n```"]),
        ("```{image} logo.svg\n:alt: A logo\n```\n\nText.", ["A logo", "Text."]),
        ("/// note | Mind\n    open: True\n\nText.\n///", ["**Note: Mind**", "Text."]),
        ("/// version-added | v2.5\n///\n\nText.", ["**Version added: v2.5**", "Text."]),
        ('{% tab title="npm" %}\n\nText.\n\n{% endtab %}', ["**npm**", "Text."]),
        ("{: .warning }\nText.", ["Text."]),
    ],
)
def test_what_dresses_a_page_goes_and_its_text_stays(text: str, expected: list[str]) -> None:
    assert texts_of(text) == expected


@pytest.mark.parametrize("text", ["Comments begin with `///`.", "(See below)", "Use {name} here.", "A {% tag %} inside."])
def test_prose_that_only_looks_alike_stays(text: str) -> None:
    assert texts_of(text) == [text]


def test_code_that_looks_like_a_directive_is_untouched() -> None:
    code = "```md\n(target)=\n\n/// note\n{% tag %}\n{doc}`x`\n///\n```"
    assert texts_of(code) == [code]


def test_a_file_that_is_not_there_is_no_code() -> None:
    page = read_markdown("a.md", "# A\n\n```{include} ../GONE.md\n```\n\n```{literalinclude} x/gone.py\n:lines: 1-3\n```\n")
    assert page is not None
    assert [block.text for block in page.blocks] == ["# A", "Code: `x/gone.py`"]


def test_a_reference_shows_the_title_of_the_section_that_its_label_stands_above(make_docset: Any) -> None:
    pages = {
        "docs/guide.md": "# Guide\n\n(how)=\n(custom-validators)=\n\n## *Writing* your `own` validators\n\nSome words.\n",
        "docs/index.md": "# Start\n\nWhere to begin: {ref}`custom-validators`, {ref}`these <how>` and {ref}`not-there`.\n",
    }
    text = make_docset(pages).page("docs/index.md").content
    assert "Where to begin: Writing your own validators, these and not there." in text


def test_a_comment_is_not_shown_and_a_percent_sign_elsewhere_is(make_docset: Any) -> None:
    pages = {"docs/a.md": "# A\n\n% one line\n% and another\n\nSee {func}`a.b`. 5\n% of it.\n\n```\n% code\n```\n"}
    text = make_docset(pages).page("docs/a.md").content
    assert text == "See `a.b()`. 5\n\n```\n% code\n```"
    plain = make_docset({"docs/a.md": "# A\n\n% of all words\n"}).page("docs/a.md").content
    assert plain == "% of all words"


def test_a_doctest_is_code_of_python_and_what_prepares_it_is_not_shown() -> None:
    text = "# Use\n\n```{testsetup}\nimport x\n```\n\n```{doctest} group\n>>> 1 + 1\n2\n```\n"
    assert texts_of(text) == ["# Use", "```pycon\n>>> 1 + 1\n2\n```"]
    assert blocks_of(text)[1].language == "pycon"


def test_a_picture_in_a_heading_is_no_part_of_its_title() -> None:
    [heading] = blocks_of('# <img src="x.png" alt="Logo"> Turbine: fast\n')
    assert heading.title == "Turbine: fast"
    [alone] = blocks_of('# <img src="x.png" alt="Turbine">\n')
    assert alone.title == "(Image: Turbine)"
