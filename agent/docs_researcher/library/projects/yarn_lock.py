"""yarn: yarn.lock, of yarn classic (which is not YAML) and of the later ones (which is)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.locked import Locked, is_elsewhere, registry_version

_ENTRY = re.compile(
    r"^(?P<keys>[^\s#].{0,4000}):\n(?:  (?!version).*\n)?  version:? \"?(?P<version>[^\"\s]+)\"?\n"
    r"(?:  (?:resolution: \"(?P<resolution>[^\"\n]+)\"|resolved \"(?P<address>[^\"\n]+)\"))?",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class YarnLock:
    """yarn.lock, classic and berry: by what manifests ask for."""

    by_descriptor: Mapping[str, Locked]
    by_key: Mapping[str, list[Locked]]

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """What this range led to; where it is written another way (a patch, a catalog), the only one of that name."""
        for descriptor in (f"{key}@{declared}", f"{key}@npm:{declared}"):
            if descriptor in self.by_descriptor:
                return self.by_descriptor[descriptor]
        known = {one for one in self.by_key.get(key, ()) if not one.local}
        return known.pop() if len(known) == 1 else None


def read_lock(files: ProjectFiles, path: Path) -> YarnLock | None:
    """The lock file at a path; None, with a notice, if it cannot be read."""
    text = files.text(path, MAX_LOCK_BYTES)
    if text is None:
        return None
    by_descriptor: dict[str, Locked] = {}
    by_key: dict[str, list[Locked]] = {}
    for match in _ENTRY.finditer(text):
        if match["keys"].startswith("__"):
            continue
        for descriptor in match["keys"].replace('"', "").split(", "):
            key, _, asked = descriptor[1:].partition("@")
            key = descriptor[:1] + key
            locked = _locked(match, key, asked)
            by_descriptor[descriptor] = locked
            by_key.setdefault(key, []).append(locked)
    if not by_descriptor and text.strip() and not all(line.startswith(("#", "__", " ")) for line in text.split("\n") if line):
        files.refuse(path, "it is not of the form of yarn's lock files", 1)
        return None
    return YarnLock(by_descriptor, by_key)


def _locked(match: re.Match[str], key: str, asked: str) -> Locked:
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
