"""Makes what a board tells of itself: the spectators' view of its table (topic `state`), its clock (`clock`).

Both are made from what `companion.table.present` gives for a spectator, which leaves every secret out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.language import ENGLISH, translated

SHOWN = (
    "state", "number", "head", "turn", "to_act", "playing", "prompt", "pieces", "checked", "fen", "last",
    "verdict", "question", "offer", "counts", "outcome", "ruled", "sources", "notice",
)  # fmt: skip
"""The members of the spectators' view that are told; the list of moves is left out, for it grows."""
OF_THE_GAME = ("name", "title", "board", "options", "head", "players")
"""The members of `game` that are told."""
WAITING = ("verdict", "question", "offer", "outcome")
"""The members that somebody may have to see to: `since` says from when on each has been as it is."""


def state_of(
    view: Mapping[str, Any],
    companion: str,
    address: str = "",
    before: Mapping[str, Any] | None = None,
    at: float = 0.0,
) -> dict[str, Any]:
    """Returns the message of topic `state`; `view` is what a spectator is shown.

    `companion` is the identity of its store, `address` where its page is, `before` the message before this
    one, and `at` the time (seconds since 1970).
    """
    state: dict[str, Any] = translated({name: view[name] for name in SHOWN if name in view}, ENGLISH)
    game = view["game"]
    state["game"] = game and {name: game[name] for name in OF_THE_GAME}
    state.update(companion=companion, address=address)
    earlier = before or {}
    state["since"] = {
        name: earlier["since"][name] if _is_same(earlier, state, name) else at
        for name in WAITING
        if state.get(name)
    }
    state["at"] = at
    return state


def _is_same(earlier: Mapping[str, Any], state: Mapping[str, Any], name: str) -> bool:
    """Returns whether a member waits as it did in the message before."""
    is_same_game = earlier.get("number") == state.get("number")
    return is_same_game and name in earlier.get("since", {}) and earlier.get(name) == state.get(name)


def clock_of(view: Mapping[str, Any], at: float, steady: float) -> dict[str, Any] | None:
    """Returns the message of topic `clock`; None where the game has none.

    `left` holds the seconds that each player has at `at` (seconds since 1970), which is `steady` by the
    table's own time.
    """
    clock = view["clock"]
    if clock is None:
        return None
    told = {name: value for name, value in clock.items() if name != "since"}
    if clock["runs"] and not clock["paused"]:
        gone = max(0.0, steady - clock["since"])
        delay = min(gone, clock["delay"])
        left = clock["left"][clock["runs"]] - (gone - delay)
        told["left"] = {**clock["left"], clock["runs"]: round(left, 1)}
        told["delay"] = round(clock["delay"] - delay, 1)
    return {**told, "number": view.get("number"), "at": at}
