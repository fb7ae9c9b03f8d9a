"""Makes training examples of the occlusion network: a board as it is known, a frame of it, and what hides it
there.

An example is made of two pictures of one view where there are such, else of one. Pieces are put on; the light
changes evenly, in shadows and in patches of sun; the camera stirs a little.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.hands import AROUND, WIDTH
from vision.occlusion.background import BackgroundModel
from vision.occlusion.network import COARSE, inputs
from vision.training.occlusion.occluders import draw_occluder, draw_piece, put
from vision.training.occlusion.tables import (
    OcclusionTable,
    is_rendered,
    painted,
    photographed,
    rendered,
    side_of,
)
from vision.training.occlusion.warp import carried, homography, rectangle
from vision.training.occlusion.wooden import wooden

PAINTED, WOODEN = 10, 60
"""Drawn tables, and drawn boards, that are added to the sets."""


class FramePair(NamedTuple):
    """Known frames, a frame of the same view, how far each of its pixels is hidden (0…1), the board's
    corners and the places along its side."""

    known: Sequence[Image]
    frame: Image
    cover: Singles
    corners: Floats
    places: float


class OcclusionExample(NamedTuple):
    """The network's inputs (8, h, w), what hides the board and how much that counts (h/COARSE, w/COARSE)."""

    inputs: Singles
    cover: Singles
    weight: Singles


def examples_of(sets: Sequence[Path], seed: int) -> Examples:
    """Makes examples of folders with a truth.json, and of drawn tables and boards."""
    rng = np.random.default_rng(seed)
    tables: list[OcclusionTable] = []
    for folder in sets:
        tables += rendered(folder) if is_rendered(folder) else photographed(folder)
    return Examples([*tables, *painted(rng, PAINTED), *(wooden(rng) for _ in range(WOODEN))], seed)


class Examples:
    """An endless supply of training examples from some tables."""

    def __init__(self, tables: Sequence[OcclusionTable], seed: int) -> None:
        self._tables, self._rng = list(tables), np.random.default_rng(seed)
        shares = np.sqrt([len(t.images) for t in tables])
        self._shares = shares / shares.sum()

    def draw(self, crop: tuple[int, int]) -> OcclusionExample:
        """Returns the next example, of a height and width."""
        pair = self.frame()
        size = WIDTH, round(pair.frame.shape[0] / 2)
        mask = np.zeros(size[::-1], np.uint8)
        middle = pair.corners.mean(axis=0)
        wide = middle + (pair.corners - middle) * (1 + 2 * AROUND / pair.places)
        cv2.fillConvexPoly(mask, np.round(wide / 2).astype(np.int32), 1)
        small, *known = (
            np.asarray(cv2.resize(k, size, interpolation=cv2.INTER_AREA), np.uint8)
            for k in (pair.frame, *pair.known)
        )
        expected = BackgroundModel(known, mask).expected(small)
        x = inputs(small, expected, mask, side_of(pair.corners) / pair.places / 2)
        coarse = size[0] // COARSE, size[1] // COARSE
        y = np.asarray(cv2.resize(pair.cover, coarse, interpolation=cv2.INTER_AREA), np.float32)
        near = np.asarray(cv2.resize(mask, coarse), np.float32)
        return _cropped(self._rng, OcclusionExample(x, y, 0.35 + 0.65 * near), crop)

    def frame(self) -> FramePair:
        """Makes a pair of any table, with light, pieces and occluders by chance."""
        rng, table = self._rng, self._table()
        now, known = self._chosen(table)
        image = now.astype(np.float32) / np.float32(255)
        corners = table.corners.astype(np.float64)
        if rng.random() < 0.5:
            self._pieces(image, corners, table.places)
        cover = self._hidden(image, corners)
        image = self._lit(image, corners)
        image, cover = self._stirred(image, cover)
        if rng.random() < 0.5:
            known = [self._tinted(k, 0.15) for k in known]
        pair = FramePair(known, self._taken(image), cover, corners, table.places)
        return _flipped(pair, int(rng.integers(-1, 2))) if rng.random() < 0.5 else pair

    def _table(self) -> OcclusionTable:
        """Takes any table; one of many pictures rather than one of few."""
        return self._tables[int(self._rng.choice(len(self._tables), p=self._shares))]

    def _chosen(self, table: OcclusionTable) -> tuple[Image, list[Image]]:
        """Returns a picture of a table, and others, or itself, as what is known."""
        rng = self._rng
        now, *rest = rng.permutation(len(table.images)).tolist()
        known = rest[: int(rng.integers(1, 4))] if rest and rng.random() < 0.85 else [now]
        return table.images[now], [table.images[k] for k in known]

    def _pieces(self, image: Singles, corners: Floats, places: float) -> None:
        """Puts some on the board, and some beside it."""
        rng = self._rng
        warp = homography(rectangle(1, 1), corners)
        step = side_of(corners) / places
        colours = [rng.uniform(0.02, 0.98, 3) for _ in range(2)]
        lean = rng.normal(0, 0.5, 2) * step
        for _ in range(int(rng.integers(1, 12))):
            spot = rng.uniform(0, 1, 2) if rng.random() < 0.8 else rng.uniform(-0.3, 1.3, 2)
            draw_piece(
                image,
                rng,
                carried(spot[None], warp)[0],
                lean * rng.uniform(0.3, 1.5),
                step * rng.uniform(0.2, 0.45),
                colours[int(rng.integers(2))],
            )

    def _hidden(self, image: Singles, corners: Floats) -> Singles:
        """Puts occluders over the board, or none; how far each pixel is hidden."""
        rng = self._rng
        cover = np.zeros(image.shape[:2], np.float32)
        if rng.random() < 0.65:
            for _ in range(1 if rng.random() < 0.8 else 2):
                canvas = draw_occluder(rng, _size(image), corners, self._texture(_size(image)))
                canvas[..., :3] *= 2 ** rng.normal(-0.2, 0.35)
                put(image, np.clip(canvas, 0, 1), rng, side_of(corners) * rng.uniform(0.02, 0.15))
                cover = np.maximum(cover, canvas[..., 3])
        return cover

    def _texture(self, size: tuple[int, int]) -> Singles:
        """Returns a piece of any picture, of a height and width."""
        rng = self._rng
        table = self._table()
        image = table.images[int(rng.integers(len(table.images)))]
        h, w = image.shape[:2]
        side = int(rng.integers(20, min(h, w) // 2))
        y, x = int(rng.integers(h - side)), int(rng.integers(w - side))
        part = cv2.resize(image[y : y + side, x : x + side], size[::-1])
        return np.asarray(part, np.float32) / np.float32(255)

    def _lit(self, image: Singles, corners: Floats) -> Singles:
        """Changes the light: shadows and sun with edges, glare, exposure, white balance, and a slope."""
        rng = self._rng
        height, width = _size(image)
        for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
            image = self._patched(image)
        if rng.random() < 0.25:
            image = self._shadowed(image, corners)
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        x = np.linspace(-1, 1, width, dtype=np.float32)[None]
        if rng.random() < 0.2:
            at, wide = rng.uniform(-1, 1, 2).astype(np.float32), rng.uniform(0.1, 0.5)
            glare = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / np.float32(wide**2))
            image = image + np.float32(rng.uniform(0.1, 0.7)) * glare[..., None]
        tilt = rng.normal(0, 0.08, 2).astype(np.float32)
        light = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.06, 3)).astype(np.float32)
        return np.asarray(image * np.exp(tilt[0] * x + tilt[1] * y)[..., None] * light, np.float32)

    def _patched(self, image: Singles) -> Singles:
        """Adds a shadow or a patch of sun that has edges."""
        rng = self._rng
        height, width = _size(image)
        mask = np.zeros((height, width), np.float32)
        points = rng.uniform(-0.4, 1.4, (int(rng.integers(3, 7)), 2)) * (width, height)
        cv2.fillPoly(mask, [np.round(cv2.convexHull(points.astype(np.float32))).astype(np.int32)], [1.0])
        soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 25)), np.float32)
        factor = rng.uniform(0.35, 0.9) if rng.random() < 0.75 else rng.uniform(1.1, 1.8)
        tint = 1 + rng.normal(0, 0.04, 3)
        return image * (1 + soft[..., None] * (factor * tint - 1).astype(np.float32))

    def _shadowed(self, image: Singles, corners: Floats) -> Singles:
        """Adds the shadow of something that is not in the picture."""
        rng = self._rng
        shape = draw_occluder(rng, _size(image), corners, self._texture(_size(image)))[..., 3]
        soft = np.asarray(cv2.GaussianBlur(shape, (0, 0), rng.uniform(0.5, 10)), np.float32)
        return image * (1 - soft * np.float32(rng.uniform(0.2, 0.8)))[..., None]

    def _stirred(self, image: Singles, cover: Singles) -> tuple[Singles, Singles]:
        """Moves and blurs a picture and its cover a little."""
        rng = self._rng
        height, width = cover.shape
        spread = 0.0012 if rng.random() < 0.6 else 0.006
        corners = rectangle(width, height)
        moved = corners + rng.normal(0, spread * width, (4, 2)) + rng.normal(0, spread * width, 2)
        warp = homography(corners, moved)
        image, cover = (
            np.asarray(
                cv2.warpPerspective(p, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.float32
            )
            for p in (image, cover)
        )
        if rng.random() < 0.3:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 2.0)), np.float32)
        return image, cover

    def _tinted(self, image: Image, spread: float) -> Image:
        factor = np.exp(self._rng.normal(0, spread) + self._rng.normal(0, spread / 3, 3))
        return np.clip(image * factor, 0, 255).astype(np.uint8)

    def _taken(self, image: Singles) -> Image:
        """Returns a picture as a camera stores it: with noise, and now and then as a JPEG."""
        rng = self._rng
        noise = rng.standard_normal(image.shape, np.float32) * np.float32(rng.uniform(0, 5))
        taken = np.clip(image * 255 + noise, 0, 255).astype(np.uint8)
        if rng.random() < 0.4:
            quality = int(rng.integers(35, 90))
            _, packed = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, quality])
            taken = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        return taken


def _size(image: Singles) -> tuple[int, int]:
    """Returns the height and the width of an image."""
    return image.shape[0], image.shape[1]


def _flipped(pair: FramePair, way: int) -> FramePair:
    """Mirrors a pair: left and right (1), top and bottom (0), or both (-1)."""
    corners = pair.corners.copy()
    for axis, ways in ((0, (1, -1)), (1, (0, -1))):
        if way in ways:
            corners[:, axis] = pair.frame.shape[1 - axis] - 1 - corners[:, axis]
    known = [np.asarray(cv2.flip(k, way), np.uint8) for k in pair.known]
    frame = np.asarray(cv2.flip(pair.frame, way), np.uint8)
    return FramePair(known, frame, np.asarray(cv2.flip(pair.cover, way), np.float32), corners, pair.places)


def _cropped(rng: np.random.Generator, example: OcclusionExample, crop: tuple[int, int]) -> OcclusionExample:
    """Cuts an example to a size (h, w), at a spot by chance, and pads it where it is smaller."""
    x, y, weight = example
    height, width = crop
    rows, columns = y.shape[0] * COARSE, y.shape[1] * COARSE
    x = x[:, :rows, :columns]
    top = int(rng.integers(0, max(1, rows - height + 1))) // COARSE * COARSE
    left = int(rng.integers(0, max(1, columns - width + 1))) // COARSE * COARSE
    x = x[:, top : top + height, left : left + width]
    part = slice(top // COARSE, (top + height) // COARSE), slice(left // COARSE, (left + width) // COARSE)
    y, weight = y[part], weight[part]
    lack = height - x.shape[1], width - x.shape[2]
    x = np.pad(x, ((0, 0), (0, lack[0]), (0, lack[1])))
    x[7] = x[7, 0, 0]
    small = (0, lack[0] // COARSE), (0, lack[1] // COARSE)
    return OcclusionExample(x, np.pad(y, small), np.pad(weight, small))
