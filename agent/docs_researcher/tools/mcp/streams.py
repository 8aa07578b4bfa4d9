"""The ends of a stream of messages, as the SDK's transports have them."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class StreamEnd:
    """One end of a stream: entered as it is, closed when it is left."""

    async def aclose(self) -> None:
        """Nothing to close."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc_val: BaseException | None, exc_tb: TracebackType | None
    ) -> None:
        await self.aclose()
