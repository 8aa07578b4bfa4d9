"""A link whose messages are looked at as they pass: shown to somebody as they came, and mended for the SDK."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from docs_researcher.tools.mcp.mending import mended
from docs_researcher.tools.mcp.streams import StreamEnd

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams
    from mcp.shared.message import SessionMessage

    from docs_researcher.tools.mcp.link import Link

Direction = Literal["sent", "received"]


@dataclass(frozen=True, slots=True)
class Passed:
    """One message that went over a link, `at` seconds after the first was watched for."""

    at: float
    direction: Direction
    message: Mapping[str, Any]

    @property
    def title(self) -> str:
        """What kind of message it is, in a word or two."""
        if "method" in self.message:
            return str(self.message["method"])
        return "error" if "error" in self.message else "result"


class Recorder:
    """Keeps every message with its time, and hands it on to `show`."""

    def __init__(self, show: Callable[[Passed], None] | None = None) -> None:
        self._started = time.monotonic()
        self._show = show
        self.messages: list[Passed] = []

    def __call__(self, direction: Direction, item: object) -> None:
        """Note one item of a stream; what is no message (a fault of the transport) is noted by its words."""
        message = getattr(item, "message", None)
        dump = getattr(message, "model_dump", None)
        value: Mapping[str, Any] = (
            dump(by_alias=True, mode="json", exclude_unset=True) if dump is not None else {"error": {"message": str(item)}}
        )
        passed = Passed(round(time.monotonic() - self._started, 4), direction, value)
        self.messages.append(passed)
        if self._show is not None:
            self._show(passed)


class TappedLink:
    """Another link, with a recorder (if there is one) and the mending of answers between it and the SDK."""

    def __init__(self, link: Link, recorder: Recorder | None) -> None:
        self._link = link
        self._recorder = recorder
        self.ended = link.ended

    async def start(self) -> None:
        """Hand it on."""
        await self._link.start()

    async def __aenter__(self) -> TransportStreams:
        """Open the link."""
        reading, writing = await self._link.__aenter__()
        writing = writing if self._recorder is None else _Writing(writing, self._recorder)
        return _Reading(reading, self._recorder), writing

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        """Close the link."""
        await self._link.__aexit__(exc_type, exc_val, exc_tb)

    def shaken_hands(self) -> None:
        """Hand it on."""
        self._link.shaken_hands()

    def fault(self, data: object) -> Any:
        """What the link itself knows of an error; None if it keeps no faults."""
        find = getattr(self._link, "fault", None)
        return find(data) if find is not None else None

    async def describe_end(self) -> str:
        """Hand it on."""
        return await self._link.describe_end()


class _Reading(StreamEnd):
    """A stream of messages from the server. The SDK also looks for `last_context`, so the rest is the stream's own."""

    def __init__(self, stream: Any, recorder: Recorder | None) -> None:
        self._stream = stream
        self._recorder = recorder

    def _looked_at(self, item: Any) -> Any:
        if self._recorder is not None:
            self._recorder("received", item)
        return mended(item)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def receive(self) -> Any:
        return self._looked_at(await self._stream.receive())

    async def aclose(self) -> None:
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        return self._looked_at(await self._stream.__anext__())


class _Writing(StreamEnd):
    """The stream of messages to the server."""

    def __init__(self, stream: Any, recorder: Recorder) -> None:
        self._stream = stream
        self._recorder = recorder

    async def send(self, item: SessionMessage, /) -> None:
        self._recorder("sent", item)
        await self._stream.send(item)

    async def aclose(self) -> None:
        await self._stream.aclose()
