"""Which way a board lies: where it lies aslant, a word for its south side is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import degrees

import numpy as np
import pytest

from companion.games.text import replay
from tests.samples import first_few
from tests.vision.drawn import Drawn, drawn
from vision.calibration.calibrate import calibrate
from vision.finding.symmetry import SIDES, facing, southward, towards
from vision.geometry.view import View
from vision.known.example import Example
from vision.virtual.render import overlook

MAGNET = "magnet =TK443243t223 =4T4K432323t2"


@dataclass(frozen=True, eq=False)
class Aslant(Drawn):
    azimuth: float = -90.0

    @cached_property
    def view(self) -> View:
        return overlook(self.board, 75, self.azimuth, size=self.size)


@pytest.mark.parametrize("azimuth", first_few(1, [-128, -135, -52, -45]))
def test_the_position_tells_what_a_word_for_the_south_leaves_open(azimuth: float) -> None:
    drawn = Aslant(MAGNET, (960, 720), azimuth)
    looks = drawn.game.rules.looks(replay(MAGNET)[1])
    example = Example(drawn.picture(), drawn.looks)
    profile = calibrate(drawn.board, MAGNET, looks, [example], [drawn.empty], south="bottom")
    off = degrees(southward(profile.view) - southward(drawn.view))
    assert abs((off + 180) % 360 - 180) < 5


@pytest.mark.parametrize(("turned", "near"), [(0, 1), (40, 2), (-40, 2)])
def test_candidates_beside_the_named_side_are_left_open(turned: float, near: int) -> None:
    board = drawn("magnet").board
    candidates = [overlook(board, 89, -90 + turned + 60 * n) for n in range(6)]
    left = towards(candidates, "bottom")
    assert facing(candidates, "bottom") in left
    assert len(left) == near
    apart = [abs(np.degrees(southward(view) - SIDES["bottom"])) for view in left]
    assert max(apart) < 62
