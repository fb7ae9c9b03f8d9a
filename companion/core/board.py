"""A board as data: where its sites lie, which are joined, how it is drawn, and how well that is known.

Lengths are in steps (the distance of neighbouring sites), x to the east, y to the north, as the south
player sees the board; rank 1 (or side 0) is the south. Board files lie in `companion/boards/`; an owner whose
board differs writes another one and names it in the game text, `board=FILE`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from math import dist
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from companion.core.extensions import data_file, data_files
from companion.core.game import GameError
from companion.core.json_text import parse_json
from companion.core.json_value import JsonValue, JsonValueError
from companion.core.whole_files import read_text
from companion.language import Message, say

Point: TypeAlias = tuple[float, float]
T = TypeVar("T")

FORMAT = "board-companion board 1"
PROVENANCES = ("rulebook", "deduced", "assumed")
SHAPES = {"polygon": 3, "line": 2, "circle": 1, "text": 1}
"""The least number of points of each kind of shape."""
FARTHEST, LEAST = 1000.0, 0.001
"""Steps from the board's origin within which every point lies, and the least length."""
CLOSEST = 0.01
"""Steps between the two nearest sites: no finger and no rule tells nearer ones apart."""
SAME_POINT = 0.1
"""Steps between two points of a board, one of them turned round, which are the same."""
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


class BoardError(GameError):
    """A board file that cannot be used; the message is one line that says where and why."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon, line, circle or text that is drawn on the board.

    A circle has one point and a radius, a text one point and its words. The style sheet and the virtual
    camera know the styles by name (`dark`, `light`, `line`, `red-line`, `wall`, `stop`, `zone`, …).
    """

    kind: str
    points: tuple[Point, ...]
    style: str
    radius: float = 0.0
    words: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    """The form of a kind of piece: `disc`, `pawn`, `block`, `pole`, `port`, `pillar`, `cross`, `piece`.

    Radius and height are in steps. The `badge` tells it from others of its form when seen from above (`ring`,
    `dot`, `stack`, `tall`, or a letter). The `name` is what players call it, if not as the face. The
    `context` is the game in which the same words mean another piece than elsewhere.
    """

    form: str
    radius: float
    height: float
    badge: str = ""
    name: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The pieces of a board: the paint of each owner and marker, and the form of each face."""

    paint: Mapping[str, str] = field(default_factory=dict)
    faces: Mapping[str, Face] = field(default_factory=dict)

    def face(self, look: str) -> Face:
        """Returns the face of a look; where faces are not told apart (`red`), the one named ''."""
        piece = look.partition("+")[0]
        return self.faces.get(piece.partition("/")[2] or piece) or self.faces[""]

    def has_face(self, look: str) -> bool:
        piece = look.partition("+")[0]
        return "" in self.faces or (piece.partition("/")[2] or piece) in self.faces

    @property
    def sides(self) -> tuple[str, ...]:
        """The faces of a disc that is turned over, in the order in which a hand shows them."""
        discs = (name for name, face in self.faces.items() if face.form == "disc" and face.badge != "stack")
        return tuple(name for name in discs if name)

    def is_neutral(self, look: str) -> bool:
        """Tells whether a piece belongs to nobody: its whole look is then the name of a face."""
        return look.partition("+")[0] in self.faces


@dataclass(frozen=True, eq=False)
class Board:
    """A board file, read and checked. Compared by identity: a file is read once."""

    name: str
    about: str
    pitch_mm: float
    sites: Mapping[str, Point]
    names: Mapping[str, str]
    """What players call the sites, where that is not as the files do: `22` for `c3`."""
    places: Mapping[str, Point]
    marks: Mapping[str, Point]
    links: tuple[tuple[str, str], ...]
    areas: Mapping[str, tuple[str, ...]]
    corners: tuple[Point, Point, Point, Point]
    outline: tuple[Point, ...]
    shapes: tuple[Shape, ...]
    pieces: PieceSet
    tables: Mapping[str, Any]
    provenance: Mapping[str, str]

    def where(self, place: str) -> Point:
        """Returns the middle of a site, of a part of one, or of the way between two sites (`c4-c5`)."""
        if place in self.places or place in self.sites:
            return self.places.get(place) or self.sites[place]
        (ax, ay), (bx, by) = (self.sites[site] for site in place.split("-"))
        return (ax + bx) / 2, (ay + by) / 2

    def site_of(self, place: str) -> str:
        """Returns the site of which a place is a part, `b2` of `b2nw`; every other place as it is."""
        return self._sites_of_parts.get(place, place)

    def called(self, words: str) -> str:
        """Returns words with every site in them as players call it: `22-18` for `c3-d4`.

        Of a message these are its values. Files, and whatever goes over the wire, keep the board's own names.
        """
        if not self.names or not isinstance(words, str):
            return words
        if isinstance(words, Message):
            return words.with_values(self.called)
        if words in self.sites:
            return self.names.get(words) or self._say_between(*self._beside(words))
        return self._sites_in_text.sub(lambda m: self.names.get(m[0]) or "/".join(self._beside(m[0])), words)

    @cached_property
    def _sites_in_text(self) -> re.Pattern[str]:
        longest_first = sorted(map(re.escape, self.sites), key=len, reverse=True)
        return re.compile(f"(?:{'|'.join(longest_first)})(?![0-9])")

    def _say_between(self, one: str, other: str) -> str:
        return say("the square between {one} and {other}", one=one, other=other)

    def _beside(self, site: str) -> tuple[str, str]:
        """Returns the names of two sites between which one without a name lies, in a row if it can be."""
        here = self.sites[site]
        near = sorted(self.names, key=lambda name: dist(self.sites[name], here))[:4]

        def fits(pair: tuple[str, str]) -> tuple[float, float]:
            (_, y), (_, other_y) = (self.sites[name] for name in pair)
            return dist(self.where("-".join(pair)), here), abs(y - other_y)

        one, other = min(combinations(near, 2), key=fits)
        return self.names[one], self.names[other]

    @cached_property
    def _sites_of_parts(self) -> Mapping[str, str]:
        """The site of each part: that with the longest name with which the part's begins."""
        parts = self.places.keys() - self.sites.keys()
        sites = {part: [site for site in self.sites if part.startswith(site)] for part in parts}
        return {part: max(names, key=len) for part, names in sites.items() if names}

    @cached_property
    def half_turn(self) -> Mapping[str, str]:
        """Returns the site, part or spot of a mark that comes to lie at each one when the board is turned
        round: `h8` at `a1`. {} for a board that is not the same then."""
        across, along = (sum(corner[axis] for corner in self.corners) / 2 for axis in (0, 1))
        parts = {part: self.places[part] for part in self.places.keys() - self.sites.keys()}
        turned: dict[str, str] = {}
        for points in (self.sites, parts, self.marks):
            for name, (x, y) in points.items():
                opposite = across - x, along - y
                other = min(points, key=lambda place: dist(points[place], opposite))
                if dist(points[other], opposite) > SAME_POINT:
                    return {}
                turned[name] = other
        return turned

    def turned(self, told: Mapping[str, T]) -> dict[str, T]:
        """Returns what is told of places, by the names of those where they lie on the board turned round."""
        return {self.half_turn.get(place, place): words for place, words in told.items()}

    def __repr__(self) -> str:
        return f"<Board {self.name}: {len(self.sites)} sites>"


def parse_board(data: Mapping[str, Any], name: str = "") -> Board:
    """Returns the board of a file's JSON. BoardError says what is wrong.

    `sites` are where pieces stand, `names` what players call them, `places` parts of sites that are seen
    apart, `marks` the spots where move markers lie, `corners` the four reference points south-west,
    south-east, north-east, north-west, `areas` named sets of sites, and `tables` what else the game's rules
    read.
    """
    board = read_form(data, name)
    if problem := next(find_problems(board), ""):
        raise BoardError(problem)
    return board


def read_form(data: Any, name: str = "") -> Board:
    """Returns the board of a file's JSON, each value of which has the kind and the size that it must have.

    BoardError says of the first that has not. Such a board can be drawn. Whether it makes sense, and which
    games can be played on it, is asked elsewhere.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BoardError(say('not a board file: "format" must be "{form}"', form=FORMAT))
    try:
        return _read(JsonValue(data), name)
    except JsonValueError as error:
        raise BoardError(str(error)) from error


def find_problems(board: Board) -> Iterator[str]:
    """Yields what does not fit together in a board file, a line each."""
    yield from _check_names(board)
    yield from _check_sites(board)
    for (name, point), (other, near) in combinations(board.sites.items(), 2):
        if dist(point, near) < CLOSEST:
            yield say('"sites": {other} lies in the same spot as {name}', other=other, name=name)


def _check_names(board: Board) -> Iterator[str]:
    for site, called in board.names.items():
        if site not in board.sites:
            yield say('"names": {site} is not a site', site=site)
        if not called or [*board.names.values()].count(called) > 1:
            yield say('"names": {site} needs a text that no other site has', site=site)
    if len(board.names) == 1:
        yield say('"names" needs two sites at least')


def _check_sites(board: Board) -> Iterator[str]:
    for link in board.links:
        for site in link:
            if site not in board.sites:
                yield say('"links": {site} is not a site', site=site)
    for site, other in board.links:
        if site == other:
            yield say('"links": {site} is joined to itself', site=site)
    for area, members in board.areas.items():
        for site in members:
            if site not in board.sites:
                yield say('"areas": {site} in "{area}" is not a site', site=site, area=area)


def load_board(name: str) -> Board:
    """Returns a board that comes with the product or with an installed game, by name."""
    return _bundled(name)


def read_board(path: str) -> Board:
    """Reads a board file of the owner's. BoardError when it cannot be read or used."""
    try:
        data = parse_json(read_text(path))
    except OSError as error:
        raise BoardError(
            say("cannot read board file '{path}': {problem}", path=path, problem=error.strerror)
        ) from error
    except ValueError as error:
        raise BoardError(
            say("board file '{path}' is not JSON: {problem}", path=path, problem=error)
        ) from error
    except RecursionError as error:
        raise BoardError(say("board file '{path}' is nested too deep", path=path)) from error
    try:
        return parse_board(data, Path(path).stem)
    except BoardError as error:
        raise BoardError(say("board file '{path}': {problem}", path=path, problem=str(error))) from error


def bundled_boards() -> tuple[str, ...]:
    """Returns the names of the boards that come with the product, and with games installed beside it."""
    return tuple(data_files("boards", ".json"))


def board_text(name: str) -> str:
    """Returns the file of a board by its name. BoardError where there is none."""
    file = data_file("boards", f"{name}.json")
    if file is None:
        known = ", ".join(bundled_boards())
        raise BoardError(say("there is no board '{name}': choose one of {known}", name=name, known=known))
    return file.read_text(encoding="utf-8")


@cache
def _bundled(name: str) -> Board:
    return parse_board(json.loads(board_text(name)), name)


def _read(data: JsonValue, name: str) -> Board:
    sw, se, ne, nw = map(_point, data["corners"].items(4))
    pieces = data["pieces"].or_else({})
    return Board(
        name=data["name"].or_else(name).text(),
        about=data["about"].or_else("").text(),
        pitch_mm=data["pitch_mm"].or_else(40).number(LEAST, FARTHEST),
        sites=_points(data["sites"]),
        names=MappingProxyType({site: called.text() for site, called in data["names"].or_else({}).pairs()}),
        places=_points(data["places"].or_else({})),
        marks=_points(data["marks"].or_else({})),
        links=tuple(_link(link) for link in data["links"].or_else([]).items()),
        areas=MappingProxyType({area: sites.texts() for area, sites in data["areas"].or_else({}).pairs()}),
        corners=(sw, se, ne, nw),
        outline=_polygon(data["outline"], 3),
        shapes=tuple(map(_shape, data["shapes"].or_else([]).items())),
        pieces=PieceSet(
            MappingProxyType({owner: _colour(paint) for owner, paint in pieces["paint"].or_else({}).pairs()}),
            MappingProxyType({kind: _face(face) for kind, face in pieces["faces"].or_else({}).pairs()}),
        ),
        tables=MappingProxyType(data["tables"].or_else({}).object()),
        provenance=MappingProxyType(
            {part: told.choice(PROVENANCES) for part, told in data["provenance"].or_else({}).pairs()}
        ),
    )


def _point(data: JsonValue) -> Point:
    x, y = data.numbers(2, -FARTHEST, FARTHEST)
    return x, y


def _points(data: JsonValue) -> Mapping[str, Point]:
    return MappingProxyType({name: _point(point) for name, point in data.pairs()})


def _polygon(data: JsonValue, least: int) -> tuple[Point, ...]:
    points = tuple(map(_point, data.items()))
    if len(points) < least:
        raise data.wrong(say("must have at least {least} points", least=least))
    return points


def _link(data: JsonValue) -> tuple[str, str]:
    one, other = data.items(2)
    return one.text(), other.text()


def _shape(data: JsonValue) -> Shape:
    kind = data["kind"].choice(SHAPES)
    points, radius = _polygon(data["points"], SHAPES[kind]), data["radius"].or_else(0).number(0, FARTHEST)
    return Shape(kind, points, data["style"].text(), radius, data["words"].or_else("").text())


def _colour(data: JsonValue) -> str:
    if not COLOUR.fullmatch(data.text()):
        raise data.wrong(say("must be a colour as #b1201c"))
    return data.text()


def _face(data: JsonValue) -> Face:
    radius, height = (data[name].number(LEAST, FARTHEST) for name in ("radius", "height"))
    words = (data[name].or_else("").text() for name in ("badge", "name", "context"))
    return Face(data["form"].text(), radius, height, *words)
