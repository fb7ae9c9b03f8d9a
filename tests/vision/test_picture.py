"""The small picture of what was seen: rectified, readable by others, and never large."""

import cv2
import numpy as np
import pytest

from companion.core.board import load_board
from companion.sensing.observation import Observation, Reading
from vision.geometry.view import View
from vision.reading.picture import LIGHT, MARGIN, PX_PER_STEP, draw, small_picture

BOARD = load_board("triune")
MATRIX = np.array([[60.0, 0, 60], [0, -60.0, 560], [0, 0, 1]])
SEEN = Observation(1.0, {"a1": Reading({"empty": -9.0, "red/solid": 0.0}, -9.0)})


@pytest.mark.parametrize("seen", [SEEN, None])
@pytest.mark.parametrize(
    ("image", "longest"),
    [
        (np.full((720, 960, 3), 120, np.uint8), 640),
        (np.full((1440, 1920, 3), 120, np.uint8), 640),
        (np.random.default_rng(1).integers(0, 255, (720, 960, 3), np.uint8), 480),
    ],
)
def test_a_small_picture(image: np.ndarray, longest: int, seen: Observation | None) -> None:
    xs, ys = zip(*BOARD.outline, strict=True)
    view = View.of(MATRIX, (960, 720), (min(xs), min(ys), max(xs), max(ys)))
    data = small_picture(image, view, BOARD, seen)
    assert 0 < len(data) <= LIGHT
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert max(picture.shape) <= longest


def test_what_the_camera_does_not_see_is_no_black_strip() -> None:
    """The board's western edge is that of the frame."""
    xs, ys = zip(*BOARD.outline, strict=True)
    extent = (min(xs), min(ys), max(xs), max(ys))
    at_the_edge = np.array([[60.0, 0, -60.0 * min(xs)], [0, -60.0, 560], [0, 0, 1]])
    image = np.full((720, 960, 3), 120, np.uint8)
    cut, whole = (draw(image, View.of(m, (960, 720), extent), BOARD, {}) for m in (at_the_edge, MATRIX))
    assert cut.min() == whole.min() == 120
    assert cut.shape[0] == whole.shape[0]
    assert 0 < whole.shape[1] - cut.shape[1] <= MARGIN * PX_PER_STEP + 1
