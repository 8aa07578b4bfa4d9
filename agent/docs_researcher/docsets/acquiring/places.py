"""What `add` is given when it is a place and no package: a folder, an archive, a file, a repository, a web address."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from docs_researcher.core.errors import SourceUnavailable, UsageError
from docs_researcher.docsets.acquiring.build import BuildReport, report_installed
from docs_researcher.docsets.sources.archive import ArchiveSource
from docs_researcher.docsets.sources.base import Source
from docs_researcher.docsets.sources.folder import FolderSource, local_info
from docs_researcher.docsets.unfinished import temporary_folder
from docs_researcher.library.packages import parse_package

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Store
    from docs_researcher.docsets.sources.git_address import GitAddress
    from docs_researcher.library.catalogue import Catalogue

DEFAULT_LANGUAGE = "en"
ARCHIVE_SUFFIXES = (".tgz", ".tar.gz", ".tar", ".tar.xz", ".tar.bz2", ".zip", ".whl")


_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#].*)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user says about a place.

    Attributes:
        name: what to call the library.
        version: the version that the documentation is for.
        tag: the tag or branch of a repository.
        folder: the docs folder inside.
        language: which translation is wanted, or `all`.
        choose_tag: asks the user for one of a repository's tags (newest first); None where nobody can be asked.
        offline: nothing may be fetched.
        crawl: of a site without an llms.txt, the pages below the address too.
    """

    name: str | None = None
    version: str | None = None
    tag: str | None = None
    folder: str | None = None
    language: str = DEFAULT_LANGUAGE
    choose_tag: Callable[[Sequence[str]], str | None] | None = None
    offline: bool = False
    crawl: bool = False


@contextmanager
def source_at(argument: str, wishes: Wishes, catalogue: Catalogue) -> Generator[Source | None]:
    """The source for a place, usable inside the `with`; None when the argument names no place.

    Raises:
        UsageError: a place that cannot be read in the way that the wishes say.
        SourceUnavailable: it is not there, or cannot be reached.
        VersionNotFound: a repository has no such tag.
    """
    path = expanded(argument)
    if wishes.crawl and not is_web_page(argument):
        raise UsageError("--crawl is for websites", why=f"{argument} is none", next_step="Leave --crawl out.")
    if exists(argument) or is_path(argument):
        with _on_disk(path, wishes, catalogue) as source:
            yield source
        return
    from docs_researcher.docsets.sources.git_address import parse_git_address

    address = None if parse_package(argument) is not None else parse_git_address(argument)
    if address is not None:
        with _repository(address, wishes, catalogue) as source:
            yield source
    elif argument.lower().startswith(("https://", "http://")):
        check_takes(argument, wishes)
        check_online(argument, wishes)
        if urlsplit(argument).path.lower().endswith(ARCHIVE_SUFFIXES):
            raise UsageError(
                "An archive is read from this disk", why=f"{argument} is an address", next_step="Download it and add the file."
            )
        from docs_researcher.docsets.sources.web import WebSource

        yield WebSource(argument, name=wishes.name, version=wishes.version, crawl=wishes.crawl)
    else:
        yield None


def with_scheme(argument: str) -> str:
    """What `--crawl` reads is a site, so that `react.dev/learn` is one too where no such file is at hand."""
    return f"https://{argument}" if _HOST.match(argument) and not exists(argument) else argument


def is_web_page(argument: str) -> bool:
    """Whether this is the address of a site or page, not that of a repository."""
    from docs_researcher.docsets.sources.git_address import parse_git_address

    return argument.lower().startswith(("https://", "http://")) and parse_git_address(argument) is None


def installed_package(argument: str, wishes: Wishes, store: Store, catalogue: Catalogue) -> BuildReport | None:
    """Install the docset that lies in an installed package's folder; None where the argument is none, or holds none.

    Raises:
        DocsetInvalid: it is no docset, or one of another library or version.
    """
    path = expanded(argument)
    if not exists(argument) or not path.is_dir() or _says_anything(wishes):
        return None
    from docs_researcher.docsets.installed.embedded import embedded_at, install_embedded

    found = embedded_at(path)
    if found is None:
        return None
    entry = catalogue.by_package(found.package)
    library_id = entry.id if entry is not None else f"/{found.package.type}/{found.package.name}"
    return dataclasses.replace(report_installed(store, install_embedded(found, library_id, store)), already=False)


def _says_anything(wishes: Wishes) -> bool:
    """Whether the user says which documentation is meant, or what it is of: a ready docset has its own words for both."""
    return bool(wishes.name or wishes.version or wishes.tag or wishes.folder) or wishes.language != DEFAULT_LANGUAGE


def expanded(argument: str) -> Path:
    """The path with `~` written out; `~name` of nobody stays as it is, and names nothing."""
    try:
        return Path(argument).expanduser()
    except RuntimeError:
        return Path(argument)


def exists(argument: str) -> bool:
    """Whether there is such a path; what a file system cannot even take is none."""
    try:
        return expanded(argument).exists()
    except (OSError, ValueError):
        return False


def is_path(argument: str) -> bool:
    """Whether something that does not exist was meant as a path: the error then says so."""
    if parse_package(argument) is not None or "://" in argument:
        return False
    return argument.startswith((".", "/", "~")) or "\\" in argument or argument.lower().endswith(ARCHIVE_SUFFIXES)


@contextmanager
def _on_disk(path: Path, wishes: Wishes, catalogue: Catalogue) -> Generator[Source]:
    if not exists(str(path)):
        raise UsageError(f"There is no {path}", next_step="Check the path; a relative one counts from the current folder.")
    if path.is_dir() and (_is_bare_repository(path) or (wishes.tag is not None and (path / ".git").exists())):
        from docs_researcher.docsets.sources.git_address import GitAddress

        resolved = path.resolve()
        with _repository(GitAddress(resolved.as_uri(), "", resolved.name.removesuffix(".git")), wishes, catalogue) as source:
            yield source
    elif path.is_dir():
        check_takes(path.name, wishes, "--path", "--lang")
        from docs_researcher.docsets.acquiring.installed_packages import installed_source

        with temporary_folder() as temporary:
            installed = installed_source(path, catalogue, temporary) if not (wishes.name or wishes.version) else None
            if installed is not None:
                installed.choose_pages(wishes.folder, wishes.language)
            yield installed or FolderSource(
                path,
                name=wishes.name,
                version=wishes.version,
                folder=wishes.folder,
                folder_is_certain=True,
                language=wishes.language,
            )
    elif not path.is_file():
        raise UsageError(
            f"{path} is no regular file", why="a pipe or a device cannot be read as one", next_step="Save it to a file first."
        )
    elif path.name.lower().endswith(ARCHIVE_SUFFIXES):
        check_takes(path.name, wishes, "--path", "--lang")
        stem = re.sub(r"(\.tar)?\.[a-z0-9]+$", "", path.name, flags=re.IGNORECASE)
        info = local_info(path, wishes.name or stem, wishes.version)
        source = ArchiveSource(path, info)
        source.choose_pages(wishes.folder, wishes.language)
        yield source
    else:
        check_takes(path.name, wishes)
        from docs_researcher.docsets.sources.single import FileSource

        yield FileSource(path, name=wishes.name, version=wishes.version)


@contextmanager
def _repository(address: GitAddress, wishes: Wishes, catalogue: Catalogue) -> Generator[Source]:
    from docs_researcher.docsets.sources.git import GitSource, git_info
    from docs_researcher.docsets.sources.git_refs import choose_revision, list_refs

    if address.rest and wishes.tag is not None:
        raise UsageError(
            "Two revisions are given", why=f"the address says {address.rest}, and --tag {wishes.tag}", next_step="Give one."
        )
    if address.host:
        check_online(address.shown, wishes)
    else:
        _check_repository(address.url)
    revision = choose_revision(address, list_refs(address), wishes.tag, wishes.choose_tag)
    if revision.folder and wishes.folder is not None and revision.folder.strip("/") != wishes.folder.strip("/"):
        raise UsageError(
            "Two folders are given",
            why=f"the address says {revision.folder}, and --path {wishes.folder}",
            next_step="Give one.",
        )
    info = git_info(address, revision, wishes.name, wishes.version, catalogue)
    with temporary_folder() as folder:
        yield GitSource(address, revision, folder / "objects", info=info, docs_folder=wishes.folder, language=wishes.language)


def _check_repository(url: str) -> None:
    """Refuse a `file://` address of something that is no git repository, before git says so in its own words.

    Raises:
        UsageError: it is a file or a plain folder, which are given as paths.
    """
    path = Path(unquote(urlsplit(url).path))
    if path.exists() and not ((path / ".git").exists() or _is_bare_repository(path)):
        raise UsageError(
            f"{url} is no git repository",
            why="only repositories are read through file://",
            next_step=f"Give it as a path: docs-research add {path}",
        )


def _is_bare_repository(path: Path) -> bool:
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def check_online(argument: str, wishes: Wishes) -> None:
    """Refuse to fetch where the wishes forbid it.

    Raises:
        SourceUnavailable: they do.
    """
    if wishes.offline:
        raise SourceUnavailable(
            f"{argument} cannot be read", why="--offline forbids fetching it", next_step="Run once without --offline."
        )


_FOR = {
    "--tag": "git repositories",
    "--path": "what holds a docs folder: repositories, folders, archives and packages",
    "--lang": "what may hold translations: repositories, folders, archives and packages",
}


def check_takes(shown: str, wishes: Wishes, *taken: str) -> None:
    """Refuse the wishes that this kind of source cannot follow; `taken` are the options that it does.

    Raises:
        UsageError: one was given. Leaving it aside without a word would index something else than was asked for.
    """
    language = wishes.language if wishes.language != DEFAULT_LANGUAGE else None
    for option, value in (("--tag", wishes.tag), ("--path", wishes.folder), ("--lang", language)):
        if value is not None and option not in taken:
            raise UsageError(f"{option} is for {_FOR[option]}, and {shown} is none", next_step=f"Leave {option} out.")
