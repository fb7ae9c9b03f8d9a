"""Defines a game clock: an immutable value that is pressed, paused and read. The time of day is handed in.

The clock starts when the first turn ends, stops while the board is being put right, and is set back with a
takeback: the log entry of each action holds what its player had left. An answer in another player's turn runs
the clock of the one who answers, and ends no turn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from companion.core.game import GameError, Player
from companion.language import say

DAY = 24 * 3600
FISCHER, DELAY, BRONSTEIN, BYO_YOMI = "+", "d", "b", "x"
"""What a turn brings: time is added after it; passes in it before the clock runs down; is given back after
it as far as it was used; or comes in periods, one of which begins anew with each turn."""
MINUTES, SECONDS = r"(?:\s*(?:m(?:in\w*\.?)?|['’′]))?", r"(?:\s*(?:s(?:e[ckg]\w*\.?)?|''|[\"”″]))?"
"""What people write behind a number: `90 min + 30 sec`, `90' + 30"`."""
TIME = rf"([0-9]{{1,4}}(?:\.[0-9]{{1,2}}|:[0-5][0-9])?){MINUTES}"
STAGE = re.compile(f"([0-9]{{1,3}})/{TIME}")
LAST = re.compile(rf"{TIME}(?:(?:\+([1-9][0-9]?)x([1-9][0-9]{{0,3}})|([+db])([0-9]{{1,4}})){SECONDS})?")
FRACTION = re.compile(r"^([0-9]{1,4}),([0-9])(?![0-9/:])")
"""A number of minutes with a comma: `2,5`. Between stages it stands behind one with a `/`."""
AROUND = re.compile(r"\s*([+,dbx/])\s*")
"""The signs of a time control with the blanks that people write around them: `90 + 30`."""
SIGNS = str.maketrans("×|", "x+")
"""Signs that stand for others: sites write `5|3`."""
IN_SECONDS = re.compile(r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,4})(d?))?")
"""A stage of a time control in seconds: turns, seconds, and what a turn brings."""
EXACT = 1e-6
"""Seconds by which times may differ and be the same."""


class ClockError(GameError):
    """A time control that cannot be read, or a change of a clock that is not possible."""


@dataclass(frozen=True, slots=True)
class Control:
    """A player's time control in seconds: `main` is the time to begin with, `bonus` what `mode` says a turn
    brings; in byo-yomi it is the length of each of so many `periods`.

    `later` holds the turns after which time is added, and how much: 40 turns in 90 minutes, then 30 more.
    """

    main: float
    bonus: float = 0.0
    mode: str = FISCHER
    periods: int = 0
    later: tuple[tuple[int, float], ...] = ()

    def __str__(self) -> str:
        text = ",".join(turns + write_minutes(seconds) for turns, seconds in self.stages)
        if not self.bonus:
            return text
        return f"{text}+{self.periods}x{self.bonus:g}" if self.periods else f"{text}{self.mode}{self.bonus:g}"

    @property
    def stages(self) -> list[tuple[str, float]]:
        """Returns the turns of each stage as they are written (`40/`, '' for the last), and its seconds."""
        counts = [f"{end - begin}/" for begin, end in pairwise([0, *(after for after, _ in self.later)])]
        times = [self.main, *(seconds for _, seconds in self.later)]
        return list(zip((*counts, ""), times, strict=True))

    @property
    def start(self) -> float:
        """Returns the seconds until a player's flag falls who never acts: byo-yomi's periods with them."""
        return self.main + self.periods * self.bonus

    def left_after(self, left: float, spent: float, turns: int, has_begun: bool) -> float:
        """Returns what a player has left once their turn is over: the `turns`th one, which used `spent`.

        The first turn of a game, before the clock `has_begun`, brings no time by itself.
        """
        if self.mode == FISCHER and has_begun:
            left += self.bonus
        elif self.mode == BRONSTEIN:
            left += min(self.bonus, spent)
        elif self.mode == BYO_YOMI:
            left = max(left, self.bonus * self.periods_in(left))
        return left + sum(seconds for after, seconds in self.later if after == turns)

    def periods_in(self, left: float) -> int:
        """Returns the periods of byo-yomi that are left, the one that runs among them."""
        if self.mode != BYO_YOMI:
            return 0
        return min(self.periods, math.ceil((left - EXACT) / self.bonus))


class Times(NamedTuple):
    """The seconds that a player has left, and what of the present turn is used."""

    left: float
    spent: float


@dataclass(frozen=True, slots=True)
class Clock:
    """The seconds that each player had `left` at the moment `since`, and whose clock `runs` from then on.

    `spent` is what each player had used of the present turn until then. While `paused`, no clock runs down;
    one that the arbiter has stopped is `held`, and paused until the arbiter lets it go on.
    """

    controls: Mapping[Player, Control]
    left: Mapping[Player, float]
    runs: Player = ""
    since: float = 0.0
    paused: bool = False
    held: bool = False
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
        control = self.controls[player]
        return max(0.0, control.bonus - self.spent.get(player, 0.0)) if control.mode == DELAY else 0.0

    def read(self, now: float) -> Clock:
        """Returns the clock as it is read at this moment, from which it goes on."""
        left = {player: self.remaining(player, now) for player in self.left}
        spent = {player: self.spent.get(player, 0.0) + self._passed(player, now) for player in self.left}
        return replace(self, left=left, spent=spent, since=now)

    def press(
        self, following: Player, now: float, ended: Player = "", is_due: bool = True, turns: int = 0
    ) -> Clock:
        """Returns the clock when `following` acts next. The first turn that ends starts it.

        `ended` is the player whose turn is over, their `turns`th; '' for nobody. `is_due` says whether the
        time that its end brings is to be added. A flag that has fallen stays down.
        """
        if not self.runs and not ended:
            return self
        clock = replace(self.read(now), runs=following)
        if not ended:
            return clock
        left, spent = clock.left[ended], clock.spent.get(ended, 0.0)
        if is_due and self.fallen(now) != ended:
            left = self.controls[ended].left_after(left, spent, turns, bool(self.runs))
        return replace(clock, left={**clock.left, ended: left}, spent={})

    def pause(self, now: float) -> Clock:
        """Returns the clock standing until `resume`; to pause it twice does no harm."""
        return self if self.paused else replace(self.read(now), paused=True)

    def resume(self, now: float) -> Clock:
        """Returns the clock running again; what was used of a delay before the pause stays used."""
        return replace(self, paused=False, since=now) if self.paused else self

    def hold(self, now: float) -> Clock:
        """Returns the clock as the arbiter stops it."""
        return replace(self.pause(now), held=True)

    def release(self, now: float) -> Clock:
        """Returns the clock going on, as the arbiter lets it."""
        return replace(self.resume(now), held=False)

    def give(self, player: Player, left: float, now: float) -> Clock:
        """Returns the clock with what the arbiter leaves a player; what the turn has used stays used."""
        clock = self.read(now)
        return replace(clock, left={**clock.left, player: left})

    def put(
        self,
        left: Mapping[Player, float],
        runs: Player,
        now: float,
        spent: Mapping[Player, float] | None = None,
    ) -> Clock:
        """Returns the clock set as it was before, for a takeback or a game that goes on after a restart."""
        return replace(self, left={**self.left, **left}, runs=runs, since=now, spent=spent or {})

    def times(self, now: float) -> dict[Player, Times]:
        """Returns what the clock shows at a moment, as `showing` takes it."""
        clock = self.read(now)
        return {player: Times(left, clock.spent[player]) for player, left in clock.left.items()}

    def showing(self, times: Mapping[Player, Times]) -> Clock:
        """Returns the clock with what it showed before."""
        left = {player: time.left for player, time in times.items()}
        spent = {player: time.spent for player, time in times.items()}
        return replace(self, left={**self.left, **left}, spent={**self.spent, **spent})

    def stop(self, now: float) -> Clock:
        """Returns the clock of a game that is over: it runs for nobody."""
        return replace(self.read(now), runs="", paused=False, held=False)

    def overdue(self, now: float) -> float:
        """Returns the seconds since the flag fell of whoever's clock runs; below 0 while it has not."""
        return self._used(self.runs, now) - self.left[self.runs] if self.runs else -math.inf

    def fallen(self, now: float) -> Player:
        """Returns the player whose time is up; '' while nobody's is."""
        return self.runs if self.runs and self.remaining(self.runs, now) <= 0 else ""

    def drop_flag(self, now: float) -> Clock:
        """Returns the clock as it is read at the moment when a flag falls; itself where it fell before."""
        return self.read(now) if self.left[self.runs] > 0 else self

    @property
    def flags(self) -> tuple[Player, ...]:
        return tuple(player for player, left in self.left.items() if left <= 0)


def parse_control(text: str) -> Control:
    """Reads a time control: `MINUTES[:SECONDS]` or `2.5`, and what each turn brings, in seconds.

    `10+5` (Fischer), `25d10` (delay), `25b10` (Bronstein), `30+5x30` (byo-yomi: five periods). Stages stand
    before it, each with its turns: `40/90,30+30`.
    """
    plain = AROUND.sub(r"\1", text.strip().lower().translate(SIGNS))
    *stages, last = FRACTION.sub(r"\1.\2", plain).split(",")
    earlier, match = [STAGE.fullmatch(stage) for stage in stages], LAST.fullmatch(last)
    if not match or not all(earlier):
        raise ClockError(
            say(
                "'{text}' is no time control: write the minutes, and the seconds that a turn brings, as in "
                "10, 2:30 or 10+5; or 25d10 (delay), 25b10 (Bronstein), 30+5x30 (five periods of 30 seconds),"
                " 40/90,30+30 (more after 40 turns)",
                text=text,
            )
        )
    counts = [int(stage[1]) for stage in earlier if stage]
    mains = [_read_time(stage[2]) for stage in earlier if stage]
    mains.append(_read_time(match[1]))
    periods, bonus, mode = int(match[2] or 0), float(match[3] or match[5] or 0), match[4] or FISCHER
    if not all((*counts, *mains)) or sum(mains) + periods * bonus > DAY:
        raise ClockError(say("a time control gives each player between one second and a day"))
    later = tuple(zip(accumulate(counts), mains[1:], strict=True))
    mode = BYO_YOMI if periods else mode if bonus else FISCHER
    return Control(mains[0], bonus, mode, periods, later)


def parse_controls(text: str, players: Sequence[Player]) -> dict[Player, Control]:
    """Reads the time controls of a game: one for all, or `white=10+5 black=5+3`, one for each player."""
    if "=" not in text:
        return dict.fromkeys(players, parse_control(text))
    parts = [part.partition("=") for part in text.split()]
    named = {player: parse_control(control) for player, _, control in parts}
    if set(named) != set(players) or len(parts) != len(named):
        raise ClockError(
            say("'{text}' names not every player once: {players}", text=text, players=", ".join(players))
        )
    return {player: named[player] for player in players}


def write_controls(controls: Mapping[Player, Control]) -> str:
    """Writes the time controls of a game, as `parse_controls` reads them."""
    texts = {player: str(control) for player, control in controls.items()}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return " ".join(f"{player}={text}" for player, text in texts.items())


def write_seconds(control: Control) -> str:
    """Writes a time control in seconds, as PGN has it: `40/5400+30:1800+30`; `?` for periods, which it has
    not."""
    if control.mode == BYO_YOMI:
        return "?"
    ending = {FISCHER: "", DELAY: "d", BRONSTEIN: "d"}[control.mode]
    bonus = f"+{control.bonus:g}{ending}" if control.bonus else ""
    return ":".join(f"{turns}{seconds:g}{bonus}" for turns, seconds in control.stages)


WITHOUT_BONUS = re.compile(r"\+0(?=:|$)")
"""What sites write where there is no bonus: `600+0`."""


def read_seconds(text: str) -> str:
    """Returns a time control in seconds as `parse_control` reads it; '' for one that no clock here has."""
    text = WITHOUT_BONUS.sub("", text)
    stages = [IN_SECONDS.fullmatch(stage) for stage in text.split(":")]
    if not all(stages):
        return ""
    told = [stage.groups() for stage in stages if stage]
    mains = [
        f"{turns}/{write_minutes(float(main))}" if turns else write_minutes(float(main))
        for turns, main, *_ in told
    ]
    bonus, mode = told[-1][2:]
    control = ",".join(mains) + (f"{mode or FISCHER}{bonus}" if bonus else "")
    try:
        is_same = write_seconds(parse_control(control)) == text
    except ClockError:
        return ""
    return control if is_same else ""


def set_clock(controls: Mapping[Player, Control]) -> Clock:
    """Returns a clock that stands, with the full time for everybody."""
    return Clock(controls, {player: control.start for player, control in controls.items()})


def _read_time(text: str) -> float:
    minutes, _, seconds = text.partition(":")
    return round(60 * float(minutes)) + float(seconds or 0)


def write_minutes(seconds: float) -> str:
    """Writes seconds as minutes and seconds: `5:00`."""
    return "{}:{:02}".format(*divmod(round(seconds), 60))
