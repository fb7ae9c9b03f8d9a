"""Homographies between pictures."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Singles


def homography(start: npt.NDArray[Any], end: npt.NDArray[Any]) -> Floats:
    """Returns the homography (3, 3) that carries four points (4, 2) to four others."""
    return np.asarray(
        cv2.getPerspectiveTransform(start.astype(np.float32), end.astype(np.float32)), np.float64
    )


def carried(points: npt.NDArray[Any], warp: Floats) -> Singles:
    """Returns points (n, 2) where a homography carries them."""
    moved = cv2.perspectiveTransform(points.astype(np.float32)[None], warp)
    return np.asarray(moved[0], np.float32)


def rectangle(width: float, height: float) -> Singles:
    """Returns the corners (4, 2) of a rectangle that begins at 0, 0."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
