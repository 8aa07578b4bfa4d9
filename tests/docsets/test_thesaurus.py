"""What documentation calls the things that a question describes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.core.errors import ConfigurationError
from docs_researcher.docsets.build import build_docset
from docs_researcher.docsets.compile_thesaurus import compile_file
from docs_researcher.docsets.sources.folder import FolderSource
from docs_researcher.docsets.store import Store
from docs_researcher.docsets.thesaurus import COMPILED, LIKELY, MAYBE, Thesaurus, thesaurus

PAGES = {
    "cancellation.md": "# Cancellation\n\nCall `revoke` with the id to cancel it; `terminate=True` aborts at once.\n",
    "jobs.md": "# Jobs\n\nA job is put on the belt with `push`. Jobs that are running are shown by `belt list`.\n",
    "belts.md": "# Belts\n\nA belt holds what was pushed until a hand takes it.\n",
    "hands.md": "# Hands\n\nEvery hand takes from one belt and rests between two takes.\n",
}

Search = Callable[[str], list[str]]


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
    known = Thesaurus((("timeout",), ("cancel",)), {"wait": ((frozenset({"stop"}), 0),), "stop": ((frozenset(), 1),)})
    assert known.terms_for({"stop", "wait", "job"}) == {"timeout": LIKELY, "cancel": MAYBE}
    assert known.terms_for({"wait", "job"}) == {}


def test_a_term_has_the_weight_of_its_surest_wording() -> None:
    known = Thesaurus((("cancel",), ("cancel", "abort")), {"stop": ((frozenset(), 0), (frozenset({"job"}), 1))})
    assert known.terms_for({"stop", "job"}) == {"cancel": LIKELY, "abort": LIKELY}


def test_what_is_shipped_is_what_the_source_says() -> None:
    assert COMPILED.read_text(encoding="utf-8") == compile_file()
    assert len(thesaurus().terms) > 300


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
    source = tmp_path / "thesaurus.txt"
    source.write_text(f"# comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"thesaurus\.txt, line 3") as caught:
        compile_file(source)
    assert why in str(caught.value.why)
