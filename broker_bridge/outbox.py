"""The outbox: which lines of which games the broker is to be sent next. Pure: time and letters are handed in.

The lines themselves are in the store's log, which only grows. The outbox has a cursor for each game that goes
out. A broker that is killed loses what it took since its last save, so what it has acknowledged is not safe
before an archive has told that it has it. Therefore cursors go back: when the link is made anew, and when an
archive stays behind. Whoever reads lines knows each by its key, and passes over what comes twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

WINDOW = 16
"""The most letters that are on their way at a time."""
UNSAVED_S = 3600.0
"""Seconds after which a broker has surely saved what it took: Mosquitto does so every half hour."""
BEHIND_S = (10.0, 600.0)
"""Seconds that an archive may stay behind before lines are sent again; twice as long each time that this did
not help, up to the most."""
NEVER = float("inf")


@dataclass(slots=True)
class Cursor:
    """The lines of a game that have gone, counted with line 0. The first three values are kept on disk."""

    sent: int = 0
    """So many lines the broker has acknowledged."""
    archived: int | None = None
    """So many an archive has; None where none ever told of the game."""
    sent_at: float = 0.0
    """When the broker acknowledged one last, in seconds since 1970."""
    ready: int = 0
    """So many lines there are to send."""
    next: int = 0
    """The line to send next."""
    until: float = NEVER
    """When an archive that stays behind is not waited for any more."""
    patience: float = 0.0
    """For how long it is waited for; 0 while it is not behind."""


@dataclass(slots=True)
class Outbox:
    """The cursors of the games that go out, and the letters on their way."""

    cursors: dict[int, Cursor] = field(default_factory=dict)
    changed: set[int] = field(default_factory=set)
    """The games whose cursors were not saved since."""
    _flying: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The game and line of each letter that is on its way, by its number."""

    def add(self, game: int) -> bool:
        """Lets a game go out from now on; returns whether it did not before."""
        if game in self.cursors:
            return False
        self.cursors[game] = Cursor()
        self.changed.add(game)
        return True

    def make_ready(self, game: int, lines: int) -> None:
        """Says that so many lines of a game can be sent."""
        self.cursors[game].ready = lines

    def join(self, now: float) -> None:
        """Notes that the broker is there, perhaps another than before: what may be lost is sent again."""
        self.part()
        for game, cursor in self.cursors.items():
            if cursor.archived is not None:
                self._go_to(game, cursor.archived)
            elif abs(now - cursor.sent_at) < UNSAVED_S:
                self._go_to(game, 0)
            cursor.until, cursor.patience = NEVER, 0.0

    def part(self) -> None:
        """Notes that the broker is gone: what was on its way is sent again when it is back."""
        self._flying.clear()
        for cursor in self.cursors.values():
            cursor.next = cursor.sent

    def next(self) -> tuple[int, int] | None:
        """Returns the game and the line to send next; None where there is none, or enough is on its way."""
        if len(self._flying) >= WINDOW:
            return None
        game = min((game for game, c in self.cursors.items() if c.next < c.ready), default=None)
        return None if game is None else (game, self.cursors[game].next)

    def fly(self, game: int, line: int, number: int) -> None:
        """Notes that a line is on its way, in the letter of this number."""
        self._flying[number] = game, line
        self.cursors[game].next = line + 1

    def sent(self, number: int, now: float) -> None:
        """Notes that the broker has the letter of this number."""
        game, _ = self._flying.pop(number, (0, 0))
        if game:
            cursor = self.cursors[game]
            flying = (line for other, line in self._flying.values() if other == game)
            cursor.sent, cursor.sent_at = min(flying, default=cursor.next), now
            self.changed.add(game)

    def take_receipt(self, games: Mapping[int, int], now: float) -> None:
        """Takes from an archive how many lines of each game it has: none of a game that it leaves out."""
        for game, cursor in self.cursors.items():
            if game in games or cursor.archived is None:
                # One that knows more than there is knows another world, or is damaged.
                self._take_count(game, cursor, min(games.get(game, 0), cursor.ready), now)

    def turn(self, now: float) -> None:
        """Goes back in the games in which an archive has stayed behind for too long; also where somebody has
        set the time of day back meanwhile."""
        for game, cursor in self.cursors.items():
            if now >= cursor.until or cursor.patience < cursor.until - now < NEVER:
                cursor.until = NEVER  # until the archive tells again
                self._go_to(game, cursor.archived or 0)

    def next_turn(self) -> float:
        """Returns when `turn` has something to do; infinity for never."""
        return min((cursor.until for cursor in self.cursors.values()), default=NEVER)

    def _take_count(self, game: int, cursor: Cursor, has: int, now: float) -> None:
        has_grown = has > (cursor.archived or 0)
        if has != cursor.archived:
            cursor.archived, cursor.sent = has, max(cursor.sent, has)
            cursor.next = max(cursor.next, has)
            self.changed.add(game)
        if has >= cursor.sent:
            cursor.until, cursor.patience = NEVER, 0.0
        elif has_grown or not cursor.patience:
            cursor.until, cursor.patience = now + BEHIND_S[0], BEHIND_S[0]
        elif cursor.until == NEVER:
            cursor.patience = min(2 * cursor.patience, BEHIND_S[1])
            cursor.until = now + cursor.patience

    def _go_to(self, game: int, line: int) -> None:
        """Moves a cursor, and forgets what of the game is on its way."""
        self._flying = {n: flight for n, flight in self._flying.items() if flight[0] != game}
        self.cursors[game].sent = self.cursors[game].next = line
        self.changed.add(game)
