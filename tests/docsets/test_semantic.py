"""Search by meaning: the tokenizer, how two orders become one, and what is said where the extra or its model is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from docs_researcher.core.errors import SemanticUnavailable
from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.acquiring.keeping import update
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.searching.fusion import blended, fused
from docs_researcher.docsets.sql import rows
from docs_researcher.docsets.vectors.make import add_vectors
from docs_researcher.docsets.vectors.model import DIGEST_VARIABLE, MODEL_VARIABLE, chosen_model_file
from docs_researcher.docsets.vectors.wordpiece import END, START, UNKNOWN, WordPiece
from docs_researcher.library.catalogue import Catalogue

MARKS = ["[PAD]", *(f"[unused{number}]" for number in range(99)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = [*MARKS, "guard", "##s", "route", "don", "'", "t", "cafe", "你", "好", ".", "_"]


def tokens(text: str, limit: int = 100) -> list[str]:
    return [PIECES[id] for id in WordPiece(PIECES).ids(text, limit)[1:-1]]


def test_words_are_cut_into_the_longest_known_pieces() -> None:
    assert tokens("Guards route.") == ["guard", "##s", "route", "."]


def test_a_word_that_cannot_be_made_of_pieces_is_one_unknown_token() -> None:
    assert WordPiece(PIECES).ids("guardx " + "g" * 101, 100) == [START, UNKNOWN, UNKNOWN, END]


def test_case_accents_and_signs_do_not_matter_as_in_the_original() -> None:
    assert tokens("CAFÉ cafe\u0301") == ["cafe", "cafe"]
    assert tokens("don't") == ["don", "'", "t"]
    assert tokens("route_guard\x00") == ["route", "_", "guard"]
    assert tokens("你好") == ["你", "好"]


def test_a_long_text_ends_at_the_limit_with_both_marks() -> None:
    ids = WordPiece(PIECES).ids("route " * 50, 10)
    assert len(ids) == 10
    assert (ids[0], ids[-1]) == (START, END)


def test_a_chunk_that_both_orders_hold_comes_before_one_that_only_one_holds() -> None:
    scores = fused({1: 9.0, 2: 8.0, 3: 7.0}, {3: 0.6, 4: 0.7}, held=0.3)
    assert max(scores, key=scores.__getitem__) == 3
    assert set(scores) == {1, 2, 3, 4}


def test_the_more_of_the_words_is_found_the_less_does_meaning_count() -> None:
    words, meaning = {1: 9.0, 2: 4.0}, {2: 0.6, 3: 0.7}
    some = fused(words, meaning, held=0.1)
    nearly_all = fused(words, meaning, held=0.95)
    assert max(some, key=some.__getitem__) == 2
    assert max(nearly_all, key=nearly_all.__getitem__) == 1


def test_similarities_below_zero_move_nothing() -> None:
    assert fused({1: 9.0}, {2: -0.3, 3: -0.1}, held=0.0) == {1: 1.0, 2: 0.0, 3: 0.0}
    assert fused({}, {}, held=0.0) == {}


def test_what_the_model_and_static_vectors_both_find_near_comes_first() -> None:
    found = blended(lambda question, count: [(1, 0.6), (2, 0.5)], lambda question, count: [(2, 0.3), (3, 0.2)])("how", 2)
    assert [number for number, _ in found] == [2, 1]
    assert found[0][1] == pytest.approx(0.7 * 0.5 + 0.3 * 0.6)


def test_without_one_of_the_two_the_other_decides_alone() -> None:
    model = [(1, 0.6), (2, 0.5)]
    assert blended(lambda question, count: model, None)("how", 2) == model
    assert blended(lambda question, count: [(1, -0.2)], lambda question, count: [(3, 0.2)])("how", 2) == [(3, 0.2)]
    assert [number for number, _ in blended(lambda question, count: model, lambda question, count: [])("how", 2)] == [1, 2]


@pytest.fixture
def store(store: Store, tmp_path: Path) -> Store:
    """The store with the pages of a shop in it."""
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "guards.md").write_text("# Sign-in checks\n\nVisitors see the page only with an account.\n", encoding="utf-8")
    (folder / "routing.md").write_text("# Addresses\n\nA route has an address. Routes are files.\n", encoding="utf-8")
    add_source(str(folder), store=store, catalogue=Catalogue.load(), name="shop")
    return store


def nearest_is(docset: Docset, path: str) -> Callable[[str, int], list[tuple[int, float]]]:
    number = next(place for place, piece in enumerate(docset.pieces(), start=1) if piece.path == path)
    return lambda question, count: [(number, 0.9)]


def test_a_page_without_a_word_of_the_question_is_found_by_meaning(store: Store) -> None:
    from docs_researcher.docsets.searching import search

    docset = store.open(store.installed()[0])
    question = "protect my routes"
    assert "guards.md" not in [hit.path for hit in search.search(docset.index, question).hits]
    found = search.search(docset.index, question, nearest=nearest_is(docset, "guards.md"))
    assert found.hits[0].path == "guards.md"
    assert "routing.md" in [hit.path for hit in found.hits]


def test_where_the_words_are_found_together_meaning_adds_no_page(store: Store) -> None:
    from docs_researcher.docsets.searching import search

    docset = store.open(store.installed()[0])
    found = search.search(docset.index, "route address", nearest=nearest_is(docset, "guards.md"))
    assert [hit.path for hit in found.hits] == ["routing.md"]


def test_a_model_file_that_is_not_there_is_an_error_that_says_what_to_do(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "none.onnx"))
    with pytest.raises(SemanticUnavailable) as caught:
        add_vectors(store.installed()[0], store)
    assert "none.onnx" in caught.value.what
    assert MODEL_VARIABLE in caught.value.next_step


def test_a_model_file_is_used_only_with_the_digest_that_was_expected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    file.write_bytes(b"not the model")
    monkeypatch.setenv(MODEL_VARIABLE, str(file))
    with pytest.raises(SemanticUnavailable) as caught:
        chosen_model_file()
    digest = caught.value.why.rpartition(" ")[2]
    monkeypatch.setenv(DIGEST_VARIABLE, digest)
    assert chosen_model_file().digest == digest


def test_asking_for_meaning_in_a_docset_without_vectors_names_the_command(store: Store) -> None:
    with pytest.raises(SemanticUnavailable) as caught:
        store.open(store.installed()[0]).search("protect my routes", semantic=True)
    assert caught.value.next_step == "Make them: docs-research vectors /local/shop"


def test_vectors_that_cannot_be_used_are_told_and_the_words_still_answer(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "none.onnx"))
    installed = store.installed()[0]
    store.close()
    with_vectors(installed.path)
    result = store.open(installed).search("routes")
    assert [hit.path for hit in result.hits] == ["routing.md"]
    assert result.note.startswith("The vectors of shop are not used.")
    assert store.open(installed).search("routes", semantic=False).note == ""


def test_an_update_that_cannot_make_the_vectors_again_says_so(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(MODEL_VARIABLE, str(tmp_path / "none.onnx"))
    installed = store.installed()[0]
    store.close()
    with_vectors(installed.path)
    (tmp_path / "pages" / "guards.md").write_text("# Gates\n\nVisitors pass with a ticket.\n", encoding="utf-8")
    (done,) = update([installed], store, Catalogue.load())
    assert done.report is not None
    assert "not searched by meaning any more" in done.why
    assert "none.onnx" in done.why


def with_vectors(path: Path) -> None:
    """A docset file as one with vectors looks, whoever made them."""
    import apsw

    from docs_researcher.docsets.schema import VECTORS_TABLE

    connection = apsw.Connection(str(path))
    rows(connection, VECTORS_TABLE)
    rows(connection, "INSERT INTO meta VALUES ('vectors_model', 'of another model')")
    connection.close()
