"""What the measures of the eyes count, and how: groups of photographs, reliability, frames, arms."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.eyes import BINS, PHOTOGRAPHS, Score, binned, main
from benchmarks.picture_sets.changes import MOUNTED, hidden, reached_over
from benchmarks.picture_sets.photographs import draughts10, go, groups, teacher
from benchmarks.picture_sets.series import Series, Shot, differing, homography, south_side, thinned, through
from companion.sensing.observation import Observation, Reading, Sighting
from vision.geometry.view import View
from vision.reading.reader import FrameReading

BOARD = draughts10()
SIZE = (640, 480)
CORNERS = [(120.0, 400.0), (520.0, 410.0), (470.0, 90.0), (170.0, 80.0)]
MATRIX = homography(BOARD.corners, CORNERS)


def blank() -> Any:
    return np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)


def label(file: str, shift: float = 0.0, size: tuple[int, int] = SIZE, **position: str) -> dict[str, Any]:
    moved = [[x + shift, y] for x, y in CORNERS]
    corners = dict(zip(("SW", "SE", "NE", "NW"), moved, strict=True))
    return {"file": file, "size": list(size), "corners": corners, "position": position}


def series(shots: int) -> Series:
    taken = tuple(Shot(f"{n}", blank, {"a1": "red"}, n == 1, MATRIX) for n in range(shots))
    return Series("drawn", BOARD, "chess", ("empty", "red", "green"), taken[:1], taken)


def test_pictures_are_of_one_camera_where_size_and_corners_agree() -> None:
    labels = [label("a"), label("b", 6.0), label("c", 7.0), label("d", 0.0, (480, 640))]
    assert [[one["file"] for one in group] for group in groups(labels)] == [["a", "b"], ["c"], ["d"]]


def test_learned_from_is_the_picture_with_most_pieces_of_both_colours() -> None:
    many = label("many", a1="red", b2="red", c3="red")
    both = label("both", a1="red", b2="green")
    more = label("more", a1="red", b2="green", c3="green")
    assert teacher([many, both, more]) is more
    assert teacher([many]) is None


@pytest.mark.parametrize(
    ("p", "bin_"),
    [
        (0.0, (0.0, 0.5)),
        (0.5, (0.5, 0.6)),
        (0.99, (0.99, 0.995)),
        (0.9989, (0.995, 0.999)),
        (1.0, (0.999, 1.0)),
    ],
)
def test_bins_hold_their_lower_edge(p: float, bin_: tuple[float, float]) -> None:
    counts = binned([(p, True), (p, False)])
    assert counts[BINS.index(bin_)] == (2, 1)
    assert sum(number for number, _ in counts) == 2


def test_places_that_are_not_named_are_empty() -> None:
    places = frozenset({"a1", "a2", "a3"})
    said, true = {"a1": "red", "a2": "empty", "b1ne": "red"}, {"a1": "green", "a3": "red"}
    assert differing(said, true, places) == {"a1", "a3", "b1ne"}


def seen(looks: dict[str, str], sure: float, hand: bool = False) -> FrameReading:
    readings = {place: Reading({look: 0.0, "other": -sure}) for place, look in looks.items()}
    sighting = Sighting(0.0, "test", Observation(0.0, readings), hand)
    return FrameReading(sighting, "ok", looks, View.of(MATRIX, SIZE, (-0.5, -0.5, 9.5, 9.5)))


def test_a_set_is_scored() -> None:
    three, score = series(3), Score("drawn", PHOTOGRAPHS)
    right = dict.fromkeys(BOARD.sites, "empty") | {"a1": "red"}
    score.add(three, three.shots[0], seen(right | {"b2": "green"}, 9.0))
    score.add(three, three.shots[1], seen({}, 9.0, hand=True))  # a hand: noticed, and nothing scored
    score.add(three, three.shots[2], None)  # not read: as if told empty
    assert (score.pictures, score.right, score.unread) == (2, 0, 1)
    assert (score.places, score.wrong) == (200, 2)
    assert (score.hands, score.noticed, score.quiet, score.alarms) == (1, 1, 2, 0)
    assert score.sure == (100, 1)


@pytest.mark.parametrize(("most", "kept"), [(None, 7), (3, 3), (1, 1), (50, 7)])
def test_fewer_pictures_are_spread_over_the_series(most: int | None, kept: int) -> None:
    left = thinned([series(5), series(2)], most)
    assert sum(len(one.shots) for one in left) == kept
    assert all(one.shots for one in left)


@pytest.mark.parametrize("mounting", MOUNTED, ids=lambda mounting: mounting.name)
def test_a_picture_framed_otherwise_shows_the_board_where_it_says(mounting: Any) -> None:
    def drawn() -> Any:
        image = blank()
        cv2.circle(image, (330, 260), 9, (0, 0, 255), -1, cv2.LINE_AA)
        return image

    shot = Shot("drawn", drawn, {}, False, MATRIX)
    framed = shot.framed(mounting.frame, BOARD)
    red = framed.load()[..., 2].astype(int) - framed.load()[..., 0]
    y, x = np.argwhere(red > 128).mean(axis=0)
    point = through(np.linalg.inv(MATRIX), [(330.0, 260.0)])
    assert through(framed.measured, point)[0] == pytest.approx((x, y), abs=0.7)


@pytest.mark.parametrize(("turns", "side"), [(0, "bottom"), (1, "right"), (2, "top"), (3, "left")])
def test_south_is_told_by_where_the_board_lies(turns: int, side: str) -> None:
    shot = Shot("drawn", blank, {}, False, MATRIX)
    turned = shot.framed(MOUNTED[turns - 1].frame, BOARD) if turns else shot
    assert south_side(turned.measured, BOARD) == side


def test_an_arm_hides_what_lies_under_it_and_nothing_else() -> None:
    image, mask = reached_over(blank(), MATRIX, BOARD, Random(1))
    covered = hidden(mask, MATRIX, BOARD)
    assert 0 < len(covered) < 100
    for place, (x, y) in zip(BOARD.sites, through(MATRIX, list(BOARD.sites.values())), strict=True):
        changed = abs(int(image[round(y), round(x), 0]) - 128) > 2
        assert place in covered or not mask[round(y), round(x)], place
        assert changed or not mask[round(y), round(x)], place


def test_boards_of_the_photographs() -> None:
    assert len(BOARD.sites) == 100
    assert len(go().sites) == 361
    assert "I1" not in go().sites
    assert go().sites["T19"] == (18, 18)


def test_a_set_that_is_not_there_is_refused(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--shared", str(tmp_path)]) == 2
    assert "no such set" in capsys.readouterr().err
