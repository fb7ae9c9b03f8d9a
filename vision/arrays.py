"""The types of arrays that vision passes around: one name for each kind of value.

A type tells the values' dtype; a shape stands in the docstring of what takes or gives an array, as
(height, width, 3) or (n, 2), with the unit where there is one. Pictures are indexed [row, column], points are
(x, y).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
"""A picture: (height, width, 3), colours in the order blue, green, red; or (height, width), grey; 0…255."""
Singles = npt.NDArray[np.float32]
"""Measured values of many pixels or places, where 7 digits are enough: colours, gains, scores."""
Floats = npt.NDArray[np.float64]
"""Coordinates and matrices of geometry: points (n, 2), homographies (3, 3)."""
AnyFloats = npt.NDArray[np.floating[Any]]
"""Either of these two."""
Mask = npt.NDArray[np.bool_]
"""For each pixel, place or sample whether something holds there."""
Indices = npt.NDArray[np.intp]
"""Positions in other arrays, and counts."""
Labels = npt.NDArray[np.uint16]
"""A picture (height, width) that names for each pixel what it belongs to, by number."""
Outline = npt.NDArray[np.int32]
"""The corners (n, 2) of a polygon in a picture, in whole pixels."""
