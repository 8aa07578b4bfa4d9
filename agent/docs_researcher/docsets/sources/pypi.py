"""Documentation that a Python project ships in its source archive (sdist)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.docsets.sources.archive import ArchiveBudget, ArchiveSource
from docs_researcher.docsets.sources.base import readable_by_default
from docs_researcher.docsets.sources.npm import Release, docs_folder, package_info

if TYPE_CHECKING:
    from docs_researcher.library.entries import Entry


class PypiSource(ArchiveSource):
    """The documentation in a downloaded sdist. Its top folder (`flask-3.1.3/`) is no part of a page's path; no build is run."""

    def __init__(
        self,
        release: Release,
        archive: Path,
        entry: Entry | None = None,
        *,
        budget: ArchiveBudget | None = None,
        readable: Callable[[str], bool] = readable_by_default,
    ) -> None:
        """The sdist `archive` of `release`; `entry` is the catalogue's, where it has one."""
        super().__init__(
            archive,
            package_info("pypi", release, entry),
            folder=docs_folder("pypi", release.name, entry),
            strip_top=True,
            budget=budget,
            readable=readable,
        )
