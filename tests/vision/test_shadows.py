"""Shadows are light that is missing, and neither hands nor pieces."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from tests.vision.drawn import NOON, drawn
from vision.hands import HandWatch, shrink

TRIUNE = drawn("triune")


@cache
def watch() -> HandWatch:
    reader = TRIUNE.reader()
    return HandWatch([shrink(TRIUNE.empty), shrink(TRIUNE.picture())], reader.view, reader.layout.unit)


@pytest.mark.parametrize("shade", [0.3, 0.5])
def test_a_shadow_across_half_the_board_is_no_hand_and_is_read(shade: float) -> None:
    seen = TRIUNE.reader().read(TRIUNE.picture(light=replace(NOON, shade=shade)))
    assert not seen.sighting.hand
    assert {place: look for place, look in seen.looks.items() if look != "empty"} == TRIUNE.looks


@pytest.mark.parametrize("shade", [0.0, 0.4])
def test_a_hand_is_one_in_the_shadow_too(shade: float) -> None:
    table = TRIUNE.table()
    at = (3.5, 3.5)
    image = shrink(TRIUNE.picture(table.reach(at), replace(NOON, shade=shade)))
    assert watch().sees(image).hand
    left = table.reach(at).withdraw().become(table.looks(), Random(1))
    assert not watch().sees(shrink(TRIUNE.picture(left))).hand
