"""What a project says in its `context7.json` about which of its files are documentation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import cast

FILE_NAME = "context7.json"
MAX_BYTES = 1_000_000
_ROOT = re.compile(r"^(?:\./|/)+")


@dataclass(frozen=True, slots=True)
class Wishes:
    """Folders to read (none named: wherever documentation is found), folders and file names to leave out."""

    folders: tuple[str, ...] = ()
    exclude_folders: tuple[str, ...] = ()
    exclude_files: tuple[str, ...] = ()

    def excludes(self, path: str) -> bool:
        """Whether a file lies in a folder that is to be left out, or has such a name."""
        folder, _, name = path.rpartition("/")
        if any(fnmatchcase(name, pattern) for pattern in self.exclude_files):
            return True
        parts = folder.split("/") if folder else []
        above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
        return any(_matches(pattern, item) for pattern in self.exclude_folders for item in above)

    def includes(self, path: str) -> bool:
        """Whether a file lies in one of the folders to read; always where none is named."""
        parts = path.split("/")[:-1]
        above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
        return not self.folders or any(_matches(pattern, item) for pattern in self.folders for item in above)


NO_WISHES = Wishes()


def read_wishes(data: bytes | None) -> Wishes:
    """The wishes in the file's content; none when there is no file or it is not as it should be."""
    if data is None or len(data) > MAX_BYTES:
        return NO_WISHES
    try:
        found: object = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return NO_WISHES
    if not isinstance(found, dict):
        return NO_WISHES
    record = cast("dict[str, object]", found)
    return Wishes(
        _patterns(record.get("folders")), _patterns(record.get("excludeFolders")), _patterns(record.get("excludeFiles"))
    )


def _patterns(value: object) -> tuple[str, ...]:
    items: Iterable[object] = cast("list[object]", value) if isinstance(value, list) else ()
    return tuple(pattern for item in items if isinstance(item, str) and (pattern := item.strip().rstrip("/")))


def _matches(pattern: str, folder: str) -> bool:
    """Whether a folder is meant: by its name anywhere (`test`), by its path from the root (`./test`, `a/*/test`, `**/test`)."""
    bare = _ROOT.sub("", pattern)
    if "/" not in bare and bare == pattern:
        return fnmatchcase(folder.rpartition("/")[2], bare)
    deep = bare.removeprefix("**/")
    return fnmatchcase(folder, bare) or (deep != bare and fnmatchcase(f"/{folder}", f"*/{deep}"))
