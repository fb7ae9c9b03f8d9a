"""Fits models of looks to pictures of known positions.

In: the samples of frames, and what stands where in each. Out: a model of each look that was seen (form and
colours), and the markers that lie on pieces. Looks that were never seen are put together afterwards
(`synthesis`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Indices, Singles
from vision.solids.classify import Explainer, Pieces
from vision.solids.evidence import COLOURS, SHIFTS, LookOfPlace, evidence
from vision.solids.model import SIGMA, SPREAD, Geometry, Model
from vision.solids.piece_markers import (
    Exemplars,
    PieceMarker,
    fit_markers,
    marker_alone,
    piece_and_marker,
    with_marker,
)
from vision.solids.sample import REACH, WHOLE, WIDTH, LevelLayout
from vision.solids.sampled_frame import SampledFrame
from vision.solids.solid import PARTS, Parts, fit_radii, shown
from vision.solids.synthesis import Key, owner

ROUNDS = 4
"""The number of rounds in which pieces are aligned and all models refitted; the fit hardly changes then."""
PASSES = 2
"""The times that pieces of one frame are aligned in a round: first without knowing how the others stand."""
CENTRED = len(SHIFTS) // 2
"""The shift of a piece that stands exactly on its place."""
ODD_SCALE, ODD_OFFSET = 8, -3
"""The evidence of a sample before any colour is known, from its oddness 0…1: from -3 to 5; nats."""
SURE_OF_COVER = (0.1, 0.9)
"""The least and the most that a model says of whether it covers a sample."""
INSIDE = 0.85
"""The cover of a mask from which a sample shows the piece, whatever its colour."""
WALL = (0.33, 0.5)
"""The distance of a Port's walls from the middle of its cell: inner and outer face; steps."""
WALL_LEVELS = 6
"""Heights at which a wall is traced."""
COVERED, BARE = 0.95, 0.02
"""The cover of samples inside and outside of a mask that was only drawn, not seen."""
DRAWN_COUNTS = 4.0
"""So many pieces' worth does a drawn mask count beside those that are seen."""
FEWEST_SEEN = 3
"""A build that was seen less often than this keeps the board file's proportions."""
BROADEST = 2.5
"""The factor by which a colour that is a mixture may be broader than usual, as of a mark's fine lines.
Walls are all of one paint, and stand beside lines of the board."""
BROAD = 1.25
"""The factor by which a piece may be wider than the board file says."""
AGAINST = 0.9
"""The weight for the form of samples that look like the board: they may yet be a piece of its colour."""
ROUND_AVERAGE_COUNTS, MASK_AVERAGE_COUNTS = 1.0, 0.3
"""So many samples' worth does a piece's mean colour count in that of each part: of a solid, and of a mask."""
CENTRE_COUNTS, SPREAD_COUNTS, CORE = 2.0, 4.0, 0.7
"""So many samples' worth do a colour's first mean and its first spread count; that spread, in usual
spreads."""
FARTHEST = 9.0
"""The squared distance from which colours are alike far from each other; usual spreads."""
STEPS = 8
"""Steps in which the colours of a palette are improved."""
SAME_PAINT = 1.8
"""Distance in usual spreads under which two colours of one owner are the same paint."""


def build(layout: LevelLayout, look: str, kind: str) -> tuple[str, ...]:
    """Returns a name of a look's build: to looks of one build the board file gives the same form and size."""
    piece, _, marker = look.partition("+")
    face = layout.board.pieces.face(piece) if piece else None
    form = f"{face.form} {face.radius} {face.height}" if face else ""
    return kind, "+" if marker else "", form


def first_guess(geometry: Geometry, look: str, kind: str) -> Model:
    """Returns a model of a look as the board file describes it, without colours."""
    layout = geometry.layout
    try:
        face = layout.board.pieces.face(look)
        radius, height = face.radius, face.height
    except KeyError:
        radius, height = 0.3, 0.5
    if look.startswith("+"):
        radius, height = 0.2, 0.05
    radii = tuple(radius if z <= max(height, geometry.heights[0]) else 0.0 for z in geometry.heights)
    mask = None if not kind else corner_walls(geometry, kind, height)
    size = PARTS if mask is None else mask.size
    return Model(
        look,
        kind,
        radii,
        np.zeros(size, np.int8),
        np.zeros((COLOURS, 3), np.float32),
        np.ones((COLOURS, 3), np.float32),
        0,
        mask,
    )


def corner_walls(geometry: Geometry, kind: str, height: float) -> Singles:
    """Returns the cover (levels, WIDTH, WIDTH) of two low walls along a cell's edges that meet in a corner.

    `kind` names the corner, `height` is that of the walls in steps.
    """
    layout = geometry.layout
    mine = [i for i, k in enumerate(layout.kinds) if k == kind]
    away = geometry.away[mine].mean(axis=0)
    places = np.array([layout.board.where(layout.places[i]) for i in mine])
    corner = np.sign((places - layout.points[mine]).mean(axis=0))
    axis = (np.arange(WIDTH) - REACH) * WHOLE * layout.unit
    x, y = np.meshgrid(axis, axis)
    cover = np.zeros((len(layout.levels), WIDTH, WIDTH), bool)
    for z in np.linspace(0, height, WALL_LEVELS):
        for n, level in enumerate(layout.levels):
            u = (x + away[0] * (level - z)) * corner[0]
            v = (y + away[1] * (level - z)) * corner[1]
            reach = (np.minimum(u, v) > -WALL[0]) & (np.maximum(u, v) < WALL[1])
            cover[n] |= reach & ((u > WALL[0]) | (v > WALL[0]))
    return np.where(cover, COVERED, BARE).astype(np.float32)


def windows(blocks: Singles, shifts: Indices) -> Singles:
    """Returns each block's window (n, levels, WIDTH, WIDTH, …) at its shift."""
    out = np.empty((*blocks.shape[:2], WIDTH, WIDTH, *blocks.shape[4:]), blocks.dtype)
    for n, shift in enumerate(shifts):
        dy, dx = SHIFTS[shift]
        out[n] = blocks[n, :, dy : dy + WIDTH, dx : dx + WIDTH]
    return out


def fit_models(
    frames: Sequence[SampledFrame], looks: Sequence[Mapping[str, str]], rounds: int = ROUNDS
) -> tuple[list[Model], dict[str, PieceMarker]]:
    """Fits models to all looks that stand in some frames, and finds the markers on them.

    The frames share one sampler; `looks` tells what stands where in each. A round finds how far each piece
    stands off its place, gathers what the pieces of each look show there, and refits all models to it.
    """
    sampler = frames[0].sampler
    geometry = Geometry.of(sampler)
    standing = [_standing(geometry.layout, stand) for stand in looks]
    keys = sorted({key for stand in standing for key in stand.values()})
    guesses = {key: first_guess(geometry, *key) for key in keys}
    models, markers = dict(guesses), dict[str, PieceMarker]()
    held = [{place: (keys.index(key), CENTRED) for place, key in stand.items()} for stand in standing]
    for n in range(rounds):
        explainer = Explainer(sampler, [geometry.appearance(model) for model in models.values()])
        gathered: dict[Key, list[Exemplars]] = {key: [] for key in keys}
        for frame, pieces in zip(frames, held, strict=True):
            for look, exemplars in _gather(explainer, frame, pieces, are_guesses=n == 0).items():
                gathered[keys[look]].append(exemplars)
        joined = {key: join(many) for key, many in gathered.items()}
        models, markers = refit(geometry, models, guesses, joined)
    return share_paint(geometry.layout, list(models.values())), markers


def _standing(layout: LevelLayout, looks: Mapping[str, str]) -> dict[int, Key]:
    """Returns for each place (its number) that is not empty the look there, with the place's kind."""
    number = {place: n for n, place in enumerate(layout.places)}
    return {number[place]: (look, layout.kinds[number[place]]) for place, look in looks.items()}


def _gather(
    explainer: Explainer, frame: SampledFrame, pieces: Pieces, *, are_guesses: bool
) -> dict[int, Exemplars]:
    """Aligns the pieces of a frame, and returns the exemplars of each appearance, by its number.

    Changes the shifts of `pieces`. `are_guesses`: the appearances have no colours yet.
    """
    places: dict[int, list[int]] = {}
    for place, (look, _) in pieces.items():
        places.setdefault(look, []).append(place)
    out: dict[int, Exemplars] = {}
    for _ in range(PASSES):
        seen = explainer.free(pieces)
        for look in sorted(places):
            at = np.array(places[look], int)
            appearance, bucket = explainer.appearances[look], explainer.bucket[at]
            maps = _odd_evidence(frame, at) if are_guesses else _evidence(appearance, frame, at)
            shifts = best_shifts(appearance, maps, seen[at], bucket)
            pieces.update(
                {place: (look, int(shift)) for place, shift in zip(places[look], shifts, strict=True)}
            )
            out[look] = Exemplars(
                bucket,
                windows(frame.colours[at], shifts),
                responsibility(appearance, bucket, maps, shifts),
                windows(seen[at], shifts),
                windows(frame.board[at], shifts),
            )
    return out


def _odd_evidence(frame: SampledFrame, places: Indices) -> Singles:
    """Returns the evidence (n, COLOURS, levels, BLOCK, BLOCK) for a piece of any colour; nats."""
    odd = ODD_SCALE * frame.odd[places] + ODD_OFFSET
    return np.repeat(odd[:, None], COLOURS, axis=1)


def _evidence(appearance: LookOfPlace, frame: SampledFrame, places: Indices) -> Singles:
    """Returns the evidence (n, COLOURS, levels, BLOCK, BLOCK) for each colour of an appearance; nats."""
    colours, board = frame.colours[places], frame.board[places]
    paints = zip(appearance.mean, appearance.sigma, strict=True)
    return np.stack([evidence(colours, board, mean, sigma) for mean, sigma in paints], axis=1)


def best_shifts(appearance: LookOfPlace, maps: Singles, seen: Singles, bucket: Indices) -> Indices:
    """Returns the shifts (n) at which a look fits some places best; `seen` are weights of their samples."""
    weighed = (maps * seen[:, None]).reshape(len(maps), 1, -1)
    scores = (weighed @ appearance.shifted[bucket])[:, 0]
    return np.asarray(scores.argmax(axis=1))


def responsibility(appearance: LookOfPlace, bucket: Indices, maps: Singles, shifts: Indices) -> Singles:
    """Returns how likely each sample of exemplars shows the piece rather than the board; 0…1."""
    share = appearance.share[bucket]
    cover = np.clip(share.sum(axis=1), *SURE_OF_COVER)
    best = windows(np.moveaxis(maps.max(axis=1, keepdims=True), 1, -1), shifts)[..., 0]
    odds = np.log(cover / (1 - cover)) + best
    return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float32)


def join(many: Sequence[Exemplars]) -> Exemplars:
    """Returns the exemplars of several frames as one."""
    return Exemplars(*(np.concatenate([getattr(e, f.name) for e in many]) for f in fields(Exemplars)))


def refit(
    geometry: Geometry,
    models: Mapping[Key, Model],
    guess: Mapping[Key, Model],
    gathered: Mapping[Key, Exemplars],
) -> tuple[dict[Key, Model], dict[str, PieceMarker]]:
    """Returns new models from what was gathered of each look, and the markers of those that carry one."""
    out: dict[Key, Model] = {}
    keys = list(models)
    board = geometry.layout.board
    marked = [k for k in keys if not k[1] and piece_and_marker(board, k[0])]
    whole = [k for k in keys if k not in marked]
    for group in sorted({build(geometry.layout, *key) for key in whole}):
        members = [k for k in whole if build(geometry.layout, *k) == group]
        prior = guess[members[0]].mask
        if prior is not None:
            out.update(_flat(members, models, gathered, prior))
        else:
            out.update(_round(geometry, members, models, guess, gathered))
    plain = {look: m for (look, kind), m in out.items() if not kind}
    markers = fit_markers(geometry, plain, {k[0]: gathered[k] for k in marked}, board)
    for look, kind in marked:
        below, name = piece_and_marker(board, look) or ("", "")
        count = float(len(gathered[look, kind].bucket))
        if not below:
            out[look, kind] = marker_alone(look, kind, markers[name], count)
        elif below in plain:
            out[look, kind] = with_marker(look, plain[below], markers[name], count)
        else:
            out[look, kind] = models[look, kind]
    return {key: out[key] for key in keys}, markers


def _flat(
    members: Sequence[Key], models: Mapping[Key, Model], gathered: Mapping[Key, Exemplars], prior: Singles
) -> dict[Key, Model]:
    """Returns the models of one build that has a direction: what its mask covers."""
    pooled = join([gathered[k] for k in members])
    shown_share = (pooled.seen * pooled.share).sum(axis=0) + DRAWN_COUNTS * prior
    soft = shown_share / (pooled.seen.sum(axis=0) + DRAWN_COUNTS)
    mask = np.stack([cv2.GaussianBlur(level, (3, 3), 0.6) for level in soft]).astype(np.float32)
    out = {}
    for key in members:
        e = gathered[key]
        index = np.broadcast_to(np.arange(mask.size).reshape(mask.shape), e.share.shape)
        weight = np.maximum(e.share, mask > INSIDE) * e.seen * mask
        out[key] = paint(key, models[key].radii, mask, index, e.colours, weight, len(e.bucket))
    return out


def _round(
    geometry: Geometry,
    members: Sequence[Key],
    models: Mapping[Key, Model],
    guess: Mapping[Key, Model],
    gathered: Mapping[Key, Exemplars],
) -> dict[Key, Model]:
    """Returns the models of one build of solids of revolution: the radii of its slabs."""
    pooled, first = join([gathered[k] for k in members]), members[0]
    proof = np.zeros((len(geometry.distance), *pooled.share.shape[1:]), np.float32)
    speaks = 2 * pooled.share - 1
    np.add.at(proof, pooled.bucket, pooled.seen * np.where(speaks > 0, speaks, AGAINST * speaks))
    widest, unit = BROAD * max(guess[first].radii), geometry.layout.unit
    radii = fit_radii(geometry.distance, proof, models[first].radii, unit, widest)
    if len(pooled.bucket) < FEWEST_SEEN or not any(radii):  # nothing of it differs from the board
        radii = proportioned(first[0], models, guess)
    part = shown(geometry.distance, radii)
    out = {}
    for key in members:
        e = gathered[key]
        index = part[e.bucket]
        weight = np.maximum(e.share, deep(part)[e.bucket]) * e.seen * (index >= 0)
        out[key] = paint(key, radii, None, index, e.colours, weight, len(e.bucket))
    return out


def proportioned(look: str, models: Mapping[Key, Model], guess: Mapping[Key, Model]) -> tuple[float, ...]:
    """Returns radii as the board file has them, scaled as the best known build differs from the file."""
    planned = guess[look, ""].radii
    best = max((model for model in models.values() if not model.kind), key=lambda model: model.count)
    if best.count < FEWEST_SEEN:
        return planned
    best_planned = guess[best.look, best.kind].radii
    taller = _slabs(best.radii) / max(_slabs(best_planned), 1)
    width = max(planned) * (max(best.radii) / max(best_planned))
    height = round(_slabs(planned) * taller)
    return tuple(width if slab < height else 0.0 for slab in range(len(planned)))


def _slabs(radii: tuple[float, ...]) -> int:
    """Returns the height of a solid in slabs."""
    return sum(radius > 0 for radius in radii)


def deep(part: Parts) -> Singles:
    """Returns 1 for samples well inside a solid's outline, which show it, whatever their colour; 0 for
    others."""
    hard = (part >= 0).astype(np.uint8).reshape(-1, WIDTH, WIDTH)
    eroded = np.stack([cv2.erode(level, np.ones((3, 3), np.uint8)) for level in hard])
    return eroded.reshape(part.shape).astype(np.float32)


def paint(
    key: Key,
    radii: tuple[float, ...],
    mask: Singles | None,
    index: Indices | Parts,
    colours: Singles,
    weight: npt.NDArray[Any],
    count: int,
) -> Model:
    """Returns a model with the palette of some weighed samples, each of its parts in one of these colours.

    `index` tells which part each sample shows.
    """
    size = PARTS if mask is None else mask.size
    flat = np.clip(index.ravel(), 0, None).astype(np.int64)
    w = weight.ravel().astype(np.float64)
    x = colours.reshape(-1, 3).astype(np.float64)
    total = np.bincount(flat, w, size)
    average = (w[:, None] * x).sum(axis=0) / max(w.sum(), 1e-6)
    prior = ROUND_AVERAGE_COUNTS if mask is None else MASK_AVERAGE_COUNTS
    parts = np.stack([np.bincount(flat, w * x[:, c], size) for c in range(3)], axis=1)
    parts = (parts + prior * average) / (total + prior)[:, None]
    centres = palette(parts / SIGMA, np.asarray(total, np.float64)) * SIGMA
    nearest = (((parts[:, None] - centres) / SIGMA) ** 2).sum(axis=2).argmin(axis=1)
    label = nearest[flat]
    mean, sigma = np.empty((COLOURS, 3)), np.empty((COLOURS, 3))
    for c in range(COLOURS):
        there = w * (label == c)
        n = there.sum()
        mean[c] = (there @ x + CENTRE_COUNTS * centres[c]) / (n + CENTRE_COUNTS)
        deviation = there @ (x - mean[c]) ** 2 + SPREAD_COUNTS * (CORE * SIGMA) ** 2
        sigma[c] = np.sqrt(deviation / (n + SPREAD_COUNTS))
    return Model(
        key[0],
        key[1],
        radii,
        nearest.astype(np.int8),
        mean.astype(np.float32),
        np.clip(sigma, SPREAD, (BROADEST if mask is None else 1.0) * SPREAD).astype(np.float32),
        float(count),
        mask,
    )


def palette(points: Floats, given: Floats) -> Floats:
    """Returns COLOURS centres of weighted points: chosen farthest first, then improved by Lloyd's steps."""
    weights = given + 1e-6
    middle = np.average(points, axis=0, weights=weights)
    away = ((points - middle) ** 2).sum(axis=1)
    chosen = [points[np.argmax(np.minimum(away, FARTHEST) * weights)]]
    while len(chosen) < COLOURS:
        away = np.min([((points - c) ** 2).sum(axis=1) for c in chosen], axis=0)
        chosen.append(points[np.argmax(np.minimum(away, FARTHEST) * weights)])
    centres = np.array(chosen)
    for _ in range(STEPS):
        near = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        for c in range(COLOURS):
            if weights[near == c].sum() > 1e-3:
                centres[c] = np.average(points[near == c], axis=0, weights=weights[near == c])
    return centres


def share_paint(layout: LevelLayout, models: Sequence[Model]) -> list[Model]:
    """Gives the looks of an owner the colours of the one seen most often, where theirs are alike.

    Markers, and pieces with a marker, keep their colours.
    """
    out = []
    for model in models:
        best = _most_seen(model, models)
        if best.count > model.count and not piece_and_marker(layout.board, model.look):
            model = replace(model, mean=_nearest_colours(model.mean, best.mean))
        out.append(model)
    return out


def _most_seen(model: Model, models: Sequence[Model]) -> Model:
    """Returns the model of the same owner and kind of place that was seen most often."""
    kin = [other for other in models if owner(other.look) == owner(model.look) and other.kind == model.kind]
    return max(kin, key=lambda other: other.count)


def _nearest_colours(mean: Singles, paints: Singles) -> Singles:
    """Returns colours (COLOURS, 3), each replaced by the nearest of some paints where that is alike."""
    away = np.linalg.norm((mean[:, None] - paints[None]) / SIGMA, axis=2)
    out = mean.copy()
    for c in range(COLOURS):
        if away[c].min() < SAME_PAINT:
            out[c] = paints[away[c].argmin()]
    return out
