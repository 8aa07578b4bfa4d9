"""Documentation in a git repository, read through git's objects: nothing is checked out, so no user's files are touched."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

from docs_researcher.core.errors import NoDocumentation, SourceRefused, SourceUnavailable, UsageError
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.readers.autodoc import autodoc_names, may_name
from docs_researcher.docsets.readers.conf import find_conf
from docs_researcher.docsets.skipped import Skipped
from docs_researcher.docsets.sources.base import Document, Neighbours, SourceInfo, SourceTree, readable_by_default
from docs_researcher.docsets.sources.choose import Chosen, check_folder, choose, may_hold_docs
from docs_researcher.docsets.sources.folder import MAX_FILE_BYTES, MAX_FILES, local_info
from docs_researcher.docsets.sources.git_address import GitAddress
from docs_researcher.docsets.sources.git_commands import FETCH_SECONDS, LOCAL_SECONDS, command, end, run, start
from docs_researcher.docsets.sources.git_refs import REF, Revision
from docs_researcher.docsets.sources.included import included_files, may_be_included, may_include
from docs_researcher.docsets.sources.licences import licence_name
from docs_researcher.docsets.sources.python_reference import conf_roots, is_code, python_reference
from docs_researcher.docsets.sources.wishes import FILE_NAME, NO_WISHES, Wishes, read_wishes

if TYPE_CHECKING:
    from docs_researcher.library.catalogue import Catalogue

_LICENCE = re.compile(r"(?:licen[cs]e|copying)(?:[-.].*)?", re.IGNORECASE)


class GitSource:
    """The documentation of one commit. `folder` holds the fetched objects and belongs to the caller."""

    def __init__(
        self,
        address: GitAddress,
        revision: Revision,
        folder: Path,
        *,
        info: SourceInfo | None = None,
        docs_folder: str | None = None,
        folder_is_certain: bool = True,
        language: str = "en",
        readable: Callable[[str], bool] = readable_by_default,
        seconds: float = FETCH_SECONDS,
    ) -> None:
        """The repository at `address`, of which `revision` is read.

        Args:
            address: where it is cloned from.
            revision: what is read.
            folder: an empty folder for git's objects.
            info: what is known about the library; made from the address otherwise.
            docs_folder: its docs folder, where known; the revision's own folder comes first.
            folder_is_certain: whether it is an error when that folder holds nothing; otherwise the usual places are tried.
            language: which translation is wanted (`de`), or `all`.
            readable: whether a file name is one that can be read.
            seconds: how long the fetch may take.
        """
        self.info = replace(info or git_info(address, revision), source_url=address.shown)
        self._address = address
        self._revision = revision
        self._folder = folder
        self._docs_folder = revision.folder or docs_folder
        self._folder_is_certain = folder_is_certain
        self._language = language
        self._readable = readable
        self._seconds = seconds

    def read(self, listener: Listener = ignore) -> SourceTree:
        """Fetch the commit; its files are read when they are asked for."""
        where = self._address.host or "this disk"
        shown = self._revision.ref.removeprefix("refs/tags/").removeprefix("refs/heads/")
        listener(Event("fetch", f"fetching {self._address.path} at {shown} from {where}"))
        self._fetch()
        commit, date = self._git("log", "-1", "--format=%H %cs", "FETCH_HEAD").decode().split()
        files, skipped = self._files()
        chosen = self._chosen(files)
        skipped = [item for item in skipped if item.path.startswith(chosen.folder)]
        skipped.extend(chosen.left_out)
        if not chosen.paths:
            raise NoDocumentation(
                f"{self._address.path} holds no documentation",
                why="there is no file in it that can be read as documentation",
                next_step="Its documentation may live in another repository.",
            )
        licence = next((path for path in sorted(files) if "/" not in path and _LICENCE.fullmatch(path)), None)
        wanted = [*chosen.paths, *([licence] if licence else [])]
        self._get_missing([files[path] for path in wanted])
        info = replace(self.info, commit=commit, date=date, license=self.info.license or self._licence(files, licence))
        if self._address.page_of("x", commit) is not None:
            info = replace(info, page_url=partial(self._address.page_of, commit=commit))
        self._get_missing([files[path] for path in self._included(files, chosen.paths)])
        near = Neighbours(chosen.paths, partial(self._near_page, files, chosen.paths, {}))
        return SourceTree(info, self._read_all(files, chosen.paths, skipped, listener), skipped, near)

    def _read_all(
        self, files: dict[str, str], pages: Sequence[str], skipped: list[Skipped], listener: Listener
    ) -> Iterator[Document]:
        """The pages, and behind them the docstrings that they leave to autodoc."""
        left: list[bytes] = []
        for document in self._documents(files, pages, skipped):
            left.extend([document.data] if may_name(document.data) else [])
            yield document
        only = autodoc_names(data.decode("utf-8", "replace") for data in left)
        code = [path for path in files if is_code(path) and may_hold_docs(path)] if only else []
        if not code:
            return
        place, conf = find_conf(
            pages, lambda path: found.decode("utf-8", "replace") if (found := self._near(files, path)) else None
        )
        roots = conf_roots(place, conf.roots)
        for page in python_reference(code, partial(self._code, files), self.info.version, listener, only=only, roots=roots):
            yield Document(page.path, b"", page=page)

    def _code(self, files: dict[str, str], paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        self._get_missing([files[path] for path in paths])
        return ((document.path, document.data) for document in self._documents(files, paths, []))

    def _included(self, files: dict[str, str], pages: Sequence[str]) -> list[str]:
        """The files that the pages take text from."""
        documents = self._documents(files, [path for path in pages if may_include(path)], [])
        return sorted(included_files((document.path, document.data) for document in documents) & files.keys())

    def _near_page(self, files: dict[str, str], pages: Sequence[str], held: dict[str, bytes], path: str) -> bytes | None:
        """A page or another file. All pages are read at once: a process for each would take seconds."""
        if path not in pages:
            return self._near(files, path)
        if not held:
            held.update((document.path, document.data) for document in self._documents(files, pages, []))
        return held.get(path)

    def _near(self, files: dict[str, str], path: str) -> bytes | None:
        if path not in files or not may_be_included(path):
            return None
        try:
            return self._git("cat-file", "blob", files[path])
        except SourceUnavailable:  # kept back by the server's filter: no page was seen to need it
            return None

    def _chosen(self, files: Mapping[str, str]) -> Chosen:
        """The documentation among the files: the one file that was asked for, or what the docs folder holds."""
        folder = (self._docs_folder or "").strip("/")
        if folder in files:
            return Chosen((folder,))
        readable = [path for path in files if self._readable(path) and may_hold_docs(path)]
        if folder and self._folder_is_certain:
            check_folder(self._address.path, readable, folder)
        return choose(readable, folder or None, self._language, self.info.version, self._wishes(files))

    def _wishes(self, files: Mapping[str, str]) -> Wishes:
        if FILE_NAME not in files:
            return NO_WISHES
        self._get_missing([files[FILE_NAME]])
        return read_wishes(self._git("cat-file", "blob", files[FILE_NAME]))

    def _fetch(self) -> None:
        if not REF.fullmatch(self._revision.ref):
            raise UsageError(f"{self._revision.ref!r} cannot be the name of a tag or branch")
        try:
            # Without the blobs it is the list of files; a server that knows no filters sends them all at once.
            self._fetch_with("--depth=1", "--filter=blob:none")
        except SourceUnavailable as error:
            if "shallow" not in error.why:
                raise
            shutil.rmtree(self._folder)
            self._fetch_with()  # a plain web server hands out files and knows neither depth nor filter

    def _fetch_with(self, *options: str) -> None:
        what = self._address.shown
        run(command("init", "--bare", "--quiet", "--template=", "--", str(self._folder)), seconds=LOCAL_SECONDS, what=what)
        self._git("remote", "add", "--", "origin", self._address.url)
        arguments = ["fetch", "--quiet", "--no-tags", *options, "--", "origin", self._revision.ref]
        run(command(*arguments, folder=self._folder), seconds=self._seconds, what=what, watched=self._folder)

    def _git(self, *arguments: str, sent: bytes = b"") -> bytes:
        return run(command(*arguments, folder=self._folder), seconds=LOCAL_SECONDS, what=self._address.shown, sent=sent)

    def _files(self) -> tuple[dict[str, str], list[Skipped]]:
        """Every regular file of the commit with its object, and what is none."""
        files: dict[str, str] = {}
        skipped: list[Skipped] = []
        for entry in self._git("ls-tree", "-r", "-z", "--full-tree", "FETCH_HEAD").split(b"\0"):
            head, _, name = entry.partition(b"\t")
            if not name:
                continue
            mode, _, object_id = head.decode().split()
            path = name.decode("utf-8", "backslashreplace")
            if mode in ("120000", "160000"):
                skipped.append(Skipped.of(path, "a link" if mode == "120000" else "another repository inside this one"))
            elif len(files) >= MAX_FILES:
                raise SourceRefused(f"{self._address.path} was not read", why=f"it holds more than {MAX_FILES:,} files")
            else:
                files[path] = object_id
        return files, skipped

    def _get_missing(self, objects: Sequence[str]) -> None:
        """Fetch those of the objects that the filter kept back, in one go."""
        listed = self._git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").decode().split()
        missing = sorted(set(objects) - set(listed))
        if missing:
            arguments = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--stdin", "origin"]
            run(
                command("-c", "fetch.negotiationAlgorithm=noop", *arguments, folder=self._folder),
                seconds=FETCH_SECONDS,
                what=self._address.shown,
                watched=self._folder,
                sent="".join(f"{item}\n" for item in missing).encode(),
            )

    def _licence(self, files: dict[str, str], path: str | None) -> str | None:
        if path is None:
            return None
        return licence_name(self._git("cat-file", "blob", files[path])[:4_000].decode("utf-8", "replace"))

    def _documents(self, files: dict[str, str], paths: Sequence[str], skipped: list[Skipped]) -> Iterator[Document]:
        with tempfile.TemporaryFile() as stdin:
            stdin.write("".join(f"{files[path]}\n" for path in paths).encode())
            stdin.seek(0)
            process = start(command("cat-file", "--batch", folder=self._folder), stdin=stdin, stdout=subprocess.PIPE, stderr=None)
            stream = process.stdout
            try:
                for path in paths:
                    data = self._blob(stream, path, skipped) if stream is not None else None
                    if data is not None:
                        yield Document(path, data)
            finally:
                if stream is not None:
                    stream.close()
                end(process)

    def _blob(self, stream: IO[bytes], path: str, skipped: list[Skipped]) -> bytes | None:
        head = stream.readline().split()
        if len(head) != 3:
            raise SourceUnavailable(
                f"{self._address.path} could not be read with git", why=f"{path} is missing from what was fetched"
            )
        size = int(head[2])
        if size > MAX_FILE_BYTES:
            skipped.append(Skipped.of(path, f"larger than {MAX_FILE_BYTES // 1_000_000} MB"))
            left = size + 1
            while left > 0 and (piece := stream.read(min(left, 1_000_000))):
                left -= len(piece)
            return None
        data = stream.read(size)
        stream.read(1)  # the line break behind it
        return data


def git_info(
    address: GitAddress,
    revision: Revision,
    name: str | None = None,
    version: str | None = None,
    catalogue: Catalogue | None = None,
) -> SourceInfo:
    """What is known about a repository before it is read. `name` and `version` are the user's own words for it."""
    version = version or revision.version
    if name is not None or not address.host:
        return local_info(Path(address.path), name, version)
    parts = address.path.lower().split("/")
    shown = "/".join(parts[-2:])
    entry = catalogue.by_repository(shown) if catalogue is not None and address.host == "github.com" else None
    if entry is not None:
        return SourceInfo(shown, version, entry.id, title=entry.name, description=entry.description)
    library_id = f"/{shown}" if len(parts) > 1 else f"/local/{shown}"
    return SourceInfo(shown, version, library_id, title=address.name)
