"""A game's clock as its log has it: set when the game begins or goes on, pressed and set back by entries."""

from __future__ import annotations

from collections.abc import Mapping

from companion.clock import Clock, parse_control, set_clock
from companion.core import Player
from companion.session import Entry, Session


def clock_of(session: Session, head: Mapping[str, str], now: float) -> Clock | None:
    """The clock of a game that begins or goes on: what its log says that each player had left."""
    if "clock" not in head:
        return None
    clock = set_clock(parse_control(head["clock"]), session.players)
    return _set_back(clock, session, now) if session.plies and not session.outcome else clock


def _set_back(clock: Clock, session: Session, now: float) -> Clock:
    left = {ply.player: ply.entry.clock for ply in session.plies if ply.entry.clock is not None}
    full = dict.fromkeys(session.players, clock.control.main)
    running = session.position.to_act if session.plies else ""
    return clock.put({**full, **left}, running, now)


def _hand_over(clock: Clock, player: Player, now: float) -> Clock:
    if not clock.runs or clock.runs == player:
        return clock
    return clock.put({clock.runs: clock.remaining(clock.runs, now)}, player, now)


def keep_time(
    clock: Clock, before: Session, after: Session, entry: Entry, now: float, anew: bool = False
) -> tuple[Clock, Session]:
    """The clock after an entry, and the session with what the player had left written into its log.

    What is only told `anew` was played when it was: the clock goes on as it runs, and an action keeps the
    time that its entry brings along.
    """
    if anew:
        clock = _hand_over(clock, after.position.to_act, now)
    elif entry.kind == "action":
        player = before.position.to_act
        clock = clock.press(player, after.position.to_act, now)
        after = after.timed(round(clock.remaining(player, now), 1))
    elif entry.kind in ("takeback", "redo"):
        clock = _set_back(clock, after, now)
    return (clock.stop(now) if after.outcome else clock), after
