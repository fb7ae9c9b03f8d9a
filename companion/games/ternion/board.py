"""The board of the Ternion games as their rules read it: sites, and the crossings that join them.

Sites are numbered in the order of their names (file, then rank as a number). A crossing leads from one
site to another through a *gate*, the place where its move marker lies. In Ternion Factor that is the line
between two intersections, in Ternion Spaces the line or the intersection in which two spaces meet. Two
crossings through one gate block each other. That is all in which the nets of the two games differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from companion.core.board import Board
from companion.core.game import GameError, Site

SITE = re.compile(r"[A-Za-z][1-9][0-9]?")
"""A site's name: a letter and a number. A capital letter names a large diamond."""
DIAMOND = 64
"""The content of a large diamond: passed over like a pawn of no colour, never left or ended on."""

Crossing: TypeAlias = tuple[Site, Site, str]
"""Two sites and the gate between them."""


class Exit(NamedTuple):
    """A way out of a site: the site to which it leads, the number of its gate, and its spelling, `-c5`."""

    to: int
    gate: int
    text: str


@dataclass(frozen=True, eq=False, repr=False)
class Net:
    """The sites of a play area and their crossings. Two nets are equal only if they are the same object."""

    names: tuple[Site, ...]
    index: Mapping[Site, int]
    area: tuple[int, ...]
    """The sites of the play area on which a pawn may stand."""
    exits: tuple[tuple[Exit, ...], ...]
    near: tuple[frozenset[int], ...]
    """The adjacent sites of each site. A diamond is adjacent to none."""
    gates: tuple[Mapping[int, int], ...]
    """The gate from each site to each site that it meets."""
    gate_names: tuple[str, ...]
    """The spots where move markers lie, by the number of their gate."""
    vacant: bytes
    """The board without a pawn."""


def net_of(board: Board, players: int, crossings: tuple[Crossing, ...]) -> Net:
    """Returns the net of the area in which so many players play. Equal boards share one.

    GameError: a site has another kind of name, or the board does not say the play area.
    """
    check_names(board)
    area = board.areas.get(f"play area {players}")
    if not area:
        raise GameError(f"board '{board.name}' has no play area for {players}: add \"play area {players}\"")
    return _net(tuple(board.sites), frozenset(area), crossings)


@lru_cache(maxsize=64)
def _net(sites: tuple[Site, ...], area: frozenset[Site], crossings: tuple[Crossing, ...]) -> Net:
    names = tuple(sorted(sites, key=spelling_order))
    index = dict(zip(names, range(len(names)), strict=True))
    inside = _crossings_inside(area, crossings)
    gate_names = tuple(sorted({gate for _, _, gate in inside}))
    exits = _exits(index, inside, gate_names)
    diamonds = frozenset(index[name] for name in names if is_diamond(name))
    return Net(
        names=names,
        index=index,
        area=tuple(sorted(index[name] for name in area if index[name] not in diamonds)),
        exits=tuple(tuple(sorted(ways)) for ways in exits),
        near=tuple(frozenset(way.to for way in ways) - diamonds for ways in exits),
        gates=tuple({way.to: way.gate for way in ways} for ways in exits),
        gate_names=gate_names,
        vacant=bytes(DIAMOND if site in diamonds else 0 for site in range(len(names))),
    )


def _crossings_inside(area: frozenset[Site], crossings: tuple[Crossing, ...]) -> list[Crossing]:
    return [(a, b, gate) for a, b, gate in crossings if a in area and b in area]


def _exits(
    index: Mapping[Site, int], crossings: list[Crossing], gate_names: tuple[str, ...]
) -> list[list[Exit]]:
    """Returns the ways out of each site, in the order of the crossings."""
    gate_numbers = {gate: number for number, gate in enumerate(gate_names)}
    exits: list[list[Exit]] = [[] for _ in index]
    for a, b, gate in crossings:
        exits[index[a]].append(Exit(index[b], gate_numbers[gate], f"-{b}"))
        exits[index[b]].append(Exit(index[a], gate_numbers[gate], f"-{a}"))
    return exits


def check_names(board: Board) -> None:
    """Raises GameError for a site whose name is not a letter and a number, as actions are spelled with it."""
    wrong = next((site for site in board.sites if not SITE.fullmatch(site)), None)
    if wrong:
        raise GameError(f"board '{board.name}' has a site '{wrong}': name it by a letter and a number, 'c4'")


def lines(board: Board) -> tuple[Crossing, ...]:
    """Returns the crossings between intersections: along the board's lines, each of which is a gate."""
    return tuple((a, b, f"{a}-{b}") for a, b in board.links)


@lru_cache(maxsize=16)
def borders(board: Board) -> tuple[Crossing, ...]:
    """Returns the crossings between spaces: through the line that two share, or else the intersection.

    TS-3, and the ruling on the board: spaces that share a line meet in that line only. GameError where
    the board file lacks the corners of its spaces.
    """
    corners = board.tables.get("corners")
    if not isinstance(corners, dict) or corners.keys() != board.sites.keys():
        raise GameError(f"board '{board.name}' needs a table \"corners\" with the corners of every space")
    return tuple(_meetings({site: frozenset(ends) for site, ends in corners.items()}))


def _meetings(corners: Mapping[Site, frozenset[str]]) -> Iterator[Crossing]:
    """Yields each two spaces that share corners, named by them; two diamonds are not joined."""
    for a, b in combinations(corners, 2):
        shared = corners[a] & corners[b]
        if shared and not (is_diamond(a) and is_diamond(b)):
            yield a, b, "-".join(sorted(shared))


def is_diamond(site: Site) -> bool:
    return site[0].isupper()


def spelling_order(site: Site) -> tuple[str, int]:
    """Returns the key by which sites are listed: the file, then the rank as a number."""
    return site[0], int(site[1:])


def listed(net: Net, sites: Iterable[int]) -> tuple[Site, ...]:
    """Returns the names of sites, in the order given."""
    return tuple(net.names[site] for site in sites)
