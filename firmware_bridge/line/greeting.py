"""Decides when a device that has not said what it is may be greeted.

Opening a port resets most Arduinos, and so does their button. Their boot loader then waits for an upload, and
takes any byte for the beginning of one: a Mega's (stk500v2) starts the firmware after a second if nothing
comes, and otherwise only when five seconds have passed without a byte. The firmware says `Hello` by itself
when it starts, so that silence costs nothing.
"""

from __future__ import annotations

START_S = 2.0
"""Seconds that a board may take to start, in which nothing is said at a port that may have reset it."""
LEAVE_S = 7.0
"""Seconds without a greeting in which any boot loader gives up."""
GREET_S = 0.5
"""Seconds between two greetings of a device whose frames come."""
HELLO_S = 10.0
"""Seconds after which a device that has not answered is given up: two greetings were in vain."""


def may_reset(port: object) -> bool:
    """Returns whether opening this port may have reset its board. A port that does not say may have."""
    return bool(getattr(port, "may_reset", True))


class Greeter:
    """Says when the device at a port that was opened just now is to be greeted."""

    def __init__(self, port: object, now: float) -> None:
        self._last = now
        self._due = now + START_S if may_reset(port) else now

    def hear(self, now: float) -> None:
        """Takes a frame as a sign that the firmware runs, and may be greeted.

        What comes just after opening does not count: an adapter may have kept it from before the reset.
        """
        if now - self._last >= GREET_S:
            self._due = now

    def is_due(self, now: float) -> bool:
        """Returns whether to greet now; if so, that counts as done."""
        if now < self._due:
            return False
        self._last, self._due = now, now + LEAVE_S
        return True
