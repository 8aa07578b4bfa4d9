"""What documentation calls the things that a question describes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.docsets.acquiring.build import build_docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.searching.compile_thesaurus import compile_folder
from docs_researcher.docsets.searching.thesaurus import COMPILED, LIKELY, MAYBE, OFTEN, RARE, RARELY, Thesaurus, thesaurus
from docs_researcher.docsets.sources.folder import FolderSource

PAGES = {
    "cancellation.md": "# Cancellation\n\nCall `revoke` with the id to cancel it; `terminate=True` aborts at once.\n",
    "jobs.md": "# Jobs\n\nA job is put on the belt with `push`. Jobs that are running are shown by `belt list`.\n",
    "belts.md": "# Belts\n\nA belt holds what was pushed until a hand takes it.\n",
    "hands.md": "# Hands\n\nEvery hand takes from one belt and rests between two takes.\n",
}

Search = Callable[[str], list[str]]


def some(word: str) -> float:
    """A word that some chunks hold, neither few nor many."""
    return 0.1


@pytest.fixture
def pages_for(home: Path, tmp_path: Path) -> Search:
    """The pages of a small library in the order in which a search finds them."""
    folder = tmp_path / "beltway"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    store = Store(home)
    docset = store.open(build_docset(FolderSource(folder, name="beltway"), store).installed)
    return lambda question: [hit.path for hit in docset.search(question).hits]


def test_a_page_is_found_by_what_a_question_describes(pages_for: Search) -> None:
    assert "cancellation.md" in pages_for("kill a job halfway")


def test_the_words_of_the_question_itself_weigh_more(pages_for: Search) -> None:
    assert pages_for("how do I stop a hand")[0] == "hands.md"


def test_a_wording_of_several_words_needs_all_of_them() -> None:
    known = Thesaurus(("timeout", "cancel"), {"wait": "stop 0", "stop": "1"})
    assert known.terms_for({"stop", "wait", "job"}, some) == {"timeout": LIKELY, "cancel": MAYBE}
    assert known.terms_for({"wait", "job"}, some) == {}


def test_a_term_has_the_weight_of_its_surest_wording() -> None:
    known = Thesaurus(("cancel", "cancel, abort"), {"stop": "0, job 1"})
    assert known.terms_for({"stop", "job"}, some) == {"cancel": LIKELY, "abort": LIKELY}


@pytest.mark.parametrize(("share", "weight"), [(0.0, RARE), (RARELY, MAYBE), (OFTEN, MAYBE)])
def test_a_word_that_a_library_often_says_itself_tells_less(share: float, weight: float) -> None:
    known = Thesaurus(("cancel",), {"stop": "0"})
    assert known.terms_for({"stop"}, lambda _: share) == {"cancel": weight}


def test_a_word_that_most_of_a_library_says_stands_for_nothing_else_by_itself() -> None:
    known = Thesaurus(("cancel",), {"stop": "0, job 0"})
    assert known.terms_for({"stop"}, lambda _: 0.5) == {}
    assert known.terms_for({"stop", "job"}, lambda _: 0.5) == {"cancel": LIKELY}


def test_what_is_shipped_is_what_the_source_says() -> None:
    assert COMPILED.read_text(encoding="utf-8") == compile_folder()
    assert len(thesaurus().terms) > 1_000


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("stop the job", "wording, wording | term, term"),
        ("stop the job |", "wording, wording | term, term"),
        ("stop the job | cancel, Cancel", "each term once"),
        ("what is it | cancel", "no word that a search would keep"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: str, why: str) -> None:
    (tmp_path / "belts.txt").write_text(f"# comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"belts\.txt, line 3") as caught:
        compile_folder(tmp_path)
    assert why in str(caught.value.why)
