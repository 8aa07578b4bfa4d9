"""What a search favours beside the words of a text: the version asked for, names found whole, guides before everything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.searching.identifiers import asked_identifiers, is_called
from docs_researcher.docsets.searching.versions import AskedVersions, asked_versions

Make = Callable[[dict[str, str]], Docset]

UPGRADE = """# V{new} Migration Guide

How to go from {old} to {new}.

## Breaking changes

The option `old{new}` is gone. The logger of {old} has another signature.
"""
UPGRADES = {f"docs/guides/migration-guide-v{new}.md": UPGRADE.format(old=new - 1, new=new) for new in (3, 4, 5)}
OTHERS = {
    "docs/hooks.md": "# Hooks\n\nFrom 3 to 5 hooks run for each request, 4 of them before it is parsed.\n",
    "docs/logger.md": "# Logger\n\nA logger writes lines.\n",
}


@pytest.mark.parametrize(
    ("question", "new", "old"),
    [
        ("frob 4 to 5", (5,), (4,)),
        ("move from v3 to v4", (4,), (3,)),
        ("frob 4.x -> 5.0", (5,), (4,)),
        ("upgrade to frob 7", (7,), None),
        ("migrate to v2.1", (2, 1), None),
        ("what is new in frob 2.11.0?", (2, 11), None),
    ],
)
def test_the_versions_of_a_question_about_an_upgrade_are_known(
    question: str, new: tuple[int, ...], old: tuple[int, ...] | None
) -> None:
    assert asked_versions(question, ("frob",)) == AskedVersions(new, old)


@pytest.mark.parametrize(
    "question",
    ["resize from 3 to 5", "retry 3 to 5 times", "frob with 2 workers", "how do I migrate a database", "use port 3000 in frob"],
)
def test_numbers_that_are_no_versions_are_left_alone(question: str) -> None:
    assert asked_versions(question, ("frob",)) is None


@pytest.mark.parametrize(
    ("title", "heading", "path", "fits"),
    [
        ("V5 Migration Guide", "", "docs/Migration-Guide-V5.md", True),
        ("Migrate Frob 4.x to 5.0", "Codemods", "docs/24-migration-guide-5-0.mdx", True),
        ("Updating from v4", "", "docs/upgrading/v4.md", True),
        ("Changes", "Version 5.0.0 > Removed", "CHANGES.rst", True),
        ("Upgrading", "", "docs/upgrading/v5.md", True),
        ("V4 Migration Guide", "", "docs/Migration-Guide-V4.md", False),
        ("Migrate Frob 5.x to 6.0", "", "docs/25-migration-guide-6-0.mdx", False),
        ("Adoption", "5. Boot the app", "docs/adoption.md", False),
        ("Hooks", "", "docs/hooks.md", False),
    ],
)
def test_a_page_fits_by_the_version_that_it_leads_to(title: str, heading: str, path: str, fits: bool) -> None:
    assert (AskedVersions((5,), (4,)).fit(title, heading, path) > 0) is fits


@pytest.mark.parametrize("new", [3, 4, 5])
@pytest.mark.parametrize(
    "question", ["shop {old} to {new}", "shop v{old} to v{new}", "upgrade to shop {new}", "migrate to v{new}"]
)
def test_an_upgrade_is_answered_from_its_own_guide(make_docset: Make, question: str, new: int) -> None:
    docset = make_docset({**UPGRADES, **OTHERS})
    asked = question.format(old=new - 1, new=new).replace("shop", docset.meta.title)
    assert docset.search(asked).hits[0].path == f"docs/guides/migration-guide-v{new}.md"


def test_names_of_code_are_known_in_a_question() -> None:
    assert asked_identifiers("what does useEffect(fn) do after model_dump") == {"useeffect", "model_dump"}
    assert asked_identifiers("give it a .default() value") == {"default"}
    assert asked_identifiers("memo") == {"memo"}
    assert asked_identifiers("show a spinner") == frozenset()


def test_a_name_is_found_whole_in_a_heading() -> None:
    assert is_called("z.ZodDefault / z.prefault", frozenset({"prefault"}))
    assert not is_called("useLayoutEffect", frozenset({"useeffect"}))


@pytest.mark.parametrize("asked", ["useQuery", "useQueries", "useEffect", "useLayoutEffect"])
def test_a_name_asked_for_beats_those_that_only_contain_it_or_share_its_stem(make_docset: Make, asked: str) -> None:
    names = ("useQueries", "useQuery", "useLayoutEffect", "useEffect")
    pages = {f"docs/{name}.md": f"# Hooks\n\n## {name}\n\nSee {' and '.join(names)}. {name} runs.\n" for name in names}
    assert make_docset(pages).search(asked).hits[0].path == f"docs/{asked}.md"


def test_what_a_guide_says_comes_before_programs_that_use_it(make_docset: Make) -> None:
    program = "# Example: {0}\n\n```py\nclient = Client()\nclient.stream(response)\n```\n"
    programs = {f"examples/stream_{number}.md": program.format(f"stream {number}") for number in range(30)}
    docset = make_docset(
        {"README.md": "# Client\n\n## Stream a response\n\nPass `stream` to get a response as it comes.\n", **programs}
    )
    assert docset.search("stream a response").hits[0].path == "README.md"
