"""Defines a game clock: an immutable value that is pressed, paused and read. The time of day is handed in.

The clock starts when the first turn ends, stops while the board is being put right, and is set back with a
takeback: the log entry of each action holds what its player had left. An answer in another player's turn runs
the clock of the one who answers, and ends no turn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.core.game import GameError, Player

SPELLING = re.compile(r"([0-9]{1,4})(?::([0-5][0-9]))?(?:(\+|d)([0-9]{1,4}))?")


class ClockError(GameError):
    """A time control that cannot be read."""


@dataclass(frozen=True, slots=True)
class Control:
    """A time control in seconds: `main` is the time of each player.

    `bonus` is added after each turn (Fischer), or with `delay` passes in each turn before the clock runs
    down.
    """

    main: float
    bonus: float = 0.0
    delay: bool = False

    def __str__(self) -> str:
        minutes, seconds = divmod(round(self.main), 60)
        extra = f"{'d' if self.delay else '+'}{self.bonus:g}" if self.bonus else ""
        return f"{minutes}:{seconds:02}{extra}"


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds that each player had `left` at the moment `since`, and whose clock `runs` from then on.

    `spent` is what each player had used of the present turn until then. While `paused`, no clock runs down.
    """

    control: Control
    left: Mapping[Player, float]
    runs: Player = ""
    since: float = 0.0
    paused: bool = False
    spent: Mapping[Player, float] = field(default_factory=dict)

    def remaining(self, player: Player, now: float) -> float:
        """Returns the seconds that a player has left; never below 0."""
        return max(0.0, self.left[player] - self._used(player, now))

    def _used(self, player: Player, now: float) -> float:
        """Returns the seconds since `since` that count against a player: none while a delay lasts."""
        return max(0.0, self._passed(player, now) - self.free(player))

    def _passed(self, player: Player, now: float) -> float:
        return now - self.since if player == self.runs and not self.paused else 0.0

    def free(self, player: Player) -> float:
        """Returns the seconds after `since` that count against nobody: what is left of the turn's delay."""
        return max(0.0, self.control.bonus - self.spent.get(player, 0.0)) if self.control.delay else 0.0

    def _read(self, now: float) -> Clock:
        """Returns the same clock, as read at another moment."""
        left = {player: self.remaining(player, now) for player in self.left}
        spent = {player: self.spent.get(player, 0.0) + self._passed(player, now) for player in self.left}
        return replace(self, left=left, spent=spent, since=now)

    def press(self, following: Player, now: float, ended: Player = "", is_due: bool = True) -> Clock:
        """Returns the clock when `following` acts next. The first turn that ends starts it.

        `ended` is the player whose turn is over, '' for nobody; `is_due` says whether its bonus is to be
        added.
        """
        if not self.runs and not ended:
            return self
        clock = replace(self._read(now), runs=following)
        if not ended:
            return clock
        bonus = self.control.bonus if is_due and self.runs and not self.control.delay else 0.0
        return replace(clock, left={**clock.left, ended: clock.left[ended] + bonus}, spent={})

    def pause(self, now: float) -> Clock:
        """Returns the clock standing until `resume`; to pause it twice does no harm."""
        return self if self.paused else replace(self._read(now), paused=True)

    def resume(self, now: float) -> Clock:
        """Returns the clock running again; what was used of a delay before the pause stays used."""
        return replace(self, paused=False, since=now) if self.paused else self

    def put(self, left: Mapping[Player, float], runs: Player, now: float) -> Clock:
        """Returns the clock set as it was before, for a takeback or a game that goes on after a restart."""
        return replace(self, left={**self.left, **left}, runs=runs, since=now, spent={})

    def stop(self, now: float) -> Clock:
        """Returns the clock of a game that is over: it runs for nobody."""
        return replace(self._read(now), runs="", paused=False)

    def fallen(self, now: float) -> Player:
        """Returns the player whose time is up; '' while nobody's is."""
        return self.runs if self.runs and self.remaining(self.runs, now) <= 0 else ""


def parse_control(text: str) -> Control:
    """Reads `MINUTES[:SECONDS]` with `+BONUS` (Fischer) or `dDELAY` in seconds: `10:00+5`, `25d10`, `30`."""
    match = SPELLING.fullmatch(text.strip())
    if not match:
        raise ClockError(f"'{text}' is no time control: write MINUTES+BONUS (10+5), MINUTESdDELAY or MINUTES")
    main = 60.0 * int(match[1]) + float(match[2] or 0)
    if not 0 < main <= 24 * 3600:
        raise ClockError("a time control gives each player between one second and a day")
    return Control(main, float(match[4] or 0), match[3] == "d")


def set_clock(control: Control, players: tuple[Player, ...]) -> Clock:
    """Returns a clock that stands, with the full time for everybody."""
    return Clock(control, dict.fromkeys(players, control.main))
