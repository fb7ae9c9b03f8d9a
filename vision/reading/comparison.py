"""Comparison: which places show the same as in a picture of which it is known what stood where.

In go samples of two pictures of one board; out comes for each place how much likelier it is that it shows the
same than that something changed there (log-likelihood ratio, nats). Colours are sampled at some points of the
column over each place, from a piece's foot to its head, so that a place can be compared whatever stands there
and nothing has to be known of it. The light may differ: a smooth gain is fitted between the two pictures.

What is left is measured by the noise of this very pair of pictures, which most places show, and by the noise
that the place has shown before. A piece also hides what stands behind it, and throws a shadow: so what
differs is explained for all places together (`vision.reading.silhouettes`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.game import Look, Place
from vision.arrays import Floats, Image, Indices, Mask, Singles
from vision.geometry.samples import reduced
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.light.gain import BURNT, FLOOR, fit_gain, terms
from vision.reading.silhouettes import AT_ONCE, CHANGE, SHADOW, Silhouettes

STEP = 20.0
"""Pixels to the distance of neighbouring sites in the small copies that are sampled; finer detail is lost to
small movements of the camera."""
SOFT = 3
"""The side of the window over which a small copy is averaged; pixels."""
REACH, PART_REACH = 0.38, 0.2
"""Units from the middle of a place, and of a part of a site, in which it is sampled."""
ALOFT = (
    (0.0, 1.0, 31),
    (0.3, 0.85, 17),
    (0.55, 0.7, 17),
    (0.8, 0.6, 17),
    (1.05, 0.5, 7),
    (1.3, 0.5, 7),
    (1.6, 0.45, 7),
)
"""The discs of points over a place: at which share of a piece's height, how wide beside the one on the board,
and of how many points."""
FIELD = 300
"""The least number of points all over the board by which the light is compared."""
ON_BOARD = ALOFT[0][2]
"""Of the points over a place the first lie on the board."""
INNER = 7
"""Of these the first lie within a piece that stands there."""
AROUND = 9
"""Places, itself and those around it, in whose middle the light on a place is what it is on most of them."""
BROAD = 0.9
"""The radius of a piece's foot, by that in which its place is sampled."""
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
LEAST_NOISE = 1.5
"""Grey levels below which a difference is rounding."""
SPREADS = 0.4, 1.0
"""The logarithm by which differences of places that did not change scatter around the noise, at least and at
most (standard deviation): a lamp, or a camera that blanks, makes them scatter more."""
STRAY = 0.001
"""The share of places that differ though nothing changed: by a reflection, say."""
CHANGES, CHANGE_SPREAD = 40.0, 0.8
"""The usual difference of cells that changed; grey levels, and the standard deviation of its logarithm."""
ALIKE_BEHIND, SPECKS = 0.3, 0.003
"""The share of cells of a piece that look like what is behind it, and that of cells that differ though
nothing changed there."""
EACH_CELL = 0.25
"""The weight of a cell: neighbours differ together."""
EVEN, DARKEST = 0.15, 0.7
"""By how much the colour channels may differ in a shadow, and by how much it darkens them at most;
logarithms."""
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

    `told` (places, points) are the samples of which that is known; `noise` (places) is by how much each place
    usually differs from itself, as a multiple of a pair's noise. `noticed` (places) is how clearly a piece
    was seen to come to each place, or to go (nats), infinite where that was not seen: who came faintly may go
    as faintly. `carried` (places) are the grey levels by which pictures have differed since a place was
    sampled: one that is kept from an older picture, taken from where the camera stood then, is no better.
    """

    samples: Samples
    looks: Mapping[Place, Look]
    told: Mask
    noise: Singles
    noticed: Singles
    carried: Singles
    light: Singles | None = None
    """Of a board of the game: how its light differs from that on the empty board; see `vision.light.gain`."""

    @classmethod
    def of(
        cls, samples: Samples, looks: Mapping[Place, Look], told: Mask, light: Singles | None = None
    ) -> KnownBoard:
        """Returns a known board of whose noise nothing is known yet; `told` are places."""
        points = np.repeat(told[:, None], samples.places.shape[1], axis=1)
        usual, unknown = np.ones(len(told), np.float32), np.full(len(told), np.inf, np.float32)
        return cls(samples, looks, points, usual, unknown, np.zeros_like(usual), light)


class Likeness(NamedTuple):
    """The result of a comparison, place by place: how much likelier it is the same than changed (nats), its
    difference beside the noise of the pair, whether it is behind what changed before it, and how clearly it
    changed (nats); (places).

    `light` is how the light changed (see `vision.light.gain`), `noise` that of the pair (grey levels)."""

    same: Singles
    excess: Singles
    behind: Mask
    clearly: Singles
    light: Singles
    noise: float


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
        self._silhouettes = Silhouettes(
            self._small, layout.where, BROAD * reach, layout.unit, height, self._rows, self._columns
        )

    def sample(self, frame: Image) -> Samples:
        """Returns the samples of a picture (h, w, 3) of the view's size."""
        soft = cv2.blur(reduced(frame, self._small.size), (SOFT, SOFT))
        return Samples(
            soft[self._rows, self._columns].astype(np.float32),
            soft[self._field_rows, self._field_columns].astype(np.float32),
        )

    def known(self, frame: Image, looks: Mapping[Place, Look]) -> KnownBoard:
        """Returns a picture of which it is known what stands where."""
        samples = self.sample(frame)
        return KnownBoard.of(samples, looks, np.ones(len(samples.places), bool))

    def compare(self, now: Samples, known: KnownBoard, hidden: Mask, wanted: Mask | None = None) -> Likeness:
        """Compares a picture with a known one. `hidden` (places) are places of which nothing can be seen; the
        answer holds for those `wanted` (places), where only some are."""
        light = fit_gain(now.field, known.samples.field, self._design, ROUNDS)
        expected = np.minimum(self._relit(known.samples, now, light), 255.0)
        squares = _squares(now, known.samples, expected)
        in_sight = known.told & ~(hidden[:, None] | _are_blanked(now, known.samples, expected))
        pair, spread = _noise_of(_mean_of(squares, in_sight)[~hidden])
        cells = _Cells(self._silhouettes.cell_of, in_sight)
        own = np.maximum(pair * known.noise, known.carried)
        noise = np.sqrt(np.maximum(cells.mean(np.square(own)[:, None]), np.float32(pair**2)))
        ratio = _ratio(np.sqrt(cells.mean(squares)), noise, spread)
        told = np.where(cells.count > 0, EACH_CELL * ratio, np.float32(0))
        differs = told > 0
        shade = SHADOW * _like_a_shadow(cells, differs, now.places, expected)
        found = self._silhouettes.explain(told, shade * np.where(differs, told, 0), wanted)
        differ = int((found.same < 0).sum())
        stray = max(STRAY, (differ - AT_ONCE) / len(hidden))
        # Where more changed than usually does, each place is the likelier to have changed.
        prior = min(CHANGE, float(np.log(max(len(hidden) - differ, 1) / max(differ, 1))))
        level = _mean_of(squares, in_sight & (found.covered[self._silhouettes.cell_of] == 0))
        # What differs faintly, but all over a place, is no silhouette: whether it changed is open.
        faint = _ratio(level, own, spread, alike=0.0, specks=0.0) > -CHANGE
        same = np.where(faint, np.minimum(found.same, CHANGE), found.same) - (CHANGE - prior)
        same = np.logaddexp(np.log(1 - stray) + same, np.log(stray))
        # The cells of a place have points of others too, which may be known since later: of what is not told
        # of it they do not say that it is the same.
        same = np.minimum(same, known.told.mean(axis=1) * same)
        return Likeness(
            np.where(hidden, 0.0, same).astype(np.float32),
            np.asarray(level / pair, np.float32),
            found.behind,
            np.maximum(-found.same, 0),
            light,
            pair,
        )

    def follow(
        self, before: KnownBoard, now: KnownBoard, unchanged: Mask, taken: Mask, doubted: Mask
    ) -> KnownBoard:
        """Returns a newer picture in place of an older one.

        Of `doubted` places (a mask) the newer one tells nothing: they stay as they were, in the light of now,
        but for what is hidden by a place that changed, or was. The noise of a place is learned where it is
        `unchanged`; of one that was `taken` by a piece from another it is not known how it looks empty.
        """
        likeness = self.compare(now.samples, before, doubted)
        excess = likeness.excess
        noise = before.noise + REMEMBERED * (np.clip(excess, 1.0, NOISIEST) - before.noise)
        noise = np.where(unchanged & ~doubted, noise, before.noise)
        relit = self._relit(before.samples, now.samples, likeness.light)
        places = np.where(doubted[:, None, None], relit, now.samples.places)
        told = ~doubted[:, None] | (before.told & ~self._silhouettes.hidden_by(~unchanged))
        samples = now.samples._replace(places=np.asarray(places, np.float32))
        noticed = np.where(taken, np.float32(np.inf), likeness.clearly)
        noticed = np.where(unchanged | doubted, before.noticed, noticed).astype(np.float32)
        carried = np.where(doubted, np.maximum(before.carried, likeness.noise), 0).astype(np.float32)
        return KnownBoard(
            samples, now.looks, told, np.asarray(noise, np.float32), noticed, carried, now.light
        )

    def _relit(self, then: Samples, now: Samples, light: Singles) -> Singles:
        """Returns the samples of places (places, points, 3) of one picture in the light of another, which
        differs by `light`."""
        gains = np.exp(self._places @ light)[:, None, :]
        lit = (then.places + FLOOR) * gains
        # A lamp nearby, or a soft shadow, changes the light less smoothly, but alike on neighbouring places.
        left = np.log((now.places[:, :ON_BOARD] + FLOOR) / lit[:, :ON_BOARD])
        around = _middle(_middle(left)[self._around_place])[:, None, :]
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


def _middle(values: Singles) -> Singles:
    """Returns the medians (places, 3) of an odd number of values (places, n, 3) each."""
    half = values.shape[1] // 2
    in_rows = np.ascontiguousarray(values.transpose(0, 2, 1))
    return np.asarray(np.partition(in_rows, half, axis=2)[..., half])


def _noise_of(level: Singles) -> tuple[float, float]:
    """Returns the noise of a pair of pictures by the differences of its places (grey levels), and how that
    scatters (logarithm)."""
    if not len(level):
        return LEAST_NOISE, SPREADS[0]
    quiet, most = np.maximum(np.quantile(level, (QUIET, MOST)), LEAST_NOISE).tolist()
    return quiet, float(np.clip(np.log(most / quiet) / BETWEEN, *SPREADS))


def _ratio(
    level: Singles, noise: Singles, spread: float, alike: float = ALIKE_BEHIND, specks: float = SPECKS
) -> Singles:
    """Returns how much likelier differences (of cells, or of places; grey levels) are by a change than by
    noise (of the same), which scatters so; nats.

    `alike` and `specks` are the shares of those that show no change, and of those that show one, though it is
    otherwise.
    """
    size = np.log(np.maximum(level, 0.1))
    above = np.maximum(size - np.log(noise), 0.0) / spread
    below = np.minimum(size - np.log(CHANGES), 0.0) / CHANGE_SPREAD
    by_noise = -0.5 * np.square(above) - np.log(spread)
    by_change = -0.5 * np.square(below) - np.log(CHANGE_SPREAD)
    with np.errstate(divide="ignore"):
        changed = np.logaddexp(np.log(alike) + by_noise, np.log(1 - alike) + by_change)
        same = np.logaddexp(np.log(1 - specks) + by_noise, np.log(specks) + by_change)
    return np.asarray(changed - same, np.float32)


def _squares(now: Samples, then: Samples, expected: Singles) -> Singles:
    """Returns the squares (places, points) by which a picture differs from what is expected of one in its
    light; grey levels of a well exposed picture."""
    left = now.places - expected
    bright = USUAL_LEVEL / max(float(np.median(now.field)) + FLOOR, FLOOR)
    return np.asarray(np.square(left * min(bright, 3.0)).mean(axis=2), np.float32)


def blanked_share(now: Samples, points: int = ON_BOARD) -> Singles:
    """Returns (places) the share of the innermost points on the board that the camera blanked."""
    return np.asarray(((now.places[:, :points] >= BURNT).sum(axis=2) >= 2).mean(axis=1), np.float32)


def _are_blanked(now: Samples, then: Samples, expected: Singles) -> Mask:
    """Returns (places, points) where the camera blanked most channels of one picture, and the other may have
    been as bright: nothing can be told of them."""
    was = (then.places >= BURNT) & (now.places >= np.minimum(expected, BURNT))
    is_now = (now.places >= BURNT) & (expected >= BURNT)
    return np.asarray((was | is_now).sum(axis=2) >= 2)


class _Cells:
    """The cells of a picture and the points in them that are in sight: `count` of each."""

    def __init__(self, cell_of: Indices, in_sight: Mask) -> None:
        self._cell_of, self._weight = cell_of.ravel(), in_sight.ravel().astype(np.float32)
        self._shape = cell_of.shape
        self.count = np.bincount(self._cell_of, self._weight)

    def mean(self, values: Singles) -> Singles:
        """Returns the means over the cells of values of points (places, points)."""
        spread = np.broadcast_to(values, (values.shape[0], len(self._cell_of) // values.shape[0]))
        total = np.bincount(self._cell_of, spread.ravel() * self._weight)
        return np.asarray(total / np.maximum(self.count, 1), np.float32)

    def mean_colours(self, among: Mask, values: Callable[[Mask], Singles]) -> Singles:
        """Returns the means (3, cells) over some cells (a mask) of the `values` (n, 3) of points; 0 for
        others."""
        at = among[self._cell_of] & (self._weight > 0)
        cell_of, found = self._cell_of[at], values(at.reshape(self._shape))
        total = [np.bincount(cell_of, found[:, k], len(self.count)) for k in range(3)]
        return np.asarray(np.stack(total) / np.maximum(self.count, 1), np.float32)


def _like_a_shadow(cells: _Cells, differs: Mask, now: Singles, expected: Singles) -> Singles:
    """Returns (cells) how like a shadow's the difference of colours (places, points, 3) is, 0 to 1: darker or
    lighter in all channels alike, and not by much. It is told of those cells that differ (a mask)."""

    def change(at: Mask) -> Singles:
        return np.asarray(np.log((now[at] + 2 * FLOOR) / (expected[at] + 2 * FLOOR)))

    channels = cells.mean_colours(differs, change)
    is_slight = np.abs(channels.mean(axis=0)) < DARKEST
    return np.asarray(np.exp(-np.square(np.ptp(channels, axis=0) / EVEN)) * is_slight, np.float32)


def _mean_of(squares: Singles, in_sight: Mask) -> Singles:
    """Returns the root of the mean of squares (places, points) over the points in sight."""
    count = np.maximum(in_sight.sum(axis=1), 1)
    return np.asarray(np.sqrt((squares * in_sight).sum(axis=1) / count), np.float32)
