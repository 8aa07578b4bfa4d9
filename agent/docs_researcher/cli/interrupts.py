"""Ctrl-C, SIGTERM, and SIGHUP for a terminal that was closed.

The main thread gets an exception at once, worker threads at the next thing they report.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

GRACE = 3.0
"""Seconds a run may take to end after a signal: a worker may be inside a blocking read. Files are written atomically."""

_stopping = threading.Event()


class Terminated(KeyboardInterrupt):
    """Another signal, raised where Ctrl-C would be, so that all end a run the same way."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        super().__init__()
        self.exit_code = 128 + number
        """As shells report it."""


def catch_signals() -> None:
    """Let the signals end the run. Call it once, from the main thread."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # which `nohup` asks for
        signal.signal(signal.SIGHUP, _stop)


def check_stopping() -> None:
    """End the calling thread's work if the run is being stopped: called from what a download or a build reports to.

    Raises:
        KeyboardInterrupt: the run is being stopped.
    """
    if _stopping.is_set() and threading.current_thread() is not threading.main_thread():
        raise KeyboardInterrupt


def _stop(number: int, frame: object) -> NoReturn:
    _stopping.set()
    threading.Thread(target=_leave_late, args=(number,), daemon=True).start()
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)


def leave_if_work_is_left(code: int) -> None:
    """End the process at once where a thread still works for an answer that was given up: the interpreter would wait for it."""
    detached = sys.modules.get("docs_researcher.tools.detached")
    if detached is not None and detached.any_left():
        sys.stderr.flush()
        _leave_at_once(code)


def _leave_late(number: int) -> None:
    threading.Event().wait(GRACE)
    _leave_at_once(128 + number)


def _leave_at_once(code: int) -> NoReturn:
    """What is being written is removed, and what was started ends with us."""
    for module in ("docs_researcher.tools.mcp.child", "docs_researcher.docsets.sources.git_commands"):
        started = sys.modules.get(module)
        if started is not None:  # it may be that none was ever started
            started.kill_all()
    files = sys.modules.get("docs_researcher.docsets.unfinished")
    if files is not None:
        files.remove_unfinished()
    os._exit(code)
