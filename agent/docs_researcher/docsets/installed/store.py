"""Which docsets are installed, and where: `docsets/<npm|pypi|local>/name@version.db` under the home folder.

Reading needs no permission to write. The list comes from the folders; a small file remembers what each docset says about
itself, so that a list of hundreds opens none of them. That file is only a cache: it is rebuilt when it is missing or wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from docs_researcher.core.errors import DocsetInvalid, LibraryNotFound, StoreUnwritable, UsageError, VersionNotFound
from docs_researcher.docsets.building.write import unwritable
from docs_researcher.docsets.file import Docset, DocsetMeta
from docs_researcher.docsets.installed.added import AddedLog
from docs_researcher.docsets.installed.home import cache_folder, default_home, docset_files, docsets_folder
from docs_researcher.docsets.installed.remembered import RememberedMeta
from docs_researcher.docsets.names import ecosystem_of, file_name

LOCK_SECONDS = 600
"""How long to wait for another process that is building the same docset: longer than any build measured."""


@dataclass(frozen=True, slots=True)
class Installed:
    """One installed docset."""

    library_id: str
    """Without a version."""
    name: str
    version: str | None
    path: Path
    meta: DocsetMeta


@dataclass(frozen=True, slots=True)
class Broken:
    """A file in the store that is no docset, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything in the store: docsets by library id, newest version first, and the files that are none."""

    installed: tuple[Installed, ...]
    broken: tuple[Broken, ...]


class Store:
    """The installed docsets of one home folder. Safe to use from several threads and processes."""

    def __init__(self, home: Path | None = None) -> None:
        """`home`, else the folder that DOCS_RESEARCH_HOME names, else the platform's folder for user data. Nothing is created."""
        self.home = home or default_home()
        self.docsets_dir = docsets_folder(self.home)
        self.cache_dir = cache_folder(self.home)
        self.added = AddedLog(self.home)
        """How the docsets came to be installed, and when they were last used."""
        self._open: dict[Path, tuple[tuple[int, int], Docset]] = {}
        self._lock = threading.Lock()

    def installed(self) -> tuple[Installed, ...]:
        """Every docset, by library id, newest version first."""
        return self.listing().installed

    def listing(self) -> Listing:
        """Every docset and every broken file. A store that does not exist yet is empty."""
        remembered = RememberedMeta.load(self.docsets_dir)
        found: list[Installed] = []
        broken: list[Broken] = []
        for path, signature in docset_files(self.docsets_dir):
            try:
                meta = remembered.get(path, signature) or remembered.learn(path, signature, _meta_of(path))
                found.append(Installed(meta.library_id, meta.name, meta.version, path, meta))
            except DocsetInvalid as error:
                broken.append(Broken(path, error.why or error.what))
        remembered.save()
        return Listing(_newest_first(found), tuple(broken))

    def find(self, library_id: str) -> tuple[Installed, ...]:
        """The installed versions of a library (id without version; case does not count), newest first."""
        wanted = library_id.casefold()
        return tuple(item for item in self.installed() if item.library_id.casefold() == wanted)

    def damaged(self, *names: str) -> Broken | None:
        """A file of the store that is no docset and would be that of a library with one of these names, in any case."""
        wanted: set[str] = set()
        for name in names:
            with suppress(DocsetInvalid):  # no name of a library
                wanted.add(file_name(name, None).rpartition("@")[0].casefold())
        return next((item for item in self.listing().broken if item.path.name.rpartition("@")[0].casefold() in wanted), None)

    def open(self, installed: Installed) -> Docset:
        """The docset, opened once and kept open; opened anew when its file was replaced.

        Raises:
            DocsetInvalid: the file is gone or damaged.
        """
        with self._lock:
            signature = _signature(installed.path)
            known = self._open.get(installed.path)
            if known is not None and known[0] == signature:
                return known[1]
            docset = Docset.open(installed.path)
            self._open[installed.path] = (signature, docset)
            return docset

    def close(self) -> None:
        """Close every docset that is open. Safe to call twice."""
        with self._lock:
            for _, docset in self._open.values():
                docset.close()
            self._open.clear()

    def path_for(self, name: str, version: str | None, purl: str | None) -> Path:
        """Where the docset of this library version belongs: always a file directly in one of the three folders.

        Raises:
            DocsetInvalid: the name or version cannot be one (it holds `..`, a backslash or control characters).
        """
        folder = self.docsets_dir / ecosystem_of(purl)
        path = folder / file_name(name, version)
        if path.parent != folder or path.name in ("", ".", ".."):
            raise DocsetInvalid(f"{name!r} cannot be the name of a docset", why="it would lie outside the store")
        return path

    @contextmanager
    def building(self, target: Path) -> Generator[None]:
        """Keep other processes from writing this docset; what an earlier, killed build left beside it is removed first.

        Raises:
            StoreUnwritable: the store cannot be written, or another process has held the docset for ten minutes.
        """
        from filelock import FileLock, Timeout

        locks = self.home / "locks"
        try:
            locks.mkdir(parents=True, exist_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(locks / f"{target.parent.name}-{target.name}.lock", timeout=LOCK_SECONDS)
            lock.acquire()
        except Timeout as error:
            raise unwritable(target, "another process has been writing it for ten minutes") from error
        except OSError as error:
            raise unwritable(target, error.strerror or str(error)) from error
        try:
            for stale in target.parent.glob(f".{_glob_escaped(target.name)}.*"):
                with suppress(OSError):
                    stale.unlink()
            yield
        finally:
            lock.release()

    def install(self, built_file: Path, meta: DocsetMeta | None = None) -> Installed:
        """Move a docset file into the store, in the place of one of the same library and version.

        Args:
            built_file: the file; it is gone afterwards.
            meta: what it says about itself; read from the file when None.

        Raises:
            DocsetInvalid: the file is no docset.
            StoreUnwritable: the store cannot be written.
        """
        meta = meta or _meta_of(built_file)
        target = self.path_for(meta.name, meta.version, meta.purl)
        with self.building(target):
            self.settle(built_file, target)
        return self.at(target)

    def settle(self, built_file: Path, target: Path) -> None:
        """Replace `target` by a finished file in one step; the caller holds `building(target)`."""
        import shutil

        self._forget(target)
        try:
            try:
                built_file.replace(target)
            except OSError:  # another disk: copy beside the target first
                beside = target.with_name(f".{target.name}.moved")
                shutil.copyfile(built_file, beside)
                beside.replace(target)
                built_file.unlink()
        except OSError as error:
            raise unwritable(target, error.strerror or str(error)) from error

    def at(self, path: Path) -> Installed:
        """The docset that lies at a path of the store.

        Raises:
            DocsetInvalid: there is none, or it is damaged.
        """
        meta = _meta_of(path)
        return Installed(meta.library_id, meta.name, meta.version, path, meta)

    def remove(self, library_id: str, version: str | None = None) -> Installed:
        """Remove exactly one installed version, and say which.

        Raises:
            LibraryNotFound: nothing is installed under this id.
            VersionNotFound: this version is not installed.
            UsageError: no version is given and several are installed.
            StoreUnwritable: the file cannot be removed.
        """
        found = self.find(library_id)
        if not found:
            raise LibraryNotFound(f"{library_id} is not installed", next_step="See what is: docs-research list")
        versions = ", ".join(item.version or "without a version" for item in found)
        if version is not None:
            chosen = [item for item in found if item.version and item.version.removeprefix("v") == version.removeprefix("v")]
            if not chosen:
                raise VersionNotFound(
                    f"{library_id} {version} is not installed",
                    why=f"installed: {versions}",
                    next_step="Name one of these versions.",
                )
        elif len(found) > 1:
            raise UsageError(
                f"{library_id} is installed in several versions",
                why=versions,
                next_step=f"Name one: docs-research remove {library_id}/VERSION",
            )
        else:
            chosen = list(found)
        self.discard(chosen[0])
        return chosen[0]

    def discard(self, installed: Installed) -> None:
        """Remove the file of one installed docset.

        Raises:
            StoreUnwritable: it cannot be removed.
        """
        self._forget(installed.path)
        try:
            installed.path.unlink()
        except OSError as error:
            raise StoreUnwritable(
                f"{installed.path.name} could not be removed",
                why=error.strerror or str(error),
                next_step="Check the permissions of the store.",
            ) from error
        self.added.forget(installed.path)

    def _forget(self, path: Path) -> None:
        """Close the docset at this path if it is open; an open file cannot be replaced on Windows."""
        with self._lock:
            known = self._open.pop(path, None)
        if known is not None:
            known[1].close()


def _signature(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise DocsetInvalid(
            f"{path.name} cannot be opened",
            why=error.strerror or str(error),
            next_step="See what is installed: docs-research list",
        ) from error
    return status.st_size, status.st_mtime_ns


def _meta_of(path: Path) -> DocsetMeta:
    with Docset.open(path) as docset:
        return docset.meta


def _newest_first(found: list[Installed]) -> tuple[Installed, ...]:
    if len({item.library_id for item in found}) == len(found):
        return tuple(sorted(found, key=lambda item: item.library_id))
    from docs_researcher.library.versions import sort_newest

    # Of two docsets for one version the guide comes first: its coverage is the empty word.
    order = {version: place for place, version in enumerate(sort_newest({item.version or "" for item in found}))}
    return tuple(sorted(found, key=lambda item: (item.library_id, order[item.version or ""], item.meta.coverage, item.path.name)))


def _glob_escaped(name: str) -> str:
    import glob

    return glob.escape(name)
