"""How a dependency is locked, in whatever lock file of the npm world."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

_REGISTRY_VERSION = re.compile(r"\d[\w.+-]*")


@dataclass(frozen=True, slots=True)
class Locked:
    """Where a dependency comes from. `name` is set where the manifest's is an alias; `version` is None for what is local."""

    version: str | None
    name: str | None = None

    @property
    def local(self) -> bool:
        """Whether it does not come from a registry."""
        return self.version is None


class NpmLock(Protocol):
    """A lock file that was read."""

    def locked(self, member: str, key: str, declared: str) -> Locked | None:
        """How the dependency `key` of the member in folder `member` ("" is the root) is locked; None if it is not."""
        ...


def registry_version(version: object) -> str | None:
    """The version where it is one of a registry; None for `file:...`, `workspace:...` and addresses."""
    return version if isinstance(version, str) and _REGISTRY_VERSION.fullmatch(version) else None


def is_elsewhere(address: str) -> bool:
    """Whether an address is of a repository or a file, not of a registry's archive."""
    return address.startswith(("git", "file:", "link:", "portal:", "ssh:")) or "codeload" in address.split("/", 3)[2:3]
