"""The rules of both Ternion games, joined to the contract of a game.

`factor` and `spaces` say on which net each is played. Numbers TF-n and TS-n are those of the rulebooks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import ClassVar

from companion.core.board import Board
from companion.core.game import EMPTY, Action, Breach, Count, Look, Outcome, Place, Player
from companion.core.rules import Rules
from companion.games.ternion import (
    arrange,
    attempts,
    consequences,
    estimate,
    judge,
    moves,
    words,
)
from companion.games.ternion.board import Crossing, net_of
from companion.games.ternion.position import (
    ADDED,
    COLOURS,
    MOVES,
    PAWNS,
    Position,
    blocked_gates,
    look,
    move_markers,
    on_board,
    setup_of,
    win_reason,
)
from companion.language import say

OWED = -0.3
"""The rarity of what a player does not first decide to, in nats: to choose a ternion, to remove and add for
it, and to end the turn after three moves."""
ROUNDABOUT = 0.2
"""The rarity of each crossing of a line or an intersection after a pawn's first, in nats: of two ways to one
place players choose the one that takes fewer markers."""


class Ternion(Rules[Position]):
    """All that the two games share: everything but the net, and the numbers of the rules that differ."""

    renumbered: ClassVar[Mapping[str, str]] = {}
    """The rules of Ternion Factor that this game replaces, and by which ones."""
    long_turns = True
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    ask = staticmethod(words.ask)
    play = staticmethod(consequences.play)
    change = staticmethod(consequences.change)
    look = staticmethod(look)
    path = staticmethod(words.path)
    attempts = staticmethod(attempts.attempts)
    arrange = staticmethod(arrange.arrange)
    details = staticmethod(words.details)
    prompt = staticmethod(words.prompt)
    considered = staticmethod(estimate.considered)
    slips = estimate.SLIPS
    estimate = staticmethod(estimate.estimate)

    @abstractmethod
    def crossings(self, board: Board) -> tuple[Crossing, ...]:
        """Returns how sites of the board are joined, and where a move marker lies on the way."""

    def players(self, position: Position) -> tuple[Player, ...]:
        return position.setup.players

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        players = int(options["players"])
        net = net_of(board, players, self.crossings(board))
        pawns = int(options.get("pawns", "4"))  # TS-1 gives each player four
        setup = setup_of(net, players, pawns, options["ternion"] == "hub")
        return Position(setup, net.vacant)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        found = judge.judge(position, action)
        return tuple(replace(breach, rule=self.renumbered.get(breach.rule, breach.rule)) for breach in found)

    def outcome(self, position: Position) -> Outcome | None:
        if position.winner < 0:
            return None
        return Outcome(COLOURS[position.winner], win_reason(position))

    def looks(self, position: Position) -> tuple[Look, ...]:
        return _looks(position.setup.players)

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        return {**look(position), **move_markers(position)}

    def marks(self, position: Position) -> frozenset[str]:
        names = position.setup.net.gate_names
        return frozenset(names[gate] for gate in blocked_gates(position))

    def future(self, position: Position) -> object:
        """Leaves out the order in which markers were laid, and once all are laid, their places too."""
        shut = frozenset(blocked_gates(position)) if position.moves_left else MOVES
        last = position.ternions[-1] if position.owed else None
        return position._replace(markers=(), ternions=tuple(sorted(position.ternions))), shut, last

    def rarity(self, position: Position, action: Action) -> float:
        if action.startswith(("T:", "-", "+")) or action == "end":
            return OWED
        return ROUNDABOUT * max(0, action.count("-") - 1)

    def read(self, position: Position, text: str) -> Action:
        return words.read(text)

    def counts(self, position: Position) -> tuple[Count, ...]:
        players, sites = position.setup.players, position.sites
        board = {player: on_board(sites, colour) for colour, player in enumerate(players, start=1)}
        return (
            Count(say("on the board"), board, PAWNS),
            Count(say("in reserve"), {player: PAWNS - count for player, count in board.items()}, PAWNS),
            Count(say("move markers left"), {"": position.moves_left}, MOVES),
            Count(say("T markers left"), {"": 9 - 3 * len(position.ternions)}, 9),
            Count(say("A markers left"), {"": 6 - sites.count(position.colour | ADDED)}, 6),
        )


@cache
def _looks(players: tuple[Player, ...]) -> tuple[Look, ...]:
    return (EMPTY, *(player + marker for player in players for marker in ("", "+T", "+A")), "+T")
