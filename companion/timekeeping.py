"""A game's clock as its log has it: set when the game begins or goes on, pressed and set back by entries."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from companion.clock import Clock, Control, parse_control, set_clock
from companion.core import Player
from companion.session import DEALT, Entry, Ply, Session

_BEGAN = time.time() - time.monotonic()


def steady_time() -> float:
    """The time of day as this machine knew it when the program began, and how long ago that is: who sets its
    clock later takes no time from a player, and gives none."""
    return _BEGAN + time.monotonic()


def steadied(wall: Callable[[], float]) -> Callable[[], float]:
    """What players' clocks run by beside a time of day: one that is handed in is set by nobody."""
    return steady_time if wall is time.time else wall


def clock_of(session: Session, head: Mapping[str, str], now: float) -> Clock | None:
    """The clock of a game that begins or goes on: what its log says that each player had left."""
    if "clock" not in head:
        return None
    clock = set_clock(parse_control(head["clock"]), session.players)
    return _set_back(clock, session, now) if session.plies and not session.outcome else clock


def _set_back(clock: Clock, session: Session, now: float) -> Clock:
    return _start(clock.put(_left(session, clock.control), "", now), session, now)


def _left(session: Session, control: Control) -> dict[Player, float]:
    """What each player had left after the last ply: what their own last entry says, and the bonus for a turn
    that another's answer ended since."""
    left, has_begun = dict.fromkeys(session.players, control.main), False
    for before, ply in zip(session.positions(), session.plies, strict=False):
        if ply.entry.clock is not None:
            left[ply.player] = ply.entry.clock
        if before.turn != ply.after.turn:
            if has_begun and ply.player != before.turn and not control.delay:
                left[before.turn] += control.bonus
            has_begun = has_begun or ply.entry.source != DEALT
    return left


def turns_over(session: Session, known: int = 0) -> Iterator[tuple[Player, Ply]]:
    """Whose turns were over since so many plies, each with the ply that ended it."""
    later = zip(session.positions()[known:], session.plies[known:], strict=False)
    return ((before.turn, ply) for before, ply in later if before.turn != ply.after.turn)


def _start(clock: Clock, session: Session, now: float) -> Clock:
    """The clock, which stands, runs for whoever acts next, once a player has ended a turn."""
    has_begun = any(ply.entry.source != DEALT for _, ply in turns_over(session))
    return clock.put({}, session.position.to_act, now) if has_begun else clock


def keep_time(
    clock: Clock,
    before: Session,
    after: Session,
    entry: Entry,
    now: float,
    anew: bool = False,
    is_due: bool = True,
) -> tuple[Clock, Session]:
    """The clock after an entry, and the session with what the player had left written into its log.

    What is only told `anew` was played when it was: the clock goes on as it runs, and an action keeps the
    time that its entry brings along. A bonus for a turn that ends `is_due` but once, however often its end
    is told.
    """
    to_act, turn = after.position.to_act, before.position.turn
    ended = turn if entry.kind == "action" and after.position.turn != turn else ""
    if anew and not clock.runs:
        clock = _start(clock, after, now)
    elif anew:
        clock = clock.press(to_act, now, ended if is_due else "")
    elif entry.kind == "action":
        clock = clock.press(to_act, now, ended, is_due)
        after = after.timed(round(clock.remaining(before.position.to_act, now), 1))
    elif entry.kind in ("takeback", "redo"):
        clock = _set_back(clock, after, now)
    elif entry.kind == "correction":
        clock = clock.press(to_act, now) if clock.runs else _start(clock, after, now)
    return (clock.stop(now) if after.outcome else clock), after
