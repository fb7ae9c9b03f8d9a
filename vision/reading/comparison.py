"""Comparison: which places show the same as in a picture of which it is known what stood where.

In go samples of two pictures of one board; out comes for each place how much likelier it is that it shows the
same than that something changed there (log-likelihood ratio, nats). Colours are sampled at some points of the
column over each place, from a piece's foot to its head, so that a place can be compared whatever stands there
and nothing has to be known of it. The light may differ: a smooth gain is fitted between the two pictures.

What is left is measured by the noise of this very pair of pictures, which most places show, and by the noise
that the place has shown before. A piece also hides what stands behind it: what changes most is taken for
changed first, and points before which it stands or stood say nothing of the places behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.game import Look, Place
from vision.arrays import Floats, Image, Mask, Singles
from vision.geometry.view import View
from vision.light.gain import BURNT, FLOOR, fit_gain, terms
from vision.reading.layout import PlaceLayout

STEP = 20.0
"""Pixels to the distance of neighbouring sites in the small copies that are sampled; finer detail is lost to
small movements of the camera."""
SOFT = 3
"""The side of the window over which a small copy is averaged; pixels."""
REACH, PART_REACH = 0.38, 0.2
"""Units from the middle of a place, and of a part of a site, in which it is sampled."""
ALOFT = ((0.0, 1.0, 31), (0.55, 0.7, 17), (0.9, 0.6, 7))
"""The discs of points over a place: at which share of a piece's height, how wide beside the one on the board,
and of how many points."""
FIELD = 300
"""The least number of points all over the board by which the light is compared."""
ON_BOARD = ALOFT[0][2]
"""Of the points over a place the first lie on the board."""
AROUND = 9
"""Places, itself and those around it, in whose middle the light on a place is what it is on most of them."""
SPARE = 0.08
"""Units by which a piece may reach further than it is sampled."""
DISC = np.array(
    [(0.0, 0.0)]
    + [
        (radius * np.cos(turn + angle), radius * np.sin(turn + angle))
        for radius, count, turn in ((0.33, 6, 0.0), (0.66, 10, 0.3), (1.0, 14, 0.0))
        for angle in np.arange(count) * 2 * np.pi / count
    ]
)
"""Points (31, 2) spread over a disc of radius 1, from the middle outwards."""
ROUNDS = 5
"""Rounds of the fit of the light: what is left of it on each place is taken off after it."""
USUAL_LEVEL = 128.0
"""The grey level of a board in a well exposed picture; noise and changes are measured on a picture so
bright."""
QUIET, MOST = 0.35, 0.75
"""The quantiles of the places' differences that tell a pair's noise and how it scatters: so many at least did
not change."""
BETWEEN = 1.06
"""The standard deviations of a normal distribution between these quantiles."""
LEAST_NOISE = 1.0
"""Grey levels below which a difference is rounding."""
SPREADS = 0.4, 1.0
"""The logarithm by which differences of places that did not change scatter around the noise, at least and at
most (standard deviation): a lamp, or a camera that blanks, makes them scatter more."""
STRAY = 0.005
"""The share of places that differ though nothing changed: by a shadow, say."""
AT_ONCE = 8
"""Places that hands change from one board to the next: where more differ it is by light, or the camera."""
CHANGES, CHANGE_SPREAD = 45.0, 0.8
"""The usual difference of places that changed; grey levels, and the standard deviation of its logarithm."""
SURELY = -4.0
"""The logarithm of the ratio from which a place counts as changed, and hides what is behind it."""
IN_SIGHT = 0.2
"""The share of a place's points that must be in sight for it to be compared."""
BEHIND = 2.5
"""The ratio of a place of which less is in sight: all that changed there is explained by what changed before
it, and about one place in twelve changes."""
REMEMBERED = 0.3
"""The share by which the noise of a place follows what it shows while nothing changes."""
NOISIEST = 3.0
"""The most that a place's own noise may be beside that of its picture: more is a change that was missed."""


class Samples(NamedTuple):
    """The colours of a picture at the points of all places, (places, points, 3), and all over the board,
    (n, 3)."""

    places: Singles
    field: Singles


@dataclass(frozen=True, eq=False)
class KnownBoard:
    """A picture of which it is known what stood where: its samples, and the looks.

    `told` (places) are those of which that is known; `noise` (places) is by how much each one usually differs
    from itself, as a multiple of a pair's noise.
    """

    samples: Samples
    looks: Mapping[Place, Look]
    told: Mask
    noise: Singles

    @classmethod
    def of(cls, samples: Samples, looks: Mapping[Place, Look], told: Mask) -> KnownBoard:
        """Returns a known board of whose noise nothing is known yet."""
        return cls(samples, looks, told, np.ones(len(told), np.float32))


class Likeness(NamedTuple):
    """How each place compares with a known board: how much likelier it is the same than changed (nats), its
    difference beside the noise of the pair, and whether it is behind what changed before it; (places)."""

    same: Singles
    excess: Singles
    behind: Mask


class Comparison:
    """Samples pictures of one view, and compares them. `height` is that of the tallest piece; steps."""

    def __init__(self, layout: PlaceLayout, view: View, height: float) -> None:
        self._size = view.size
        self._scale = min(1.0, STEP / (view.step_pixels(view.middle) * layout.unit))
        self._small = view.scaled(self._scale)
        reach = np.full(len(layout.places), (PART_REACH if any(layout.kinds) else REACH) * layout.unit)
        self._points = self._around(layout.where, reach, height)
        self._rows, self._columns = self._nearest(self._points)
        field = layout.field[:: max(1, len(layout.field) // FIELD)]
        self._field_rows, self._field_columns = self._nearest(self._small.pixels(field))
        self._design = terms(field, view.extent)
        self._places = terms(layout.where, view.extent)
        apart = np.linalg.norm(layout.where[:, None] - layout.where[None], axis=2)
        self._around_place = np.argsort(apart, axis=1, kind="stable")[:, :AROUND]
        self._before = self._hidden_behind(layout.where, reach + SPARE * layout.unit, height)

    def sample(self, frame: Image) -> Samples:
        """Returns the samples of a picture (h, w, 3) of the view's size."""
        small = cv2.resize(frame, self._small.size, interpolation=cv2.INTER_AREA)
        soft = cv2.blur(small, (SOFT, SOFT))
        return Samples(
            soft[self._rows, self._columns].astype(np.float32),
            soft[self._field_rows, self._field_columns].astype(np.float32),
        )

    def known(self, frame: Image, looks: Mapping[Place, Look]) -> KnownBoard:
        """Returns a picture of which it is known what stands where."""
        samples = self.sample(frame)
        return KnownBoard.of(samples, looks, np.ones(len(samples.places), bool))

    def compare(self, now: Samples, known: KnownBoard, hidden: Mask) -> Likeness:
        """Compares a picture with a known one. `hidden` (places) are places of which nothing can be seen."""
        squares = self._differences(now, known.samples)
        in_sight = np.repeat(~hidden[:, None], squares.shape[1], axis=1)
        level = _mean_of(squares, in_sight)
        pair, spread = _noise_of(level[~hidden])
        noise = pair * known.noise
        changed = behind = np.zeros(len(level), bool)
        ratio = _ratio(level, noise, spread)
        while (candidates := ~changed & (ratio < SURELY)).any():
            most = int(np.where(candidates, level, -1.0).argmax())
            changed = changed | (np.arange(len(level)) == most)
            in_sight[~changed] &= ~self._before[most][~changed]
            level = np.where(changed, level, _mean_of(squares, in_sight))
            behind = ~changed & (in_sight.mean(axis=1) < IN_SIGHT)
            ratio = np.where(behind, BEHIND, _ratio(level, noise, spread))
        stray = max(STRAY, (int(changed.sum()) - AT_ONCE) / len(changed))
        same = np.logaddexp(np.log(1 - stray) + ratio, np.log(stray))
        return Likeness(
            np.where(hidden | ~known.told, 0.0, same).astype(np.float32),
            np.asarray(level / pair, np.float32),
            behind,
        )

    def follow(self, before: KnownBoard, now: KnownBoard, unchanged: Mask, doubted: Mask) -> KnownBoard:
        """Returns a newer picture in place of an older one.

        Of `doubted` places (a mask) the newer one tells nothing: they stay as they were, in the light of now.
        The noise of a place is learned where it is `unchanged`.
        """
        excess = self.compare(now.samples, before, doubted).excess
        noise = before.noise + REMEMBERED * (np.clip(excess, 1.0, NOISIEST) - before.noise)
        relit = self._relit(before.samples, now.samples)
        places = np.where(doubted[:, None, None], relit, now.samples.places)
        samples = now.samples._replace(places=np.asarray(places, np.float32))
        return KnownBoard(
            samples,
            now.looks,
            before.told | ~doubted,
            np.where(unchanged & ~doubted, noise, before.noise),
        )

    def _differences(self, now: Samples, then: Samples) -> Singles:
        """Returns the squares (places, points) of what differs but for the light; grey levels of a well
        exposed picture."""
        expected = np.minimum(self._relit(then, now), 255.0)
        left = now.places - expected
        # What the camera blanked then was brighter than it shows, and may be seen so now.
        left[(then.places >= BURNT) & (left > 0)] = 0.0
        bright = USUAL_LEVEL / max(float(np.median(now.field)) + FLOOR, FLOOR)
        return np.asarray(np.square(left * min(bright, 3.0)).mean(axis=2), np.float32)

    def _relit(self, then: Samples, now: Samples) -> Singles:
        """Returns the samples of places (places, points, 3) of one picture in the light of another."""
        light = fit_gain(now.field, then.field, self._design, ROUNDS)
        gains = np.exp(self._places @ light)[:, None, :]
        lit = (then.places + FLOOR) * gains
        # A lamp nearby, or a soft shadow, changes the light less smoothly, but alike on neighbouring places.
        left = np.log((now.places + FLOOR) / lit)
        by_place = np.median(left[:, :ON_BOARD], axis=1)
        around = np.median(by_place[self._around_place], axis=1)[:, None, :]
        return np.asarray(lit * np.exp(around) - FLOOR, np.float32)

    def _around(self, where: Floats, reach: Floats, height: float) -> Floats:
        """Returns the points (places, points, 2) of the columns over places; pixels of a small copy."""
        discs = []
        for share, breadth, count in ALOFT:
            rings = where[:, None] + DISC[None, :count] * (reach * breadth)[:, None, None]
            pixels = self._small.pixels(rings.reshape(-1, 2), share * height)
            discs.append(pixels.reshape(len(where), count, 2))
        return np.concatenate(discs, axis=1)

    def _nearest(self, pixels: Floats) -> tuple[np.ndarray, np.ndarray]:
        """Returns rows and columns of the pixels of a small copy that are nearest to points (…, 2)."""
        width, height = self._small.size
        whole = np.round(pixels).astype(np.intp)
        return np.clip(whole[..., 1], 0, height - 1), np.clip(whole[..., 0], 0, width - 1)

    def _hidden_behind(self, where: Floats, reach: Floats, height: float) -> Mask:
        """Returns (places, places, points): the points of other places before which a piece on the first one
        may stand."""
        width, tall = self._small.size
        found = np.zeros((len(where), *self._rows.shape), bool)
        ring = DISC[-14:]
        for n, (foot, radius) in enumerate(zip(where, reach, strict=True)):
            around = foot + radius * ring
            column = np.concatenate((self._small.pixels(around), self._small.pixels(around, height)))
            mask = np.zeros((tall, width), np.uint8)
            cv2.fillConvexPoly(mask, cv2.convexHull(np.round(column).astype(np.int32)), 1)
            found[n] = mask[self._rows, self._columns] > 0
            found[n, n] = False
        return found


def _noise_of(level: Singles) -> tuple[float, float]:
    """Returns the noise of a pair of pictures by the differences of its places (grey levels), and how that
    scatters (logarithm)."""
    if not len(level):
        return LEAST_NOISE, SPREADS[0]
    quiet, most = np.maximum(np.quantile(level, (QUIET, MOST)), LEAST_NOISE).tolist()
    return quiet, float(np.clip(np.log(most / quiet) / BETWEEN, *SPREADS))


def _ratio(level: Singles, noise: Singles, spread: float) -> Singles:
    """Returns how much likelier differences (places; grey levels) are by noise (places), which scatters so,
    than by a change; nats."""
    size = np.log(np.maximum(level, 0.1))
    by_noise = np.maximum(size - np.log(noise), 0.0) / spread
    by_change = np.minimum(size - np.log(CHANGES), 0.0) / CHANGE_SPREAD
    spreads = np.log(CHANGE_SPREAD / spread)
    return np.asarray(0.5 * (np.square(by_change) - np.square(by_noise)) + spreads, np.float32)


def _mean_of(squares: Singles, in_sight: Mask) -> Singles:
    """Returns the root of the mean of squares (places, points) over the points in sight."""
    count = np.maximum(in_sight.sum(axis=1), 1)
    return np.asarray(np.sqrt((squares * in_sight).sum(axis=1) / count), np.float32)
