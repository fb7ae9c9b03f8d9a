"""Runs a game's clock by its log: sets it when the game begins or goes on, presses it and sets it back by
entries.

`clock.Clock` knows times only; this module knows which entries end a turn, and writes into an action's entry
what its player had left after it. From these entries the clock can be set again after a takeback or a
restart.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from companion.core.game import Player
from companion.language import say
from companion.record.clock import (
    BRONSTEIN,
    DAY,
    Clock,
    ClockError,
    Control,
    Times,
    parse_controls,
    set_clock,
)
from companion.record.review import standing_lines
from companion.record.session import ARBITER, ASIDES, DEALT, START, STOP, Entry, Ply, Session

_BEGAN = time.time() - time.monotonic()
MOVING = ("action", "takeback", "redo", "correction")
"""The kinds of entries after which another position may stand."""


def steady_time() -> float:
    """Returns the time of day as this machine knew it when the program began, and what has passed since.

    Setting the machine's clock later takes no time from a player, and gives none.
    """
    return _BEGAN + time.monotonic()


def choose_steady_time(wall: Callable[[], float]) -> Callable[[], float]:
    """Returns the time by which players' clocks run beside this time of day.

    A time of day that a test hands in is steady by itself.
    """
    return steady_time if wall is time.time else wall


def clock_of(
    session: Session, head: Mapping[str, str], now: float, times: Mapping[Player, Times] | None = None
) -> Clock | None:
    """Returns the clock of a game that begins or goes on; None for a game without one.

    It is as the log says, or as `times` say, where it was stored since the last line.
    """
    if "clock" not in head:
        return None
    clock = set_clock(parse_controls(head["clock"], session.players))
    if session.outcome:
        ends = (entry for entry in reversed(session.log) if entry.kind not in ASIDES)
        fallen = {entry.by: 0.0 for entry in islice(ends, 1) if entry.kind == "flag"}
        clock = clock.put(_left(session, clock.controls)[0] | fallen, "", now)
    elif session.log:
        clock = _set_back(clock, session, now)
    clock = clock.showing(times or {})
    return clock.hold(now) if _is_held(session) and not session.outcome else clock


def turns_over(session: Session, known: int = 0) -> Iterator[tuple[Player, Ply]]:
    """Yields whose turns were over since so many plies, each with the ply that ended it."""
    later = zip(session.positions()[known:], session.plies[known:], strict=False)
    return ((before.turn, ply) for before, ply in later if before.turn != ply.after.turn)


def keep_time(
    clock: Clock, before: Session, after: Session, now: float, is_bonus_due: bool = True
) -> tuple[Clock, Session]:
    """Returns the clock after an entry, and the session with what the player had left written into its log.

    `before` and `after` are the session without the entry and with it. A turn that ends brings its bonus
    once, however often its end is recorded: `is_bonus_due` says whether it is still to come.
    """
    entry = after.log[-1]
    if entry.kind == "clock":
        clock = _changed(clock, entry, now)
    elif entry.kind == "action":
        clock = _press(clock, before, after, now, _ended_turn(before, after), is_bonus_due)
        after = after.timed(round(clock.remaining(before.position.to_act, now), 1))
    elif before.ruled and entry.kind == "takeback" and not clock.flags:  # the turn goes on
        clock = _start(clock, after, now)
    elif entry.kind in ("takeback", "redo"):
        clock = _set_back(clock, after, now)
    elif entry.kind == "correction" and clock.runs:
        clock = clock.press(after.position.to_act, now)
    elif entry.kind == "correction" and clock.flags and after.position.to_act not in clock.flags:
        clock = _set_back(clock, after, now)  # whose flag fell was not to act
    elif entry.kind == "correction":
        clock = _start(clock, after, now)
    return (clock.stop(now) if after.outcome else clock), after


def run_on(clock: Clock, before: Session, after: Session, now: float, is_bonus_due: bool = True) -> Clock:
    """Returns the clock after an entry that corrects what was recorded before, and takes no time of its own.

    The clock runs on, for whoever acts next; an action keeps the time that its entry brings along. The rest
    is as in `keep_time`.
    """
    if not clock.runs:
        clock = _start(clock, after, now)
    else:
        has_ended = after.log[-1].kind == "action" and is_bonus_due
        clock = _press(clock, before, after, now, _ended_turn(before, after) if has_ended else "")
    return clock.stop(now) if after.outcome else clock


def change_of_time(clock: Clock, player: Player, seconds: float, is_set: bool, now: float) -> Entry:
    """Returns the arbiter's entry that gives a player so many seconds (fewer than 0: takes), or sets their
    clock to that. ClockError where it cannot be.
    """
    if player not in clock.left:
        raise ClockError(say("'{player}' has no clock in this game", player=player))
    had = clock.remaining(player, now)
    left = round(seconds if is_set else had + seconds, 1)
    if not 1 <= left <= DAY:
        raise ClockError(say("a clock shows between one second and a day"))
    return Entry("clock", f"{player} {left - had:+.1f}", ARBITER, "tablet", clock=left)


def change_of_run(clock: Clock, session: Session, is_stopped: bool, now: float) -> Entry:
    """Returns the arbiter's entry that stops the clock, or lets it go on. ClockError where it is so already.

    It says what the player who is to act has left then: a game that is adjourned goes on from there.
    """
    if clock.held == is_stopped:
        raise ClockError(
            say("the clock stands already") if is_stopped else say("the arbiter has not stopped the clock")
        )
    left = round(clock.remaining(session.position.to_act, now), 1)
    return Entry("clock", STOP if is_stopped else START, ARBITER, "tablet", clock=left)


def left_by(session: Session, ply: Ply) -> float | None:
    """Returns the time that a ply's entry leaves its player, with what the arbiter has given since."""
    left, given = ply.entry.clock, _given(session)
    if left is None or not given.changes:
        return left
    return max(0.0, left + given.since(session.line(ply), ply.player))


def _ended_turn(before: Session, after: Session) -> Player:
    """Returns the player whose turn an action has ended; '' where the turn goes on."""
    turn = before.position.turn
    return turn if after.position.turn != turn else ""


def _press(
    clock: Clock, before: Session, after: Session, now: float, ended: Player, is_due: bool = True
) -> Clock:
    """Returns the clock after an action, by which this player's turn has ended ('' for nobody's)."""
    has_stages = bool(ended and clock.controls[ended].later)
    turns = sum(player == ended for player, _ in _turns_played(after)) if has_stages else 0
    return clock.press(after.position.to_act, now, ended, is_due, turns)


def _turns_played(session: Session) -> Iterator[tuple[Player, Ply]]:
    """Yields whose turns were over by an action of a player, each with the ply that ended it."""
    for player, ply in turns_over(session):
        if ply.entry.kind == "action" and ply.entry.source != DEALT:
            yield player, ply


def _changed(clock: Clock, entry: Entry, now: float) -> Clock:
    """Returns the clock as an arbiter's entry changes it."""
    if entry.text == STOP:
        return clock.hold(now)
    if entry.text == START:
        return clock.release(now)
    player = entry.text.partition(" ")[0]
    return clock if entry.clock is None else clock.give(player, entry.clock, now)


def _is_held(session: Session) -> bool:
    """Returns whether the arbiter has stopped the clock, and not let it go on."""
    runs = (entry.text for entry in reversed(session.log) if entry.kind == "clock")
    return next((text for text in runs if text in (STOP, START)), "") == STOP


def _set_back(clock: Clock, session: Session, now: float) -> Clock:
    """Returns the clock as it was after the last ply that stands."""
    left, spent = _left(session, clock.controls)
    clock = _start(clock.put(left, "", now), session, now)
    return replace(clock, spent=spent)


def _start(clock: Clock, session: Session, now: float) -> Clock:
    """Returns the clock, which stands, running for whoever acts next, once a player has ended a turn."""
    has_begun = any(ply.entry.source != DEALT for _, ply in turns_over(session))
    return clock.put({}, session.position.to_act, now) if has_begun else clock


def _left(
    session: Session, controls: Mapping[Player, Control]
) -> tuple[dict[Player, float], dict[Player, float]]:
    """Returns the time that each player had left after the last ply, and what of it the turn gives back.

    What was left is what their own last entry says, what a turn's end has brought that came by another's
    answer, and what the arbiter has given since. A change that was made after the last ply says itself what
    is left.
    """
    given = _given(session)
    left = {player: control.start + given.since(0, player) for player, control in controls.items()}
    began, turns, has_begun = dict(left), Counter[Player](), False
    plies = zip(session.positions(), session.plies, standing_lines(session)[1:], strict=False)
    for before, ply, line in plies:
        if ply.entry.clock is not None and ply.player in left:
            left[ply.player] = ply.entry.clock + given.since(line, ply.player)
        if before.turn == ply.after.turn:
            continue
        player = before.turn
        is_played = ply.entry.kind == "action" and ply.entry.source != DEALT
        turns[player] += is_played
        if is_played and ply.player != player:
            spent = began[player] - left[player]
            left[player] = controls[player].left_after(left[player], spent, turns[player], has_begun)
        has_begun = has_begun or ply.entry.source != DEALT
        began = dict(left)
    left |= _left_on_this_position(session)
    given_back = (player for player, control in controls.items() if control.mode == BRONSTEIN)
    used = {player: max(0.0, began[player] - left[player]) for player in given_back}
    return {player: max(0.0, seconds) for player, seconds in left.items()}, used


def _left_on_this_position(session: Session) -> dict[Player, float]:
    """Returns the time that players have left by the arbiter's changes since the last ply or takeback."""
    left = {}
    for entry in reversed(list(takewhile(lambda entry: entry.kind not in MOVING, reversed(session.log)))):
        if entry.kind == "clock" and entry.clock is not None:
            is_run = entry.text in (STOP, START)
            left[session.position.to_act if is_run else entry.text.partition(" ")[0]] = entry.clock
    return left


@dataclass(frozen=True, slots=True)
class _Given:
    """The time given to players and taken from them by the arbiter: lines of the log, players, seconds."""

    changes: tuple[tuple[int, Player, float], ...]

    def since(self, line: int, player: Player) -> float:
        """Returns the seconds that a player was given after a line of the log."""
        return sum(seconds for n, given, seconds in self.changes if n > line and given == player)


def _given(session: Session) -> _Given:
    lines = enumerate(session.log, 1)
    texts = ((n, entry.text.split()) for n, entry in lines if entry.kind == "clock")
    return _Given(tuple((n, words[0], float(words[1])) for n, words in texts if len(words) == 2))
