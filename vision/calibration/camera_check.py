"""Checks how a camera stands over the board, and says how to place it better.

In goes the view of a board that was found in a picture; out comes a `Placement` with advice: raise or lower
the camera, aim it elsewhere, turn it, let it look down more steeply. The limits are those of the table of
heights (`vision.calibration.camera_place`) and of what reading needs, as `python -m benchmarks placement`
measures it (docs/accuracy.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, degrees, hypot
from typing import Literal, NamedTuple

import numpy as np

from companion.core.board import Board
from companion.language import NamedPhrases, Phrases, say
from vision.arrays import Floats
from vision.geometry.view import View

Kind = Literal["higher", "lower", "left", "right", "up", "down", "turn", "flat", "coarse"]

MARGIN_MM = 80.0
"""The margin round the board that is to be in the picture: a hand's breadth."""
ENOUGH_PIXELS = 25.0
"""The pixels of a step that reading wants."""
LEAST_MARGIN_MM = MARGIN_MM / 2
"""The margin round the board below which the camera is too low, or aims beside it: half of the one that the
table of heights leaves, so that a camera placed by the table passes, and one that was nudged by a finger."""
FLATTEST = 55.0
"""The least steepness in degrees: below it pieces hide others, and readings get worse."""
TURN_COST = 1.2
"""By how much larger the board could be in the picture if it lay straight, from which its turn is told: a
fifth more pixels in each direction. A square board in a wide picture is turned by 13° then."""
TURNS = range(-90, 91)
"""The turns of the picture that are tried, in degrees, clockwise."""


class CameraAdvice(NamedTuple):
    """One thing to change: its kind, and a sentence that says what to do and why.

    `left`, `right`, `up` and `down` are directions in the camera's picture. `clockwise` says which way to
    turn the board, as the picture shows it.
    """

    kind: Kind
    words: str
    clockwise: bool = False


@dataclass(frozen=True)
class Placement:
    """The way a camera stands, with advice: the most important first, none where it stands well.

    `step_pixels` are the pixels of a step at the middle of the board, `steepness` the degrees between the
    line of sight there and the table, and `margins` the table that is seen beside the board at the picture's
    left, right, upper and lower edge (mm; negative where the board is cut off).
    """

    advice: tuple[CameraAdvice, ...]
    step_pixels: float
    steepness: float
    margins: tuple[float, float, float, float]

    @property
    def words(self) -> str:
        """The figures in a line."""
        left, right, above, below = self.margins
        return say(
            "{pixels:.0f} pixels a step, {steepness:.0f}° from the table; margins in mm: {left:.0f} left, "
            "{right:.0f} right, {above:.0f} above, {below:.0f} below",
            pixels=self.step_pixels,
            steepness=self.steepness,
            left=left,
            right=right,
            above=above,
            below=below,
        )


AIMS: NamedPhrases = {
    "left": "Turn the camera a little to the left: the board is too near the picture's left edge.",
    "right": "Turn the camera a little to the right: the board is too near the picture's right edge.",
    "up": "Tilt the camera up a little: the board is too near the picture's upper edge.",
    "down": "Tilt the camera down a little: the board is too near the picture's lower edge.",
}


TURN_TO: Phrases = {
    True: (
        "Turn the board by about {angle}° clockwise, or the camera the other way: it could be {larger} % "
        "larger "
        "in the picture."
    ),
    False: (
        "Turn the board by about {angle}° anticlockwise, or the camera the other way: it could be {larger} % "
        "larger in the picture."
    ),
}


TOO_SMALL: NamedPhrases = {
    "lower": "Lower the camera: a step measures {pixels:.0f} pixels, and reading wants {least:.0f}.",
    "coarse": (
        "This camera's picture is too small for the board: a step measures {pixels:.0f} pixels, and "
        "reading wants "
        "{least:.0f}. Take one with more pixels or a narrower lens, and fill the picture with the board."
    ),
}


def check_placement(view: View, board: Board) -> Placement:
    """Returns how the camera of a view stands over its board."""
    size = view.step_pixels(view.middle)
    steepness = _steepness(view)
    margin = LEAST_MARGIN_MM / board.pitch_mm
    room = _Room.of(view, board, margin)
    advice = [*_aim(room), *_tilt(steepness), *_turn(view, board, margin), *_height(room, size)]
    return Placement(tuple(advice), size, steepness, _margins(view, board))


@dataclass(frozen=True)
class _Room:
    """The pixels between what must be seen and the picture's edges; negative where it is cut off."""

    left: float
    right: float
    up: float
    down: float
    size: tuple[int, int]

    @classmethod
    def of(cls, view: View, board: Board, margin: float) -> _Room:
        """Returns the room around a board with `margin` steps round it, and the heads of its pieces."""
        heads = view.pixels(view.corners(), highest(board))
        points = np.concatenate((view.pixels(view.corners(margin)), heads))
        (left, up), (right, down) = points.min(axis=0), points.max(axis=0)
        width, height = view.size
        return cls(float(left), float(width - 1 - right), float(up), float(height - 1 - down), view.size)

    @property
    def growth(self) -> float:
        """By how much larger all of it could be in the picture; less than 1 where it does not fit."""
        width, height = self.size
        across, down = width - self.left - self.right, height - self.up - self.down
        return min(width / across, height / down)


def _aim(room: _Room) -> Iterator[CameraAdvice]:
    """Yields advice where the board with its margin is not wholly in the picture."""
    if room.growth < 1:
        yield CameraAdvice(
            "higher", say("Raise the camera: the board and a margin round it do not fit into the picture.")
        )
    sides: tuple[tuple[Kind, float, float], ...] = (
        ("left", room.left, room.right),
        ("right", room.right, room.left),
        ("up", room.up, room.down),
        ("down", room.down, room.up),
    )
    for kind, here, opposite in sides:
        # Where both sides are short, raising mends it: only what would stay beside the middle is told.
        if here < 0 and opposite > 0:
            yield CameraAdvice(kind, say(AIMS[kind]))


def _tilt(steepness: float) -> Iterator[CameraAdvice]:
    if steepness < FLATTEST:
        yield CameraAdvice(
            "flat",
            say(
                "Let the camera look down more steeply: {steepness:.0f}° from the table is too flat, and "
                "pieces "
                "hide others. Bring it nearer to above the board, to {least:.0f}° or more.",
                steepness=steepness,
                least=FLATTEST,
            ),
        )


def _turn(view: View, board: Board, margin: float) -> Iterator[CameraAdvice]:
    """Yields advice where a board that lay straight could be much larger in the picture."""
    around = np.array(board.outline) - view.middle
    around *= 1 + margin / np.hypot(*around.T)[:, None]
    outline = view.pixels(around + view.middle)
    sizes = {turn: _fitted_size(outline, view.size, turn) for turn in TURNS}
    best = max(TURNS, key=lambda turn: (round(sizes[turn], 3), -abs(turn)))
    if sizes[best] > TURN_COST * sizes[0]:
        larger = round(100 * (sizes[best] / sizes[0] - 1))
        words = say(TURN_TO[best > 0], angle=abs(best), larger=larger)
        yield CameraAdvice("turn", words, best > 0)


def _fitted_size(outline: Floats, size: tuple[int, int], turn: int) -> float:
    """Returns the factor by which an outline (n, 2; pixels), turned clockwise, fills a picture."""
    angle = np.radians(turn)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = outline @ np.array([[cos, sin], [-sin, cos]])  # y goes down, so this turns clockwise
    width, height = np.ptp(turned, axis=0)
    return float(min(size[0] / width, size[1] / height))


def _height(room: _Room, step_pixels: float) -> Iterator[CameraAdvice]:
    """Yields advice where a step has too few pixels to be read."""
    if step_pixels >= ENOUGH_PIXELS:
        return
    kind: Kind = "lower" if step_pixels * room.growth >= ENOUGH_PIXELS else "coarse"
    yield CameraAdvice(kind, say(TOO_SMALL[kind], pixels=step_pixels, least=ENOUGH_PIXELS))


def highest(board: Board) -> float:
    """Returns the height of the board's highest piece; steps."""
    return max((face.height for face in board.pieces.faces.values()), default=0.0)


def _steepness(view: View) -> float:
    """Returns the angle between the line of sight to the board's middle and the table; degrees."""
    x, y, z = view.eye
    east, north = view.middle
    return degrees(atan2(z, hypot(x - east, y - north)))


def _margins(view: View, board: Board) -> tuple[float, float, float, float]:
    """Returns the table seen beside the board at the left, right, upper and lower edge; mm, as if a step
    measured there what it does at the board's middle."""
    corners = view.pixels(view.corners())
    (left, up), (right, down) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    mm = board.pitch_mm / view.step_pixels(view.middle)
    width, height = view.size
    return left * mm, (width - 1 - right) * mm, up * mm, (height - 1 - down) * mm
