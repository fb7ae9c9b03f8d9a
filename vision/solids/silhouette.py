"""Silhouettes: which part of the picture each piece covers, in pixels of half its size.

They are drawn once for each place, look and shift and kept, since most pieces stand as they stood in the
frame before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Labels, Mask, Outline
from vision.solids.evidence import SHIFTS, LookOfPlace
from vision.solids.sample import REACH, WIDTH, Sampler

KEPT_SILHOUETTES = 4096
"""Silhouettes that are kept before all are drawn anew: some megabytes."""


@dataclass(frozen=True, eq=False)
class Silhouette:
    """`outline` (n, 1, 2) convex, `cover` indices into the flat canvas."""

    outline: Outline
    cover: Outline


class SolidSilhouettes:
    """The silhouettes of all appearances at all places of one view."""

    def __init__(self, sampler: Sampler, appearances: Sequence[LookOfPlace], pixels: Floats) -> None:
        """Takes where the samples are in the whole picture: `pixels` (places, levels, BLOCK, BLOCK, 2)."""
        self._pixels, self._appearances = pixels, appearances
        self._bucket = sampler.buckets[1]
        width, height = sampler.view.size
        self._shape = height // 2 + 1, width // 2 + 1
        middle = tuple(sampler.layout.points.mean(axis=0))
        self._rim = max(1, round(sampler.view.step_pixels(middle) / 2 * 0.1 * sampler.layout.unit))
        self._canvas = np.zeros(self._shape, np.uint16)
        self._kept: dict[tuple[int, int, int], Silhouette] = {}

    def at(self, place: int, appearance: int, shift: int) -> Silhouette:
        key = place, appearance, shift
        if key not in self._kept:
            if len(self._kept) >= KEPT_SILHOUETTES:
                self._kept.clear()
            self._kept[key] = self._draw(*key)
        return self._kept[key]

    def painted(self, pieces: Sequence[tuple[Silhouette, int]]) -> Labels:
        """Returns the canvas with labelled pieces, the last uppermost; it is painted over at the next
        call."""
        self._canvas[:] = 0
        flat = self._canvas.reshape(-1)
        for silhouette, label in pieces:
            flat[silhouette.cover] = label
        return self._canvas

    def index(self, points: Floats) -> Outline:
        """Returns where points (n, 2), in pixels of half the size, are in the flat canvas; those past its
        border at the border."""
        height, width = self._shape
        x, y = np.round(points).T
        return np.asarray(np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1), dtype=np.int32)

    def covers(self, silhouette: Silhouette, points: Outline) -> Mask:
        """Returns which points of the flat canvas it covers."""
        self._canvas[:] = 0
        flat = self._canvas.reshape(-1)
        flat[silhouette.cover] = 1
        return np.asarray(flat[points] > 0)

    def shared(self, one: Silhouette, two: Silhouette) -> float:
        """Returns the share of one that the other covers too."""
        mine, theirs = (self._fill(s.outline) for s in (one, two))
        return float(np.isin(mine, theirs).sum()) / max(len(mine), 1)

    def _draw(self, place: int, appearance: int, shift: int) -> Silhouette:
        """Returns the outline of a solid, or, of what is no solid, every sample that it covers, with a
        rim."""
        points = self._covered(place, appearance, shift)
        outline = np.asarray(cv2.convexHull(points), dtype=np.int32)
        mask = np.zeros(self._shape, np.uint8)
        if self._appearances[appearance].kind:
            for x, y in points:
                cv2.circle(mask, (int(x), int(y)), self._rim, 1, -1)
        else:
            cv2.fillConvexPoly(mask, outline, 1)
            cv2.polylines(mask, [outline], isClosed=True, color=1, thickness=self._rim)
        return Silhouette(outline, np.asarray(np.flatnonzero(mask), dtype=np.int32))

    def _fill(self, outline: Outline) -> Outline:
        mask = np.zeros(self._shape, np.uint8)
        cv2.fillConvexPoly(mask, outline, 1)
        return np.asarray(np.flatnonzero(mask), dtype=np.int32)

    def _covered(self, place: int, appearance: int, shift: int) -> Outline:
        """Returns the samples that a piece covers, or of one that covers none the middle ones on the
        board."""
        dy, dx = SHIFTS[shift]
        inside = self._appearances[appearance].share[self._bucket[place]].sum(axis=0) > 0.5
        points = self._pixels[place, :, dy : dy + WIDTH, dx : dx + WIDTH][inside]
        if len(points) < 3:
            middle = slice(dy + REACH, dy + REACH + 2), slice(dx + REACH, dx + REACH + 2)
            points = self._pixels[place, 0][middle].reshape(-1, 2)
        return np.asarray(np.round(points / 2), dtype=np.int32)
