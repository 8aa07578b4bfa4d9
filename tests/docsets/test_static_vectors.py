"""Search by meaning without a model: the table of word vectors, its arithmetic, and what a docset and a search make of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_researcher.docsets.acquiring.add import add_source
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.sql import one, rows
from docs_researcher.docsets.static_vectors.chunk_vectors import TABLE_KEY, ChunkVectors
from docs_researcher.docsets.static_vectors.lanes import MOST_WORDS, SAMPLED, Lanes, PackedWords
from docs_researcher.docsets.static_vectors.nearest import StaticVectors
from docs_researcher.docsets.static_vectors.planes import Planes
from docs_researcher.docsets.static_vectors.table import DATA, LARGEST, WordTable, prose, word_table
from docs_researcher.library.catalogue import Catalogue
from sample_pages import GUARDS, OTHERS

Build = Callable[..., Path]

SIZE = 16


def random_table(seed: int = 1, size: int = SIZE) -> WordTable:
    source = random.Random(seed)
    words = tuple(f"word{number}" for number in range(40))
    return WordTable.of(size, words, bytes(source.randrange(2 * LARGEST + 1) for _ in range(size * len(words))))


TABLE = random_table()


@given(st.lists(st.integers(0, len(TABLE.words) - 1), min_size=1, max_size=MOST_WORDS))
def test_lanes_give_what_adding_number_by_number_gives(numbers: list[int]) -> None:
    lanes = Lanes(SIZE)
    total = PackedWords(TABLE).sum_of(TABLE.words[number].encode() for number in numbers)
    plain = [sum(TABLE.row(number)[place] - LARGEST for number in numbers) for place in range(SIZE)]
    spread = int((sum(number * number for number in plain[::SAMPLED]) // len(plain[::SAMPLED])) ** 0.5)
    signs, large = lanes.planes(total)
    assert lanes.count(total) == len(numbers)
    assert bits(signs) == [number >= 0 for number in plain]
    assert bits(large) == [number >= spread or number < -spread for number in plain]


def test_lanes_hold_the_most_words_of_the_largest_numbers() -> None:
    for byte in (0, 2 * LARGEST):
        table = WordTable.of(SIZE, ("most",), bytes([byte] * SIZE))
        total = PackedWords(table).sum_of([b"most"] * MOST_WORDS)
        assert Lanes(SIZE).count(total) == MOST_WORDS
        assert bits(Lanes(SIZE).planes(total)[0]) == [byte > 0] * SIZE


def bits(number: int) -> list[bool]:
    return [digit == "1" for digit in format(number, f"0{SIZE}b")]


def test_a_word_is_known_by_itself_its_parts_or_without_its_ending() -> None:
    words = ("cancel", "cache", "get", "props", "query")
    table = WordTable.of(8, words, bytes(8 * len(words)))
    names = {written: [words[row] for row in table.rows_of(written)] for written in ("Cancel", "canceled", "caching", "queries")}
    assert names == {"Cancel": ["cancel"], "canceled": ["cancel"], "caching": ["cache"], "queries": ["query"]}
    assert table.rows_of("getProps") == (2, 3)
    assert table.rows_of("zyx") == ()


def test_code_and_the_targets_of_links_say_nothing_about_a_chunk() -> None:
    text = "Call [it](https://frob.example/page) so:\n\n```py\nhidden()\n```\n\nThen wait."
    assert [word for word in ("frob", "hidden", "Call", "it", "Then", "wait") if word in prose(text)] == [
        "Call",
        "it",
        "Then",
        "wait",
    ]


def test_a_text_of_many_long_identifiers_still_has_a_vector() -> None:
    table = random_table()
    name = "".join(word.title() for word in ("worda", "wordb", "wordc", "wordd"))
    known = WordTable.of(SIZE, ("worda", "wordb", "wordc", "wordd"), table.vectors[: 4 * SIZE])
    vectors = ChunkVectors(known)
    assert vectors.vector("", "", f"{name} " * 200) == vectors.vector("", "", f"{name} " * 20)


def test_the_shipped_table_is_whole_and_names_itself() -> None:
    table = word_table()
    assert WordTable.of(table.size, table.words, table.vectors) == table
    assert table.written() == DATA.read_bytes()
    assert max(table.vectors) <= 2 * LARGEST


def test_a_table_that_is_cut_off_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "words.bin").write_bytes(random_table().written()[:-1])
    with pytest.raises(ValueError, match="cut off"):
        WordTable.read(tmp_path / "words.bin")


@pytest.fixture
def shop(tmp_path: Path) -> Build:
    """Builds the docset of a shop and tells where it lies."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in {"guards": GUARDS, **OTHERS}.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")

    def build(home: str = "home") -> Path:
        store = Store(tmp_path / home)
        add_source(str(folder), store=store, catalogue=Catalogue.load(), name="shop")
        path = store.installed()[0].path
        store.close()
        return path

    return build


@given(st.lists(st.binary(min_size=8, max_size=8), max_size=40), st.binary(min_size=4, max_size=4), st.integers(1, 12))
def test_planes_find_the_vectors_with_the_most_equal_signs(chunks: list[bytes], question: bytes, count: int) -> None:
    signs = [int.from_bytes(chunk[:4], "big") for chunk in chunks]
    wanted = int.from_bytes(question, "big")
    asked = [(number, bool(wanted >> (31 - number) & 1)) for number in range(0, 32, 2)]
    mask = sum(1 << (31 - number) for number, _ in asked)
    distances = [((sign ^ wanted) & mask).bit_count() for sign in signs]
    furthest = sorted(distances)[min(count, len(distances)) - 1] if distances else 0
    expected = [number for number, distance in enumerate(distances) if distance <= furthest]
    assert Planes(b"".join(chunks), 32, 8).most_alike(asked, count) == expected


def test_the_second_question_finds_what_the_first_one_did(shop: Build) -> None:
    with Docset.open(shop()) as docset:
        first = docset.explain("smaller pictures please")
        assert [chunk.similarity for chunk in first.chunks if chunk.similarity is not None]
        assert docset.explain("smaller pictures please") == first


def paths(path: Path, question: str) -> list[str]:
    with Docset.open(path) as docset:
        return [hit.path for hit in docset.search(question).hits]


def change(path: Path, statement: str) -> None:
    connection = apsw.Connection(str(path))
    rows(connection, statement)
    connection.close()


def test_how_do_i_protect_routes_finds_authentication_guards_without_a_model(shop: Build) -> None:
    assert paths(shop(), "How do I protect routes?")[0] == "guards.md"


def test_the_explanation_shows_how_near_a_page_is_by_its_meaning(shop: Build) -> None:
    with Docset.open(shop()) as docset:
        explanation = docset.explain("How do I protect routes?")
    assert explanation.by_meaning
    assert explanation.chunks[0].path == "guards.md"
    assert explanation.chunks[0].similarity is not None
    assert explanation.chunks[0].own == 0


def test_where_the_words_are_found_together_nothing_else_is_found(shop: Build) -> None:
    assert paths(shop(), "pictures cached") == ["images.md"]


def test_a_question_of_unknown_words_finds_nothing(shop: Build) -> None:
    assert paths(shop(), "zyxwv qponm") == []


def test_a_question_about_something_else_finds_nothing(shop: Build) -> None:
    assert paths(shop(), "quantum entanglement") == []


def test_the_same_pages_give_the_same_bytes(shop: Build) -> None:
    assert shop("first").read_bytes() == shop("second").read_bytes()


def test_a_docset_remembers_the_table_and_holds_two_bits_a_dimension(shop: Build) -> None:
    connection = apsw.Connection(str(shop()), flags=apsw.SQLITE_OPEN_READONLY)
    assert one(connection, "SELECT value FROM meta WHERE key = ?", (TABLE_KEY,)) == (word_table().digest,)
    assert list(rows(connection, "SELECT first_chunk, length(data) FROM static_vectors")) == [(1, 6 * word_table().size // 4)]
    connection.close()


def test_vectors_of_another_table_are_not_used(shop: Build) -> None:
    path = shop()
    change(path, f"UPDATE meta SET value = 'another' WHERE key = '{TABLE_KEY}'")
    with Docset.open(path) as docset:
        assert not docset.explain("How do I protect routes?").by_meaning


def test_a_docset_without_vectors_is_searched_by_words(shop: Build) -> None:
    path = shop()
    change(path, "DROP TABLE static_vectors")
    assert paths(path, "pictures cached")[0] == "images.md"
    with Docset.open(path) as docset:
        assert docset.can_hold_vectors
        assert not docset.explain("How do I protect routes?").by_meaning


def test_vectors_that_are_cut_off_are_not_used(shop: Build) -> None:
    path = shop()
    change(path, "UPDATE static_vectors SET data = substr(data, 1, 100)")
    with Docset.open(path) as docset:
        assert not docset.explain("How do I protect routes?").by_meaning


def test_more_chunks_than_are_compared_number_by_number_keep_the_nearest() -> None:
    table = random_table(size=64)
    vectors = ChunkVectors(table)
    source = random.Random(7)
    texts = [" ".join(source.choices(table.words, k=5)) for _ in range(1_000)]
    connection = apsw.Connection(":memory:")
    rows(connection, "CREATE TABLE static_vectors (first_chunk INTEGER PRIMARY KEY, data BLOB NOT NULL)")
    for text in texts:
        vectors.add(connection, "", "", text)
    vectors.flush(connection)
    found = StaticVectors(connection, table).nearest(texts[500], 5)
    assert found[0][0] == 501
    assert found[0][1] > 0.8
    assert found[1][1] < found[0][1]
