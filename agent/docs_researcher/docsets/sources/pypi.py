"""Documentation that a Python project ships in its source archive (sdist)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docs_researcher.docsets.sources.archive import ArchiveBudget, ArchiveSource, read_archive
from docs_researcher.docsets.sources.base import readable_by_default
from docs_researcher.docsets.sources.npm import docs_folder, package_info

if TYPE_CHECKING:
    from docs_researcher.library.entries import Entry

_METADATA = "PKG-INFO"
_FIELD = re.compile(r"^(Summary|License|License-Expression|Classifier):[ \t]*(.+)$", re.MULTILINE)
_LICENSE_CLASSIFIER = "License ::"
_MAX_LICENSE_CHARACTERS = 100
"""Some projects put the whole text of their licence where its name belongs."""


class SdistFile(Protocol):
    """What is read of the index's record of one source archive."""

    @property
    def name(self) -> str:
        """The project's name, normalised."""
        ...

    @property
    def version(self) -> str:
        """The exact version."""
        ...

    @property
    def date(self) -> str | None:
        """When it was uploaded (ISO 8601)."""
        ...


@dataclass(frozen=True, slots=True)
class _Described:
    """A release with what its own metadata says; the index states neither description nor licence."""

    name: str
    version: str
    license: str | None
    description: str | None
    date: str | None


class PypiSource(ArchiveSource):
    """The documentation in a downloaded sdist. Its top folder (`flask-3.1.3/`) is no part of a page's path; no build is run."""

    def __init__(
        self,
        release: SdistFile,
        archive: Path,
        entry: Entry | None = None,
        *,
        budget: ArchiveBudget | None = None,
        readable: Callable[[str], bool] = readable_by_default,
    ) -> None:
        """The sdist `archive` of `release`; `entry` is the catalogue's, where it has one.

        Raises:
            SourceRefused: over a budget, or damaged.
            SourceUnavailable: the file cannot be read.
        """
        found = read_archive(archive, lambda path: path == _METADATA, strip_top=True, budget=budget)
        summary, license = _metadata(found.files.get(_METADATA, b""))
        described = _Described(release.name, release.version, license, summary, release.date)
        super().__init__(
            archive,
            package_info("pypi", described, entry),
            folder=docs_folder("pypi", release.name, entry),
            strip_top=True,
            budget=budget,
            readable=readable,
        )


def _metadata(data: bytes) -> tuple[str | None, str | None]:
    """Summary and licence out of the head of a PKG-INFO file; None where it does not say."""
    head = data.decode("utf-8", "replace").replace("\r\n", "\n").partition("\n\n")[0]
    values: dict[str, str] = {}
    for key, value in _FIELD.findall(head):
        if key == "Classifier" and value.startswith(_LICENSE_CLASSIFIER):
            key, value = "classified", value.rpartition("::")[2]
        values.setdefault(key, value.strip())
    stated = values.get("License", "")
    license = values.get("License-Expression") or (stated if len(stated) <= _MAX_LICENSE_CHARACTERS else "")
    return _said(values.get("Summary")), _said(license) or _said(values.get("classified"))


def _said(value: str | None) -> str | None:
    return None if not value or value.upper() == "UNKNOWN" else value
