"""The rules of Triune, joined to the contract of a game. Numbers TR-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Count, Look, Option, Outcome
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.games.triune import arrange, attempts, estimate, judge, moves, words
from companion.games.triune.board import INDEX
from companion.games.triune.position import KINDS, PIECES, PLAYERS, SOLID, Position, look
from companion.language import say


class Triune(Rules[Position]):
    name = "triune"
    title = say("Triune")
    board = "triune"
    seats = PLAYERS
    options = (Option("first", PLAYERS, "red", "who begins", "{value} begins"),)
    alternates = True
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    look = staticmethod(look)
    path = staticmethod(words.path)
    arrange = staticmethod(arrange.arrange)
    takes = staticmethod(estimate.takes)
    estimate = staticmethod(estimate.estimate)
    attempts = staticmethod(attempts.attempts)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        squares = [0] * len(INDEX)
        for side, player in enumerate(PLAYERS):
            for square in board.areas[player]:
                squares[INDEX[square]] = 4 * side + SOLID
        return Position(tuple(squares), PLAYERS.index(options["first"]), (PIECES, PIECES))

    def outcome(self, position: Position) -> Outcome | None:
        for side, player in enumerate(PLAYERS):
            if position.pieces[1 - side] <= 1:  # TR-12
                return Outcome(
                    player, say("{player} has one piece left", player=say_player(PLAYERS[1 - side]))
                )
        return None

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS[1:]))

    def counts(self, position: Position) -> tuple[Count, ...]:
        red, blue = position.pieces
        return (
            Count(say("pieces"), {"red": red, "blue": blue}, PIECES),
            Count(say("captured"), {"red": PIECES - blue, "blue": PIECES - red}),
        )

    def prompt(self, position: Position) -> str:
        return say("move or flip one piece")
