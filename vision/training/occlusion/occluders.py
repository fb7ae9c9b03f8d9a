"""Draws occluders for training: arms with sleeves, gloves and hands, heads, cups, and whatever else.

Each is drawn on a canvas of colours and cover (h, w, 4; 0…1). No photograph of a hand is used, so that every
photograph of one can judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np

from vision.arrays import AnyFloats, Image, Singles

Rng = np.random.Generator
Ball = tuple[float, ...]
"""Its place in a picture (x, y), and its radius; pixels."""

SKINS = (
    (255, 224, 196),
    (241, 194, 160),
    (224, 172, 125),
    (198, 134, 96),
    (141, 85, 56),
    (92, 56, 38),
    (60, 38, 30),
)
"""Red, green and blue of skins, fair to dark."""


def draw_occluder(rng: Rng, size: tuple[int, int], board: AnyFloats, texture: Singles) -> Singles:
    """Draws an occluder on a canvas of a size (h, w), over or near a board (4 corners, pixels).

    `texture` (h, w, 3) is a piece of some other picture.
    """
    canvas = np.zeros((*size, 4), np.float32)
    kind = rng.choice(["arm", "arm", "arm", "arm", "head", "cup", "blob"])
    {"arm": _arm, "head": _head, "cup": _cup, "blob": _blob}[kind](canvas, rng, board, texture)
    if rng.random() < 0.2:
        canvas = _moved(canvas, rng)
    return canvas


def _side(board: AnyFloats) -> float:
    return float(np.sqrt(max(cv2.contourArea(board.astype(np.float32)), 100.0)))


def _target(rng: Rng, board: AnyFloats) -> AnyFloats:
    """Returns a point over the board, often near its rim."""
    share = rng.uniform(-0.05, 1.05, 2)
    if rng.random() < 0.35:
        share[rng.integers(2)] = rng.choice([0.0, 1.0]) + rng.uniform(-0.06, 0.06)
    top = board[0] + (board[1] - board[0]) * share[0]
    low = board[3] + (board[2] - board[3]) * share[0]
    return np.asarray(top + (low - top) * share[1])


def _edge(rng: Rng, size: tuple[int, ...]) -> AnyFloats:
    """Returns a point outside the picture."""
    height, width = size[:2]
    side, along = rng.integers(4), rng.uniform(-0.1, 1.1)
    out = rng.uniform(0.05, 0.35)
    if side < 2:
        return np.array([width * along, -height * out if side else height * (1 + out)])
    return np.array([-width * out if side == 2 else width * (1 + out), height * along])


def _skin(rng: Rng) -> AnyFloats:
    index = rng.uniform(0, len(SKINS) - 1.001)
    low = int(index)
    mixed = np.array(SKINS[low]) * (1 - index + low) + np.array(SKINS[low + 1]) * (index - low)
    return np.clip(mixed[::-1] / 255 * rng.uniform(0.75, 1.1) + rng.normal(0, 0.03, 3), 0.02, 1).astype(
        np.float32
    )


def _cloth(rng: Rng) -> AnyFloats:
    if rng.random() < 0.45:
        return np.clip(
            np.full(3, rng.choice([rng.uniform(0.03, 0.2), rng.uniform(0.2, 0.95)])) + rng.normal(0, 0.03, 3),
            0.02,
            1,
        )
    return rng.uniform(0.03, 0.95, 3)


def _arm(canvas: Singles, rng: Rng, board: AnyFloats, texture: Singles) -> None:
    """Draws an arm from the picture's border: sleeve, forearm, back of the hand, fingers."""
    side = _side(board)
    tip, root = _target(rng, board), _edge(rng, canvas.shape)
    along = (tip - root) / max(float(np.linalg.norm(tip - root)), 1.0)
    across = np.array([-along[1], along[0]])
    palm = side * rng.uniform(0.07, 0.17)
    length = palm * rng.uniform(2.2, 3.4)
    wrist = tip - along * length
    elbow = wrist - along * palm * rng.uniform(3, 6) + across * rng.normal(0, palm)
    hand = _skin(rng) if rng.random() < 0.8 else _cloth(rng)
    arm = hand if rng.random() < 0.8 else _skin(rng)
    plain = rng.random() < 0.6
    cloth = None if plain else texture
    colour = _cloth(rng)
    cuff = rng.uniform(0, 1.1)
    start = wrist + (elbow - wrist) * cuff
    thick = palm * rng.uniform(0.6, 0.85)
    _limb(canvas, [(*wrist, thick), (*elbow, thick * rng.uniform(1.1, 1.7)), (*root, thick * 1.8)], arm, rng)
    if rng.random() < 0.75:
        wide = thick * rng.uniform(1.1, 2.0)
        _limb(canvas, [(*start, wide), (*root, wide * rng.uniform(1.0, 1.8))], colour, rng, cloth)
    knuckles = wrist + along * length * rng.uniform(0.45, 0.6)
    order = rng.permutation(5)
    for n in order:
        spread = (n - 1.7) * palm * 0.42 if n else -palm * 1.0
        base = (knuckles if n else wrist + along * length * 0.25) + across * spread
        reach = length * rng.uniform(0.15, 0.5) * (0.8 if n in (0, 4) else 1)
        bend = base + along * reach * 0.5 + across * rng.normal(0, palm * 0.15)
        end = bend + along * reach * rng.uniform(0.2, 0.6) + across * rng.normal(0, palm * 0.2)
        thin = palm * rng.uniform(0.2, 0.28)
        _limb(
            canvas,
            [(*base, thin * 1.2), (*bend, thin), (*end, thin * 0.8)],
            hand * rng.uniform(0.85, 1.05),
            rng,
        )
    _limb(
        canvas,
        [(*wrist, palm * 0.65), (*(wrist + along * length * 0.3), palm * 0.95), (*knuckles, palm)],
        hand,
        rng,
    )


def _head(canvas: Singles, rng: Rng, board: AnyFloats, texture: Singles) -> None:
    side = _side(board)
    at, root = _target(rng, board), _edge(rng, canvas.shape)
    at = at + (root - at) * rng.uniform(0.1, 0.5)
    hair = np.clip(_skin(rng) * rng.uniform(0.1, 0.8), 0.02, 1)
    radius = side * rng.uniform(0.2, 0.4)
    _limb(
        canvas,
        [(*at, radius * 1.2), (*root, radius * 2.2)],
        _cloth(rng),
        rng,
        texture if rng.random() < 0.4 else None,
    )
    _limb(canvas, [(*at, radius), (*(at + rng.normal(0, radius * 0.3, 2)), radius * 0.9)], hair, rng)


def _cup(canvas: Singles, rng: Rng, board: AnyFloats, texture: Singles) -> None:
    side = _side(board)
    at = _target(rng, board)
    radius = side * rng.uniform(0.1, 0.2)
    colour = _cloth(rng)
    lean = rng.normal(0, radius * 0.6, 2)
    _limb(canvas, [(*at, radius * 0.85), (*(at + lean), radius)], colour, rng)
    if rng.random() < 0.6:
        turn = rng.uniform(0, 2 * np.pi)
        hand = at + lean + radius * 1.3 * np.array([np.cos(turn), np.sin(turn)])
        _limb(canvas, [(*(at + lean), radius * 0.2), (*hand, radius * 0.2)], colour, rng)
    inner = np.clip(colour * rng.uniform(0.2, 1.1), 0, 1)
    _limb(canvas, [(*(at + lean), radius * rng.uniform(0.7, 0.92))] * 2, inner, rng, swell=False)


def _blob(canvas: Singles, rng: Rng, board: AnyFloats, texture: Singles) -> None:
    """Draws a book, a phone or a cloth: any shape of any pattern."""
    side = _side(board)
    at = _target(rng, board)
    turns = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(4, 9)))
    radius = side * rng.uniform(0.12, 0.35)
    points = at + radius * rng.uniform(0.6, 1.2, (len(turns), 1)) * np.column_stack(
        (np.cos(turns), np.sin(turns))
    )
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    patterned = (
        texture if rng.random() < 0.6 else np.broadcast_to(_cloth(rng).astype(np.float32), texture.shape)
    )
    _paint(canvas, mask, patterned * np.float32(rng.uniform(0.7, 1.1)))


def _limb(
    canvas: Singles,
    balls: Sequence[Ball],
    colour: AnyFloats,
    rng: Rng,
    texture: Singles | None = None,
    swell: bool = True,
) -> None:
    """Draws a chain of balls (x, y, radius), rounded, lit from a side, with a little grain."""
    box = _box(np.array(balls), canvas.shape)
    if box is None:
        return
    part, corner = canvas[box], (box[1].start, box[0].start)
    mask: Image = np.zeros(part.shape[:2], np.uint8)
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack((np.cos(turn), np.sin(turn)))
    for a, b in pairwise(balls):
        both = np.vstack([np.array(p[:2]) - corner + p[2] * circle for p in (a, b)])
        hull = cv2.convexHull(np.clip(both, -4000, 4000).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    plain = np.broadcast_to(colour.astype(np.float32), part[..., :3].shape)
    base: AnyFloats = plain if texture is None else texture[box]
    if swell:
        base = base * _shade(mask, max(b[2] for b in balls[:2]), rng)[..., None]
    coarse = rng.normal(0, 1, (mask.shape[0] // 6 + 1, mask.shape[1] // 6 + 1)).astype(np.float32)
    size = mask.shape[1], mask.shape[0]
    rough = np.asarray(cv2.resize(coarse, size), np.float32) * np.float32(rng.uniform(0, 0.08))
    _paint(part, mask, base * (1 + rough)[..., None])


def _box(balls: AnyFloats, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """Returns the part of a picture in which balls lie."""
    low = np.maximum(np.floor((balls[:, :2] - balls[:, 2:]).min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil((balls[:, :2] + balls[:, 2:]).max(axis=0)).astype(int) + 3, shape[1::-1])
    return (slice(low[1], high[1]), slice(low[0], high[0])) if (high - low > 1).all() else None


def _shade(mask: Image, thick: float, rng: Rng) -> AnyFloats:
    """Returns how light falls on a limb as thick as this (pixels)."""
    deep = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 3), np.float32)
    inside = np.minimum(deep / np.float32(max(thick, 1.0)), np.float32(1))
    height = np.sqrt(np.maximum(0, 1 - (1 - inside) ** 2)) * np.float32(thick)
    soft = 2 * round(max(0.15 * thick, 0.6)) + 1
    height = cv2.blur(cv2.blur(height, (soft, soft)), (soft, soft))
    east, south = rng.normal(0, 0.5, 2)
    slope = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=east / 8) + cv2.Sobel(
        height, cv2.CV_32F, 0, 1, scale=south / 8
    )
    return np.asarray(np.clip(1 - 0.35 * (1 - inside) ** 2 + 0.5 * np.tanh(slope), 0.25, 1.35))


def _paint(canvas: Singles, mask: Image, colours: AnyFloats) -> None:
    cover = mask.astype(np.float32)[..., None] / 255
    canvas[..., :3] += (np.clip(colours, 0, 1.2) - canvas[..., :3]) * cover
    canvas[..., 3:] = np.maximum(canvas[..., 3:], cover)


def _moved(canvas: Singles, rng: Rng) -> Singles:
    """Blurs a canvas as its motion does."""
    taps = int(rng.integers(3, 14))
    kernel = np.zeros((taps, taps), np.float32)
    turn = rng.uniform(0, np.pi)
    half = (taps - 1) / 2
    along = half * np.array([np.cos(turn), np.sin(turn)])
    start, end = np.round(half - along).astype(int), np.round(half + along).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0)
    kernel /= kernel.sum()
    cover = canvas[..., 3:]
    spread = np.asarray(cv2.filter2D(np.dstack((canvas[..., :3] * cover, cover)), -1, kernel), np.float32)
    spread[..., :3] /= np.maximum(spread[..., 3:], 1e-3)
    return spread


def draw_piece(
    image: Singles,
    rng: Rng,
    at: AnyFloats,
    lean: AnyFloats,
    radius: float,
    colour: AnyFloats,
) -> None:
    """Draws a piece on a picture (h, w, 3; 0…1): a foot at a pixel, a head `lean` away, its shadow."""
    head, wide = at + lean, radius * rng.uniform(0.5, 0.9)
    balls = [(*at, radius), (*(at + lean * 0.4), wide), (*head, radius * rng.uniform(0.4, 1.0))]
    box = _box(np.array([(*at, 4 * radius), (*head, 4 * radius)]), image.shape)
    if box is None:
        return
    canvas = np.zeros((*image[box].shape[:2], 4), np.float32)
    corner = np.array([box[1].start, box[0].start, 0])
    _limb(canvas, [tuple(np.array(b) - corner) for b in balls], colour, rng)
    if rng.random() < 0.4:
        dot = (*(head - corner[:2]), radius * 0.3)
        _limb(canvas, [dot, dot], np.clip(colour * rng.uniform(0.5, 1.8), 0, 1), rng)
    put(image[box], canvas, rng, radius)


def put(image: Singles, canvas: Singles, rng: Rng, height: float) -> None:
    """Lays a canvas over a picture, with the shadow that something as high (pixels) throws."""
    cover = canvas[..., 3]
    if rng.random() < 0.8:
        shift = np.array([[1, 0, rng.normal(0, height)], [0, 1, rng.normal(0, height)]], np.float32)
        moved = cv2.warpAffine(cover, shift, cover.shape[::-1])
        soft = cv2.GaussianBlur(moved, (0, 0), max(0.5, height * rng.uniform(0.05, 0.8)))
        image *= (1 - np.float32(rng.uniform(0.1, 0.65)) * np.asarray(soft, np.float32))[..., None]
    image += (canvas[..., :3] - image) * cover[..., None]
