"""What the docsets of a store say about themselves, remembered in one small file so that a list need not open them all."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, cast

from docs_researcher.docsets.meta import DocsetMeta

FILE_NAME = "index.json"
FORMAT = 1
_FIELDS = {field.name for field in fields(DocsetMeta)}
_NUMBERS = ("pages", "chunks", "snippets", "links", "dangling_links", "builder")


class RememberedMeta:
    """The remembered values by file, size and time. A wrong or missing memory costs time and nothing else."""

    def __init__(self, folder: Path, entries: dict[str, Any]) -> None:
        self._folder = folder
        self._entries = entries
        self._seen: dict[str, Any] = {}

    @classmethod
    def load(cls, folder: Path) -> RememberedMeta:
        """What was remembered in this folder; nothing when the file is missing or broken."""
        try:
            data: Any = json.loads((folder / FILE_NAME).read_bytes())
        except (OSError, ValueError):
            data = None
        if not isinstance(data, dict):
            return cls(folder, {})
        values = cast("dict[str, Any]", data)
        files = values.get("files")
        usable = values.get("format") == FORMAT and isinstance(files, dict)
        return cls(folder, cast("dict[str, Any]", files) if usable else {})

    def get(self, path: Path, signature: tuple[int, int]) -> DocsetMeta | None:
        """What the file said when it had this size and time; None when that is not known."""
        key = self._key(path)
        entry = self._entries.get(key)
        meta = _meta_from(entry, signature)
        if meta is not None:
            self._seen[key] = entry
        return meta

    def last(self, path: Path) -> DocsetMeta | None:
        """What the file said when it could be read last, whatever became of it since; None when that is not known."""
        key = self._key(path)
        entry = self._entries.get(key)
        meta = _meta_from(entry, None)
        if meta is not None:
            self._seen[key] = entry
        return meta

    def learn(self, path: Path, signature: tuple[int, int], meta: DocsetMeta) -> DocsetMeta:
        """Remember what a file says, and hand it back."""
        self._seen[self._key(path)] = {"signature": list(signature), "meta": asdict(meta)}
        return meta

    def save(self) -> None:
        """Write down what changed. A store that cannot be written is read without it."""
        if self._seen == self._entries:
            return
        text = json.dumps({"format": FORMAT, "files": self._seen}, ensure_ascii=False, sort_keys=True)
        temporary = self._folder / f".{FILE_NAME}.{os.getpid()}"
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(self._folder / FILE_NAME)
        except OSError:
            with suppress(OSError):
                temporary.unlink()

    def _key(self, path: Path) -> str:
        return f"{path.parent.name}/{path.name}"


def _meta_from(entry: Any, signature: tuple[int, int] | None) -> DocsetMeta | None:
    """The value of an entry that fits this size and time (None: any) and has the right shape, else None."""
    if not isinstance(entry, dict):
        return None
    values = cast("dict[str, Any]", entry)
    meta = values.get("meta")
    if not isinstance(meta, dict) or (signature is not None and values.get("signature") != list(signature)):
        return None
    known = cast("dict[str, Any]", meta)
    if known.keys() != _FIELDS or not all(isinstance(known[name], int) for name in _NUMBERS):
        return None
    if not all(value is None or isinstance(value, str) for name, value in known.items() if name not in _NUMBERS):
        return None
    return DocsetMeta(**known) if known["name"] and known["library_id"] else None
