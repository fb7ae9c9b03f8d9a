"""Fits markers: flat discs on top of a piece or on the board. The dot of a glider counts as one.

A marker is learned from few examples, since the piece below it is known from many: only its colour, its
radius and the slab of the piece that it covers are sought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.board import Board
from vision.arrays import Indices, Mask, Singles
from vision.solids.evidence import COLOURS, OPPONENT, UNKNOWN, evidence
from vision.solids.model import SPREAD, Geometry, Model
from vision.solids.solid import RINGS, SLABS, shown

RADII = (0.12, 0.15, 0.18, 0.21, 0.24)
"""Radii of markers that are tried; units."""
RISES = (0, 1, 2)
"""The numbers of slabs by which a marker may top the piece; these are tried."""
USUAL_RADIUS, USUAL_RISE = 0.18, 1
"""A marker's radius (units) and rise where none was seen."""
FEWEST_SAMPLES = 4
"""Fewer samples tell no colour."""
ROUGH = np.array([0.2, 0.1, 0.1], np.float32)
"""Spread of a colour of which only the board file tells."""


@dataclass(frozen=True, eq=False)
class PieceMarker:
    """A marker's name (`+T`, `dot`), its colour, radius (steps), and by how many slabs it tops the piece."""

    name: str
    mean: Singles
    sigma: Singles
    radius: float
    rise: int


@dataclass(frozen=True, eq=False)
class Exemplars:
    """Windows of one look, where it fits: slope buckets (n), opponent colours (n, levels, WIDTH, WIDTH, 3),
    share of the piece, what is not hidden, and log density of the board."""

    bucket: Indices
    colours: Singles
    share: Singles
    seen: Singles
    board: Singles


def piece_and_marker(board: Board, look: str) -> tuple[str, str] | None:
    """Returns a look without its marker ('' for a marker alone), and the marker's name. None without a
    marker."""
    piece, plus, marker = look.partition("+")
    if plus:
        return piece, "+" + marker
    owner, slash, name = piece.partition("/")
    face = board.pieces.faces.get(name)
    if not slash or face is None or face.badge != "dot":
        return None
    # The same piece without the dot is another face of its owner.
    for other, plain in board.pieces.faces.items():
        same = (plain.form, plain.radius, plain.height) == (face.form, face.radius, face.height)
        if other and same and not plain.badge:
            return f"{owner}/{other}", "dot"
    return None


def top_slab(model: Model) -> int:
    """Returns the number of a solid's uppermost slab."""
    return max((k for k, r in enumerate(model.radii) if r > 0), default=0)


def with_marker(look: str, plain: Model, marker: PieceMarker, count: float) -> Model:
    """Returns a piece with a marker: the colour of the palette that is used least is given to the marker."""
    spare = int(np.bincount(plain.colours, minlength=COLOURS).argmin())
    mean, sigma, colours = plain.mean.copy(), plain.sigma.copy(), plain.colours.copy()
    others = [c for c in range(COLOURS) if c != spare]
    nearest = min(others, key=lambda c: float(np.abs(plain.mean[c] - plain.mean[spare]).sum()))
    colours[colours == spare] = nearest
    mean[spare], sigma[spare] = marker.mean, marker.sigma
    top = top_slab(plain)
    slab = min(top + marker.rise, SLABS - 1)
    radii = list(plain.radii)
    for k in range(top, slab):
        radii[k] = radii[k] or radii[top]
    radii[slab] = marker.radius
    colours[slab * RINGS : (slab + 1) * RINGS] = spare
    return Model(look, plain.kind, tuple(radii), colours, mean, sigma, count)


def marker_alone(look: str, kind: str, marker: PieceMarker, count: float) -> Model:
    """Returns a marker that lies on the board."""
    mean = np.repeat(marker.mean[None], COLOURS, axis=0)
    sigma = np.repeat(marker.sigma[None], COLOURS, axis=0)
    radii = (marker.radius, *(0.0 for _ in range(SLABS - 1)))
    return Model(look, kind, radii, np.zeros(SLABS * RINGS, np.int8), mean, sigma, count)


def fit_markers(
    geometry: Geometry, plain: Mapping[str, Model], gathered: Mapping[str, Exemplars], board: Board
) -> dict[str, PieceMarker]:
    """Returns the markers that stand in the exemplars, by name."""
    by_marker: dict[str, dict[str, Exemplars]] = {}
    for look, exemplars in gathered.items():
        parts = piece_and_marker(board, look)
        if parts is not None:
            by_marker.setdefault(parts[1], {})[look] = exemplars
    markers = {}
    for name, seen in sorted(by_marker.items()):
        tries = [
            _fit(
                geometry, plain, seen, PieceMarker(name, *UNKNOWN, radius * geometry.layout.unit, rise), board
            )
            for rise in RISES
            for radius in RADII
        ]
        markers[name] = max(tries, key=lambda fit: fit[0])[1]
    return markers


def _fit(
    geometry: Geometry,
    plain: Mapping[str, Model],
    gathered: Mapping[str, Exemplars],
    marker: PieceMarker,
    board: Board,
) -> tuple[float, PieceMarker]:
    """Returns how well a marker of this radius and rise explains its exemplars (nats), and its colour in
    it."""
    colours = [np.empty((0, 3), np.float32)]
    for look, exemplars in gathered.items():
        model = _model(look, plain, marker, board)
        if model is not None:
            shows_marker = _marker_samples(geometry, model)[exemplars.bucket] & (exemplars.seen > 0)
            colours.append(exemplars.colours[shows_marker])
    seen = np.concatenate(colours)
    if len(seen) < FEWEST_SAMPLES:
        return -np.inf, marker
    fitted = replace(marker, mean=np.median(seen, axis=0).astype(np.float32), sigma=SPREAD)
    total = 0.0
    for look, exemplars in gathered.items():
        model = _model(look, plain, fitted, board)
        if model is not None:
            total += _explained(geometry, model, exemplars)
    return total, fitted


def _explained(geometry: Geometry, model: Model, exemplars: Exemplars) -> float:
    """Returns how much better than the board a model explains exemplars; nats."""
    share = geometry.appearance(model).share[exemplars.bucket]
    layers = [
        evidence(exemplars.colours, exemplars.board, mean, sigma)
        for mean, sigma in zip(model.mean, model.sigma, strict=True)
    ]
    return float((share * np.stack(layers, axis=1) * exemplars.seen[:, None]).sum())


def _model(look: str, plain: Mapping[str, Model], marker: PieceMarker, board: Board) -> Model | None:
    """Returns the model of a look with a marker; None where the piece below the marker was never seen."""
    below = (piece_and_marker(board, look) or ("", ""))[0]
    if not below:
        return marker_alone(look, "", marker, 1)
    return with_marker(look, plain[below], marker, 1) if below in plain else None


def _marker_samples(geometry: Geometry, model: Model) -> Mask:
    """Returns which samples (slopes, levels, WIDTH, WIDTH) show the top of a model."""
    slab = top_slab(model)
    part = shown(geometry.distance, model.radii)
    return (part >= slab * RINGS) & (part < (slab + 1) * RINGS)


def unseen_marker(name: str, markers: Sequence[PieceMarker], unit: float, board: Board) -> PieceMarker:
    """Returns a marker that was never seen: as large as the others, and roughly of the board file's colour.

    Where the board file names no colour, it may have any.
    """
    radius, rise = USUAL_RADIUS * unit, USUAL_RISE
    if markers:
        radius = float(np.median([marker.radius for marker in markers]))
        rise = round(float(np.median([marker.rise for marker in markers])))
    paint = board.pieces.paint.get(name.removeprefix("+"))
    mean, sigma = _roughly(paint) if paint else UNKNOWN
    return PieceMarker(name, mean, sigma, radius, rise)


def _roughly(paint: str) -> tuple[Singles, Singles]:
    """Returns mean and spread of a paint `#rrggbb` in whatever light."""
    bgr = np.array([int(paint[i : i + 2], 16) for i in (5, 3, 1)], np.float32) / 255
    return np.asarray(OPPONENT @ bgr, dtype=np.float32), ROUGH
