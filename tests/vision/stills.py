"""Games as folders of stills: drawn ones, with hands, exposure steps and quick replies, and a real one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random

import cv2
import numpy as np

from companion.core.board import Point
from companion.core.game import Look, Place
from companion.games.text import Game, split
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile
from vision.geometry.view import View
from vision.known.example import Example
from vision.virtual.render import LightSource, Painter, overlook
from vision.virtual.tabletop import HandColours, Item, Tabletop

ABOVE, LONG_LENS = 80.0, 14.0
"""Degrees: the camera's elevation, and its field of view."""
OFF = 0.35
"""Steps off the middle of a square to which people put pieces, at most."""
EXPOSURES = (0.8, 0.9, 1.0, 1.1, 1.25)
EVERY = 3
"""Of so many stills one has a hand in it."""
QUICK = 0.25
"""How likely it is that a reply comes before the next still."""
SKINS = ("#c98f6b", "#8a5a3c", "#e8c3a8", "#5a3a28")
SLEEVES = ("#39506e", "#1d1d20", "#c9c4b8", "#7a2f2f")
LAMP = LightSource(elevation=75, ambient=0.7)
VIDEO = Path("photos/webcam-chess/scholarsmate.avi")
FILMED = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
FILMED_CORNERS = [(507.0, 377.0), (506.0, 10.0), (140.0, 5.0), (137.0, 374.0)]


@dataclass(frozen=True, eq=False)
class Still:
    """A picture, after how many plies, and whether a hand is in it."""

    image: Image
    plies: int
    hand: bool


@dataclass(frozen=True, eq=False)
class DrawnGame:
    """A game text, drawn as a camera far above the board sees it; learned from the start position alone."""

    text: str
    seed: int = 1

    @cached_property
    def game(self) -> Game:
        return split(self.text)[0]

    @cached_property
    def view(self) -> View:
        return overlook(self.game.board, ABOVE, field_of_view=LONG_LENS)

    @cached_property
    def tables(self) -> list[Tabletop]:
        """The table after each ply: what nobody moved stands where it stood."""
        game, actions = split(self.text)
        rules, position, rng = game.rules, game.start(), Random(self.seed)
        seen = frozenset(rules.looks(position))
        table = _stood(Tabletop(game.board, seen=seen), rules.pieces(position), rng)
        tables = [table]
        for action in actions:
            position = rules.play(position, action).position
            table = _stood(table, rules.pieces(position), rng)
            tables.append(table)
        return tables

    @cached_property
    def profile(self) -> Profile:
        position = self.game.start()
        painter = Painter(self.game.board, self.view, LAMP)
        image = painter.draw(self.tables[0], np.random.default_rng(self.seed))
        corners = [(float(x), float(y)) for x, y in self.view.pixels(self.game.board.corners)]
        looks = self.game.rules.looks(position)
        example = Example(image, self.game.rules.look(position))
        return calibrate(self.game.board, self.text, looks, [example], [], corners)

    def stills(self) -> Iterator[Still]:
        """One after each ply, but for quick replies; in every third a hand, which plays the next ply, has
        just played the last, or hovers. The last one is without."""
        rng, noise = Random(self.seed), np.random.default_rng(self.seed)
        painter = Painter(self.game.board, self.view, LAMP)
        last, count = len(self.tables) - 1, 0
        for plies, table in enumerate(self.tables):
            if plies < last and rng.random() < QUICK:
                continue
            count += 1
            light = replace(LAMP, brightness=rng.choice(EXPOSURES))
            if count % EVERY == 0 and plies < last:
                shown = _handled(table, self.tables[plies + 1], rng)
                yield Still(painter.under(light).draw(shown, noise), plies, True)
                light = replace(LAMP, brightness=rng.choice(EXPOSURES))
            else:
                yield Still(painter.under(light).draw(table, noise), plies, False)


def filmed(shared: Path) -> list[Image]:
    """All frames of a real game, those with hands among them."""
    video = cv2.VideoCapture(str(shared / VIDEO))
    frames = []
    while (read := video.read())[0]:
        frames.append(np.asarray(read[1], dtype=np.uint8))
    return frames


def filmed_profile(first: Image) -> Profile:
    """Learned from the first quiet frame."""
    game = split("chess")[0]
    position = game.start()
    looks, example = game.rules.looks(position), Example(first, game.rules.look(position))
    return calibrate(game.board, "chess", looks, [example], [], FILMED_CORNERS)


def _stood(table: Tabletop, pieces: dict[Place, Look], rng: Random) -> Tabletop:
    """The table with these pieces; those that stood there already are left as they are."""
    standing = {_place(table, item): item for item in table.items}
    items = []
    for place, look in pieces.items():
        old = standing.get(place)
        items.append(old if old and old.look == look else _put(table, place, look, rng))
    return replace(table, items=tuple(items))


def _place(table: Tabletop, item: Item) -> Place:
    x, y = item.at
    sites = table.board.sites
    return min(sites, key=lambda s: (sites[s][0] - x) ** 2 + (sites[s][1] - y) ** 2)


def _put(table: Tabletop, place: Place, look: Look, rng: Random) -> Item:
    x, y = table.board.where(place)
    distance, angle = OFF * rng.random(), rng.uniform(0, 2 * np.pi)
    at = x + distance * float(np.cos(angle)), y + distance * float(np.sin(angle))
    return Item(look, at, turn=rng.uniform(0, 2 * np.pi))


def _handled(table: Tabletop, after: Tabletop, rng: Random) -> Tabletop:
    """With a hand that takes the next piece up, has just put the last one down, or hovers."""
    colours = HandColours(rng.choice(SKINS), sleeve=rng.choice(SLEEVES))
    side = rng.choice((-90.0, 90.0)) + rng.uniform(-50, 50)
    moved = [item for item in table.items if item not in after.items]
    kind = rng.randrange(3)
    if kind == 0 and moved:
        item = moved[0]
        hand = table.grasp(item, side).reach(_between(item.at, rng))
    elif kind == 1 and table.items:
        hand = table.reach(table.items[-1].at, side)
    else:
        hand = table.reach((rng.uniform(0, 7), rng.uniform(0, 7)), side)
    assert hand.hand is not None
    return replace(hand, hand=replace(hand.hand, side=side, colours=colours))


def _between(at: Point, rng: Random) -> Point:
    return at[0] + rng.uniform(-1.5, 1.5), at[1] + rng.uniform(-1.5, 1.5)
