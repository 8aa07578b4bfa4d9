"""Blocking work in a thread that a call may leave behind: it is told to stop, and nobody waits for it.

`asyncio.to_thread` cannot be given up: the event loop, and after it the interpreter, wait for its thread before they end. A fetch
whose question has no time left would hold up the answer by as long as the fetch takes.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

_Result = TypeVar("_Result")

_stop: contextvars.ContextVar[threading.Event | None] = contextvars.ContextVar("_stop", default=None)
_left: set[threading.Thread] = set()


class Stopped(Exception):
    """Ends work that nobody wants any more."""


def check_stopped() -> None:
    """Called from what the work reports to.

    Raises:
        Stopped: the call that this thread works for was given up.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise Stopped


def any_left() -> bool:
    """Whether a thread still works for a call that was given up."""
    return any(thread.is_alive() for thread in tuple(_left))


async def detached(work: Callable[[], _Result]) -> _Result:
    """What `work` returns or raises, out of a thread of its own.

    Cancelling the call returns at once; the work ends at the next thing that it reports, or with the process.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()
    stop = threading.Event()
    context = contextvars.copy_context()
    context.run(_stop.set, stop)

    def settle(settled: Callable[[], None]) -> None:
        if not future.done():
            settled()

    def run() -> None:
        try:
            result = context.run(work)
        except BaseException as error:
            raised = error
            settled = lambda: future.set_exception(raised)  # noqa: E731 -- one of two, told apart here
        else:
            settled = lambda: future.set_result(result)  # noqa: E731
        with suppress(RuntimeError):  # the loop is closed: nobody is there to be told
            loop.call_soon_threadsafe(settle, settled)

    thread = threading.Thread(target=run, daemon=True, name="detached")
    thread.start()
    try:
        return await future
    except asyncio.CancelledError:
        stop.set()
        _left.add(thread)
        raise
