"""How each docset came to be installed, beside the store and not inside the file: a docset that is given away tells nobody.

One small file for each docset, under its name. What it says renews the docset with the options that it was added with; who
asked for it, and when it was last read, decide what may be removed when room is needed. A docset without such a file counts as
the user's own.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast

By = Literal["user", "question"]


@dataclass(frozen=True, slots=True)
class Added:
    """What was added, and with which options.

    Attributes:
        argument: what `add` was given, without credentials, paths in full; the library's id for what a question fetched.
        by: `user`, or `question` for what was fetched without being asked for.
        name: `--name`.
        version: `--pkg-version`.
        tag: `--tag`, or the tag that was picked at the terminal.
        folder: `--path`.
        language: `--lang`.
        crawl: `--crawl`.
    """

    argument: str
    by: By = "user"
    name: str | None = None
    version: str | None = None
    tag: str | None = None
    folder: str | None = None
    language: str = "en"
    crawl: bool = False


_FIELDS = {field.name for field in fields(Added)}


class AddedLog:
    """The files of one home folder. Writing them is a favour: a store that cannot be written works without."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "added"

    def note(self, docset: Path, added: Added) -> None:
        """Remember how the docset at this path of the store was added. What the user added stays the user's."""
        before = self.of(docset)
        if added.by == "question" and before is not None and before.by == "user":
            self.touch(docset)
            return
        file = self._file(docset)
        temporary = file.with_name(f".{file.name}.{os.getpid()}")
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            values = {key: value for key, value in asdict(added).items() if value not in (None, False)}
            temporary.write_text(json.dumps(values, ensure_ascii=False, sort_keys=True), encoding="utf-8")
            temporary.replace(file)

    def of(self, docset: Path) -> Added | None:
        """How a docset was added; None when that is not known."""
        try:
            data: Any = json.loads(self._file(docset).read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict):
            return None
        values = cast("dict[str, object]", data)
        fitting = all(isinstance(value, bool if key == "crawl" else str) for key, value in values.items())
        if not values.keys() <= _FIELDS or not fitting:
            return None
        if values.get("by") not in ("user", "question") or not values.get("argument"):
            return None
        return Added(**cast("dict[str, Any]", values))

    def touch(self, docset: Path) -> None:
        """Note that a docset was read just now."""
        with suppress(OSError):
            os.utime(self._file(docset))

    def last_used(self, docset: Path) -> float:
        """When a docset was added or read last, in seconds since 1970; 0 when that is not known."""
        try:
            return self._file(docset).stat().st_mtime
        except OSError:
            return 0.0

    def forget(self, docset: Path) -> None:
        """The docset is gone."""
        with suppress(OSError):
            self._file(docset).unlink(missing_ok=True)

    def _file(self, docset: Path) -> Path:
        return self._folder / docset.parent.name / f"{docset.name}.json"
