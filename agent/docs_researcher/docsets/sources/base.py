"""What a source of documentation hands over: facts about the library, documents one by one, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from docs_researcher.core.events import Listener, ignore
from docs_researcher.docsets.skipped import Skipped

if TYPE_CHECKING:
    from docs_researcher.docsets.readers.base import Page


def no_url(path: str) -> str | None:
    """The URL rule of a source whose pages have no address."""
    return None


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known about the library before a page of it is read."""

    name: str
    """As its registry has it (`next`, `@trpc/server`), or the user's own word for a folder."""
    version: str | None
    library_id: str
    """The id without a version: the catalogue's, else `/npm/name`, `/pypi/name` or `/local/name`."""
    purl: str | None = None
    """With the version: `pkg:npm/next@16.4.6`; None for a folder."""
    title: str = ""
    """The name as people write it (`Next.js`)."""
    description: str = ""
    license: str | None = None
    date: str | None = None
    """Date of the documentation (ISO 8601, day)."""
    source_url: str | None = None
    """Where it was read from, without credentials; None where the purl says it."""
    commit: str | None = None
    edition: str = ""
    """`newest` for documentation that is kept for the newest release only; `version` is what that was when it was read."""
    page_url: Callable[[str], str | None] = no_url
    """From a path as shipped to the address of the published page."""
    is_site: bool = False
    """The address of a website without an llms.txt: where one page comes out, there may be many more."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of documentation, not decoded yet."""

    path: str
    """POSIX path as shipped by the source (`dist/docs/01-app/index.md`)."""
    data: bytes
    url: str | None = None
    """The address of its page, where the document itself says it."""
    page: Page | None = None
    """What the source has read already: a page of an API reference, made of more than one file. `data` is then empty."""


def no_file(path: str) -> bytes | None:
    """A source that hands out nothing beside its documents."""
    return None


@dataclass(slots=True)
class Neighbours:
    """What a page may take text or titles from. A source fills it when its first document is asked for."""

    pages: tuple[str, ...] = ()
    """The paths of the documents, in order."""
    read: Callable[[str], bytes | None] = no_file
    """The content of a file of the source, page or not, by its path; None when there is none, or it may not be read."""


@dataclass(frozen=True, slots=True)
class SourceTree:
    """The documents of a source in the order of their paths. `skipped` grows while they are read."""

    info: SourceInfo
    documents: Iterator[Document]
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    near: Neighbours = field(default_factory=Neighbours)


class Source(Protocol):
    """A place that documentation is read from."""

    @property
    def info(self) -> SourceInfo:
        """What is known without reading a page."""
        ...

    def read(self, listener: Listener = ignore) -> SourceTree:
        """The documents, read as they are asked for; nothing is run and nothing is written.

        Raises, here or while the documents are read:
            NoDocumentation: nothing to index.
            SourceRefused: too large, or hostile.
            SourceUnavailable: it cannot be read at all.
        """
        ...


def readable_by_default(path: str) -> bool:
    """Whether one of our readers takes this file."""
    from docs_researcher.docsets.readers.choose import reader_for

    return reader_for(path) is not None
