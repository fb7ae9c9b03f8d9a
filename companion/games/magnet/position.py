"""A position of Magnet: a byte for every vertex, and how far the turn has come.

A piece is 64 × side + 8 × kind + rank; kind 0 is a piece whose kind is not known: the other player's in
a view, everybody's in the option `values=declared`.
"""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

from companion.core import Look, Outcome, Player
from companion.games.magnet.net import LETTERS, PLAYERS, Net

UNKNOWN, KING = 0, 1
KINDS = ("", *LETTERS)
TRAPS = (KINDS.index("t"), KINDS.index("T"))
VALUES = (4, 1, 2, 3, 4, 2, 3)
"""The greatest rank of each kind."""
KIND_WORDS = (
    "piece", "king", "piece of value 2", "piece of value 3", "piece of value 4",
    "trap of value 2", "trap of value 3",
)
MAGNET: Look = "magnet"


class Capture(NamedTuple):
    """Captured pieces that their owner has yet to reveal: the vertex and rank of each, in the order met.

    `at` is where the capturing piece stands, `promoted` whether it was to be, `trapped` whether a trap
    has been revealed.
    """

    at: int
    promoted: bool
    owed: tuple[tuple[int, int], ...]
    trapped: bool = False


class Position(NamedTuple):
    """The vertices, the side whose turn it is, and what this turn still asks for.

    `ready` counts the players that have set up; `left` are the vertices of affected pieces that are
    still to move; `revealed` has for each side how many of each kind have been seen; `fixed` is True
    where what has been done stands: once this turn has revealed a value, or when chance has dealt;
    `seen` holds the positions at the beginning of earlier turns, as far back as they can recur.
    """

    net: Net
    pieces: bytes
    side: int = 0
    turns: int = 0
    ready: int = 0
    declared: bool = False
    magnet: int = -1
    left: tuple[int, ...] = ()
    capture: Capture | None = None
    revealed: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 7, (0,) * 7)
    fixed: bool = False
    seen: tuple[bytes, ...] = ()
    over: Outcome | None = None

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[1 - self.side if self.capture else self.side]


def owned(pieces: bytes | bytearray, side: int) -> list[int]:
    """The vertices of a side's pieces."""
    return [vertex for vertex in compress(range(len(pieces)), pieces) if pieces[vertex] >> 6 == side]


def piece(side: int, kind: int, rank: int) -> int:
    return side << 6 | kind << 3 | rank


def kind_of(code: int) -> int:
    return code >> 3 & 7


def may_promote(code: int) -> bool:
    """Whether the piece's rank is below its value; of an unknown piece below 4 (MG-9)."""
    return code & 7 < VALUES[code >> 3 & 7]


def may_be_king(code: int) -> bool:
    """Whether this is a king, or could be one for all that is known."""
    return kind_of(code) == KING or (kind_of(code) == UNKNOWN and code & 7 == 1)


def conceal(pieces: bytes, side: int) -> bytes:
    """The vertices as they are known to all but that side: its kinds unknown."""
    return bytes(piece(side, UNKNOWN, p & 7) if p and p >> 6 == side else p for p in pieces)


def letters_left(position: Position, side: int) -> tuple[int, ...]:
    """For each kind how many pieces of a side have not been revealed."""
    return tuple(
        position.net.letters.count(letter) - seen if letter else 0
        for letter, seen in zip(KINDS, position.revealed[side], strict=True)
    )


def face(code: int) -> Look:
    """How the page draws a piece: `red/31` is a piece of value 3 and rank 1, `red/1` has rank 1."""
    return f"{PLAYERS[code >> 6]}/{KINDS[kind_of(code)]}{code & 7}"
