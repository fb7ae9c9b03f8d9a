"""The rules of Magnet, joined to the contract of a game. Numbers MG-n are those of the rulebook."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from companion.core.board import Board
from companion.core.game import (
    EMPTY,
    Action,
    ActionForm,
    Contradiction,
    Count,
    Event,
    Look,
    Option,
    Outcome,
    Player,
)
from companion.core.rules import Rules
from companion.games.magnet import arrange, attempts, audit, estimate, judge, moves, words
from companion.games.magnet.board import LETTERS, PLAYERS, net_of
from companion.games.magnet.position import (
    KINDS,
    MAGNET,
    UNKNOWN,
    VALUES,
    Position,
    face,
    gone,
    is_unknown,
    look,
    may_promote,
    owned,
    piece,
    pieces,
    view,
)
from companion.language import say

SHOWN = tuple(KINDS.index(letter) for letter in "234tT")
"""The kinds whose revealed pieces the scoreboard counts; the game ends with a king's capture."""
IDLE = 0.5
"""The rarity of a move without the promotion that it could have, in nats."""
UNASKED = 0.5
"""The rarity of a promotion where values are hidden, in nats.

It gives away that the piece is worth more, so none is recorded before its player says so. A promoted piece
shows it anyway when it goes farther later."""


class Magnet(Rules[Position]):
    name = "magnet"
    title = say("Magnet")
    board = "magnet"
    seats = PLAYERS
    long_turns = True
    options = (
        Option(
            "setup",
            ("entered", "random"),
            "entered",
            "who sets the pieces up",
            "{value} set-up",
            ("the players", "chance"),
        ),
        Option(
            "values",
            ("entered", "declared"),
            "entered",
            "secret values known to",
            "{value} values",
            ("the companion", "players only"),
        ),
    )
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    ask = staticmethod(words.ask)
    play = staticmethod(moves.play)
    change = staticmethod(moves.change)
    view = staticmethod(view)
    look = staticmethod(look)
    pieces = staticmethod(pieces)
    path = staticmethod(words.path)
    attempts = staticmethod(attempts.attempts)
    arrange = staticmethod(arrange.arrange)
    prompt = staticmethod(words.prompt)
    guess = staticmethod(estimate.guess)
    slips = estimate.SLIPS
    estimate = staticmethod(estimate.estimate)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = net_of(board)
        pieces = bytearray(len(net.names))
        if options["values"] == "entered":
            return Position(net, bytes(pieces), fixed=options["setup"] == "random")
        for side, vertices in enumerate(net.starts):
            for vertex in vertices:
                pieces[vertex] = piece(side, UNKNOWN, 1)
        return moves.begin(Position(net, bytes(pieces), ready=2, declared=True), bytes(pieces), 0)

    def deal(self, position: Position, options: Mapping[str, str], rng: random.Random) -> Action | None:
        if position.ready == 2 or options["setup"] != "random":  # MG-1
            return None
        return self.set_up(position, rng)

    def set_up(self, position: Position, chance: random.Random) -> Action:
        """Returns a set-up by chance, one of those for which `legal` gives the pattern `=?`."""
        return "=" + "".join(chance.sample(position.net.letters, len(position.net.letters)))

    def form(self, position: Position) -> ActionForm | None:
        if position.ready == 2:
            return None
        net, side = position.net, PLAYERS.index(position.to_act)
        stock = tuple(
            (letter, say(words.PIECE_NAMES[letter]), face(piece(side, kind, 1)), net.letters.count(letter))
            for kind, letter in enumerate(LETTERS, 1)
            if letter in net.letters
        )
        return ActionForm(tuple(net.names[vertex] for vertex in net.starts[side]), stock)

    def outcome(self, position: Position) -> Outcome | None:
        return position.over

    def can_be_thought_about(self, first: Position) -> bool:
        return not any(map(is_unknown, first.pieces))

    def keeps_secrets(self, first: Position) -> bool:
        return not first.declared

    def show(self, action: Action, player: Player, viewer: Player | None, over: bool) -> str:
        is_secret = action.startswith("=") and viewer != player and not over
        return "=?" if is_secret else action

    def is_transient(self, action: Action) -> bool:
        return action.startswith("@")

    def reveals(self, events: Iterable[Event]) -> tuple[Action, ...]:
        return tuple(f"reveal:{event.details['letter']}" for event in events if event.kind == "captured")

    def reversible(self, position: Position) -> bool:
        return not position.fixed and not position.over

    def audit(
        self,
        first: Position,
        actions: Iterable[Action],
        told: Sequence[str],
        outcome: Outcome | None,
        ruled: bool,
    ) -> Contradiction | None:
        return audit.audit(first.net, actions, audit.check_told(first, told), outcome, ruled)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS, MAGNET)

    def palette(self, position: Position) -> tuple[Look, ...]:
        kinds = [UNKNOWN] if any(map(is_unknown, position.pieces)) else range(1, len(KINDS))
        ranked = [(kind, rank) for kind in kinds for rank in range(1, VALUES[kind] + 1)]
        return (EMPTY, MAGNET, *(face(piece(side, kind, rank)) for side in (0, 1) for kind, rank in ranked))

    def gone(self, first: Position, position: Position) -> tuple[Look, ...]:
        return gone(position)

    def rarity(self, position: Position, action: Action) -> float:
        if not position.declared:
            return UNASKED if action.endswith("+") else 0.0
        vertex = position.net.index.get(action, -1)
        is_move = vertex >= 0 and position.magnet >= 0
        return IDLE if is_move and may_promote(position.pieces[vertex]) else 0.0

    def counts(self, position: Position) -> tuple[Count, ...]:
        sides = {player: len(owned(position.pieces, side)) for side, player in enumerate(PLAYERS)}
        letters = position.net.letters
        return (
            Count(say("pieces"), sides, len(letters)),
            *(_revealed_count(position, kind) for kind in SHOWN if KINDS[kind] in letters),
        )


def _revealed_count(position: Position, kind: int) -> Count:
    values = {player: position.revealed[side][kind] for side, player in enumerate(PLAYERS)}
    return Count(
        say("{piece}, revealed", piece=say(words.PIECE_NAMES[KINDS[kind]])),
        values,
        position.net.letters.count(KINDS[kind]),
    )
