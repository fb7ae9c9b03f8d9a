"""The rules of chess, joined to the contract of a game. Numbers CH-n stand for articles of the FIDE Laws.

Actions are UCI (`e2e4`, `e7e8q`). A camera tells white from black; the kinds follow from the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import chess

from companion.core.board import Board
from companion.core.game import (
    EMPTY,
    Action,
    Asked,
    Breach,
    Changes,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    Step,
)
from companion.core.rules import Rules
from companion.games.chess import arrange, attempts, judge, moves, questions, reasons, words
from companion.games.chess.pgn import PGN
from companion.games.chess.position import PLAYERS, Position, checked, gone, look, pieces
from companion.games.draws import CLAIMED, DRAWS
from companion.language import say


class Chess(Rules[Position]):
    name = "chess"
    title = say("Chess")
    board = "chess"
    options = (
        Option("fen", (), "", "the position to begin from, as FEN", "from a given position"),
        Option(
            "touch",
            ("arbiter", "strict"),
            "arbiter",
            "who sees to touch-move",
            "touch-move: {value}",
            ("the arbiter", "the companion"),
        ),
        DRAWS,
    )
    alternates = True
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS
    notations = (PGN(),)

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def can_win(self, position: Position, player: Player) -> bool:
        return not position.board.has_insufficient_material(player == PLAYERS[0])  # CH: FIDE 6.9

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        first = words.read_fen(options["fen"]) if options["fen"] else chess.Board()
        return Position(first, ends_drawn=options["draws"] != CLAIMED)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def read(self, position: Position, text: str) -> Action:
        return words.read(position, text)

    def write(self, position: Position, action: Action) -> str:
        return words.write(position, action)

    def write_position(self, position: Position) -> str:
        return words.write_position(position)

    def first_number(self, position: Position) -> int:
        return position.board.fullmove_number

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def ask(self, position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
        return questions.ask(choices)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        return moves.outcome(position)

    def claim(self, position: Position) -> str:
        return moves.claim(position)

    def look(self, position: Position) -> Mapping[Place, Look]:
        return look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in chess.PIECE_NAMES[1:] if kind))

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        return pieces(position)

    def checked(self, position: Position) -> tuple[Place, ...]:
        return checked(position)

    def gone(self, first: Position, position: Position) -> tuple[Look, ...]:
        return gone(first, position)

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def label(self, action: Action) -> str:
        return words.label(action)

    def prompt(self, position: Position) -> str:
        return words.prompt(position)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(changed)

    def legal_at(self, position: Position, places: Collection[Place]) -> Iterator[Action]:
        return moves.legal_at(position, places)

    def change(self, position: Position, action: Action) -> Changes:
        return moves.change(position, action)

    def rarity(self, position: Position, action: Action) -> float:
        return {"r": 1.2, "b": 1.4, "n": 1.0}.get(action[4:], 0.0)

    def stands(self, options: Mapping[str, str]) -> bool:
        return options["touch"] == "strict"  # CH: FIDE 4.7

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)
