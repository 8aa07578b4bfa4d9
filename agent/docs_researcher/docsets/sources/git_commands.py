"""The program `git`, called with lists of arguments, without a shell, bounded in time and size, and never asking anything."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from docs_researcher.core.clean import clean
from docs_researcher.core.errors import SourceRefused, SourceUnavailable
from docs_researcher.core.lines import lines_of
from docs_researcher.docsets.sources.git_address import SCHEMES

ASK_SECONDS = 30.0
"""How long a remote may take to list its refs."""
FETCH_SECONDS = 600.0
"""How long one commit may take to arrive: 60 MB at one megabit a second."""
LOCAL_SECONDS = 120.0
"""How long a command on the fetched objects may take."""
MAX_BYTES = 1_000_000_000
"""The most that a fetched commit may take on disk; with a filter it is a few megabytes."""
LOOK_SECONDS = 0.1
"""How often a running fetch is looked at."""
_STALLED = ("http.lowSpeedLimit=1000", "http.lowSpeedTime=20")
"""A server that sends less than a thousand bytes a second for twenty seconds has stalled."""
_SAFE = ("protocol.allow=never", *(f"protocol.{scheme}.allow=always" for scheme in SCHEMES),
         "core.hooksPath=/dev/null", "core.fsmonitor=false", "submodule.recurse=false", "gc.auto=0",
         "maintenance.auto=false", "advice.detachedHead=false")  # fmt: skip
_Stream = IO[bytes] | int | None
_SEE_ABOVE = "fatal: Could not read from remote repository."
"""What git says behind the words of ssh, which hold the reason."""
_ADDRESS_AGAIN = re.compile(r"^unable to access '[^']*': ")
_OF_SSH = {
    "Host key verification failed": "Connect once with ssh yourself, so that it knows the host's key, or use the https address.",
    "Permission denied (": "Give ssh a key that the host accepts (ssh-add), or use the https address.",
}
"""Words of ssh, with what helps; git only repeats them."""
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


def command(*arguments: str, folder: Path | None = None) -> list[str]:
    """A git command with our settings in front: nothing of the repository's may run a program."""
    settings = [word for setting in (*_SAFE, *_STALLED) for word in ("-c", setting)]
    place = ["-C", str(folder)] if folder is not None else []
    return ["git", *settings, *place, *arguments]


def environment() -> dict[str, str]:
    """The user's environment, in which git asks for nothing and speaks English."""
    kept = {name: value for name, value in os.environ.items() if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")}
    return {
        **kept,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GCM_INTERACTIVE": "never",
        "GIT_ALLOW_PROTOCOL": ":".join(SCHEMES),
        "GIT_PROTOCOL_FROM_USER": "1",
        "GIT_SSH_COMMAND": kept.get("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ConnectTimeout=10"),
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }


_running: set[subprocess.Popen[bytes]] = set()


def run(
    arguments: Sequence[str],
    *,
    seconds: float,
    what: str,
    watched: Path | None = None,
    sent: bytes = b"",
    max_bytes: int = MAX_BYTES,
) -> bytes:
    """What a git command writes to stdout.

    Args:
        arguments: made by `command`.
        seconds: how long it may take.
        what: the repository, for messages.
        watched: a folder that may not grow over `max_bytes` meanwhile.
        sent: its stdin.
        max_bytes: see `watched`.

    Raises:
        SourceUnavailable: git is missing, fails or is too slow.
        SourceRefused: the folder grew too large.
    """
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(sent)
        stdin.seek(0)
        process = start(arguments, stdin=stdin, stdout=stdout, stderr=stderr)
        try:
            _wait(process, time.monotonic() + seconds, what, watched, max_bytes)
        finally:
            end(process)
        if process.returncode != 0:
            stderr.seek(0)
            raise _failed(what, stderr.read(20_000).decode("utf-8", "replace"))
        stdout.seek(0)
        return stdout.read()


def start(arguments: Sequence[str], *, stdin: _Stream, stdout: _Stream, stderr: _Stream) -> subprocess.Popen[bytes]:
    """Start a git command.

    Raises:
        SourceUnavailable: there is no git.
    """
    try:
        # A list of arguments that were made here, and no shell.
        process = subprocess.Popen(arguments, stdin=stdin, stdout=stdout, stderr=stderr, env=environment())  # noqa: S603
    except OSError as error:
        raise SourceUnavailable(
            "git cannot be started", why=error.strerror or str(error), next_step="Install git, or add a folder or an archive."
        ) from error
    _running.add(process)
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """Make sure that a command is over."""
    if process.poll() is None:
        process.kill()
    process.wait()
    _running.discard(process)


def kill_all() -> None:
    """Kill every git command that runs now. For a process that ends at once, whatever its threads are doing."""
    for process in tuple(_running):
        process.kill()


def _wait(process: subprocess.Popen[bytes], deadline: float, what: str, watched: Path | None, max_bytes: int) -> None:
    while True:
        try:
            process.wait(LOOK_SECONDS)
            return
        except subprocess.TimeoutExpired:
            pass
        if time.monotonic() > deadline:
            raise SourceUnavailable(f"{what} was too slow", why="the time allowed for it is over", next_step="Try again.")
        if watched is not None and _size(watched) > max_bytes:
            raise SourceRefused(
                f"{what} was not read",
                why=f"one commit of it is larger than {max_bytes // 1_000_000} MB",
                next_step="Clone it yourself and add its docs folder.",
            )


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue  # git moves its files while we look
    return total


def _failed(what: str, stderr: str) -> SourceUnavailable:
    lines = [clean(_CREDENTIALS.sub("", line)).strip() for line in lines_of(stderr)]
    said = [line for line in lines if line and not line.startswith(("warning:", "hint:"))]
    fatal = next((line for line in said if line.startswith("fatal:")), said[-1] if said else "git does not say why")
    if fatal == _SEE_ABOVE and said[0] != fatal:
        fatal = said[0]
    reason = _ADDRESS_AGAIN.sub("", fatal.removeprefix("fatal:").strip())
    if "could not read Username" in reason or "terminal prompts disabled" in reason or "Authentication failed" in reason:
        reason = "there is no such repository, or it is private"
    helps = next((step for words, step in _OF_SSH.items() if words in reason), "Check the address and the network.")
    return SourceUnavailable(f"{what} could not be read with git", why=reason, next_step=helps)
