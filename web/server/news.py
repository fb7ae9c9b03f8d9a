"""News: wakes the streams of a server when there is something to tell."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class News:
    """Wakes all who wait for news. They wait in the server's loop; any thread may tell."""

    def __init__(self) -> None:
        self._came = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop of the server, while it runs."""

    def tell(self) -> None:
        if self.loop:
            with suppress(RuntimeError):  # it has ended meanwhile
                self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._came.set()
        self._came = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Returns as soon as there is news, or after some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._came.wait()
