"""Which frames are read: none in which nothing changed, and each that may show something new."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from companion.core.game import EMPTY
from companion.games.text import replay
from companion.sensing.observation import Observation, Sighting
from companion.table.policy import POLICY
from vision.arrays import Image
from vision.attention import PACE, REST, STIR, Attention
from vision.geometry.view import View
from vision.light.change import ChangeWatch
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from vision.virtual.render import LightSource

RATE = 20
VIEW = View.of(np.array([[60.0, 0, 40], [0, 60.0, 40], [0, 0, 1]]), (320, 240), (0, 0, 4, 2.6))
WOOD = np.full((240, 320, 3), (60, 110, 150), np.uint8)
NOISE = np.round(np.random.default_rng(0).normal(0, 3, 2 * WOOD.size)).astype(np.int16)


def grains(image: Image, seed: int) -> Image:
    """A picture as a sensor with noise takes it: with another piece of it for each seed."""
    piece = NOISE[7919 * seed % WOOD.size :][: image.size].reshape(image.shape)
    return np.asarray(np.clip(image + piece, 0, 255), dtype=np.uint8)


def spot(image: Image, level: int, at: tuple[int, int] = (120, 160), radius: int = 9) -> Image:
    """With a disc, so many grey levels from what lies under it."""
    y, x = np.ogrid[: image.shape[0], : image.shape[1]]
    disc = (y - at[0]) ** 2 + (x - at[1]) ** 2 <= radius**2
    return np.asarray(np.clip(image.astype(int) + level * disc[..., None], 0, 255), dtype=np.uint8)


def lit(image: Image, gain: float) -> Image:
    return np.asarray(np.clip(image * gain, 0, 255), dtype=np.uint8)


def pushed(image: Image, pixels: int) -> Image:
    return np.roll(image, pixels, axis=1)


LINED = spot(spot(WOOD, -50, (60, 80), 12), 60, (160, 220), 14)


class Board:
    """What stands before the camera: what was read of it, and when."""

    def __init__(self) -> None:
        self.view, self.profile = VIEW, object()
        self.read_at: list[float] = []
        self.passed: list[bool] = []
        self.said = SimpleNamespace(hand=False, trouble="")
        self.attention = Attention(self, self._read)  # type: ignore[arg-type]

    def pass_over(self, time: float, still: bool) -> None:
        self.passed.append(still)

    def _read(self, frame: CameraFrame) -> Sighting:
        self.read_at.append(frame.time)
        seen = None if self.said.trouble else Observation(frame.time, {})
        return Sighting(frame.time, "camera", seen, self.said.hand, trouble=self.said.trouble)

    def show(self, images: Iterable[Image], start: float = 0.0) -> list[Sighting | None]:
        frames = (CameraFrame(start + n / RATE, grains(image, n), n) for n, image in enumerate(images))
        return [self.attention.see(frame) for frame in frames]


def test_a_board_at_rest_is_read_ever_more_seldom_and_said_again_meanwhile() -> None:
    board = Board()
    said = board.show([LINED] * 10 * RATE)
    gaps = np.diff(board.read_at)
    assert len(board.read_at) < 12
    assert (gaps[1:] >= gaps[:-1] - 1e-6).all()
    assert gaps.max() == pytest.approx(REST, abs=1 / RATE)
    assert [s.time for s in said if s] == pytest.approx([n / RATE for n in range(10 * RATE)])
    assert all(s and s.still and s.observation and s.observation.time == s.time for s in said)
    assert all(board.passed)


@pytest.mark.parametrize(
    "changed",
    [
        spot(LINED, 12),
        spot(LINED, -12),
        spot(LINED, 40, radius=5),
        lit(LINED, 1.04),
        lit(LINED, 0.96),
        pushed(LINED, 1),
        lit(pushed(LINED, 2), 0.99),
    ],
    ids=["a lighter piece", "a darker piece", "a small piece", "more light", "less light", "a push", "both"],
)
def test_what_changes_is_read_at_once(changed: Image) -> None:
    board = Board()
    board.show([LINED] * 5 * RATE)
    board.read_at.clear()
    board.show([changed] * RATE, start=5.0)
    assert board.read_at[0] <= 5.0 + STIR
    still = [time for time in board.read_at if time > 5.0]
    assert board.read_at[0] == 5.0 or still[0] <= 5.0 + 1.01 / RATE, "at once, or when it no longer moves"
    assert len(board.read_at) >= 2, "more than once, while it is new"


@pytest.mark.parametrize("gap", [0.05, 0.1, 0.2, 0.3])
def test_a_board_that_comes_to_rest_is_read_twice_until_it_is_believed(gap: float) -> None:
    board = Board()
    board.show([LINED] * 5 * RATE)
    board.read_at.clear()
    for n in range(int(POLICY.hold / gap) + 2):  # as often as a computer takes one
        board.attention.see(CameraFrame(5.0 + n * gap, grains(spot(LINED, 40, radius=5), n), n))
    assert len(board.read_at) == 2


def test_light_that_drifts_slowly_is_read_before_it_is_another_one() -> None:
    board = Board()
    board.show([LINED] * 5 * RATE)
    drifting = [lit(LINED, 1 - 0.1 * n / (10 * RATE)) for n in range(10 * RATE)]
    board.read_at.clear()
    said = board.show(drifting, start=5.0)
    read = [5.0, *board.read_at]
    assert max(np.diff(read)) <= 2.5, "a quarter of the drift at most"
    assert all(s.still for s in said if s)


def test_what_moves_is_not_read_but_told_and_what_is_left_is() -> None:
    board = Board()
    board.show([LINED] * 6 * RATE)
    assert 6.0 - board.read_at[-1] > STIR, "it has rested for long"
    board.read_at.clear()
    moving = [spot(LINED, 80, (60 + 6 * n, 100 + 5 * n), 25) for n in range(RATE // 2)]
    said = board.show(moving, start=6.0)
    assert not board.read_at, "nothing is believed of it"
    assert all(s and not s.still for s in said)
    assert not any(board.passed[-len(moving) :])
    after = board.show([LINED] * 4, start=6.5)
    assert [s.still for s in after if s][-2:] == [True, True]
    assert any(6.5 <= time <= 6.5 + 1.01 / RATE for time in board.read_at)


def test_what_moves_all_the_time_is_read_now_and_then() -> None:
    board = Board()
    board.said.hand = True
    board.show([spot(LINED, 80, (40 + 8 * (n % 16), 160), 25) for n in range(5 * RATE)])
    assert max(np.diff(board.read_at)) == pytest.approx(STIR, abs=1.1 / RATE)


def test_a_change_that_goes_on_is_read_as_by_a_slower_camera() -> None:
    board = Board()
    said = board.show([spot(LINED, 60 * (-1) ** n, radius=3) for n in range(2 * RATE)])
    gaps = np.diff(board.read_at)
    assert gaps.min() >= PACE
    assert gaps.max() <= 2 * PACE
    assert all(s.still for s in said if s), "too little moves to be a hand"
    assert None in said


@pytest.mark.parametrize("trouble", ["too dark", "the board or the camera was moved"])
def test_a_board_that_cannot_be_read_is_looked_at_again_and_again(trouble: str) -> None:
    board = Board()
    board.said.trouble = trouble
    said = board.show([LINED] * RATE)
    assert max(np.diff(board.read_at)) <= 2 * PACE
    assert all(s is None or s.trouble == trouble for s in said)


def test_a_hand_that_rests_is_said_again() -> None:
    board = Board()
    board.said.hand = True
    said = board.show([LINED] * 2 * RATE)
    assert all(s and s.hand for s in said)
    assert len(board.read_at) < 10


def test_pictures_of_moments_that_held_are_all_read() -> None:
    board = Board()
    for n in range(5):
        board.attention.see(CameraFrame(float(n), LINED, n, still=True))
    assert board.read_at == [0, 1, 2, 3, 4]


def test_what_was_read_by_another_profile_is_not_said_again() -> None:
    board = Board()
    board.show([LINED] * 5 * RATE)
    board.profile = object()
    board.read_at.clear()
    board.show([LINED] * 2, start=5.0)
    assert board.read_at[0] == 5.0


def test_time_that_goes_back_is_another_stream() -> None:
    board = Board()
    board.show([LINED] * 2 * RATE, start=100.0)
    board.read_at.clear()
    board.show([LINED], start=0.0)
    assert board.read_at == [0.0]


@pytest.mark.parametrize("light", [LightSource(), LightSource(brightness=0.35)], ids=["daylight", "dim"])
@pytest.mark.parametrize("text", ["chess", "triune"])
def test_each_piece_that_is_taken_away_is_noticed_and_noise_is_not(text: str, light: LightSource) -> None:
    game, position, _ = replay(text)
    table = VirtualTable(game.board, Random(3))
    table.lay(game.rules, position, game.board)
    table.shine(light)
    looks = {place: look for place, look in game.rules.look(position).items() if look != EMPTY}
    camera = table.source(clock=lambda: 0.0, wait=lambda _: None)

    def frame() -> Image:
        table.become(looks)
        seen = camera.read()
        assert seen
        return small(seen.image)

    watch = ChangeWatch(table.view)
    assert watch.changed(frame()), "nothing is kept yet"
    watch.keep(frame())
    assert not any(watch.changed(frame()) for _ in range(5))
    for place in list(looks)[::8]:
        taken = looks.pop(place)
        assert watch.changed(frame()), f"{place} was taken away"
        looks[place] = taken


def small(image: Image) -> Image:
    return np.asarray(cv2.resize(image, (240, 180), interpolation=cv2.INTER_AREA), dtype=np.uint8)
