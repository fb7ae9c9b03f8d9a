"""Learning appearances from pictures of known positions."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.classify import COLOURS, SHIFTS, Appearance, Explainer, Scene, evidence
from vision.model import SIGMA, Geometry, Model
from vision.sample import REACH, WIDTH, Layout
from vision.solid import PARTS, fit_radii, shown

Singles = npt.NDArray[np.float32]
FLOOR = np.array([0.05, 0.025, 0.025], np.float32)
Key = tuple[str, str]


def build(layout: Layout, look: str, kind: str) -> tuple[str, ...]:
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
    mask = None
    if kind:
        axis = (np.arange(WIDTH) - REACH) * layout.spacing
        out = np.hypot(*np.meshgrid(axis, axis)) - 0.28
        level = 0.04 + 0.9 / (1 + np.exp(np.clip(out / 0.05, -30, 30)))
        mask = np.stack([level if z <= height + 0.1 else np.full_like(level, 0.04) for z in layout.levels]).astype(np.float32)
    size = PARTS if mask is None else mask.size
    return Model(look, kind, radii, np.zeros(size, np.int8), np.zeros((COLOURS, 3), np.float32),
                 np.ones((COLOURS, 3), np.float32), 0, mask)


@dataclass(frozen=True, eq=False)
class Exemplars:
    """Windows of one look, at the shifts where it fits: slope buckets (n), colours, share, seen."""

    bucket: npt.NDArray[np.intp]
    colours: Singles
    share: Singles
    seen: Singles


def take(blocks: Singles, shifts) -> Singles:
    """Each block's window (n, levels, WIDTH, WIDTH, …) at its shift."""
    out = np.empty((*blocks.shape[:2], WIDTH, WIDTH, *blocks.shape[4:]), blocks.dtype)
    for n, shift in enumerate(shifts):
        dy, dx = SHIFTS[shift]
        out[n] = blocks[n, :, dy:dy + WIDTH, dx:dx + WIDTH]
    return out


def learn(scenes: Sequence[Scene], looks: Sequence[Mapping[str, str]], rounds: int = 4) -> list[Model]:
    """The appearances of all looks that stand in the scenes (one sampler for all)."""
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
                        share = responsibility(appearance, geometry.bucket[at], maps, shifts, n)
                        data[key].append(Exemplars(geometry.bucket[at], take(scene.colours[at], shifts), share, take(seen[at], shifts)))
                seen = explainer.visible(have)
        models = refit(geometry, models, guess, {key: join(v) for key, v in data.items()})
    return list(models.values())


def place(appearance: Appearance, scene: Scene, at, seen: Singles, bucket, n: int):
    """The shifts at which a look fits known places best, and the evidence there."""
    if n == 0:
        maps = np.repeat((8 * scene.odd[at] - 3)[:, None], COLOURS, axis=1)
    else:
        maps = np.stack([evidence(scene.colours[at], scene.board[at], m, s)
                         for m, s in zip(appearance.mean, appearance.sigma, strict=True)], axis=1)
    weighed = (maps * seen[at][:, None]).reshape(len(at), 1, -1)
    scores = (weighed @ appearance.shifted[bucket])[:, 0]
    return scores.argmax(axis=1), maps


def responsibility(appearance: Appearance, bucket, maps: Singles, shifts, n: int) -> Singles:
    """How likely each sample of exemplars shows the piece rather than the board; 0…1."""
    share = appearance.share[bucket]
    cover = np.clip(share.sum(axis=1), 0.1, 0.9)
    best = take(np.moveaxis(maps.max(axis=1, keepdims=True), 1, -1), shifts)[..., 0]
    odds = np.log(cover / (1 - cover)) + best
    return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float32)


def join(many: list[Exemplars]) -> Exemplars:
    return Exemplars(*(np.concatenate([getattr(e, f) for e in many]) for f in ("bucket", "colours", "share", "seen")))


def refit(geometry, models, guess, gathered: Mapping[Key, Exemplars]):
    out = {}
    keys = list(models)
    for group in sorted({build(geometry.layout, *key) for key in keys}):
        members = [k for k in keys if build(geometry.layout, *k) == group]
        all_ = join([gathered[k] for k in members])
        radii, mask, part = models[members[0]].radii, None, None
        if members[0][1]:
            prior = guess[members[0]].mask
            mask = ((all_.seen * all_.share).sum(axis=0) + prior) / (all_.seen.sum(axis=0) + 1)
            mask = np.stack([cv2.GaussianBlur(level, (3, 3), 0.6) for level in mask]).astype(np.float32)
        else:
            proof = np.zeros((len(geometry.distance), *all_.share.shape[1:]), np.float32)
            np.add.at(proof, all_.bucket, all_.seen * (2 * all_.share - 1))
            radii = fit_radii(geometry.distance, proof, radii, geometry.layout.unit)
            part = shown(geometry.distance, radii)
        for key in members:
            e = gathered[key]
            if mask is not None:
                index = np.broadcast_to(np.arange(mask.size).reshape(mask.shape), e.share.shape)
                weight = e.share * e.seen * mask
            else:
                index = part[e.bucket]
                weight = e.share * e.seen * (index >= 0)
            out[key] = paint(key, radii, mask, index, e.colours, weight, len(e.bucket))
    return {key: out[key] for key in keys}


def paint(key, radii, mask, index, colours, weight, count) -> Model:
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
    centres = palette(parts / SIGMA, total) * SIGMA
    nearest = (((parts[:, None] - centres) / SIGMA) ** 2).sum(axis=2).argmin(axis=1)
    label = nearest[flat]
    mean, sigma = np.empty((COLOURS, 3)), np.empty((COLOURS, 3))
    for c in range(COLOURS):
        there = w * (label == c)
        n = there.sum()
        mean[c] = (there @ x + 2 * centres[c]) / (n + 2)
        sigma[c] = np.sqrt((there @ (x - mean[c]) ** 2 + 4 * (0.7 * SIGMA) ** 2) / (n + 4))
    return Model(*key, radii, nearest.astype(np.int8), mean.astype(np.float32),
                 np.maximum(sigma, FLOOR).astype(np.float32), float(count), mask)


def palette(points, weights):
    """COLOURS centres of weighted points: the farthest-first choice, then Lloyd's steps."""
    weights = weights + 1e-6
    centres = [np.average(points, axis=0, weights=weights)]
    away = ((points - centres[0]) ** 2).sum(axis=1)
    centres = [points[np.argmax(np.minimum(away, 9) * weights)]]
    while len(centres) < COLOURS:
        away = np.min([((points - c) ** 2).sum(axis=1) for c in centres], axis=0)
        centres.append(points[np.argmax(np.minimum(away, 9) * weights)])
    centres = np.array(centres)
    for _ in range(8):
        near = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        for c in range(COLOURS):
            if weights[near == c].sum() > 1e-3:
                centres[c] = np.average(points[near == c], axis=0, weights=weights[near == c])
    return centres
