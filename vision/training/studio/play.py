"""Makes positions as they follow one another on a table: who stands where, and how somebody put it there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

Place = str
FILES = "abcdefghij"
BACK = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
SQUARE_ON = {"rook", "bishop"}


@dataclass(frozen=True)
class Standing:
    """A piece on a place: `at` squares from the south-west corner, turned by radians, perhaps on its side."""

    owner: str
    kind: str
    at: tuple[float, float]
    turn: float
    lies: bool = False


Position = Mapping[Place, Standing]


@dataclass(frozen=True)
class Habit:
    """The care with which players put pieces: up to `off` squares from the middle."""

    count: int
    kinds: Sequence[str]
    off: float
    chance: Random

    def put(self, place: Place, owner: str, kind: str) -> Standing:
        chance = self.chance
        far, angle = self.off * chance.random() ** 0.5, chance.uniform(0, 2 * pi)
        x, y = FILES.index(place[0]) + 0.5, int(place[1:]) - 0.5
        facing = pi / 2 if owner == "white" else -pi / 2
        turn = chance.gauss(facing, 0.5) if kind == "knight" else chance.uniform(0, 2 * pi)
        at = x + far * cos(angle), y + far * sin(angle)
        return Standing(owner, kind, at, turn, lies=chance.random() < 0.004)

    def places(self) -> list[Place]:
        return [f"{FILES[i]}{j + 1}" for i in range(self.count) for j in range(self.count)]


def positions(habit: Habit, frames: int) -> Iterator[Position]:
    """Yields positions. The first shows all colours; later ones are some moves apart, or quite others."""
    chance = habit.chance
    start = _start(habit) if chance.random() < 0.5 else _scattered(habit, chance.randint(12, 32))
    board = dict(start)
    for frame in range(frames):
        if frame:
            if chance.random() < 0.25:
                board = dict(_scattered(habit, chance.randint(1, 32)))
            else:
                _play(board, habit, chance.randint(2, 14))
        yield dict(board)


def _start(habit: Habit) -> Position:
    out: dict[Place, Standing] = {}
    rows = [1, 2] if habit.count == 8 else [1, 2, 3, 4]
    for row in rows:
        for column in range(habit.count):
            for owner, rank in (("white", row), ("black", habit.count + 1 - row)):
                place = f"{FILES[column]}{rank}"
                if len(habit.kinds) > 1:
                    kind = BACK[column] if row == 1 else "pawn"
                elif (column + rank) % 2:
                    kind = habit.kinds[0]
                else:
                    continue
                out[place] = habit.put(place, owner, kind)
    return out


def _scattered(habit: Habit, count: int) -> Position:
    chance = habit.chance
    out: dict[Place, Standing] = {}
    for n, place in enumerate(chance.sample(habit.places(), count)):
        owner = ("white", "black")[n] if n < 2 else chance.choice(("white", "black"))
        out[place] = habit.put(place, owner, chance.choice([*habit.kinds, habit.kinds[0]]))
    return out


def _play(board: dict[Place, Standing], habit: Habit, plies: int) -> None:
    """Pieces move, some are taken; at least one of each owner stays."""
    chance = habit.chance
    for _ in range(plies):
        place = chance.choice(sorted(board))
        piece, target = board[place], chance.choice(habit.places())
        taken = board.get(target)
        if target == place or (taken and (chance.random() < 0.7 or _last(board, taken.owner))):
            continue
        del board[place]
        board[target] = habit.put(target, piece.owner, piece.kind)


def _last(board: Position, owner: str) -> bool:
    return sum(piece.owner == owner for piece in board.values()) == 1
