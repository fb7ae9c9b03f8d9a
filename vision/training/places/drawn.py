"""Makes tables with the product's own painter, by chance: boards, colours, shapes of pieces, views, lights,
hands.

The pictures are rough, but there is no end of them, and of each place it is known what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import cos, sin
from random import Random

import numpy as np

from companion.core.board import Board, load_board
from companion.core.game import Look, Place
from vision.arrays import Image, Mask
from vision.geometry.view import View
from vision.known.layout import TALLER, PlaceLayout
from vision.reading.crops import Crops
from vision.training.places.tables import COVERED, MARGIN, UNKNOWN, CropTable, KnownFrame, misplaced, variants
from vision.virtual.layout import corner_of, spacing
from vision.virtual.render import Finish, ImageSensor, LightSource, Painter, overlook
from vision.virtual.render.finish import WOODS, Carving, Style
from vision.virtual.tabletop import Hand, HandColours, Item, Tabletop, stand

Rgb = tuple[int, int, int]

SIZE = (960, 720)
FRAMES = 5
LOOKS: Mapping[str, Sequence[Look]] = {
    "chess": ("white", "black"),
    "triune": tuple(f"{o}/{f}" for o in ("red", "blue") for f in ("solid", "marked", "triune")),
    "ternion": ("black", "white", "black+T", "white+T", "black+A", "white+A", "+T", "+A"),
    "ternion_spaces": (
        "black",
        "white",
        "red",
        "black+T",
        "white+T",
        "red+A",
        "black+A",
        "+T",
        "+A",
        "+M",
    ),
    "trid": tuple(
        f"{o}/{f}" for o in ("black", "blue", "red", "green") for f in ("master", "glider", "jumper")
    ),
    "magnet": ("red", "blue", "magnet"),
    "teleporters": ("south/pole", "north/pole", "south/port", "north/port"),
}
"""Boards that are drawn, and what may stand there."""
BOARDS = ("chess",) * 5 + tuple(name for name in LOOKS if name != "chess")
"""Chess as often as nearly all others: its sets differ the most."""
KINDS = {"pawn": 4, "knight": 1, "bishop": 1, "rook": 1, "queen": 1, "king": 1}
"""Pieces of chess, and how many of each to one another; what is looked for is their colour alone."""
MATERIALS: Sequence[Rgb] = (
    (215, 171, 116),
    (226, 198, 145),
    (120, 80, 50),
    (60, 40, 28),
    (240, 235, 225),
    (30, 30, 32),
    (180, 120, 70),
    (150, 60, 40),
)
PAINTS: Sequence[Rgb] = (
    *MATERIALS,
    (175, 45, 38),
    (45, 88, 165),
    (56, 132, 72),
    (226, 176, 40),
    (118, 58, 150),
)
CHESS_SETS: Sequence[tuple[Rgb, Rgb]] = (
    ((30, 28, 28), (235, 225, 205)),
    ((70, 40, 25), (220, 180, 120)),
    ((25, 25, 25), (200, 160, 110)),
    ((110, 60, 35), (235, 215, 170)),
)
"""Black and white."""
LIGHT_CELLS: Sequence[Rgb] = ((207, 168, 115), (240, 230, 210), (235, 235, 230), (225, 200, 150))
DARK_CELLS: Sequence[Rgb] = (
    (134, 87, 58),
    (60, 100, 70),
    (40, 40, 42),
    (90, 60, 40),
    (50, 70, 120),
    (150, 100, 60),
)
SKINS = ("#c98f6b", "#8a5a3c", "#e3b594", "#5a3825", "#3a3a40", "#d8d8d8")
"""Also gloves."""
SEEN = 10
"""Grey levels by which a hand or its shadow changes a pixel that counts as hidden."""
MIDDLE = np.s_[:, MARGIN + 14 : MARGIN + 46, MARGIN + 12 : MARGIN + 36]
AROUND = np.s_[:, MARGIN + 8 : -MARGIN, MARGIN + 8 : -MARGIN - 8]
"""The parts of crops in which a piece is, and in which what is beside it matters too."""
MOSTLY, PARTLY = 0.4, 0.12
"""The share of them that must be hidden for a place to be COVERED, and to be UNKNOWN."""


def tables(seed: int) -> list[CropTable]:
    """Makes the tables of one board; they are the same for each seed."""
    chance, rng = Random(seed), np.random.default_rng(seed)
    name = chance.choice(BOARDS)
    board = _made(load_board(name), chance)
    layout = PlaceLayout.of(board, parts=name == "teleporters")
    view, light = _view(board, chance), _light(chance)
    sensor = ImageSensor(chance.uniform(0.5, 3.5), chance.choice([0, 0, 0.6, 1.0]))
    painter = Painter(board, view, light, _finish(board, chance), sensor)
    shots = list(_shots(painter, Scatter.over(board, LOOKS[name], chance), rng))
    empty = Painter(board, view, light, painter.finish, sensor).draw(Tabletop(board), rng)
    tilt = chance.choice([0.0003, 0.001, 0.002])
    views = [misplaced(view, tilt, 0.8, rng) for _ in range(2)]
    marks = Crops(layout, view, MARGIN)
    frames = [shot.frame(marks) for shot in shots]
    height = TALLER * max(face.height for face in board.pieces.faces.values())
    return variants(f"drawn.{name}.{seed}", layout, views, height, empty, frames)


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture, what stands where, and which pixels a hand hides; None without a hand."""

    image: Image
    looks: Mapping[Place, Look]
    hidden: Mask | None = None

    def frame(self, crops: Crops) -> KnownFrame:
        """Returns the frame, with the places of crops with MARGIN that are COVERED or UNKNOWN."""
        if self.hidden is None:
            return KnownFrame(self.image, self.looks)
        mask = np.repeat(np.uint8(255) * self.hidden[..., None], 3, axis=2)
        hidden = crops.read(mask)[..., 0] > 127
        marks = {
            place: COVERED if middle > MOSTLY else UNKNOWN
            for place, middle, around in zip(
                crops.layout.places, hidden[MIDDLE].mean((1, 2)), hidden[AROUND].mean((1, 2)), strict=True
            )
            if middle > MOSTLY or around > PARTLY
        }
        return KnownFrame(self.image, {**self.looks, **marks}, hand=True)


@dataclass
class Scatter:
    """Pieces put on a board by chance, each up to `off` steps off its place."""

    board: Board
    looks: Sequence[Look]
    off: float
    chance: Random
    standing: dict[Place, tuple[Look, Item]] = field(default_factory=dict)

    @classmethod
    def over(cls, board: Board, looks: Sequence[Look], chance: Random) -> Scatter:
        """Returns a board with some pieces on it."""
        scatter = cls(board, looks, chance.choice([0.03, 0.08, 0.15, 0.25, 0.35]) * spacing(board), chance)
        scatter.add(chance.choice([10, 16, 24, 32]))
        return scatter

    @property
    def table(self) -> Tabletop:
        return Tabletop(self.board, tuple(item for _, item in self.standing.values()))

    @property
    def truth(self) -> dict[Place, Look]:
        return {place: look for place, (look, _) in self.standing.items()}

    def add(self, count: int) -> None:
        """Puts at most so many pieces on places that are free."""
        for _ in range(count):
            look = self.chance.choice(self.looks)
            port = look.endswith("/port")
            place = self.chance.choice(list(self.board.places if port else self.board.sites))
            if place not in self.standing and not (port and self._is_crossed(place)):
                self.standing[place] = look, self._item(place, look)

    def take(self, count: int) -> None:
        """Takes at most so many pieces away."""
        for place in self.chance.sample(sorted(self.standing), min(len(self.standing), count)):
            del self.standing[place]

    def _is_crossed(self, corner: Place) -> bool:
        """Returns whether the walls of a Port there would meet another one's: two fit into opposite corners
        only."""
        opposite = {"nw": "se", "se": "nw", "ne": "sw", "sw": "ne"}[corner[-2:]]
        return any(
            corner_of(self.board, place) not in ("", opposite)
            for place in self.standing
            if self.board.site_of(place) == self.board.site_of(corner)
        )

    def _item(self, place: Place, look: Look) -> Item:
        chess = self.board.name == "chess"
        body = f"{look}/{self.chance.choices([*KINDS], [*KINDS.values()])[0]}" if chess else look
        item = stand(self.board, place, body, self.chance)
        if item.corner:
            return item
        x, y = self.board.where(place)
        far, angle = self.off * self.chance.random() ** 0.5, self.chance.uniform(0, 6.3)
        turn = self.chance.uniform(-3, 3) if chess else item.turn
        return replace(item, at=(x + far * cos(angle), y + far * sin(angle)), turn=turn)


def _shots(painter: Painter, scatter: Scatter, rng: np.random.Generator) -> Iterator[Shot]:
    """Yields FRAMES pictures; after the first one pieces change, sometimes the light, and hands come in."""
    chance, first = scatter.chance, painter.light
    yield Shot(painter.draw(scatter.table, rng), scatter.truth)
    for _ in range(FRAMES - 1):
        scatter.take(chance.randint(2, 8))
        scatter.add(chance.randint(2, 8))
        if chance.random() < 0.5:
            painter = painter.under(_changed(first, chance))
        if chance.random() < 0.35:
            yield _with_hand(painter, scatter, rng)
        else:
            yield Shot(painter.draw(scatter.table, rng), scatter.truth)


def _with_hand(painter: Painter, scatter: Scatter, rng: np.random.Generator) -> Shot:
    chance, board = scatter.chance, scatter.board
    at = board.where(chance.choice(list(board.sites)))
    skin, sleeve = chance.choice(SKINS), _colour([chance.randint(10, 245) for _ in range(3)])
    hand = Hand(at, chance.uniform(0, 360), colours=HandColours(skin, skin, sleeve, sleeve))
    table = replace(scatter.table, hand=hand)
    clean, shown = painter.draw(scatter.table).astype(int), painter.draw(table)
    hidden = np.asarray(np.abs(shown - clean).max(axis=2) > SEEN)
    return Shot(painter.draw(table, rng), scatter.truth, hidden)


def _made(board: Board, chance: Random) -> Board:
    """Returns the board with pieces of other colours and sizes."""
    paint = {name: _tone(chance, chance.choice(PAINTS), 30) for name in board.pieces.paint}
    if board.name == "chess":
        dark, light = chance.choice(CHESS_SETS)
        paint = {name: _tone(chance, dark if name == "black" else light, 22) for name in paint}
    wide, high = chance.uniform(0.8, 1.2), chance.uniform(0.7, 1.35)
    faces = {
        name: replace(f, radius=f.radius * (wide if f.form != "port" else 1.0), height=f.height * high)
        for name, f in board.pieces.faces.items()
    }
    return replace(board, pieces=replace(board.pieces, paint=paint, faces=faces))


def _finish(board: Board, chance: Random) -> Finish:
    """Returns any materials; a board and a set of chess are of their own make."""
    styles: tuple[tuple[str, Style], ...] = ()
    carving = None
    if board.name == "chess":
        light, dark = (_tone(chance, chance.choice(some), 18) for some in (LIGHT_CELLS, DARK_CELLS))
        styles = (
            ("light", Style(light, "#555555", 0.012, chance.uniform(0.8, 1))),
            ("dark", Style(dark, "#444444", 0.012, chance.uniform(0.8, 1))),
        )
        carving = Carving({kind: _profile(chance) for kind in KINDS}, chance.uniform(0.02, 0.7))
    woods = [*WOODS]
    return Finish(chance.choice(woods), chance.choice(woods), chance.random() < 0.3, styles, carving)


def _profile(chance: Random) -> list[tuple[float, float]]:
    """Returns the profile of something turned that has a foot and a top."""
    foot = [(0.9, 0.0), (1.0, 0.05), (chance.uniform(0.8, 1), 0.12)]
    heights = sorted(chance.uniform(0.15, 0.9) for _ in range(chance.randint(3, 7)))
    body = [(chance.uniform(0.25, 0.8), height) for height in heights]
    return [*foot, *body, (chance.uniform(0.1, 0.6), 0.96), (0.0, 1.0)]


def _view(board: Board, chance: Random) -> View:
    """Returns a view from any height, mostly from a side of the board, with lenses from long to wide."""
    elevations = (38, 60), (55, 75), (70, 89.5), (82, 89.9)
    return overlook(
        board,
        chance.uniform(*chance.choice(elevations)),
        chance.choice([-90, -90, 0, 90, 180]) + chance.uniform(-30, 30),
        size=SIZE,
        field_of_view=chance.choice([10, 20, 35, 45, 60, 72]),
        room=chance.uniform(0.2, 1.6),
        zoom=chance.uniform(0.95, 1.12),
        bend=chance.choice([0, 0, -0.05, -0.1]),
    )


def _light(chance: Random) -> LightSource:
    return LightSource(
        chance.uniform(0, 360),
        chance.uniform(25, 80),
        chance.uniform(0.25, 0.8),
        chance.uniform(0.55, 1.25),
        chance.uniform(3500, 8500),
    )


def _changed(light: LightSource, chance: Random) -> LightSource:
    """Returns the light a little later; it comes from where it came from."""
    return replace(
        light,
        brightness=light.brightness * chance.uniform(0.75, 1.25),
        kelvin=light.kelvin * chance.uniform(0.85, 1.15),
        shade=chance.choice([0, 0, chance.uniform(0.1, 0.45)]),
    )


def _tone(chance: Random, colour: Rgb, spread: float) -> str:
    """Returns a colour like another one."""
    return _colour([max(4, min(250, int(c + chance.uniform(-spread, spread)))) for c in colour])


def _colour(values: Sequence[int]) -> str:
    return "#" + "".join(f"{value:02x}" for value in values)
