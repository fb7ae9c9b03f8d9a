"""Faces that differ by what is printed on them, under a gloss that changes their colour more than that."""

from __future__ import annotations

import numpy as np
import pytest

from companion.text import replay
from tests.vision.drawn import Drawn
from vision.calibration.calibrate import Example, calibrate
from vision.calibration.profile import Profile, parse_profile
from vision.geometry.view import Image
from vision.reading.reader import Reader

START = "triune"
MARKED = "triune b2~"
LATER = "triune b2~ b7~ g2~ g7~ d2~ e7~"


def glossed(picture: Image, most: float = 170.0) -> Image:
    """The picture with light mirrored on it: none at its left, most at its right."""
    veil = np.linspace(0, most, picture.shape[1], dtype=np.float32)[None, :, None]
    return np.clip(picture + veil * (255 - picture) / 255, 0, 255).astype(np.uint8)


def pieces_glossed(drawn: Drawn) -> Image:
    """The picture with gloss on the pieces alone: paint shines more than the wood does."""
    bare, full = drawn.empty.astype(int), drawn.picture()
    piece = np.abs(full.astype(int) - bare).max(axis=2) > 25
    return np.where(piece[..., None], glossed(full), full)


@pytest.fixture(scope="module")
def profile() -> Profile:
    start, marked = Drawn(START, (960, 720)), Drawn(MARKED, (960, 720))
    looks = start.game.rules.looks(replay(START)[1])
    examples = [Example(pieces_glossed(d), d.looks) for d in (start, marked)]
    return calibrate(start.board, start.game.head, looks, examples, [start.empty])


def test_marked_and_solid_faces_are_told_apart_wherever_gloss_lies(profile: Profile) -> None:
    later = Drawn(LATER, (960, 720))
    seen = Reader(profile, later.board).read(pieces_glossed(later))
    assert {place: look for place, look in seen.looks.items() if look != "empty"} == later.looks


def test_the_relief_of_faces_is_kept_in_the_profile(profile: Profile) -> None:
    again = parse_profile(profile.to_json())
    reliefs = {m.look: m.relief for m in again.models}
    for owner in ("red", "blue"):
        solid, marked = reliefs[f"{owner}/solid"], reliefs[f"{owner}/marked"]
        assert solid is not None
        assert marked is not None
        assert marked > solid + 0.9


def test_pieces_that_are_no_discs_have_no_relief() -> None:
    assert {m.relief for m in Drawn("escape").profile.models} == {None}
