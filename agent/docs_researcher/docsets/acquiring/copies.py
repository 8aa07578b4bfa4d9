"""Docsets as files: copied out of the store, and installed from a path or an address."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from docs_researcher.core.errors import (
    DocsetInvalid,
    PackageNotFound,
    SourceRefused,
    SourceUnavailable,
    StoreUnwritable,
    UsageError,
)
from docs_researcher.core.events import Event, Listener, ignore
from docs_researcher.docsets.acquiring.build import BuildReport, report_installed
from docs_researcher.docsets.file import Docset
from docs_researcher.docsets.file_errors import invalid
from docs_researcher.docsets.unfinished import temporary_folder, unfinished

if TYPE_CHECKING:
    from docs_researcher.docsets.installed.store import Installed, Store
    from docs_researcher.docsets.sources.web_client import WebClient

DOCSET_SUFFIX = ".db"
MAX_DOCSET_BYTES = 500_000_000
"""The largest docset that was built here has 14 MB; a file of this size is no documentation."""
DOWNLOAD_SECONDS = 600.0
_SHA256 = re.compile(r"(?:sha256[:=-])?([0-9a-fA-F]{64})")


def is_docset_address(argument: str) -> bool:
    """Whether this is the web address of a docset file."""
    parts = urlsplit(argument)
    return parts.scheme.lower() in ("http", "https") and parts.path.lower().endswith(DOCSET_SUFFIX)


def checksum(text: str) -> str:
    """A SHA-256 as 64 hexadecimal digits, out of the forms in which it is written.

    Raises:
        UsageError: it is none.
    """
    match = _SHA256.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"{text!r} is no SHA-256", why="that has 64 hexadecimal digits", next_step="Copy it from where the file is offered."
        )
    return match[1].lower()


def file_checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _replace_any(before: Installed) -> None:
    """Let a file take the place of whatever is installed under its name."""


def install_file(
    path: Path, store: Store, *, sha256: str | None = None, may_replace: Callable[[Installed], None] = _replace_any
) -> BuildReport:
    """Install a docset that was built elsewhere; what is wrong with a file is found before it is copied.

    `may_replace` raises where what is installed under its name, and holds something else, is to stay.

    Raises:
        UsageError: there is no such file.
        SourceRefused: it is not the file that the checksum belongs to.
        DocsetInvalid: it is no docset.
    """
    if not path.is_file():
        raise UsageError(f"There is no file {path}", next_step="Check the path; a relative one counts from the current folder.")
    if sha256 is not None and file_checksum(path) != sha256:
        raise SourceRefused(
            f"{path.name} is not the file that is meant",
            why=f"its SHA-256 is {file_checksum(path)}",
            next_step="Get the file again, from where its checksum stands.",
        )
    with Docset.open(path) as docset:
        docset.check()
        meta = docset.meta
    try:
        target = store.path_for(meta.name, meta.version, meta.purl)
    except DocsetInvalid as error:
        raise invalid(path, f"it says of itself what no library is called: {error.message}") from error
    before = next((item for item in store.installed() if item.path == target), None)
    if before is not None and _is_same(path, before, store):
        return report_installed(store, before)
    if before is not None:
        may_replace(before)
    with temporary_folder() as folder:
        copy = folder / "copy.db"
        shutil.copyfile(path, copy)
        installed = store.install(copy, meta)
    return dataclasses.replace(report_installed(store, installed), already=False)


def _is_same(path: Path, before: Installed, store: Store) -> bool:
    """Whether a file holds what is installed already, and that is sound."""
    try:
        there = store.open(before)
        there.check()
    except DocsetInvalid:
        return False
    with Docset.open(path) as docset:
        return docset.holds_the_same(there)


def install_download(
    url: str,
    store: Store,
    *,
    sha256: str | None = None,
    listener: Listener = ignore,
    may_replace: Callable[[Installed], None] = _replace_any,
) -> BuildReport:
    """Fetch a docset file and install it.

    Its SHA-256 is the one given, else the one behind `#sha256=` in the address, else the one in the file beside it that has
    `.sha256` behind its name, where there is one.

    Raises:
        SourceError: it cannot be fetched, or is not what its checksum says.
        DocsetInvalid: it is no docset.
    """
    from docs_researcher.docsets.sources.web_client import WebClient

    address, _, fragment = url.partition("#")
    name = Path(urlsplit(address).path).name
    if sha256 is None and fragment:
        sha256 = checksum(fragment)
    listener(Event("fetch", f"fetching {name} from {urlsplit(address).hostname}"))
    with WebClient(address) as client, temporary_folder() as folder:
        if sha256 is None:
            sha256 = _checksum_beside(client, address)
        page = client.get(address, max_bytes=MAX_DOCSET_BYTES, seconds=DOWNLOAD_SECONDS)
        path = folder / name
        path.write_bytes(page.data)
        return install_file(path, store, sha256=sha256, may_replace=may_replace)


def _checksum_beside(client: WebClient, address: str) -> str | None:
    head, mark, query = address.partition("?")
    try:
        text = client.get(f"{head}.sha256{mark}{query}", max_bytes=10_000).data.decode("ascii", "replace")
    except (PackageNotFound, SourceUnavailable):
        return None
    words = text.split()
    return checksum(words[0]) if words and _SHA256.fullmatch(words[0]) else None


def save_copy(installed: Installed, target: Path, *, force: bool = False) -> Path:
    """Copy an installed docset into a folder, or to a path that ends in `.db`, and return where it lies.

    A folder is made where it is missing, but no folder above it.

    A docset of the same library and version is written over, since that is what a second call means; anything else only with
    `force`.

    Raises:
        UsageError: something else lies there, or there is no folder to make it in.
        StoreUnwritable: it cannot be written there.
    """
    is_file = target.name.lower().endswith(DOCSET_SUFFIX) and not target.is_dir()
    place = target if is_file else target / installed.path.name
    if target.exists() and not target.is_dir() and not is_file:
        raise UsageError(
            f"{target} is a file", why="a copy goes into a folder or to a path that ends in .db", next_step="Name one."
        )
    missing = place.parent if is_file else place.parent.parent  # one folder is made, as it is named; no way to it
    if not missing.exists():
        raise UsageError(
            f"There is no folder {missing}",
            why=f"the copy would go to {place}",
            next_step="Make it first, or name another place.",
        )
    if place.exists() and not force:
        _check_same(place, installed)
    beside = place.with_name(f".{place.name}.{os.getpid()}.copied")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with unfinished(beside):
            shutil.copyfile(installed.path, beside)
            beside.replace(place)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise StoreUnwritable(
            f"{place} could not be written", why=error.strerror or str(error), next_step="Name another place."
        ) from error
    return place


def _check_same(place: Path, installed: Installed) -> None:
    try:
        with Docset.open(place) as docset:
            there = docset.meta
    except DocsetInvalid as error:
        raise UsageError(
            f"{place} exists and is no docset",
            next_step="Name another place, or pass --force to write over it; nothing was overwritten.",
        ) from error
    if (there.library_id, there.version) != (installed.library_id, installed.version):
        raise UsageError(
            f"{place} exists and holds another docset",
            why=f"it is {there.library_id} {there.version or '(no version)'}",
            next_step="Name another place, or pass --force to write over it; nothing was overwritten.",
        )
