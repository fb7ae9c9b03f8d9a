"""Hands sightings from the thread that keeps a device's line alive to the thread that reads the source."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue

from companion.sensing.observation import Sighting

READ_S = 0.5
"""Seconds that a reader waits for a sighting before it looks whether the source was closed."""


class FoundSightings:
    """The sightings of a source, which whoever finds one puts into `_sightings`."""

    live = True

    def __init__(self) -> None:
        self._sightings: SimpleQueue[Sighting] = SimpleQueue()
        self._closed = False

    def sightings(self) -> Iterator[Sighting]:
        """Yields sightings as they come, until the source is closed."""
        while not self._closed:
            with suppress(Empty):
                yield self._sightings.get(timeout=READ_S)

    def waiting_sightings(self) -> list[Sighting]:
        """Returns the sightings that came since any were taken, without waiting for one."""
        found = []
        while not self._sightings.empty():
            found.append(self._sightings.get())
        return found
