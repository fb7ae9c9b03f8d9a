"""Decides which boards are due a receipt: how many lines of each game the archive has.

It is pure: the time is handed in.

A board is told at most once a second, of all its games that moved lately, and at once when a game is over.
Where several archivers share a board, the receipt that was counted first may arrive last, and name too few
lines: the board then sends the others again (`broker_bridge/outbox.py`), and gets another receipt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from broker_bridge.topics import BoardName
from hall.archive.arrivals import Arrival
from hall.archive.rows import GameKey, game_of

APART_S = 1.0
"""Seconds between two receipts for one board."""
MOST_GAMES = 100
"""The most games that a receipt names: those that moved last."""


@dataclass(slots=True)
class Receipts:
    """The games of each board, the one that moved last at the end, and when each board is to be told."""

    games: dict[BoardName, dict[GameKey, int]] = field(default_factory=dict)
    """How many lines of each there are without a gap, as far as was counted."""
    due: dict[BoardName, float] = field(default_factory=dict)
    """When each board that has news is to be told."""
    _told: dict[BoardName, float] = field(default_factory=dict)

    def know(self, games: dict[BoardName, list[GameKey]], now: float) -> None:
        """Forgets all counts, for the database may be another than before, and tells all boards anew."""
        for counts in self.games.values():
            counts.update(dict.fromkeys(counts, 0))
        for board, keys in games.items():
            for key in keys:
                self._move(board, key)
        self.tell_all(now)

    def tell_all(self, now: float) -> None:
        """Lets every board be told, for the broker may have forgotten what it kept."""
        self.due = dict.fromkeys(self.games, now)

    def note(self, arrivals: Iterable[Arrival], now: float) -> None:
        """Notes lines that were stored: also those that came again, for their board waits for a receipt."""
        for arrival in arrivals:
            board = arrival.board
            self._move(board, game_of(arrival.line))
            at = now if arrival.line.reason else self._told.get(board, now - APART_S) + APART_S
            self.due[board] = min(at, self.due.get(board, at))

    def take(self, now: float) -> list[BoardName]:
        """Returns the boards that are to be told now, which counts as done."""
        boards = [board for board, at in self.due.items() if at <= now]
        for board in boards:
            del self.due[board]
            self._told[board] = now
        return boards

    def wait(self, now: float) -> float:
        """Returns the seconds until a board is to be told; infinity where none waits."""
        return min(self.due.values(), default=float("inf")) - now

    def _move(self, board: BoardName, key: GameKey) -> None:
        games = self.games.setdefault(board, {})
        games[key] = games.pop(key, 0)
        while len(games) > MOST_GAMES:
            del games[next(iter(games))]
