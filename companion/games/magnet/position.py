"""A position of Magnet: a byte for every vertex, and how far the turn has come.

A piece is 64 × side + 8 × kind + rank. Kind 0 is a piece whose kind is not known: one of the other player's
in a view, everybody's in the option `values=declared`.
"""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

from companion.core.game import Look, Outcome, Place, Player
from companion.games.magnet.board import LETTERS, PLAYERS, Net

UNKNOWN, KING = 0, 1
KINDS = ("", *LETTERS)
TRAPS = (KINDS.index("t"), KINDS.index("T"))
VALUES = (4, 1, 2, 3, 4, 2, 3)
"""The value of each kind: its greatest rank."""
MAGNET: Look = "magnet"


class Capture(NamedTuple):
    """A move that has captured pieces whose owner has yet to reveal them (MG-7)."""

    at: int
    """The vertex on which the capturing piece stands."""
    promoted: bool
    """True if it was to be promoted."""
    owed: tuple[tuple[int, int], ...]
    """The vertex and rank of each piece still to be revealed, in the order in which they were met."""
    trapped: bool = False
    """True if a trap has been revealed."""


class Position(NamedTuple):
    """The vertices, the side whose turn it is, and what this turn still asks for."""

    net: Net
    pieces: bytes
    side: int = 0
    turns: int = 0
    """The number of turns that are over."""
    ready: int = 0
    """The number of players who have set up."""
    declared: bool = False
    """True if kinds are not known, but declared when a piece is captured."""
    magnet: int = -1
    """The magnet's vertex; -1 before it is placed."""
    left: tuple[int, ...] = ()
    """The vertices of affected pieces that are still to move."""
    capture: Capture | None = None
    revealed: tuple[tuple[int, ...], tuple[int, ...]] = ((0,) * 7, (0,) * 7)
    """The number of pieces of each side and kind that both players have seen."""
    fixed: bool = False
    """True if the last action stands: it has revealed a kind, or chance has dealt."""
    seen: tuple[bytes, ...] = ()
    """The positions at the beginning of earlier turns, as far back as they can recur (MG-13)."""
    over: Outcome | None = None

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[1 - self.side if self.capture else self.side]


def piece(side: int, kind: int, rank: int) -> int:
    return side << 6 | kind << 3 | rank


def kind_of(code: int) -> int:
    return code >> 3 & 7


def owned(pieces: bytes | bytearray, side: int) -> list[int]:
    return [vertex for vertex in compress(range(len(pieces)), pieces) if pieces[vertex] >> 6 == side]


def may_promote(code: int) -> bool:
    """Returns whether the piece's rank is below its value; of an unknown piece, below 4 (MG-9)."""
    return code & 7 < VALUES[code >> 3 & 7]


def may_be_king(code: int) -> bool:
    """Returns whether a piece is a king, or an unknown one that could be one: a king has rank 1."""
    return kind_of(code) == KING or (kind_of(code) == UNKNOWN and code & 7 == 1)


CONCEALED = tuple(
    bytes(piece(side, UNKNOWN, code & 7) if code and code >> 6 == side else code for code in range(256))
    for side in (0, 1)
)
"""For each side what each byte is to all others: a piece of that side without its kind."""


def is_unknown(code: int) -> bool:
    return bool(code) and kind_of(code) == UNKNOWN


def view(position: Position, viewer: Player | None) -> Position:
    """Returns the position as a viewer knows it; a spectator knows no kinds.

    Where kinds are declared when they are captured, nobody's are in the position. In a view too whoever
    captures an unknown piece waits for its owner to reveal it.
    """
    if position.over or position.declared:
        return position
    pieces = position.pieces
    for side, player in enumerate(PLAYERS):
        if player != viewer:
            pieces = pieces.translate(CONCEALED[side])
    return position._replace(pieces=pieces, seen=())


def letters_left(position: Position, side: int) -> tuple[int, ...]:
    """Returns for each kind how many pieces of a side have not been revealed."""
    return tuple(
        position.net.letters.count(letter) - seen if letter else 0
        for letter, seen in zip(KINDS, position.revealed[side], strict=True)
    )


def face(code: int) -> Look:
    """Returns how the page draws a piece: `red/31` has value 3 and rank 1, `red/1` an unknown kind."""
    return f"{PLAYERS[code >> 6]}/{KINDS[kind_of(code)]}{code & 7}"


def gone(position: Position) -> tuple[Look, ...]:
    """Returns the pieces that were captured, with their kinds, and those that traps have destroyed, without.

    That is what all may know, and where kinds are declared too, it is all that is known.
    """
    if position.ready < len(PLAYERS):
        return ()
    looks: list[Look] = []
    for side, revealed in enumerate(position.revealed):
        missing = len(position.net.letters) - len(owned(position.pieces, side))
        kinds = [kind for kind, count in enumerate(revealed) for _ in range(count)]
        kinds += [UNKNOWN] * (missing - len(kinds))
        looks += [face(piece(side, kind, 1)) for kind in kinds]
    return tuple(looks)


def look(position: Position) -> dict[Place, Look]:
    """Returns what a camera sees. A piece hides the magnet on its vertex."""
    colours = {code: PLAYERS[code >> 6] for code in set(position.pieces) if code}
    return _drawn(position, colours)


def pieces(position: Position) -> dict[Place, Look]:
    """Returns what the page draws: ranks, and kinds where they are known."""
    return _drawn(position, {code: face(code) for code in set(position.pieces) if code})


def _drawn(position: Position, looks: dict[int, Look]) -> dict[Place, Look]:
    names, pieces = position.net.names, position.pieces
    drawn = {names[position.magnet]: MAGNET} if position.magnet >= 0 else {}
    drawn.update({names[vertex]: looks[pieces[vertex]] for vertex in compress(range(len(pieces)), pieces)})
    return drawn
