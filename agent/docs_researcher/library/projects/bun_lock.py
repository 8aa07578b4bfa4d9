"""bun: bun.lock, the text form. It is JSON with commas at the end of lists, and perhaps comments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.locked import Locked, registry_version

_NOT_JSON = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s{0,1000}[}\]])|//[^\n]*')


def read_lock(files: ProjectFiles, path: Path) -> BunLock | None:
    """The lock file at a path; None, with a notice, if it cannot be read."""
    text = files.text(path, MAX_LOCK_BYTES)
    if text is None:
        return None
    data = files.parsed_json(path, _NOT_JSON.sub(lambda match: match[0] if match[0][0] == '"' else "", text))
    return BunLock(data) if data is not None else None


class BunLock:
    """A lock file of bun."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._packages = mapping(data.get("packages"))
        self._names = {folder: mapping(one).get("name") for folder, one in mapping(data.get("workspaces")).items()}

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """The member's own copy, else the one of all."""
        own = f"{self._names.get(member)}/{key}" if member else key
        for place in (own, key):
            found = self._packages.get(place)
            first = cast("list[object]", found)[0] if isinstance(found, list) and found else None
            if isinstance(first, str):
                name, _, version = first[1:].partition("@")
                name = first[:1] + name
                return Locked(registry_version(version), name if name != key else None)
        return None
