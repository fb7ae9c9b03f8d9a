"""Makes touches of a grid's changes: of switches that open and close, pieces that are lifted and put down.

A grid that knows only occupancy still sees the order of hands: which piece rose first, and which came down
where. Contacts chatter while a piece is held over them, and a piece that slides closes every switch on its
way. Here both are told from touches by how long a state lasts, before anyone draws conclusions from them.
"""

from __future__ import annotations

from companion.core.game import Site
from companion.sensing.observation import Touch

CHATTER_S = 0.12
"""A site that was left for no longer than this was not left: nobody lifts and places a piece so fast."""
PASSING_S = 0.3
"""A piece that rests on a site no longer than this slides over it, on its way to the next."""


class Touches:
    """Takes changes in as they come, and gives touches out once they have lasted."""

    def __init__(self) -> None:
        self._pending: list[Touch] = []

    def change(self, time: float, site: Site, occupied: bool) -> None:
        """Notes that a site became occupied or empty. A change that is undone at once leaves nothing."""
        touch = Touch(time, site, lifted=not occupied)
        before = next((t for t in reversed(self._pending) if t.place == site), None)
        if before is None:
            self._pending.append(touch)
        elif before.lifted == touch.lifted:
            return  # the site has been so already
        elif time - before.time < self._hold(before):
            self._pending.remove(before)
        else:
            self._pending.append(touch)

    def settled(self, now: float) -> tuple[Touch, ...]:
        """Returns the touches that have lasted, each once, in the order in which they began.

        A touch that has not lasted yet holds back those that began after it.
        """
        self._pending.sort(key=lambda touch: touch.time)
        young = (n for n, touch in enumerate(self._pending) if now - touch.time < self._hold(touch))
        count = next(young, len(self._pending))
        ready, self._pending = self._pending[:count], self._pending[count:]
        return tuple(ready)

    def clear(self) -> None:
        """Forgets all that has not settled: the line was lost, and nobody knows what followed."""
        self._pending.clear()

    def _hold(self, touch: Touch) -> float:
        """Returns the seconds that the state which a touch led to has to last."""
        return CHATTER_S if touch.lifted else PASSING_S
