"""Training pictures of the occlusion network: a board as it is known, a frame of it, what hides it there.

Backgrounds are photographs and rendered tables (folders with truth.json), drawn tables and drawn wooden
boards. A pair is made of two pictures of one view where there are such, else of one; pieces are put on and
taken off; the light changes evenly, in shadows and in patches of sun; the camera stirs a little.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.hands import AROUND, WIDTH
from vision.occlusion.background import Background
from vision.occlusion.network import COARSE, inputs
from vision.training.occluders import draw_occluder, draw_piece, put

DRAWN = 2 * WIDTH
"""Width of the pictures that occluders are drawn on; they are shrunk afterwards."""


LEAST = 1.0
"""Cells of a board that something must hide to be told."""


@dataclass(frozen=True, eq=False)
class Table:
    """Pictures of one view (h, DRAWN, 3; uint8), the board's corners in them, places along its side."""

    images: Sequence[np.ndarray]
    corners: np.ndarray
    places: float


def _side(corners: np.ndarray) -> float:
    """The side of a square as large as the board; pixels."""
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))


def sized(image: np.ndarray) -> np.ndarray:
    height = round(image.shape[0] * DRAWN / image.shape[1])
    return cv2.resize(image, (DRAWN, height), interpolation=cv2.INTER_AREA)


def photographed(folder: Path, limit: int = 1000) -> list[Table]:
    """The tables of a set of photographs; pictures of nearly one view are laid upon each other."""
    truth = json.loads((folder / "truth.json").read_text())
    tables: list[tuple[np.ndarray, list[np.ndarray], float]] = []
    for entry in truth["pictures"][:limit]:
        image = cv2.imread(str(folder / entry["file"]))
        scale = DRAWN / image.shape[1]
        image = sized(image)
        height = image.shape[0]
        if entry["corners"] is None:
            middle, half = np.array([DRAWN / 2, height / 2]), 0.33 * DRAWN
            corners = middle + half * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
        else:
            corners = np.array([entry["corners"][k] for k in ("SW", "SE", "NE", "NW")]) * scale
        places = {"chess": 8.0, "draughts10": 10.0, "go": 18.0, "catan": 10.0}[entry["game"]]
        for known, images, _ in tables:
            if (
                images[0].shape == image.shape
                and np.abs(known - corners).max() < 0.03 * DRAWN
                and entry["corners"]
            ):
                warp = cv2.getPerspectiveTransform(corners.astype(np.float32), known.astype(np.float32))
                images.append(
                    cv2.warpPerspective(image, warp, (DRAWN, height), borderMode=cv2.BORDER_REPLICATE)
                )
                break
        else:
            tables.append((corners, [image], places))
    return [Table(images, corners, places) for corners, images, places in tables]


def rendered(folder: Path) -> list[Table]:
    """The views of a rendered sequence, without its pictures of hands."""
    truth = json.loads((folder / "truth.json").read_text())
    scale = DRAWN / truth["width"]
    tables = []
    for n, view in enumerate(truth["views"]):
        files = [i["file"] for i in truth["images"] if i["view"] == n and not i["hand"]]
        sites = np.array(list(view["sites"].values()), np.float32) * scale
        box = cv2.boxPoints(cv2.minAreaRect(sites))
        places = np.sqrt(len(sites))
        if files:
            tables.append(Table([sized(cv2.imread(str(folder / f))) for f in files], box, float(places)))
    return tables


def painted(rng: np.random.Generator, count: int) -> Iterable[Table]:
    """Drawn tables of random wood, lamps, cameras and pieces."""
    from benchmarks.tables import GAMES, Play
    from vision.virtual.tabletop import Tabletop

    for _ in range(count):
        play = Play(str(rng.choice(GAMES)), int(rng.integers(1 << 20)), 77)
        images = [play.picture(Tabletop(play.setting.board))]
        for image, _ in play.moments():
            images.append(image)
            if len(images) == 5:
                break
        view = play._painter.view
        corners = np.array(view.pixels(play.setting.board.corners)) * DRAWN / view.size[0]
        yield Table([sized(i) for i in images], corners, float(np.sqrt(len(play.setting.board.sites))))


def grain(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A wood's grain (h, w), about 0."""
    coarse = rng.normal(
        0, 1, (size[0] // int(rng.integers(2, 6)) + 1, size[1] // int(rng.integers(20, 90)) + 2)
    )
    out = cv2.resize(coarse.astype(np.float32), size[::-1], interpolation=cv2.INTER_CUBIC)
    return out.T[: size[0], : size[1]] if rng.random() < 0.5 and size[0] == size[1] else out


def wooden(rng: np.random.Generator) -> Table:
    """A drawn board of wood from above: squares or lines, with pieces that differ from picture to picture."""
    side, count = 640, int(rng.choice([8, 8, 8, 10, 13, 18, 9]))
    light = np.array([rng.uniform(0.25, 0.75), rng.uniform(0.4, 0.85), rng.uniform(0.5, 0.95)])
    dark = light * rng.uniform(0.15, 0.7) if rng.random() < 0.8 else rng.uniform(0.03, 0.6, 3)
    rim = light * rng.uniform(0.3, 1.1)
    margin = rng.uniform(0.0, 1.0)
    grid = np.linspace(-margin, count + margin, side)
    x, y = np.meshgrid(grid, grid)
    board = np.broadcast_to(light, (side, side, 3)).copy()
    if count in (13, 18, 9) or rng.random() < 0.1:
        near = np.minimum(np.abs(x - np.round(x)), np.abs(y - np.round(y))) < rng.uniform(0.02, 0.05)
        board[near] = dark
    else:
        board[(np.floor(x) + np.floor(y)) % 2 == 0] = dark
    board[(x < 0) | (y < 0) | (x > count) | (y > count)] = rim
    board *= (1 + rng.uniform(0.02, 0.12) * grain(rng, (side, side)))[..., None]
    height = int(rng.choice([320, 360, 480, 270]))
    half = 0.5 * height * rng.uniform(0.7, 1.15)
    middle = np.array([DRAWN / 2, height / 2]) + rng.normal(0, 0.04 * height, 2)
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    turn = rng.normal(0, 0.05)
    flat = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    squeeze = rng.uniform(0.6, 1.0)
    depth = 1 + rng.uniform(0, 0.5) * (1 - squeeze) * flat[:, 1:]
    outer = middle + half * flat * (1, squeeze) * depth
    table = (
        np.broadcast_to(rng.uniform(0.05, 0.9, 3), (height, DRAWN, 3))
        * (1 + 0.06 * grain(rng, (height, DRAWN)))[..., None]
    )
    warp = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [side, 0], [side, side], [0, side]]), outer.astype(np.float32)
    )
    seen = cv2.warpPerspective(board.astype(np.float32), warp, (DRAWN, height))
    mask = cv2.warpPerspective(np.ones((side, side), np.float32), warp, (DRAWN, height))[..., None]
    empty = (table * (1 - mask) + seen * mask).astype(np.float32)
    unit = side / (count + 2 * margin)
    square = np.float32([[(0, 0), (count, 0), (count, count), (0, count)]])
    inner = cv2.perspectiveTransform((square + np.float32(margin)) * np.float32(unit), warp)[0]
    step = float(np.sqrt(abs(cv2.contourArea(inner)))) / count
    colours = [np.clip(light * rng.uniform(0.9, 1.2), 0, 1), np.clip(dark * rng.uniform(0.2, 0.8), 0, 1)]
    if rng.random() < 0.4:
        colours = [rng.uniform(0.02, 0.98, 3) for _ in range(2)]
    images = [np.clip(empty * 255, 0, 255).astype(np.uint8)]
    squares = [(m, n) for m in range(count) for n in range(count)]
    eye = middle + rng.normal(0, 0.05 * height, 2)
    tall = rng.uniform(0.0, 0.25)
    for _ in range(3):
        image = empty.copy()
        for k in rng.permutation(len(squares))[: int(rng.integers(2, 33))]:
            spot = (np.array(squares[k]) + 0.5 + rng.normal(0, 0.07, 2) + margin) * unit
            at = cv2.perspectiveTransform(np.float32([[spot]]), warp)[0, 0]
            lean = (at - eye) * tall * rng.uniform(0.6, 1.2) + (0, -(1 - squeeze) * 2.0 * step * tall * 4)
            draw_piece(image, rng, at, lean, step * rng.uniform(0.27, 0.42), colours[int(rng.integers(2))])
        images.append(np.clip(image * 255, 0, 255).astype(np.uint8))
    return Table(images, inner, float(count))


class Examples:
    """An endless supply of training examples from some tables."""

    def __init__(self, tables: Sequence[Table], seed: int) -> None:
        self._tables, self._rng = list(tables), np.random.default_rng(seed)
        shares = np.sqrt([len(t.images) for t in tables])
        self._shares = shares / shares.sum()

    def draw(self, crop: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The network's inputs (8, h, w), what hides the board (h/COARSE, w/COARSE), and the weights."""
        known, frame, cover, corners, places = self.frame()
        size = WIDTH, round(frame.shape[0] / 2)
        mask = np.zeros(size[::-1], np.uint8)
        middle = corners.mean(axis=0)
        wide = middle + (corners - middle) * (1 + 2 * AROUND / places)
        cv2.fillConvexPoly(mask, np.round(wide / 2).astype(np.int32), 1)
        cell = _side(corners) / places / 2
        small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
        copies = [cv2.resize(k, size, interpolation=cv2.INTER_AREA) for k in known]
        expected = Background(copies, mask).expected(small)
        x = inputs(small, expected, mask, cell)
        y = cv2.resize(cover, (size[0] // COARSE, size[1] // COARSE), interpolation=cv2.INTER_AREA)
        near = cv2.resize(mask, (size[0] // COARSE, size[1] // COARSE)).astype(np.float32)
        return _cropped(self._rng, x, y, 0.35 + 0.65 * near, crop)

    def frame(self) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray, float]:
        """Known frames, a frame of the same view, how far each of its pixels is hidden (0…1), the board's
        corners and the places along its side."""
        table = self._table()
        return *self._pair(table), table.places

    def _table(self) -> Table:
        """Any; one of many pictures rather than one of few."""
        return self._tables[int(self._rng.choice(len(self._tables), p=self._shares))]

    def _pair(self, table: Table) -> tuple[list[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
        rng = self._rng
        order = rng.permutation(len(table.images))
        now, rest = order[0], order[1:]
        known = [
            table.images[k]
            for k in (rest[: int(rng.integers(1, 4))] if len(rest) and rng.random() < 0.85 else [now])
        ]
        image = table.images[now].astype(np.float32) / 255
        corners = table.corners.astype(np.float64)
        if rng.random() < 0.5:
            self._pieces(image, corners, table.places)
        cover = np.zeros(image.shape[:2], np.float32)
        if rng.random() < 0.65:
            for _ in range(1 if rng.random() < 0.8 else 2):
                canvas = draw_occluder(rng, image.shape[:2], corners, self._texture(image.shape))
                canvas[..., :3] *= 2 ** rng.normal(-0.2, 0.35)
                side = _side(corners)
                put(image, np.clip(canvas, 0, 1), rng, side * rng.uniform(0.02, 0.15))
                cover = np.maximum(cover, canvas[..., 3])
        image = self._lit(image, corners)
        image, cover = self._stirred(image, cover)
        if rng.random() < 0.5:
            known = [self._tinted(k, 0.15) for k in known]
        noise = rng.standard_normal(image.shape, np.float32) * np.float32(rng.uniform(0, 5))
        image = np.clip(image * 255 + noise, 0, 255).astype(np.uint8)
        if rng.random() < 0.4:
            image = cv2.imdecode(
                cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])[1], 1
            )
        if rng.random() < 0.5:
            flip = int(rng.integers(-1, 2))
            known, image, cover = (
                [cv2.flip(k, flip) for k in known],
                cv2.flip(image, flip),
                cv2.flip(cover, flip),
            )
            corners = corners.copy()
            for axis, wanted in ((0, (1, -1)), (1, (0, -1))):
                if flip in wanted:
                    corners[:, axis] = image.shape[1 - axis] - 1 - corners[:, axis]
        return known, image, cover, corners

    def _pieces(self, image: np.ndarray, corners: np.ndarray, places: float) -> None:
        """Puts some on the board, and some beside it."""
        rng = self._rng
        warp = cv2.getPerspectiveTransform(
            np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), corners.astype(np.float32)
        )
        step = _side(corners) / places
        colours = [rng.uniform(0.02, 0.98, 3) for _ in range(2)]
        lean = rng.normal(0, 0.5, 2) * step
        for _ in range(int(rng.integers(1, 12))):
            spot = rng.uniform(0, 1, 2) if rng.random() < 0.8 else rng.uniform(-0.3, 1.3, 2)
            at = cv2.perspectiveTransform(np.float32([[spot]]), warp)[0, 0]
            draw_piece(
                image,
                rng,
                at,
                lean * rng.uniform(0.3, 1.5),
                step * rng.uniform(0.2, 0.45),
                colours[int(rng.integers(2))],
            )

    def _texture(self, shape: tuple[int, ...]) -> np.ndarray:
        """A piece of any picture."""
        rng = self._rng
        table = self._table()
        image = table.images[int(rng.integers(len(table.images)))]
        h, w = image.shape[:2]
        side = int(rng.integers(20, min(h, w) // 2))
        y, x = int(rng.integers(h - side)), int(rng.integers(w - side))
        return cv2.resize(image[y : y + side, x : x + side], (shape[1], shape[0])).astype(np.float32) / 255

    def _lit(self, image: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """In other light: shadows and sun with edges, glare, exposure, white balance, and a slope."""
        rng = self._rng
        height, width = image.shape[:2]
        for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
            mask = np.zeros((height, width), np.float32)
            points = rng.uniform(-0.4, 1.4, (int(rng.integers(3, 7)), 2)) * (width, height)
            cv2.fillPoly(mask, [np.round(cv2.convexHull(points.astype(np.float32))).astype(np.int32)], 1.0)
            mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 25))
            factor = rng.uniform(0.35, 0.9) if rng.random() < 0.75 else rng.uniform(1.1, 1.8)
            tint = 1 + rng.normal(0, 0.04, 3)
            image = image * (1 + mask[..., None] * (factor * tint - 1).astype(np.float32))
        if rng.random() < 0.25:
            image = self._shadowed(image, corners)
        y = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
        x = np.linspace(-1, 1, width, dtype=np.float32)[None]
        if rng.random() < 0.2:
            at, wide = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.5)
            glare = np.exp(
                -((x - np.float32(at[0])) ** 2 + (y - np.float32(at[1])) ** 2) / np.float32(wide**2)
            )
            image = image + np.float32(rng.uniform(0.1, 0.7)) * glare[..., None]
        tilt = rng.normal(0, 0.08, 2).astype(np.float32)
        light = np.exp(rng.normal(0, 0.25) + rng.normal(0, 0.06, 3)).astype(np.float32)
        return image * np.exp(tilt[0] * x + tilt[1] * y)[..., None] * light

    def _shadowed(self, image: np.ndarray, corners: np.ndarray) -> np.ndarray:
        """With the shadow of something that is not in the picture."""
        rng = self._rng
        shape = draw_occluder(rng, image.shape[:2], corners, self._texture(image.shape))[..., 3]
        dark = cv2.GaussianBlur(shape, (0, 0), rng.uniform(0.5, 10)) * np.float32(rng.uniform(0.2, 0.8))
        return image * (1 - dark)[..., None]

    def _tinted(self, image: np.ndarray, spread: float) -> np.ndarray:
        factor = np.exp(self._rng.normal(0, spread) + self._rng.normal(0, spread / 3, 3))
        return np.clip(image * factor, 0, 255).astype(np.uint8)

    def _stirred(self, image: np.ndarray, cover: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Moved and blurred a little."""
        rng = self._rng
        height, width = cover.shape
        spread = 0.0012 if rng.random() < 0.6 else 0.006
        corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
        moved = corners + rng.normal(0, spread * width, (4, 2)) + rng.normal(0, spread * width, 2)
        warp = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
        image, cover = (
            cv2.warpPerspective(p.astype(np.float32), warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
            for p in (image, cover)
        )
        if rng.random() < 0.3:
            image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 2.0))
        return image, cover


def _cropped(
    rng: np.random.Generator, x: np.ndarray, y: np.ndarray, weight: np.ndarray, crop: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Parts of one size (h, w), padded where a picture is smaller."""
    height, width = crop
    rows, columns = y.shape[0] * COARSE, y.shape[1] * COARSE
    x = x[:, :rows, :columns]
    top = int(rng.integers(0, max(1, rows - height + 1))) // COARSE * COARSE
    left = int(rng.integers(0, max(1, columns - width + 1))) // COARSE * COARSE
    x = x[:, top : top + height, left : left + width]
    part = slice(top // COARSE, (top + height) // COARSE), slice(left // COARSE, (left + width) // COARSE)
    y, weight = y[part], weight[part]
    lack = height - x.shape[1], width - x.shape[2]
    x = np.pad(x, ((0, 0), (0, lack[0]), (0, lack[1])))
    x[7] = x[7, 0, 0]
    small = (0, lack[0] // COARSE), (0, lack[1] // COARSE)
    return x, np.pad(y, small), np.pad(weight, small)
