"""Documentation in a single file of the user's: a page, or a list of pages in the form of llms.txt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs_researcher.core.errors import NoDocumentation, SourceUnavailable, UsageError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.sources.base import Document, SourceTree, readable_by_default
from docs_researcher.docsets.sources.folder import MAX_FILE_BYTES, local_info
from docs_researcher.docsets.sources.llms import is_llms_name, split_pages


class FileSource:
    """One file on disk. A page in it is named after the file; `llms-full.txt` is cut into the pages that it is made of."""

    def __init__(self, path: Path, *, name: str | None = None, version: str | None = None) -> None:
        """The file at `path`; `name` is what to call the library, the file's name otherwise.

        Raises:
            UsageError: a kind of file that cannot be read.
        """
        if not readable_by_default(path.name) and not is_llms_name(path.name):
            raise UsageError(
                f"{path.name} is no file that can be read as documentation",
                why="read are Markdown, reStructuredText, AsciiDoc, HTML, notebooks, plain text, archives and docsets",
                next_step="Add a folder or an archive.",
            )
        self._path = path
        self.info = local_info(path, name or path.stem, version)

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The file as one document, or as several."""
        listener(Event("build", f"reading {self._path.name}"))
        try:
            with self._path.open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise SourceUnavailable(
                f"{self._path} cannot be read", why=error.strerror or str(error), next_step="Check the path and its permissions."
            ) from error
        if len(data) > MAX_FILE_BYTES:
            raise NoDocumentation(f"{self._path.name} is larger than {MAX_FILE_BYTES // 1_000_000} MB")
        if is_llms_name(self._path.name):
            return SourceTree(self.info, iter(split_pages(self._path.name, data)))
        return SourceTree(self.info, _handed_over([Document(self._path.name, data)]))


def _handed_over(held: list[Document]) -> Iterator[Document]:
    """The documents, none of which is held any longer than its reader does: one may fill the memory."""
    while held:
        yield held.pop(0)
