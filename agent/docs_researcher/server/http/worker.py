"""A worker does not outlive the process that started it: its port would stay taken, and nobody would know of it."""

from __future__ import annotations

import os
import signal
import threading


def leave_with_parent() -> None:
    """In a worker process: end gently as soon as the process that started it is gone. Elsewhere it does nothing."""
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()
