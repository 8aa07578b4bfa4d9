"""The best chunks by full-text score are those of one plain statement, however little of it is asked for."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.schema import WEIGHTS
from docs_researcher.docsets.searching import full_text, index
from docs_researcher.docsets.searching.full_text import RANKED, full_text_scores
from docs_researcher.docsets.searching.terms import any_of
from docs_researcher.docsets.sql import rows

Make = Callable[[Mapping[str, str]], Docset]

WORDS = tuple(f"{letter}word" for letter in "abcdefghijklmnopqrstuvwx")
"""The first stands in half of all pages, each further one in fewer."""
CHUNKS = 900


def docset_of_common_and_rare_words(make_docset: Make) -> Docset:
    source = random.Random(5)

    def text() -> str:
        held = [word for place, word in enumerate(WORDS, start=2) if source.random() < 1 / place]
        return " ".join(word for word in held for _ in range(source.randint(1, 4))) or "nothing"

    return make_docset({f"p{number}.md": f"# Page {number}\n\n{text()}\n" for number in range(CHUNKS)})


def plain(docset: Docset, words: tuple[str, ...]) -> dict[int, float]:
    weights = ", ".join(map(str, WEIGHTS))
    select = f"SELECT rowid, bm25(chunks_fts, {weights}) AS score FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY score LIMIT ?"
    return {row[0]: -row[1] for row in rows(docset.index.connection, select, (any_of(words), RANKED))}


def some_words(source: random.Random) -> tuple[str, ...]:
    return tuple(source.sample((*WORDS, "missing", WORDS[3][:-4] + " " + WORDS[4]), source.randint(1, 8)))


def test_the_remembered_scores_of_words_add_up_to_those_of_the_plain_statement(
    make_docset: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "REMEMBERED_SCORES", 2_000)  # so few that they are forgotten now and then
    monkeypatch.setattr(index, "REMEMBERED_WORDS", 5)
    docset = docset_of_common_and_rare_words(make_docset)
    source = random.Random(6)
    for _ in range(150):
        words = some_words(source)
        assert list(full_text_scores(docset.index, words).items()) == list(plain(docset, words).items())
        assert 0 < docset.index.count_of_scores <= 2_000
        assert 0 < len(docset.index.frequencies) <= 5


def test_asking_for_rare_words_first_gives_the_chunks_and_scores_of_the_plain_statement(
    make_docset: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full_text, "ADDED", -1)
    docset = docset_of_common_and_rare_words(make_docset)
    source = random.Random(6)
    statements: list[str] = []

    def note(cursor: object, sql: str, bindings: object) -> bool:
        statements.append(sql)
        return True

    for _ in range(150):
        words = some_words(source)
        expected = plain(docset, words)
        docset.index.connection.exec_trace = note
        found = full_text_scores(docset.index, words)
        docset.index.connection.exec_trace = None
        assert list(found.items()) == list(expected.items())
    rare = sum(" IN (" in sql and "NOT IN" not in sql for sql in statements)
    rest = sum("NOT IN" in sql for sql in statements)
    assert rare > rest > 0, "both must have been tried: that rare words are enough, and that they are not"


def test_no_words_find_nothing(make_docset: Make) -> None:
    docset = make_docset({"a.md": "# A\n\nword\n"})
    assert full_text_scores(docset.index, ("absent",)) == {}
