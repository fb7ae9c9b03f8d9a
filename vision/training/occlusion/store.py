"""Keeps training examples as bytes, in memory and in files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from vision.occlusion.network import COARSE
from vision.training.occlusion.examples import OcclusionExample

CROP = (176, 176)
"""Height and width of the examples."""
PART = 144
"""Height and width of the parts of them that each step sees."""
LEVELS = 120.0
"""Levels of a byte to 1, in the stored examples."""


class ExampleStore:
    """Examples as bytes."""

    def __init__(self, count: int) -> None:
        small = CROP[0] // COARSE, CROP[1] // COARSE
        self.pictures = np.zeros((count, 7, *CROP), np.uint8)
        self.cells = np.zeros(count, np.float32)
        self.answers = np.zeros((count, 2, *small), np.uint8)

    @classmethod
    def load(cls, paths: Sequence[Path]) -> ExampleStore:
        """Returns all examples of some files."""
        store, kept = cls(0), [np.load(path) for path in paths]
        store.pictures, store.cells, store.answers = (
            np.concatenate([k[name] for k in kept]) for name in ("pictures", "cells", "answers")
        )
        return store

    def save(self, path: Path) -> None:
        """Writes the file (.npz)."""
        np.savez(path, pictures=self.pictures, cells=self.cells, answers=self.answers)

    def put(self, n: int, example: OcclusionExample) -> None:
        """Keeps an example as the n-th."""
        x = example.inputs
        self.pictures[n, :6] = np.clip((x[:6] + 0.5) * LEVELS, 0, 255)
        self.pictures[n, 6] = x[6]
        self.cells[n] = x[7, 0, 0]
        self.answers[n] = np.clip(np.stack((example.cover, example.weight)) * 255, 0, 255)

    def batch(self, some: npt.NDArray[np.int64], rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Returns parts of some examples: what is compared, what hides the board, and how much each pixel
        counts."""
        top, left = (2 * int(rng.integers((side - PART) // 2 + 1)) for side in CROP)
        rows, columns = slice(top, top + PART), slice(left, left + PART)
        x = torch.from_numpy(self.pictures[some, :, rows, columns]).float()
        x[:, :6] = x[:, :6] / LEVELS - 0.5
        cells = torch.from_numpy(self.cells[some])[:, None, None, None].expand(-1, 1, PART, PART)
        rows, columns = (slice(s.start // COARSE, s.stop // COARSE) for s in (rows, columns))
        answers = torch.from_numpy(self.answers[some, :, rows, columns]).float() / 255
        turn = int(rng.integers(4))
        x, wanted, weight = (
            torch.rot90(part, turn, (2, 3)).contiguous()
            for part in (torch.cat((x, cells), 1), answers[:, :1], answers[:, 1:])
        )
        return x, wanted, weight
