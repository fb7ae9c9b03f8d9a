"""Series: pictures that one camera took of one board, some to learn from and some to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Place
from vision.arrays import Floats, Image
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile, load_profile
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.sources.files import open_video

Size = tuple[int, int]
Frame = Callable[[Size, Floats, Board], tuple[Floats, Size]]
"""A way to frame pictures: from a picture's size (width, height), its homography and its board: the
homography (3, 3) from its pixels to those of a picture framed otherwise, and that one's size."""


def picture(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), dtype=np.uint8)


def frames(video: Path) -> Iterator[Image]:
    source = open_video(str(video))
    return (frame.image for frame in iter(source.read, None))


def through(matrix: Floats, points: Sequence[tuple[float, float]] | Floats) -> Floats:
    """Returns points (n, 2) where a homography carries them."""
    flat = np.asarray(points, dtype=float)
    out: Floats = np.column_stack((flat, np.ones(len(flat)))) @ matrix.T
    return out[:, :2] / out[:, 2:]


def homography(points: Sequence[tuple[float, float]], pixels: Sequence[tuple[float, float]]) -> Floats:
    """Returns the 3x3 that fits four or more points best."""
    matrix, _ = cv2.findHomography(np.array(points, dtype=float), np.array(pixels, dtype=float))
    return np.asarray(matrix, dtype=float)


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture and what is true of it.

    `looks`: what stands where, None where nobody says; `hand`: None where it cannot be told; `matrix`: the
    homography from the board's plane (steps) to the picture's pixels, None where nobody measured it.
    """

    name: str
    load: Callable[[], Image]
    looks: Mapping[Place, Look] | None
    hand: bool | None = False
    matrix: Floats | None = None
    view: int = 0
    """Counts how often the camera was bumped before."""

    @property
    def measured(self) -> Floats:
        if self.matrix is None:
            raise ValueError(f"nobody measured where the board lies in {self.name}")
        return self.matrix

    def framed(self, frame: Frame, board: Board) -> Shot:
        """Returns the picture framed otherwise."""
        first = self.load()
        warp, size = frame((first.shape[1], first.shape[0]), self.measured, board)
        return self._warped(warp, size)

    def _warped(self, warp: Floats, size: Size) -> Shot:
        def load() -> Image:
            image = cv2.warpPerspective(self.load(), warp, size, borderMode=cv2.BORDER_REPLICATE)
            return np.asarray(image, dtype=np.uint8)

        return replace(self, load=load, matrix=warp @ self.measured)


@dataclass(frozen=True, eq=False)
class Series:
    """Pictures of one board by one camera.

    `lessons` are what is learned from and `shots` what is read. `corners`: they are given, not found;
    `south`: the user says on which side south lies; `alone`: each shot is its own lesson.
    """

    name: str
    board: Board
    game: str
    looks: tuple[Look, ...]
    lessons: tuple[Shot, ...]
    shots: tuple[Shot, ...]
    empty: Shot | None = None
    corners: bool = False
    south: bool = False
    alone: bool = False
    unlabelled: frozenset[Place] = field(default_factory=frozenset)
    """Places of which nobody says what stands there."""

    @cached_property
    def places(self) -> frozenset[Place]:
        """The places that are read; parts of sites come on top where something stands on them."""
        return frozenset(self.board.sites) - self.unlabelled

    def profile(self) -> Profile:
        """Learns a profile as a user would. BoardNotFoundError or CameraCalibrationError where that cannot be
        done."""
        first = self.lessons[0]
        return calibrate(
            self.board,
            self.game,
            self.looks,
            [Example(shot.load(), shot.looks or {}) for shot in self.lessons],
            empties=[self.empty.load()] if self.empty else [],
            corners=self._corners(first) if self.corners else None,
            south=south_side(first.measured, self.board) if self.south else None,
        )

    def learned(self) -> Reader:
        """Returns a reader of the learned profile, as its file gives it again."""
        with TemporaryDirectory() as folder:
            file = Path(folder) / "profile.json"
            self.profile().save(file)
            return Reader(load_profile(file), self.board)

    def mounted(self, frame: Frame) -> Series:
        """Returns the same series by a camera that frames it otherwise, all pictures in the same way."""
        first = self.lessons[0].load()
        warp, size = frame((first.shape[1], first.shape[0]), self.lessons[0].measured, self.board)
        return replace(
            self,
            lessons=tuple(shot._warped(warp, size) for shot in self.lessons),
            shots=tuple(shot._warped(warp, size) for shot in self.shots),
            empty=self.empty._warped(warp, size) if self.empty else None,
        )

    def middle(self, shot: Shot) -> tuple[float, float]:
        """Returns the pixel of the board's middle."""
        x, y = through(shot.measured, self.board.corners).mean(axis=0)
        return float(x), float(y)

    def _corners(self, shot: Shot) -> list[tuple[float, float]]:
        """Returns the board's corners in a picture to a tenth of a pixel, as labels say them."""
        pixels = through(shot.measured, self.board.corners).round(1)
        return [(float(x), float(y)) for x, y in pixels]


def south_side(matrix: Floats, board: Board) -> str:
    """Returns the side of the picture on which the south player sits."""
    corners = through(matrix, board.corners)
    across, down = corners[:2].mean(axis=0) - corners.mean(axis=0)
    if abs(across) > abs(down):
        return "right" if across > 0 else "left"
    return "bottom" if down > 0 else "top"


def thinned(series: Sequence[Series], most: int | None) -> list[Series]:
    """Keeps at most so many pictures of all these series together, evenly spread. Series without any are left
    out."""
    total = sum(len(one.shots) for one in series)
    most = total if most is None else min(most, total)
    kept = np.linspace(0, total - 1, most).astype(int)
    out, first = [], 0
    for one in series:
        after = first + len(one.shots)
        mine = kept[(kept >= first) & (kept < after)] - first
        if len(mine):
            out.append(replace(one, shots=tuple(one.shots[at] for at in mine)))
        first = after
    return out


def differing(
    said: Mapping[Place, Look], true: Mapping[Place, Look], places: frozenset[Place]
) -> frozenset[Place]:
    """Returns the places told wrongly, of these and of the parts of sites where something stands or is said
    to."""
    told = places | said.keys() | true.keys()
    return frozenset(p for p in told if said.get(p, EMPTY) != true.get(p, EMPTY))
