"""Ending gently: SIGTERM is noticed before the port closes, and a worker does not outlive the process that started it."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from starlette.types import Message, Receive


class Draining:
    """Whether the server is ending. Streams without an end are closed then, so that only real work is waited for."""

    def __init__(self) -> None:
        self._begun = asyncio.Event()

    @property
    def has_begun(self) -> bool:
        """Whether no new work should come here any more."""
        return self._begun.is_set()

    def begin(self) -> None:
        """The server is ending."""
        self._begun.set()

    def ends_with_it(self, receive: Receive) -> Receive:
        """`receive` of a request that would never end by itself: the caller seems to leave when draining begins."""

        async def received() -> Message:
            if self.has_begun:
                return {"type": "http.disconnect"}
            message = asyncio.ensure_future(receive())
            begun = asyncio.ensure_future(self._begun.wait())
            try:
                await asyncio.wait({message, begun}, return_when=asyncio.FIRST_COMPLETED)
                return message.result() if message.done() else {"type": "http.disconnect"}
            finally:
                for task in (message, begun):
                    task.cancel()

        return received


@contextmanager
def notice_signals(begin: Callable[[], None]) -> Generator[None]:
    """Call `begin` in the event loop on SIGTERM and SIGINT, before whoever handles them now. Only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}

    def noticed(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(begin)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in before:
        signal.signal(number, noticed)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
