"""The board is learned on in play, from places that are known to be empty."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import drawn
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.known.example import Example
from vision.known.reference import FOLLOWS, MARGIN, PX_PER_STEP
from vision.light.illumination import Illumination
from vision.reading import reader as reading
from vision.reading.network import embed
from vision.reading.reader import FrameReading, Reader

TRIUNE = drawn("triune")
CREEPS = 40
"""Lessons while a patch of sun comes to be."""


def sunny(image: Image, share: float) -> Image:
    """A patch of coloured light on the middle of the board, as through a window; it is no smooth change."""
    x, y = TRIUNE.view.pixels([(3.5, 3.5)])[0]
    rows, columns = np.indices(image.shape[:2])
    inside = (np.abs(columns - x) < 90) & (np.abs(rows - y) < 45)
    gain = 1 + share * inside[..., None] * np.array([-0.3, 0.0, 0.5])
    return np.clip(image * gain, 0, 255).astype(np.uint8)


def is_right(seen: FrameReading) -> bool:
    """Whether all that stands there was read, and nothing taken for a hand."""
    there = {place: look for place, look in seen.looks.items() if look != "empty"}
    return not seen.sighting.hand and there == TRIUNE.looks


def patch(reader: Reader, places: list[str]) -> np.ndarray:
    """The reference's colours on places."""
    spots = TRIUNE.view.rectified([TRIUNE.board.sites[p] for p in places], PX_PER_STEP, MARGIN)
    columns, rows = np.round(spots).astype(int).T
    return reader.reference.raster[rows, columns].astype(float)


def from_one_picture() -> Reader:
    """Learned from the start position alone: the board under the pieces is guessed."""
    looks = TRIUNE.game.rules.looks(TRIUNE.game.start())
    corners = [(float(x), float(y)) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    example = Example(TRIUNE.picture(), TRIUNE.looks)
    return Reader(calibrate(TRIUNE.board, "triune", looks, [example], (), corners), TRIUNE.board)


def test_a_patch_of_sun_that_comes_slowly_is_followed() -> None:
    picture, followed = TRIUNE.picture(), TRIUNE.reader()
    for n in range(1, CREEPS + 1):
        followed.learn(sunny(picture, n / CREEPS), TRIUNE.looks)
    assert is_right(followed.read(sunny(picture, 1.0)))


def test_the_reference_moves_by_the_share_where_nothing_stands() -> None:
    reader, places = TRIUNE.reader(), ["c4", "d5", "e4"]
    before = patch(reader, places)
    bright = patch(Reader(TRIUNE.profile, TRIUNE.board), places) * [0.7, 1.0, 1.5]
    reader.learn(sunny(TRIUNE.picture(), 1.0), TRIUNE.looks)
    moved, whole = patch(reader, places) - before, bright - before
    assert moved[:, 2].mean() > 0.5 * FOLLOWS * whole[:, 2].mean()
    assert moved[:, 2].mean() < 2 * FOLLOWS * whole[:, 2].mean()


def test_the_board_under_a_piece_is_not_learned_from_the_piece() -> None:
    reader, taken = TRIUNE.reader(), sorted(TRIUNE.looks)
    before = patch(reader, taken)
    reader.learn(TRIUNE.picture(), TRIUNE.looks)
    assert (patch(reader, taken) == before).all()


def test_what_a_piece_uncovers_is_learned_at_once() -> None:
    reader = from_one_picture()
    empty = Reader(TRIUNE.profile, TRIUNE.board)
    reader.learn(TRIUNE.empty, {})
    hidden = sorted(TRIUNE.looks)
    assert np.abs(patch(reader, hidden) - patch(empty, hidden)).mean() < 4
    assert reader.profile.doubt is not None
    assert not reader.profile.doubt[reader.profile.doubt.shape[0] // 2].any()


def test_what_shows_the_same_as_it_did_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    embedded, fitted = [], []
    fit = Illumination.fit
    monkeypatch.setattr(reading, "embed", lambda planes: embedded.append(len(planes)) or embed(planes))
    monkeypatch.setattr(Illumination, "fit", lambda light, image: fitted.append(image) or fit(light, image))
    reader, picture = TRIUNE.reader(), TRIUNE.picture()
    embedded.clear()
    fitted.clear()
    reader.read(picture)
    reader.learn(picture, TRIUNE.looks)
    assert sum(embedded) == 0
    assert len(fitted) == 1


def test_what_was_learned_is_kept_in_the_profile() -> None:
    reader = TRIUNE.reader()
    reader.learn(sunny(TRIUNE.picture(), 1.0), TRIUNE.looks)
    assert (reader.profile.reference == reader.reference.raster).all()
