"""Tables: some frames of one board in one view, as crops, with what each place shows.

A table is all that training knows of a board. Its name says where it is from, in four parts:
`photo.SET.GROUP.VARIANT`, `rendered.GAME.SEED.VARIANT`, `studio.GAME.SEED.VARIANT` or
`drawn.BOARD.SEED.VARIANT`. Variants differ in how the empty board was known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.core.game import EMPTY, Look, Place
from vision.arrays import Floats, Image, Mask, Singles
from vision.calibration.background_estimate import estimate_background
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference
from vision.reading.sight import Sight

COVERED, UNKNOWN = "?", "~"
"""The labels of a place that something other than a piece hides, and of one that nobody can tell."""
MARGIN = 6
"""Pixels around a crop: training shifts crops by up to as many."""
FULL = 180.0
"""The byte that stands for full light: up to 1.4 times as much is kept, more than a sight shows."""
NEAR = 1.6
"""Units within which places are neighbours, also cornerwise."""


class KnownFrame(NamedTuple):
    """A picture (h, w, 3; BGR), what stands where in it, and whether a hand is in it.

    Places that are not named are EMPTY.
    """

    image: Image
    looks: Mapping[Place, Look]
    hand: bool = False


@dataclass(frozen=True, eq=False)
class CropTable:
    """The crops of some frames, and what they show.

    `colours` (frames, places, height, width, 3) and `empty` (places, height, width, 3) count FULL for full
    light, `doubt` (places, height, width) counts 255 for 1. `looks` and `hands` say what the frames show.
    `points` (places, 2) are the sites, `unit` is the distance of neighbouring ones; steps.
    """

    name: str
    colours: Image
    empty: Image
    doubt: Image
    looks: npt.NDArray[np.str_]
    hands: Mask
    points: Floats
    unit: float

    @classmethod
    def of(cls, name: str, sight: Sight, frames: Sequence[KnownFrame]) -> CropTable:
        """Makes a table of frames as a sight with MARGIN shows them."""
        layout = sight.crops.layout
        return cls(
            name,
            np.stack([_bytes(sight.colours(f.image) * FULL) for f in frames]),
            _bytes(sight.empty * FULL),
            _bytes(sight.doubt * 255),
            np.array([[f.looks.get(p, EMPTY) for p in layout.places] for f in frames]),
            np.array([f.hand for f in frames]),
            layout.points,
            layout.unit,
        )

    @classmethod
    def load(cls, path: Path) -> CropTable:
        """Reads a table from a file that `save` made."""
        with np.load(path) as data:
            arrays = {key: data[key] for key in data.files}
        return cls(path.name.removesuffix(".npz"), **{**arrays, "unit": float(arrays["unit"])})

    def save(self, folder: Path) -> None:
        """Writes the table as `NAME.npz` in a folder that exists."""
        np.savez(folder / f"{self.name}.npz", **{f.name: getattr(self, f.name) for f in fields(self)[1:]})

    @property
    def source(self) -> str:
        """The set of photographs, the rendered game or the drawn board: what is alike."""
        return ".".join(self.name.split(".")[:2])

    @cached_property
    def near(self) -> Mask:
        """(places, places): which are neighbours, or the same."""
        apart = np.linalg.norm(self.points[:, None] - self.points[None], axis=2)
        return np.asarray(apart < NEAR * self.unit)


def variants(
    name: str,
    layout: PlaceLayout,
    views: Sequence[View],
    height: float,
    empty: Image,
    frames: Sequence[KnownFrame],
) -> list[CropTable]:
    """Makes a table in each of two views, with the empty board photographed in the first and guessed in the
    second.

    It is guessed from the first frame, on which pieces are up to a height (steps).
    """
    with_picture, without = views
    references = [
        Reference.of(empty, with_picture),
        estimate_background(layout, without, height, [frames[0].image], [frames[0].looks]),
    ]
    return [
        CropTable.of(f"{name}.{n}", Sight(layout, view, reference, MARGIN), frames)
        for n, (view, reference) in enumerate(zip(views, references, strict=True))
    ]


def matches(name: str, pattern: str) -> bool:
    """Returns whether the parts of a table's name are those of a pattern, as far as it goes:
    `photo.epatha-chess`, or `rendered.*.1*` for all seeds that begin with 1."""
    return all(map(fnmatchcase, name.split("."), pattern.split(".")))


def misplaced(view: View, tilt: float, shift: float, rng: np.random.Generator) -> View:
    """Returns a view as a calibration may find it: a little wrong.

    `shift` (pixels) and `tilt` (pixels for each pixel from the corner) are standard deviations.
    """
    error = np.zeros((3, 3))
    for row in (0, 1):
        error[row] = *rng.normal(0, tilt, 2), rng.normal(0, shift)
    return View.of((np.eye(3) + error) @ view.matrix, view.size, view.extent, view.lens)


def _bytes(values: Singles) -> Image:
    return np.clip(values, 0, 255).astype(np.uint8)
