"""What short questions find: the plain case before special ones, guides before references, each of the names that are joined."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from docs_researcher.docsets.building.chunks import chunk_page
from docs_researcher.docsets.building.write import write_docset
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.readers.markdown import read_markdown
from docs_researcher.docsets.searching.basics import is_basic
from docs_researcher.docsets.searching.identifiers import is_joined, joined_words
from docs_researcher.docsets.searching.joined_names import joined_names
from docs_researcher.docsets.sources.base import SourceInfo

Make = Callable[[dict[str, str]], Docset]

PARTS = {f"docs/part-{n}.md": f"# Part {n}\n\n## Wheel {n}\n\nA wheel turns {n} times.\n" for n in range(12)}


def leaf(docset: Docset, question: str) -> str:
    """The last of the heading path of the first result."""
    return docset.search(question).hits[0].heading.rpartition(" > ")[2]


@pytest.mark.parametrize(
    "heading", ["Usage", "Basic usage", "Simple server", "Getting started", "Quickstart", "Binary data / Simple server"]
)
def test_a_section_on_the_basics_is_known_by_its_heading(heading: str) -> None:
    assert is_basic(heading)


@pytest.mark.parametrize(
    "heading", ["Server broadcast", "An example", "Advanced usage notes", "Usage statistics of workers", "Firstly"]
)
def test_other_sections_are_not(heading: str) -> None:
    assert not is_basic(heading)


def test_the_plain_case_comes_before_special_ones(make_docset: Make) -> None:
    plain = "# Things\n\n## Simple kettle\n\nBoil water in a kettle. Fill it, close it, and wait until it whistles.\n"
    special = "# Things\n\n## {} kettle\n\nBoil water in a kettle {}. It whistles.\n"
    kinds = {"Travel": "on a journey", "Wireless": "by a signal", "Camping": "outside"}
    pages = {f"docs/{kind.lower()}.md": special.format(kind, how) for kind, how in kinds.items()}
    assert leaf(make_docset({**pages, "docs/plain.md": plain, **PARTS}), "boil water in a kettle") == "Simple kettle"


def test_a_generic_verb_does_not_decide_between_sections(make_docset: Make) -> None:
    pages = {
        "docs/parcels.md": "# Post\n\n## Parcel\n\nOpen a parcel, weigh the parcel and hand out the parcel.\n",
        "docs/labels.md": "# Post\n\n## Customs\n\nCreate a label for the parcel. Create it anew when the parcel returns.\n",
        **PARTS,
    }
    assert leaf(make_docset(pages), "create a parcel") == "Parcel"


def test_words_that_a_name_joins_find_that_name(tmp_path: Path) -> None:
    query = (
        "# acme.query\n\n## Query.left_join\n\nPuts the rows of a table beside those of another, with nulls where none match.\n"
    )
    kinds = "# acme.kinds\n\n## JoinType\n\nA left join. To join left, a left join.\n"
    pages = {"acme/query.py": query, "acme/kinds.py": kinds, **PARTS}
    read = [page for page in (read_markdown(path, text) for path, text in pages.items()) if page is not None]
    info = SourceInfo("acme", "1.0.0", "/npm/acme", purl="pkg:npm/acme@1.0.0", title="Acme")
    write_docset(tmp_path / "acme.db", info, [(page, chunk_page(page)) for page in read])
    with Docset.open(tmp_path / "acme.db") as docset:
        assert docset.search("left join").hits[0].path == "acme/query.py"


def test_neighbouring_words_are_tried_as_one_name() -> None:
    assert is_joined("SelectQueryBuilder.leftJoin", joined_words("how do I do a left join"))
    assert is_joined("wait.wait_random_exponential", joined_words("wait random exponential"))
    assert not is_joined("Select.leftJoinLateral", joined_words("left join"))


def test_a_title_in_two_words_is_meant_by_one(make_docset: Make) -> None:
    pages = {
        "docs/zones.md": "# Time zones\n\nClocks of the world differ. Say which clock with a timezone.\n",
        **{f"docs/call-{n}.md": f"# Call {n}\n\nPasses a timezone on. The timezone is of the caller.\n" for n in range(9)},
    }
    assert make_docset(pages).search("timezone").hits[0].path == "docs/zones.md"


def test_a_guide_comes_before_the_reference_of_the_same_name(make_docset: Make) -> None:
    text = "# Drafting\n\n## Draft a letter\n\nDraft a letter from a model. The draft is kept.\n"
    listed = f"{text}\n\nTo draft is to draft a letter.\n"
    docset = make_docset({"docs/api/drafting.md": listed, "docs/drafting.md": text, **PARTS})
    assert docset.search("draft a letter").hits[0].path == "docs/drafting.md"


@pytest.mark.parametrize(
    "page", ["contributing.md", "copyright.md", "announce/first.md", "deprecations.md", "development/vectors.md"]
)
def test_pages_on_the_project_come_after_those_on_its_use(make_docset: Make, page: str) -> None:
    text = "# Pages\n\n## Ask for a change\n\nWhoever wants a change asks for a change.\n"
    docset = make_docset({f"docs/{page}": f"{text}\n\nAsk for a change. Ask for more.\n", "docs/use/change.md": text, **PARTS})
    assert docset.search("how do I ask for a change of plans").hits[0].path == "docs/use/change.md"


@pytest.mark.parametrize("title", ["Release history", "Version history", "Changelog"])
def test_a_page_called_so_is_release_notes_wherever_it_lies(make_docset: Make, title: str) -> None:
    said = "A pipe is cut with a saw."
    pages = {
        "docs/all.md": f"# {title}\n\n## 2.0\n\n{said} {said} Cut a pipe.\n",
        "docs/saw.md": f"# Tools\n\n## Work\n\n{said} It may be cut on both sides.\n",
    }
    assert make_docset({**pages, **PARTS}).search("cut a pipe with a saw").hits[0].path == "docs/saw.md"


class TestStopWordsThatAreNames:
    """`get` says nothing in a sentence and everything in "lodash get"."""

    PAGES: ClassVar = {
        "docs/calls.md": "# Calls\n\n## get(path)\n\nReads what is there.\n\n## put(path)\n\nWrites it.\n",
        **PARTS,
    }

    def test_the_heading_of_that_name_is_found(self, make_docset: Make) -> None:
        docset = make_docset(self.PAGES)
        result = docset.search(f"{docset.meta.title} get")
        assert "get(path)" in result.hits[0].heading
        assert result.terms == ("get",)

    def test_in_a_sentence_the_verb_is_left_out(self, make_docset: Make) -> None:
        assert make_docset(self.PAGES).search("how does a wheel get").terms == ("wheel",)

    def test_what_the_library_writes_so_is_found_where_no_heading_is_called_so(self, make_docset: Make) -> None:
        pages = {
            "README.md": "# Acme\n\n## Ask\n\nCall `saw.use(blade)` once.\n\n## Rest\n\nA saw hangs. A saw rusts. A saw cuts.\n",
            **PARTS,
        }
        result = make_docset(pages).search("saw use")
        assert "saw.use" in result.terms
        assert "Ask" in result.hits[0].heading


class TestJoinedNames:
    """ "useState and useEffect" asks for two things."""

    @pytest.mark.parametrize(
        ("question", "names"),
        [
            ("useState and useEffect", ("useState", "useEffect")),
            ("How do I use useMemo, useCallback and memo?", ("useMemo", "useCallback", "memo")),
            ("debounce() vs throttle()", ("debounce", "throttle")),
            ("what is the difference between BaseModel and RootModel", ("BaseModel", "RootModel")),
        ],
    )
    def test_they_are_known(self, question: str, names: tuple[str, ...]) -> None:
        assert joined_names(question) == names

    @pytest.mark.parametrize(
        "question",
        [
            "read and write files",
            "client/server",
            "useState",
            "run a spider from a script with CrawlerProcess or AsyncCrawlerProcess",
        ],
    )
    def test_other_questions_join_none(self, question: str) -> None:
        assert joined_names(question) == ()

    def test_each_of_them_comes_before_what_names_both(self, make_docset: Make) -> None:
        both = "Call openDoor, closeDoor. Then openDoor and closeDoor again.\n"
        docset = make_docset(
            {
                "docs/open.md": "# Doors\n\n## openDoor\n\nOpens a door that was shut by somebody who had no key.\n",
                "docs/close.md": "# Doors\n\n## closeDoor\n\nShuts a door that was left open by somebody in a hurry.\n",
                "docs/tips.md": f"# Tips on openDoor\n\n## With closeDoor\n\n{both}",
                **PARTS,
            }
        )
        assert {hit.path for hit in docset.search("openDoor and closeDoor").hits[:2]} == {"docs/open.md", "docs/close.md"}


def test_all_sections_of_the_guide_to_an_upgrade_come_before_other_pages(make_docset: Make) -> None:
    steps = "".join(f"## {n}. Replace part {n}\n\n{f'Part {n} was replaced by another one. ' * 40}\n\n" for n in range(1, 6))
    pages = {"docs/migrating.md": f"# Migrating from 7 to 8\n\n{steps}"}
    pages |= {f"docs/part-{n}.md": f"# Part {n}\n\nTo be migrated from 7 to 8, part {n}.\n" for n in range(8)}
    hits = make_docset(pages).search("migrating from 7 to 8", limit=6).hits
    assert [len(hit.chunks) for hit in hits if hit.path == "docs/migrating.md"] == [5]
