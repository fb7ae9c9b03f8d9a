"""A bump is noticed, pieces and hands are none, and the view is found again."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import Board, load_board
from tests.samples import first_few
from tests.vision.truth import BOARDS, errors, scene
from vision.arrays import Floats, Image
from vision.finding.board_motion import BoardInFrame, BoardWatch, find_again, homography, recognise
from vision.geometry.view import View


def moved(image: Image, motion: Floats) -> Image:
    size = image.shape[1], image.shape[0]
    warped = cv2.warpPerspective(image, motion, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, dtype=np.uint8)


def shift(x: float, y: float) -> Floats:
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])


def turn(degrees: float) -> Floats:
    return np.vstack((cv2.getRotationMatrix2D((480, 360), degrees, 1), (0, 0, 1)))


@pytest.mark.parametrize("game", BOARDS)
def test_a_game_with_hands_is_no_bump_and_a_bump_is(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game)
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    for number, picture in enumerate(truth.pictures):
        seen = watch.check(truth.picture(number))
        assert seen.state is (BoardInFrame.OK if picture["view"] == 0 else BoardInFrame.MOVED), number


@pytest.mark.parametrize("game", ["triune", "trid", "ternion_factor"])
def test_shifts_that_matter_are_noticed(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game)
    view, last = truth.view(1), truth.picture(len(truth.pictures) - 1)
    step = view.step_pixels((3.5, 3.5))
    watch = BoardWatch.of(truth.picture(1), view, truth.board)
    assert watch.check(moved(last, shift(0.03 * step, 0))).state is BoardInFrame.OK
    for motion in (shift(0.07 * step, 0), shift(0.16 * step, 0), shift(0, -0.17 * step), turn(2)):
        seen = watch.check(moved(last, motion))
        assert seen.state is BoardInFrame.MOVED
        assert seen.motion is not None
        assert seen.shift == pytest.approx(0.17, abs=0.14)
        there = np.column_stack((truth.pixels(1), np.ones(len(truth.points)))) @ motion.T
        assert errors(seen.view, truth.points, there[:, :2]).max() < 0.01
    for motion in (shift(2 * step, step), shift(48, -36), turn(12)):
        assert watch.check(moved(last, motion)).state is not BoardInFrame.OK


def test_a_shift_beyond_the_reach_of_the_patches_is_not_taken_for_a_smaller_one(shared: Path) -> None:
    truth = scene(shared / "scenes" / "triune")
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    for far in (1, 2, 3):
        assert watch.check(moved(truth.picture(1), shift(watch.reach + far, 0))).state is BoardInFrame.HIDDEN


def test_a_few_points_in_a_row_tell_little_but_a_shift() -> None:
    chance = np.random.default_rng(1)
    before = np.column_stack((np.linspace(100, 200, 12), np.linspace(300, 301, 12)))
    after = before + np.array([3.4, -2.3]) + chance.normal(0, 0.2, before.shape)
    assert (homography(before, after) @ (900, 600, 1)).tolist() == pytest.approx([903.4, 597.7, 1], abs=0.8)


@pytest.mark.parametrize("cells", [1.1, 1.2, -1.1, -1.2])
def test_a_push_by_a_cell_is_not_put_back_as_a_smaller_one(shared: Path, cells: float) -> None:
    # Most of what is found of this board looks alike from cell to cell.
    truth = scene(shared / "scenes" / "teleporters")
    view = truth.view(1)
    watch = BoardWatch.of(truth.picture(1), view, truth.board)
    pushed = moved(truth.picture(1), shift(cells * view.step_pixels((3.5, 3.5)), 0))
    assert watch.check(pushed).motion is None


def test_a_motion_is_told_as_exactly_at_the_corners(shared: Path) -> None:
    # Its camera is turned: by an affine motion the far corners are half a pixel off.
    truth = scene(shared / "scenes" / "triune")
    frame, view = truth.picture(len(truth.pictures) - 1), truth.view(1)
    corners = np.array([(0, 0), (960, 0), (960, 720), (0, 720)], np.float32)
    bent = corners + np.array([(4, 2), (8, 4), (4, 4), (8, 2)], np.float32)
    motion = np.asarray(cv2.getPerspectiveTransform(corners, bent), float)
    seen = BoardWatch.of(truth.picture(1), view, truth.board).check(moved(frame, motion))
    there = np.column_stack((view.pixels(truth.points), np.ones(len(truth.points)))) @ motion.T
    assert errors(seen.view, truth.points, there[:, :2] / there[:, 2:]).max() < 0.005


@pytest.mark.parametrize("shown", [0, 1, 2])
def test_a_view_stays_as_it_was_found_where_hardly_a_patch_is_seen(shared: Path, shown: int) -> None:
    truth = scene(shared / "scenes" / "magnet")
    frame, view = truth.picture(1), truth.view(1)
    watch = BoardWatch.of(frame, view, truth.board)
    hidden = np.full_like(frame, 90)
    for x, y in watch.places[:shown].astype(int):
        hidden[y - 12 : y + 13, x - 12 : x + 13] = frame[y - 12 : y + 13, x - 12 : x + 13]
    assert watch.registered(hidden, view) is view


@pytest.mark.parametrize("gain", [0.4, 0.7, 1.4])
def test_light_that_changes_is_no_bump(shared: Path, gain: float) -> None:
    truth = scene(shared / "scenes" / "magnet")
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    frame = np.clip(truth.picture(6) * gain, 0, 255).astype(np.uint8)
    assert watch.check(frame).state is BoardInFrame.OK


def test_a_covered_board_is_hidden(shared: Path) -> None:
    truth = scene(shared / "scenes" / "escape")
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    frame = truth.picture(1)
    frame[:, :] = (90, 120, 160)
    seen = watch.check(frame)
    assert seen.state is BoardInFrame.HIDDEN
    assert watch.check(frame[:100, :100]).state is BoardInFrame.HIDDEN


MOTIONS = [
    ("triune", shift(48, -36)),
    ("trid", turn(12)),
    ("escape", shift(5, 3)),
    ("magnet", shift(-40, 10)),
]


@pytest.mark.parametrize(("game", "motion"), first_few(2, MOTIONS))
def test_the_board_is_recognised_and_located_again(shared: Path, game: str, motion: Floats) -> None:
    truth = scene(shared / "scenes" / game)
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    frame = moved(truth.picture(len(truth.pictures) - 1), motion)
    known = recognise(frame, watch, watch.check(frame).view)
    assert known is not None
    pixels = np.column_stack((truth.pixels(1), np.ones(len(truth.points)))) @ motion.T
    assert errors(known, truth.points, pixels[:, :2]).mean() < 0.02
    assert errors(find_again(frame, watch), truth.points, pixels[:, :2]).mean() < 0.05


def photographed(shared: Path) -> tuple[Image, View, Board]:
    """A photograph of a wooden board with pieces on it, and where that lies."""
    folder, file = shared / "photos" / "jialinding-chess", "15_5.jpg"
    pictures = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"]
    corners = next(p["corners"] for p in pictures if p["file"] == file)
    board, picture = load_board("chess"), np.asarray(cv2.imread(str(folder / file)), np.uint8)
    frame = np.asarray(cv2.resize(picture, (1000, 562), interpolation=cv2.INTER_AREA), np.uint8)
    pixels = np.array([corners[k] for k in ("SW", "SE", "NE", "NW")], np.float32) / np.float32(1.28)
    outline = np.array([(-0.5, -0.5), (7.5, -0.5), (7.5, 7.5), (-0.5, 7.5)], np.float32)
    matrix = cv2.getPerspectiveTransform(outline, pixels)
    return frame, View.of(np.asarray(matrix, float), (1000, 562), (-0.5, -0.5, 7.5, 7.5)), board


def test_a_board_that_was_pushed_far_is_known_by_its_features(shared: Path) -> None:
    # From where it lay the drawing is fitted to pieces and to the rim, half a step off at one corner.
    frame, view, board = photographed(shared)
    watch = BoardWatch.of(frame, view, board)
    pushed = moved(frame, shift(24, 10))
    known = recognise(pushed, watch, watch.check(pushed).view)
    assert known is not None
    points = np.array(list(board.sites.values()))
    assert errors(known, points, view.pixels(points) + np.array([24, 10])).max() < 0.1


def test_a_board_that_was_turned_round_where_it_lay_is_not_taken_for_a_turned_one(shared: Path) -> None:
    frame, view, board = photographed(shared)
    corners = view.pixels(board.corners).astype(np.float32)
    turned = cv2.getPerspectiveTransform(corners, np.roll(corners, 2, axis=0))
    seen = np.asarray(
        cv2.warpPerspective(frame, turned, view.size, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    watch = BoardWatch.of(frame, view, board)
    known = recognise(seen, watch, watch.check(seen).view)
    assert known is not None
    points = np.array(list(board.sites.values()))
    assert errors(known, points, view.pixels(points)).max() < 1.0


def test_a_board_that_is_not_there_is_not_recognised(shared: Path) -> None:
    truth, other = scene(shared / "scenes" / "escape"), scene(shared / "scenes" / "trid")
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    assert recognise(other.picture(1), watch, watch.view) is None


@pytest.mark.parametrize(
    "motion", first_few(2, [shift(300, 0), shift(0, 300), shift(-300, 0), shift(0, -300)])
)
def test_a_board_that_is_half_out_of_the_picture_is_not_recognised(shared: Path, motion: Floats) -> None:
    """It was, and pieces were missing on the half that nobody saw."""
    truth = scene(shared / "scenes" / "triune")
    watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
    frame = moved(truth.picture(1), motion)
    pixels = truth.pixels(1) + motion[:2, 2]
    assert ((pixels < 0) | (pixels >= watch.view.size)).any(axis=1).sum() >= len(pixels) / 8
    assert recognise(frame, watch, watch.check(frame).view) is None
