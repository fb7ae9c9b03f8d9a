"""Defines what differs from one maker of e-boards to the next: how its boards are spoken to.

Everything here is bytes and values; nothing is opened and nothing waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

from firmware_bridge.sensing.lamps import Colour

Squares: TypeAlias = str
"""The 64 squares as the device counts them, row by row from its a8 to its h1: a letter of `PIECES` each,
white's in capitals; `.` where nothing stands."""
PIECES: Mapping[str, str] = {
    "p": "pawn",
    "n": "knight",
    "b": "bishop",
    "r": "rook",
    "q": "queen",
    "k": "king",
}
EMPTY_SQUARE = "."
Lit: TypeAlias = Mapping[int, Colour]
"""The lamps that are lit, by the square's number in `Squares`, in the order of the action that they show."""


class Maker(Protocol):
    """The speech of one maker's boards, on one line; a line that is opened anew gets a new one."""

    name: str
    """What people call such a board, in a sentence: `the Chessnut board`."""
    ask_s: float
    """Seconds of silence after which the board is asked for a sign of life."""
    pace_s: float
    """Seconds that have to pass between two messages."""

    def greeting(self) -> tuple[bytes, ...]:
        """Returns the messages after which the board tells what stands on it."""

    def question(self) -> tuple[bytes, ...]:
        """Returns the messages that a board answers which has nothing to tell."""

    def hear(self, data: bytes) -> Iterator[Squares]:
        """Yields the squares each time that they were told whole; '' for any other answer. What is damaged
        is passed over. `data` is what one read of the line gave."""

    def lamps(self, lit: Lit) -> bytes:
        """Returns the message that lights these lamps and no others."""
