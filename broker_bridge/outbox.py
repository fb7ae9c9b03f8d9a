"""The outbox: which lines of which games the broker is to be sent next. Pure: time and letters are handed in.

The lines themselves are in the store's log, which only grows. The outbox has a cursor for each game that goes
out. A broker that is killed loses what it took since its last save, so what it has acknowledged is not safe
before an archive has told that it has it. Therefore cursors go back: when the link is made anew, and when an
archive stays behind. Whoever reads lines knows each by its key, and passes over what comes twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

WINDOW = 16
"""The most letters that are on their way at a time."""
UNSAVED_S = 3600.0
"""Seconds after which a broker has surely saved what it took: Mosquitto does so every half hour."""
BEHIND_S = (10.0, 600.0)
"""Seconds that an archive may stay behind before lines are sent again; twice as long each time that this did
not help, up to the most."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The lines of a game that have gone so far, counted with line 0."""

    sent: int = 0
    """So many lines the broker has acknowledged."""
    archived: int | None = None
    """So many an archive has; None where none ever told of the game."""
    sent_at: float = 0.0
    """When the broker acknowledged one last, in seconds since 1970."""


@dataclass(slots=True)
class _Lag:
    """An archive that is behind in a game: it `has` so many lines, and is waited for until `until`."""

    has: int
    until: float
    patience: float


@dataclass(slots=True)
class Outbox:
    """The cursors of the games that go out, and the letters on their way."""

    cursors: dict[int, Cursor] = field(default_factory=dict)
    ready: dict[int, int] = field(default_factory=dict)
    """How many lines of each game there are to send."""
    changed: set[int] = field(default_factory=set)
    """The games whose cursors were not saved since."""
    _next: dict[int, int] = field(default_factory=dict)
    _flying: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The game and line of each letter that is on its way, by its number."""
    _behind: set[int] = field(default_factory=set)
    """The games of which there is something to send."""
    _lags: dict[int, _Lag] = field(default_factory=dict)

    def add(self, game: int) -> bool:
        """Lets a game go out from now on; returns whether it did not before."""
        if game in self.cursors:
            return False
        self._set(game, Cursor())
        return True

    def make_ready(self, game: int, lines: int) -> None:
        """Says that so many lines of a game can be sent."""
        self.ready[game] = lines
        self._look(game)

    def join(self, now: float) -> None:
        """Notes that the broker is there, perhaps another than before: what may be lost is sent again."""
        self.part()
        for game, cursor in self.cursors.items():
            if cursor.archived is not None:
                self._go_to(game, cursor.archived)
            elif abs(now - cursor.sent_at) < UNSAVED_S:
                self._go_to(game, 0)
        self._lags.clear()

    def part(self) -> None:
        """Notes that the broker is gone: what was on its way is sent again when it is back."""
        self._flying.clear()
        for game, cursor in self.cursors.items():
            self._next[game] = cursor.sent
            self._look(game)

    def next(self) -> tuple[int, int] | None:
        """Returns the game and the line to send next; None where there is none, or enough is on its way."""
        if not self._behind or len(self._flying) >= WINDOW:
            return None
        game = min(self._behind)
        return game, self._next[game]

    def fly(self, game: int, line: int, number: int) -> None:
        """Notes that a line is on its way, in the letter of this number."""
        self._flying[number] = game, line
        self._next[game] = line + 1
        self._look(game)

    def sent(self, number: int, now: float) -> None:
        """Notes that the broker has the letter of this number."""
        game, _ = self._flying.pop(number, (0, 0))
        if game:
            flying = (line for other, line in self._flying.values() if other == game)
            cursor = self.cursors[game]
            sent = min(flying, default=self._next[game])
            self._set(game, replace(cursor, sent=sent, sent_at=now))

    def take_receipt(self, games: Mapping[int, int], now: float) -> None:
        """Takes from an archive how many lines of each game it has: none of a game that it leaves out."""
        for game, cursor in self.cursors.items():
            if game in games or cursor.archived is None:
                self._take_count(game, games.get(game, 0), now)

    def turn(self, now: float) -> None:
        """Goes back in the games in which an archive has stayed behind for too long; also where somebody has
        set the time of day back meanwhile."""
        for game, lag in self._lags.items():
            if now >= lag.until or lag.patience < lag.until - now < float("inf"):
                lag.until = float("inf")  # until the archive tells again
                self._go_to(game, lag.has)

    def next_turn(self) -> float:
        """Returns when `turn` has something to do; infinity for never."""
        return min((lag.until for lag in self._lags.values()), default=float("inf"))

    def _take_count(self, game: int, has: int, now: float) -> None:
        cursor = self.cursors[game]
        if has > self.ready.get(game, 0):
            has = self.ready.get(game, 0)  # it knows more than there is: of another world, or damaged
        if has != cursor.archived:
            self._set(game, replace(cursor, archived=has, sent=max(cursor.sent, has)))
            self._next[game] = max(self._next.get(game, 0), has)
            self._look(game)
        if has >= self.cursors[game].sent:
            self._lags.pop(game, None)
            return
        lag = self._lags.get(game)
        if lag is None or has > lag.has:
            self._lags[game] = _Lag(has, now + BEHIND_S[0], BEHIND_S[0])
        elif lag.until == float("inf"):
            lag.patience = min(2 * lag.patience, BEHIND_S[1])
            lag.has, lag.until = has, now + lag.patience

    def _go_to(self, game: int, line: int) -> None:
        """Moves a cursor, and forgets what of the game is on its way."""
        self._flying = {n: flight for n, flight in self._flying.items() if flight[0] != game}
        self._set(game, replace(self.cursors[game], sent=line))
        self._next[game] = line
        self._look(game)

    def _set(self, game: int, cursor: Cursor) -> None:
        self.cursors[game] = cursor
        self.changed.add(game)

    def _look(self, game: int) -> None:
        """Notes whether there is something of a game to send."""
        if self._next.get(game, self.cursors[game].sent) < self.ready.get(game, 0):
            self._next.setdefault(game, self.cursors[game].sent)
            self._behind.add(game)
        else:
            self._behind.discard(game)
