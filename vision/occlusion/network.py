"""The occlusion network: tells where a frame shows neither board, nor piece, nor mere light.

In go a small copy of a frame and what was expected of it (`vision.occlusion.background`); out comes how
certain an occlusion is at each pixel. `vision.training.occlusion` trained the network; docs/model.md
describes it.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Image, Singles
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
COARSE = 2
"""Pixels of the frame to one pixel of the network's answer."""


def inputs(frame: Image, expected: Singles, board: Image, cell: float) -> Singles:
    """Returns the planes (8, H, W) that the network compares; H and W are rounded up to STEP.

    Three planes show the frame (h, w, 3), three what was `expected` (h, w, 3), one the `board` (h, w; 1 where
    it lies), and one the size of a `cell`, given in pixels.
    """
    height, width = frame.shape[:2]
    size = -(-height // STEP) * STEP, -(-width // STEP) * STEP
    level = float(np.median(expected[board > 0])) if board.any() else USUAL_LEVEL
    out = np.zeros((8, *size), np.float32)
    scale = LIGHTNESS / max(level, DARKEST_LEVEL)
    out[0:3, :height, :width] = frame.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[3:6, :height, :width] = expected.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[6, :height, :width] = board
    out[7] = np.log(max(cell, 1.0) / USUAL_CELL)
    return out


def occlusion(frame: Image, expected: Singles, board: Image, cell: float) -> Singles:
    """Returns how certainly each pixel (h, w) of a frame (h, w, 3) shows an occlusion, 0…1; takes what
    `inputs` takes."""
    answer = NETWORK.run(inputs(frame, expected, board, cell)[None])[0, 0]
    whole = cv2.resize(answer, (answer.shape[1] * COARSE, answer.shape[0] * COARSE))
    logits = whole[: frame.shape[0], : frame.shape[1]]
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)
