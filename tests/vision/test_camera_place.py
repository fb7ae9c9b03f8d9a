"""How high a camera has to be, by the projection that the reader uses."""

from math import radians, tan
from pathlib import Path

import pytest

from companion.core.board import bundled_boards, load_board
from vision.calibration.camera_check import ENOUGH_PIXELS, MARGIN_MM
from vision.calibration.camera_place import (
    CAMERAS,
    FROM_BESIDE,
    STRAIGHT_DOWN,
    CameraModel,
    least_place,
    sees_all,
    table,
)

CAMERA_GUIDE = Path(__file__).resolve().parents[2] / "docs" / "camera.md"


def test_straight_above_it_is_the_width_of_the_picture_that_counts() -> None:
    """One that sees 60° needs half the board's side over the tangent of 30°."""
    board, camera = load_board("queens"), CameraModel("square", 60.0, 60.0)
    side = max(x for x, _ in board.outline) - min(x for x, _ in board.outline)
    flat = (side * board.pitch_mm / 2 + MARGIN_MM) / tan(radians(30))
    assert least_place(board, camera, STRAIGHT_DOWN).height == pytest.approx(flat, abs=3)


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
@pytest.mark.parametrize("steepness", [STRAIGHT_DOWN, FROM_BESIDE])
def test_a_little_lower_something_is_cut_off(camera: CameraModel, steepness: float) -> None:
    board = load_board("chess")
    place = least_place(board, camera, steepness)
    distance = place.height if steepness == STRAIGHT_DOWN else place.height / 0.866
    assert sees_all(board, camera, steepness, distance + 5)
    assert not sees_all(board, camera, steepness, distance - 5)


@pytest.mark.parametrize("board", sorted(bundled_boards()))
def test_from_there_every_step_has_enough_pixels(board: str) -> None:
    assert all(least_place(load_board(board), c, FROM_BESIDE).step_pixels >= ENOUGH_PIXELS for c in CAMERAS)


def test_the_guide_has_the_table_of_today() -> None:
    words = "put the table of python -m vision.calibration.camera_place there"
    assert table() in CAMERA_GUIDE.read_text(encoding="utf-8"), words
