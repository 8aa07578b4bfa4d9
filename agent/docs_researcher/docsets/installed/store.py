"""Which docsets are installed, and where: `docsets/<npm|pypi|local>/name@version.db` under the home folder.

Reading needs no permission to write. The list comes from the folders; a small file remembers what each docset says about
itself, so that a list of hundreds opens none of them. That file is only a cache: it is rebuilt when it is missing or wrong.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from docs_researcher.core.errors import DocsetError, DocsetInvalid, DocsetUnreadable, StoreUnwritable
from docs_researcher.docsets.file import Docset, DocsetMeta
from docs_researcher.docsets.file_errors import invalid, unreadable, unwritable
from docs_researcher.docsets.installed.added import AddedLog
from docs_researcher.docsets.installed.home import cache_folder, default_home, docset_files, docsets_folder
from docs_researcher.docsets.installed.remembered import RememberedMeta
from docs_researcher.docsets.names import ecosystem_of, file_name, name_and_version

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

    @property
    def label(self) -> str:
        """What the commands take for exactly this docset: `relay@2.1`, `npm:next@16.1.0`."""
        kind = self.path.parent.name
        version = f"@{self.version}" if self.version else ""
        return f"{self.name}{version}" if kind == "local" else f"{kind}:{self.name}{version}"


@dataclass(frozen=True, slots=True)
class Broken(Installed):
    """A file in the store that is no docset, or may not be read; what it is of says its name, or what was read of it before."""

    cause: DocsetError = field(compare=False)

    @property
    def reason(self) -> str:
        """Why it cannot be used, in a few words."""
        return self.cause.why or self.cause.what

    @property
    def error(self) -> DocsetError:
        """The error for who wants to read it."""
        return named_damage(self.cause, self)


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything in the store: docsets by library id, newest version first, and the files that are none."""

    installed: tuple[Installed, ...]
    broken: tuple[Broken, ...]

    @property
    def files(self) -> tuple[Installed, ...]:
        """Both, by library id, newest version first."""
        return _newest_first([*self.installed, *self.broken]) if self.broken else self.installed


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
        """Every docset and every broken file. A store that does not exist yet is empty.

        Raises:
            DocsetUnreadable: the store is there and may not be read.
        """
        remembered = RememberedMeta.load(self.docsets_dir)
        found: list[Installed] = []
        broken: list[Broken] = []
        try:
            files = tuple(docset_files(self.docsets_dir))
        except OSError as error:
            raise unreadable(Path(error.filename or self.docsets_dir), error) from error
        for path, signature in files:
            try:
                meta = remembered.get(path, signature) or remembered.learn(path, signature, _meta_of(path))
                found.append(Installed(meta.library_id, meta.name, meta.version, path, meta))
            except (DocsetInvalid, DocsetUnreadable) as error:
                meta = remembered.last(path) or _meta_by_name(path)
                broken.append(Broken(meta.library_id, meta.name, meta.version, path, meta, error))
        remembered.save()
        return Listing(_newest_first(found), tuple(broken))

    def find(self, library_id: str) -> tuple[Installed, ...]:
        """The installed versions of a library (id without version; case does not count), newest first."""
        wanted = library_id.casefold()
        return tuple(item for item in self.installed() if item.library_id.casefold() == wanted)

    def damaged(self, *names: str) -> Broken | None:
        """A file of the store that is no docset and would be that of a library with one of these names or ids, in any case."""
        wanted = {name.casefold() for name in names}
        return next((item for item in self.listing().broken if wanted & {item.name.casefold(), item.library_id.casefold()}), None)

    def open(self, installed: Installed) -> Docset:
        """The docset, opened once and kept open; opened anew when its file was replaced.

        Raises:
            DocsetInvalid: the file is gone or damaged.
            DocsetUnreadable: it may not be read.
        """
        if isinstance(installed, Broken):
            raise installed.error
        with self._lock:
            signature = _signature(installed.path)
            known = self._open.get(installed.path)
            if known is not None and known[0] == signature:
                return known[1]
            try:
                docset = Docset.open(installed.path, library=installed.label)
            except DocsetInvalid as error:
                raise named_damage(error, installed) from error
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
            raise unwritable(target, error) from error
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
            raise unwritable(target, error) from error

    def at(self, path: Path) -> Installed:
        """The docset that lies at a path of the store.

        Raises:
            DocsetInvalid: there is none, or it is damaged.
        """
        meta = _meta_of(path)
        return Installed(meta.library_id, meta.name, meta.version, path, meta)

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
                f"{installed.path} could not be removed",
                why=error.strerror or str(error),
                next_step=f"Give yourself the right to write to {installed.path.parent}.",
            ) from error
        self.added.forget(installed.path)

    def _forget(self, path: Path) -> None:
        """Close the docset at this path if it is open; an open file cannot be replaced on Windows."""
        with self._lock:
            known = self._open.pop(path, None)
        if known is not None:
            known[1].close()


def named_damage(error: DocsetError, installed: Installed) -> DocsetError:
    """The error for a file of the store that says whose docset is damaged, and what mends it; another error as it is."""
    return invalid(installed.path, error.why, installed.label) if type(error) is DocsetInvalid else error


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


def _meta_by_name(path: Path) -> DocsetMeta:
    """What a file that says nothing is of, by its place and name."""
    kind = path.parent.name
    name, version = name_and_version(path.name)
    from docs_researcher.library.packages import parse_package

    package = parse_package(f"{kind}:{name}")
    purl = package.at(version).purl if package is not None else None
    return DocsetMeta(name, version, f"/{kind}/{name}", purl, title=name)


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
