"""The occlusion network: tells where a frame shows neither board, nor piece, nor mere light.

In go a small copy of a frame and what was expected of it (`vision.occlusion.background`); out comes how
certain an occlusion is at each pixel. `vision.training.occlusion` trained the network; docs/model.md
describes it.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image, Indices, Mask, Singles
from vision.networks import Network

WEIGHTS = Path(__file__).with_name("occlusion.onnx")
NETWORK = Network(WEIGHTS)
STEP = 16
"""Pixels of which the sides of the network's pictures are multiples: it halves them four times."""
LIGHTNESS = 0.5
"""The lightness to which both pictures are brought, 0…1; as in training."""
USUAL_LEVEL, DARKEST_LEVEL = 128.0, 10.0
"""The board's grey level where none of it is seen, and the least that is brought to LIGHTNESS."""
USUAL_CELL = 16
"""Pixels of a cell for which the plane that tells its size is 0; as in training."""
SPARSE = 3
"""Pixels from one sample of the board's grey level to the next, in each direction."""
COARSE = 2
"""Pixels of the frame to one pixel of the network's answer."""
AROUND = 32
"""Pixels around what is looked at that the network is shown, too: about two cells. What lies farther away
hardly counts."""


def inputs(frame: Image, expected: Singles, board: Image, cell: float, level: float | None = None) -> Singles:
    """Returns the planes (8, H, W) that the network compares; H and W are rounded up to STEP.

    Three planes show the frame (h, w, 3), three what was `expected` (h, w, 3), one the `board` (h, w; 1 where
    it lies), and one the size of a `cell`, given in pixels. `level` is the board's grey level, where these
    are parts of larger pictures.
    """
    height, width = frame.shape[:2]
    size = -(-height // STEP) * STEP, -(-width // STEP) * STEP
    level = level_of(expected, board) if level is None else level
    out = np.zeros((8, *size), np.float32)
    scale = LIGHTNESS / max(level, DARKEST_LEVEL)
    out[0:3, :height, :width] = frame.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[3:6, :height, :width] = expected.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[6, :height, :width] = board
    out[7] = np.log(max(cell, 1.0) / USUAL_CELL)
    return out


def level_of(expected: Singles, board: Image) -> float:
    """Returns the board's grey level (h, w; 1 where it lies) in a picture (h, w, 3)."""
    some = expected[::SPARSE, ::SPARSE][board[::SPARSE, ::SPARSE] > 0]
    return float(np.median(some)) if some.size else USUAL_LEVEL


def occlusion(frame: Image, expected: Singles, board: Image, cell: float, where: Mask) -> Singles:
    """Returns how certainly each pixel (h, w) of a frame (h, w, 3) shows an occlusion, 0…1; takes what
    `inputs` takes. It is asked `where` (h, w) one may be, and around there: elsewhere it is 0."""
    out = np.zeros(frame.shape[:2], np.float32)
    if not where.any():
        return out
    rows, columns = np.nonzero(where)
    at = _span(rows), _span(columns)
    level = level_of(expected, board)
    answer = NETWORK.run(inputs(frame[at], expected[at], board[at], cell, level)[None])[0, 0]
    whole = cv2.resize(answer, (answer.shape[1] * COARSE, answer.shape[0] * COARSE))
    height, width = out[at].shape
    out[at] = 1 / (1 + np.exp(-whole[:height, :width]))
    return out


def _span(where: Indices) -> slice:
    """Returns the rows, or columns, that are looked at around some: beginning as the network halves them."""
    first, last = int(where.min()), int(where.max())
    return slice(max(0, (first - AROUND) // STEP * STEP), -(-(last + 1 + AROUND) // STEP) * STEP)
