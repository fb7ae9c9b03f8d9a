"""The dark squares of a draughts board as bits, and the differences of the two variants.

A set of squares is an int. Squares have the bits of their numbers (from 0, row by row from the north-west),
with one bit left out after every two rows. So the neighbour in each of the four directions is always the same
number of bits away, and a step over the edge of the board ends on a bit that is no square.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from companion.core.bits import mask, members
from companion.core.game import Action, Player, Site

Mask: TypeAlias = int
"""A set of squares."""
Jump: TypeAlias = tuple[Mask, int]
"""The square that is jumped, and the number of the bit where the jump ends."""
Route: TypeAlias = tuple[int, ...]
"""The bits on which a capturing piece stands, from first to last."""
Way: TypeAlias = tuple[Route, Mask]
"""A route, and the squares that are jumped on it."""
PLAYERS: tuple[Player, Player] = ("white", "black")
WHITE, BLACK = 0, 1
"""White sits in the south and moves north."""
FILES = "abcdefghij"


@dataclass(frozen=True, eq=False)
class Net:
    """The squares of a board of so many rows, and the tables that the rules look up."""

    size: int

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """The bit of each square, in the order of their numbers."""
        return tuple(n + n // self.size for n in range(self.size**2 // 2))

    @cached_property
    def index(self) -> Mapping[Site, int]:
        """The bit of each square, by its name."""
        return {self._name(number): bit for number, bit in enumerate(self.bits)}

    @cached_property
    def names(self) -> Mapping[int, Site]:
        return {bit: name for name, bit in self.index.items()}

    @cached_property
    def numbers(self) -> Mapping[Site, int]:
        """The number of each square as draughts players have it: 1 in the north-west."""
        return {self._name(number): number + 1 for number in range(len(self.bits))}

    @cached_property
    def squares(self) -> frozenset[Site]:
        """The names of all squares, the light ones too."""
        return frozenset(f"{file}{rank + 1}" for file in FILES[: self.size] for rank in range(self.size))

    @cached_property
    def all(self) -> Mask:
        return mask(self.bits)

    @cached_property
    def king_rows(self) -> tuple[Mask, Mask]:
        """The rows on which the men of White and of Black become kings."""
        row = self.size // 2
        return mask(self.bits[:row]), mask(self.bits[-row:])

    @cached_property
    def forward(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The numbers of bits that a step forward goes, for the men of White and of Black."""
        return (-self.far, -self.near), (self.near, self.far)

    @cached_property
    def directions(self) -> tuple[int, ...]:
        return (*self.forward[WHITE], *self.forward[BLACK])

    @cached_property
    def steps(self) -> tuple[Mapping[int, Action], ...]:
        """The spelling of the step from each bit to the next in each of the directions."""
        rays = ((bit, way, ray) for bit in self.bits for way, ray in enumerate(self.rays[bit]) if ray)
        found: tuple[dict[int, Action], ...] = ({}, {}, {}, {})
        for bit, way, ray in rays:
            found[way][bit] = f"{self.names[bit]}-{self.names[ray[0]]}"
        return found

    @cached_property
    def near(self) -> int:
        """The number of bits to one neighbour in the next row; to the `far` one it is one more."""
        return self.size // 2

    @cached_property
    def far(self) -> int:
        return self.near + 1

    @cached_property
    def rays(self) -> Mapping[int, tuple[tuple[int, ...], ...]]:
        """The bits in each direction from each bit, up to the edge."""
        return {bit: tuple(tuple(self._ray(bit, d)) for d in self.directions) for bit in self.bits}

    @cached_property
    def between(self) -> Mapping[tuple[int, int], Mask]:
        """The squares between two on one diagonal."""
        rays = ((a, ray) for a in self.bits for ray in self.rays[a])
        return {(a, end): mask(ray[:n]) for a, ray in rays for n, end in enumerate(ray)}

    @cached_property
    def jumps(self) -> tuple[Mapping[int, tuple[Jump, ...]], ...]:
        """The jumps over a neighbouring square from each bit: White's forward, Black's forward, and all.

        They are in the reverse of the order in which they are tried, for a stack.
        """
        white, black = self.forward
        return self._jumps(white), self._jumps(black), self._jumps(self.directions)

    def _jumps(self, directions: tuple[int, ...]) -> Mapping[int, tuple[Jump, ...]]:
        squares = {*self.bits}
        return {
            bit: tuple(
                (1 << bit + d, bit + 2 * d) for d in directions[::-1] if {bit + d, bit + 2 * d} <= squares
            )
            for bit in self.bits
        }

    @cached_property
    def first_jumps(self) -> tuple[Mapping[Mask, Way], ...]:
        """The way of the jump over a neighbouring square from each square, in each of the directions."""
        alone = [self._jumps((direction,)) for direction in self.directions]
        return tuple(
            {1 << bit: ((bit, end), over) for bit, jumps in ways.items() for over, end in jumps}
            for ways in alone
        )

    def _ray(self, bit: int, direction: int) -> Iterator[int]:
        bit += direction
        while bit >= 0 and self.all >> bit & 1:
            yield bit
            bit += direction

    def _name(self, number: int) -> Site:
        row, column = divmod(number, self.size // 2)
        return f"{FILES[2 * column + (row + 1) % 2]}{self.size - row}"

    def name(self, squares: Mask) -> tuple[Site, ...]:
        return tuple(self.names[bit] for bit in members(squares))


@dataclass(frozen=True, eq=False)
class Variant:
    """The differences of a variant of draughts from others.

    `quiet` is the number of moves in a row, both players' together, in which no man moves and nothing is
    captured before the game is drawn; `board` is the name of its board file; `type` that of PDN.
    """

    name: str
    board: str
    net: Net
    first: int
    men: int
    quiet: int
    type: str
    flying: bool
    """True if kings move and capture at any distance."""
    backward: bool
    """True if men capture backward, too, and go on when a capture passes through the king row."""
    majority: bool
    """True if as many pieces as possible must be captured."""
    few: bool
    """True if a game against a single king ends in a draw after a number of moves (DR-15)."""

    claims_repetition: bool
    """True if a position for the third time is a draw only where the player to move claims it (DR-13)."""

    @cached_property
    def jumps(self) -> tuple[tuple[Mapping[int, tuple[Jump, ...]], ...], ...]:
        """By seat, the jumps of a man, and of a king that does not fly."""
        white, black, every = self.net.jumps
        return ((every if self.backward else white, every), (every if self.backward else black, every))


ENGLISH = Variant(
    "english", "draughts", Net(8), BLACK, 12, 80, "21",
    flying=False, backward=False, majority=False, few=False, claims_repetition=True,
)  # fmt: skip
INTERNATIONAL = Variant(
    "international", "draughts_international", Net(10), WHITE, 20, 50, "20",
    flying=True, backward=True, majority=True, few=True, claims_repetition=False,
)  # fmt: skip
VARIANTS = {variant.name: variant for variant in (ENGLISH, INTERNATIONAL)}


def passed(net: Net, path: tuple[int, ...]) -> Mask:
    """Returns the squares between the stops of a way along diagonals."""
    found = 0
    for leg in pairwise(path):
        found |= net.between[leg]
    return found
