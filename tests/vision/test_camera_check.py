"""What is said of a camera's place, on both sides of each limit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.board import bundled_boards, load_board
from tests.companion.command import Command
from vision.arrays import Image
from vision.calibration.camera_check import (
    ENOUGH_PIXELS,
    FLATTEST,
    LEAST_MARGIN_MM,
    Placement,
    check_placement,
)
from vision.calibration.camera_place import CAMERAS, SOUTH, STRAIGHT_DOWN, CameraModel, least_place
from vision.finding.locate import facing, locate
from vision.geometry.view import View
from vision.virtual.render.finish import finish_of
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import Mast, look, shifted
from vision.virtual.render.painter import ImageSensor, Painter
from vision.virtual.tabletop import Tabletop

SQUARE = CameraModel("square", 60.0, 60.0)
BOARD = load_board("chess")


def seen(
    name: str = "chess",
    camera: CameraModel = SQUARE,
    *,
    steepness: float = STRAIGHT_DOWN,
    farther: float = 1.0,
    aside_mm: tuple[float, float] = (0.0, 0.0),
    turn: float = 0.0,
) -> View:
    """A camera at the least height of the table, `farther` as a factor, that aims at a point beside the
    middle (mm, east and north), and whose picture is turned (degrees, clockwise)."""
    board = load_board(name)
    lens, size = camera.lens()
    distance = least_place(board, camera, steepness).height / np.sin(np.radians(steepness)) * farther
    middle = np.mean((np.min(board.outline, axis=0), np.max(board.outline, axis=0)), axis=0)
    aim = middle + np.array(aside_mm) / board.pitch_mm
    view = look(board, lens, size, Mast(aim, distance / board.pitch_mm, steepness, SOUTH))
    return shifted(view, 0, 0, turn)


def kinds(placement: Placement) -> list[str]:
    return [advice.kind for advice in placement.advice]


@pytest.mark.parametrize("camera", CAMERAS, ids=lambda camera: camera.name)
@pytest.mark.parametrize("name", sorted(bundled_boards()))
@pytest.mark.parametrize("steepness", [STRAIGHT_DOWN, 60.0])
def test_a_camera_placed_by_the_table_of_heights_is_well_placed(
    name: str, camera: CameraModel, steepness: float
) -> None:
    placement = check_placement(seen(name, camera, steepness=steepness), load_board(name))
    assert placement.advice == ()
    assert placement.steepness == pytest.approx(steepness, abs=0.5)
    assert min(placement.margins) > LEAST_MARGIN_MM


def test_it_is_raised_until_a_margin_of_half_a_hands_breadth_is_in_the_picture() -> None:
    """400 mm of board: 480 mm with both margins fit where 560 mm were seen, and 478 mm do not."""
    limit = (400 + 2 * LEAST_MARGIN_MM) / 560
    assert kinds(check_placement(seen("draughts", farther=limit * 1.01), load_board("draughts"))) == []
    assert kinds(check_placement(seen("draughts", farther=limit * 0.99), load_board("draughts"))) == [
        "higher"
    ]


@pytest.mark.parametrize(
    ("aside", "kind"),
    [((1, 0), "left"), ((-1, 0), "right"), ((0, -1), "up"), ((0, 1), "down")],
)
def test_it_is_aimed_to_the_side_on_which_too_little_table_is_seen(aside: tuple[int, int], kind: str) -> None:
    """80 mm are seen on each side: when it aims 41 mm beside the middle, 39 mm are left on one of them."""
    board = load_board("draughts")
    for off, told in ((LEAST_MARGIN_MM - 3, []), (LEAST_MARGIN_MM + 3, [kind])):
        placement = check_placement(seen("draughts", aside_mm=(aside[0] * off, aside[1] * off)), board)
        assert kinds(placement) == told
    edges = {"left": 0, "right": 1, "up": 2, "down": 3}
    assert np.argmin(placement.margins) == edges[kind]
    assert min(placement.margins) == pytest.approx(LEAST_MARGIN_MM - 3, abs=1)


def test_one_that_is_too_low_and_aims_aside_is_told_both() -> None:
    placement = check_placement(seen(farther=0.8, aside_mm=(120, 0)), BOARD)
    assert kinds(placement) == ["higher", "left"]


@pytest.mark.parametrize(("more", "told"), [(1.0, []), (-1.0, ["flat"])])
@pytest.mark.parametrize("has_lens", [True, False])
def test_it_is_too_flat_below_the_limit(more: float, told: list[str], has_lens: bool) -> None:
    view = seen(steepness=FLATTEST + more, farther=1.1)
    if not has_lens:  # the likeliest lens is assumed then
        view = View(view.homography, view.size, view.extent)
    placement = check_placement(view, BOARD)
    assert placement.steepness == pytest.approx(FLATTEST + more, abs=0.9)
    assert kinds(placement) == told


@pytest.mark.parametrize("turn", [12.0, -12.0, 90.0, 78.0])
def test_a_board_that_lies_nearly_straight_is_not_turned(turn: float) -> None:
    wide = CAMERAS[1]
    assert "turn" not in kinds(check_placement(seen(camera=wide, farther=1.5, turn=turn), BOARD))


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (15.0, "15° anticlockwise"),
        (-15.0, "15° clockwise"),
        (40.0, "40° anticlockwise"),
        (70.0, "20° clockwise"),
    ],
)
def test_a_turned_board_is_told_which_way_to_turn(turn: float, words: str) -> None:
    """The picture turned clockwise shows a board that is to be turned back."""
    [advice] = check_placement(seen(camera=CAMERAS[1], farther=1.5, turn=turn), BOARD).advice
    assert advice.kind == "turn"
    assert words in advice.words
    assert advice.clockwise == (" clockwise" in words)


def test_it_is_lowered_where_steps_have_too_few_pixels() -> None:
    high = seen(farther=1.0).step_pixels((4, 4)) / ENOUGH_PIXELS
    assert kinds(check_placement(seen(farther=high * 0.99), BOARD)) == []
    placement = check_placement(seen(farther=high * 1.01), BOARD)
    assert kinds(placement) == ["lower"]
    assert "a step measures 25 pixels" in placement.advice[0].words


def test_a_picture_that_is_too_small_at_any_height_is_told() -> None:
    """A square picture of 240 pixels: chess with its margins has 480 mm, a step of 50 mm then 25 pixels."""
    for width, told in ((260, []), (230, ["coarse"])):
        view = seen(farther=0.9)
        scale = width / view.size[0]
        small = np.diag([scale, scale, 1.0]) @ view.matrix
        assert kinds(check_placement(View.of(small, (width, width), view.extent), BOARD)) == told


def test_a_hexagon_may_lie_either_way() -> None:
    board = load_board("magnet")
    for turn in (0.0, 30.0):
        placement = check_placement(seen("magnet", CAMERAS[0], farther=1.4, turn=turn), board)
        assert "turn" not in kinds(placement)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ({"steepness": 75.0, "farther": 1.05}, []),
        ({"steepness": 48.0, "farther": 1.15}, ["flat"]),
        ({"steepness": 75.0, "farther": 1.15, "aside_mm": (0, -150)}, ["up"]),
        ({"steepness": 80.0, "farther": 1.5, "turn": 25.0}, ["turn"]),
        ({"steepness": 80.0, "farther": 2.6}, ["lower"]),
    ],
)
def test_it_is_told_of_a_board_that_was_found_in_a_picture(place: dict[str, float], told: list[str]) -> None:
    """The whole way: a rendered picture, the board found in it, its camera's place."""
    image = drawn(**place)
    found = facing(locate(image, BOARD).candidates, "bottom")
    assert kinds(check_placement(found, BOARD)) == told


def drawn(**place: Any) -> Image:
    """A picture of the empty board of chess by a camera that stands as `seen` says."""
    view = seen(camera=CameraModel("small", 62.2, 48.8), **place)
    scale = 0.7
    size = (round(view.size[0] * scale), round(view.size[1] * scale))
    view = View.of(np.diag([scale, scale, 1.0]) @ view.matrix, size, view.extent)
    painter = Painter(BOARD, view, LightSource(), finish_of(BOARD), ImageSensor())
    return painter.draw(Tabletop(BOARD), np.random.default_rng(1))


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    return Command(capsys, monkeypatch)


def test_the_command_says_the_same(companion: Command, tmp_path: Path) -> None:
    for name, place in (
        ("well.png", {"steepness": 75.0, "farther": 1.05}),
        ("flat.png", {"steepness": 48.0}),
    ):
        cv2.imwrite(str(tmp_path / name), drawn(**place))
    well = companion("camera", "check", "--game", "chess", str(tmp_path / "well.png"))
    assert well.status == 0, well.err
    first, second = well.lines
    assert first == f"{tmp_path / 'well.png'}: The camera stands well."
    assert "° from the table; margins in mm: " in second
    folder = companion("camera", "check", "--game", "chess", "--source", f"folder:{tmp_path}")
    assert folder.status == 1
    assert "too flat" in folder.lines[0]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "give a camera (--source camera:0) or picture files"),
        (("--source", "camera:0", "x.png"), "give a camera"),
        (("none.png",), "none.png"),
        (("--source", "serial:"), "has no pictures"),
    ],
)
def test_the_command_says_what_it_cannot_do(companion: Command, args: tuple[str, ...], words: str) -> None:
    assert words in companion.refuses("camera", "check", "--game", "chess", *args)
