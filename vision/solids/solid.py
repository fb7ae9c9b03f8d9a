"""Pieces as solids of revolution: which samples a piece covers, and which part of it they show.

A piece is a stack of thin slabs, each with a radius. Seen along a line of sight of some slope, a sample
shows the highest slab that the line meets; whether it meets its middle or its rim tells top from side.
One profile so serves every place of the board, however steeply the camera looks there.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Singles
from vision.solids.sample import REACH, WIDTH, LevelLayout

Parts = npt.NDArray[np.int16]

SLABS = 10
RINGS = 4
PARTS = SLABS * RINGS
RADII = np.arange(0.0, 0.5, 0.03)
"""Radii that are tried, in units."""
WIDTHS = (0.7, 0.8, 0.88, 0.94, 1.0, 1.06, 1.12, 1.2)
EDGE = 0.03
"""The least and most (1 - EDGE) that a cover says: outlines are never sure."""


def slab_heights(top: float) -> tuple[float, ...]:
    return tuple((np.arange(SLABS) + 0.5) / SLABS * top)


def lines(layout: LevelLayout, heights: tuple[float, ...], slopes: Singles) -> Singles:
    """Returns distance (slopes, slabs, levels, WIDTH, WIDTH) from the axis at which each sample's line of
    sight passes each slab. A slope is steps along the board for each step down."""
    axis = (np.arange(WIDTH) - REACH) * layout.spacing
    across, along = np.meshgrid(axis, axis)
    drop = np.array(layout.levels)[None, :] - np.array(heights)[:, None]
    y = along + (slopes[:, None, None] * drop)[..., None, None]
    return np.asarray(np.hypot(across, y), dtype=np.float32)


def shown(distance: Singles, radii: tuple[float, ...]) -> Parts:
    """Returns which part (slab · RINGS + ring) each sample shows, -1 for none; from `lines`."""
    shape = (distance.shape[0], *distance.shape[2:])
    part = np.full(shape, -1, np.int16)
    for slab, radius in enumerate(radii):  # upwards: the highest hit stands
        if radius > 0:
            there = distance[:, slab]
            inside = there <= radius
            ring = np.minimum(there / radius * RINGS, RINGS - 1).astype(np.int16)
            part = np.where(inside, slab * RINGS + ring, part)
    return part


def soft(part: Parts) -> Singles:
    """Returns cover, 0…1, of samples that show these parts: blurred at the outline."""
    hard = np.where(part >= 0, 1 - EDGE, EDGE).astype(np.float32)
    flat = hard.reshape(-1, WIDTH, WIDTH)
    blurred = [np.asarray(cv2.GaussianBlur(level, (3, 3), 0.7), np.float32) for level in flat]
    return np.stack(blurred).reshape(hard.shape)


def fit_radii(
    distance: Singles, evidence: Singles, start: tuple[float, ...], unit: float, widest: float
) -> tuple[float, ...]:
    """Returns the profile, nowhere wider than `widest` steps, that best covers what is piece and nothing
    else.

    `evidence` (slopes, levels, WIDTH, WIDTH): positive where samples show a piece, negative where board.
    """
    radii = [min(radius, widest) for radius in stretched(distance, evidence, start)]
    tried = RADII[RADII * unit <= widest] * unit
    hits = distance[None] <= tried[:, None, None, None, None, None]
    for _ in range(3):
        for slab in range(len(radii) - 1, -1, -1):
            others = np.zeros(evidence.shape, bool)
            for k, radius in enumerate(radii):
                if k != slab and radius > 0:
                    others |= distance[:, k] <= radius
            gain = [(evidence * (others | hits[r, :, slab])).sum() for r in range(len(tried))]
            smooth = [
                g - _bend(radii, slab, tried[r]) / unit * np.abs(evidence).sum() for r, g in enumerate(gain)
            ]
            radii[slab] = float(tried[int(np.argmax(smooth))])
    return tuple(radii)


def stretched(distance: Singles, evidence: Singles, start: tuple[float, ...]) -> tuple[float, ...]:
    """Returns the profile made wider or narrower, taller or lower as a whole, as fits best."""
    tall = max(sum(r > 0 for r in start), 1)
    made = [
        tuple(
            wide * start[min(int(k * tall / high), tall - 1)] if k < high else 0.0 for k in range(len(start))
        )
        for wide in WIDTHS
        for high in range(max(tall - 3, 1), min(tall + 3, len(start)) + 1)
    ]
    gains = [float((evidence * (shown(distance, radii) >= 0)).sum()) for radii in made]
    return made[int(np.argmax(gains))]


def _bend(radii: list[float], slab: int, radius: float) -> float:
    near = [radii[k] for k in (slab - 1, slab + 1) if 0 <= k < len(radii)]
    return 0.02 * sum(abs(radius - r) for r in near)
