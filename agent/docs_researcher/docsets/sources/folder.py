"""Documentation in a folder of the user's. It is only read; links are never followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from docs_researcher.core.errors import NoDocumentation, SourceRefused, SourceUnavailable
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.names import slug_of
from docs_researcher.docsets.readers.autodoc import autodoc_names, may_name
from docs_researcher.docsets.readers.base import Page
from docs_researcher.docsets.readers.conf import conf_paths, find_conf
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.base import Document, Neighbours, SourceInfo, SourceTree, readable_by_default
from docs_researcher.docsets.sources.choose import check_folder, choose, may_hold_docs
from docs_researcher.docsets.sources.ignored import IgnoreRules
from docs_researcher.docsets.sources.included import may_be_included
from docs_researcher.docsets.sources.python_reference import conf_roots, is_code, python_reference
from docs_researcher.docsets.sources.wishes import FILE_NAME, Wishes, read_wishes

MAX_FILE_BYTES = 64_000_000
"""A larger file is skipped; the largest real page known is a twelfth of it."""
MAX_FILES = 100_000
"""More readable files than this is a home directory, not a documentation."""
MAX_DEPTH = 40

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_DOCS_WORDS = frozenset({"docs", "doc", "documentation"})


class FolderSource:
    """The documentation in a folder on disk."""

    def __init__(
        self,
        path: Path,
        *,
        name: str | None = None,
        version: str | None = None,
        info: SourceInfo | None = None,
        folder: str | None = None,
        folder_is_certain: bool = False,
        language: str = "en",
        readable: Callable[[str], bool] = readable_by_default,
    ) -> None:
        """A folder at `path`, which may itself be a link.

        Args:
            path: the folder.
            name: what to call the library; the folder's name otherwise (its parent's for a folder called `docs`).
            version: its version, where the user says so.
            info: what is known about the library; built from name and version otherwise.
            folder: its docs folder, relative, where known.
            folder_is_certain: whether it is an error when that folder holds nothing; otherwise the usual places are tried.
            language: which translation is wanted (`de`), or `all`.
            readable: whether a file name is one that can be read.
        """
        self._root = path
        self.info = info or local_info(path, name, version)
        self._folder = folder
        self._folder_is_certain = folder_is_certain
        self._language = language
        self._readable = readable

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The documents in the order of their paths, each read when it is asked for."""
        skipped: list[Skipped] = []
        near = Neighbours(read=self._included)
        return SourceTree(self.info, self._documents(skipped, near, listener), skipped, near)

    def _documents(self, skipped: list[Skipped], near: Neighbours, listener: Listener) -> Iterator[Document]:
        if not self._root.is_dir():
            reason = "it is no folder" if self._root.exists() else "there is no such folder"
            raise SourceUnavailable(f"{self._root} cannot be read", why=reason, next_step="Check the path.")
        listener(Event("build", f"reading {self._root.name or self._root}"))
        found = list(self._walk(skipped, self._readable))
        if self._folder_is_certain and self._folder:
            check_folder(self._root.name or str(self._root), found, self._folder)
        chosen = choose(found, self._folder, self._language, self.info.version, self._wishes())
        skipped.extend(chosen.left_out)
        if not chosen.paths:
            raise NoDocumentation(
                f"{self._root} holds no documentation",
                why="there is no file in it that can be read as documentation",
                next_step="Name the folder that holds the pages, such as Markdown, reStructuredText or HTML.",
            )
        near.pages = chosen.paths
        left = list[bytes]()
        for path in chosen.paths:
            data = self._read_file(path, skipped)
            if data is not None:
                left.extend([data] if may_name(data) else [])
                yield Document(path, data)
        for page in self._reference(left, chosen.paths, listener) if left else ():
            yield Document(page.path, b"", page=page)

    def _reference(self, guide: Sequence[bytes], pages: Sequence[str], listener: Listener) -> list[Page]:
        """The docstrings that these pages of the guide leave to autodoc, where the folder holds the code."""
        only = autodoc_names(data.decode("utf-8", "replace") for data in guide)
        try:
            paths = list(self._walk([], is_code)) if only else []
        except SourceRefused:  # more code than any library has
            paths = []
        if not paths:
            return []

        def text(path: str) -> str | None:
            data = self._included(path) if path in conf_paths(pages) and (self._root / path).is_file() else None
            return data.decode("utf-8", "replace") if data is not None else None

        def read(wanted: Sequence[str]) -> Iterator[tuple[str, bytes]]:
            for path in wanted:
                data = self._read_file(path, [])
                if data is not None:
                    yield path, data

        place, conf = find_conf(pages, text)
        return python_reference(paths, read, self.info.version, listener, only=only, roots=conf_roots(place, conf.roots))

    def _wishes(self) -> Wishes:
        has_file = (self._root / FILE_NAME).is_file()
        return read_wishes(self._read_file(FILE_NAME, []) if has_file else None)

    def _included(self, path: str) -> bytes | None:
        """A file that a page takes text from: inside the folder, and reached without a link."""
        if not may_be_included(path):
            return None
        parts = path.split("/")
        if any((self._root / "/".join(parts[:depth])).is_symlink() for depth in range(1, len(parts))):
            return None
        return self._read_file(path, [])

    def _walk(self, skipped: list[Skipped], readable: Callable[[str], bool]) -> Iterator[str]:
        """The relative paths of all readable files that are not ignored."""
        rules = IgnoreRules(self._root)
        found = 0
        pending = [""]
        while pending:
            folder = pending.pop()
            for entry in self._entries(folder, skipped):
                path = f"{folder}/{entry.name}" if folder else entry.name
                if not may_hold_docs(path):
                    continue
                if entry.is_symlink():
                    skipped.append(Skipped.of(path, "a link"))
                elif entry.is_dir(follow_symlinks=False):
                    if path.count("/") < MAX_DEPTH and not rules.ignores(path + "/"):
                        pending.append(path)
                elif readable(path) and not rules.ignores(path):
                    found += 1
                    if found > MAX_FILES:
                        raise SourceRefused(
                            f"{self._root} was not read",
                            why=f"it holds more than {MAX_FILES:,} files",
                            next_step="Name its docs folder.",
                        )
                    yield path

    def _entries(self, folder: str, skipped: list[Skipped]) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._root / folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not folder:
                raise SourceUnavailable(
                    f"{self._root} cannot be read", why=error.strerror or str(error), next_step="Check its permissions."
                ) from error
            skipped.append(Skipped.of(folder, f"cannot be read: {error.strerror}"))
            return []

    def _read_file(self, path: str, skipped: list[Skipped]) -> bytes | None:
        try:
            # Opened without following a link and without waiting for a pipe: the tree may change while we read.
            handle = os.open(self._root / path, os.O_RDONLY | _NO_FOLLOW)
            with os.fdopen(handle, "rb") as file:
                status = os.fstat(handle)
                if not stat.S_ISREG(status.st_mode):
                    skipped.append(Skipped.of(path, "not a regular file"))
                    return None
                if status.st_size > MAX_FILE_BYTES:
                    skipped.append(Skipped.of(path, f"larger than {MAX_FILE_BYTES // 1_000_000} MB"))
                    return None
                return file.read(MAX_FILE_BYTES)
        except OSError as error:
            skipped.append(Skipped.of(path, f"cannot be read: {error.strerror}"))
            return None


def local_info(path: Path, name: str | None = None, version: str | None = None) -> SourceInfo:
    """What is known about a folder: its name, made fit for an id, and the version its user gave."""
    title = name
    if not title:
        resolved = path.resolve()
        title = resolved.parent.name if resolved.name.lower() in _DOCS_WORDS and resolved.parent.name else resolved.name
    slug = slug_of(title) or "docs"
    return SourceInfo(name=slug, version=version, library_id=f"/local/{slug}", title=title or slug)
