"""Where an installed docset is from, held against what is added now: another place of the same name takes nothing away."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from docs_researcher.core.errors import DocsetInvalid, UsageError
from docs_researcher.docsets.acquiring.places import DEFAULT_LANGUAGE, expanded

if TYPE_CHECKING:
    from pathlib import Path

    from docs_researcher.docsets.acquiring.places import Wishes
    from docs_researcher.docsets.installed.added import Added
    from docs_researcher.docsets.installed.store import Installed, Store


def check_origin(argument: str, target: Path, store: Store, *, way_out: str) -> None:
    """Refuse to write over the docset at `target` when it was added from another place than `argument`.

    Args:
        argument: what `add` is given, as it is remembered: a path in full, an address without credentials.
        target: the file in the store that would be written.
        store: where it lies; a damaged file may be written over.
        way_out: what to do instead.

    Raises:
        UsageError: it was. Nothing was changed.
    """
    before = next((item for item in store.installed() if item.path == target), None)
    if before is None or (_is_library(before) and not _is_other_address(argument, before)):
        return
    added = store.added.of(target)
    if added is not None and _place(added.argument) == _place(argument):
        return
    try:
        store.open(before).check()
    except DocsetInvalid:  # nothing that could be lost
        return
    where = added.argument if added is not None else before.meta.source_url or "a place that is not known"
    raise UsageError(
        f"{before.library_id} {before.version or '(no version)'} is installed already from another place",
        why=f"it is from {where}, and {argument} would replace it",
        next_step=way_out,
    )


def way_out_of_place(argument: str) -> str:
    """What to do where a place has the name of another one that is installed."""
    add = f"docs-research add {shlex.quote(argument)}"
    return f"Keep both: {add} --name OTHER; or give it a version with --pkg-version; or pass --replace to lose the one before."


def way_out_of_file(before: Installed) -> str:
    """What to do where a docset file has the name of another docset that is installed."""
    export = f"docs-research export {shlex.quote(before.label)} FILE.db"
    return f"Pass --replace to lose the one before; to keep a copy of it first: {export}"


def _is_library(installed: Installed) -> bool:
    """Whether its id says what it is of, wherever it was read from: a package, a known library, a repository by its address."""
    return installed.meta.purl is not None or not installed.library_id.startswith("/local/")


def _is_other_address(argument: str, before: Installed) -> bool:
    """Whether two hosts have a repository of the same owner and name."""
    here, there = _place(argument), _place(before.meta.source_url or "")
    return before.meta.purl is None and "/" in there and here.startswith("git ") and there.startswith("git ") and here != there


def _place(argument: str) -> str:
    """A place in the form in which two are compared: paths without links, repositories however they are written."""
    from docs_researcher.docsets.sources.git_address import parse_git_address

    path = expanded(argument)
    if path.is_absolute():
        return str(path.resolve())
    address = parse_git_address(argument)
    if address is not None and address.host:
        return f"git {address.host}/{address.path}".lower().removesuffix(".git")
    return re.sub(r"^[a-z]+://", "", argument, flags=re.IGNORECASE).rstrip("/")


def reads_otherwise(added: Added | None, wishes: Wishes) -> bool:
    """Whether the options of now say to read other pages than those by which a docset was made."""
    before = (added.folder, added.language, added.crawl) if added is not None else (None, DEFAULT_LANGUAGE, False)
    now = (wishes.folder, wishes.language, wishes.crawl)
    return before != now or (wishes.tag is not None and added is not None and wishes.tag != added.tag)
