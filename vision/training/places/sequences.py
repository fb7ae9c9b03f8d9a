"""Makes tables of rendered sequences of games in progress: folders with numbered pictures and a `truth.json`.

The first picture is of the empty board. `views` say where the board lies, `images` what stands on each site,
whether a hand is in the picture and which sites it hides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zlib import crc32

import numpy as np

from companion.core.board import Board, load_board
from companion.core.game import EMPTY, Look, Place
from vision.arrays import Image
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.training.places.tables import COVERED, NEAR, UNKNOWN, CropTable, KnownFrame, misplaced, variants
from vision.training.truth import Entry, read_picture, rendered_looks, rendered_view, truth_of

BOARDS = {"ternion_factor": "ternion"}
"""Boards that are not named as their games."""
TILT, SHIFT = 0.0006, 0.7
"""The error that the views are taken to have."""


@dataclass(frozen=True, eq=False)
class Rendered:
    """One sequence; `truth` is what its truth.json says."""

    folder: Path
    truth: Entry

    @classmethod
    def load(cls, folder: Path) -> Rendered:
        """Reads a sequence from the folder of its pictures."""
        return cls(folder, truth_of(folder))

    @property
    def name(self) -> str:
        """The name of its tables, without the variant; the folder lies in one that is named by its seed."""
        return f"rendered.{self.game}.{self.folder.parent.name}"

    @property
    def game(self) -> str:
        return str(self.truth["game"])

    @cached_property
    def layout(self) -> PlaceLayout:
        board = load_board(BOARDS.get(self.game, self.game))
        return PlaceLayout.of(board, parts=self.game == "teleporters")

    @property
    def board(self) -> Board:
        return self.layout.board

    @cached_property
    def entries(self) -> list[Entry]:
        """The pictures in which the camera is where it was at first; that of the empty board comes first."""
        return [entry for entry in self.truth["images"] if entry["view"] == 0]

    def picture(self, entry: Entry) -> Image:
        return read_picture(self.folder / entry["file"])

    @cached_property
    def view(self) -> View:
        """The true first view."""
        return rendered_view(self.truth, self.truth["views"][0], self.board)

    def frame(self, entry: Entry) -> KnownFrame:
        """Returns a picture with what it shows."""
        return KnownFrame(self.picture(entry), self.labels(entry), bool(entry["hand"]))

    def labels(self, entry: Entry) -> dict[Place, Look]:
        """Returns what a picture shows on each place: COVERED under a hand, and UNKNOWN beside it, where part
        may be hidden."""
        looks = rendered_looks(self.truth, entry)
        hidden = set(entry.get("hidden_by_hand") or [])
        sites = [p.removesuffix(kind) for p, kind in zip(self.layout.places, self.layout.kinds, strict=True)]
        covered = np.array([site in hidden for site in sites])
        if covered.any():
            points = self.layout.points
            apart = np.linalg.norm(points[:, None] - points[covered][None], axis=2).min(axis=1)
            for place, under, far in zip(self.layout.places, covered, apart, strict=True):
                if under or far < NEAR * self.layout.unit:
                    looks[place] = COVERED if under else UNKNOWN
        return looks


def tables(scene: Rendered) -> list[CropTable]:
    """Makes the tables of one sequence; their first frame has neither a hand nor a mistake in it."""
    rng = np.random.default_rng(crc32(scene.name.encode()))
    empty, *played = scene.entries
    calm = next(n for n, entry in enumerate(played) if not (entry["hand"] or entry["illegal"]))
    first_to_last = [played[calm], *played[:calm], *played[calm + 1 :]]
    frames = [scene.frame(entry) for entry in first_to_last]
    height = scene.layout.height(sorted(_named(frames)))
    views = [misplaced(scene.view, TILT, SHIFT, rng) for _ in range(2)]
    return variants(scene.name, scene.layout, views, height, scene.picture(empty), frames)


def _named(frames: Sequence[KnownFrame]) -> set[Look]:
    return {look for frame in frames for look in frame.looks.values()} - {COVERED, UNKNOWN, EMPTY}
