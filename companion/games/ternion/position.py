"""A position of the Ternion games, and what can be read off it: whose pawns, which ternions, what is owed.

A site's content is one byte: the pawn's colour (1-4), with flags for a T or A marker and for a pawn that
was removed from under its T (the colour still counts when it is jumped over). So a pawn in play is a
byte of 1-4, and whatever is not 0 is occupied.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from companion.core import Player
from companion.games.ternion.net import COLOURS, Setup

TERNION, ADDED, GONE = 8, 16, 32
COLOUR = 7
PAWNS = 18
MOVES = 3

Triple: TypeAlias = tuple[int, int, int]


class Phase(IntEnum):
    """What the player to act owes."""

    PLACE = 0
    MOVE = 1
    CHOOSE = 2
    REMOVE = 3
    ADD = 4
    REVIEW = 5


class Position(NamedTuple):
    """The board, and how far the turn has come."""

    setup: Setup
    sites: bytes
    seat: int = 0
    phase: Phase = Phase.PLACE
    owed: int = 0
    """How many pawns are still to be removed or added."""
    markers: tuple[tuple[int, int], ...] = ()
    """The crossings that hold this turn's move markers, each from a site to a site, in order."""
    ternions: tuple[Triple, ...] = ()
    """This turn's ternions, in order."""
    moved: int = -1
    """The pawn whose ternion is to be chosen."""
    before: bytes = b""
    """The board at the start of this turn."""
    out: int = 0
    """A bit for each player who dropped out."""
    winner: int = -1

    @property
    def turn(self) -> Player:
        return COLOURS[self.seat]

    @property
    def to_act(self) -> Player:
        return COLOURS[self.seat]

    @property
    def colour(self) -> int:
        """The byte of the player's pawns."""
        return self.seat + 1

    @property
    def moves_left(self) -> int:
        return MOVES - len(self.markers)


def on_board(sites: bytes, colour: int) -> int:
    """How many pawns of a colour stand on the board, with or without a marker."""
    return sites.count(colour) + sites.count(colour | TERNION) + sites.count(colour | ADDED)


def in_play(content: int) -> bool:
    return 0 < content <= COLOUR


def vacant_sites(position: Position) -> list[int]:
    sites = position.sites
    return [s for s in position.setup.net.area if not sites[s]]


def placeable(setup: Setup, sites: bytes) -> list[int]:
    """TF-1, TS-1: the vacant sites of the play area with no occupied one adjacent to them."""
    taken: set[int] = set()
    for s in setup.net.area:
        if sites[s]:
            taken.add(s)
            taken |= setup.net.near[s]
    return [s for s in setup.net.area if s not in taken]


def blocked(position: Position) -> set[int]:
    """TF-6, TS-6: the gates that hold a move marker."""
    gates = position.setup.net.gates
    return {gates[a][b] for a, b in position.markers}


def ternions(setup: Setup, sites: bytes, moved: int) -> set[Triple]:
    """TF-8, TS-8: every connected set of three pawns in play with the moved one among them."""
    near = setup.net.near
    partners = [s for s in near[moved] if in_play(sites[s])]
    found = {_triple(moved, a, b) for i, a in enumerate(partners) for b in partners[:i]}
    if not setup.hub:
        found |= {
            _triple(moved, a, b) for a in partners for b in near[a] if b != moved and in_play(sites[b])
        }
    return found


def best_ternions(position: Position, moved: int) -> list[Triple]:
    """TF-9: of all sets that the moved pawn ends in, those that go before the others."""
    found = ternions(position.setup, position.sites, moved)
    if not found:
        return []
    ranks = {triple: _precedence(position, triple) for triple in found}
    best = max(ranks.values())
    return sorted(triple for triple, rank in ranks.items() if rank == best)


def pawns_and_players(position: Position, triple: Triple) -> tuple[int, int]:
    """How many of a ternion's pawns are the player's own, and how many players have pawns in it."""
    colours = [position.sites[s] & COLOUR for s in triple]
    return colours.count(position.colour), len(set(colours))


def chart(position: Position, triple: Triple) -> tuple[int, int]:
    """TF-10: how many pawns to remove and to add."""
    own, players = pawns_and_players(position, triple)
    if own == 1:
        return (0, 1) if players == 3 else (0, 2)
    return (1, 2) if own == 2 else (2, 1)


def reserve(position: Position) -> int:
    return PAWNS - on_board(position.sites, position.colour)


def additions(position: Position, removals: int = 0) -> int:
    """TF-11: how many pawns the last ternion adds, once so many more are removed: no more than the
    reserve or the board holds."""
    charted = chart(position, position.ternions[-1])[1]
    return min(charted, reserve(position) + removals, len(vacant_sites(position)))


def exchanges(position: Position) -> Iterator[tuple[int, int]]:
    """TF-13: for each removed pawn the ones of its ternion that could go in its place."""
    here = position.colour | TERNION
    for triple in position.ternions:
        for gone in triple:
            if position.sites[gone] & GONE:
                yield from ((gone, s) for s in triple if position.sites[s] == here)


def _precedence(position: Position, triple: Triple) -> tuple[int, bool]:
    own, players = pawns_and_players(position, triple)
    return own, own == 1 and players == 3


def _triple(a: int, b: int, c: int) -> Triple:
    first, second, third = sorted((a, b, c))
    return first, second, third
