"""pnpm: pnpm-lock.yaml, formats 5 to 9."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_researcher.core.parsed import mapping
from docs_researcher.library.projects.blocks import read_yaml, sections
from docs_researcher.library.projects.files import MAX_LOCK_BYTES, ProjectFiles
from docs_researcher.library.projects.locked import Locked, registry_version

_SECTIONS = frozenset("lockfileVersion importers specifiers dependencies devDependencies optionalDependencies".split())
_KINDS = ("dependencies", "devDependencies", "optionalDependencies")


def read_lock(files: ProjectFiles, path: Path) -> PnpmLock | None:
    """The lock file at a path; None, with a notice, if it cannot be read."""
    text = files.text(path, MAX_LOCK_BYTES)
    return PnpmLock(read_yaml(files, path, sections(text, _SECTIONS))) if text is not None else None


class PnpmLock:
    """A lock file of pnpm: what each importer has is said in it by folder."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        importers = mapping(data.get("importers"))
        self._importers = importers or {".": data}

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """What stands under the member's own name."""
        importer = mapping(self._importers.get(member or "."))
        for kind in _KINDS:
            found = mapping(importer.get(kind)).get(key)
            text = found if isinstance(found, str) else mapping(found).get("version")
            if isinstance(text, str):
                return _pnpm_version(text, key)
        return None


def _pnpm_version(text: str, key: str) -> Locked:
    """`18.2.0(react@18.3.1)`, `18.2.0_react@18.3.1`, `/underscore/1.13.8`, `/underscore@1.13.8`, `underscore@1.13.8`."""
    plain = text.partition("(")[0]
    if ":" in plain or plain.startswith("."):
        return Locked(None)
    name: str | None = None
    if not plain[:1].isdigit():
        plain = plain.removeprefix("/")
        border = plain.find("@", 1) if "@" in plain[1:] and "_" not in plain.split("@", 1)[0] else plain.rfind("/")
        name, plain = plain[:border], plain[border + 1 :]
    return Locked(registry_version(plain.partition("_")[0]), name if name != key else None)
