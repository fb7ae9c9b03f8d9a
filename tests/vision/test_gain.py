"""The illumination fit holds while things stand on the board, and while an arm covers half of it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.light.gain import fit_gain, terms

LIGHT, DARK = (150, 180, 200), (50, 80, 120)
EXTENT = (0.0, 0.0, 8.0, 8.0)
ARMS = {"skin": (110, 140, 190), "black sleeve": (30, 25, 25), "white sleeve": (220, 220, 225)}
EXPOSURES = {
    "as it was": (0.0, 0.0, 0.0),
    "brighter": (0.3, 0.25, 0.3),
    "darker": (-0.5, -0.5, -0.45),
    "redder": (-0.1, 0.0, 0.15),
}


@pytest.mark.parametrize("share", [0.0, 0.2, 0.35, 0.5])
@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("exposure", EXPOSURES)
def test_what_covers_a_part_of_the_board_is_no_light(share: float, arm: str, exposure: str) -> None:
    rng = np.random.default_rng(1)
    points = rng.uniform(0, 8, (2000, 2))
    squares = points.astype(int).sum(axis=1) % 2
    known = np.where(squares[:, None] > 0, LIGHT, DARK) + rng.normal(0, 4, (2000, 3))
    light = np.array(EXPOSURES[exposure]) + 0.03 * (points[:, :1] - 4)
    frame = known * np.exp(light)
    covered = points @ (0.8, 0.6) < np.quantile(points @ (0.8, 0.6), share)
    frame[covered] = ARMS[arm] + rng.normal(0, 8, (covered.sum(), 3))
    design = terms(points, EXTENT)
    gain = fit_gain(np.clip(frame, 0, 255).astype(np.float32), known.astype(np.float32), design)
    assert np.abs(design @ gain - light)[~covered].max() < 0.12


def test_no_sample_that_tells_light_is_no_change() -> None:
    black = np.zeros((50, 3), np.float32)
    gain = fit_gain(black, black, terms(np.random.default_rng(1).uniform(0, 8, (50, 2)), EXTENT))
    assert np.abs(gain).max() < 1e-3
