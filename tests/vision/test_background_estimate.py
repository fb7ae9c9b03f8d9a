"""The empty board, pieced together from pictures of known positions."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.drawn import Drawn, drawn
from vision.arrays import Image
from vision.calibration.background_estimate import cell_tones, estimate_background, in_picture
from vision.geometry.view import View
from vision.known.reference import MARGIN, PX_PER_STEP, Reference
from vision.virtual.render import LightSource
from vision.virtual.tabletop import Tabletop

CHESS, TRIUNE = drawn("chess"), drawn("triune")
CORNERS = {"a1", "h8"}
"""Of triune's board: a tone of their own, and never seen bare."""


def grained(image: Image) -> Image:
    """As wood is, the same in all pictures of a view."""
    grain = cv2.GaussianBlur(np.random.default_rng(7).normal(0, 14, image.shape[:2]), (0, 0), 1.5)
    return np.clip(image + 3 * grain[..., None], 0, 255).astype(np.uint8)


@cache
def bare(drawn: Drawn) -> Reference:
    return Reference.of(grained(drawn.empty), drawn.view)


def cells(drawn: Drawn, places: list[str]) -> np.ndarray:
    """Mask of the raster: the cells of these places."""
    mask = np.zeros(bare(drawn).raster.shape[:2], bool)
    half = round(0.45 * PX_PER_STEP)
    spots = drawn.view.rectified([drawn.board.sites[p] for p in places], PX_PER_STEP, MARGIN)
    for x, y in np.round(spots).astype(int):
        mask[y - half : y + half, x - half : x + half] = True
    return mask


def away(one: Reference, other: Reference, mask: np.ndarray) -> float:
    """Grey levels by which two rasters differ."""
    return float(np.abs(one.raster.astype(float) - other.raster)[mask].mean())


@cache
def alone(drawn: Drawn) -> Reference:
    """From one picture of the start."""
    return estimate_background(
        drawn.layout, drawn.view, drawn.height, [grained(drawn.picture())], [drawn.looks]
    )


@pytest.mark.parametrize("drawn", [CHESS, TRIUNE], ids=lambda drawn: drawn.text)
def test_what_pieces_hide_is_laid_in_from_places_of_the_same_tone(drawn: Drawn) -> None:
    work = alone(drawn)
    taken = [p for p in drawn.looks if p not in CORNERS]
    with_pieces = Reference.of(grained(drawn.picture()), drawn.view)
    assert away(with_pieces, bare(drawn), cells(drawn, taken)) > 25
    assert away(work, bare(drawn), cells(drawn, taken)) < 12


def test_what_a_picture_shows_free_is_kept_and_the_rest_is_doubted() -> None:
    work = alone(CHESS)
    free = cells(CHESS, [p for p in CHESS.board.sites if p[1] == "4"])
    assert away(work, Reference.of(grained(CHESS.picture()), CHESS.view), free) < 0.01
    assert work.doubt is not None
    assert not work.doubt[free].any()
    assert (work.doubt[cells(CHESS, ["a1", "h1", "d1"])] > 0).mean() > 0.8


def test_a_second_picture_shows_what_the_first_one_hid() -> None:
    first, second = CHESS.table(), CHESS.table("chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
    pictures = [grained(CHESS.picture(table)) for table in (first, second)]
    both = estimate_background(
        CHESS.layout, CHESS.view, CHESS.height, pictures, [first.looks(), second.looks()]
    )
    one, left = alone(CHESS), cells(CHESS, ["e2"])
    assert one.doubt is not None
    assert both.doubt is not None
    assert both.doubt[left].mean() < 0.5 * one.doubt[left].mean()
    assert away(both, bare(CHESS), left) < 0.5 * away(one, bare(CHESS), left)


def test_a_lamp_at_the_side_is_no_piece() -> None:
    lamp = LightSource(azimuth=10, elevation=25, ambient=0.4)
    work = estimate_background(
        CHESS.layout, CHESS.view, CHESS.height, [CHESS.picture(light=lamp)], [CHESS.looks]
    )
    lit = Reference.of(CHESS.picture(Tabletop(CHESS.board), lamp), CHESS.view)
    assert away(work, lit, cells(CHESS, sorted(CHESS.looks))) < 12


def test_a_logo_on_an_empty_place_belongs_to_the_board() -> None:
    image = CHESS.picture()
    x, y = np.round(CHESS.view.pixels([CHESS.board.sites["d4"]])[0]).astype(int)
    cv2.circle(image, (x, y), 8, (30, 30, 200), -1)
    work = estimate_background(CHESS.layout, CHESS.view, CHESS.height, [image], [CHESS.looks])
    assert away(work, Reference.of(image, CHESS.view), cells(CHESS, ["d4"])) < 0.01


def flared(image: Image, view: View, place: tuple[float, float]) -> Image:
    """With a coloured veil of a light that shines into the lens."""
    mask = np.zeros(image.shape[:2], np.float32)
    x, y = view.pixels([place])[0]
    cv2.circle(mask, (round(x), round(y)), round(1.6 * view.step_pixels(place)), 1.0, -1)
    veil = cv2.GaussianBlur(mask, (0, 0), 8)[..., None] * np.array([120, 10, 60], np.float32)
    return np.clip(image + veil, 0, 255).astype(np.uint8)


def test_nothing_is_laid_in_from_places_under_a_coloured_flare() -> None:
    flare = flared(grained(CHESS.picture()), CHESS.view, CHESS.board.sites["d4"])
    work = estimate_background(CHESS.layout, CHESS.view, CHESS.height, [flare], [CHESS.looks])
    far = cells(CHESS, ["a3", "a5", "h6", "h4"])
    assert away(work, bare(CHESS), far) < 5


def test_a_raster_beyond_the_picture_is_not_shown() -> None:
    image = CHESS.picture()
    inside = in_picture(image, CHESS.view)
    assert inside[inside.shape[0] // 2, inside.shape[1] // 2]
    assert not in_picture(image[:200], CHESS.view).all()


def test_the_cells_of_a_chequered_board_have_two_tones() -> None:
    tones = dict(zip(CHESS.layout.places, cell_tones(CHESS.layout), strict=True))
    assert len(set(tones.values())) == 2
    assert tones["a1"] == tones["h8"] == tones["d4"] != tones["a2"]
