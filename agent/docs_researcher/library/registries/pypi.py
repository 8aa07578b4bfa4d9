"""PyPI's index (the "simple" interface, JSON or HTML): the files of a project, and its source archives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any, cast
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from docs_researcher.core.errors import PackageNotFound, SourceUnavailable
from docs_researcher.library.packages import normalise_pypi_name, parse_package
from docs_researcher.library.registries.archives import Archives
from docs_researcher.library.registries.http import Response, get, host_of, may_follow
from docs_researcher.library.registries.integrity import Integrity
from docs_researcher.library.registries.public import pypi_index
from docs_researcher.library.registries.settings import RegistrySettings
from docs_researcher.library.versions import best_match, newest_stable, sort_newest

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
_SDIST_SUFFIXES = (".tar.gz", ".zip", ".tgz", ".tar.bz2", ".tar.xz")


@dataclass(frozen=True, slots=True)
class PypiFile:
    """One file of a project.

    Attributes:
        name: the project's name, normalised.
        version: as the file name has it.
        filename: the archive's name.
        url: where it lies.
        is_sdist: a source archive, not a wheel.
        integrity: what its checksum must be; None when the index states none.
        size: in bytes; None when not stated.
        date: the day of upload (ISO 8601); None when not stated.
        yanked: withdrawn by its authors.
    """

    name: str
    version: str
    filename: str
    url: str
    is_sdist: bool
    integrity: Integrity | None = None
    size: int | None = None
    date: str | None = None
    yanked: bool = False


class PypiIndex(Archives):
    """The indexes that the user's pip or uv is set to. Synchronous; holds no connection between calls."""

    def __init__(self, settings: RegistrySettings | None = None) -> None:
        self._settings = settings or RegistrySettings.read()
        super().__init__(self._settings.pypi_route)
        self._known: dict[str, tuple[PypiFile, ...]] = {}

    def files(self, name: str) -> tuple[PypiFile, ...]:
        """All files of a project, from the first index that knows it. Asked once for each object of this class.

        Raises:
            PackageNotFound: no index knows the project.
            SourceUnavailable: an index cannot be reached or answers with an error.
        """
        if parse_package(f"pypi:{name}") is None:
            raise PackageNotFound(f"{name!r} is no name that PyPI allows", next_step="Check how the name is written.")
        name = normalise_pypi_name(name)
        if name not in self._known:
            self._known[name] = self._ask(name)
        return self._known[name]

    def versions(self, name: str) -> tuple[str, ...]:
        """The versions that have a source archive and are not withdrawn, newest first; with no such archive, all versions.

        Raises:
            PackageNotFound, SourceUnavailable: as `files`.
        """
        files = [file for file in self.files(name) if not file.yanked] or list(self.files(name))
        sources = [file for file in files if file.is_sdist]
        return tuple(sort_newest(dict.fromkeys(file.version for file in sources or files)))

    def newest(self, name: str) -> str:
        """The newest stable version with a source archive; the newest prerelease when there is no stable one.

        Raises:
            PackageNotFound: no index knows the project, or it has no files.
            SourceUnavailable: as `files`.
        """
        versions = self.versions(name)
        if not versions:
            raise PackageNotFound(f"PyPI has no files of {name}", next_step="Check the name.")
        return newest_stable(versions) or versions[0]

    def release(self, name: str, version: str | None = None) -> PypiFile:
        """The archive of a version that tells most (a range means its newest stable version; None the newest of all).

        That is its source archive; of a version that has only wheels, the smallest wheel, which holds README and docstrings.

        Raises:
            PackageNotFound: no index knows the project, or not that version of it.
            SourceUnavailable: as `files`.
        """
        files = self.files(name)
        wanted = version or self.newest(name)
        exact = {file.version for file in files if file.version == wanted}
        found = wanted if exact else best_match(wanted, self.versions(name)) or best_match(wanted, _versions(files))
        if found is None:
            raise PackageNotFound(
                f"PyPI has no version {wanted} of {name}",
                next_step=f"The newest is {self.newest(name)}.",
            )
        archives = [file for file in files if file.version == found]
        if not archives:
            raise PackageNotFound(f"PyPI has no files of {name} {found}", next_step=f"The newest is {self.newest(name)}.")
        return min(archives, key=_usefulness)

    def _ask(self, name: str) -> tuple[PypiFile, ...]:
        indexes = [index or pypi_index() for index in self._settings.pypi_indexes or ("",)]
        for index in indexes:
            try:
                response = get(f"{index}/{name}/", route=self._route, headers={"accept": ACCEPT})
            except PackageNotFound:
                continue
            return tuple(_read_files(name, response))
        hosts = ", ".join(dict.fromkeys(host_of(index) for index in indexes))
        raise PackageNotFound(
            f"PyPI has no project {name}", why=f"{hosts} knows nothing of it", next_step="Check how the name is written."
        )


def _read_files(name: str, response: Response) -> Iterable[PypiFile]:
    records = _json_records(response) if "json" in response.headers.get("content-type", "") else _html_records(response)
    for record in records:
        filename = str(record.get("filename", ""))
        version, is_sdist = _version_in(filename, name)
        url = urljoin(response.url, str(record.get("url", "")))
        if version is None or not may_follow(response.url, url):
            continue
        size, date = record.get("size"), record.get("upload-time")
        yield PypiFile(
            name=name,
            version=version,
            filename=filename,
            url=url,
            is_sdist=is_sdist,
            integrity=Integrity.from_hex(cast(dict[str, str], record.get("hashes") or {})),
            size=size if isinstance(size, int) else None,
            date=date[:10] if isinstance(date, str) else None,
            yanked=record.get("yanked", False) is not False,
        )


def _json_records(response: Response) -> Sequence[dict[str, Any]]:
    document = response.json()
    files = cast(dict[str, Any], document).get("files") if isinstance(document, dict) else None
    if not isinstance(files, list):
        raise SourceUnavailable(
            f"{host_of(response.url)} does not answer like a Python package index",
            next_step="Check `index-url` in pip.conf and the variable PIP_INDEX_URL.",
        )
    return [cast(dict[str, Any], file) for file in cast(list[object], files) if isinstance(file, dict)]


def _html_records(response: Response) -> Sequence[dict[str, Any]]:
    reader = _IndexPage()
    reader.feed(response.body.decode("utf-8", "replace"))
    reader.close()
    return reader.records


class _IndexPage(HTMLParser):
    """The links of an index page as records like those of the JSON form."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take one link."""
        attributes = dict(attrs)
        href = attributes.get("href")
        if tag != "a" or not href:
            return
        url, fragment = urldefrag(href)
        algorithm, _, value = fragment.partition("=")
        self.records.append(
            {
                "filename": unquote(urlsplit(url).path.rsplit("/", 1)[-1]),
                "url": url,
                "hashes": {algorithm: value} if value else {},
                "yanked": "data-yanked" in attributes,
            }
        )


def _version_in(filename: str, name: str) -> tuple[str | None, bool]:
    """The version in a file's name and whether it is a source archive; None for names of another form or project."""
    if filename.endswith(".whl"):
        project, _, rest = filename.partition("-")
        return (rest.partition("-")[0] or None if normalise_pypi_name(project) == name else None), False
    for suffix in _SDIST_SUFFIXES:
        if filename.endswith(suffix):
            project, _, version = filename[: -len(suffix)].rpartition("-")
            return (version or None if normalise_pypi_name(project) == name else None), True
    return None, False


def _versions(files: Iterable[PypiFile]) -> list[str]:
    return list(dict.fromkeys(file.version for file in files))


def _usefulness(file: PypiFile) -> tuple[bool, int, bool, int]:
    """Sorts source archives first, then wheels without compiled code, then small ones."""
    return not file.is_sdist, _suffix_rank(file.filename), not file.filename.endswith("-none-any.whl"), file.size or 0


def _suffix_rank(filename: str) -> int:
    return next((rank for rank, suffix in enumerate(_SDIST_SUFFIXES) if filename.endswith(suffix)), len(_SDIST_SUFFIXES))
