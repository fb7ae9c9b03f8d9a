"""Jump to the Center (Challenge 2): sixteen pawns on the diamonds, until one is left on the centre square.

A pawn crosses lines, never intersections: what counts are the places that share a line, which are those
with two corners in common. A position in the middle of a turn knows which pawn has to go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import ClassVar, NamedTuple

from companion.board import Board, BoardError
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Outcome,
    Place,
    Player,
    PositionError,
    Site,
    Step,
)
from companion.games.puzzles.puzzle import SOLVER, Advice, Puzzle, check_turn

MOVES = 3
PAWNS = 16
SPELLING = re.compile(r"([A-Za-z]\d+)(?:-|x([A-Za-z]\d+)-)([A-Za-z]\d+)")


@dataclass(frozen=True)
class Net:
    """For each place the places across a line from it; where the pawns start; where the last one ends."""

    across: Mapping[Site, tuple[Site, ...]] = field(hash=False)
    start: frozenset[Site]
    centre: Site


class Position(NamedTuple):
    """The places that hold a pawn, and how far the turn has come."""

    pawns: frozenset[Site]
    mover: Site
    """Where the pawn stands that has to go on; '' at the beginning of a turn."""
    moves: int
    """How many moves of the turn have been made."""
    net: Net

    @property
    def turn(self) -> Player:
        return SOLVER

    @property
    def to_act(self) -> Player:
        return SOLVER

    @property
    def solved(self) -> bool:
        return not self.moves and self.pawns == {self.net.centre}


class JumpToCenter(Puzzle[Position]):
    """`B8-b8` is a step, `b8xC6-c7` a jump over C6."""

    name = "jump_to_center"
    title = "Jump to the Center"
    board = "ternion_spaces"
    sentences: ClassVar[Mapping[str, str]] = {
        "moved": "The pawn goes from {start} to {end}.",
        "jumped": "The pawn jumps from {start} over {over} to {end}: {left} left.",
        "turn": "The turn is over: any pawn may go on.",
        "solved": "Solved: the last pawn stands on the centre square.",
    }

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        net = _net(board)
        return Position(net.start, "", 0, net)

    def legal(self, position: Position) -> Iterator[Action]:
        if position.solved:
            return
        movers = (position.mover,) if position.mover else sorted(position.pawns)  # PZ-7
        for pawn in movers:
            yield from _moves(position, pawn)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        if position.solved:
            return (Breach("GEN-3"),)
        match = SPELLING.fullmatch(action)
        across = position.net.across
        if not match or any(place not in across for place in match.groups() if place):
            return (Breach("GEN-1"),)
        start, over, end = match.groups()
        found = _judge_jump(position, start, over, end) if over else _judge_step(position, start, end)
        return (*_judge_mover(position, start), *found)

    def play(self, position: Position, action: Action) -> Step[Position]:
        places = self.path(action)
        start, end, jumped = places[0], places[-1], places[1:-1]
        pawns = position.pawns - {start, *jumped} | {end}
        moves = (position.moves + 1) % MOVES
        after = Position(pawns, end if moves else "", moves, position.net)
        details = {"start": start, "end": end, "left": len(pawns)}
        if jumped:
            details["over"] = jumped[0]
        events = [Event("jumped" if jumped else "moved", SOLVER, places, details)]
        if not moves:
            events.append(Event("solved" if after.solved else "turn", SOLVER))
        return Step(after, tuple(events))

    def outcome(self, position: Position) -> Outcome | None:
        return Outcome(SOLVER, "solved") if position.solved else None

    def look(self, position: Position) -> Mapping[Place, Look]:
        return dict.fromkeys(position.pawns, SOLVER)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, SOLVER)

    def path(self, action: Action) -> tuple[Place, ...]:
        return tuple(re.split("[-x]", action))

    def label(self, action: Action) -> str:
        start, *jumped, end = self.path(action)
        return f"jump from {start} over {jumped[0]} to {end}" if jumped else f"move from {start} to {end}"

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        check_turn(turn)
        pawns = frozenset(place for place, look in looks.items() if look != EMPTY)
        for place in pawns:
            if place not in position.net.across or looks[place] != SOLVER:
                raise PositionError(f"'{looks[place]}' cannot stand on '{place}' in this puzzle")
        if not 1 <= len(pawns) <= PAWNS:
            raise PositionError(f"this puzzle has 1 to {PAWNS} pawns")
        after = position._replace(pawns=pawns)
        if position.mover in pawns and any(self.legal(after)):
            return after
        return Position(pawns, "", 0, position.net)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        gone = [place for place, (_, now) in changed.items() if now == EMPTY]
        come = [place for place, (was, _) in changed.items() if was == EMPTY]
        for end, start in product(come, gone):
            yield from (f"{start}x{over}-{end}" for over in gone if over != start)
            yield f"{start}-{end}"

    def counts(self, position: Position) -> tuple[Count, ...]:
        return (
            Count("pawns left", {SOLVER: len(position.pawns)}, PAWNS),
            Count("moves left in this turn", {"": MOVES - position.moves}, MOVES),
        )

    def prompt(self, position: Position) -> str:
        if position.mover:
            return f"move the pawn on {position.mover}: {MOVES - position.moves} of {MOVES} moves left"
        return f"choose a pawn, and move it {MOVES} times"

    def advise(self, position: Position, seconds: float) -> Advice:
        from companion.games.puzzles import jumping

        if position.solved:
            return Advice(True, None, "Solved.")
        plan = jumping.plan(position, seconds)
        if not plan:
            return Advice(None, None, "No solution was found in this time.")
        words = self.label(plan[0])
        return Advice(True, plan[0], f"{words[0].upper()}{words[1:]}: {len(plan)} moves to go.")


@cache
def _net(board: Board) -> Net:
    corners = {place: frozenset(around) for place, around in board.tables.get("corners", {}).items()}
    if set(corners) != set(board.sites):
        raise BoardError('"tables": "corners" needs the corners of each site')
    across: dict[Site, list[Site]] = {site: [] for site in board.sites}
    for one, other in board.links:
        if len(corners[one] & corners[other]) == 2:  # a line in common, not an intersection alone
            across[one].append(other)
            across[other].append(one)
    diamonds, centre = board.areas.get("diamonds", ()), board.areas.get("centre", ())
    if len(diamonds) != PAWNS or len(centre) != 1:
        raise BoardError(f'"areas" needs {PAWNS} "diamonds" and one "centre"')
    return Net({site: tuple(near) for site, near in across.items()}, frozenset(diamonds), centre[0])


def _moves(position: Position, pawn: Site) -> Iterator[Action]:
    pawns, across = position.pawns, position.net.across
    for near in across[pawn]:
        if near not in pawns:  # PZ-8
            yield f"{pawn}-{near}"
        else:  # PZ-9
            yield from (f"{pawn}x{near}-{far}" for far in across[near] if far not in pawns)


def _judge_mover(position: Position, start: Site) -> Iterator[Breach]:
    if position.mover and start != position.mover:
        yield Breach("PZ-7", (start, position.mover))
    elif start not in position.pawns:
        yield Breach("PZ-7", (start,))


def _judge_step(position: Position, start: Site, end: Site) -> Iterator[Breach]:
    if end not in position.net.across[start]:
        yield Breach("PZ-8", (start, end))
    if end in position.pawns:
        yield Breach("PZ-8", (end,))


def _judge_jump(position: Position, start: Site, over: Site, end: Site) -> Iterator[Breach]:
    across = position.net.across
    if over not in position.pawns:
        yield Breach("PZ-9", (over,))
    for here, there in ((start, over), (over, end)):
        if there not in across[here]:
            yield Breach("PZ-9", (here, there))
    if end in position.pawns or end == start:
        yield Breach("PZ-9", (end,))
