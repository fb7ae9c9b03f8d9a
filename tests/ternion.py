"""Positions of the Ternion games for tests, written as lists of pawns."""

from companion import games
from companion.core.game import Step
from companion.games.ternion.position import Phase, Position
from companion.games.text import read_game


def lay_out(head: str, pawns: str, turn: str = "black") -> Position:
    """Returns the start of a turn with `c4 d5 | e5`: Black's pawns, then White's, Red's and Yellow's."""
    start = read_game(head).start()
    sites = bytearray(start.setup.net.vacant)
    for colour, group in enumerate(pawns.split("|"), start=1):
        for name in group.split():
            sites[start.setup.net.index[name]] = colour
    seat = start.setup.players.index(turn)
    return Position(start.setup, bytes(sites), seat, Phase.MOVE, before=bytes(sites))


def after(game: str, position: Position, actions: str) -> Position:
    """Returns the position after these actions, each of which must be legal."""
    for action in actions.split():
        position = played(game, position, action).position
    return position


def played(game: str, position: Position, action: str) -> Step[Position]:
    """Returns what an action leads to, which must be legal."""
    rules = games.rules(game)
    breaches = rules.judge(position, action)
    assert not breaches, (action, breaches)
    return rules.play(position, action)


def told(game: str, position: Position, action: str) -> list[str]:
    """Returns the sentences that tell of an action."""
    return [games.rules(game).tell(event) for event in played(game, position, action).events]


def broken(game: str, position: Position, action: str) -> dict[str, tuple[str, ...]]:
    """Returns the rules that an action would break, with their sites."""
    return {breach.rule: breach.sites for breach in games.rules(game).judge(position, action)}
