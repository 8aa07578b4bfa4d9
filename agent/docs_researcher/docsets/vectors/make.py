"""Vectors for an installed docset: each chunk embedded once, remembered by its text, and put into a new file of the docset.

What was embedded is kept by the model's digest and the chunk's hash. A run that was stopped goes on where it was, and the next
version of a library costs only what changed in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from docs_researcher.core.errors import UsageError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.building.write import unwritable
from docs_researcher.docsets.schema import VECTORS_TABLE
from docs_researcher.docsets.sql import one, rows, run, run_many
from docs_researcher.docsets.vectors.model import EmbeddingModel, chosen_model_file, extra
from docs_researcher.docsets.vectors.nearest import BLOCK, MODEL_KEY, SCALE

if TYPE_CHECKING:
    from docs_researcher.docsets.file import PieceOfPage
    from docs_researcher.docsets.installed.store import Installed, Store

STEP = 32
"""Chunks that are embedded between two reports of progress, and lost at most when a run is stopped."""


@dataclass(frozen=True, slots=True)
class VectorsReport:
    """What became of a docset: how many chunks have vectors now, and how many of them had to be embedded."""

    chunks: int
    embedded: int
    already: bool
    """The docset had all of them from this model; nothing was written."""


def add_vectors(installed: Installed, store: Store, listener: Listener = ignore, *, cache: Path | None = None) -> VectorsReport:
    """Embed every chunk of an installed docset and replace its file by one that holds the vectors.

    Args:
        installed: the docset.
        store: where it lies.
        listener: told how many chunks are embedded.
        cache: folder for what was embedded before; the store's own when None.

    Raises:
        SemanticUnavailable: the extra or its model is missing.
        UsageError: a docset of another program, whose chunks have no numbers that can be relied on.
        StoreUnwritable: there is no room, or no permission.
    """
    file = chosen_model_file()
    docset = store.open(installed)
    if not docset.can_hold_vectors:
        raise UsageError(
            f"{installed.path.name} was not built by docs-researcher", next_step="Add the library again from its source."
        )
    if docset.vectors_model == file.digest:
        return VectorsReport(installed.meta.chunks, 0, already=True)
    model = EmbeddingModel(file, threads=os.cpu_count() or 1)
    pieces = docset.pieces()
    with _remembered(cache or store.cache_dir / "vectors", model) as remembered:
        keys = [_key(text_of(piece)) for piece in pieces]
        embedded = _embed_missing(pieces, keys, model, remembered, listener)
        with store.building(installed.path):
            finished = installed.path.with_name(f".{installed.path.name}.finished")
            try:
                shutil.copyfile(installed.path, finished)
                _write(finished, _blocks(keys, remembered), model)
            except (OSError, apsw.FullError, apsw.IOError) as error:
                finished.unlink(missing_ok=True)
                raise unwritable(installed.path, error) from error
            store.settle(finished, installed.path)
    return VectorsReport(len(pieces), embedded, already=False)


def text_of(piece: PieceOfPage) -> str:
    """What of a chunk is embedded: where it stands, then what it says."""
    place = " > ".join(part for part in (piece.title, piece.heading) if part)
    return f"{place}\n{piece.content}"


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


@contextmanager
def _remembered(folder: Path, model: EmbeddingModel) -> Generator[apsw.Connection]:
    """The vectors that this model has made before, by the hash of the text."""
    path = folder / f"{model.digest[:16]}.db"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        connection = apsw.Connection(str(path))
    except (OSError, apsw.Error) as error:
        raise unwritable(path, error) from error
    try:
        # Two runs may share it; what is lost in a crash is embedded again.
        connection.set_busy_timeout(60_000)
        run(connection, "PRAGMA synchronous = OFF")
        run(connection, "CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
        yield connection
    except (apsw.FullError, apsw.IOError, apsw.ReadOnlyError, apsw.BusyError) as error:
        raise unwritable(path, error) from error
    finally:
        connection.close()


def _embed_missing(
    pieces: Sequence[PieceOfPage], keys: Sequence[bytes], model: EmbeddingModel, remembered: apsw.Connection, listener: Listener
) -> int:
    select = "SELECT 1 FROM vectors WHERE hash = ?"
    missing = {key: piece for key, piece in zip(keys, pieces, strict=True) if one(remembered, select, (key,)) is None}
    # Texts of one length are embedded together, which halves the time.
    waiting = sorted(missing.items(), key=lambda item: len(item[1].content))
    done = len(keys) - len(waiting)
    for start in range(0, len(waiting), STEP):
        listener(Event("build", "chunks embedded", done + start, len(keys)))
        step = waiting[start : start + STEP]
        vectors = _int8(model.embed([text_of(piece) for _, piece in step]))
        run_many(
            remembered,
            "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
            [(key, vector.tobytes()) for (key, _), vector in zip(step, vectors, strict=True)],
        )
    listener(Event("build", "chunks embedded", len(keys), len(keys)))
    return len(waiting)


def _int8(vectors: Any) -> Any:
    """Vectors of length 1 as whole numbers: what is lost moves a similarity by less than a hundredth."""
    numpy = extra("numpy")
    return numpy.clip(numpy.rint(vectors * SCALE), -127, 127).astype(numpy.int8)


def _blocks(keys: Sequence[bytes], remembered: apsw.Connection) -> Iterator[tuple[int, bytes]]:
    """First chunk and vectors of each block, in the order of the chunks."""
    for start in range(0, len(keys), BLOCK):
        part = [
            rows(remembered, "SELECT vector FROM vectors WHERE hash = ?", (key,))[0][0] for key in keys[start : start + BLOCK]
        ]
        yield start + 1, b"".join(part)


def _write(path: Path, blocks: Iterator[tuple[int, bytes]], model: EmbeddingModel) -> None:
    connection = apsw.Connection(str(path))
    try:
        # The file takes its place when it is complete, so there is nothing to roll back to.
        run(connection, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        run(connection, "BEGIN")
        run(connection, "DROP TABLE IF EXISTS vectors")
        run(connection, VECTORS_TABLE)
        run_many(connection, "INSERT INTO vectors VALUES (?, ?)", blocks)
        run(connection, "INSERT OR REPLACE INTO meta VALUES (?, ?)", (MODEL_KEY, model.digest))
        run(connection, "COMMIT")
    finally:
        connection.close()
    with path.open("rb+") as file:
        os.fsync(file.fileno())
