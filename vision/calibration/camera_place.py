"""Computes how high a camera has to be for each board.

`python -m vision.calibration.camera_place` prints the table of all boards and the usual cameras. A camera
looks at the middle of the board, straight down or from beside it. It is high enough where the whole board is
in the picture, with a margin and with its highest pieces, by the projection that the reader uses.
"""

from __future__ import annotations

import sys
from math import radians, sin, tan
from typing import NamedTuple

import numpy as np

from companion import games
from companion.core.board import Board, bundled_boards, load_board
from vision.calibration.camera_check import ENOUGH_PIXELS, MARGIN_MM, highest
from vision.geometry.lens import Lens
from vision.geometry.view import View
from vision.virtual.render.outlook import Mast, look

WIDTH = 1280
"""The width of the pictures, in pixels."""
STRAIGHT_DOWN, FROM_BESIDE = 90.0, 60.0
"""Degrees from the table."""
SOUTH = -90.0
"""The side of the board on which the camera stands, as a `Mast` has it."""
FARTHEST_MM = 5000.0


class CameraModel(NamedTuple):
    """A camera by its name, and its whole field of view in degrees, as its maker tells it."""

    name: str
    across: float
    down: float

    def lens(self) -> tuple[Lens, tuple[int, int]]:
        """Returns its lens, and the size of its pictures."""
        focal = WIDTH / 2 / tan(radians(self.across / 2))
        height = round(2 * focal * tan(radians(self.down / 2)))
        return Lens(focal, focal, (WIDTH - 1) / 2, (height - 1) / 2), (WIDTH, height)


CAMERAS = (
    CameraModel("Camera Module 2", 62.2, 48.8),
    CameraModel("Camera Module 3", 66.0, 41.0),
    CameraModel("Camera Module 3 Wide", 102.0, 67.0),
    CameraModel("HQ Camera, 6 mm lens", 55.3, 42.9),
    CameraModel("webcam, 78° (as C920)", 70.4, 43.3),
    CameraModel("webcam, 60° (as C270)", 53.4, 31.6),
)
"""The webcams' makers tell the field of view from corner to corner: across and down follow from 16:9."""


class CameraPlace(NamedTuple):
    """The place of a camera: its height above the board (mm), and the pixels of a step at the middle."""

    height: float
    step_pixels: float


def least_place(board: Board, camera: CameraModel, steepness: float) -> CameraPlace:
    """Returns the lowest place from which the camera sees the whole board; `steepness` is in degrees."""
    near, far = 1.0, FARTHEST_MM
    while far - near > 1.0:
        middle = (near + far) / 2
        near, far = (near, middle) if sees_all(board, camera, steepness, middle) else (middle, far)
    view = view_from(board, camera, steepness, far)
    return CameraPlace(far * sin(radians(steepness)), view.step_pixels(view.middle))


def sees_all(board: Board, camera: CameraModel, steepness: float, distance: float) -> bool:
    """Returns whether the board with its margin, and the heads of its pieces, are in the picture."""
    view = view_from(board, camera, steepness, distance)
    if view.eye[2] <= highest(board):
        return False
    heads = view.pixels(view.corners(), highest(board))
    points = np.concatenate((view.pixels(view.corners(MARGIN_MM / board.pitch_mm)), heads))
    return bool(np.all((points >= 0) & (points <= np.array(view.size) - 1)))


def view_from(board: Board, camera: CameraModel, steepness: float, distance: float) -> View:
    """Returns the view of a camera so many mm from the board's middle, which it looks at from the south."""
    lens, size = camera.lens()
    middle = np.mean((np.min(board.outline, axis=0), np.max(board.outline, axis=0)), axis=0)
    return look(board, lens, size, Mast(middle, distance / board.pitch_mm, steepness, SOUTH))


def table() -> str:
    """Returns the table of boards and cameras as Markdown: the height straight above, and from beside; cm."""
    head = ("board of", *(camera.name for camera in CAMERAS))
    rows = [head, ("---",) * len(head)]
    boards = [load_board(name) for name in bundled_boards()]
    rows += [(_games_on(board), *(_cell(board, camera) for camera in CAMERAS)) for board in boards]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _games_on(board: Board) -> str:
    """Returns the games that are played on a board: 'Escape!, Ternion Factor', 'Draughts (international)'."""
    found = []
    for rules in map(games.rules, games.installed()):
        options = {option.name: option.default for option in rules.options}
        if rules.board_for(options) == board.name:
            found.append(str(rules.title))
            continue
        chosen = ((option.name, value) for option in rules.options for value in option.values)
        values = [value for name, value in chosen if rules.board_for({**options, name: value}) == board.name]
        found += [f"{rules.title} ({value})" for value in values]
    return ", ".join(found)


def _cell(board: Board, camera: CameraModel) -> str:
    places = [least_place(board, camera, steepness) for steepness in (STRAIGHT_DOWN, FROM_BESIDE)]
    heights = " / ".join(f"{place.height / 10:.0f}" for place in places)
    return heights if places[1].step_pixels >= ENOUGH_PIXELS else f"{heights} *"


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
