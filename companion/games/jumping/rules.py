"""Jump to the Center (Challenge 2): sixteen pawns on the diamonds, until one is left on the centre square.

The rules, joined to the contract of a game. Numbers PZ-n are those of the rulebook of the puzzles.
"""

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
    Outcome,
    Place,
    Player,
    Step,
)
from companion.core.puzzle import SOLVER, Advice, Puzzle
from companion.games.jumping import arrange, attempts, judge, moves, reasons, words
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

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = net_of(board)
        return Position(net.start, "", 0, net)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge.judge(position, action)

    def explain(self, position: Position, action: str, breach: Breach) -> str:
        return reasons.explain(position, action, breach)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(SOLVER, say("solved")) if position.solved else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return dict.fromkeys(position.pawns, SOLVER)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, SOLVER)

    def path(self, action: Action) -> tuple[Place, ...]:
        return words.path(action)

    def label(self, action: Action) -> str:
        return words.label(action)

    def prompt(self, position: Position) -> str:
        return words.prompt(position)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrange.arrange(position, looks, turn)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts.attempts(changed)

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
