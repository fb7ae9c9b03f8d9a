"""The rules of Teleporters, joined to the contract of a game. Numbers TP-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Action, Count, Look, Option, Outcome
from companion.core.rules import Rules
from companion.games.teleporters import (
    arrange,
    attempts,
    consequences,
    estimate,
    judge,
    moves,
    words,
)
from companion.games.teleporters.board import PLAYERS
from companion.games.teleporters.position import (
    LOOKS,
    POLES,
    TURN_MOVES,
    Position,
    arrived,
    is_fresh,
    look,
    start,
    winner,
)
from companion.language import say

OWED = -0.7
"""The rarity of an answer that is owed (TP-13, TP-15, TP-17), in nats: likelier than any free choice."""
PASSED = 5.0
"""The rarity of a turn in which nothing is moved, in nats: who passes says so on the page. Without it two
turns with a passed one between them would explain a Pole that walks too far, or one that moves twice."""


class Teleporters(Rules[Position]):
    name = "teleporters"
    title = say("Teleporters")
    board = "teleporters"
    seats = PLAYERS
    long_turns = True
    options = (Option("first", PLAYERS, "south", "who begins", "{value} begins"),)
    sentences = words.SENTENCES
    phrases = words.CORNER_WORDS
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(consequences.play)
    look = staticmethod(look)
    path = staticmethod(words.path)
    arrange = staticmethod(arrange.arrange)
    attempts = staticmethod(attempts.attempts)
    prompt = staticmethod(words.prompt)
    slips = estimate.SLIPS
    estimate = staticmethod(estimate.estimate)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return start(board, PLAYERS.index(options["first"]))

    def outcome(self, position: Position) -> Outcome | None:
        side = winner(position.squares)
        return None if side is None else Outcome(PLAYERS[side], say("four Poles on the Goal"))

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *LOOKS)

    def rarity(self, position: Position, action: Action) -> float:
        if action.startswith(("port:", "pole:")):
            return OWED
        return PASSED if action == "end" and is_fresh(position) else 0.0

    def counts(self, position: Position) -> tuple[Count, ...]:
        goals = {player: arrived(position.squares, side) for side, player in enumerate(PLAYERS)}
        return (
            Count(say("Pole markers left"), {"": position.pole_moves}, TURN_MOVES),
            Count(say("Port markers left"), {"": position.port_moves}, TURN_MOVES),
            Count(say("Poles on the Goal"), goals, POLES),
        )
