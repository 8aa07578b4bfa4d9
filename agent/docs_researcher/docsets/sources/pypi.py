"""Documentation that a Python project ships: its sdist's docs folder, else its README and what its code says of itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from docs_researcher.core.events import Listener
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.archive_files import ArchiveBudget, read_archive
from docs_researcher.docsets.sources.base import readable_by_default
from docs_researcher.docsets.sources.npm import docs_folder, package_info, readable_for
from docs_researcher.docsets.sources.python_reference import is_code, python_reference
from docs_researcher.docsets.sources.thin_guide import FULL_GUIDE_BYTES, leaves_out, size_of

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page
    from docs_researcher.library.entries import Entry

_METADATA = "PKG-INFO"
_WHEEL_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
_WHEEL = ".whl"
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
    """The documentation in a downloaded sdist or wheel. No build is run and nothing is imported.

    The top folder of an sdist (`flask-3.1.3/`) is no part of a page's path. A wheel's README is the one in its metadata.
    """

    def __init__(
        self,
        release: SdistFile,
        archive: Path,
        entry: Entry | None = None,
        *,
        budget: ArchiveBudget | None = None,
        readable: Callable[[str], bool] = readable_by_default,
    ) -> None:
        """The archive of `release`; `entry` is the catalogue's, where it has one.

        Raises:
            SourceRefused: over a budget, or damaged.
            SourceUnavailable: the file cannot be read.
        """
        self._archive = archive
        self._is_wheel = archive.name.endswith(_WHEEL)
        found = read_archive(archive, self._is_metadata, strip_top=not self._is_wheel, budget=budget)
        self._metadata = next(iter(found.files.values()), b"")
        summary, license = _metadata(self._metadata)
        described = _Described(release.name, release.version, license, summary, release.date)
        super().__init__(
            archive,
            package_info("pypi", described, entry),
            folder=docs_folder("pypi", release.name, entry),
            strip_top=not self._is_wheel,
            budget=budget,
            readable=readable_for(entry, readable),
        )

    def _is_metadata(self, path: str) -> bool:
        return _WHEEL_METADATA.fullmatch(path) is not None if self._is_wheel else path == _METADATA

    def _described(self) -> dict[str, bytes]:
        """The README that stands behind the fields of a wheel's metadata."""
        if not self._is_wheel:
            return {}
        head, _, body = self._metadata.replace(b"\r\n", b"\n").partition(b"\n\n")
        if not body.strip():
            return {}
        is_markdown = b"text/markdown" in head
        return {"README.md" if is_markdown else "README.rst": body}

    def _reference(self, guide: Mapping[str, bytes], skipped: list[Skipped], listener: Listener) -> list[Page]:
        """The pages of the code's signatures and docstrings; beside a guide only of what it leaves to autodoc or leaves out.

        The code is laid out in a temporary folder to be parsed.
        """
        from docs_researcher.docsets.readers.autodoc import autodoc_names

        only = autodoc_names(data.decode("utf-8", "replace") for data in guide.values()) if guide else None
        if only == ():
            if size_of(guide) > FULL_GUIDE_BYTES:
                return []
            pages = self._reference({}, skipped, listener)
            return pages if leaves_out(guide, pages) else []
        found = read_archive(self._archive, is_code, strip_top=not self._is_wheel, budget=self._budget)
        files = found.files
        return python_reference(
            files, lambda paths: ((path, files[path]) for path in paths), self.info.version, listener, only=only
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
