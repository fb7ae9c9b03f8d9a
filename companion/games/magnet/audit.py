"""The check of a game played with `values=declared`, once both players have told their pieces.

The record is replayed with the pieces known, and the first thing that does not agree is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.game import Action, Contradiction, GameError, Outcome
from companion.core.players import say_player
from companion.games.magnet.board import PLAYERS, Net
from companion.games.magnet.judge import judge
from companion.games.magnet.moves import begin, play
from companion.games.magnet.position import Position
from companion.language import say


def audit(
    net: Net,
    actions: Iterable[Action],
    told: tuple[str, str],
    outcome: Outcome | None = None,
    ruled: bool = False,
) -> Contradiction | None:
    """Tells whether the record can have been played with these pieces: returns None when it can.

    `told` are the letters of Red's and Blue's pieces on their starting vertices, in order; `outcome`
    is how the game was declared to end, and `ruled` whether people ended it before its rules did.
    """
    position, captured = _dealt(net, told), list[str]()
    number, action = 0, ""
    for number, action in enumerate(actions, 1):
        if action.startswith("reveal:"):
            actual = captured.pop(0) if captured else ""
            if actual != action[-1]:
                words = say("the captured piece was {letter}", letter=actual)
                return Contradiction(number, action, words if actual else say("no piece was captured"))
            continue
        if position.over:
            return Contradiction(
                number, action, say("the game was over: {reason}", reason=position.over.reason)
            )
        breaches = judge(position, action)
        if breaches:
            return Contradiction(number, action, say("the piece could not do that"), breaches)
        position, events = play(position, action)
        captured.extend(str(event.details["letter"]) for event in events if event.kind == "captured")
    stopped = ruled and not position.over
    if not stopped and _winner(outcome) != _winner(position.over):
        winner = _winner(position.over)
        words = say("the winner was {player}", player=say_player(winner)) if winner else say("nobody has won")
        return Contradiction(number, action, words)
    return None


def check_told(first: Position, told: Sequence[str]) -> tuple[str, str]:
    """Returns the letters that both players tell. GameError for another game, or other pieces."""
    if not first.declared:
        raise GameError(say("only a game of magnet values=declared is checked against what is told after it"))
    if len(told) != len(PLAYERS):
        raise GameError(say("both players tell their pieces: RED BLUE"))
    red, blue = (letters.removeprefix("=") for letters in told)
    for player, letters in zip(PLAYERS, (red, blue), strict=True):
        if sorted(letters) != sorted(first.net.letters):
            pieces = first.net.letters
            raise GameError(
                say(
                    "{player} tells the pieces {pieces} in the order of the starting vertices",
                    player=say_player(player),
                    pieces=pieces,
                )
            )
    return red, blue


def _dealt(net: Net, told: tuple[str, str]) -> Position:
    position = begin(Position(net, bytes(len(net.names))), bytes(len(net.names)), 0)._replace(seen=())
    for letters in told:
        position = play(position, f"={letters}").position
    return position


def _winner(outcome: Outcome | None) -> str | None:
    return outcome.winner if outcome else None
