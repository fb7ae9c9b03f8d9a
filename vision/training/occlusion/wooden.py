"""Draws boards of wood, seen from about above."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.training.occlusion.occluders import draw_piece
from vision.training.occlusion.tables import DRAWN, OcclusionTable, side_of
from vision.training.occlusion.warp import carried, homography, rectangle

SIDE = 640
"""Pixels of a board before it is seen by a camera."""
COUNTS = (8, 8, 8, 10, 13, 18, 9)
"""Places along the side of a board."""
LINED = (13, 18, 9)
"""Those of boards with lines, not squares."""


@dataclass(frozen=True, eq=False)
class Wood:
    """A board: places along its side, the rim around them (places), and colours (blue, green, red; 0…1)."""

    count: int
    light: Floats
    dark: Floats
    rim: Floats
    margin: float

    @property
    def unit(self) -> float:
        """Pixels from place to place."""
        return SIDE / (self.count + 2 * self.margin)

    @classmethod
    def of(cls, rng: np.random.Generator) -> Wood:
        """Makes a board by chance."""
        count = int(rng.choice(COUNTS))
        light = np.array([rng.uniform(0.25, 0.75), rng.uniform(0.4, 0.85), rng.uniform(0.5, 0.95)])
        dark = light * rng.uniform(0.15, 0.7) if rng.random() < 0.8 else rng.uniform(0.03, 0.6, 3)
        return cls(count, light, dark, light * rng.uniform(0.3, 1.1), rng.uniform(0.0, 1.0))

    def drawn(self, rng: np.random.Generator) -> Singles:
        """Returns the empty board from above (SIDE, SIDE, 3)."""
        grid = np.linspace(-self.margin, self.count + self.margin, SIDE)
        x, y = np.meshgrid(grid, grid)
        board = np.broadcast_to(self.light, (SIDE, SIDE, 3)).copy()
        if self.count in LINED or rng.random() < 0.1:
            near = np.minimum(np.abs(x - np.round(x)), np.abs(y - np.round(y))) < rng.uniform(0.02, 0.05)
            board[near] = self.dark
        else:
            board[(np.floor(x) + np.floor(y)) % 2 == 0] = self.dark
        board[(x < 0) | (y < 0) | (x > self.count) | (y > self.count)] = self.rim
        board *= (1 + rng.uniform(0.02, 0.12) * _grain(rng, (SIDE, SIDE)))[..., None]
        return board.astype(np.float32)

    def pieces(self, rng: np.random.Generator) -> list[Floats]:
        """Returns the colours of two players: often of the board's own woods."""
        light, dark = rng.uniform(0.9, 1.2), rng.uniform(0.2, 0.8)
        if rng.random() < 0.4:
            return [rng.uniform(0.02, 0.98, 3) for _ in range(2)]
        return [np.clip(self.light * light, 0, 1), np.clip(self.dark * dark, 0, 1)]


@dataclass(frozen=True, eq=False)
class BoardPose:
    """The place of a board in a picture so high: its middle and corners (pixels), and its squeeze."""

    height: int
    middle: Floats
    corners: Floats
    squeeze: float

    @classmethod
    def of(cls, rng: np.random.Generator) -> BoardPose:
        """Puts a board into a picture by chance."""
        height = int(rng.choice([320, 360, 480, 270]))
        half = 0.5 * height * rng.uniform(0.7, 1.15)
        middle = np.array([DRAWN / 2, height / 2]) + rng.normal(0, 0.04 * height, 2)
        turn = rng.normal(0, 0.05)
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) @ turned
        squeeze = rng.uniform(0.6, 1.0)
        depth = 1 + rng.uniform(0, 0.5) * (1 - squeeze) * flat[:, 1:]
        return cls(height, middle, middle + half * flat * (1, squeeze) * depth, squeeze)


def wooden(rng: np.random.Generator) -> OcclusionTable:
    """Squares or lines, with pieces that differ from picture to picture."""
    wood = Wood.of(rng)
    board, pose = wood.drawn(rng), BoardPose.of(rng)
    warp = homography(rectangle(SIDE, SIDE), pose.corners)
    empty = _seen(rng, board, warp, pose.height)
    square = (rectangle(wood.count, wood.count) + np.float32(wood.margin)) * np.float32(wood.unit)
    corners = carried(square, warp)
    colours = wood.pieces(rng)
    eye = pose.middle + rng.normal(0, 0.05 * pose.height, 2)
    tall = rng.uniform(0.0, 0.25)
    step = side_of(corners) / wood.count
    images = [_stored(empty)]
    for _ in range(3):
        image = empty.copy()
        for place in rng.permutation(wood.count**2)[: int(rng.integers(2, 33))]:
            spot = np.array(divmod(int(place), wood.count)) + 0.5 + rng.normal(0, 0.07, 2) + wood.margin
            at = carried(spot[None] * wood.unit, warp)[0]
            lean = (at - eye) * tall * rng.uniform(0.6, 1.2) + (
                0, -(1 - pose.squeeze) * 2.0 * step * tall * 4
            )  # fmt: skip
            draw_piece(image, rng, at, lean, step * rng.uniform(0.27, 0.42), colours[int(rng.integers(2))])
        images.append(_stored(image))
    return OcclusionTable(images, corners, float(wood.count))


def _seen(rng: np.random.Generator, board: Singles, warp: Floats, height: int) -> Singles:
    """Returns a board on a table (height, DRAWN, 3) where a homography carries it."""
    colour = np.broadcast_to(rng.uniform(0.05, 0.9, 3), (height, DRAWN, 3))
    table = colour * (1 + 0.06 * _grain(rng, (height, DRAWN)))[..., None]
    seen = cv2.warpPerspective(board, warp, (DRAWN, height))
    mask = cv2.warpPerspective(np.ones((SIDE, SIDE), np.float32), warp, (DRAWN, height))[..., None]
    return np.asarray(table * (1 - mask) + seen * mask, np.float32)


def _grain(rng: np.random.Generator, size: tuple[int, int]) -> Singles:
    """Returns a wood's grain (h, w), about 0."""
    knots = size[0] // int(rng.integers(2, 6)) + 1, size[1] // int(rng.integers(20, 90)) + 2
    coarse = rng.normal(0, 1, knots).astype(np.float32)
    out = np.asarray(cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_CUBIC), np.float32)
    return out.T if rng.random() < 0.5 and size[0] == size[1] else out


def _stored(image: Singles) -> Image:
    return np.clip(image * 255, 0, 255).astype(np.uint8)
