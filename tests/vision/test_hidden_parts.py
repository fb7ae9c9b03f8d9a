"""Small pieces before tall ones of their own colour, as a camera at the end of a row sees them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pytest

from tests.samples import first_few
from tests.vision.drawn import Drawn
from vision.geometry.view import View
from vision.virtual.render import overlook


@dataclass(frozen=True, eq=False)
class Aside(Drawn):
    """A board drawn as a camera of some azimuth sees it; degrees."""

    azimuth: float = -90.0

    @cached_property
    def view(self) -> View:
        return overlook(self.board, 65.0, self.azimuth, size=self.size)


def standing(seen: dict[str, str]) -> dict[str, str]:
    return {place: look for place, look in seen.items() if look != "empty"}


@pytest.mark.parametrize("azimuth", first_few(1, [0.0, 180.0]))
def test_a_small_piece_before_a_tall_one_of_its_colour_is_not_taken_for_it(azimuth: float) -> None:
    drawn = Aside("trid players=3", (960, 720), azimuth)
    assert standing(dict(drawn.reader().read(drawn.picture()).looks)) == drawn.looks
