"""What the rules need of a Ternion board, tabled once for each board, play area and set of options.

Sites are numbered in the order of their names (file, then rank as a number). A crossing leads from one
site to another through a *gate*, the place where its move marker lies: in Ternion Factor the line between
two intersections, in Ternion Spaces the line or the intersection in which two spaces meet. Two crossings
through one gate block each other; that is all that the two games' nets differ in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from companion.board import Board
from companion.core import GameError, Player, Site

COLOURS: tuple[Player, ...] = ("black", "white", "red", "yellow")
SITE = re.compile(r"[A-Za-z][1-9][0-9]?")
DIAMOND = 64
"""The content of a large diamond: passed over like a pawn of no colour, never left or ended on."""

Crossing: TypeAlias = tuple[Site, Site, str]
"""Two sites and the gate between them."""


class Exit(NamedTuple):
    """A way out of a site: where it leads, the number of its gate, and its spelling, `-c5`."""

    to: int
    gate: int
    text: str


@dataclass(frozen=True, eq=False)
class Net:
    """A play area with its crossings. Compared by identity: nets are laid once."""

    names: tuple[Site, ...]
    index: Mapping[Site, int]
    area: tuple[int, ...]
    """The sites of the play area where a pawn may stand."""
    exits: tuple[tuple[Exit, ...], ...]
    near: tuple[frozenset[int], ...]
    """For each site its adjacent ones: a diamond makes nothing adjacent."""
    gates: tuple[Mapping[int, int], ...]
    """For each site the gate to each one that it meets."""
    gate_names: tuple[str, ...]
    """The spots where move markers lie, by the number of their gate."""
    vacant: bytes
    """The board without a pawn."""

    def __repr__(self) -> str:
        return f"<Net of {len(self.area)} sites>"


@dataclass(frozen=True, eq=False)
class Setup:
    """A net and the options that hold for the whole game. Compared by identity: set up once."""

    net: Net
    players: tuple[Player, ...]
    pawns: int
    """How many pawns each player places before the first turn."""
    hub: bool
    """Whether the moved pawn must be adjacent to both others of a ternion."""

    def __repr__(self) -> str:
        return f"<Setup for {len(self.players)}, {self.pawns} pawns, {'hub' if self.hub else 'connected'}>"


@lru_cache(maxsize=64)
def lay(sites: tuple[Site, ...], area: frozenset[Site], crossings: tuple[Crossing, ...]) -> Net:
    """The net of these sites, of which `area` are in play; capitals name diamonds. Equal arguments give
    the same net, so positions on it compare by identity of their boards."""
    names = tuple(sorted(sites, key=spelling_order))
    index = {name: i for i, name in enumerate(names)}
    inside = [c for c in crossings if c[0] in area and c[1] in area]
    number = {gate: i for i, gate in enumerate(sorted({gate for _, _, gate in inside}))}
    exits: list[list[Exit]] = [[] for _ in names]
    for a, b, gate in inside:
        exits[index[a]].append(Exit(index[b], number[gate], f"-{b}"))
        exits[index[b]].append(Exit(index[a], number[gate], f"-{a}"))
    return Net(
        names=names,
        index=index,
        area=tuple(index[s] for s in names if s in area and not is_diamond(s)),
        exits=tuple(tuple(sorted(ways)) for ways in exits),
        near=tuple(frozenset(w.to for w in ways if not is_diamond(names[w.to])) for ways in exits),
        gates=tuple({w.to: w.gate for w in ways} for ways in exits),
        gate_names=tuple(number),
        vacant=bytes(DIAMOND if is_diamond(s) else 0 for s in names),
    )


@lru_cache(maxsize=64)
def prepare(net: Net, players: int, pawns: int, hub: bool) -> Setup:
    return Setup(net, COLOURS[:players], pawns, hub)


def check_names(board: Board) -> None:
    """GameError for a site whose name is not a letter and a number, as actions are spelled with it."""
    wrong = next((site for site in board.sites if not SITE.fullmatch(site)), None)
    if wrong:
        raise GameError(f"board '{board.name}' has a site '{wrong}': name it by a letter and a number, 'c4'")


def play_area(board: Board, players: int) -> frozenset[Site]:
    """The sites in play for a number of players. GameError where the board file does not say."""
    area = board.areas.get(f"play area {players}")
    if not area:
        raise GameError(f"board '{board.name}' has no play area for {players}: add \"play area {players}\"")
    return frozenset(area)


def lines(board: Board) -> tuple[Crossing, ...]:
    """The crossings between intersections: along the board's lines, each its own gate."""
    return tuple((a, b, f"{a}-{b}") for a, b in board.links)


@lru_cache(maxsize=16)
def borders(board: Board) -> tuple[Crossing, ...]:
    """The crossings between spaces: through the line or else the intersection that two of them share.

    TS-3, and the ruling on the board: spaces that share a line meet in that line only. GameError where
    the board file lacks the corners of its spaces.
    """
    corners = board.tables.get("corners")
    if not isinstance(corners, dict) or corners.keys() != board.sites.keys():
        raise GameError(f"board '{board.name}' needs a table \"corners\" with the corners of every space")
    return tuple(_meetings({site: frozenset(ends) for site, ends in corners.items()}))


def _meetings(corners: Mapping[Site, frozenset[str]]) -> Iterator[Crossing]:
    for a, b in combinations(corners, 2):
        shared = corners[a] & corners[b]
        if shared and not (is_diamond(a) and is_diamond(b)):
            yield a, b, "-".join(sorted(shared))


def is_diamond(site: Site) -> bool:
    return site[0].isupper()


def spelling_order(site: Site) -> tuple[str, int]:
    """The order in which sites are listed: by file, then by rank as a number."""
    return site[0], int(site[1:])


def listed(net: Net, sites: Iterable[int]) -> tuple[Site, ...]:
    return tuple(net.names[s] for s in sites)
