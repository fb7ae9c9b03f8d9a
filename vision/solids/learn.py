"""Learning appearances from pictures of known positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.solids.caps import Cap, Exemplars, bare, fit_caps, parts_of, with_cap
from vision.solids.classify import Explainer
from vision.solids.compose import owner
from vision.solids.evidence import COLOURS, SHIFTS, Appearance, evidence
from vision.solids.model import SIGMA, SPREAD, Geometry, Model
from vision.solids.sample import REACH, WHOLE, WIDTH, LevelLayout
from vision.solids.scene import Scene
from vision.solids.solid import PARTS, Parts, fit_radii, shown

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.intp]
INSIDE = 0.85
WALL = (0.33, 0.5)
"""Where a Port's walls run, from the middle of its cell: inner and outer face; steps."""
FEW = 3
"""Of a build seen less often than this the board file's proportions are kept."""
BROADEST = 2.5
"""How much broader than usual a colour may be that is a mixture, as of a mark's fine lines; walls are all of
one paint, and stand beside lines of the board."""
BROAD = 1.25
"""How much wider than the board file says a piece may be."""
AGAINST = 0.9
"""What looks like the board may yet be a piece of its colour: so much less does it count for the form."""
Key = tuple[str, str]


def build(layout: LevelLayout, look: str, kind: str) -> tuple[str, ...]:
    """What looks of one build have in common: the board file gives their pieces the same form and size."""
    piece, _, marker = look.partition("+")
    face = layout.board.pieces.face(piece) if piece else None
    return (kind, "+" if marker else "", f"{face.form} {face.radius} {face.height}" if face else "")


def first_guess(geometry: Geometry, look: str, kind: str) -> Model:
    layout = geometry.layout
    try:
        face = layout.board.pieces.face(look)
        radius, height = face.radius, face.height
    except KeyError:
        radius, height = 0.3, 0.5
    if look.startswith("+"):
        radius, height = 0.2, 0.05
    radii = tuple(radius if z <= max(height, geometry.heights[0]) else 0.0 for z in geometry.heights)
    mask = None if not kind else angle(geometry, kind, height)
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


def angle(geometry: Geometry, kind: str, height: float) -> Singles:
    """What two low walls that meet in a corner of a cell cover: (levels, WIDTH, WIDTH).

    The walls run along the cell's edges.
    """
    layout = geometry.layout
    mine = [i for i, k in enumerate(layout.kinds) if k == kind]
    away = geometry.away[mine].mean(axis=0)
    places = np.array([layout.board.where(layout.places[i]) for i in mine])
    corner = np.sign((places - layout.points[mine]).mean(axis=0))
    axis = (np.arange(WIDTH) - REACH) * WHOLE * layout.unit
    x, y = np.meshgrid(axis, axis)
    cover = np.zeros((len(layout.levels), WIDTH, WIDTH), bool)
    for z in np.linspace(0, height, 6):
        for n, level in enumerate(layout.levels):
            u = (x + away[0] * (level - z)) * corner[0]
            v = (y + away[1] * (level - z)) * corner[1]
            reach = (np.minimum(u, v) > -WALL[0]) & (np.maximum(u, v) < WALL[1])
            cover[n] |= reach & ((u > WALL[0]) | (v > WALL[0]))
    return np.where(cover, 0.95, 0.02).astype(np.float32)


def take(blocks: Singles, shifts: Ints) -> Singles:
    """Each block's window (n, levels, WIDTH, WIDTH, …) at its shift."""
    out = np.empty((*blocks.shape[:2], WIDTH, WIDTH, *blocks.shape[4:]), blocks.dtype)
    for n, shift in enumerate(shifts):
        dy, dx = SHIFTS[shift]
        out[n] = blocks[n, :, dy : dy + WIDTH, dx : dx + WIDTH]
    return out


def learn(
    scenes: Sequence[Scene], looks: Sequence[Mapping[str, str]], rounds: int = 4
) -> tuple[list[Model], dict[str, Cap]]:
    """The models of all looks that stand in the scenes (one sampler for all), and their caps."""
    sampler = scenes[0].sampler
    geometry = Geometry.of(sampler)
    layout = sampler.layout
    where = {p: i for i, p in enumerate(layout.places)}
    stands = [{where[p]: (look, layout.kinds[where[p]]) for p, look in m.items()} for m in looks]
    keys = sorted({key for stand in stands for key in stand.values()})
    models = {key: first_guess(geometry, *key) for key in keys}
    guess = dict(models)
    middle = len(SHIFTS) // 2
    taken = [{i: (keys.index(key), middle) for i, key in stand.items()} for stand in stands]
    for n in range(rounds):
        explainer = Explainer(sampler, [geometry.appearance(m) for m in models.values()])
        data: dict[Key, list[Exemplars]] = {key: [] for key in keys}
        for scene, stand, have in zip(scenes, stands, taken, strict=True):
            seen = explainer.visible(have)
            for again in (1, 0):
                for k, key in enumerate(keys):
                    at = np.array([i for i, held in stand.items() if held == key], int)
                    if not len(at):
                        continue
                    appearance = explainer.appearances[k]
                    shifts, maps = place(appearance, scene, at, seen, geometry.bucket[at], n)
                    have.update({int(i): (k, int(s)) for i, s in zip(at, shifts, strict=True)})
                    if not again:
                        share = responsibility(appearance, geometry.bucket[at], maps, shifts)
                        data[key].append(
                            Exemplars(
                                geometry.bucket[at],
                                take(scene.colours[at], shifts),
                                share,
                                take(seen[at], shifts),
                                take(scene.board[at], shifts),
                            )
                        )
                seen = explainer.visible(have)
        models, caps = refit(geometry, models, guess, {key: join(v) for key, v in data.items()})
    return share_paint(layout, list(models.values())), caps


def place(
    appearance: Appearance, scene: Scene, at: Ints, seen: Singles, bucket: Ints, n: int
) -> tuple[Ints, Singles]:
    """The shifts at which a look fits known places best, and the evidence there."""
    if n == 0:
        maps = np.repeat((8 * scene.odd[at] - 3)[:, None], COLOURS, axis=1)
    else:
        maps = np.stack(
            [
                evidence(scene.colours[at], scene.board[at], m, s)
                for m, s in zip(appearance.mean, appearance.sigma, strict=True)
            ],
            axis=1,
        )
    weighed = (maps * seen[at][:, None]).reshape(len(at), 1, -1)
    scores = (weighed @ appearance.shifted[bucket])[:, 0]
    return scores.argmax(axis=1), maps


def responsibility(appearance: Appearance, bucket: Ints, maps: Singles, shifts: Ints) -> Singles:
    """How likely each sample of exemplars shows the piece rather than the board; 0…1."""
    share = appearance.share[bucket]
    cover = np.clip(share.sum(axis=1), 0.1, 0.9)
    best = take(np.moveaxis(maps.max(axis=1, keepdims=True), 1, -1), shifts)[..., 0]
    odds = np.log(cover / (1 - cover)) + best
    return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float32)


def join(many: list[Exemplars]) -> Exemplars:
    return Exemplars(
        *(
            np.concatenate([getattr(e, f) for e in many])
            for f in ("bucket", "colours", "share", "seen", "board")
        )
    )


def refit(
    geometry: Geometry,
    models: Mapping[Key, Model],
    guess: Mapping[Key, Model],
    gathered: Mapping[Key, Exemplars],
) -> tuple[dict[Key, Model], dict[str, Cap]]:
    """The models anew from what was gathered of each look, and the caps of those that carry one."""
    out: dict[Key, Model] = {}
    keys = list(models)
    board = geometry.layout.board
    capped = [k for k in keys if not k[1] and parts_of(board, k[0])]
    whole = [k for k in keys if k not in capped]
    for group in sorted({build(geometry.layout, *key) for key in whole}):
        members = [k for k in whole if build(geometry.layout, *k) == group]
        prior = guess[members[0]].mask
        if prior is not None:
            out.update(_flat(members, models, gathered, prior))
        else:
            out.update(_round(geometry, members, models, guess, gathered))
    plain = {look: m for (look, kind), m in out.items() if not kind}
    caps = fit_caps(geometry, plain, {k[0]: gathered[k] for k in capped}, board)
    for look, kind in capped:
        below, name = parts_of(board, look) or ("", "")
        count = float(len(gathered[look, kind].bucket))
        if not below:
            out[look, kind] = bare(look, kind, caps[name], count)
        elif below in plain:
            out[look, kind] = with_cap(look, plain[below], caps[name], count)
        else:
            out[look, kind] = models[look, kind]
    return {key: out[key] for key in keys}, caps


def _flat(
    members: Sequence[Key], models: Mapping[Key, Model], gathered: Mapping[Key, Exemplars], prior: Singles
) -> dict[Key, Model]:
    """The models of one build that has a direction: what its mask covers."""
    pooled = join([gathered[k] for k in members])
    soft = ((pooled.seen * pooled.share).sum(axis=0) + 4 * prior) / (pooled.seen.sum(axis=0) + 4)
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
    """The models of one build of solids of revolution: the radii of its slabs."""
    pooled, first = join([gathered[k] for k in members]), members[0]
    proof = np.zeros((len(geometry.distance), *pooled.share.shape[1:]), np.float32)
    speaks = 2 * pooled.share - 1
    np.add.at(proof, pooled.bucket, pooled.seen * np.where(speaks > 0, speaks, AGAINST * speaks))
    widest, unit = BROAD * max(guess[first].radii), geometry.layout.unit
    radii = fit_radii(geometry.distance, proof, models[first].radii, unit, widest)
    if len(pooled.bucket) < FEW:
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
    """Radii as the board file has them, scaled as the best known build differs from it."""
    best = max((m for m in models.values() if not m.kind), key=lambda m: m.count)
    first = guess[look, ""].radii
    if best.count < FEW:
        return first
    form = guess[best.look, best.kind].radii
    tall = sum(r > 0 for r in best.radii) / max(sum(r > 0 for r in form), 1)
    wide = max(best.radii) / max(form)
    high = round(sum(r > 0 for r in first) * tall)
    return tuple(max(first) * wide if k < high else 0.0 for k in range(len(first)))


def deep(part: Parts) -> Singles:
    """1 for samples well inside a solid's outline: they show it, whatever their colour."""
    hard = (part >= 0).astype(np.uint8).reshape(-1, WIDTH, WIDTH)
    eroded = np.stack([cv2.erode(level, np.ones((3, 3), np.uint8)) for level in hard])
    return eroded.reshape(part.shape).astype(np.float32)


def paint(
    key: Key,
    radii: tuple[float, ...],
    mask: Singles | None,
    index: Ints | Parts,
    colours: Singles,
    weight: npt.NDArray[Any],
    count: int,
) -> Model:
    """The palette, and which part has which of its colours."""
    size = PARTS if mask is None else mask.size
    flat = np.clip(index.ravel(), 0, None).astype(np.int64)
    w = weight.ravel().astype(np.float64)
    x = colours.reshape(-1, 3).astype(np.float64)
    total = np.bincount(flat, w, size)
    average = (w[:, None] * x).sum(axis=0) / max(w.sum(), 1e-6)
    prior = 1.0 if mask is None else 0.3
    parts = np.stack([np.bincount(flat, w * x[:, c], size) for c in range(3)], axis=1)
    parts = (parts + prior * average) / (total + prior)[:, None]
    centres = palette(parts / SIGMA, np.asarray(total, np.float64)) * SIGMA
    nearest = (((parts[:, None] - centres) / SIGMA) ** 2).sum(axis=2).argmin(axis=1)
    label = nearest[flat]
    mean, sigma = np.empty((COLOURS, 3)), np.empty((COLOURS, 3))
    for c in range(COLOURS):
        there = w * (label == c)
        n = there.sum()
        mean[c] = (there @ x + 2 * centres[c]) / (n + 2)
        sigma[c] = np.sqrt((there @ (x - mean[c]) ** 2 + 4 * (0.7 * SIGMA) ** 2) / (n + 4))
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
    """COLOURS centres of weighted points: the farthest-first choice, then Lloyd's steps."""
    weights = given + 1e-6
    middle = np.average(points, axis=0, weights=weights)
    away = ((points - middle) ** 2).sum(axis=1)
    chosen = [points[np.argmax(np.minimum(away, 9) * weights)]]
    while len(chosen) < COLOURS:
        away = np.min([((points - c) ** 2).sum(axis=1) for c in chosen], axis=0)
        chosen.append(points[np.argmax(np.minimum(away, 9) * weights)])
    centres = np.array(chosen)
    for _ in range(8):
        near = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        for c in range(COLOURS):
            if weights[near == c].sum() > 1e-3:
                centres[c] = np.average(points[near == c], axis=0, weights=weights[near == c])
    return centres


def share_paint(layout: LevelLayout, models: Sequence[Model]) -> list[Model]:
    """An owner's paint is best known from the look most often seen: the others take its colours where
    theirs are alike."""
    out = []
    for m in models:
        own = [
            o
            for o in models
            if owner(o.look) == owner(m.look) and o.kind == m.kind and not m.look.startswith("+")
        ]
        best = max(own, key=lambda o: o.count, default=m)
        mean = m.mean.copy()
        if best is not m and best.count > m.count and not parts_of(layout.board, m.look):
            away = np.linalg.norm((m.mean[:, None] - best.mean[None]) / SIGMA, axis=2)
            for c in range(COLOURS):
                if away[c].min() < 1.8:
                    mean[c] = best.mean[away[c].argmin()]
        out.append(replace(m, mean=mean))
    return out
