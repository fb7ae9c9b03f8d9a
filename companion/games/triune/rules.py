"""The rules of Triune, joined to the contract of a game. Numbers TR-n are those of the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.board import Board
from companion.core.game import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    Step,
)
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.games.triune import arrange, attempts, judge, moves, reasons, words
from companion.games.triune.board import INDEX
from companion.games.triune.position import KINDS, PIECES, PLAYERS, SOLID, Position, look
from companion.language import say


class Triune(Rules[Position]):
    name = "triune"
    title = say("Triune")
    board = "triune"
    options = (Option("first", PLAYERS, "red", "who begins", "{value} begins"),)
    alternates = True
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        squares = [0] * len(INDEX)
        for side, player in enumerate(PLAYERS):
            for square in board.areas[player]:
                squares[INDEX[square]] = 4 * side + SOLID
        return Position(tuple(squares), PLAYERS.index(options["first"]), (PIECES, PIECES))

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        for side, player in enumerate(PLAYERS):
            if position.pieces[1 - side] <= 1:  # TR-12
                return Outcome(
                    player, say("{player} has one piece left", player=say_player(PLAYERS[1 - side]))
                )
        return None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in KINDS[1:]))

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(position, changed)

    def counts(self, position: Position) -> tuple[Count, ...]:
        red, blue = position.pieces
        return (
            Count(say("pieces"), {"red": red, "blue": blue}, PIECES),
            Count(say("captured"), {"red": PIECES - blue, "blue": PIECES - red}),
        )

    def prompt(self, position: Position) -> str:
        return say("move or flip one piece")

    def label(self, action: Action) -> str:
        return words.label(action)


def _owners(position: Position) -> list[Player]:
    """Returns the owner of each piece, whichever side of it is up."""
    return [there.partition("/")[0] for there in look(position).values()]
