"""The occlusion network: where a frame shows what is neither the board, nor a piece, nor mere light.

It compares a frame with what was expected of it. `vision.training.occlusion` made it (docs/model.md).
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks import Network

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("occlusion.onnx")
NETWORK = Network(WEIGHTS)
STEP = 16
"""Pixels by which sizes of the network's pictures go."""
LIGHTNESS = 0.5
"""The lightness to which both pictures are brought, 0…1."""
COARSE = 2
"""Pixels of the frame to one of what the network answers."""


def inputs(frame: Image, expected: Singles, board: Image, cell: float) -> Singles:
    """What the network compares (8, H, W; sizes rounded up to STEP): the frame, what was expected, the board
    (1 where it is) and its `cell` in pixels."""
    height, width = frame.shape[:2]
    size = -(-height // STEP) * STEP, -(-width // STEP) * STEP
    level = float(np.median(expected[board > 0])) if board.any() else 128.0
    out = np.zeros((8, *size), np.float32)
    scale = LIGHTNESS / max(level, 10.0)
    out[0:3, :height, :width] = frame.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[3:6, :height, :width] = expected.transpose(2, 0, 1) * np.float32(scale) - LIGHTNESS
    out[6, :height, :width] = board
    out[7] = np.log(max(cell, 1.0) / 16)
    return out


def occlusion(frame: Image, expected: Singles, board: Image, cell: float) -> Singles:
    """How certainly each pixel (h, w) of a frame (h, w, 3) shows an occlusion, 0…1."""
    answer = NETWORK.run(inputs(frame, expected, board, cell)[None])[0, 0]
    whole = cv2.resize(answer, (answer.shape[1] * COARSE, answer.shape[0] * COARSE))
    logits = whole[: frame.shape[0], : frame.shape[1]]
    return np.asarray(1 / (1 + np.exp(-logits)), dtype=np.float32)
