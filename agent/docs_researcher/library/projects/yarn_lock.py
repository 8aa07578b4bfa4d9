"""yarn: yarn.lock, of yarn classic (which is not YAML) and of the later ones (which is)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.locked import Locked, is_elsewhere, registry_version

_ENTRY = re.compile(
    r"^(?P<keys>[^\s#].{0,4000}):\n(?:  (?!version).*\n)?  version:? \"?(?P<version>[^\"\s]+)\"?\n"
    r"(?:  (?:resolution: \"(?P<resolution>[^\"\n]+)\"|resolved \"(?P<address>[^\"\n]+)\"))?",
    re.MULTILINE,
)


class YarnLock:
    """A lock file of yarn: by what manifests ask for, read further where it is asked for."""

    def __init__(self, entries: Mapping[str, re.Match[str]]) -> None:
        """`entries` has each descriptor (`react@^18`, `react@npm:^18`) with where it stands."""
        self._entries = entries

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """What this range led to; where it is written another way (a patch, a catalog), the only one of that name."""
        for descriptor in (f"{key}@{declared}", f"{key}@npm:{declared}"):
            if descriptor in self._entries:
                return _locked(self._entries[descriptor], descriptor)
        similar = (one for one in self._entries if one.startswith(f"{key}@"))
        known = {locked for one in similar if not (locked := _locked(self._entries[one], one)).local}
        return known.pop() if len(known) == 1 else None


def read_lock(files: ProjectFiles, path: Path) -> YarnLock | None:
    """The lock file at a path; None, with a notice, if it cannot be read."""
    text = files.text(path, MAX_LOCK_BYTES)
    if text is None:
        return None
    found: dict[str, re.Match[str]] = {}
    for match in _ENTRY.finditer(text):
        found.update(dict.fromkeys(match["keys"].replace('"', "").split(", "), match))
    if not found and text.strip() and not all(line.startswith(("#", "__", " ")) for line in text.split("\n") if line):
        files.refuse(path, "it is not of the form of yarn's lock files", 1)
        return None
    return YarnLock(found)


def _locked(match: re.Match[str], descriptor: str) -> Locked:
    key, _, asked = descriptor[1:].partition("@")
    key = descriptor[:1] + key
    resolution, address = match["resolution"], match["address"]
    if resolution is not None:
        name, _, source = resolution[1:].partition("@")
        name = resolution[:1] + name
        registry = source.startswith(("npm:", "patch:"))
        return Locked(registry_version(match["version"]) if registry else None, name if name != key else None)
    if address is not None and is_elsewhere(address):
        return Locked(None)
    name = asked.removeprefix("npm:").rpartition("@")[0] if asked.startswith("npm:") else ""
    return Locked(registry_version(match["version"]), name or None)
