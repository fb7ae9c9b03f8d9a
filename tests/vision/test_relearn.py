"""Light that changes slowly is followed, from places that are known to be empty."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import Drawn
from vision.geometry.view import Image
from vision.reading.reader import Reader, Seen
from vision.reading.reference import MARGIN, PX_PER_STEP

TRIUNE = Drawn("triune")
CREEPS = 12
"""Steps in which a patch of sun comes to be."""


def sunny(image: Image, share: float) -> Image:
    """A patch of coloured light on the middle of the board, as through a window; it is no smooth change."""
    x, y = TRIUNE.view.pixels([(3.5, 3.5)])[0]
    rows, columns = np.indices(image.shape[:2])
    inside = (np.abs(columns - x) < 90) & (np.abs(rows - y) < 45)
    gain = 1 + share * inside[..., None] * np.array([-0.3, 0.0, 0.5])
    return np.clip(image * gain, 0, 255).astype(np.uint8)


def surprise(reader: Reader, image: Image) -> float:
    """How little a reader expects what stands there; nats."""
    observation = reader.read(image).sighting.observation
    assert observation is not None
    return observation.surprise(TRIUNE.looks)


def is_right(seen: Seen) -> bool:
    """Whether all that stands there was read, and nothing taken for a hand."""
    there = {place: look for place, look in seen.looks.items() if look != "empty"}
    return not seen.sighting.hand and there == TRIUNE.looks


def patch(reader: Reader, places: list[str]) -> np.ndarray:
    """The reference's colours on places."""
    spots = TRIUNE.view.rectified([TRIUNE.board.sites[p] for p in places], PX_PER_STEP, MARGIN)
    columns, rows = np.round(spots).astype(int).T
    return reader.reference.raster[rows, columns].astype(float)


def test_a_patch_of_sun_that_comes_slowly_is_followed() -> None:
    picture, followed, left = TRIUNE.picture(), TRIUNE.reader(), TRIUNE.reader()
    for n in range(1, CREEPS + 1):
        followed.relearn(sunny(picture, n / CREEPS), TRIUNE.looks, share=0.5)
    sun = sunny(picture, 1.0)
    assert not is_right(left.read(sun))
    assert surprise(followed, sun) < surprise(left, sun)
    assert is_right(followed.read(sun))


def test_the_reference_moves_by_the_share_where_nothing_stands() -> None:
    reader = TRIUNE.reader()
    places = ["c4", "d5", "e4"]
    before = patch(reader, places)
    reader.relearn(sunny(TRIUNE.picture(), 1.0), TRIUNE.looks, share=0.5)
    assert (patch(reader, places) - before)[:, 2].mean() > 10
    reader.relearn(TRIUNE.picture(), TRIUNE.looks, share=1.0)
    assert np.abs(patch(reader, places) - before).mean() < 4


def test_the_board_under_a_piece_is_not_learned_from_the_piece() -> None:
    reader = TRIUNE.reader()
    taken = sorted(TRIUNE.looks)
    before = patch(reader, taken)
    reader.relearn(TRIUNE.picture(), TRIUNE.looks, share=1.0)
    assert (patch(reader, taken) == before).all()


def test_what_was_relearned_is_kept_in_the_profile() -> None:
    reader = TRIUNE.reader()
    reader.relearn(sunny(TRIUNE.picture(), 1.0), TRIUNE.looks, share=0.5)
    assert (reader.profile.reference == reader.reference.raster).all()
    again = Reader(reader.profile, TRIUNE.board)
    sun = sunny(TRIUNE.picture(), 1.0)
    assert surprise(again, sun) == pytest.approx(surprise(reader, sun))
