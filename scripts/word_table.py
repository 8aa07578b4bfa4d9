"""Make the table of word vectors, `docsets/static_vectors/data/words.bin`. What it is and why: docs/development.md.

    apt-get install wordnet-base
    .venv/bin/pip install --editable ".[semantic]"
    nice .venv/bin/python scripts/word_table.py FOLDER

FOLDER keeps the docsets and everything that was embedded, so a run that was stopped goes on where it was. The first run takes
about ten minutes of a processor, a later one takes one.

The model of the extra `semantic` reads each text and each word. A table is wanted in which the sum of a text's words points
where the model's vector of that text points. It starts from the vectors of the single words, shortened for words that are
everywhere, and is improved by gradient descent on the texts; of two texts in a batch it also learns how alike they are.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from word_table_texts import definitions, documentation, thesaurus, words_of

from docs_researcher.docsets.static_vectors.table import DATA, LARGEST, WordTable, written_words
from docs_researcher.docsets.vectors.model import EmbeddingModel, chosen_model_file

np: Any = importlib.import_module("numpy")
"""It comes with the extra `semantic`, which only the making of the table needs."""

DIMENSIONS = 256
WORDS = 15_000
LEAST_COUNT = 3
SHORTEST, LONGEST = 2, 23
COMMON = 1e-3
"""A word with this share of all texts counts half of what a rare one does, to begin with."""
CLIP = 5
"""Numbers further from 0 than so many spreads are cut."""
EPOCHS = 3
BATCH = 512
RATE = 2e-3
ALIKE = 0.05
"""Weight of how alike the texts of a batch are, against where each of them points."""
SHARPNESS = 10
STEP = 512
"""Texts that are embedded between two times that they are kept."""


def main() -> int:
    """Gather texts, embed them, learn the table, write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--to", type=Path, default=DATA)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    technical, counts = documentation(options.folder / "home")
    meanings, examples = definitions(options.wordnet)
    everyday = [*thesaurus(), *meanings, *examples]
    words = chosen_words(counts, everyday)
    texts = [*dict.fromkeys([*technical, *everyday, *words])]
    vectors = embedded(options.folder / "embedded.db", texts)
    table = learnt(texts, vectors, words)
    options.to.write_bytes(table.written())
    print(f"{len(table.words)} words, digest {table.digest}, {options.to.stat().st_size:,} bytes")
    return 0


def chosen_words(docs: Counter[str], everyday: Sequence[str]) -> tuple[str, ...]:
    """The words of most texts, those of documentation counting twice; in alphabetical order."""
    other = Counter[str]()
    for text in everyday:
        other.update(words_of(text))
    scores = {
        word: 2 * docs[word] / docs.total() + other[word] / other.total()
        for word in docs.keys() | other.keys()
        if docs[word] + other[word] >= LEAST_COUNT and SHORTEST <= len(word) <= LONGEST and word[0].isalpha()
    }
    return tuple(sorted(sorted(scores, key=lambda word: (-scores[word], word))[:WORDS]))


def embedded(path: Path, texts: Sequence[str]) -> Any:
    """The model's vector of every text, a row each; what was embedded before is taken from `path`."""
    connection = sqlite3.connect(path, timeout=60)
    connection.execute("CREATE TABLE IF NOT EXISTS v (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID")
    known: dict[bytes, bytes] = dict(connection.execute("SELECT k, v FROM v"))
    missing = [text for text in texts if _key(text) not in known]
    model = EmbeddingModel(chosen_model_file())
    started = time.process_time()
    for start in range(0, len(missing), STEP):
        batch = missing[start : start + STEP]
        found = model.embed(batch).astype(np.float16)
        new = {_key(text): vector.tobytes() for text, vector in zip(batch, found, strict=True)}
        connection.executemany("INSERT OR IGNORE INTO v VALUES (?, ?)", new.items())
        connection.commit()
        known.update(new)
        print(f"{start + len(batch):,} of {len(missing):,} embedded, {time.process_time() - started:.0f} s", flush=True)
    connection.close()
    return np.array([np.frombuffer(known[_key(text)], np.float16) for text in texts], np.float32)


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=12).digest()


def learnt(texts: Sequence[str], vectors: Any, words: tuple[str, ...]) -> WordTable:
    """The table whose sums point where the vectors of the texts do."""
    lookup = WordTable(DIMENSIONS, "", words, b"")
    rows = [_rows(lookup, text) for text in texts]
    kept = [number for number, row in enumerate(rows) if len(row)]
    rows = [rows[number] for number in kept]
    centred = vectors - vectors.mean(0)
    main_axes: Any = np.linalg.eigh(np.cov(centred[::3].T))[1][:, ::-1][:, :DIMENSIONS]
    wanted = _unit(centred[kept] @ main_axes)
    places = {text: number for number, text in enumerate(texts)}
    numbers = start_values(vectors[[places[word] for word in words]] @ main_axes, rows)
    descend(numbers, rows, wanted)
    # Turned at random, every dimension says about as much as any other, which signs alone need.
    numbers = numbers @ np.linalg.qr(np.random.default_rng(1).normal(size=(DIMENSIONS, DIMENSIONS)))[0]
    scaled = np.clip(np.round(numbers / (numbers.std() * CLIP / LARGEST)), -LARGEST, LARGEST)
    return WordTable.of(DIMENSIONS, words, (scaled + LARGEST).astype(np.uint8).tobytes())


def _rows(lookup: WordTable, text: str) -> Any:
    return np.array([row for word in written_words(text) for row in lookup.rows_of(word.decode("ascii"))], np.int32)


def start_values(vectors: Any, rows: Sequence[Any]) -> Any:
    """The model's vectors of the words, the shorter the more texts a word is in."""
    counts: Any = np.ones(len(vectors))
    for row in rows:
        counts[np.unique(row)] += 1
    shares = counts / counts.sum()
    return (_unit(vectors - vectors.mean(0)) * (COMMON / (COMMON + shares))[:, None]).astype(np.float32)


def descend(numbers: Any, rows: Sequence[Any], wanted: Any) -> None:
    """Change the numbers in place, by Adam on the words of each batch. Prints how near the sums come, on texts left out."""
    source: Any = np.random.default_rng(0)
    order: Any = source.permutation(len(rows))
    left_out, used = order[:2_000], order[2_000:]
    first: Any = np.zeros_like(numbers)
    second: Any = np.zeros_like(numbers)
    steps = EPOCHS * (len(used) // BATCH)
    done = 0
    for epoch in range(EPOCHS):
        shuffled: Any = source.permutation(used)
        for start in range(0, len(shuffled) - BATCH + 1, BATCH):
            batch = shuffled[start : start + BATCH]
            changed, change = _gradient(numbers, [rows[number] for number in batch], wanted[batch])
            first[changed] = 0.9 * first[changed] + 0.1 * change
            second[changed] = 0.99 * second[changed] + 0.01 * change * change
            done += 1
            rate = RATE * (1 - done / (steps + 1))
            numbers[changed] -= rate * first[changed] / (np.sqrt(second[changed]) + 1e-7)
        sums = _unit(np.array([numbers[rows[number]].sum(0) for number in left_out]))
        print(f"epoch {epoch + 1}: cosine {(sums * wanted[left_out]).sum(1).mean():.4f} on texts left out", flush=True)


def _gradient(numbers: Any, rows: Sequence[Any], wanted: Any) -> tuple[Any, Any]:
    """The words of a batch, and the gradient of each."""
    lengths: Any = np.array([len(row) for row in rows])
    flat: Any = np.concatenate(rows)
    sums: Any = np.add.reduceat(numbers[flat], np.concatenate([[0], np.cumsum(lengths)[:-1]]), axis=0)
    size = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-8
    unit = sums / size
    difference = _likeness(unit) - _likeness(wanted)
    upward = ALIKE * SHARPNESS * (difference + difference.T) @ unit - wanted
    of_sums = (upward - (upward * unit).sum(1, keepdims=True) * unit) / size
    order: Any = np.argsort(flat, kind="stable")
    sorted_rows = flat[order]
    starts: Any = np.flatnonzero(np.r_[True, sorted_rows[1:] != sorted_rows[:-1]])
    change: Any = np.add.reduceat(of_sums[np.repeat(np.arange(len(rows)), lengths)[order]], starts, axis=0)
    return sorted_rows[starts], change


def _likeness(unit: Any) -> Any:
    """For each text how its likeness is shared out among the others of the batch."""
    products: Any = SHARPNESS * unit @ unit.T
    np.fill_diagonal(products, -1e9)
    powers: Any = np.exp(products - products.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def _unit(vectors: Any) -> Any:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)


if __name__ == "__main__":
    raise SystemExit(main())
