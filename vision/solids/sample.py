"""Samples: the colours of a picture around each place, in coordinates that no camera changes.

Around each place a small block of points is laid out: level slices, from the board's surface up to the
highest head, each a square grid of points. At sites the grid is turned so that its second axis points away
from the camera. So pieces that are alike give samples that are alike, wherever they stand and whichever way
the camera looks. A picture is read through one precomputed map, for all places at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.core.game import Look
from vision.arrays import Floats, Image, Indices, Singles
from vision.geometry.samples import SampleMap
from vision.geometry.view import View
from vision.known.layout import PlaceLayout

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


@dataclass(frozen=True, eq=False)
class LevelLayout(PlaceLayout):
    """A layout, and the heights (steps) at which its places are sampled."""

    levels: tuple[float, ...]

    @classmethod
    def of_profile(cls, layout: PlaceLayout, looks: Sequence[Look]) -> LevelLayout:
        """Lays levels from the board to the highest head, as the board file says."""
        height = layout.height(looks, taller=1.0)
        return cls(layout.board, layout.places, tuple(float(z) for z in np.linspace(0, height, LEVELS)))

    @cached_property
    def spacing(self) -> float:
        return SPACING * self.unit

    @cached_property
    def spacings(self) -> Floats:
        """(places): what belongs to a part of a site may reach along the whole of it."""
        return np.array([WHOLE if kind else SPACING for kind in self.kinds]) * self.unit


@dataclass(frozen=True, eq=False)
class Sampler:
    """The layout seen in one view."""

    layout: LevelLayout
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
        """The way along the board that the line of sight to each place runs for each step down."""
        eye = np.array(self.view.eye)
        return np.asarray(np.linalg.norm(self.layout.points - eye[:2], axis=1) / eye[2])

    @cached_property
    def buckets(self) -> tuple[Singles, Indices]:
        """A few slopes that stand for all, and which of them each place has."""
        low, high = self.slopes.min(), self.slopes.max()
        steps = np.linspace(low, high, BUCKETS)
        nearest = np.abs(self.slopes[:, None] - steps).argmin(axis=1)
        return steps.astype(np.float32), nearest

    @cached_property
    def _shared(self) -> tuple[Indices, Indices]:
        part = np.array([bool(kind) for kind in self.layout.kinds], float)
        _, first, which = np.unique(
            np.column_stack((self.layout.points, part)), axis=0, return_index=True, return_inverse=True
        )
        return np.asarray(first, np.intp), np.asarray(which.reshape(-1), np.intp)

    @property
    def unique(self) -> Indices:
        """One place for each block: parts of a site share one."""
        return self._shared[0]

    @property
    def block_of(self) -> Indices:
        """(places): which of the unique blocks lies around each place."""
        return self._shared[1]

    @cached_property
    def _block_maps(self) -> list[SampleMap]:
        blocks = self.blocks[self.unique].reshape(len(self.unique), -1, 3)
        pixels = self.view.pixels(blocks[..., :2].reshape(-1, 2), blocks[..., 2].ravel())
        return [SampleMap(of_one) for of_one in pixels.reshape(*blocks.shape[:2], 2)]

    @cached_property
    def _field_map(self) -> SampleMap:
        return SampleMap(self.view.pixels(self.layout.field))

    def blocks_near(self, places: Indices) -> Indices:
        """Returns the unique blocks around some places."""
        return np.unique(self.block_of[places])

    def blocks_of(self, image: Image, blocks: Indices) -> Singles:
        """Returns (blocks, levels, BLOCK, BLOCK, channels): what a picture of the view's size shows in some
        of the unique blocks, 0…255."""
        shown = np.stack([self._block_maps[n].read(image) for n in blocks])
        return shown.reshape(len(blocks), *self.blocks.shape[1:-1], -1)

    def field_of(self, image: Image) -> Singles:
        """Returns (points, channels) on the grid over the whole board, 0…255."""
        return self._field_map.read(image)
