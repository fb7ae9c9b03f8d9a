"""Caps: flat discs on top of a piece, or lying on the board: markers, and the dot of a glider.

A cap is told from few examples, since the piece below it is known from many: what is sought is only its
colour, its radius, and which slab of the piece it covers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.board import Board
from vision.solids.evidence import ANYTHING, COLOURS, OPPONENT, UNKNOWN, evidence
from vision.solids.model import SPREAD, Geometry, Model
from vision.solids.solid import RINGS, SLABS, shown

Singles = npt.NDArray[np.float32]
RADII = (0.12, 0.15, 0.18, 0.21, 0.24)
"""Radii of caps that are tried; units."""
ROUGH = np.array([0.2, 0.1, 0.1], np.float32)
"""Spread of a colour of which only the board file tells."""


@dataclass(frozen=True, eq=False)
class Cap:
    """A cap's name (`+T`, `dot`), its colour, radius (steps), and by how many slabs it tops the piece."""

    name: str
    mean: Singles
    sigma: Singles
    radius: float
    rise: int


@dataclass(frozen=True, eq=False)
class Exemplars:
    """Windows of one look, where it fits: slope buckets (n), opponent colours (n, levels, WIDTH, WIDTH, 3),
    share of the piece, what is not hidden, and log density of the board."""

    bucket: npt.NDArray[np.intp]
    colours: Singles
    share: Singles
    seen: Singles
    board: Singles


def parts_of(board: Board, look: str) -> tuple[str, str] | None:
    """A capped look as the look without the cap ('' for the bare board) and the cap's name."""
    piece, plus, marker = look.partition("+")
    if plus:
        return piece, "+" + marker
    owner, slash, name = piece.partition("/")
    face = board.pieces.faces.get(name)
    if not slash or face is None or face.badge != "dot":
        return None
    for other, plain in board.pieces.faces.items():
        same = (plain.form, plain.radius, plain.height) == (face.form, face.radius, face.height)
        if other and same and not plain.badge:
            return f"{owner}/{other}", "dot"
    return None


def top_slab(model: Model) -> int:
    return max((k for k, r in enumerate(model.radii) if r > 0), default=0)


def with_cap(look: str, plain: Model, cap: Cap, count: float) -> Model:
    """A piece with a cap: one colour of the palette is given to it."""
    used = np.bincount(plain.colours, minlength=COLOURS)
    spare = int(used.argmin())
    mean, sigma, colours = plain.mean.copy(), plain.sigma.copy(), plain.colours.copy()
    others = [c for c in range(COLOURS) if c != spare]
    nearest = min(others, key=lambda c: float(np.abs(plain.mean[c] - plain.mean[spare]).sum()))
    colours[colours == spare] = nearest
    mean[spare], sigma[spare] = cap.mean, cap.sigma
    slab = min(top_slab(plain) + cap.rise, SLABS - 1)
    radii = list(plain.radii)
    for k in range(top_slab(plain), slab):
        radii[k] = radii[k] or radii[top_slab(plain)]
    radii[slab] = cap.radius
    colours[slab * RINGS : (slab + 1) * RINGS] = spare
    return Model(look, plain.kind, tuple(radii), colours, mean, sigma, count)


def bare(look: str, kind: str, cap: Cap, count: float) -> Model:
    """A cap that lies on the board."""
    mean = np.repeat(cap.mean[None], COLOURS, axis=0)
    sigma = np.repeat(cap.sigma[None], COLOURS, axis=0)
    radii = (cap.radius, *(0.0 for _ in range(SLABS - 1)))
    return Model(look, kind, radii, np.zeros(SLABS * RINGS, np.int8), mean, sigma, count)


def fit_caps(
    geometry: Geometry, plain: Mapping[str, Model], gathered: Mapping[str, Exemplars], board: Board
) -> dict[str, Cap]:
    """The caps that stand in the exemplars, by name."""
    names = sorted({p[1] for look in gathered if (p := parts_of(board, look))})
    caps = {}
    for name in names:
        mine = {look: e for look, e in gathered.items() if (parts_of(board, look) or ("", ""))[1] == name}
        tries = [
            _fit(geometry, plain, mine, Cap(name, *UNKNOWN, radius * geometry.layout.unit, rise), board)
            for rise in (0, 1, 2)
            for radius in RADII
        ]
        caps[name] = max(tries, key=lambda t: t[0])[1]
    return caps


def _fit(
    geometry: Geometry, plain: Mapping[str, Model], mine: Mapping[str, Exemplars], cap: Cap, board: Board
) -> tuple[float, Cap]:
    """How well a cap of this radius and rise explains its exemplars, and the cap with its colour."""
    inside, total = [], 0.0
    models = {look: _model(look, plain, cap, board) for look in mine}
    for look, e in mine.items():
        model = models[look]
        if model is not None:
            inside.append(e.colours[(_cap_samples(geometry, model, cap)[e.bucket]) & (e.seen > 0)])
    seen = np.concatenate(inside) if inside else np.empty((0, 3), np.float32)
    if len(seen) < 4:
        return -np.inf, cap
    fitted = replace(cap, mean=np.median(seen, axis=0).astype(np.float32), sigma=SPREAD)
    for look, e in mine.items():
        model = _model(look, plain, fitted, board)
        if model is not None:
            share = geometry.appearance(model).share[e.bucket]
            layers = [
                evidence(e.colours, e.board, m, s) for m, s in zip(model.mean, model.sigma, strict=True)
            ]
            total += float((share * np.stack(layers, axis=1) * e.seen[:, None]).sum())
    return total, fitted


def _model(look: str, plain: Mapping[str, Model], cap: Cap, board: Board) -> Model | None:
    below = (parts_of(board, look) or ("", ""))[0]
    if not below:
        return bare(look, "", cap, 1)
    return with_cap(look, plain[below], cap, 1) if below in plain else None


def _cap_samples(geometry: Geometry, model: Model, cap: Cap) -> npt.NDArray[np.bool_]:
    slab = max(k for k, r in enumerate(model.radii) if r > 0)
    part = shown(geometry.distance, model.radii)
    return (part >= slab * RINGS) & (part < (slab + 1) * RINGS)


def unknown_cap(name: str, caps: Sequence[Cap], unit: float, board: Board) -> Cap:
    """A cap that was never seen: as large as the others, of roughly the board file's colour, or of any."""
    radius = float(np.median([c.radius for c in caps])) if caps else 0.18 * unit
    rise = round(float(np.median([c.rise for c in caps]))) if caps else 1
    paint = board.pieces.paint.get(name.removeprefix("+"))
    return Cap(name, *(_roughly(paint) if paint else UNKNOWN), radius, rise)


def _roughly(paint: str) -> tuple[Singles, Singles]:
    """Mean and spread of a paint `#rrggbb` in whatever light."""
    bgr = np.array([int(paint[i : i + 2], 16) for i in (5, 3, 1)], np.float32) / 255
    return np.asarray(OPPONENT @ bgr, dtype=np.float32), ROUGH


__all__ = ["ANYTHING", "Cap", "Exemplars", "bare", "fit_caps", "parts_of", "unknown_cap", "with_cap"]
