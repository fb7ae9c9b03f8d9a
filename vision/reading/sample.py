"""Samples: what a picture shows around each place, in coordinates that no camera changes.

Around each place a small block of points is laid out: level slices, from the board's surface up to the
highest head, each a square grid of points. At sites the grid is turned so that its second axis points
away from the camera; so pieces that are alike give samples that are alike, wherever they stand and
whichever way the camera looks. A picture is read through one precomputed map, for all places at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from vision.geometry.view import View

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

SPACING = 0.075
"""Distance of neighbouring samples, in units (the distance of neighbouring sites)."""
WHOLE = 0.1
"""The same for parts of sites."""
REACH = 5
"""A template is 2·REACH + 1 samples wide: wider than any piece."""
SLACK = 2
"""Samples by which a piece may stand off its place."""
LEVELS = 4
WIDTH = 2 * REACH + 1
BLOCK = WIDTH + 2 * SLACK
BUCKETS = 8
FIELD_SPACING = 0.25
"""Steps between the points of the whole board's grid, by which light is compared."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The places of a board that are read, and the heights (steps) at which they are sampled."""

    board: Board
    places: tuple[str, ...]
    levels: tuple[float, ...]

    @cached_property
    def points(self) -> Floats:
        """Middles of the blocks: a part of a site is seen with its whole site."""
        sites = [p.removesuffix(kind) for p, kind in zip(self.places, self.kinds, strict=True)]
        return np.array([self.board.sites[s] for s in sites], dtype=float).reshape(-1, 2)

    @cached_property
    def unit(self) -> float:
        """The distance of neighbouring sites; steps."""
        sites = np.array(list(self.board.sites.values()), dtype=float)
        apart = np.linalg.norm(sites[:, None] - sites[None], axis=2) + 1e9 * np.eye(len(sites))
        return float(np.median(apart.min(axis=1)))

    @cached_property
    def spacing(self) -> float:
        return SPACING * self.unit

    @cached_property
    def spacings(self) -> Floats:
        """(places): what belongs to a part of a site may reach along the whole of it."""
        return np.array([WHOLE if kind else SPACING for kind in self.kinds]) * self.unit

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """'' for sites; for parts of sites the suffix that names the part: pieces there have a direction."""
        return tuple(_suffix(self.board, p) for p in self.places)

    @cached_property
    def field(self) -> Floats:
        """A grid of points over the whole board."""
        outline = np.array(self.board.outline)
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        x, y = np.arange(x0, x1, FIELD_SPACING), np.arange(y0, y1, FIELD_SPACING)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        inside = cv2.convexHull(outline.astype(np.float32))
        keep = [cv2.pointPolygonTest(inside, (float(a), float(b)), measureDist=False) >= 0 for a, b in grid]
        return np.asarray(grid[keep])


@dataclass(frozen=True, eq=False)
class Sampler:
    """The layout seen in one view."""

    layout: Layout
    view: View

    @cached_property
    def axes(self) -> Floats:
        """(places, 2, 2): across the line of sight and along it, on the board."""
        away = self.layout.points - np.array(self.view.eye[:2])
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        axes = np.stack((np.stack((away[:, 1], -away[:, 0]), axis=1), away), axis=1)
        axes[[bool(kind) for kind in self.layout.kinds]] = np.eye(2)
        return axes

    @cached_property
    def blocks(self) -> Floats:
        """(places, LEVELS, BLOCK, BLOCK, 3): the sampled points; steps."""
        offsets = np.arange(BLOCK, dtype=float) - BLOCK // 2
        across, along = np.meshgrid(offsets, offsets)
        flat = np.einsum("p,pij,iab->pabj", self.layout.spacings, self.axes, np.stack((across, along)))
        flat += self.layout.points[:, None, None, :]
        blocks = np.empty((len(flat), len(self.layout.levels), BLOCK, BLOCK, 3))
        blocks[..., :2] = flat[:, None]
        blocks[..., 2] = np.array(self.layout.levels)[None, :, None, None]
        return blocks

    @cached_property
    def slopes(self) -> Floats:
        """How far along the board the line of sight to each place runs for each step down."""
        eye = np.array(self.view.eye)
        return np.asarray(np.linalg.norm(self.layout.points - eye[:2], axis=1) / eye[2])

    @cached_property
    def buckets(self) -> tuple[Singles, npt.NDArray[np.intp]]:
        """A few slopes that stand for all, and which of them each place has."""
        low, high = self.slopes.min(), self.slopes.max()
        steps = np.linspace(low, high, BUCKETS)
        nearest = np.abs(self.slopes[:, None] - steps).argmin(axis=1)
        return steps.astype(np.float32), nearest

    def shadows(self, points: Floats) -> Floats:
        """Where the lines of sight through points (…, 3) meet the board (…, 2)."""
        eye = np.array(self.view.eye)
        stretch = eye[2] / np.maximum(eye[2] - points[..., 2:], 0.05 * eye[2])
        return np.asarray(eye[:2] + (points[..., :2] - eye[:2]) * stretch)

    @cached_property
    def _shared(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        part = np.array([bool(kind) for kind in self.layout.kinds], float)
        _, first, which = np.unique(
            np.column_stack((self.layout.points, part)), axis=0, return_index=True, return_inverse=True
        )
        return np.asarray(first, np.intp), np.asarray(which.reshape(-1), np.intp)

    @property
    def unique(self) -> npt.NDArray[np.intp]:
        """One place for each block: parts of a site share one."""
        return self._shared[0]

    @property
    def block_of(self) -> npt.NDArray[np.intp]:
        """(places): which of the unique blocks lies around each place."""
        return self._shared[1]

    @cached_property
    def _block_map(self) -> SampleMap:
        blocks = self.blocks[self.unique]
        return SampleMap(self.view.pixels(blocks[..., :2].reshape(-1, 2), blocks[..., 2].ravel()))

    @cached_property
    def _field_map(self) -> SampleMap:
        return SampleMap(self.view.pixels(self.layout.field))

    def blocks_of(self, image: Image) -> Singles:
        """(unique blocks, levels, BLOCK, BLOCK, channels): what a picture of the view's size shows, 0…255."""
        return self._block_map.read(image).reshape(len(self.unique), *self.blocks.shape[1:-1], -1)

    def field_of(self, image: Image) -> Singles:
        """(points, channels) on the grid over the whole board, 0…255."""
        return self._field_map.read(image)


class SampleMap:
    """Pixel points (n, 2), prepared for reading any number of pictures."""

    def __init__(self, pixels: Floats) -> None:
        width = 1024  # rows, since `remap` takes no side over 32767
        padded = np.zeros((max(1, -(-len(pixels) // width)) * width, 2), np.float32)
        padded[: len(pixels)] = np.clip(pixels, -9e3, 9e3)
        x, y = padded[:, 0].reshape(-1, width), padded[:, 1].reshape(-1, width)
        self._count = len(pixels)
        self._maps = cv2.convertMaps(x, y, cv2.CV_16SC2)

    def read_labels(self, canvas: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
        """(n): the nearest pixel's label."""
        read = cv2.remap(canvas, *self._maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read, dtype=np.uint16).reshape(-1)[: self._count]

    def read(self, image: Image) -> Singles:
        """(n, channels), in the picture's own values; past its border as at the border."""
        channels = image.shape[2] if image.ndim == 3 else 1
        if not self._count:
            return np.empty((0, channels), np.float32)
        read = cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read.reshape(-1, channels)[: self._count], dtype=np.float32)


def _suffix(board: Board, place: str) -> str:
    if place in board.sites:
        return ""
    site = max((s for s in board.sites if place.startswith(s)), key=len, default="")
    return place[len(site):]


def read_places(board: Board, parts: bool) -> tuple[str, ...]:
    """The places to read: all sites, and where pieces stand on parts of them, these too."""
    return (*board.sites, *board.places) if parts else tuple(board.sites)
