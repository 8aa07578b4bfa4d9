"""What npm's registry and PyPI's index have in common: an archive that is named is downloaded and held against its checksum."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from docs_researcher.core.events import Listener, ignore
from docs_researcher.library.registries.http import Route, download
from docs_researcher.library.registries.integrity import Integrity


class Published(Protocol):
    """A version of a package as a registry offers it."""

    @property
    def name(self) -> str:
        """The package's name."""
        ...

    @property
    def version(self) -> str:
        """The exact version."""
        ...

    @property
    def url(self) -> str:
        """Where its archive lies."""
        ...

    @property
    def integrity(self) -> Integrity | None:
        """What the archive's checksum must be; None when the registry states none."""
        ...


class Archives:
    """The archives of a registry."""

    def __init__(self, route: Route) -> None:
        """`route` says with which credentials and certificates the registry is asked."""
        self._route = route

    def download(self, published: Published, target: Path, *, max_bytes: int, listener: Listener = ignore) -> int:
        """Read the archive of a version into `target` and return its size in bytes.

        Raises:
            PackageNotFound, SourceUnavailable: as the registry answers.
            SourceRefused: larger than `max_bytes`, or not what its checksum says.
            OSError: the target's folder cannot be written.
        """
        return download(
            published.url,
            target,
            max_bytes=max_bytes,
            listener=listener,
            route=self._route,
            integrity=published.integrity,
            label=f"{published.name} {published.version}",
        )
