"""A position of the Ternion games, and what follows from it at once: ternions, and what is owed for them.

The content of a site is one byte: the pawn's colour (1 to 4), with flags for a T or A marker and for a pawn
that was removed from under its T. The colour of a removed pawn still counts when it is jumped over. So a
pawn in play is a byte of 1 to 4, and whatever is not 0 is occupied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from companion.core.game import Look, Place, Player
from companion.games.ternion.board import DIAMOND, Net
from companion.language import say

COLOURS: tuple[Player, ...] = ("black", "white", "red", "yellow")
TERNION, ADDED, GONE = 8, 16, 32
"""The flags of a content: it carries a T, it carries an A, its pawn was removed."""
COLOUR = 7
"""The bits of a content that hold the pawn's colour."""
PAWNS = 18
"""The number of pawns of each player."""
MOVES = 3
"""The number of moves of a turn (TF-12)."""

Triple: TypeAlias = tuple[int, int, int]
"""The sites of three pawns, in ascending order."""


class Phase(IntEnum):
    """The kind of action that the player to act owes."""

    PLACE = 0
    MOVE = 1
    CHOOSE = 2
    REMOVE = 3
    ADD = 4
    REVIEW = 5


@dataclass(frozen=True, eq=False)
class Setup:
    """A net and the options that hold for the whole game. Two are equal only if they are the same object."""

    net: Net
    players: tuple[Player, ...]
    pawns: int
    """The number of pawns that each player places before the first turn."""
    hub: bool
    """True if the moved pawn must be adjacent to both others of a ternion."""


@lru_cache(maxsize=64)
def setup_of(net: Net, players: int, pawns: int, hub: bool) -> Setup:
    """Returns the setup for these options. Equal arguments share one."""
    return Setup(net, COLOURS[:players], pawns, hub)


class Position(NamedTuple):
    """The board, and how far the turn has come."""

    setup: Setup
    sites: bytes
    seat: int = 0
    phase: Phase = Phase.PLACE
    owed: int = 0
    """The number of pawns still to be removed or added."""
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
    """Returns how many pawns of a colour stand on the board, with or without a marker."""
    return sites.count(colour) + sites.count(colour | TERNION) + sites.count(colour | ADDED)


def reserve(position: Position) -> int:
    """Returns how many pawns the player has beside the board."""
    return PAWNS - on_board(position.sites, position.colour)


def in_play(content: int) -> bool:
    """Returns whether a content is a pawn without a marker."""
    return 0 < content <= COLOUR


def vacant_sites(position: Position) -> list[int]:
    """Returns the sites of the play area that are not occupied."""
    sites = position.sites
    return [site for site in position.setup.net.area if not sites[site]]


def placeable(setup: Setup, sites: bytes) -> list[int]:
    """Returns the vacant sites of the play area that have no occupied one adjacent to them (TF-1, TS-1)."""
    closed: set[int] = set()
    for site in setup.net.area:
        if sites[site]:
            closed.add(site)
            closed |= setup.net.near[site]
    return [site for site in setup.net.area if site not in closed]


def blocked_gates(position: Position) -> set[int]:
    """Returns the gates that hold a move marker (TF-6, TS-6)."""
    gates = position.setup.net.gates
    return {gates[a][b] for a, b in position.markers}


def ternions(setup: Setup, sites: bytes, moved: int) -> set[Triple]:
    """Returns every connected set of three pawns in play that the moved one belongs to (TF-8, TS-8)."""
    partners = _pawns_beside(setup.net, sites, moved)
    found = {_triple(moved, a, b) for a, b in combinations(partners, 2)}
    if not setup.hub:  # one of the others may touch only the third
        for partner in partners:
            thirds = _pawns_beside(setup.net, sites, partner)
            found.update(_triple(moved, partner, third) for third in thirds if third != moved)
    return found


def _pawns_beside(net: Net, sites: bytes, site: int) -> list[int]:
    return [near for near in net.near[site] if in_play(sites[near])]


def _triple(a: int, b: int, c: int) -> Triple:
    first, second, third = sorted((a, b, c))
    return first, second, third


def best_ternions(position: Position, moved: int) -> list[Triple]:
    """Returns, of all ternions that the moved pawn makes, those that go before the others (TF-9)."""
    found = ternions(position.setup, position.sites, moved)
    if not found:
        return []
    ranks = {triple: _precedence(position, triple) for triple in found}
    best = max(ranks.values())
    return sorted(triple for triple, rank in ranks.items() if rank == best)


def _precedence(position: Position, triple: Triple) -> tuple[int, bool]:
    """Returns the rank of a ternion: own pawns, then whether it joins one with those of two others (TF-9)."""
    own, players = _pawns_and_players(position, triple)
    return own, own == 1 and players == 3


def _pawns_and_players(position: Position, triple: Triple) -> tuple[int, int]:
    """Returns how many of a ternion's pawns are the player's, and how many players have pawns in it."""
    colours = [position.sites[site] & COLOUR for site in triple]
    return colours.count(position.colour), len(set(colours))


def charted(position: Position, triple: Triple) -> tuple[int, int]:
    """Returns how many pawns the chart says to remove and to add (TF-10)."""
    own, players = _pawns_and_players(position, triple)
    if own == 1:
        return (0, 1) if players == 3 else (0, 2)
    return (1, 2) if own == 2 else (2, 1)


def additions(position: Position, removals: int = 0) -> int:
    """Returns how many pawns are to be added for the last ternion, once so many more are removed (TF-11).

    They are no more than the reserve or the vacant sites.
    """
    _, adding = charted(position, position.ternions[-1])
    return min(adding, reserve(position) + removals, len(vacant_sites(position)))


def exchanges(position: Position) -> Iterator[tuple[int, int]]:
    """Yields each removed pawn with each pawn of its ternion that could go in its place (TF-13)."""
    marked = position.colour | TERNION
    for triple in position.ternions:
        for gone in triple:
            if position.sites[gone] & GONE:
                yield from ((gone, other) for other in triple if position.sites[other] == marked)


def remaining(position: Position) -> tuple[int, ...]:
    """Returns the seats that have not dropped out."""
    return tuple(seat for seat in range(len(position.setup.players)) if not position.out >> seat & 1)


def win_reason(position: Position) -> str:
    """Returns why the game is won (TF-15)."""
    if on_board(position.sites, position.winner + 1) == PAWNS:
        return say("all eighteen pawns are on the board")
    return say("the others have dropped out")


def _look_of_content(content: int) -> Look:
    if content & GONE:
        return "+T"
    marker = "+T" if content & TERNION else "+A" if content & ADDED else ""
    return COLOURS[(content & COLOUR) - 1] + marker


LOOKS = {
    content: _look_of_content(content)
    for colour in range(1, len(COLOURS) + 1)
    for content in (colour, colour | TERNION, colour | ADDED, colour | TERNION | GONE)
}
"""The look of each content of a site."""


def look(position: Position) -> Mapping[Place, Look]:
    return _look_of_sites(position.setup.net, position.sites)


@lru_cache(maxsize=4096)
def _look_of_sites(net: Net, sites: bytes) -> Mapping[Place, Look]:
    # Cached because many positions of a search differ in nothing that can be seen.
    return {
        net.names[site]: LOOKS[content]
        for site, content in enumerate(sites)
        if content and content != DIAMOND
    }


def move_markers(position: Position) -> dict[Place, Look]:
    """Returns the turn's move markers as the page draws them: `c4-c5` holds `+1` after a first move there."""
    names = position.setup.net.names
    return {f"{names[a]}-{names[b]}": f"+{number}" for number, (a, b) in enumerate(position.markers, start=1)}
