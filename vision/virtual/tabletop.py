"""The wooden table behind the virtual camera: what lies where, physically, and what a hand does to it.

It knows boards and looks but no rules: a finger may put any piece anywhere, as on a real table. Values
are immutable; every operation gives a new table, and a piece that nobody touches stays exactly where it
is. Lengths are steps of the board, x to the east, y to the north; chance is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import dist, hypot, isqrt
from random import Random
from typing import NamedTuple, TypeVar

from companion.board import Board, Point
from companion.core import EMPTY, Look, Place, Position, Rules
from vision.virtual.layout import (
    CORNERS,
    corner_of,
    corner_offset,
    face_of,
    nearest_site,
    spacing,
    spot_pitch,
    spots,
)

P = TypeVar("P", bound=Position)
OFF_SITE = 0.045
"""How far off its site a hand leaves a piece (standard deviation), in the same unit."""
SPARES = {"T": 9, "A": 6, "1": 1, "2": 1, "3": 1}
"""How many markers of a kind come with a game; of others three."""


@dataclass(frozen=True, slots=True)
class Item:
    """A thing on the table: a piece with what lies on it (`white+T`), or a marker alone (`+T`).

    `at` is the middle of its base; of a Port, which has a `corner`, the middle of its quadrant. `turn` is
    its heading in radians.
    """

    look: Look
    at: Point
    corner: str = ""
    turn: float = 0.0

    @property
    def piece(self) -> str:
        """The look without a marker; '' for a marker alone."""
        return self.look.partition("+")[0]

    @property
    def owner(self) -> str:
        return self.piece.partition("/")[0]

    @property
    def marker(self) -> str:
        """The marker on top, or '' for none."""
        return self.look.partition("+")[2]


class HandColours(NamedTuple):
    """Of a hand and what it wears; `#rrggbb`."""

    skin: str = "#c98f6b"
    nails: str = "#dcae93"
    sleeve: str = "#39506e"
    cuff: str = "#2f435d"


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table: where its fingertips are, from which side it reaches (degrees, -90 is the
    south), what it holds, and its colours."""

    at: Point
    side: float = -90.0
    item: Item | None = None
    colours: HandColours = field(default_factory=HandColours)


@dataclass(frozen=True)
class Tabletop:
    """A board, the things on it and beside it, and perhaps a hand over it.

    `seen` are the looks that a camera tells apart: a `white/knight` is then seen as `white`.
    """

    board: Board
    items: tuple[Item, ...] = ()
    seen: frozenset[Look] = frozenset()
    hand: Hand | None = None

    def looks(self) -> dict[Place, Look]:
        """The truth: the look on each place that is not empty. What a hand holds is nowhere."""
        found = ((place_of(self.board, item), item) for item in self.items)
        return {place: see(self.seen, item.look) for place, item in found if place}

    def at(self, place: Place) -> Item | None:
        """What stands on a place, or None."""
        return next((i for i in reversed(self.items) if place_of(self.board, i) == place), None)

    def nearest(self, point: Point) -> Item | None:
        """The thing whose base is nearest to a point and within a finger's reach, or None."""
        near = min(self.items, key=lambda i: dist(handle(i), point), default=None)
        return near if near and dist(handle(near), point) <= 0.6 * spacing(self.board) else None

    def grasp(self, item: Item, side: float = -90.0) -> Tabletop:
        """A hand takes a thing up; where a marker lies on a piece, the marker."""
        if item.marker and item.piece:
            left = replace(item, look=item.piece)
            held = Item(f"+{item.marker}", item.at)
            items = tuple(left if i is item else i for i in self.items)
        else:
            held, items = item, tuple(i for i in self.items if i is not item)
        return replace(self, items=items, hand=Hand(held.at, side, held))

    def reach(self, at: Point, side: float | None = None) -> Tabletop:
        """The hand moves to a point, with what it holds; a hand comes where there was none."""
        hand = self.hand or Hand(at)
        item = replace(hand.item, at=at) if hand.item else None
        return replace(self, hand=replace(hand, at=at, side=hand.side if side is None else side, item=item))

    def withdraw(self) -> Tabletop:
        """The empty hand leaves the table."""
        return replace(self, hand=None)

    def release(self, rng: Random, *, stay: bool = False) -> Tabletop:
        """The hand puts down what it holds, where it is; it leaves unless it is to `stay`.

        Over the board the thing comes to stand a little off the nearest site; on a piece of its own kind
        or under a marker it makes a stack, and any other thing in its way is put beside the board.
        """
        if not self.hand:
            return self
        item = self.hand.item
        hand = replace(self.hand, item=None) if stay else None
        free = replace(self, hand=hand)
        return free.put(settle(self.board, item, rng), rng) if item else free

    def put(self, item: Item, rng: Random) -> Tabletop:
        """With one more thing, just where it says; what was in its way is stacked or put aside."""
        table, there = self, place_of(self.board, item)
        for other in self.items:
            if there and _collide(self.board, item, other):
                table = table._without(other)
                joined = join(self.board, other, item)
                if joined is None:
                    table = table._aside(other, rng)
                else:
                    item = joined
        return replace(table, items=(*table.items, item))

    def move(self, start: Point, end: Point, rng: Random) -> Tabletop:
        """What stands at a point is carried to another one; nothing happens where there is nothing."""
        item = self.nearest(start)
        return self.grasp(item).reach(end).release(rng) if item else self

    def turn_over(self, item: Item, rng: Random) -> Tabletop:
        """A disc shows its other face, a stack is taken apart, a Port turns a quarter, others stay."""
        look = _other_face(self.board, item)
        if _is_stack(self.board, item.look):
            below = replace(item, look=look)
            return self._swapped(item, below)._aside(replace(below, at=item.at), rng)
        if item.corner:
            corner = CORNERS[(CORNERS.index(item.corner) + 1) % 4]
            return self._without(item).put(replace(item, corner=corner), rng)
        return self._swapped(item, replace(item, look=look))

    def become(self, looks: Mapping[Place, Look], rng: Random) -> Tabletop:
        """The table with these looks on its places, changed no more than needed: what does not fit goes
        aside, what is missing comes from there (or, where there is none, from the box)."""
        table = self
        for item in self.items:
            place = place_of(self.board, item)
            if place and looks.get(place, EMPTY) != see(self.seen, item.look):
                table = table._without(item)._aside(item, rng)
        standing = table.looks()
        for place, look in looks.items():
            if look not in (EMPTY, standing.get(place, EMPTY)):
                table = table._fetch(place, look, rng)
        return table

    def _fetch(self, place: Place, look: Look, rng: Random) -> Tabletop:
        spare = _spare(self, look)
        item = stand(self.board, place, look, rng)
        if spare is None:
            return replace(self, items=(*self.items, item))
        kept = spare.look if see(self.seen, spare.look) == look else look
        return replace(self._without(spare), items=(*self._without(spare).items, replace(item, look=kept)))

    def _without(self, item: Item) -> Tabletop:
        return replace(self, items=tuple(i for i in self.items if i is not item))

    def _swapped(self, item: Item, other: Item) -> Tabletop:
        return replace(self, items=tuple(other if i is item else i for i in self.items))

    def _aside(self, item: Item, rng: Random) -> Tabletop:
        return replace(self, items=(*self.items, *lay_aside(self.board, self.items, item, rng)))


def lay(rules: Rules[P], position: P, board: Board, rng: Random) -> Tabletop:
    """A table with a position on the board, as hands leave it, and what the game needs besides: reserves,
    markers and neutral pieces beside the board. Shows no more than a spectator may know."""
    shown = rules.view(position, None)
    seen = rules.look(shown)
    drawn = {p: look for p, look in rules.pieces(shown).items() if p in seen}
    on_board = tuple(stand(board, p, look, rng) for p, look in {**seen, **drawn}.items() if look != EMPTY)
    table = Tabletop(board, on_board, frozenset(rules.looks(position)))
    for look in _spare_looks(rules, shown, table):
        table = table._aside(Item(look, (0.0, 0.0)), rng)
    return table


def handle(item: Item) -> Point:
    """Where one takes hold of a thing: the middle of its base, the elbow of a Port."""
    dx, dy = corner_offset(item.corner)
    return item.at[0] + dx, item.at[1] + dy


@lru_cache(maxsize=8192)
def place_of(board: Board, item: Item) -> Place | None:
    """The place that a thing stands on; None beside the board, or between its sites."""
    site = nearest_site(board, item.at, marker=not item.piece)
    if site is None or not item.corner:
        return site
    place = f"{site}{item.corner}"
    return place if place in board.places else None


def see(seen: frozenset[Look], look: Look) -> Look:
    """What a camera makes of a look: the face is left out where `seen` does not know it."""
    if look in seen or not seen:
        return look
    piece, plus, marker = look.partition("+")
    return f"{piece.partition('/')[0]}{plus}{marker}"


def stand(board: Board, place: Place, look: Look, rng: Random) -> Item:
    """A thing that a hand put on a place: a little off it and a little turned."""
    site, corner = _split_place(board, place, look)
    x, y = board.where(site)
    spread = OFF_SITE * spacing(board) * (0.35 if corner else 1.0)
    at = (x + rng.gauss(0, spread), y + rng.gauss(0, spread))
    return Item(look, _near(at, (x, y), 2.2 * spread), corner, _heading(corner, rng))


def settle(board: Board, item: Item, rng: Random) -> Item:
    """Where a thing let go over the board comes to stand: nearer to its site than the finger was."""
    site = nearest_site(board, item.at, marker=not item.piece)
    if site is None:
        return item
    x, y = board.where(site)
    spread = OFF_SITE * spacing(board)
    pull = 0.25 if not item.corner else 0.1
    at = (x + pull * (item.at[0] - x) + rng.gauss(0, 0.3 * spread),
          y + pull * (item.at[1] - y) + rng.gauss(0, 0.3 * spread))
    return replace(item, at=_near(at, (x, y), 2.2 * spread), turn=_heading(item.corner, rng))


def join(board: Board, below: Item, above: Item) -> Item | None:
    """The stack that two things make on one place: a marker and a piece, or two discs of one owner."""
    if bool(below.piece) != bool(above.piece) and not (below.marker and above.marker):
        piece, marker = (below, above) if below.piece else (above, below)
        return replace(piece, look=f"{piece.piece}+{marker.marker}", at=below.at)
    faces = [name for name, face in board.pieces.faces.items() if face.badge == "stack"]
    discs = _is_disc(board, below.look) and _is_disc(board, above.look)
    if discs and faces and below.owner == above.owner:
        return replace(below, look=f"{below.owner}/{faces[0]}")
    return None


def lay_aside(board: Board, items: tuple[Item, ...], item: Item, rng: Random) -> Iterator[Item]:
    """The thing, and a marker on it apart, on the first free spots beside the board."""
    looks = [item.look] if not (item.piece and item.marker) else [item.piece, f"+{item.marker}"]
    taken = [i.at for i in items]
    for look in looks:
        owner = _owner(look)
        pitch = spot_pitch(board)
        spot = next(p for p in spots(board, owner) if all(dist(p, t) > 0.85 * pitch for t in taken))
        at = (spot[0] + rng.uniform(-0.05, 0.05) * pitch, spot[1] + rng.uniform(-0.05, 0.05) * pitch)
        taken.append(at)
        yield Item(look, at, item.corner, rng.uniform(-0.25, 0.25))


def _spare_looks(rules: Rules[P], position: P, table: Tabletop) -> Iterator[Look]:
    """What lies beside the board at first: of each owner the reserve, a box full where nothing is on the
    board, or a second disc where discs are stacked; neutral pieces; markers."""
    looks, players = rules.looks(position), rules.players(position)
    reserve = next((c.values for c in rules.counts(position) if "reserve" in c.name), {})
    standing = {item.owner for item in table.items}
    stacks = any(_is_stack(table.board, look) for look in looks)
    for owner in dict.fromkeys(_owner(look) for look in looks if look != EMPTY and _owner(look)):
        first = next(look for look in looks if _owner(look) == owner)
        box = _box(table.board, first) if owner in players else 1
        yield from [first] * reserve.get(owner, 2 * stacks if owner in standing else box)
    yield from _markers(looks, table.board, lines=len(players) > 1)


def _box(board: Board, look: Look) -> int:
    """How many pieces of an owner come with a game: as many as start on the board, else eighteen pawns, or
    enough for a puzzle with one in each row."""
    pawns = face_of(board, look).form == "pawn"
    return len(board.areas.get(_owner(look), ())) or (18 if pawns else isqrt(len(board.sites)))


def _markers(looks: Iterable[Look], board: Board, *, lines: bool) -> Iterator[Look]:
    on_top = {look.partition("+")[2] for look in looks} - {""}
    on_lines = {name for name in board.pieces.paint if lines and name.isdigit()}
    for marker in sorted(on_top | on_lines):
        yield from [f"+{marker}"] * SPARES.get(marker, 3)


def _owner(look: Look) -> str:
    return look.partition("+")[0].partition("/")[0]


def _split_place(board: Board, place: Place, look: Look) -> tuple[Place, str]:
    corner = corner_of(board, place) if face_of(board, look).form == "port" else ""
    return (place[:-2], corner) if corner else (place, "")


def _near(point: Point, middle: Point, limit: float) -> Point:
    dx, dy = point[0] - middle[0], point[1] - middle[1]
    scale = min(1.0, limit / (hypot(dx, dy) or 1.0))
    return middle[0] + scale * dx, middle[1] + scale * dy


def _heading(corner: str, rng: Random) -> float:
    return rng.gauss(0, 0.02 if corner else 0.12)


def _collide(board: Board, item: Item, other: Item) -> bool:
    if bool(item.corner) != bool(other.corner):
        return False
    there, here = place_of(board, other), place_of(board, item)
    if item.corner and there and here and there[:-2] == here[:-2]:
        return CORNERS.index(item.corner) - CORNERS.index(other.corner) not in (-2, 2)
    return there == here


def _is_disc(board: Board, look: Look) -> bool:
    face = face_of(board, look)
    return face.form == "disc" and face.badge != "stack" and "+" not in look


def _is_stack(board: Board, look: Look) -> bool:
    return face_of(board, look).badge == "stack" and face_of(board, look).form == "disc"


def _other_face(board: Board, item: Item) -> Look:
    """The look of a disc turned over, or of the lower disc of a stack; else the look itself."""
    if face_of(board, item.look).form != "disc" or not item.piece:
        return item.look
    names = [n for n, face in board.pieces.faces.items() if face.form == "disc" and face.badge != "stack"]
    name = item.piece.partition("/")[2]
    if not names or not name:
        return item.look
    turned = names[(names.index(name) + 1) % len(names)] if name in names else names[0]
    return f"{item.owner}/{turned}"


def _spare(table: Tabletop, look: Look) -> Item | None:
    """A thing beside the board that has a look, or failing that a piece of the same owner."""
    beside = [i for i in reversed(table.items) if place_of(table.board, i) is None]
    exact = next((i for i in beside if see(table.seen, i.look) == look), None)
    owner = _owner(look)
    return exact or next((i for i in beside if owner and i.owner == owner), None)
