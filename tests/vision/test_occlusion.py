"""Hands, arms, sleeves, gloves, heads and cups over a board are noticed in a still, and little else is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from benchmarks.hands import kifu, video
from companion.core.game import EMPTY
from tests.vision.drawn import NOON, drawn
from vision.arrays import Image
from vision.hands import HandWatch, Occlusion, shrink
from vision.occlusion.background import BackgroundModel

soak = pytest.mark.soak
TRIUNE = drawn("triune")
CLOTHS = {
    "navy": (70, 45, 30),
    "black": (25, 25, 25),
    "white": (235, 235, 235),
    "red": (40, 40, 190),
    "skin": (125, 160, 200),
}
SIDES = {"south": (330, 520), "north": (300, -40), "east": (700, 200), "west": (-60, 260)}


@cache
def watch() -> HandWatch:
    layout = TRIUNE.layout
    return HandWatch([shrink(TRIUNE.empty), shrink(TRIUNE.picture())], TRIUNE.view, layout.unit)


def with_arm(image: Image, side: str, cloth: str) -> Image:
    """A sleeve from a side of the picture to the board's middle, a fist at its end."""
    out = image.copy()
    x, y = SIDES[side]
    middle = (320, 240)
    cv2.line(out, (x, y), middle, tuple(0.9 * c for c in CLOTHS[cloth]), 70, cv2.LINE_AA)
    cv2.circle(out, middle, 44, (120, 155, 200), -1, cv2.LINE_AA)
    return out


@pytest.mark.parametrize(
    ("side", "cloth"),
    [
        pytest.param(side, cloth, marks=[] if side == "south" or cloth == "navy" else [soak])
        for side, cloth in product(SIDES, CLOTHS)
    ],
)
def test_an_arm_from_any_side_in_any_cloth_is_seen(side: str, cloth: str) -> None:
    seen = watch().sees(with_arm(TRIUNE.picture(), side, cloth))
    assert seen.hand
    hidden = seen.hides(np.array([(320.0, 240.0), *TRIUNE.view.pixels(TRIUNE.board.corners)]), 20.0)
    assert hidden[0] > 0.5
    assert (hidden[1:] > 0.5).sum() <= 1


@pytest.mark.parametrize("light", [1.0, 0.6, 1.35])
def test_exposure_is_no_hand(light: float) -> None:
    frame = np.clip(TRIUNE.picture() * light, 0, 255).astype(np.uint8)
    assert not watch().sees(frame).hand


def test_pieces_that_moved_are_no_hand() -> None:
    rng = Random(2)
    table, looks = TRIUNE.table(), TRIUNE.looks
    for _ in range(6):
        places = rng.sample(sorted(looks), len(looks))
        empty = [p for p in TRIUNE.layout.places if p not in looks]
        moved = dict(zip(rng.sample([*places, *empty], len(looks)), looks.values(), strict=True))
        table = table.become(moved, rng)
        assert not watch().sees(TRIUNE.picture(table)).hand


def test_what_differs_by_noise_alone_is_no_hand_whatever_the_network_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.hands.occlusion", lambda frame, *_: np.ones(frame.shape[:2], np.float32))
    noisy = np.random.default_rng(5).normal(60, 3, (180, 240, 3))
    seen = HandWatch([np.full(noisy.shape, 60, np.uint8)], TRIUNE.view, TRIUNE.layout.unit)
    assert not seen.sees(noisy.astype(np.uint8)).mask.any()
    noisy[78:102, 108:132] += 12
    mask = seen.sees(noisy.astype(np.uint8)).mask
    assert mask[80:100, 110:130].all()
    assert mask.sum() < 900


FINGERTIPS = {((0.0, 0.0), -90.0), ((7.0, 3.0), 0.0)}
"""Of the wood's own colour and over the rim only: not noticed yet."""
ANGLES = (-90.0, 0.0, 90.0, 180.0)
FARTHER = [(at, side) for at in ((0.0, 0.0), (7.0, 3.0)) for side in ANGLES]
"""Where a hand hides less: in the soak."""


@pytest.mark.parametrize(
    ("at", "side"),
    [
        *(((3.5, 3.5), side) for side in ANGLES),
        *(
            pytest.param(*r, marks=[soak, pytest.mark.xfail(strict=False)] if r in FINGERTIPS else [soak])
            for r in FARTHER
        ),
    ],
)
def test_what_a_hand_hides_is_not_read_and_the_rest_is(at: tuple[float, float], side: float) -> None:
    reader = TRIUNE.reader()
    hand = TRIUNE.table().reach(at, side)
    seen = reader.read(TRIUNE.picture(hand, replace(NOON, shade=0.3)))
    assert seen.sighting.hand
    assert seen.sighting.observation is not None
    told = {p: r for p, r in seen.sighting.observation.readings.items() if any(r.looks.values())}
    wrong = [p for p in told if seen.looks[p] != TRIUNE.looks.get(p, EMPTY)]
    assert len(told) > 0.4 * len(seen.looks)
    assert len(wrong) <= 1, wrong


def test_a_disc_is_hidden_as_far_as_the_mask_covers_it() -> None:
    mask = np.zeros((60, 80), np.uint8)
    mask[:, :40] = 1
    seen = Occlusion(True, mask, 0.25)
    shares = seen.hides(np.array([(40.0, 100.0), (160.0, 100.0), (280.0, 100.0)]), 30.0)
    assert shares[0] == 1
    assert 0.3 < shares[1] < 0.7
    assert shares[2] == 0


def test_each_pixel_is_expected_as_in_the_known_frame_that_is_nearest() -> None:
    grey = np.full((60, 80, 3), 120, np.uint8)
    left, right = grey.copy(), grey.copy()
    left[20:40, 10:30] = 30
    right[20:40, 50:70] = 230
    both = np.minimum(left, 200)
    both[20:40, 50:70] = 230
    expected = BackgroundModel([left, right], np.ones((60, 80), np.uint8)).expected(both)
    assert np.abs(expected - both)[22:38].mean() < 6


def test_hands_over_a_real_board(shared: Path) -> None:
    tally = kifu(shared, None)
    assert tally.noticed >= 18
    assert tally.false <= tally.clean / 100


def test_hands_in_a_real_game(shared: Path) -> None:
    tally = video(shared, None)
    assert tally.noticed >= 0.95 * tally.hands
    assert tally.false <= 0.05 * tally.clean
