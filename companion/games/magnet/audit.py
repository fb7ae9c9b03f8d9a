"""The check of a game played with `values=declared`, once both players have told their pieces.

The record is replayed with the pieces known, and the first thing that does not agree is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.core import Action, Breach, GameError, Outcome
from companion.games.magnet.judge import judge
from companion.games.magnet.moves import begin, play
from companion.games.magnet.net import Net
from companion.games.magnet.position import Position
from companion.session import Session


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The first action of a record (numbered from 1) that cannot have been, and why."""

    number: int
    action: Action
    words: str
    breaches: tuple[Breach, ...] = ()


def audit(
    net: Net,
    actions: Iterable[Action],
    told: tuple[str, str],
    outcome: Outcome | None = None,
    ruled: bool = False,
) -> Contradiction | None:
    """Whether the record can have been played with these pieces: None when it can.

    `told` are the letters of Red's and Blue's pieces on their starting vertices, in order; `outcome`
    is how the game was declared to end, and `ruled` whether people ended it before its rules did.
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
    stopped = ruled and not position.over
    if not stopped and _winner(outcome) != _winner(position.over):
        return Contradiction(number, action, f"the winner was {_winner(position.over) or 'nobody'}")
    return None


def audit_session(session: Session, told: tuple[str, str]) -> Contradiction | None:
    """The audit of a game that was kept. GameError for another game, a corrected one, or other pieces."""
    if session.rules.name != "magnet" or session.game.options["values"] != "declared":
        raise GameError("only a game of magnet values=declared is checked against what is told after it")
    corrected = [n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"]
    if corrected:
        raise GameError(f"step {corrected[0]} is an arbiter's correction: the game cannot be played again")
    net = session.first.net
    for player, letters in zip(session.players, told, strict=True):
        if sorted(letters) != sorted(net.letters):
            raise GameError(f"{player} tells the pieces {net.letters} in the order of the starting vertices")
    return audit(net, session.actions, told, session.outcome, session.ruled is not None)


def _dealt(net: Net, told: tuple[str, str]) -> Position:
    position = begin(Position(net, bytes(len(net.names))), bytes(len(net.names)), 0)._replace(seen=())
    for letters in told:
        position = play(position, f"={letters}").position
    return position


def _winner(outcome: Outcome | None) -> str | None:
    return outcome.winner if outcome else None
