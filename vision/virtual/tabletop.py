"""The wooden table behind the virtual camera: what lies where, and what a hand does to it.

It knows boards and looks, but no rules: a finger may put any piece anywhere, as on a real table. Values are
immutable; every operation returns a new table, and a piece that nobody touches stays exactly where it is.
Lengths are steps of the board, x to the east, y to the north. Chance is handed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import copysign, dist, hypot, isqrt
from random import Random
from typing import NamedTuple, TypeVar

from companion.core.board import Board, Point
from companion.core.game import EMPTY, Look, Place, Position
from companion.core.rules import Rules
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
"""The distance from its site at which a hand leaves a piece (standard deviation); distances of sites."""
FARTHEST_OFF = 2.2
"""The farthest that a piece comes to stand off its site, in standard deviations."""
FINGER = 0.6
"""The greatest distance from a thing's base at which a finger takes hold of it; distances of sites."""
FREE = 0.85
"""The least distance of a free spot beside the board from other things, in distances of spots."""
SPARES = {"T": 9, "A": 6, "1": 1, "2": 1, "3": 1}
"""The number of markers of each kind that come with a game."""
OTHER_SPARES = 3
"""The same of kinds that are not named."""
PAWNS = 18
"""Pawns of one colour in a box."""


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
    """The colours of a hand and of what it wears; `#rrggbb`."""

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
        """Returns the look on each place that is not empty. What a hand holds stands nowhere."""
        found = ((place_of(self.board, item), item) for item in self.items)
        return {place: see(self.seen, item.look) for place, item in found if place}

    def at(self, place: Place) -> Item | None:
        """Returns what stands on a place, or None."""
        return next((i for i in reversed(self.items) if place_of(self.board, i) == place), None)

    def nearest(self, point: Point) -> Item | None:
        """Returns the thing whose base is nearest to a point and within a finger's reach, or None."""
        near = min(self.items, key=lambda i: dist(handle(i), point), default=None)
        return near if near and dist(handle(near), point) <= FINGER * spacing(self.board) else None

    def grasp(self, item: Item, side: float = -90.0) -> Tabletop:
        """Lets a hand take a thing up; where a marker lies on a piece, the marker alone."""
        if item.marker and item.piece:
            left = replace(item, look=item.piece)
            held = Item(f"+{item.marker}", item.at)
            items = tuple(left if i is item else i for i in self.items)
        else:
            held, items = item, tuple(i for i in self.items if i is not item)
        return replace(self, items=items, hand=Hand(held.at, side, held))

    def reach(self, at: Point, side: float | None = None) -> Tabletop:
        """Moves the hand to a point, with what it holds; a hand comes where there was none."""
        hand = self.hand or Hand(at)
        item = replace(hand.item, at=at) if hand.item else None
        return replace(self, hand=replace(hand, at=at, side=hand.side if side is None else side, item=item))

    def withdraw(self) -> Tabletop:
        """Takes the hand away."""
        return replace(self, hand=None)

    def release(self, rng: Random) -> Tabletop:
        """Puts down what the hand holds, where it is; the hand leaves.

        Over the board the thing comes to stand a little off the nearest site. On a piece of its own kind or
        under a marker it makes a stack; any other thing in its way is put beside the board.
        """
        if not self.hand:
            return self
        held, free = self.hand.item, self.withdraw()
        return free.put(come_to_rest(self.board, held, rng), rng) if held else free

    def put(self, item: Item, rng: Random) -> Tabletop:
        """Adds a thing, just where it says; what was in its way is stacked or put aside.

        A pillar, Magnet's magnet, captures nothing: where a piece stands it goes beside the board itself.
        """
        table = self
        if place_of(self.board, item) is None:
            return replace(self, items=(*self.items, item))
        if _is_pillar(self.board, item) and any(_collide(self.board, item, other) for other in self.items):
            return self._aside(item, rng)
        for other in self.items:
            if not _collide(self.board, item, other):
                continue
            table = table._without(other)
            joined = join(self.board, other, item)
            if joined is None:
                table = table._aside(other, rng)
            else:
                item = joined
        return replace(table, items=(*table.items, item))

    def move(self, start: Point, end: Point, rng: Random) -> Tabletop:
        """Carries what stands at a point to another one. Where nothing stands the table stays as it is."""
        item = self.nearest(start)
        return self.grasp(item).reach(end).release(rng) if item else self

    def turn_over(self, item: Item, rng: Random) -> Tabletop:
        """Turns a thing over: a disc shows its other face, a stack is taken apart, a Port turns a quarter.

        Other things stay as they are.
        """
        look = _other_face(self.board, item)
        if _is_stack(self.board, item.look):
            below = replace(item, look=look)
            return self._swapped(item, below)._aside(replace(below, at=item.at), rng)
        if item.corner:
            corner = CORNERS[(CORNERS.index(item.corner) + 1) % 4]
            return self._without(item).put(replace(item, corner=corner), rng)
        return self._swapped(item, replace(item, look=look))

    def become(self, looks: Mapping[Place, Look], rng: Random) -> Tabletop:
        """Lays these looks on the places of the board, and changes no more than needed.

        What does not fit goes beside the board. What is missing comes from there, or else from the box. Any
        piece of its owner has a look without a kind (`white`).
        """
        table = self
        for item in self.items:
            place = place_of(self.board, item)
            if place and not self._has_look(item, looks.get(place, EMPTY)):
                table = table._without(item)._aside(item, rng)
        standing = table.looks()  # all of it fits
        for place, look in looks.items():
            if look != EMPTY and place not in standing:
                table = table._fetch(place, look, rng)
        return table

    def with_kinds(self, looks: Mapping[Place, Look]) -> Tabletop:
        """Exchanges pieces that are of another kind now: a pawn for the queen that it became. None moves.

        A camera does not tell the two apart; what it would tell apart stays as it is.
        """
        return replace(self, items=tuple(self._of_kind(item, looks) for item in self.items))

    def _of_kind(self, item: Item, looks: Mapping[Place, Look]) -> Item:
        place = place_of(self.board, item)
        look = looks.get(place, EMPTY) if place else EMPTY
        is_alike = see(self.seen, look) == see(self.seen, item.look)
        return replace(item, look=look) if is_alike and look != item.look else item

    def _has_look(self, item: Item, look: Look) -> bool:
        """Tells whether a thing has a look, by its kind or as a camera tells it."""
        return look in (item.look, see(self.seen, item.look))

    def _fetch(self, place: Place, look: Look, rng: Random) -> Tabletop:
        spare = _spare(self, look)
        item = stand(self.board, place, look, rng)
        if spare is None:
            return replace(self, items=(*self.items, item))
        kept = spare.look if self._has_look(spare, look) else look
        left = self._without(spare)
        if kept != spare.look and item.piece and item.marker and (marker := _spare(left, f"+{item.marker}")):
            left = left._without(marker)  # the one that lies there, and none from the box
        return replace(left, items=(*left.items, replace(item, look=kept)))

    def _without(self, item: Item) -> Tabletop:
        return replace(self, items=tuple(i for i in self.items if i is not item))

    def _swapped(self, item: Item, other: Item) -> Tabletop:
        return replace(self, items=tuple(other if i is item else i for i in self.items))

    def _aside(self, item: Item, rng: Random) -> Tabletop:
        return replace(self, items=(*self.items, *lay_aside(self.board, self.items, item, rng)))


def lay(rules: Rules[P], position: P, board: Board, rng: Random) -> Tabletop:
    """Returns a table with a position on the board, as hands leave it.

    Beside the board lies what the game needs besides: reserves, neutral pieces and markers. The table shows
    no more than a spectator may know.
    """
    looks = laid_looks(rules, position)
    on_board = tuple(stand(board, place, look, rng) for place, look in looks.items() if look != EMPTY)
    table = Tabletop(board, on_board, frozenset(rules.looks(position)))
    for look in _spare_looks(rules, rules.view(position, None), table):
        table = table._aside(Item(look, (0.0, 0.0)), rng)
    return table


def laid_looks(rules: Rules[P], position: P) -> dict[Place, Look]:
    """Returns what lies on the board as all may know it, with the kinds that no camera tells apart."""
    shown = rules.view(position, None)
    seen = rules.look(shown)
    drawn = {place: look for place, look in rules.pieces(shown).items() if place in seen}
    return {**seen, **drawn}


def handle(item: Item) -> Point:
    """Returns the point at which one takes hold of a thing: the middle of its base, or the elbow of a
    Port."""
    dx, dy = corner_offset(item.corner)
    return item.at[0] + dx, item.at[1] + dy


def wall_ends(port: Item, radius: float) -> tuple[Point, Point, Point]:
    """Returns where the two walls of a Port end and, between them, where they meet."""
    (x, y), (dx, dy) = port.at, corner_offset(port.corner)
    east, north = copysign(radius, dx), copysign(radius, dy)
    return (x - east, y + north), (x + east, y + north), (x + east, y - north)


@lru_cache(maxsize=8192)
def place_of(board: Board, item: Item) -> Place | None:
    """Returns the place that a thing stands on; None beside the board and between its sites."""
    site = nearest_site(board, item.at, marker=not item.piece)
    if site is None or not item.corner:
        return site
    place = f"{site}{item.corner}"
    return place if place in board.places else None


def see(seen: frozenset[Look], look: Look) -> Look:
    """Returns a look as a camera tells it: without its face where `seen` does not know it."""
    if look in seen or not seen:
        return look
    piece, plus, marker = look.partition("+")
    return f"{piece.partition('/')[0]}{plus}{marker}"


def stand(board: Board, place: Place, look: Look, rng: Random) -> Item:
    """Returns a thing that a hand put on a place: a little off it and a little turned."""
    site, corner = _split_place(board, place, look)
    x, y = board.where(site)
    spread = OFF_SITE * spacing(board) * (0.35 if corner else 1.0)
    at = (x + rng.gauss(0, spread), y + rng.gauss(0, spread))
    return Item(look, _near(at, (x, y), FARTHEST_OFF * spread), corner, _heading(corner, rng))


def come_to_rest(board: Board, item: Item, rng: Random) -> Item:
    """Returns a thing as it stands after it was let go over the board: nearer to its site than the finger
    was."""
    site = nearest_site(board, item.at, marker=not item.piece)
    if site is None:
        return item
    x, y = board.where(site)
    spread = OFF_SITE * spacing(board)
    pull = 0.25 if not item.corner else 0.1
    at = (
        x + pull * (item.at[0] - x) + rng.gauss(0, 0.3 * spread),
        y + pull * (item.at[1] - y) + rng.gauss(0, 0.3 * spread),
    )
    return replace(item, at=_near(at, (x, y), FARTHEST_OFF * spread), turn=_heading(item.corner, rng))


def join(board: Board, below: Item, above: Item) -> Item | None:
    """Returns the stack that two things make on one place: a marker and a piece, or two discs of one owner.

    None where they make no stack.
    """
    if bool(below.piece) != bool(above.piece):
        return _with_marker(below, above)
    stack = _stack_face(board)
    if stack is None or below.owner != above.owner:
        return None
    if not (_is_disc(board, below.look) and _is_disc(board, above.look)):
        return None
    return replace(below, look=f"{below.owner}/{stack}")


def _stack_face(board: Board) -> str | None:
    """Returns the name of the face of two discs on one another; None where a board has none."""
    return next((name for name, face in board.pieces.faces.items() if face.badge == "stack"), None)


def _with_marker(below: Item, above: Item) -> Item | None:
    """Returns the piece of two things with the marker that the other one is; None where it has one
    already."""
    if below.marker and above.marker:
        return None
    piece = below if below.piece else above
    return replace(piece, look=f"{piece.piece}+{below.marker or above.marker}", at=below.at)


def lay_aside(board: Board, items: tuple[Item, ...], item: Item, rng: Random) -> Iterator[Item]:
    """Yields the thing, and apart from it a marker that lay on it, on the first free spots beside the
    board."""
    looks = [item.piece, f"+{item.marker}"] if item.piece and item.marker else [item.look]
    pitch = spot_pitch(board)
    taken = [other.at for other in items]
    for look in looks:
        free = (spot for spot in spots(board, _owner(look)) if _is_free(spot, taken, FREE * pitch))
        x, y = next(free)
        at = (x + rng.uniform(-0.05, 0.05) * pitch, y + rng.uniform(-0.05, 0.05) * pitch)
        taken.append(at)
        yield Item(look, at, item.corner, rng.uniform(-0.25, 0.25))


def _is_free(spot: Point, taken: Iterable[Point], apart: float) -> bool:
    return all(dist(spot, other) > apart for other in taken)


def _spare_looks(rules: Rules[P], position: P, table: Tabletop) -> Iterator[Look]:
    """Yields the looks of what lies beside the board at first: pieces of each owner, then markers."""
    looks, players = rules.looks(position), rules.players(position)
    reserve = next((c.values for c in rules.counts(position) if "reserve" in c.name), {})
    for owner, look in _first_looks(looks).items():
        count = reserve.get(owner)
        if count is None:
            count = _spare_count(looks, table, look, plays=owner in players)
        yield from [look] * count
    yield from _markers(looks, table.board, lines=len(players) > 1)


def _first_looks(looks: Iterable[Look]) -> dict[str, Look]:
    """Returns the first look of each owner."""
    first: dict[str, Look] = {}
    for look in looks:
        owner = _owner(look)
        if look != EMPTY and owner:
            first.setdefault(owner, look)
    return first


def _spare_count(looks: Iterable[Look], table: Tabletop, look: Look, *, plays: bool) -> int:
    """Returns how many pieces of a look's owner lie beside the board where no rule counts a reserve.

    An owner without a piece on the board has a whole box there, one who does not play a single neutral piece.
    Of discs that are stacked two more are needed; otherwise all pieces are on the board.
    """
    if any(item.owner == _owner(look) for item in table.items):
        return 2 if any(_is_stack(table.board, other) for other in looks) else 0
    return _box(table.board, look) if plays else 1


def _box(board: Board, look: Look) -> int:
    """Returns how many pieces of an owner come with a game.

    There are as many as start on the board; of others a box of pawns, or enough for a puzzle with one in each
    row.
    """
    pawns = face_of(board, look).form == "pawn"
    return len(board.areas.get(_owner(look), ())) or (PAWNS if pawns else isqrt(len(board.sites)))


def _markers(looks: Iterable[Look], board: Board, *, lines: bool) -> Iterator[Look]:
    on_top = {look.partition("+")[2] for look in looks} - {""}
    on_lines = {name for name in board.pieces.paint if lines and name.isdigit()}
    for marker in sorted(on_top | on_lines):
        yield from [f"+{marker}"] * SPARES.get(marker, OTHER_SPARES)


def _owner(look: Look) -> str:
    return look.partition("+")[0].partition("/")[0]


def _split_place(board: Board, place: Place, look: Look) -> tuple[Place, str]:
    corner = corner_of(board, place) if face_of(board, look).form == "port" else ""
    return (board.site_of(place), corner) if corner else (place, "")


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
    if item.corner and there and here and board.site_of(there) == board.site_of(here):
        return CORNERS.index(item.corner) - CORNERS.index(other.corner) not in (-2, 2)
    return there == here


def _is_pillar(board: Board, item: Item) -> bool:
    return face_of(board, item.look).form == "pillar"


def _is_disc(board: Board, look: Look) -> bool:
    face = face_of(board, look)
    return face.form == "disc" and face.badge != "stack" and "+" not in look


def _is_stack(board: Board, look: Look) -> bool:
    return face_of(board, look).badge == "stack" and face_of(board, look).form == "disc"


def _other_face(board: Board, item: Item) -> Look:
    """Returns the look of a disc turned over, or of the lower disc of a stack; else the look itself."""
    face = item.piece.partition("/")[2]
    if not face or face_of(board, item.look).form != "disc":
        return item.look
    sides = board.pieces.sides
    if not sides:
        return item.look
    # A stack's own face is none of the sides: the lower disc then shows the first one.
    following = sides.index(face) + 1 if face in sides else 0
    return f"{item.owner}/{sides[following % len(sides)]}"


def _spare(table: Tabletop, look: Look) -> Item | None:
    """Returns a thing beside the board that has a look, or failing that a piece of the same owner.

    What was laid down last is taken first.
    """
    owner, same_owner = _owner(look), None
    for item in reversed(table.items):
        if place_of(table.board, item) is not None:
            continue
        if table._has_look(item, look):
            return item
        if same_owner is None and owner and item.owner == owner:
            same_owner = item
    return same_owner
