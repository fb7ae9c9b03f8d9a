"""A game clock: an immutable value that is pressed, paused and read; the time of day is handed in.

It begins with the first turn that passes, stops while the board is being put right, and is set back with
a takeback: each action's log entry holds what its player had left.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.core import GameError, Player

SPELLING = re.compile(r"(\d+)(?::([0-5]\d))?(?:(\+|d)(\d+))?")


class ClockError(GameError):
    """A time control that cannot be read."""


@dataclass(frozen=True, slots=True)
class Control:
    """A time control in seconds: `main` for each player; a `bonus` added after each turn (Fischer), or
    with `delay` a time before the clock runs down in each turn."""

    main: float
    bonus: float = 0.0
    delay: bool = False

    def __str__(self) -> str:
        minutes, seconds = divmod(round(self.main), 60)
        extra = f"{'d' if self.delay else '+'}{self.bonus:g}" if self.bonus else ""
        return f"{minutes}:{seconds:02}{extra}"


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds left of each player at `since`, whose clock `runs` from then on, and why it stands."""

    control: Control
    left: Mapping[Player, float]
    runs: Player = ""
    since: float = 0.0
    paused: bool = False
    turn_began: float = field(default=0.0)

    def remaining(self, player: Player, now: float) -> float:
        """Seconds that a player has left; never below 0."""
        left = self.left[player]
        if player != self.runs or self.paused:
            return left
        used = now - self.since
        if self.control.delay:
            used = max(0.0, now - max(self.since, self.turn_began + self.control.bonus))
        return max(0.0, left - used)

    def press(self, player: Player, following: Player, now: float) -> Clock:
        """A player acted; `following` acts next. The first press starts the clock."""
        left = dict(self.left)
        if self.runs == player:
            left[player] = self.remaining(player, now)
            if following != player and not self.control.delay:
                left[player] += self.control.bonus
        elif self.runs:
            left[self.runs] = self.remaining(self.runs, now)
        if not self.runs and following == player:
            return self
        began = self.turn_began if following == self.runs else now
        return replace(self, left=left, runs=following, since=now, turn_began=began)

    def pause(self, now: float) -> Clock:
        """Stands until `resume`; twice does no harm."""
        if self.paused or not self.runs:
            return replace(self, paused=True)
        left = {**self.left, self.runs: self.remaining(self.runs, now)}
        spent = now - self.turn_began
        return replace(self, left=left, paused=True, since=now, turn_began=spent)

    def resume(self, now: float) -> Clock:
        """Runs again; what was used of a delay before the pause stays used."""
        if not self.paused:
            return self
        began = now - self.turn_began if self.runs else 0.0
        return replace(self, paused=False, since=now, turn_began=began)

    def put(self, left: Mapping[Player, float], runs: Player, now: float) -> Clock:
        """Set as it was before: a takeback, or a game that goes on after a restart."""
        return replace(self, left={**self.left, **left}, runs=runs, since=now, turn_began=now)

    def stop(self, now: float) -> Clock:
        """The game is over: nobody's clock runs."""
        left = {p: self.remaining(p, now) for p in self.left}
        return replace(self, left=left, runs="", paused=False)

    def fallen(self, now: float) -> Player:
        """The player whose time is up; '' while nobody's is."""
        return self.runs if self.runs and self.remaining(self.runs, now) <= 0 else ""


def parse_control(text: str) -> Control:
    """`MINUTES[:SECONDS]`, and `+BONUS` (Fischer) or `dDELAY` in seconds: `10:00+5`, `25d10`, `30`."""
    match = SPELLING.fullmatch(text.strip())
    if not match:
        raise ClockError(f"'{text}' is no time control: write MINUTES+BONUS (10+5), MINUTESdDELAY or MINUTES")
    main = 60.0 * int(match[1]) + float(match[2] or 0)
    if not 0 < main <= 24 * 3600:
        raise ClockError("a time control gives each player between one second and a day")
    return Control(main, float(match[4] or 0), match[3] == "d")


def set_clock(control: Control, players: tuple[Player, ...]) -> Clock:
    """A clock that stands, with the full time for everybody."""
    return Clock(control, dict.fromkeys(players, control.main))
