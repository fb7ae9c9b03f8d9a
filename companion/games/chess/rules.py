"""The rules of chess, joined to the contract of a game. Numbers CH-n stand for articles of the FIDE Laws.

Actions are UCI (`e2e4`, `e7e8q`). A camera tells white from black; the kinds follow from the game.
"""

from __future__ import annotations

from collections.abc import Mapping

import chess

from companion.core.board import Board
from companion.core.game import EMPTY, Action, Look, Option, Player
from companion.core.rules import Rules
from companion.games.chess import arrange, attempts, estimate, judge, moves, words
from companion.games.chess.pgn import PGN
from companion.games.chess.position import PLAYERS, Position, checked, gone, look, pieces
from companion.games.draws import CLAIMED, DRAWS
from companion.language import say


class Chess(Rules[Position]):
    name = "chess"
    title = say("Chess")
    board = "chess"
    seats = PLAYERS
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
    engines = ("stockfish",)
    sentences = words.SENTENCES
    phrases = words.PIECE_NAMES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS
    notations = (PGN(),)

    legal = staticmethod(moves.legal)
    read = staticmethod(words.read)
    write = staticmethod(words.write)
    write_position = staticmethod(words.write_position)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    outcome = staticmethod(moves.outcome)
    claim = staticmethod(moves.claim)
    look = staticmethod(look)
    pieces = staticmethod(pieces)
    checked = staticmethod(checked)
    gone = staticmethod(gone)
    path = staticmethod(words.path)
    ask = staticmethod(words.ask)
    prompt = staticmethod(words.prompt)
    legal_at = staticmethod(moves.legal_at)
    change = staticmethod(moves.change)
    arrange = staticmethod(arrange.arrange)
    attempts = staticmethod(attempts.attempts)
    takes = staticmethod(estimate.takes)
    estimate = staticmethod(estimate.estimate)

    def can_win(self, position: Position, player: Player) -> bool:
        return not position.board.has_insufficient_material(player == PLAYERS[0])  # CH: FIDE 6.9

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        first = words.read_fen(options["fen"]) if options["fen"] else chess.Board()
        return Position(first, ends_drawn=options["draws"] != CLAIMED)

    def first_number(self, position: Position) -> int:
        return position.board.fullmove_number

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in chess.PIECE_NAMES[1:] if kind))

    def rarity(self, position: Position, action: Action) -> float:
        return {"r": 1.2, "b": 1.4, "n": 1.0}.get(action[4:], 0.0)

    def stands(self, options: Mapping[str, str]) -> bool:
        return options["touch"] == "strict"  # CH: FIDE 4.7
