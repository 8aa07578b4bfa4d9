"""Names, codes and quoted messages that stand nowhere are told, so that nobody takes what was found for their explanation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docs_researcher.docsets.file import Docset

Make = Callable[[dict[str, str]], Docset]

PAGES = {
    "docs/errors.md": """# Errors

## Codes

`ERR_BAD_OPTION` says that an option is wrong. `ECONNREFUSED` says that nobody answers.

## Messages

The message `Cannot read the widget of a closed door` comes from `openDoor`.
""",
    "docs/doors.md": "# Doors\n\n## openDoor\n\nOpens a door. Bad options of a door are refused with an error.\n",
}


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("what does ERR_BAD_OPTION mean", ()),
        ("what does ERR_BAD_SIGNATURE mean", ("ERR_BAD_SIGNATURE",)),
        ("ECONNRESET error", ("ECONNRESET",)),
        ("TS2345 in openDoor", ("TS2345",)),
        ("openDoor or closeDoor", ("closeDoor",)),
        ('error "Cannot read the widget of a closed gate"', ()),
        ('error "Maximum update depth exceeded"', ("Maximum update depth exceeded",)),
        ("how do I open a window", ()),
    ],
)
def test_what_stands_nowhere_is_named(make_docset: Make, question: str, absent: tuple[str, ...]) -> None:
    assert make_docset(PAGES).search(question).absent == absent


def test_what_stands_nowhere_is_named_where_nothing_is_found(make_docset: Make) -> None:
    result = make_docset(PAGES).search("ERR_SNOWED_UNDER")
    assert result.absent == ("ERR_SNOWED_UNDER",)


def test_the_librarys_own_name_is_never_missing(make_docset: Make) -> None:
    docset = make_docset(PAGES)
    assert docset.search(f"{docset.meta.title.upper()}  door").absent == ()
