"""The rules of all puzzles of placing, joined to the contract of a game. Numbers PZ-n: the rulebook's."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from companion.core.board import Board
from companion.core.game import EMPTY, Action, Count, Look, Outcome, Place
from companion.core.puzzle import SOLVER, Puzzle
from companion.games.placing import arrange, attempts, judge, moves, solve, words
from companion.games.placing.position import PlacedKind, PlacingTask, Position
from companion.language import say


class Placing(Puzzle[Position]):
    """A puzzle of placing, which says its piece and its task."""

    piece: ClassVar[PlacedKind]
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    path = staticmethod(words.path)
    arrange = staticmethod(arrange.arrange)
    attempts = staticmethod(attempts.attempts)
    advise = staticmethod(solve.advise)

    @abstractmethod
    def task(self, options: Mapping[str, str], board: Board) -> PlacingTask:
        """Returns what each site of the board claims, and when the puzzle is solved."""

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return Position(frozenset(), self.task(options, board))

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(SOLVER, say("solved")) if position.solved else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return dict.fromkeys(position.placed, self.piece.look)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, self.piece.look)

    def label(self, action: Action) -> str:
        return words.label(self.piece, action)

    def prompt(self, position: Position) -> str:
        return words.prompt(self.piece)

    def counts(self, position: Position) -> tuple[Count, ...]:
        placed = {SOLVER: len(position.placed)}
        return (Count(say("{pieces} placed", pieces=self.piece.many), placed, position.task.pieces),)
