"""Seen places: where the places of a board lie in a frame, for what is drawn as if it were painted there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from vision.geometry.view import View

NEIGHBOURHOOD = 0.25
"""Steps from a place at which its neighbourhood is measured."""


class SeenPlace(NamedTuple):
    """A place in a frame: its middle, and by how many pixels a step east and a step south of it lead right
    and down. Pixels count from the frame's upper left edge."""

    x: float
    y: float
    east_x: float
    east_y: float
    south_x: float
    south_y: float


def seen_places(
    view: View, points: Mapping[str, tuple[float, float]], size: tuple[int, int]
) -> dict[str, SeenPlace]:
    """Returns where places at these points of the board (steps) lie in frames of a size (width, height)."""
    middles = np.array(list(points.values()), dtype=float).reshape(-1, 2)
    around = [
        (0.0, 0.0),
        (NEIGHBOURHOOD, 0.0),
        (-NEIGHBOURHOOD, 0.0),
        (0.0, NEIGHBOURHOOD),
        (0.0, -NEIGHBOURHOOD),
    ]
    scale = np.array(size) / view.size
    pixels = (view.pixels(np.concatenate([middles + step for step in around])) + 0.5) * scale
    middle, east, west, north, south = np.split(pixels, len(around))
    rows = np.hstack((middle, (east - west) / (2 * NEIGHBOURHOOD), (south - north) / (2 * NEIGHBOURHOOD)))
    return {place: SeenPlace(*map(float, row)) for place, row in zip(points, rows, strict=True)}
