"""The tests of a grid's lamps: all in one colour after the other, then one light that runs along the rows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from companion.core.game import Site
from firmware_bridge.sensing.lamps import Colour

RUN_S = 0.25
"""Seconds for which each lamp shines when the light runs along the rows."""
RUN: Colour = (30, 30, 30)


class LampTest(StrEnum):
    """The tests, in order."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    RUN = "run"


COLOURS: dict[LampTest, Colour] = {
    LampTest.RED: (40, 0, 0),
    LampTest.GREEN: (0, 40, 0),
    LampTest.BLUE: (0, 0, 40),
}


class LampTests:
    """The `test` that is on, and what the builder says of the lamps."""

    def __init__(self) -> None:
        self.test = LampTest.RED
        self.dark: set[Site] = set()
        self.has_other_colours = self.jumps = False
        self.seen: dict[Site, Site] = {}
        """The sites where the builder has seen lamps shine, by those that the table means them for."""
        self.is_tested = False

    def answer(self, is_right: bool) -> bool:
        """Notes the answer to the present test, and goes on to the next one; returns whether there is one."""
        if self.test is LampTest.RUN:
            self.jumps |= not is_right
            self.is_tested = True
            return False
        self.has_other_colours |= not is_right
        tests = list(LampTest)
        self.test = tests[tests.index(self.test) + 1]
        return True

    def colours(self, order: Sequence[Site], now: float) -> dict[Site, Colour]:
        """Returns the lamps that the present test lights; a light runs along this order."""
        if self.test is LampTest.RUN:
            return {order[int(now / RUN_S) % len(order)]: RUN}
        return dict.fromkeys(order, COLOURS[self.test])
