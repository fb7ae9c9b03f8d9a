"""Stored games that are looked at: replayed, and told step by step.

A long one takes seconds and tens of megabytes. So long ones are opened for one request at a time, the last of
them is kept for who asks for it next, and it is sent in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property

from companion.record.record import Record
from companion.record.review import ReviewStep, numbers, review
from web.server.shared import Turns

LONG_GAME = 500
"""The lines that the log of a game may have which is opened at once for whoever asks; the steps of a part."""


class OpenedGame:
    """A record that was replayed. GameError where it cannot be."""

    def __init__(self, record: Record) -> None:
        self.record, self.session = record, record.session()

    @cached_property
    def steps(self) -> tuple[ReviewStep, ...]:
        return review(self.record, self.session)

    @cached_property
    def rounds(self) -> tuple[int, ...]:
        """The number of each step's round; 0 for the start."""
        return (0, *numbers(self.session))


class OpenedGames:
    """The games that are opened, and the turns of those who ask for long ones."""

    def __init__(self) -> None:
        self.turns = Turns()
        self._last: tuple[Hashable, OpenedGame] | None = None

    def find(self, key: Hashable, load: Callable[[], Record]) -> OpenedGame:
        """Returns the game with this key, which changes with it."""
        last = self._last
        if last and last[0] == key:
            return last[1]
        game = OpenedGame(load())
        if len(game.record.log) > LONG_GAME:
            self._last = key, game
        return game
