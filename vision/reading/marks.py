"""Finds move markers: small discs that players may lay on lines and crossings of the board.

Nobody teaches the camera how they look. But only few of the board's many spots hold one, so a spot that
differs from the empty board far more than the others do holds something. A shadow only darkens a spot, and is
not counted. Spots behind pieces are not seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from companion.core.board import Board
from vision.arrays import Floats, Image, Mask, Outline, Singles
from vision.geometry.samples import SampleMap
from vision.geometry.view import View
from vision.known.reference import Reference

RADIUS = 0.08
"""The radius of the disc that is looked at, well within a marker; steps."""
OFF = 0.1
"""The greatest distance of a marker from its spot; steps."""
SHADOW, GLARE = 0.45, 1.1
"""The darkest and the brightest that light makes a spot, beside the other spots."""
CLEAR_MARK = 4.5
"""A marker is likelier than none from so many times the usual difference."""
NOISE = 3.0
"""Grey levels by which two pictures of the same spot always differ."""
MOST_SAID = 4.0
"""The most that is said for or against a marker; nats."""
FEWEST_SPOTS = 8
"""Among fewer spots none stands out."""
FEWEST_SAMPLES = 4
"""So many of a disc's seven samples must be seen."""


class MarkWatch:
    """The spots of a board in one view; a marker may lie a little off its spot."""

    def __init__(self, board: Board, view: View, reference: Reference) -> None:
        self._names = tuple(board.marks)
        spots = np.array([board.marks[name] for name in self._names], float).reshape(-1, 1, 1, 2)
        points = spots + _ring(OFF)[:, None] + _ring(RADIUS)
        self._shape = points.shape[:3]
        self._where = SampleMap(view.pixels(points.reshape(-1, 2)))
        empty, _ = reference.at(points)
        self._empty = np.maximum(empty, 1.0)
        self._power = (self._empty**2).sum(-1)

    def see(self, image: Image, outlines: Sequence[Outline]) -> Mapping[str, float]:
        """Returns by how much a marker is likelier than none on each spot that is seen; nats.

        `image` is a smoothed frame of the view's size, `outlines` are the polygons (pixels) of the pieces in
        it.
        """
        if not self._names:
            return {}
        shown = self._where.read(image).reshape(*self._shape, 3)
        miss = self._miss(shown, self._is_bare(image.shape[:2], outlines))
        ratios, seen = _ratios(miss.max(axis=1)), miss.max(axis=1) > 0
        return {name: float(r) for name, r, s in zip(self._names, ratios, seen, strict=True) if s}

    def _miss(self, shown: Singles, is_bare: Mask) -> Singles:
        """Returns by how many grey levels each disc differs from the empty board, whatever light is on it.

        It is 0 where too little of a disc is seen.
        """
        strength = (shown * self._empty).sum(-1) / self._power
        usual = float(np.median(strength))
        light = np.clip(strength, SHADOW * usual, GLARE * usual)
        miss = np.sqrt(((shown - light[..., None] * self._empty) ** 2).sum(-1))
        count = is_bare.sum(-1)
        mean = (miss * is_bare).sum(-1) / np.maximum(count, 1) + 1e-3
        return np.where(count >= FEWEST_SAMPLES, mean, 0.0).astype(np.float32)

    def _is_bare(self, size: tuple[int, ...], outlines: Sequence[Outline]) -> Mask:
        """Returns which samples no piece hides."""
        mask = np.zeros(size, np.uint8)
        for outline in outlines:
            hull = cv2.convexHull(outline)
            cv2.fillConvexPoly(mask, hull, 255)
            cv2.polylines(mask, [hull], True, 255, 3)
        return np.asarray(self._where.read(mask).reshape(self._shape) == 0)


def _ratios(miss: Singles) -> Singles:
    """Returns how far each stands out among all, as nats."""
    seen = miss[miss > 0]
    if len(seen) < FEWEST_SPOTS:
        return np.zeros_like(miss)
    middle = float(np.median(seen))
    spread = 1.4826 * float(np.median(np.abs(seen - middle))) + NOISE
    return np.asarray(np.clip((miss - middle) / spread - CLEAR_MARK, -MOST_SAID, MOST_SAID), dtype=np.float32)


def _ring(radius: float) -> Floats:
    """Returns the middle and six points around it (7, 2); steps."""
    turns = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    return np.concatenate([np.zeros((1, 2)), radius * np.stack([np.cos(turns), np.sin(turns)], axis=-1)])
