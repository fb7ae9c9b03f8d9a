"""Crops show each place upright and at one scale, whichever way the camera is mounted."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.board import load_board
from tests.vision.drawn import drawn
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference
from vision.reading.crops import FOOT, HEIGHT, SCALE, WIDTH, Crops
from vision.virtual.render import overlook

CHESS = drawn("chess")


@pytest.mark.parametrize("azimuth", [-90, 0, 90, 180])
@pytest.mark.parametrize("elevation", [45, 65])
def test_a_place_lies_at_its_foot_and_heads_above_it(azimuth: float, elevation: float) -> None:
    view = overlook(CHESS.board, elevation, azimuth)
    crops = Crops(CHESS.layout, view)
    assert crops.pixels.shape == (64, HEIGHT, WIDTH, 2)
    row, column = round(FOOT[1]), round(FOOT[0])
    feet, heads = view.pixels(CHESS.layout.points), view.pixels(CHESS.layout.points, 1.0)
    at = crops.pixels[:, row, column]
    step = crops.pixels[:, row, column + 1] - at
    assert np.linalg.norm(at - feet, axis=1).max() < np.linalg.norm(step, axis=1).max()
    above = crops.pixels[:, row - 10, column] - at
    assert (np.einsum("ni,ni->n", above, heads - feet) > 0).all()


def test_neighbours_are_as_far_apart_as_the_scale_says() -> None:
    view = overlook(CHESS.board, 89)
    pixels = Crops(CHESS.layout, view).pixels
    across = np.linalg.norm(pixels[:, 0, 1] - pixels[:, 0, 0], axis=1) * SCALE
    feet = dict(zip(CHESS.layout.places, view.pixels(CHESS.layout.points), strict=True))
    assert np.median(across) == pytest.approx(np.linalg.norm(feet["e5"] - feet["d5"]), rel=0.03)


def test_parts_of_a_site_are_at_the_top_of_their_crops() -> None:
    board = load_board("teleporters")
    layout = PlaceLayout.of(board, parts=True)
    view = overlook(board, 60, 20)
    crops = Crops(layout, view)
    for n, kind in enumerate(layout.kinds):
        up = crops.pixels[n, 0, WIDTH // 2] - crops.pixels[n, HEIGHT - 1, WIDTH // 2]
        if kind:
            towards = (view.pixels(layout.where[n : n + 1]) - view.pixels(layout.points[n : n + 1]))[0]
            assert up @ towards > 0.99 * np.linalg.norm(up) * np.linalg.norm(towards)


def test_crops_of_the_reference_show_what_those_of_the_empty_board_do() -> None:
    crops = Crops(CHESS.layout, CHESS.view)
    empty, doubt = crops.of_reference(Reference.of(CHESS.empty, CHESS.view))
    assert np.abs(empty - crops.read(CHESS.empty)).mean() < 4
    assert not doubt.any()


def test_where_crops_lie_on_the_board_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    crops, asked, board = Crops(CHESS.layout, CHESS.view), [], View.board
    monkeypatch.setattr(View, "board", lambda view, pixels: asked.append(view) or board(view, pixels))
    for empty in (CHESS.empty, np.zeros_like(CHESS.empty)):
        crops.of_reference(Reference.of(empty, CHESS.view))
    assert asked == [CHESS.view]
