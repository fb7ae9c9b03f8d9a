"""The budget of a search: how many actions it may try, and which share of its time has passed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.referee.search.limits import Limits

Spent: TypeAlias = Callable[[], float]
"""Returns which share of its time a search has had."""
EXPLORE = 0.6
"""The share of its time in which a search looks for more stories; in the rest it varies those it found."""


class Budget:
    """Counts the actions that were tried, and the stories that were found, against their limits."""

    def __init__(self, limits: Limits, spent: Spent) -> None:
        self._limits = limits
        self._spent = spent
        self._tries = 0
        self._most_tries = limits.tries
        self._stories = 0

    def count_try(self) -> None:
        self._tries += 1

    def count_stories(self, stories: int) -> None:
        """Notes how many stories are found; after the first, only so many more tries are left."""
        if not self._stories and stories:
            self._most_tries = min(self._most_tries, self._tries + self._limits.rest)
        self._stories = stories

    def renew(self) -> None:
        """Grants the tries that are left after a first story once more."""
        self._most_tries = self._tries + self._limits.rest

    def is_used_up(self) -> bool:
        """Returns whether enough was tried, or enough stories are found."""
        return self._tries >= self._most_tries or self._stories >= self._limits.rivals

    def is_late(self) -> bool:
        """Returns whether the time for looking for more stories is over; all of it, while there is none."""
        return self._spent() >= (EXPLORE if self._stories else 1)

    def is_over(self) -> bool:
        """Returns whether nothing more may be tried, nor any time is left."""
        return self.is_used_up() or self._spent() >= 1
