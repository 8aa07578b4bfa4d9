"""What `doctor` finds out about the installation itself: versions, the command, settings, keys, docsets."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from docs_researcher import __version__
from docs_researcher.core.errors import DocsetError, DocsetUnreadable, DocsResearchError
from docs_researcher.docsets.installed.home import HOME_VARIABLE
from docs_researcher.docsets.installed.store import Listing, Store
from docs_researcher.hosts.clients import COMMAND

Level = Literal["ok", "note", "warning", "error"]
SHOWN_PARTS = ("mcp", "anthropic", "apsw")
"""The parts whose versions explain most faults."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it stands, and what mends it."""

    area: str
    level: Level
    text: str
    fix: str = ""


def installation() -> Iterator[Finding]:
    """Everything about the installation, in the order in which it is shown."""
    yield from versions()
    yield command_on_path()
    yield from settings()
    yield from keys()
    yield from docsets()


def versions() -> Iterator[Finding]:
    """Our version, Python's, and those of the parts."""
    parts = ", ".join(f"{name} {_version(name)}" for name in SHOWN_PARTS)
    python = f"Python {platform.python_version()} ({sys.executable})"
    yield Finding("versions", "ok", f"docs-researcher {__version__} on {python}, {platform.system()}; {parts}")


def command_on_path() -> Finding:
    """Whether hosts find the command that they are told to start."""
    found = shutil.which(COMMAND)
    beside = Path(sys.executable).with_name(COMMAND)
    if found is not None:
        return Finding("command", "ok", f"{COMMAND} is {found}")
    here = f"put {beside.parent} on the PATH, or install" if beside.exists() else "install"
    return Finding(
        "command",
        "warning",
        f"{COMMAND} is not on the PATH, where hosts look for it; you run it from {beside.parent}"
        if beside.exists()
        else f"{COMMAND} is not on the PATH, where hosts look for it",
        f"Only for a host's sake: {here} it for your user from a checkout: `pipx install .` or `uv tool install .`. "
        "Then start the host anew.",
    )


def settings() -> Iterator[Finding]:
    """Whether our configuration can be read, and what in it has no effect."""
    from docs_researcher.definition.places import config_file
    from docs_researcher.runtime.settings import load_settings

    try:
        loaded = load_settings()
    except DocsResearchError as error:
        yield Finding("settings", "error", error.message, error.next_step)
        return
    state = "read" if config_file().is_file() else "not there, which is fine"
    yield Finding("settings", "ok", f"{config_file()}: {state}")
    for notice in loaded.notices:
        yield Finding("settings", "warning", notice, "Correct it, or take it out.")


def keys() -> Iterator[Finding]:
    """Which keys are set. Their values are never shown."""
    from docs_researcher.models.anthropic.credentials import KEY_HELP, has_credentials

    if has_credentials():
        yield Finding("keys", "ok", "a Claude model can be asked: its key or address is set")
    else:
        yield Finding("keys", "note", "no key for a Claude model is set; answers come from the extractive model", KEY_HELP)
    if os.environ.get("CONTEXT7_API_KEY", "").strip():
        yield Finding("keys", "ok", "CONTEXT7_API_KEY is set and goes to Context7's server alone")


def docsets() -> Iterator[Finding]:
    """Whether the installed docsets can be opened and searched, and their folder written."""
    store = Store()
    try:
        listing = store.listing()
        yield from _opened(store, listing)
    except DocsetUnreadable as error:
        yield Finding("docsets", "error", error.message, error.next_step)
        return
    finally:
        store.close()
    for broken in listing.broken:
        yield Finding("docsets", "error", f"{broken.path} cannot be used: {broken.reason}", broken.error.next_step)
    if not _writable(store.home):
        yield Finding(
            "docsets", "error", f"{store.home} cannot be written", f"Make it writable, or set {HOME_VARIABLE} to another folder."
        )


def _opened(store: Store, listing: Listing) -> Iterator[Finding]:
    healthy = 0
    for installed in listing.installed:
        try:
            docset = store.open(installed)
            docset.search(installed.name, limit=1)
            healthy += 1
        except DocsetError as error:
            yield Finding("docsets", "error", error.message, error.next_step)
    size = sum(item.path.stat().st_size for item in listing.installed if item.path.exists()) / 1_000_000
    text = f"{healthy} of {len(listing.installed)} docsets are healthy, {size:.1f} MB in {store.docsets_dir}"
    if listing.installed:
        yield Finding("docsets", "ok", text)
    else:
        fix = f"A question fetches what it needs; `{COMMAND} add SOURCE` does it ahead."
        yield Finding("docsets", "note", f"no documentation is installed yet in {store.docsets_dir}", fix)


def _writable(folder: Path) -> bool:
    """Whether a folder could be written, or made: permissions alone do not tell, of the superuser or of /proc, so it is tried.

    The file that tries it is gone at once.
    """
    try:
        with suppress(FileNotFoundError):
            folder.lstat()
        existing = next((item for item in (folder, *folder.parents) if os.path.lexists(item)), folder)
        with tempfile.TemporaryFile(dir=existing):
            return True
    except OSError:
        return False


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is missing"
