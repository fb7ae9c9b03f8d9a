"""Boards are found in rendered scenes and real photographs, or refused in words; never shifted by a cell."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import load_board
from tests.samples import first_few
from tests.vision.truth import BOARDS, SceneTruth, errors, scene
from vision.arrays import Floats, Image
from vision.finding.check import resolve_shift
from vision.finding.locate import BoardNotFoundError, LocatedBoard, facing, locate, locate_corners
from vision.geometry.lens import Lens
from vision.geometry.view import View

ACCURATE = 0.03  # steps, mean over all sites: what is aimed for
USABLE = 0.10  # steps: what still reads well


def best_error(found: LocatedBoard, points: Floats, pixels: Floats) -> float:
    """The mean error of the candidate that is turned right."""
    return min(float(errors(view, points, pixels).mean()) for view in found.candidates)


@pytest.mark.parametrize("game", first_few(4, BOARDS))
def test_the_start_position_is_found(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game)
    found = locate(truth.picture(1), truth.board)
    assert best_error(found, truth.points, truth.pixels(1)) < ACCURATE
    assert found.method == ("markers" if truth.data["has_markers"] else "lines")
    if found.method == "markers":
        assert found.candidates == (found.view,)


@pytest.mark.parametrize("game", ["escape", "teleporters"])
def test_the_lens_is_found_with_the_board(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game)
    view = locate(truth.picture(0), truth.board).view
    assert view.lens is not None
    assert view.lens.k1 == pytest.approx(truth.data["camera"]["distortion"][0], abs=0.015)
    assert view.camera.fx == pytest.approx(truth.data["camera"]["fx"], rel=0.06)


def test_a_known_lens_is_kept(shared: Path) -> None:
    truth = scene(shared / "scenes" / "teleporters")
    lens = truth.view(1).lens
    found = locate(truth.picture(1), truth.board, lens=lens)
    assert found.view.lens == lens
    assert best_error(found, truth.points, truth.pixels(1)) < ACCURATE


# What rooms and cameras do to a picture, and where its pixels go.
Change = Callable[[Image], tuple[Image, Floats]]


def turned(quarters: int) -> Change:
    def change(image: Image) -> tuple[Image, Floats]:
        height, width = image.shape[:2]
        moves = {
            1: [[0, 1, 0], [-1, 0, width - 1], [0, 0, 1]],
            2: [[-1, 0, width - 1], [0, -1, height - 1], [0, 0, 1]],
            3: [[0, -1, height - 1], [1, 0, 0], [0, 0, 1]],
        }
        return np.ascontiguousarray(np.rot90(image, quarters)), np.array(moves[quarters], dtype=float)

    return change


def scaled(factor: float) -> Change:
    def change(image: Image) -> tuple[Image, Floats]:
        shift = (factor - 1) / 2
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
        result = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=how), dtype=np.uint8)
        return result, np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])

    return change


def lit(blue: float, green: float, red: float) -> Change:
    gains = np.array([blue, green, red])
    return lambda image: (np.clip(image * gains, 0, 255).astype(np.uint8), np.eye(3))


def compressed(image: Image) -> tuple[Image, Floats]:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 40])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8), np.eye(3)


def blurred(image: Image) -> tuple[Image, Floats]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2), dtype=np.uint8), np.eye(3)


def shaded(image: Image) -> tuple[Image, Floats]:
    height, width = image.shape[:2]
    dark = np.arange(width)[None] + 0.3 * np.arange(height)[:, None] < 0.6 * width
    return (image * np.where(dark, 0.45, 1.0)[..., None]).astype(np.uint8), np.eye(3)


def dim(image: Image) -> tuple[Image, Floats]:
    """A fifth of the light, and a webcam's noise."""
    noise = np.random.default_rng(2).normal(0, 3, image.shape)
    return np.clip(image * 0.2 + noise, 0, 255).astype(np.uint8), np.eye(3)


def glaring(image: Image) -> tuple[Image, Floats]:
    """A lamp mirrored in the varnish: a spot without lines, and less contrast all over."""
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width]
    spot = np.exp(-((x - 0.5 * width) ** 2 + (y - 0.45 * height) ** 2) / (0.1 * width) ** 2)[..., None]
    return np.clip(60 + 0.3 * image + 250 * spot, 0, 255).astype(np.uint8), np.eye(3)


CHANGES: dict[str, tuple[str, Change]] = {
    "quarter": ("escape", turned(1)),
    "half size": ("triune", scaled(0.5)),
    "double size": ("ternion_factor", scaled(2)),
    "darker": ("teleporters", lit(0.6, 0.6, 0.6)),
    "2700 K": ("magnet", lit(0.45, 0.78, 1.15)),
    "JPEG": ("escape", compressed),
    "blur": ("triune", blurred),
    "shadow": ("ternion_factor", shaded),
    "dim": ("teleporters", dim),
    "glare": ("magnet", glaring),
    # More of the kinds above.
    "blur on a mat": ("teleporters", blurred),
    "dim maple": ("triune", dim),
    "glare on lines": ("escape", glaring),
    "upside down": ("magnet", turned(2)),
    "three quarters": ("trid", turned(3)),
    "brighter": ("trid", lit(1.4, 1.4, 1.4)),
    "6500 K": ("ternion_spaces", lit(1.25, 1.0, 0.85)),
}


@pytest.mark.parametrize("name", first_few(10, CHANGES))
def test_found_whatever_the_room_does(shared: Path, name: str) -> None:
    game, change = CHANGES[name]
    truth = scene(shared / "scenes" / game)
    number = len(truth.pictures) - 1
    image, motion = change(truth.picture(number))
    pixels = np.column_stack((truth.pixels(number), np.ones(len(truth.points)))) @ motion.T
    assert best_error(locate(image, truth.board), truth.points, pixels[:, :2]) < USABLE


def covered(truth: SceneTruth, number: int, ids: set[int]) -> Image:
    image = truth.picture(number)
    for marker in truth.view_of(number)["markers"]:
        if marker["id"] in ids:
            corners = np.array(marker["corners"])
            x, y = corners.mean(axis=0).astype(int).tolist()
            cv2.circle(image, (x, y), int(0.75 * np.ptp(corners[:, 0])), (90, 110, 130), -1)
    return image


@pytest.mark.parametrize(
    ("game", "hidden", "method"),
    [
        ("magnet", {1}, "markers"),
        ("triune", {0, 2}, "markers"),
        ("triune", {0, 1, 2, 3}, "lines"),
    ],
)
def test_markers_may_be_hidden(shared: Path, game: str, hidden: set[int], method: str) -> None:
    truth = scene(shared / "scenes" / game)
    found = locate(covered(truth, 1, hidden), truth.board)
    assert found.method == method
    assert best_error(found, truth.points, truth.pixels(1)) < USABLE


def test_four_markers_tell_the_first_row_where_lines_do_not(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.finding.locate.resolve_shift", lambda *given: (resolve_shift(*given)[0], 0.0))
    truth = scene(shared / "scenes" / "triune")
    found = locate(truth.picture(0), truth.board)
    assert found.method == "markers"
    assert best_error(found, truth.points, truth.pixels(0)) < USABLE
    with pytest.raises(BoardNotFoundError, match="one row further"):
        locate(covered(truth, 0, {1}), truth.board)


def test_south_is_chosen_by_its_side_of_the_picture(shared: Path) -> None:
    truth = scene(shared / "scenes" / "escape")
    found = locate(truth.picture(1), truth.board)
    assert len(found.candidates) == 4
    view = facing(found.candidates, "bottom")
    assert errors(view, truth.points, truth.pixels(1)).max() < USABLE
    sides = {facing(found.candidates, south) for south in ("bottom", "left", "top", "right")}
    assert sides == set(found.candidates)
    with pytest.raises(ValueError, match="south is one of"):
        facing(found.candidates, "down")


PHOTOS = [f"chessBoard{number:03d}.jpg" for number in range(1, 14)]


def labelled_corners(folder: Path, name: str) -> Floats:
    """The labelled corners, north-west first, clockwise; those of a picture that was made smaller after
    it was labelled at the scale of the picture."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["images"]
    corners = np.array(next(i["corners_px_original"] for i in labels if i["file"] == name), dtype=float)
    return corners * 0.597 if name == "chessBoard009.jpg" else corners


def corner_error(found: LocatedBoard, board_corners: list[tuple[float, float]], labelled: Floats) -> float:
    """Mean distance of the corners in squares, whichever way the board lies."""
    side = float(np.sqrt(cv2.contourArea(labelled.astype(np.float32)))) / 8
    seen = found.view.pixels(board_corners)
    turns = (np.roll(labelled[::-1], k, axis=0) for k in range(4))
    return min(float(np.linalg.norm(seen - turn, axis=1).mean()) for turn in turns) / side


@pytest.mark.parametrize("name", first_few(4, PHOTOS))
def test_photographed_chess_boards_are_found(shared: Path, name: str) -> None:
    folder = shared / "photos" / "webcam-chess"
    board = load_board("chess")
    found = locate(np.asarray(cv2.imread(str(folder / name)), dtype=np.uint8), board)
    assert corner_error(found, list(board.corners), labelled_corners(folder, name)) < 0.25


@pytest.mark.parametrize("name", ["board-v2.jpg", "full-board-v2.jpg", "full-board.jpg"])
def test_photographed_draughts_boards_are_found_by_their_markers(shared: Path, name: str) -> None:
    image = np.asarray(cv2.imread(str(shared / "photos" / "checkers-aruco" / name)), dtype=np.uint8)
    board = load_board("chess")
    found = locate(image, board)
    assert found.method == "markers"
    flat = found.view.rectify(image, 24, 0)
    lab = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB)).reshape(8, 24, 8, 24, 3)
    fields = lab[:, 9:15, :, 9:15].mean(axis=(1, 3))
    odd = np.add.outer(np.arange(8), np.arange(8)) % 2 == 1
    apart = np.linalg.norm(np.median(fields[odd], axis=0) - np.median(fields[~odd], axis=0))
    assert apart > 30  # neighbours differ in colour as they do only when no field is off by a row


def test_the_first_frame_of_a_game_is_found(shared: Path) -> None:
    folder = shared / "photos" / "webcam-chess"
    frame = cv2.VideoCapture(str(folder / "scholarsmate.avi")).read()[1]
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    video = labels.get("video") or next(i["video"] for i in labels["images"] if "video" in i)
    board = load_board("chess")
    found = locate(np.asarray(frame, dtype=np.uint8), board)
    assert corner_error(found, list(board.corners), np.array(video["corners_px"], dtype=float)) < 0.25


@pytest.mark.parametrize("offset", [0.0, 6.0])
def test_given_corners_are_moved_to_the_lines(shared: Path, offset: float) -> None:
    truth = scene(shared / "scenes" / "triune")
    off = np.array([(offset, 0), (0, offset), (-offset, 0), (0, 0)])
    corners = truth.view(1).pixels(truth.board.corners) + off
    found = locate_corners(truth.picture(1), truth.board, [(float(x), float(y)) for x, y in corners])
    assert errors(found.view, truth.points, truth.pixels(1)).mean() < ACCURATE


def test_given_corners_are_kept_where_no_lines_are() -> None:
    corners = [(200.0, 600.0), (700.0, 590.0), (650.0, 150.0), (240.0, 140.0)]
    board = load_board("chess")
    found = locate_corners(np.full((720, 960, 3), 128, np.uint8), board, corners)
    assert np.abs(found.view.pixels(board.corners) - corners).max() < 0.01
    assert found.score < 0.3


CORNERS: dict[str, tuple[tuple[int, int], list[tuple[float, float]]]] = {
    "rectified to its edge": ((800, 800), [(-0.5, 799.5), (799.5, 799.5), (799.5, -0.5), (-0.5, -0.5)]),
    "cut off": ((640, 640), [(-30, 660), (680, 665), (670, -25), (-20, -30)]),
    "in a corner": ((1280, 960), [(900, 940), (1270, 930), (1240, 620), (930, 640)]),
    "a long lens": ((900, 900), [(100, 500), (450, 800), (800, 501), (450, 200.5)]),
    "no perspective": ((900, 900), [(100, 500), (450, 800), (800, 500), (450, 200)]),
    "stretched": ((900, 300), [(60, 260), (840, 260), (800, 40), (100, 40)]),
    "nearer at the far side": ((900, 900), [(200, 800), (700, 800), (850, 100), (50, 100)]),
}


@pytest.mark.parametrize("case", CORNERS)
def test_corners_in_pictures_that_were_cut_or_warped_are_a_view(case: str) -> None:
    (width, height), corners = CORNERS[case]
    image = np.full((height, width, 3), 128, np.uint8)
    view = locate_corners(image, load_board("chess"), corners).view
    assert View.from_json(view.to_json()) == view
    assert np.isfinite(view.pixels(load_board("chess").corners, 0.8)).all()


@pytest.mark.parametrize("size", [(857, 1280), (643, 1287), (1280, 857), (1001, 1001), (321, 4000)])
def test_a_view_has_its_picture_s_size(size: tuple[int, int]) -> None:
    width, height = size
    corners = [(9.0, height - 9.0), (width - 9.0, height - 9.0), (width - 9.0, 9.0), (9.0, 9.0)]
    image = np.full((height, width, 3), 128, np.uint8)
    assert locate_corners(image, load_board("chess"), corners).view.size == size


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (9, 9), (0, 9), (9, 0)],
        [(200, 100), (700, 100), (700, 600), (200, 600)],
        [(0, 0)] * 4,
        [(1, 2)],
    ],
)
def test_corners_the_wrong_way_round_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(BoardNotFoundError, match="go round the board: south-west, south-east"):
        locate_corners(np.zeros((720, 960, 3), np.uint8), load_board("chess"), corners)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([(1e9, 2e9), (2e9, 2e9), (2e9, 1e9), (1e9, 1e9)], "in the picture or close by"),
        ([(-300, 700), (-200, 700), (-200, 600), (-300, 600)], "no board is seen so"),
        ([(0, 9), (9, 9), (9, 0), (0, 0)], "too close together"),
    ],
)
def test_corners_that_show_no_board_are_refused(corners: list[tuple[float, float]], words: str) -> None:
    with pytest.raises(BoardNotFoundError, match=words):
        locate_corners(noise(), load_board("chess"), corners)


def noise() -> Image:
    return np.random.default_rng(5).integers(0, 255, (480, 640, 3)).astype(np.uint8)


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        (np.zeros((480, 640, 3), np.uint8), "too dark"),
        (np.full((480, 640), 255, np.uint8), "too bright"),
        (np.full((480, 640, 3), 120, np.uint8), "no lines like its own"),
        (np.full((60, 80, 3), 120, np.uint8), "too small"),
        (noise(), "line"),
    ],
)
def test_no_board_is_said_in_words(image: Image, reason: str) -> None:
    with pytest.raises(BoardNotFoundError, match=reason):
        locate(image, load_board("triune"))


@pytest.mark.parametrize(
    ("game", "other"),
    first_few(
        3,
        [
            ("escape", "chess"),
            ("teleporters", "rooks"),
            ("magnet", "triune"),
            ("triune", "ternion"),
            ("triune", "rooks"),
            ("magnet", "rooks"),
            ("trid", "rooks"),
            ("ternion_factor", "trid"),
        ],
    ),
)
def test_another_board_is_not_taken_for_this_one(shared: Path, game: str, other: str) -> None:
    with pytest.raises(BoardNotFoundError):
        locate(scene(shared / "scenes" / game).picture(0), load_board(other))


def test_half_a_board_is_refused(shared: Path) -> None:
    truth = scene(shared / "scenes" / "triune")
    with pytest.raises(BoardNotFoundError):
        locate(np.ascontiguousarray(truth.picture(0)[:, :480]), truth.board)


def test_lens_of_a_scene_undistorts_exactly(shared: Path) -> None:
    lens = scene(shared / "scenes" / "ternion_factor").view(0).lens
    assert isinstance(lens, Lens)
    grid = np.stack(np.meshgrid(np.linspace(0, 959, 9), np.linspace(0, 719, 9)), axis=-1).reshape(-1, 2)
    assert np.abs(lens.distort(lens.undistort(grid)) - grid).max() < 1e-3
