"""Makes what a board tells of itself: the spectators' view of its table (topic `state`), its clock (`clock`).

Both are made from what `companion.table.present` gives for a spectator, which leaves every secret out.
"""

from __future__ import annotations

from typing import get_args

from companion.wire.codec import part_of
from companion.wire.hall import BoardClock, BoardState, EmptyBoardState, OfBoard, Waiting
from companion.wire.state import Game, TableState


def state_of(
    view: TableState, companion: str, address: str = "", before: OfBoard | None = None, at: float = 0.0
) -> OfBoard:
    """Returns the message of topic `state`; `view` is what a spectator is shown.

    `companion` is the identity of its store, `address` where its page is, `before` the message before this
    one, and `at` the time (seconds since 1970).
    """
    since = {
        name: before.since[name] if before and _is_same(before, view, name) else at
        for name in get_args(Waiting)
        if getattr(view, name, None)
    }
    own = {"companion": companion, "address": address, "since": since, "at": at}
    if view.game is None:
        return part_of(view, EmptyBoardState, **own)
    return part_of(view, BoardState, **own, game=part_of(view.game, Game))


def _is_same(earlier: OfBoard, view: TableState, name: Waiting) -> bool:
    """Returns whether a member waits as it did in the message before."""
    is_same_game = getattr(earlier, "number", None) == getattr(view, "number", None)
    return is_same_game and name in earlier.since and getattr(earlier, name) == getattr(view, name)


def clock_of(view: TableState, at: float, steady: float) -> BoardClock | None:
    """Returns the message of topic `clock`; None where the game has none.

    `left` holds the seconds that each player has at `at` (seconds since 1970), which is `steady` by the
    table's own time.
    """
    clock = view.clock
    if clock is None:
        return None
    left, delay = clock.left, clock.delay
    if clock.runs and not clock.paused:
        gone = max(0.0, steady - clock.since)
        spent = min(gone, delay)
        left = {**left, clock.runs: round(left[clock.runs] - (gone - spent), 1)}
        delay = round(delay - spent, 1)
    return part_of(clock, BoardClock, left=left, delay=delay, number=getattr(view, "number", None), at=at)
