"""Views: pixels and board points undo each other, heads lean away from the camera, text both ways."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.truth import BOARDS, errors, scene
from vision.geometry.lens import Lens, LensError, usual_lens
from vision.geometry.view import View, ViewError, _rectifying_maps
from vision.known.reference import MARGIN, PX_PER_STEP, Reference

SIZE = (960, 720)
EXTENT = (-0.5, -0.5, 7.5, 7.5)
small = st.floats(-1, 1)


@st.composite
def views(draw: st.DrawFn) -> View:
    """Cameras anywhere above the board, looking near its middle, with and without a lens."""
    bend = draw(st.floats(-0.12, 0.08))
    lens = Lens(
        800,
        800,
        480 + 8 * draw(small),
        360 + 8 * draw(small),
        bend,
        0.02 * draw(small),
        0.002 * draw(small),
        0.002 * draw(small),
    )
    azimuth, tilt = np.pi * draw(small), np.radians(draw(st.floats(0, 55)))
    cos, sin = np.cos(azimuth), np.sin(azimuth)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    rotation = np.diag([1.0, -1.0, -1.0]) @ lean @ turn
    away = draw(st.floats(11, 20))
    origin = np.array([0, 0, away]) - rotation @ np.array([3.5, 3.5, 0])
    matrix = lens.matrix @ np.column_stack((rotation[:, 0], rotation[:, 1], origin))
    return View.of(matrix, SIZE, EXTENT, lens)


points = st.lists(st.tuples(st.floats(-0.5, 7.5), st.floats(-0.5, 7.5)), min_size=1, max_size=6)


@given(views(), points)
@settings(max_examples=60, deadline=None)
def test_board_undoes_pixels(view: View, at: list[tuple[float, float]]) -> None:
    assert np.abs(view.board(view.pixels(at)) - np.array(at)).max() < 1e-3


@given(views(), points)
@settings(max_examples=40, deadline=None)
def test_a_turned_view_shows_each_point_where_its_opposite_was(
    view: View, at: list[tuple[float, float]]
) -> None:
    opposite = 2 * np.array(view.middle) - np.array(at)
    assert np.abs(view.turned().pixels(at) - view.pixels(opposite)).max() < 1e-6


@given(views())
@settings(max_examples=40, deadline=None)
def test_text_both_ways(view: View) -> None:
    assert View.from_json(json.loads(json.dumps(view.to_json()))) == view


@pytest.mark.parametrize(("bend", "most"), [(0.0, 2), (-0.05, 12), (0.05, 12)])
def test_a_lens_is_followed_back_only_until_its_rays_stand_still(
    bend: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, fold = [], Lens._fold
    monkeypatch.setattr(Lens, "_fold", lambda lens: steps.append(lens) or fold(lens))
    Lens(800, 800, 480, 360, bend).undistort(np.array([(0.0, 0.0), (480.0, 360.0), (959.0, 719.0)]))
    assert 1 <= len(steps) <= most


@given(views(), st.floats(0.1, 1.5))
@settings(max_examples=60, deadline=None)
def test_heads_lean_away_from_the_camera(view: View, height: float) -> None:
    x, y, z = view.eye
    foot = np.array([[1.0, 2.0]])
    seen_through = foot + (foot - (x, y)) * height / (z - height)
    assert np.abs(view.pixels(foot, height) - view.pixels(seen_through)).max() < 0.5


@given(views(), st.sampled_from([0.5, 0.75, 2.0]), points)
@settings(max_examples=30, deadline=None)
def test_scaled_pictures_show_the_same(view: View, factor: float, at: list[tuple[float, float]]) -> None:
    expected = (view.pixels(at) + 0.5) * factor - 0.5
    assert np.abs(view.scaled(factor).pixels(at) - expected).max() < 1e-6


def test_a_board_is_rectified_and_learned_in_little_memory(shared: Path) -> None:
    truth = scene(shared / "scenes" / "triune")
    view, image = truth.view(0), truth.picture(0)
    reference = Reference.of(image, view)
    bare = np.ones(reference.raster.shape[:2], bool)
    _rectifying_maps.cache_clear()
    for work in (
        lambda: view.rectify(image, PX_PER_STEP, MARGIN),
        lambda: reference.learned(image, view, lambda at: np.ones((*at.shape[:2], 3), np.float32), bare),
    ):
        tracemalloc.start()
        work()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 18 * reference.raster.nbytes


@pytest.mark.parametrize("game", BOARDS)
def test_the_true_views_meet_the_tables(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game)
    assert errors(truth.view(0), truth.points, truth.pixels(0)).max() < 1e-3


@pytest.mark.parametrize("game", BOARDS)
def test_without_a_lens_the_camera_is_recovered(shared: Path, game: str) -> None:
    truth = scene(shared / "scenes" / game).view(0)
    bare = View(truth.homography, truth.size, truth.extent)
    assert bare.camera.fx == pytest.approx(truth.camera.fx, rel=0.06)
    assert bare.eye == pytest.approx(truth.eye, abs=0.06 * truth.eye[2])


def test_a_rectified_picture_is_upright_and_to_scale() -> None:
    lens = usual_lens(SIZE)
    matrix = np.array([[70, 0, 200], [0, -70, 620], [0, 0, 1.0]])
    view = View.of(matrix, SIZE, EXTENT, lens)
    image = np.zeros((720, 960, 3), np.uint8)
    x, y = view.pixels([(0.0, 7.0)])[0].round().astype(int)
    image[y - 8 : y + 9, x - 8 : x + 9] = 255
    flat = view.rectify(image, 20, 0.5)
    assert flat.shape[:2] == (180, 180)
    rows, columns = np.nonzero(flat[..., 0] > 128)
    place = view.rectified([(0, 7)], 20, 0.5)[0]
    assert (columns.mean(), rows.mean()) == pytest.approx(tuple(place), abs=0.7)
    assert columns.mean() < 40
    assert rows.mean() < 40
    assert view.step_pixels((3, 3)) == pytest.approx(70)


BROKEN = [
    {},
    {"homography": [1] * 9, "size": [960, 720], "extent": [0, 0, 1, 1]},
    {"homography": [1, 0, 0], "size": [960, 720], "extent": [0, 0, 1, 1]},
    {"homography": ["x"] * 9, "size": [960, 720], "extent": [0, 0, 1, 1]},
    {"homography": [1, 0, 0, 0, 1, 0, 0, 0, 1], "size": [960], "extent": [0, 0, 1, 1]},
    {"homography": [1, 0, 0, 0, 1, 0, 0, 0, 1], "size": [9, 9], "extent": [0, 0, 1, 1], "lens": {"fx": 1}},
    {"homography": [1, 0, 0, 0, 1, 0, 0, 0, float("nan")], "size": [9, 9], "extent": [0, 0, 1, 1]},
]


@pytest.mark.parametrize("data", BROKEN)
def test_broken_views_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(ViewError, match="not a view"):
        View.from_json(data)


@pytest.mark.parametrize(
    "data",
    [{"fx": 1}, {"fx": 0, "fy": 1, "cx": 0, "cy": 0}, {"zoom": 1}, {"fx": "wide", "fy": 1, "cx": 0, "cy": 0}],
)
def test_broken_lenses_are_refused(data: dict[str, object]) -> None:
    with pytest.raises(LensError, match="not a lens"):
        Lens.from_json(data)
