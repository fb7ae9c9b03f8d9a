"""The truth of the rendered scenes, as views of the product's boards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.board import Board, load_board
from vision.arrays import Floats, Image
from vision.geometry.view import View
from vision.training.truth import rendered_view

BOARDS = {
    "escape": "escape",
    "magnet": "magnet",
    "teleporters": "teleporters",
    "ternion_factor": "ternion",
    "ternion_spaces": "ternion_spaces",
    "trid": "trid",
    "triune": "triune",
}


@dataclass(frozen=True, eq=False)
class SceneTruth:
    """One sequence of pictures and what they show."""

    folder: Path
    data: dict[str, Any]
    board: Board

    def picture(self, number: int) -> Image:
        return np.asarray(cv2.imread(str(self.folder / f"{number:03d}.jpg")), dtype=np.uint8)

    @property
    def pictures(self) -> list[dict[str, Any]]:
        images: list[dict[str, Any]] = self.data["images"]
        return images

    def view_of(self, number: int) -> dict[str, Any]:
        view: dict[str, Any] = self.data["views"][self.pictures[number]["view"]]
        return view

    @property
    def points(self) -> Floats:
        """The sites in steps of the board file."""
        outline = np.array(self.board.outline)
        middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
        sites = np.array(list(self.data["sites_mm"].values())) / self.data["pitch_mm"]
        return np.asarray(sites + middle)

    def pixels(self, number: int) -> Floats:
        """The sites in pixels of a picture, in the order of `points`."""
        sites = self.view_of(number)["sites"]
        return np.array([sites[name] for name in self.data["sites_mm"]], dtype=float)

    def view(self, number: int) -> View:
        """The true view."""
        return rendered_view(self.data, self.view_of(number), self.board)


@cache
def scene(folder: Path) -> SceneTruth:
    data = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return SceneTruth(folder, data, load_board(BOARDS[folder.name]))


def errors(view: View, points: Floats, pixels: Floats) -> Floats:
    """How far (steps) a view puts each site from where it is."""
    return np.asarray(np.linalg.norm(view.board(pixels) - points, axis=1))
