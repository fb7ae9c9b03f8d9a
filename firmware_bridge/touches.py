"""From switches that open and close to pieces that are lifted and put down.

A grid that knows only occupancy still sees the order of hands: which piece rose first, which came down
where. Contacts chatter while a piece is held over them, and a piece that slides closes every switch on
its way; both are told apart here by how long a state lasts, before anyone draws conclusions from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core import Site
from companion.observation import Touch

CHATTER_S = 0.12
"""A state that lasts no longer than this never was: nobody lifts and places a piece so fast."""
PASSING_S = 0.25
"""A piece that rests on a site no longer than this, on its way to the next, slides over it."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A piece that went from site to site along the board: its way, ends included, and when it ended."""

    time: float
    way: tuple[Site, ...]


class Touches:
    """Takes changes in as they come, gives touches out once they have lasted."""

    def __init__(self, chatter: float = CHATTER_S) -> None:
        self._chatter = chatter
        self._pending: list[Touch] = []

    def change(self, time: float, site: Site, occupied: bool) -> None:
        """A site became occupied or empty. A change that is undone at once leaves nothing."""
        before = next((t for t in reversed(self._pending) if t.place == site), None)
        if before is not None and before.lifted == occupied and time - before.time < self._chatter:
            self._pending.remove(before)
        elif before is None or before.lifted == occupied:
            self._pending.append(Touch(time, site, lifted=not occupied))

    def settled(self, now: float) -> tuple[Touch, ...]:
        """The touches that have lasted, each once, in the order in which they began.

        One that has not lasted yet holds back those that began after it.
        """
        self._pending.sort(key=lambda touch: touch.time)
        count = sum(now - touch.time >= self._chatter for touch in self._pending)
        ready, self._pending = self._pending[:count], self._pending[count:]
        return tuple(ready)

    def clear(self) -> None:
        """Forgets what has not settled: the line was lost, and what followed is not known."""
        self._pending.clear()


def slides(touches: Iterable[Touch], passing: float = PASSING_S) -> list[Touch | Slide]:
    """The touches with each slide as one: lifted here, put down and lifted again without a rest, put down.

    Only one piece can slide at a time, so any other touch in between ends it.
    """
    told: list[Touch | Slide] = []
    way: list[Touch] = []
    for touch in touches:
        if way and not _goes_on(way, touch, passing):
            told += _tell(way)
            way = []
        way.append(touch)
    return told + _tell(way)


def _goes_on(way: list[Touch], touch: Touch, passing: float) -> bool:
    last = way[-1]
    if not way[0].lifted or touch.lifted == last.lifted:
        return False
    if touch.lifted:
        return touch.place == last.place and touch.time - last.time <= passing
    return touch.time - last.time <= passing


def _tell(way: list[Touch]) -> list[Touch | Slide]:
    """A way of three sites or more is a slide; two are a piece that was carried."""
    if len(way) < 4 or way[-1].lifted:
        return list(way)
    sites = [t.place for t in way if t.lifted] + [way[-1].place]
    return [Slide(way[-1].time, tuple(sites))]
