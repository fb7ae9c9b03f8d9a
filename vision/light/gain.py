"""Gains: how the light of a frame differs from that of the reference, smoothly over the board.

In go the colours of a frame and of the reference at the same points; out come the coefficients of the gain.
Its logarithm is a quadratic of board coordinates for each colour channel, fitted by iteratively reweighted
least squares: what stands on the board is an outlier. An arm may cover half the board, so that the median
tells the arm's colour. Where few samples agree with a fit, others start from what each part of the board
tells, and the fit with which most samples agree is taken. `python -m benchmarks robustness` measures readings
in other light and under arms, `python -m benchmarks hands` what is taken for a hand.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.arrays import Floats, Indices, Mask, Singles

FLOOR = 6.0
"""Grey levels added to colours before a logarithm is taken: below it noise rules."""
SCALES = (0.3, 0.05)
"""Logarithm by which a sample may differ before it is doubted, in the first round and in the last."""
AGREEING = 0.7
"""The share of samples that agree with a fit from which no other fit is tried."""
TILES = 4
"""Parts of the board, in each direction, from whose colours another fit may start."""
STARTS = 3
"""Other fits that are tried."""
USUAL_LIGHT, USUAL_TINT = 1.0, 0.4
"""Logarithms by which exposure, and one colour beside the others, usually change (standard deviations)."""
DARK, BURNT = 20, 250
"""Grey levels between which a colour tells the light: darker ones are noise, lighter ones are cut off."""
HARDLY = 0.02
"""The weight of samples that are too dark or too light to tell the light."""
RIDGE_EVEN, RIDGE_BENT = 1e-3, 2e-3
"""Ridge terms of the fit: a fixed one for the even gain, one for each sample for what changes over the board.
They keep a fit even where nearly all samples are outliers."""


def terms(points: Floats, extent: tuple[float, float, float, float]) -> Singles:
    """Returns the quadratic's terms (…, 6) at points (…, 2) of a board that reaches over `extent` (x0, y0,
    x1, y1)."""
    x0, y0, x1, y1 = extent
    x = (points[..., 0] - (x0 + x1) / 2) / (x1 - x0) * 2
    y = (points[..., 1] - (y0 + y1) / 2) / (y1 - y0) * 2
    return np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1).astype(np.float32)


def fit_gain(frame: Singles, reference: Singles, design: Singles, rounds: int = 8) -> Singles:
    """Returns coefficients (6, 3) of the log gain that takes the reference's colours (n, 3) to the frame's.

    `design` holds the `terms` (n, 6) of the points; `rounds` is how often the samples are weighted anew.
    """
    seen, known = (np.ascontiguousarray(colours.T, dtype=np.float32) for colours in (frame, reference))
    ratio = np.log((seen + FLOOR) / (known + FLOOR))
    usable = (known.min(axis=0) > DARK) & (seen.max(axis=0) < BURNT)
    weight = np.where(usable, 1.0, HARDLY).astype(np.float32)
    basis = np.ascontiguousarray(design.T)
    even = np.median(ratio[:, usable], axis=1) if usable.any() else np.zeros(3)
    start = np.asarray(even, dtype=np.float32)
    gain = _refined(start, ratio, basis, weight, rounds)
    if not usable.any() or _agreement(gain, ratio, basis, weight) >= AGREEING:
        return gain
    others = [_refined(s, ratio, basis, weight, rounds) for s in _starts(ratio, basis, usable)]
    return max((gain, *others), key=lambda g: _agreement(g, ratio, basis, weight) * _likelihood(g))


def _refined(start: Singles, ratio: Singles, basis: Singles, weight: Singles, rounds: int) -> Singles:
    """Returns the gain (6, 3) to which reweighting leads from an even one (3)."""
    gain = np.zeros((len(basis), 3), np.float32)
    gain[0] = start
    ridge = np.diag([RIDGE_EVEN, *[basis.shape[1] * RIDGE_BENT] * (len(basis) - 1)]).astype(np.float32)
    for scale in _scales(rounds):
        doubt = weight * _trust(gain, ratio, basis, scale)
        normal = basis * doubt
        gain = np.linalg.solve(normal @ basis.T + ridge, normal @ ratio.T).astype(np.float32)
    return gain


@cache
def _scales(rounds: int) -> tuple[float, ...]:
    """Returns the scale of doubt in each round."""
    return tuple(np.geomspace(*SCALES, rounds).tolist())


def _trust(gain: Singles, ratio: Singles, basis: Singles, scale: float) -> Singles:
    """Returns how far each sample agrees with a gain (n), 0…1: Geman and McClure's weights."""
    miss = np.abs(ratio - gain.T @ basis).max(axis=0)
    return np.asarray(1 / np.square(1 + np.square(miss / np.float32(scale))))


def _agreement(gain: Singles, ratio: Singles, basis: Singles, weight: Singles) -> float:
    """Returns the share of samples that agree with a gain, 0…1."""
    return float((weight * _trust(gain, ratio, basis, 2 * SCALES[1])).sum() / weight.sum())


def _starts(ratio: Singles, basis: Singles, usable: Mask) -> list[Singles]:
    """Returns even gains (3), each the median of a part of the board: those with which most samples agree."""
    x, y = (_parts(basis[k]) for k in (1, 2))
    part = np.where(usable, y * TILES + x, -1)
    medians = [np.median(ratio[:, part == n], axis=1) for n in np.unique(part[usable])]
    agreeing = [(np.abs(ratio - m[:, None]).max(axis=0)[usable] < SCALES[0]).mean() for m in medians]
    return [np.asarray(medians[n], np.float32) for n in np.argsort(agreeing)[-STARTS:]]


def _parts(coordinate: Singles) -> Indices:
    """Returns the part, 0 to TILES - 1, in which each coordinate lies."""
    low, high = float(coordinate.min()), float(coordinate.max())
    part = np.minimum((coordinate - low) / max(high - low, 1e-6) * TILES, TILES - 1)
    return np.asarray(part, dtype=np.intp)


def _likelihood(gain: Singles) -> float:
    """Returns how likely light is to change so far, beside no change; 0…1."""
    light = float(gain[0].mean())
    tint = float(np.abs(gain[0] - light).max())
    return float(np.exp(-0.5 * ((light / USUAL_LIGHT) ** 2 + (tint / USUAL_TINT) ** 2)))
