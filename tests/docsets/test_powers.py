"""Raised text in every format: an exponent stays one, and nothing else gets a mark."""

from __future__ import annotations

import pytest

from docs_researcher.docsets.readers.choose import reader_for


def shown(path: str, text: str) -> str:
    reader = reader_for(path)
    assert reader is not None
    page = reader(path, text)
    assert page is not None
    return "\n".join(block.text for block in page.blocks[1:])


TAGGED = "At most 2<sup>31</sup> - 1, n<sup>k-1</sup>, (a+b)<sup>2</sup>, 10<sup>-6</sup>, the 1<sup>st</sup> word."
ROLES = r"At most 2\ :sup:`31` - 1, n\ :sup:`k-1`, (a+b)\ :sup:`2`, 10:sup:`-6`, the 1\ :sup:`st` word."


@pytest.mark.parametrize(
    ("path", "text"),
    [("a.md", f"# A\n\n{TAGGED}\n"), ("a.html", f"<h1>A</h1><p>{TAGGED}</p>"), ("a.rst", f"A\n=\n\n{ROLES}\n")],
)
def test_a_power_is_shown_as_one(path: str, text: str) -> None:
    assert shown(path, text) == "At most 2^31 - 1, n^k-1, (a+b)^2, 10^-6, the 1st word."


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "# A\n\nA word<sup>1</sup> and `2<sup>31</sup>`, H<sub>2</sub>O.\n", "A word1 and `2<sup>31</sup>`, H2O."),
        ("a.html", "<h1>A</h1><p>A word<sup>1</sup>, <code>2<sup>31</sup></code>, 2<sup>", "A word1, `2^31`, 2"),
        ("a.rst", "A\n=\n\nAcme\\ :sup:`TM` and H\\ :sub:`2`\\ O.\n", "AcmeTM and H2O."),
    ],
)
def test_other_raised_text_is_left_as_it_is(path: str, text: str, expected: str) -> None:
    assert shown(path, text) == expected
