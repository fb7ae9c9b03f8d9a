"""Laws of the clock in a game: time is made and lost by its control's rules, whatever the arbiter does."""

from dataclasses import dataclass, field, replace
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Player
from companion.record.clock import BRONSTEIN, BYO_YOMI, DELAY, FISCHER, Control, write_controls
from companion.record.record import Record, read_record, write_record
from companion.record.session import ARBITER
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.policy import POLICY
from tests.stores import open_store

PLAYERS = ("red", "blue")
MODES = st.sampled_from((FISCHER, DELAY, BRONSTEIN))
STAGES = st.lists(st.tuples(st.integers(1, 2), st.integers(1, 90)), max_size=2)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    later = tuple((2 * n + turns, float(seconds)) for n, (turns, seconds) in enumerate(draw(STAGES)))
    main = float(draw(st.integers(1, 120)))
    if draw(st.booleans()):
        return Control(main, draw(st.integers(1, 20)), BYO_YOMI, draw(st.integers(1, 4)), later)
    bonus = draw(st.integers(0, 20))
    return Control(main, bonus, draw(MODES) if bonus else FISCHER, later=later)


@dataclass
class Second:
    """The clock as a person would keep it: second by second, on a sheet with a line for each ply."""

    controls: dict[Player, Control]
    left: dict[Player, float] = field(init=False)
    sheet: list[dict[Player, float]] = field(init=False)
    """What was left at the start, and after each ply that stands."""
    undone: list[dict[Player, float]] = field(default_factory=list)
    spent: dict[Player, float] = field(default_factory=lambda: dict.fromkeys(PLAYERS, 0.0))
    is_held: bool = False

    def __post_init__(self) -> None:
        self.left = {p: c.main + c.periods * c.bonus for p, c in self.controls.items()}
        self.sheet = [dict(self.left)]

    @property
    def plies(self) -> int:
        return len(self.sheet) - 1

    @property
    def player(self) -> Player:
        return PLAYERS[self.plies % 2]

    def wait(self, seconds: int) -> None:
        for _ in range(seconds if self.plies and not self.is_held else 0):
            player, control = self.player, self.controls[self.player]
            self.spent[player] += 1
            if control.mode != DELAY or self.spent[player] > control.bonus:
                self.left[player] = max(0.0, self.left[player] - 1)

    def play(self) -> None:
        player, control, left = self.player, self.controls[self.player], self.left[self.player]
        if control.mode == FISCHER and self.plies:
            left += control.bonus
        if control.mode == BRONSTEIN:
            left += min(control.bonus, self.spent[player])
        if control.mode == BYO_YOMI:
            ends = [n * control.bonus for n in range(control.periods + 1)]
            left = next((end for end in ends if end >= left), left)
        left += sum(seconds for after, seconds in control.later if after == self.plies // 2 + 1)
        self.left[player] = left
        self.sheet.append(dict(self.left))
        self.undone = []
        self.spent = dict.fromkeys(PLAYERS, 0.0)

    def take_back(self) -> None:
        self.undone.append(self.sheet.pop())
        self._read_sheet()

    def redo(self) -> None:
        self.sheet.append(self.undone.pop())
        self._read_sheet()

    def _read_sheet(self) -> None:
        self.left = {player: max(0.0, left) for player, left in self.sheet[-1].items()}
        self.spent = dict.fromkeys(PLAYERS, 0.0)

    def set(self, player: Player, left: float) -> None:
        given = left - self.left[player]
        for line in chain(self.sheet, self.undone):
            line[player] += given
        self.left[player] = left


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(("play", "play", "play", "take back", "redo", "give", "set", "stop", "start")),
        st.integers(0, 40),
        st.sampled_from(PLAYERS),
        st.integers(-40, 90),
    ),
    max_size=25,
)


class Watch:
    time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@settings(max_examples=150, deadline=None)
@given(controls(), controls(), OPERATIONS)
def test_time_is_made_and_lost_by_rules_alone(
    red: Control, blue: Control, operations: list[tuple[str, int, Player, int]]
) -> None:
    watch = Watch()
    desk, sheet = Desk(open_store(), wall=watch), Second({"red": red, "blue": blue})
    assert desk.handle(m.NewGame("triune", {"clock": write_controls(sheet.controls)}))[0].ok
    for kind, seconds, player, change in operations:
        watch.time += seconds
        sheet.wait(seconds)
        operate(desk, sheet, kind, player, change)
        clock = desk.snapshot.clock
        assert clock is not None
        for one in PLAYERS:
            assert clock.remaining(one, watch.time) == pytest.approx(sheet.left[one]), (kind, one)
        assert clock.held == sheet.is_held


def operate(desk: Desk, sheet: Second, kind: str, player: Player, change: int) -> None:
    """Does the same at the table and on the sheet; what is not possible now is refused."""
    if kind == "play":
        action = next(iter(desk.session.rules.legal(desk.session.position)))
        is_in_time = not sheet.plies or sheet.left[sheet.player] > 0
        assert desk.handle(m.Submit(action))[0].ok == is_in_time
        if is_in_time:
            sheet.play()
    elif kind in ("take back", "redo"):
        is_possible = bool(sheet.plies if kind == "take back" else sheet.undone)
        message = m.TakeBack(1, ARBITER) if kind == "take back" else m.Deed("redo", ARBITER)
        assert desk.handle(message)[0].ok == is_possible
        if is_possible:
            (sheet.take_back if kind == "take back" else sheet.redo)()
    elif kind in ("give", "set"):
        left = change if kind == "set" else sheet.left[player] + change
        assert desk.handle(m.ChangeTime(player, change, kind == "set"))[0].ok == (left >= 1)
        if left >= 1:
            sheet.set(player, left)
    else:
        is_stopped = kind == "stop"
        reply, _ = desk.handle(m.StopClock(is_stopped))
        assert reply.ok == (sheet.is_held != is_stopped)
        sheet.is_held = is_stopped


@settings(max_examples=100, deadline=None)
@given(controls(), OPERATIONS, st.integers(0, 40))
def test_a_power_cut_gives_back_some_seconds_of_a_turn_and_the_time_without_power_costs_nothing(
    control: Control, operations: list[tuple[str, int, Player, int]], last: int
) -> None:
    watch, store = Watch(), open_store()
    desk = Desk(store, wall=watch)
    sheet = Second(dict.fromkeys(PLAYERS, replace(control, main=control.main + 3600)))
    assert desk.handle(m.NewGame("triune", {"clock": write_controls(sheet.controls)}))[0].ok
    for kind, seconds, player, change in (*operations, ("wait", last, "red", 0)):
        for _ in range(seconds):
            watch.time += 1
            sheet.wait(1)
            assert desk.handle(m.Tick())[0].ok
        if desk.session.outcome:
            return
        if kind != "wait":
            operate(desk, sheet, kind, player, change)
    watch.time += 86_400
    again = Desk(store, wall=watch)
    assert again.handle(m.OpenGame(1))[0].ok
    had, clock = desk.snapshot.clock, again.snapshot.clock
    assert had is not None
    assert clock is not None
    assert (clock.runs, clock.held) == (had.runs, had.held)
    for _ in range(2):  # also while a delay lasts
        for one in PLAYERS:
            given_back = clock.remaining(one, watch.time) - sheet.left[one]
            assert -0.001 <= given_back <= (POLICY.clock_kept if one == clock.runs else 0.001)
        watch.time += 15
        sheet.wait(15)


@settings(max_examples=40, deadline=None)
@given(controls(), st.sampled_from(("teleporters", "magnet values=declared", "triune")), st.data())
def test_a_game_that_is_opened_again_goes_on_with_the_same_clock(
    control: Control, game: str, data: st.DataObject
) -> None:
    """Also where players answer within another's turn, and where the arbiter changed the clock last."""
    watch = Watch()
    desk = Desk(open_store(), wall=watch)
    assert desk.handle(m.NewGame(game, {"clock": str(replace(control, main=3600.0))}))[0].ok
    for _ in range(data.draw(st.integers(1, 12))):
        watch.time += data.draw(st.integers(0, 30))
        legal = sorted(a for a in desk.session.rules.legal(desk.session.position) if "?" not in a)
        player = data.draw(st.sampled_from(desk.session.players))
        changes: list[m.Message] = [m.ChangeTime(player, 45), m.ChangeTime(player, 600, is_set=True)]
        changes += [m.StopClock(), m.StopClock(False)]
        actions: list[m.Message] = [m.Submit(action) for action in legal]
        message = data.draw(st.sampled_from(changes if data.draw(st.integers(0, 3)) == 0 else actions))
        if not desk.handle(message)[0].ok:
            continue
        had, log = desk.snapshot.clock, desk.session.log
        assert had is not None
        record = Record(desk.session.game, log, desk.snapshot.head)
        assert read_record(write_record(record)).session().log == log
        for reopen in (m.CloseGame(), m.OpenGame(1)):
            assert desk.handle(reopen)[0].ok
        clock = desk.snapshot.clock
        assert clock is not None
        for one in desk.session.players:
            assert clock.left[one] == pytest.approx(had.remaining(one, watch.time), abs=0.06)
        assert (clock.runs, clock.held, clock.paused) == (had.runs, had.held, had.held)
        if desk.session.outcome:
            return
