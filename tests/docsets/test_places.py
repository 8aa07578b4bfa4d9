"""One file that several folders of a documentation publish: each shows its own part of it."""

from __future__ import annotations

from typing import Any

import pytest

from docs_researcher.docsets.readers.places import shown_at, shown_only_at

KNOWN = frozenset({"app", "pages"})
SHARED = """\
---
title: Sign in
---

Words that both show.

## Forms

<AppOnly>

Use a Server Action.

</AppOnly>

<PagesOnly>

Use an API route.

```tsx
export const code = "<AppOnly>"
```

</PagesOnly>

## Cookies

The same in both.
"""


def test_a_page_shows_what_its_folder_shows(make_docset: Any) -> None:
    docset = make_docset({"docs/01-app/sign-in.mdx": SHARED, "docs/02-pages/other.mdx": "# Other\n\nWords.\n"})
    text = docset.page("docs/01-app/sign-in.mdx").content
    assert "Use a Server Action." in text
    assert "API route" not in text


def test_a_page_that_points_to_another_shows_what_that_one_leaves_out(make_docset: Any) -> None:
    pointer = "---\ntitle: Sign in\nsource: app/sign-in\n---\n\n{/* DO NOT EDIT */}\n"
    docset = make_docset({"docs/01-app/sign-in.mdx": SHARED, "docs/02-pages/sign-in.mdx": pointer})
    text = docset.page("docs/02-pages/sign-in.mdx").content
    assert "Use an API route." in text
    assert 'export const code = "<AppOnly>"' in text
    assert "Server Action" not in text
    assert "The same in both." not in text
    (piece,) = [piece for piece in docset.pieces() if piece.path == "docs/02-pages/sign-in.mdx"]
    assert (piece.heading, piece.anchor) == ("Forms", "forms")


def test_a_page_that_points_to_one_which_says_the_same_everywhere_is_no_page(make_docset: Any) -> None:
    pointer = "---\ntitle: Other\nsource: app/other\n---\n"
    files = {"docs/app/a.mdx": SHARED, "docs/app/other.mdx": "# Other\n\nWords.\n", "docs/pages/other.mdx": pointer}
    assert [path for path, _ in make_docset(files).pages()] == ["docs/app/a.mdx", "docs/app/other.mdx"]


def test_a_page_in_neither_folder_shows_both_parts(make_docset: Any) -> None:
    files = {"docs/sign-in.mdx": SHARED, "docs/app/a.mdx": "# A\n\nWords.\n", "docs/pages/b.mdx": "# B\n\nWords.\n"}
    text = make_docset(files).page("docs/sign-in.mdx").content
    assert "Use a Server Action." in text
    assert "Use an API route." in text


def test_a_component_that_no_folder_is_called_like_is_left_alone(make_docset: Any) -> None:
    text = "# A\n\n<ClientOnly>\n\nOnly in the browser.\n\n</ClientOnly>\n"
    assert "Only in the browser." in make_docset({"docs/app/a.mdx": text}).page("docs/app/a.mdx").content


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "Edit <AppOnly>`app/page`</AppOnly><PagesOnly>`pages/index`</PagesOnly> now.",
            "Edit <AppOnly>`app/page`</AppOnly> now.",
        ),
        ("Write `<PagesOnly>` here.\n\n</PagesOnly>", "Write `<PagesOnly>` here.\n\n</PagesOnly>"),
        (
            "{/* use <PagesOnly> */}\n\nText.\n\n{/* and </PagesOnly> */}",
            "{/* use <PagesOnly> */}\n\nText.\n\n{/* and </PagesOnly> */}",
        ),
        ("```md\n<PagesOnly>\nx\n</PagesOnly>\n```\n", "```md\n<PagesOnly>\nx\n</PagesOnly>\n```\n"),
        ("<PagesOnly>\nnever closed", "<PagesOnly>\nnever closed"),
        ("a\n<PagesOnly>\nb <PagesOnly>c</PagesOnly>\n</PagesOnly>\nd", "a\n\n\n\nd"),
    ],
)
def test_what_another_place_shows_goes_and_all_lines_stay_where_they_are(text: str, shown: str) -> None:
    found = shown_at("docs/app/a.mdx", text, KNOWN)
    assert found == shown
    assert found.count("\n") == text.count("\n")


def test_of_a_shared_text_the_sections_that_differ_are_kept_with_their_line_numbers() -> None:
    text = shown_only_at("docs/pages/a.mdx", "docs/app/a.mdx", SHARED, KNOWN)
    assert text is not None
    assert [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("##")] == [7]
    assert text.startswith("---\ntitle: Sign in\n---\n")
    assert shown_only_at("docs/pages/a.mdx", "docs/app/a.mdx", "# A\n\nWords.\n", KNOWN) is None
