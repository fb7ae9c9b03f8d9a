"""By how much a picture is softer than a known one, and sharpening it as much."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn import drawn
from vision.arrays import Image
from vision.finding.board_motion import BoardWatch
from vision.light.focus import SLIGHT, blurs, sharpened, softness

CHESS = drawn("chess", (960, 720))
TILE = 24


def blurred(image: Image, sigma: float) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), dtype=np.uint8)


def tiles(image: Image) -> np.ndarray:
    rows = [
        image[y : y + TILE, x : x + TILE].ravel() for y in range(200, 500, 60) for x in range(300, 700, 60)
    ]
    return np.array(rows, np.float32)


@cache
def grey() -> Image:
    return np.asarray(cv2.cvtColor(CHESS.picture(), cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@pytest.mark.parametrize("sigma", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("gain", [1.0, 0.6])
def test_a_blur_is_measured_whatever_the_light(sigma: float, gain: float) -> None:
    known = np.stack([tiles(image) for image in blurs(grey())], axis=1)
    frame = blurred((grey() * gain).astype(np.uint8), sigma)
    assert softness(tiles(frame), known) == pytest.approx(sigma, abs=0.3)


def test_a_sharp_picture_and_none_at_all_are_not_soft() -> None:
    known = np.stack([tiles(image) for image in blurs(grey())], axis=1)
    assert softness(tiles(grey()), known) == 0
    assert softness(tiles(blurred(grey(), SLIGHT / 2)), known) == 0
    assert softness(tiles(grey())[:0], known[:0]) == 0


@pytest.mark.parametrize("sigma", [1.0, 2.0, 3.0])
def test_sharpening_undoes_a_blur(sigma: float) -> None:
    sharp = CHESS.picture()
    soft = blurred(sharp, sigma)
    before, after = (np.abs(i.astype(float) - sharp).mean() for i in (soft, sharpened(soft, sigma)))
    assert after < 0.8 * before
    assert sharpened(sharp, 0.0) is sharp


def test_sharpening_leaves_what_is_even() -> None:
    plain = np.full((60, 80, 3), 117, np.uint8)
    assert np.abs(sharpened(plain, 2.0).astype(int) - 117).max() <= 1


def test_the_watch_of_a_board_says_how_soft_a_frame_is() -> None:
    watch = BoardWatch.of(CHESS.picture(), CHESS.view, CHESS.board)
    assert watch.check(CHESS.picture()).blur == 0
    assert watch.check(blurred(CHESS.picture(), 2.0)).blur == pytest.approx(2.0, abs=0.3)


def test_a_soft_frame_is_read() -> None:
    seen = CHESS.reader().read(blurred(CHESS.picture(), 2.0))
    assert {place: look for place, look in seen.looks.items() if look != "empty"} == CHESS.looks
