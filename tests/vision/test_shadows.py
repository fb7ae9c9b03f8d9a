"""Shadows are light that is missing, and neither hands nor pieces."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from tests.vision.drawn import NOON, Drawn
from vision.arrays import Image
from vision.hands import HandWatch, shrink
from vision.light.shadows import SLIGHT, find_shadows, without_shadows

TRIUNE = Drawn("triune")
CELL = 16.0


def lined() -> np.ndarray:
    """A grey board with lines."""
    board = np.full((160, 200), 150, np.float32)
    board[::16] = board[:, ::16] = 60
    return board


def colour(grey: np.ndarray) -> Image:
    return np.repeat(np.clip(np.round(grey), 0, 255).astype(np.uint8)[..., None], 3, axis=2)


def shadow(edge: int, left: float) -> np.ndarray:
    light = np.ones((160, 200), np.float32)
    light[:, :edge] = left
    return light


def test_even_light_has_no_shade() -> None:
    assert find_shadows(colour(lined()), [lined()], CELL) is None


@pytest.mark.parametrize("left", [0.4, 0.6, 0.8, 1.3])
def test_a_shadow_is_measured_on_both_sides_of_its_edge(left: float) -> None:
    shade = find_shadows(colour(lined() * shadow(100, left)), [lined()], CELL)
    assert shade is not None
    assert np.median(shade[20:140, 10:80]) == pytest.approx(np.log(left), abs=0.08)
    assert np.abs(shade[20:140, 120:190]).max() < SLIGHT


def test_a_shadow_is_lifted() -> None:
    dark = colour(lined() * shadow(100, 0.5))
    even = without_shadows(dark, find_shadows(dark, [lined()], CELL))
    assert np.abs(even.astype(float) - colour(lined()))[20:140, 10:190].mean() < 6
    assert without_shadows(dark, None) is dark


def test_what_hides_the_lines_is_no_shade() -> None:
    covered = lined()
    covered[40:120, 60:140] = 90
    shade = find_shadows(colour(covered), [lined()], CELL)
    assert shade is None or np.abs(shade[60:100, 80:120]).max() < SLIGHT


def test_a_veil_over_the_lines_is_no_shade() -> None:
    """A flare adds light, and lines lose contrast: no factor explains both."""
    assert find_shadows(colour(0.35 * lined() + 20), [lined()], CELL) is None


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
