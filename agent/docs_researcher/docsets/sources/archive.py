"""The documentation in an archive on disk, whatever packed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from docs_researcher.core.errors import NoDocumentation
from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.archive_files import LARGER, ArchiveBudget, read_archive
from docs_researcher.docsets.sources.base import Document, Neighbours, SourceInfo, SourceTree, readable_by_default
from docs_researcher.docsets.sources.choose import DOCS_FOLDERS, check_folder, choose, may_hold_docs
from docs_researcher.docsets.sources.included import included_files
from docs_researcher.docsets.sources.wishes import FILE_NAME, read_wishes

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page


class ArchiveSource:
    """The documentation in an archive on disk, whatever packed it."""

    def __init__(
        self,
        path: Path,
        info: SourceInfo,
        *,
        folder: str | None = None,
        language: str = "en",
        strip_top: bool | None = None,
        budget: ArchiveBudget | None = None,
        readable: Callable[[str], bool] = readable_by_default,
    ) -> None:
        """An archive at `path`.

        Args:
            path: the archive; it is only read.
            info: what is known about the library.
            folder: its docs folder, where known.
            language: which translation is wanted (`de`), or `all`.
            strip_top: leave the first folder out of all paths; None does so when all files share one that is no docs folder.
            budget: what it may cost to read.
            readable: whether a file name is one that can be read.
        """
        self.info = info
        self._path = path
        self._folder = folder
        self._folder_is_certain = False
        self._language = language
        self._strip_top = strip_top
        self._budget = budget
        self._readable = readable

    def choose_pages(self, folder: str | None, language: str) -> None:
        """Take the pages of this folder, where one is named, in this language."""
        self._folder = folder or self._folder
        self._folder_is_certain = folder is not None
        self._language = language

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The documents of the archive in the order of their paths; the archive is read when the first one is asked for."""
        skipped: list[Skipped] = []
        near = Neighbours()
        return SourceTree(self.info, self._documents(skipped, near, listener), skipped, near)

    def _documents(self, skipped: list[Skipped], near: Neighbours, listener: Listener) -> Iterator[Document]:
        contents = read_archive(
            self._path, self._may_be_read, strip_top=bool(self._strip_top), budget=self._budget, listener=listener
        )
        skipped.extend(contents.skipped)
        files = contents.files if self._strip_top is not None else _without_shared_top(contents.files)
        files.update(self._described())
        wished = read_wishes(files.pop(FILE_NAME, None))
        if self._folder_is_certain and self._folder:
            check_folder(self.info.name, files, self._folder)
        chosen = choose(files, self._folder, self._language, self.info.version, wished)
        skipped.extend(chosen.left_out)
        too_large = next((item for item in contents.skipped if item.reason.startswith(LARGER)), None)
        from docs_researcher.docsets.readers.base import is_readme
        from docs_researcher.docsets.readers.examples import example_pages, is_example

        guide = {path: files[path] for path in chosen.paths if chosen.folder}
        if all(is_readme(path) for path in guide):  # of examples, mostly
            guide = {}
        reference = self._reference(guide, skipped, listener)
        if not guide and self._strip_top is not None:
            programs = read_archive(self._path, is_example, strip_top=self._strip_top, budget=self._budget)
            reference = [*example_pages(programs.files, skipped), *reference]
        if not chosen.paths and not reference:
            raise NoDocumentation(
                f"{self.info.name} ships no documentation",
                why=f"{too_large.path} in its archive is {too_large.reason}, the most that a file may have"
                if too_large is not None
                else "its archive holds no file that can be read as documentation",
                next_step=f"Add its documentation from where it lies: docs-research add {_elsewhere(self.info)}"
                if too_large is None
                else "Split it into pages, and add them as a folder.",
            )
        near.pages, near.read = chosen.paths, self._with_included(files, chosen.paths).get
        for path in chosen.paths:
            yield Document(path, files[path])
        for page in reference:
            yield Document(page.path, b"", page=page)

    def _with_included(self, files: dict[str, bytes], pages: Sequence[str]) -> dict[str, bytes]:
        """The files with those that the pages take text from, which are mostly code and were not read at first."""
        wanted = included_files((path, files[path]) for path in pages) - files.keys()
        if wanted and self._strip_top is not None:
            found = read_archive(self._path, wanted.__contains__, strip_top=self._strip_top, budget=self._budget)
            files.update(found.files)
        return files

    def _described(self) -> dict[str, bytes]:
        """Documents that lie in the archive under other names, such as the README in a wheel's metadata."""
        return {}

    def _reference(self, guide: Mapping[str, bytes], skipped: list[Skipped], listener: Listener) -> list[Page]:
        """The pages of an API reference out of the archive's code; `guide` is what its docs folder holds, empty without one."""
        return []

    def _may_be_read(self, path: str) -> bool:
        return path == FILE_NAME or (self._readable(path) and may_hold_docs(path))


def _elsewhere(info: SourceInfo) -> str:
    """Where documentation may lie that the archive lacks: the repository that the id names, for want of one any place."""
    owner = info.library_id.split("/")[1]
    return "REPOSITORY or FOLDER" if owner in ("npm", "pypi", "local") else f"github.com{info.library_id}"


def _without_shared_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the one folder that all of them stand in, unless that is the docs folder itself."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) != 1 or any("/" not in path for path in files):
        return files
    if next(iter(tops)).lower() in DOCS_FOLDERS:
        return files
    return {path.partition("/")[2]: data for path, data in files.items()}
