"""Models: what a look is like, wherever it stands and whichever way the camera looks.

A model is a solid and a palette of a few colours; an appearance is what it shows from one view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Indices, Singles
from vision.solids.evidence import COLOURS, LookOfPlace
from vision.solids.sample import WIDTH, LevelLayout, Sampler
from vision.solids.solid import EDGE, lines, shown, slab_heights, soft

SIGMA = np.array([0.09, 0.045, 0.045], np.float32)
"""The usual spread of one paint's colours on a piece; opponent, 0…1."""

SPREAD = np.array([0.07, 0.035, 0.035], np.float32)
"""The spread given to every colour: alike for all, lest a look win by being vague or narrow."""

BLUR = (0.3, 0.8)
"""The covers of a mask up to which a sample is none of the piece's, and from which it is surely the piece's.

Pictures do not lie quite on each other; of samples between these two little can be said."""


@dataclass(frozen=True, eq=False)
class Model:
    """The form and the colours of a look, wherever it stands.

    `radii` of the solid's slabs, `colours` the palette index of each of its PARTS, `mean` and `sigma`
    the palette (COLOURS, 3). Pieces with a direction have a `mask` (levels, WIDTH, WIDTH) instead of
    radii, and their parts are its samples.
    """

    look: str
    kind: str
    radii: tuple[float, ...]
    colours: npt.NDArray[np.int8]
    mean: Singles
    sigma: Singles
    count: float
    mask: Singles | None = None
    bias: float = 0.0
    """Taken off the look's score, so that known pictures are read rightly; nats."""


def standing(models: Sequence[Model], layout: LevelLayout, looks: Mapping[str, str]) -> Indices:
    """Returns (places): which model each place shows where it is known what stands there; -1 for none."""
    index = {(m.look, m.kind): n for n, m in enumerate(models)}
    keys = zip(layout.places, layout.kinds, strict=True)
    return np.array([index.get((looks.get(place, ""), kind), -1) for place, kind in keys], np.intp)


@dataclass(frozen=True, eq=False)
class Geometry:
    """The solids of a layout as they look from the slopes of one view."""

    layout: LevelLayout
    heights: tuple[float, ...]
    distance: Singles
    bucket: Indices
    away: Floats
    """(places, 2): how far the lines of sight run along the board, east and north, for each step down."""

    @classmethod
    def of(cls, sampler: Sampler) -> Geometry:
        slopes, bucket = sampler.buckets
        eye = np.array(sampler.view.eye)
        away = (sampler.layout.points - eye[:2]) / eye[2]
        heights = slab_heights(1.2 * sampler.layout.levels[-1])
        return cls(sampler.layout, heights, lines(sampler.layout, heights, slopes), bucket, away)

    def appearance(self, m: Model) -> LookOfPlace:
        if m.mask is not None:
            colour = m.colours.reshape(m.mask.shape)
            cover = np.clip((m.mask - BLUR[0]) / (BLUR[1] - BLUR[0]), 0, 1)
            share = np.stack([np.where(colour == c, cover, 0).astype(np.float32) for c in range(COLOURS)])
            return LookOfPlace(
                m.look, m.kind, np.repeat(share[None], len(self.distance), 0), m.mean, m.sigma, m.bias
            )
        part = shown(self.distance, m.radii)
        cover = (soft(part) - EDGE) / (1 - 2 * EDGE)
        colour = np.where(part >= 0, m.colours[part], -1)
        near = np.stack([(colour == c).astype(np.float32) for c in range(COLOURS)], axis=1)
        shape = near.shape
        near = np.stack([cv2.GaussianBlur(x, (3, 3), 0.7) for x in near.reshape(-1, WIDTH, WIDTH)]).reshape(
            shape
        )
        total = near.sum(axis=1, keepdims=True)
        return LookOfPlace(
            m.look, m.kind, near / np.maximum(total, 1e-6) * cover[:, None], m.mean, m.sigma, m.bias
        )
