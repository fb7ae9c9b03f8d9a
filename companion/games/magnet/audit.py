"""The check of a game played with `values=declared`, once both players have told their pieces.

The record is replayed with the pieces known, and the first thing that does not agree is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core import Action, Breach, Outcome
from companion.games.magnet.judge import judge
from companion.games.magnet.moves import begin, play
from companion.games.magnet.net import Net
from companion.games.magnet.position import Position


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The first action of a record (numbered from 1) that cannot have been, and why."""

    number: int
    action: Action
    words: str
    breaches: tuple[Breach, ...] = ()


def audit(
    net: Net, actions: Iterable[Action], told: tuple[str, str], outcome: Outcome | None = None
) -> Contradiction | None:
    """Whether the record can have been played with these pieces: None when it can.

    `told` are the letters of Red's and Blue's pieces on their starting vertices, in order; `outcome`
    is how the game was declared to end.
    """
    position, captured = _dealt(net, told), list[str]()
    number, action = 0, ""
    for number, action in enumerate(actions, 1):
        if action.startswith("reveal:"):
            actual = captured.pop(0) if captured else ""
            if actual != action[-1]:
                return Contradiction(number, action, f"the captured piece was {actual or 'none'}")
            continue
        if position.over:
            return Contradiction(number, action, f"the game was over: {position.over.reason}")
        breaches = judge(position, action)
        if breaches:
            return Contradiction(number, action, "the piece could not do that", breaches)
        position, events = play(position, action)
        captured.extend(str(event.details["letter"]) for event in events if event.kind == "captured")
    if _winner(outcome) != _winner(position.over):
        return Contradiction(number, action, f"the winner was {_winner(position.over) or 'nobody'}")
    return None


def _dealt(net: Net, told: tuple[str, str]) -> Position:
    position = begin(Position(net, bytes(len(net.names))), bytes(len(net.names)), 0)._replace(seen=())
    for letters in told:
        position = play(position, f"={letters}").position
    return position


def _winner(outcome: Outcome | None) -> str | None:
    return outcome.winner if outcome else None
