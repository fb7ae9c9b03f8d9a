"""Runs a game's clock by its log: sets it when the game begins or goes on, presses it and sets it back by
entries.

`clock.Clock` knows times only; this module knows which entries end a turn, and writes into an action's entry
what its player had left after it. From these entries the clock can be set again after a takeback or a
restart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from companion.core.game import Player
from companion.record.clock import Clock, Control, parse_control, set_clock
from companion.record.session import DEALT, Ply, Session

_BEGAN = time.time() - time.monotonic()


def steady_time() -> float:
    """Returns the time of day as this machine knew it when the program began, and what has passed since.

    Setting the machine's clock later takes no time from a player, and gives none.
    """
    return _BEGAN + time.monotonic()


def steadied(wall: Callable[[], float]) -> Callable[[], float]:
    """Returns the time by which players' clocks run beside this time of day.

    A time of day that a test hands in is steady by itself.
    """
    return steady_time if wall is time.time else wall


def clock_of(session: Session, head: Mapping[str, str], now: float) -> Clock | None:
    """Returns the clock of a game that begins or goes on, as its log says; None for a game without one."""
    if "clock" not in head:
        return None
    clock = set_clock(parse_control(head["clock"]), session.players)
    return _set_back(clock, session, now) if session.plies and not session.outcome else clock


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
    if entry.kind == "action":
        clock = clock.press(after.position.to_act, now, _ended_turn(before, after), is_bonus_due)
        after = after.timed(round(clock.remaining(before.position.to_act, now), 1))
    elif entry.kind in ("takeback", "redo"):
        clock = _set_back(clock, after, now)
    elif entry.kind == "correction" and clock.runs:
        clock = clock.press(after.position.to_act, now)
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
        clock = clock.press(after.position.to_act, now, _ended_turn(before, after) if has_ended else "")
    return clock.stop(now) if after.outcome else clock


def _ended_turn(before: Session, after: Session) -> Player:
    """Returns the player whose turn an action has ended; '' where the turn goes on."""
    turn = before.position.turn
    return turn if after.position.turn != turn else ""


def _set_back(clock: Clock, session: Session, now: float) -> Clock:
    """Returns the clock as it was after the last ply that stands."""
    return _start(clock.put(_left(session, clock.control), "", now), session, now)


def _start(clock: Clock, session: Session, now: float) -> Clock:
    """Returns the clock, which stands, running for whoever acts next, once a player has ended a turn."""
    has_begun = any(ply.entry.source != DEALT for _, ply in turns_over(session))
    return clock.put({}, session.position.to_act, now) if has_begun else clock


def _left(session: Session, control: Control) -> dict[Player, float]:
    """Returns what each player had left after the last ply.

    That is what their own last entry says, and the bonus for a turn that another's answer has ended since.
    """
    left = dict.fromkeys(session.players, control.main)
    has_begun = False
    for before, ply in zip(session.positions(), session.plies, strict=False):
        if ply.entry.clock is not None:
            left[ply.player] = ply.entry.clock
        if before.turn == ply.after.turn:
            continue
        is_ended_by_another = ply.player != before.turn
        if has_begun and is_ended_by_another and not control.delay:
            left[before.turn] += control.bonus
        has_begun = has_begun or ply.entry.source != DEALT
    return left
