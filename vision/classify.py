"""Which look explains what is seen at each place.

An appearance says which samples around a place a piece covers and in which of a few colours. A sample's
evidence for a colour is how much likelier it is there than the board's own; a look's score is the sum of
this over what the look covers, at the shift that fits best. Pieces hide each other: the pieces are
accepted from the surest on, drawn as silhouettes, nearest to the camera last, and what another piece
hides says nothing for or against a place's own looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.sample import BLOCK, REACH, SLACK, WIDTH, SampleMap, Sampler

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

SHIFTS = tuple((dy, dx) for dy in range(2 * SLACK + 1) for dx in range(2 * SLACK + 1))
OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [-0.5, 0.0, 0.5], [-0.25, 0.5, -0.25]], np.float32)
"""From blue, green, red to lightness, red against blue, green against both."""
ANYTHING = float(-3 * np.log(0.45))
"""Log density of a colour of which nothing is known."""
STRAY = float(np.log(0.03))
"""Log share of samples that follow no model: glints, letters, dust."""
INDEPENDENT = 1 / 28
"""Samples lie close and agree with their neighbours: so much does each count."""
SURE = 8.0
FOUND = 2.0
WORST, BEST = -5.0, 14.0
"""The most that one sample can say against or for a look; nats."""
NOTHING = -20.0
"""The score of every look where nothing is odd; nats."""
COLOURS = 3
STILL = np.array([0.5 * ((dy - SLACK) ** 2 + (dx - SLACK) ** 2) for dy, dx in SHIFTS], np.float32)
"""What it costs a look to stand off its place; nats."""


@dataclass(frozen=True, eq=False)
class Appearance:
    """A look at one kind of place.

    `share` (slope buckets, COLOURS, levels, WIDTH, WIDTH): how surely each sample shows each colour;
    `mean` and `sigma` (COLOURS, 3), opponent.
    """

    look: str
    kind: str
    share: Singles
    mean: Singles
    sigma: Singles
    bias: float = 0.0

    @cached_property
    def shifted(self) -> Singles:
        """(slope buckets, COLOURS · samples of a block, shifts): the shares at every shift."""
        buckets, colours, levels = self.share.shape[:3]
        out = np.zeros((buckets, colours, levels, BLOCK, BLOCK, len(SHIFTS)), np.float32)
        for n, (dy, dx) in enumerate(SHIFTS):
            out[:, :, :, dy:dy + WIDTH, dx:dx + WIDTH, n] = self.share
        return out.reshape(buckets, -1, len(SHIFTS))


@dataclass(frozen=True, eq=False)
class Scene:
    """A frame's samples around each place, in the reference's light.

    `colours` opponent (places, levels, BLOCK, BLOCK, 3), `away` how far each is from the empty board's
    (squared, in its noise), `board` the log density if the board shows there.
    """

    colours: Singles
    away: Singles
    board: Singles
    sampler: Sampler

    @cached_property
    def odd(self) -> Singles:
        """How surely each sample is not of the empty board; 0…1."""
        return np.asarray(np.clip(self.away / (2 * SURE), 0, 1), dtype=np.float32)


def make_scene(sampler: Sampler, colours: Singles, reference: Singles, spread: Singles, noise: float) -> Scene:
    """From samples, reference and its spread, 0…1. A shadow or a glow scales the board's colours; both
    cost a little."""
    scale = np.einsum("...c,...c", colours, reference) / np.maximum(
        np.einsum("...c,...c", reference, reference), 1e-3
    )
    scale = np.clip(scale, 0.25, 1.2)
    miss = colours - scale[..., None] * reference
    variance = (noise + 0.3 * spread) ** 2
    away = np.einsum("...c,...c", miss, miss) / variance
    away += np.where(scale < 1, (scale - 1) / 0.3, (scale - 1) / 0.12) ** 2
    board = np.maximum(-0.5 * away - 1.5 * np.log(variance), STRAY + ANYTHING)
    return Scene(colours @ OPPONENT.T, away, board.astype(np.float32), sampler)


def evidence(colours: Singles, board: Singles, mean: Singles, sigma: Singles) -> Singles:
    """How much likelier samples are of one paint than of the board; nats, (…) from colours (…, 3)."""
    miss = (colours - mean) / sigma
    density = -0.5 * np.einsum("...c,...c", miss, miss) - float(np.log(sigma).sum())
    return np.clip(np.maximum(density, STRAY + ANYTHING) - board, WORST, BEST)


@dataclass(eq=False)
class Explanation:
    """For each place the log-likelihoods of its looks, and of a look that is not known, against the
    empty board's; the outlines of what stands there, in pixels of half the size; and how much of each
    place is not hidden by others, 0…1."""

    scores: Sequence[Mapping[str, float]]
    novelty: Sequence[float]
    visible: Sequence[float]
    taken: Mapping[int, str]
    outlines: Sequence[npt.NDArray[np.int32]]


class Explainer:
    """Explains scenes seen through one sampler with a set of appearances."""

    def __init__(self, sampler: Sampler, appearances: Sequence[Appearance]) -> None:
        self.sampler = sampler
        self.appearances = tuple(appearances)
        layout = sampler.layout
        self.distance = np.linalg.norm(layout.points - np.array(sampler.view.eye[:2]), axis=1)
        self.bucket = sampler.buckets[1]
        blocks = sampler.blocks
        flat = blocks.reshape(-1, 3)
        self.pixels = sampler.view.pixels(flat[:, :2], flat[:, 2]).reshape(*blocks.shape[:-1], 2)
        self.fits = tuple(np.array([k == a.kind for k in layout.kinds]) for a in self.appearances)
        self._maps = SampleMap(self.pixels.reshape(-1, 2) / 2)
        width, height = sampler.view.size
        middle = tuple(layout.points.mean(axis=0))
        self.rim = max(1, round(sampler.view.step_pixels(middle) / 2 * 0.1 * layout.unit))
        self.canvas = np.zeros((height // 2 + 1, width // 2 + 1), np.uint16)

    def explain(self, scene: Scene) -> Explanation:
        n = len(self.sampler.layout.places)
        busy = np.flatnonzero(scene.odd.reshape(n, -1).sum(axis=1) > 8)
        maps = self.maps(scene, busy)
        seen = np.ones(scene.odd.shape, np.float32)
        taken: dict[int, tuple[int, int]] = {}
        for _ in range(4):
            totals, shifts = self.score(maps, seen)
            taken = self.accept(totals, shifts)
            seen = self.visible(taken)
        totals, shifts = self.score(maps, seen)
        taken = self.accept(totals, shifts, everything=True)
        fits = [[k for k in range(len(self.appearances)) if self.fits[k][i]] for i in range(n)]
        scores = [{self.appearances[k].look: float(totals[i, k]) for k in fits[i]} for i in range(n)]
        return Explanation(
            scores,
            [-20.0] * n,
            [float(v) for v in seen.reshape(n, -1).mean(axis=1)],
            {i: self.appearances[a].look for i, (a, _) in taken.items()},
            [self.silhouette(i, *held) for i, held in taken.items()],
        )

    def maps(self, scene: Scene, busy):
        """For each appearance: the places it may stand on, and the evidence (n, COLOURS, samples) there."""
        out = []
        for k, a in enumerate(self.appearances):
            index = busy[self.fits[k][busy]]
            colours, board = scene.colours[index], scene.board[index]
            layers = [evidence(colours, board, m, s) for m, s in zip(a.mean, a.sigma, strict=True)]
            out.append((index, np.stack(layers, axis=1)))
        return out

    def score(self, maps, seen: Singles):
        n = len(seen)
        totals = np.full((n, len(self.appearances)), NOTHING)
        shifts = np.full((n, len(self.appearances)), len(SHIFTS) // 2)
        for k, (a, (index, layers)) in enumerate(zip(self.appearances, maps, strict=True)):
            weighed = (layers * seen[index][:, None]).reshape(len(index), -1)
            for bucket in np.unique(self.bucket[index]):
                rows = np.flatnonzero(self.bucket[index] == bucket)
                score = weighed[rows] @ a.shifted[bucket] * INDEPENDENT - STILL
                totals[index[rows], k] = score.max(axis=1) - a.bias
                shifts[index[rows], k] = score.argmax(axis=1)
        return totals, shifts

    def accept(self, totals, shifts, everything: bool = False) -> dict[int, tuple[int, int]]:
        """Places whose best look beats the empty board and every rival that it would hide or hides in."""
        best = totals.max(axis=1)
        kind = totals.argmax(axis=1)
        out = {}
        for i in np.flatnonzero(best > FOUND):
            if not everything and any(best[j] > max(best[i], FOUND) for j in self.rivals[i]):
                continue
            out[int(i)] = (int(kind[i]), int(shifts[i, kind[i]]))
        return out

    @cached_property
    def rivals(self) -> list[list[int]]:
        """For each place those whose pieces may overlap its own in the picture."""
        base, head = self.pixels[:, 0, BLOCK // 2, BLOCK // 2], self.pixels[:, -1, BLOCK // 2, BLOCK // 2]
        layout = self.sampler.layout
        step = np.array([self.sampler.view.step_pixels(tuple(p)) for p in layout.points]) * layout.unit
        out = []
        for i in range(len(base)):
            near = np.minimum.reduce([
                _between(base[i], head[i], base), _between(base[i], head[i], head),
                _between_many(base, head, base[i]), _between_many(base, head, head[i]),
            ])
            out.append([int(j) for j in np.flatnonzero(near < 0.55 * step[i]) if j != i])
        return out

    def visible(self, taken: Mapping[int, tuple[int, int]]) -> Singles:
        """Weights (places, levels, BLOCK, BLOCK): 0 where another place's piece is seen."""
        canvas = self.canvas
        canvas[:] = 0
        for i in sorted(taken, key=lambda i: -self.distance[i]):
            self._paint(canvas, i, *taken[i])
        labels = self._maps.read(canvas, cv2.INTER_NEAREST).reshape(self.pixels.shape[:-1])
        own = np.arange(1, len(labels) + 1, dtype=np.float32)[:, None, None, None]
        return ((labels == 0) | (labels == own)).astype(np.float32)

    def _paint(self, canvas: npt.NDArray[np.uint16], place: int, appearance: int, shift: int) -> None:
        """Draws a piece: the outline of a solid, or, of pieces that are no solids, every sample they cover."""
        if not self.appearances[appearance].kind:
            outline = self.silhouette(place, appearance, shift)
            cv2.fillConvexPoly(canvas, outline, place + 1)
            cv2.polylines(canvas, [outline], isClosed=True, color=place + 1, thickness=self.rim)
            return
        for x, y in self._covered(place, appearance, shift):
            cv2.circle(canvas, (int(x), int(y)), self.rim, place + 1, -1)

    def _covered(self, place: int, appearance: int, shift: int) -> npt.NDArray[np.int32]:
        """The samples that a piece covers, in pixels of half the size."""
        dy, dx = SHIFTS[shift]
        inside = self.appearances[appearance].share[self.bucket[place]].sum(axis=0) > 0.5
        points = self.pixels[place, :, dy:dy + WIDTH, dx:dx + WIDTH][inside]
        return np.asarray(np.round(points / 2), dtype=np.int32)

    def silhouette(self, place: int, appearance: int, shift: int) -> npt.NDArray[np.int32]:
        """A convex outline in pixels of half the size."""
        points = self._covered(place, appearance, shift)
        if len(points) < 3:
            dy, dx = SHIFTS[shift]
            few = self.pixels[place, 0, dy + REACH:dy + REACH + 2, dx + REACH:dx + REACH + 2]
            points = np.round(few.reshape(-1, 2) / 2).astype(np.int32)
        return np.asarray(cv2.convexHull(points))


def _between(a: Floats, b: Floats, points: Floats) -> Floats:
    line = b - a
    t = np.clip((points - a) @ line / max(line @ line, 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(points - (a + t[:, None] * line), axis=1))


def _between_many(a: Floats, b: Floats, point: Floats) -> Floats:
    line = b - a
    t = np.clip(((point - a) * line).sum(axis=1) / np.maximum((line * line).sum(axis=1), 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(point - (a + t[:, None] * line), axis=1))
