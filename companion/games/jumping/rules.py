"""Jump to the Center (Challenge 2): sixteen pawns on the diamonds, until one is left on the centre square.

The rules, joined to the contract of a game. Numbers PZ-n are those of the rulebook of the puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.board import Board
from companion.core.game import EMPTY, Count, Look, Outcome, Place
from companion.core.puzzle import SOLVER, Advice, Puzzle
from companion.games.jumping import arrange, attempts, judge, moves, words
from companion.games.jumping.board import PAWNS, net_of
from companion.games.jumping.plan import plan
from companion.games.jumping.position import MOVES, Position
from companion.language import say


class JumpToCenter(Puzzle[Position]):
    name = "jump_to_center"
    title = say("Jump to the Center")
    board = "ternion_spaces"
    sentences = words.SENTENCES
    action_kinds = words.ACTION_KINDS
    labels = words.LABELS

    legal = staticmethod(moves.legal)
    judge = staticmethod(judge.judge)
    play = staticmethod(moves.play)
    after = staticmethod(moves.after)
    path = staticmethod(words.path)
    prompt = staticmethod(words.prompt)
    arrange = staticmethod(arrange.arrange)
    attempts = staticmethod(attempts.attempts)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = net_of(board)
        return Position(net.start, "", 0, net)

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(SOLVER, say("solved")) if position.solved else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return dict.fromkeys(position.pawns, SOLVER)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, SOLVER)

    def counts(self, position: Position) -> tuple[Count, ...]:
        return (
            Count(say("pawns left"), {SOLVER: len(position.pawns)}, PAWNS),
            Count(say("moves left in this turn"), {"": MOVES - position.moves}, MOVES),
        )

    def advise(self, position: Position, seconds: float) -> Advice:
        if position.solved:
            return Advice(True, None, say("Solved."))
        planned = plan(position, seconds)
        if not planned:
            return Advice(None, None, say("No solution was found in this time."))
        return Advice(True, planned[0], words.advice(planned[0], len(planned)))
