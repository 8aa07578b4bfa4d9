"""From a package at one version to an installed docset: ask the registry, download, read, index, install."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.errors import PackageNotFound, StoreUnwritable
from docs_researcher.core.events import Event, Listener
from docs_researcher.docsets.acquiring.build import BuildReport, build_docset
from docs_researcher.docsets.file_errors import what_helps
from docs_researcher.docsets.installed.store import Store
from docs_researcher.docsets.unfinished import temporary_folder
from docs_researcher.library.catalogue import Entry
from docs_researcher.library.packages import PackageRef

if TYPE_CHECKING:
    from docs_researcher.docsets.sources.archive import ArchiveSource

MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
"""No package that ships documentation was found to be larger than 60 MB; this bounds what a wrong name can cost."""

ABANDONED_SECONDS = 24 * 3600
"""No fetch lasts a day; a folder that old is nobody's, also where its process number is in use again."""

ANNOUNCED_BYTES = 10 * 1024 * 1024
"""The size of a larger download is said before it starts."""


class PackageFetcher:
    """Knows npm and PyPI; makes no decision about versions."""

    def __init__(self, store: Store, listener: Listener) -> None:
        self._store = store
        self._listener = listener

    def newest(self, package: PackageRef) -> str:
        """The version that the registry calls its newest release.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
        """
        if package.type == "npm":
            from docs_researcher.library.registries.npm import NpmRegistry

            return NpmRegistry(cache_dir=self._store.cache_dir).dist_tags(package.name)["latest"]
        from docs_researcher.library.registries.pypi import PypiIndex

        return PypiIndex().newest(package.name)

    def offers(self, package: PackageRef, version: str) -> bool:
        """Whether the registry has exactly this version.

        Raises:
            SourceUnavailable, SourceRefused: as the registry answers.
        """
        if package.type != "npm":
            return version in self.versions(package)
        from docs_researcher.library.registries.npm import NpmRegistry

        try:
            return NpmRegistry(cache_dir=self._store.cache_dir).manifest(package.name, version).version == version
        except PackageNotFound:
            return False

    def versions(self, package: PackageRef) -> tuple[str, ...]:
        """Every version that the registry offers. Costs a large download for some npm packages.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
        """
        if package.type == "npm":
            from docs_researcher.library.registries.npm import NpmRegistry

            return NpmRegistry(cache_dir=self._store.cache_dir).versions(package.name)
        from docs_researcher.library.registries.pypi import PypiIndex

        return PypiIndex().versions(package.name)

    def fetch(
        self,
        package: PackageRef,
        version: str,
        entry: Entry | None,
        *,
        replace: bool = False,
        folder: str | None = None,
        language: str = "en",
    ) -> BuildReport:
        """Download exactly this version, index its documentation and install the docset.

        Args:
            package: what to fetch.
            version: exact.
            entry: the catalogue's, where it has one.
            replace: build again what is installed already.
            folder: the docs folder inside, where the user knows it better than the catalogue.
            language: which translation is wanted (`de`), or `all`.

        Raises:
            PackageNotFound, SourceUnavailable, SourceRefused: as the registry answers.
            NoDocumentation: the package holds none.
            StoreUnwritable: there is no room, or no permission.
        """
        prepare = self._npm if package.type == "npm" else self._pypi
        try:
            self._store.cache_dir.mkdir(parents=True, exist_ok=True)
            _sweep(self._store.cache_dir)
            with temporary_folder(f"fetch-{os.getpid()}-", self._store.cache_dir) as temporary:
                source = prepare(package.name, version, entry, temporary)
                source.choose_pages(folder, language)
                return build_docset(source, self._store, self._listener, replace=replace)
        except OSError as error:
            raise StoreUnwritable(
                f"{package.name} {version} could not be fetched into {self._store.cache_dir}",
                why=error.strerror or str(error),
                next_step=what_helps(error, self._store.cache_dir),
            ) from error

    def _npm(self, name: str, version: str, entry: Entry | None, folder: Path) -> ArchiveSource:
        from docs_researcher.docsets.acquiring.npm_relatives import NpmRelatives, RegistryShelf
        from docs_researcher.docsets.sources.npm import NpmSource
        from docs_researcher.library.registries.npm import NpmRegistry

        registry = NpmRegistry(cache_dir=self._store.cache_dir)
        manifest = registry.manifest(name, version)
        archive = folder / "package.tgz"
        self._listener(Event("fetch", f"fetching {name} {manifest.version} from npm", 0, None))
        registry.download(manifest, archive, max_bytes=MAX_ARCHIVE_BYTES, listener=self._announcing(f"{name} {manifest.version}"))
        shelf = RegistryShelf(registry, folder, MAX_ARCHIVE_BYTES, self._listener)
        relatives = NpmRelatives(shelf, manifest.name, manifest.version, manifest.needs)
        return NpmSource(manifest, archive, entry, relatives=relatives)

    def _pypi(self, name: str, version: str, entry: Entry | None, folder: Path) -> ArchiveSource:
        from docs_researcher.docsets.sources.pypi import PypiSource
        from docs_researcher.library.registries.pypi import PypiIndex

        index = PypiIndex()
        release = index.release(name, version)
        archive = folder / release.filename
        self._listener(Event("fetch", f"fetching {name} {release.version} from PyPI", 0, None))
        index.download(release, archive, max_bytes=MAX_ARCHIVE_BYTES, listener=self._announcing(f"{name} {release.version}"))
        return PypiSource(release, archive, entry)

    def _announcing(self, what: str) -> Callable[[Event], None]:
        """The listener, which hears one notice about a large download before its progress."""
        announced = False

        def listen(event: Event) -> None:
            nonlocal announced
            if event.kind == "fetch" and not announced and event.total is not None:
                announced = True
                if event.total > ANNOUNCED_BYTES:
                    self._listener(Event("notice", f"{what} is a download of {event.total / 1_000_000:.0f} MB, once"))
            self._listener(event)

        return listen


def _sweep(folder: Path) -> None:
    """Remove what a process that was killed while fetching left behind."""
    oldest = time.time() - ABANDONED_SECONDS
    for left in folder.glob("fetch-*"):
        with suppress(OSError):
            if left.stat().st_mtime < oldest or _is_gone(left.name.split("-")[1]):
                shutil.rmtree(left)


def _is_gone(process: str) -> bool:
    """Whether the process of this number has ended; where the system cannot say, it has not."""
    if os.name != "posix" or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
