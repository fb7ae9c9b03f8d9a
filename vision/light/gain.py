"""Light: how the light of a frame differs from that of the reference, as smooth gains over the board.

The gain is a quadratic of board coordinates for each colour channel, in logarithms, fitted so that most
of the board agrees: what stands on the board is an outlier.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

FLOOR = 6.0
"""Added to colours before a logarithm: below it noise rules."""


def terms(points: Floats, extent: tuple[float, float, float, float]) -> Singles:
    """The quadratic's terms (…, 6) at board points (…, 2)."""
    x0, y0, x1, y1 = extent
    x = (points[..., 0] - (x0 + x1) / 2) / (x1 - x0) * 2
    y = (points[..., 1] - (y0 + y1) / 2) / (y1 - y0) * 2
    return np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1).astype(np.float32)


def fit_gain(frame: Singles, reference: Singles, design: Singles, rounds: int = 8) -> Singles:
    """Coefficients (6, 3) of the log gain that takes the reference's colours (n, 3) to the frame's."""
    seen, known = (np.ascontiguousarray(colours.T, dtype=np.float32) for colours in (frame, reference))
    ratio = np.log((seen + FLOOR) / (known + FLOOR))
    usable = (known.min(axis=0) > 20) & (seen.max(axis=0) < 250)
    weight = np.where(usable, 1.0, 0.02).astype(np.float32)
    basis = np.ascontiguousarray(design.T)
    gain = np.zeros((len(basis), 3), np.float32)
    gain[0] = np.median(ratio[:, usable], axis=1) if usable.any() else 0
    ridge = np.diag([1e-3, *[len(design) * 2e-3] * (len(basis) - 1)]).astype(np.float32)
    for scale in np.geomspace(0.3, 0.05, rounds):
        miss = np.abs(ratio - gain.T @ basis).max(axis=0)
        doubt = weight / np.square(1 + np.square(miss / np.float32(scale)))
        normal = basis * doubt
        gain = np.linalg.solve(normal @ basis.T + ridge, normal @ ratio.T).astype(np.float32)
    return gain
