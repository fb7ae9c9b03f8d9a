"""The picture of a reading: the board from straight above."""

import numpy as np

from companion.core.board import load_board
from vision.geometry.view import View
from vision.reading.picture import MARGIN, PX_PER_STEP, draw

BOARD = load_board("triune")
MATRIX = np.array([[60.0, 0, 60], [0, -60.0, 560], [0, 0, 1]])


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
