"""The vectors of an open docset, and which chunks are nearest to a question."""

from __future__ import annotations

from typing import Any

import apsw

from docs_researcher.core.errors import SemanticUnavailable
from docs_researcher.docsets.sql import rows
from docs_researcher.docsets.vectors.model import extra, query_model

MODEL_KEY = "vectors_model"
"""The row of `meta` with the digest of the model that made the vectors."""
SCALE = 127.0
BLOCK = 8_192
"""Vectors in one row: 3 MB at MiniLM's 384 dimensions."""


class Vectors:
    """All vectors of one docset in memory, 1.5 kB a chunk. Compared one by one: 0.5 ms for 5,000 chunks."""

    def __init__(self, connection: apsw.Connection, made_by: str) -> None:
        """Read them; `made_by` is the digest of the model that they are from.

        Raises:
            SemanticUnavailable: the extra is missing, or the model that made them is not the one that is chosen.
        """
        self._numpy = extra("numpy")
        self._model = query_model()
        if self._model.digest != made_by:
            raise SemanticUnavailable(
                "The vectors are from another embedding model",
                why=f"its sha256 starts with {made_by[:12]}, that of the one in use with {self._model.digest[:12]}",
                next_step="Make them again with `docs-research vectors`.",
            )
        stored = b"".join(row[0] for row in rows(connection, "SELECT data FROM vectors ORDER BY first_chunk"))
        whole: Any = self._numpy.frombuffer(stored, dtype=self._numpy.int8).reshape(-1, self._model.size)
        self._matrix = whole.astype(self._numpy.float32) / SCALE

    def nearest(self, question: str, count: int) -> list[tuple[int, float]]:
        """Number and similarity (-1 to 1) of the nearest chunks, best first."""
        numpy = self._numpy
        similar: Any = self._matrix @ self._model.embed([question])[0]
        count = min(count, len(similar))
        best: Any = numpy.argpartition(-similar, count - 1)[:count] if count else []
        found = [(int(number) + 1, float(similar[number])) for number in best]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))
