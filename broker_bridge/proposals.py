"""A pairing of the hall, as the game that a board's table proposes."""

from __future__ import annotations

from broker_bridge.topics import BoardName
from companion.core.comments import tidy_line
from companion.core.game import GameError
from companion.games.text import read_game
from companion.record.clock import parse_controls, write_controls
from companion.record.head import LONGEST, PAIRING
from companion.table.messages import Propose
from companion.wire.codec import WireError
from companion.wire.hall import Pairing


def proposal_of(pairing: Pairing | None, board: BoardName) -> Propose:
    """Returns what a board's table is told of its pairing; None withdraws what it was told before.

    MessageError where no game could begin so.
    """
    if pairing is None:
        return Propose()
    try:
        game = read_game(pairing.game)
        players = game.rules.players(game.start())
        clock = write_controls(parse_controls(pairing.clock, players)) if pairing.clock else ""
    except GameError as error:
        raise WireError(f"no game can begin by this pairing: {error}") from error
    told = {
        **{player: pairing.players.get(player, "") for player in players},
        "event": pairing.event,
        "place": board.site,
        "round": pairing.round,
        "board": board.board,
        PAIRING: pairing.id,
    }
    tidy = {key: tidy_line(value)[:LONGEST].rstrip() for key, value in told.items()}
    head = {key: value for key, value in {**tidy, "clock": clock}.items() if value}
    return Propose(game.head, head)
