"""Cut-outs: real pieces cut from photographs of one camera, and its board without any, to make pictures of.

A `Table` is one photograph as a background, from which all pieces are taken away, and the pieces that the
others of its set show. A piece is cut out by how it differs from the empty board, with its shadow, and set
onto another square by the geometry of both views: foot, head and breadth come to where they belong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.picture_sets.series import homography, picture
from companion.core.board import Board, load_board
from companion.core.game import Place
from vision.arrays import Floats, Image
from vision.geometry.view import View

Label = Mapping[str, Any]
Point = tuple[float, float]
CORNERS = ("SW", "SE", "NE", "NW")
KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
AROUND, ABOVE = 0.44, 1.12
"""The radius of the column in which a piece stands, in steps, and its height by that of the drawn one."""
SLIM = 0.3, 0.16
"""The radius of a piece at its foot and at its head; steps."""
HIDES = 0.44, 0.36
"""The same of what it may hide."""
SHADOW = 0.5
"""Steps around a column in which its shadow is carried along."""
LEAN = 0.34
"""The radius of a column that other pieces must leave free."""
SIDES = 16
"""The points of a column's circles."""
RIM, BEYOND = 0.6, 1.0
"""Steps around the board in which others show what pieces hide, and from which a piece leans out."""
SEEN = 24
"""The most other photographs from which the empty board is put together."""
FAINT = 0.06
"""The darkness (of the logarithm of light) that is no shadow yet."""
PX = 16
"""Pixels of a step in the rectified pictures by which the light is compared."""
FILLED, SPILT = 0.5, 0.8
"""The least share of a slim column that a good mask fills, and the most beside it, by that column's area."""
BENT = 4
"""Pixels by which the board may lie otherwise, here or there, than its corners say."""
HIDDEN = 0.03
"""The share of a column that others may hide."""
STRETCHING, UNLIKE, DIMMED = 0.3, 0.08, 0.3
"""What it costs to stretch a cut-out, that it comes from a square of another colour, and from other light, by
the logarithm of that; breadths."""
CHOICE = 2
"""The number of cut-outs that are good enough for a place, among which a piece chooses."""
DIFFERS = 14.0
"""Grey levels from which a pixel differs from the empty board."""
ALIKE = 22.0
"""Grey levels by which the empty board of another picture may differ, at most, in the mean."""


@dataclass(frozen=True)
class PhotoSource:
    """A set whose pictures can be made into games: which are taken, and how wide they were, by their height,
    before the source squeezed them (None: it did not)."""

    name: str
    takes: Callable[[Label], bool] = lambda label: True
    aspect: float | None = None


SOURCES = (
    PhotoSource("epatha-chess"),
    PhotoSource("jialinding-chess"),
    PhotoSource("samryan-chess", lambda label: label["size"] == [960, 1280]),
    PhotoSource("chesssight-chess", aspect=16 / 9),
    PhotoSource("robotvision-chess", lambda label: label["file"].startswith("WIN"), aspect=16 / 9),
)


@dataclass(frozen=True, eq=False)
class Photo:
    """A photograph, where its board lies, and which piece (a letter as in FEN) stands on each place."""

    name: str
    image: Image
    view: View
    pieces: Mapping[Place, str]
    _outlines: dict[Place, Any] = field(default_factory=dict)

    @cached_property
    def size(self) -> tuple[int, int]:
        return self.image.shape[1], self.image.shape[0]

    def outlines(self, board: Board) -> Mapping[Place, Any]:
        """Returns the outline of the column in which each piece stands, slimmer than its square."""
        if not self._outlines:
            for place, piece in self.pieces.items():
                ring = column(self.view, board.sites[place], height(board, piece), LEAN)
                self._outlines[place] = cv2.convexHull(ring.astype(np.float32))
        return self._outlines

    def covered(self, board: Board) -> Image:
        """Returns the mask of all that pieces may hide."""
        mask = np.zeros(self.image.shape[:2], np.uint8)
        for place, piece in self.pieces.items():
            tall = height(board, piece)
            cv2.fillConvexPoly(mask, slim_hull(self.view, board.sites[place], tall, HIDES), 1)
        return mask


def height(board: Board, piece: str) -> float:
    """Returns the height of a piece in steps."""
    return ABOVE * board.pieces.faces[KINDS[piece.lower()]].height


def column(view: View, foot: Point, tall: float, radius: float = AROUND) -> Floats:
    """Returns the pixels (2 * SIDES, 2) of the circles at the foot and at the head of a column."""
    turns = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)
    ring = np.column_stack((np.cos(turns), np.sin(turns))) * radius + np.asarray(foot, dtype=float)
    return np.vstack((view.pixels(ring), view.pixels(ring, tall)))


def hull(view: View, foot: Point, tall: float, radius: float = AROUND) -> Any:
    return cv2.convexHull(np.round(column(view, foot, tall, radius)).astype(np.int32))


def slim_hull(view: View, foot: Point, tall: float, radii: tuple[float, float]) -> Any:
    """Returns the outline of a piece that is slimmer at its head."""
    low, high = column(view, foot, tall, radii[0])[:SIDES], column(view, foot, tall, radii[1])[SIDES:]
    return cv2.convexHull(np.round(np.vstack((low, high))).astype(np.int32))


def photos(folder: Path, source: PhotoSource, board: Board) -> list[Photo]:
    """Returns the photographs of a set, each named as if its board lay in the picture as in the first's."""
    labels = json.loads((folder / source.name / "truth.json").read_text(encoding="utf-8"))["pictures"]
    found: list[Photo] = []
    for label in labels:
        if source.takes(label) and label["position"] is not None:
            found.append(
                _photo(folder / source.name, label, source.aspect, board, found[0] if found else None)
            )
    return found


def _photo(folder: Path, label: Label, aspect: float | None, board: Board, first: Photo | None) -> Photo:
    image = picture(folder / label["file"])
    size = (round(image.shape[0] * aspect), image.shape[0]) if aspect else (image.shape[1], image.shape[0])
    scale = np.array(size) / (image.shape[1], image.shape[0])
    image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8) if aspect else image
    pixels = np.array([label["corners"][name] for name in CORNERS]) * scale
    turns = 0
    if first is not None:
        wanted = first.view.pixels(board.corners) / first.size
        turns = min(range(4), key=lambda n: float(np.abs(np.roll(pixels, n, axis=0) / size - wanted).max()))
    matrix = homography(board.corners, list(map(tuple, np.roll(pixels, turns, axis=0))))
    named = {place: _turned(place, turns) for place in label["position"]}
    pieces = {named[place]: letter for place, letter in fen_pieces(label["fen"]).items()}
    return Photo(label["file"], image, View.of(matrix, size, extent(board)), pieces)


def extent(board: Board) -> tuple[float, float, float, float]:
    x, y = zip(*board.outline, strict=True)
    return min(x), min(y), max(x), max(y)


def _turned(place: Place, turns: int) -> Place:
    """Returns the place with the name it has when a1 is called h1 (one turn), h8 (two) or a8 (three)."""
    x, y = "abcdefgh".index(place[0]), int(place[1]) - 1
    for _ in range(turns):
        x, y = 7 - y, x
    return "abcdefgh"[x] + str(y + 1)


def fen_pieces(fen: str) -> dict[Place, str]:
    """Returns the piece on each place of the board field of a FEN."""
    found = {}
    for rank, row in zip("87654321", fen.split()[0].split("/"), strict=True):
        x = 0
        for letter in row:
            if letter.isdigit():
                x += int(letter)
            else:
                found["abcdefgh"[x] + rank] = letter
                x += 1
    return found


@dataclass(frozen=True, eq=False)
class Sample:
    """A piece that stands free in a photograph, and the pixels of its column (2 * SIDES, 2)."""

    photo: Photo
    place: Place
    column: Floats
    is_light: bool
    """Whether its square is light."""
    leans_out: bool
    """Whether its head is seen far beyond the board."""

    def fit(self, wanted: Floats) -> tuple[Any, float]:
        """Returns the affine (2, 3) that brings its column nearest to other pixels, and what that costs: how
        far from them it stays, in breadths, and how much it is stretched."""
        rows = np.column_stack((self.column, np.ones(len(self.column))))
        solved, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
        off = np.abs(rows @ solved - wanted).mean() / max(1.0, float(np.ptp(wanted[:SIDES, 0])))
        stretch = np.abs(np.log(np.linalg.svd(solved[:2], compute_uv=False))).max()
        return solved.T, float(off + STRETCHING * stretch)


@dataclass(frozen=True, eq=False)
class Cutout:
    """A piece cut out of a photograph: its pixels (h, w, 3) in the light of the background, its mask (h, w;
    0 to 1), what its shadow leaves of the light around it (h, w), and the photograph's pixel at which the
    patch begins."""

    colours: Any
    mask: Any
    shade: Any
    origin: tuple[int, int]
    spilt: float
    """The area of the mask beside a column as slim as the piece, by that column's."""


class Table:
    """A photograph as a background without pieces, and the pieces of all photographs of its set."""

    def __init__(self, name: str, found: Sequence[Photo], base: Photo, board: Board) -> None:
        self.name, self.board, self.base, self.view = name, board, base, base.view
        self._photos = found
        self._gains: dict[str, Any] = {}
        self._free = {photo.name: _rectified_free(photo, board) for photo in found}
        self._flat = {p.name: _log(p.view.rectify(p.image, PX, 0)) for p in found}
        self.alike = [p for p in found if self._is_alike(p)]
        self.empty: Image = self._emptied()
        self._samples: dict[str, list[Sample]] = {}
        self._cutouts: dict[Sample, Cutout | None] = {}
        self._placed: dict[tuple[str, Point, int], tuple[tuple[int, int], Any, Any, Any]] = {}

    def _is_alike(self, photo: Photo) -> bool:
        """Returns whether the board lies in the photograph as in the background."""
        free = self._free[photo.name] & self._free[self.base.name]
        off = np.exp(self._flat[photo.name] + _surface(self._gain(photo), *_raster())) - np.exp(
            self._flat[self.base.name]
        )
        return free.sum() > 0.1 * free.size and float(np.abs(off[free]).mean()) < ALIKE

    def _gain(self, photo: Photo) -> Any:
        """Returns the coefficients (6, 3) of what brings a photograph into the light of the background."""
        if photo.name not in self._gains:
            free = self._free[photo.name] & self._free[self.base.name]
            off = self._flat[self.base.name] - self._flat[photo.name]
            x, y = _raster()
            rows, values = _terms(x[free], y[free]), off[free]
            kept = np.ones(len(rows), bool)
            for _ in range(3):
                solved, *_ = np.linalg.lstsq(rows[kept], values[kept], rcond=None)
                away = np.abs(values - rows @ solved).mean(axis=1)
                kept = away <= max(0.02, 2 * float(np.median(away)))
            self._gains[photo.name] = solved
        return self._gains[photo.name]

    def _emptied(self) -> Image:
        """Returns the background with what other photographs show where pieces stand, or like squares."""
        hidden = self.base.covered(self.board)
        shown = self.base.image.astype(np.float32)
        ring = round(AROUND * self.view.step_pixels(self.view.middle)) // 2
        around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * ring + 1, 2 * ring + 1))
        colours = self._square_colours()
        for fill in (self._from_others, self._from_like_squares):
            out, known = fill(shown, hidden.astype(bool), cv2.dilate(hidden, around).astype(bool))
            shown = _blended(shown, out, known, hidden, colours, ring)
            hidden = hidden * ~known
        whole = np.clip(shown, 0, 255).astype(np.uint8)
        return np.asarray(cv2.inpaint(whole, hidden, 4, cv2.INPAINT_TELEA), np.uint8)

    def _from_others(self, shown: Any, _: Any, wanted: Any) -> tuple[Any, Any]:
        """Returns what other photographs show at these pixels in the median, and where they show any."""
        base, inside = self.base, self._near(RIM)
        many = sorted((p for p in self.alike if p is not base), key=lambda p: len(p.pieces))[:SEEN]
        rows, columns = np.nonzero(wanted)
        values = np.full((len(many), len(rows), 3), np.nan, np.float32)
        for index, photo in enumerate(many):
            warp = base.view.matrix @ np.linalg.inv(photo.view.matrix)
            image = cv2.warpPerspective(photo.image, warp, base.size, flags=cv2.INTER_CUBIC)
            free = cv2.warpPerspective(
                1 - photo.covered(self.board), warp, base.size, flags=cv2.INTER_NEAREST
            )
            ok = ((free > 0) & inside)[rows, columns]
            values[index, ok] = _lit(image, base.view, self._gain(photo))[rows[ok], columns[ok]]
        some = ~np.isnan(values[..., 0]).all(axis=0)
        out, known = shown.copy(), np.zeros(wanted.shape, bool)
        out[rows[some], columns[some]] = np.nanmedian(values[:, some], axis=0)
        known[rows[some], columns[some]] = True
        return out, known

    def _square_colours(self) -> Any:
        """Returns for each pixel 0 for a dark square, 1 for a light one, 2 for what lies around the board."""
        h, w = self.base.image.shape[:2]
        x, y = np.meshgrid(np.arange(w, dtype=float), np.arange(h, dtype=float))
        points = self.view.board(np.column_stack((x.ravel(), y.ravel())))
        colours = np.round(points).astype(int).sum(axis=1) % 2
        colours[(np.abs(points - 3.5) > 4).any(axis=1)] = 2
        return colours.reshape(h, w)

    def _near(self, rim: float) -> Any:
        mask = np.zeros(self.base.image.shape[:2], np.uint8)
        around = self.view.pixels(self.view.corners(rim))
        cv2.fillConvexPoly(mask, np.round(around).astype(np.int32), 1)
        return mask.astype(bool)

    def _from_like_squares(self, shown: Any, hidden: Any, wanted: Any) -> tuple[Any, Any]:
        """Returns for these pixels what is seen on the nearest square of the same colour, in their own light,
        and on the board's border what is seen further along it; and where anything is."""
        out, known = shown.copy(), np.zeros(wanted.shape, bool)
        rows, columns = np.nonzero(wanted)
        if not len(rows):
            return out, known
        bright = _fall_of_light(shown, ~hidden & self._near(0), self.view)
        points = self.view.board(np.column_stack((columns, rows)))
        off = np.abs(points - 3.5)
        on_board, border = (off < 4).all(axis=1), (off < 4 + RIM).all(axis=1)
        squares = [(x, y) for x in range(-7, 8) for y in range(-7, 8) if (x + y) % 2 == 0]
        halves = [n / 2 for n in range(-14, 15)]
        ways = (
            (on_board, 4.0, squares),
            (border & ~on_board & (off[:, 1] > 4), 4 + RIM, [(n, 0.0) for n in halves]),
            (border & ~on_board & (off[:, 0] > 4), 4 + RIM, [(0.0, n) for n in halves]),
        )
        for todo, reach, shifts in ways:
            for shift in sorted(shifts, key=lambda s: s[0] ** 2 + s[1] ** 2)[1:]:
                index = np.nonzero(todo & ~known[rows, columns])[0]
                pixels = np.round(self.view.pixels(points[index] + shift)).astype(int)
                ok = (np.abs(points[index] + shift - 3.5) < reach).all(axis=1)
                ok &= (pixels >= 0).all(axis=1) & (pixels < self.base.size).all(axis=1)
                index, pixels = index[ok], pixels[ok]
                ok = ~hidden[pixels[:, 1], pixels[:, 0]]
                index, pixels = index[ok], pixels[ok]
                light = np.exp((_terms(*points[index].T) - _terms(*(points[index] + shift).T)) @ bright)
                out[rows[index], columns[index]] = shown[pixels[:, 1], pixels[:, 0]] * light
                known[rows[index], columns[index]] = True
        return out, known

    def samples(self, piece: str) -> list[Sample]:
        """Returns all that show a piece free of others."""
        if piece not in self._samples:
            found = (self._sample(p, at) for p in self.alike for at, one in p.pieces.items() if one == piece)
            self._samples[piece] = [sample for sample in found if sample is not None]
        return self._samples[piece]

    def _sample(self, photo: Photo, place: Place) -> Sample | None:
        foot = self.board.sites[place]
        ring = column(photo.view, foot, height(self.board, photo.pieces[place]))
        if (ring < 1).any() or (ring > np.array(photo.size) - 2).any():
            return None
        leans_out = bool((np.abs(photo.view.board(ring) - 3.5) > 4 + BEYOND).any())
        own = cv2.convexHull(ring.astype(np.float32))
        for other, outline in photo.outlines(self.board).items():
            if other != place:
                shared, _ = cv2.intersectConvexConvex(own, outline)
                if shared > HIDDEN * cv2.contourArea(own):
                    return None
        return Sample(photo, place, ring, round(sum(foot)) % 2 == 1, leans_out)

    def _cutout(self, sample: Sample) -> Cutout | None:
        if sample not in self._cutouts:
            self._cutouts[sample] = self._cut(sample)
        return self._cutouts[sample]

    def _cut(self, sample: Sample) -> Cutout | None:
        """Cuts a piece out; None where it does not show well."""
        photo, view = sample.photo, sample.photo.view
        foot = self.board.sites[sample.place]
        tall = height(self.board, photo.pieces[sample.place])
        pad = SHADOW * view.step_pixels(foot)
        low = np.maximum(np.floor(sample.column.min(axis=0) - pad), 0).astype(int)
        high = np.minimum(np.ceil(sample.column.max(axis=0) + pad), np.array(photo.size)).astype(int)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        own, slim, others = (np.zeros((size[1], size[0]), np.uint8) for _ in range(3))
        cv2.fillConvexPoly(own, hull(view, foot, tall) - low.astype(np.int32), 1)
        cv2.fillConvexPoly(slim, slim_hull(view, foot, tall / ABOVE, SLIM) - low.astype(np.int32), 1)
        for other, outline in photo.outlines(self.board).items():
            if other != sample.place:
                cv2.fillConvexPoly(others, np.round(outline - low).astype(np.int32), 1)
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]])
        warp = shift @ view.matrix @ np.linalg.inv(self.view.matrix)
        empty = cv2.warpPerspective(self.empty, warp, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        patch = photo.image[low[1] : high[1], low[0] : high[0]]
        lit = _lit(patch, view, self._gain(photo), (int(low[0]), int(low[1])))
        empty = _aligned(empty, lit, (own | others) == 0)
        mask = piece_mask(lit, empty, own, slim)
        filled, spilt = (float(part.sum() / slim.sum()) for part in (mask & slim, mask > slim))
        if filled < FILLED or spilt > SPILT:
            return None
        near = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3)
        away = cv2.distanceTransform(1 - others, cv2.DIST_L2, 3)
        fading = np.clip(1.3 - near / pad, 0, 1) * np.clip(away / (0.4 * pad) - 0.5, 0, 1)
        soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 0.8)
        return Cutout(lit, soft, _shade(lit, empty, mask, fading), (int(low[0]), int(low[1])), spilt)

    def draw(self, standing: Iterable[tuple[str, Point, int]]) -> Image:
        """Returns the picture of pieces (letter, foot in steps, and a number that chooses among cut-outs that
        fit about as well), the far ones first."""
        eye = np.array(self.view.eye[:2])
        out = self.empty.astype(np.float32)
        for piece, foot, number in sorted(standing, key=lambda s: -float(np.hypot(*(np.array(s[1]) - eye)))):
            self._paste(out, piece, foot, number)
        return np.asarray(np.clip(out, 0, 255), np.uint8)

    def _paste(self, out: Any, piece: str, foot: Point, number: int) -> None:
        key = piece, foot, number
        if key not in self._placed:
            self._placed[key] = self._place(piece, foot, number)
        (left, top), colours, mask, shade = self._placed[key]
        part = out[top : top + len(mask), left : left + mask.shape[1]]
        part *= shade
        part += (colours - part) * mask

    def _place(self, piece: str, foot: Point, number: int) -> tuple[tuple[int, int], Any, Any, Any]:
        """Returns the pixel at which a piece's patch begins, and its colours, mask and shade where it
        stands."""
        cut, affine = self._best(piece, foot, number)
        h, w = cut.mask.shape
        edge = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) @ affine.T
        low = np.clip(np.floor(edge.min(axis=0)).astype(int), 0, np.array(self.base.size) - 1)
        high = np.clip(np.ceil(edge.max(axis=0)).astype(int), low + 1, self.base.size)
        moved = affine - np.column_stack((np.zeros((2, 2)), low))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        colours = cv2.warpAffine(
            cut.colours, moved, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        mask = cv2.warpAffine(cut.mask, moved, size, flags=cv2.INTER_LINEAR)[..., None]
        shade = cv2.warpAffine(cut.shade, moved, size, flags=cv2.INTER_LINEAR, borderValue=1.0)[..., None]
        return (int(low[0]), int(low[1])), colours, mask, shade

    def _unlike(self, sample: Sample, is_light: bool) -> float:
        """Returns what it costs that a piece stands on another colour, leans beyond the board, or stands in
        other light."""
        light = _terms(*self.board.sites[sample.place]) @ self._gain(sample.photo)
        return UNLIKE * ((sample.is_light != is_light) + 2 * sample.leans_out) + DIMMED * float(
            np.abs(light).max()
        )

    def _best(self, piece: str, foot: Point, number: int) -> tuple[Cutout, Any]:
        """Returns the cut-out that fits a place, and the affine (2, 3) that brings it there. A number chooses
        among those that fit about as well. ValueError where none can be cut out."""
        wanted = column(self.view, foot, height(self.board, piece))
        is_light = round(sum(np.round(foot))) % 2 == 1
        fits = [(sample, *sample.fit(wanted)) for sample in self.samples(piece)]
        fits.sort(key=lambda fit: fit[2] + self._unlike(fit[0], is_light))
        good = ((cut, affine) for s, affine, _ in fits if (cut := self._cutout(s)) is not None)
        some = sorted(islice(good, 2 * CHOICE), key=lambda one: one[0].spilt)[:CHOICE]
        if not some:
            raise ValueError(f"no photograph shows {piece} so that it can be cut out")
        cut, affine = some[number % len(some)]
        return cut, affine + np.column_stack((np.zeros((2, 2)), affine[:, :2] @ cut.origin))


def piece_mask(lit: Any, empty: Any, own: Any, slim: Any) -> Any:
    """Returns the mask (0 or 1) of a piece: what differs from the empty board, less what only lies in its
    shadow, made whole.

    `own` is the column in which the piece stands and `slim` one as slim as the piece: within it less
    difference will do, for a light piece on a light square differs from it no more than a shadow does.
    """
    change = cv2.GaussianBlur(lit, (0, 0), 0.6) - cv2.GaussianBlur(empty, (0, 0), 0.6)
    off = np.abs(change).max(axis=2)
    ratio = (lit + 4) / (empty + 4)
    even, mean = ratio.max(axis=2) - ratio.min(axis=2), ratio.mean(axis=2)
    shadowed = (mean > 0.42) & (mean < 1.05) & (even < 0.16)
    seeds = np.full(own.shape, cv2.GC_BGD, np.uint8)
    seeds[own > 0] = cv2.GC_PR_BGD
    seeds[(own > 0) & (off > 1.5 * DIFFERS) & ~shadowed] = cv2.GC_PR_FGD
    seeds[(slim > 0) & (off > DIFFERS / 2)] = cv2.GC_PR_FGD
    core = cv2.erode(slim, np.ones((3, 3), np.uint8), iterations=max(1, int(np.sqrt(slim.sum()) / 8)))
    seeds[(core > 0) & (off > DIFFERS)] = cv2.GC_FGD
    if not (seeds == cv2.GC_FGD).any():
        return own * 0
    shown = np.clip(128 + change, 0, 255).astype(np.uint8)
    cv2.setRNGSeed(1)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(shown, seeds, (0, 0, 1, 1), *models, 3, cv2.GC_INIT_WITH_MASK)
    mask = ((seeds == cv2.GC_PR_FGD) | (seeds == cv2.GC_FGD)).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel, iterations=3)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, iterations=max(1, int(np.sqrt(slim.sum()) / 25)))
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return mask * 0
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    edges, _ = cv2.findContours((parts == largest).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return cv2.drawContours(np.zeros_like(mask), edges, -1, 1, cv2.FILLED)


def _aligned(empty: Any, lit: Any, free: Any) -> Any:
    """Returns the empty board shifted by the few pixels by which it lies otherwise where nothing stands: mats
    are bent."""
    still, moved = (cv2.cvtColor(image.astype(np.float32), cv2.COLOR_BGR2GRAY) for image in (lit, empty))
    h, w = still.shape
    inner = (slice(BENT, h - BENT), slice(BENT, w - BENT))
    seen, weight = still[inner], free[inner]

    def off(shift: tuple[int, int]) -> float:
        x, y = shift
        part = moved[BENT + y : h - BENT + y, BENT + x : w - BENT + x]
        return float(np.minimum(np.abs(part - seen), 60)[weight].mean()) + 0.02 * (abs(x) + abs(y))

    if weight.sum() < 100:
        return empty
    shifts = [(x, y) for x in range(-BENT, BENT + 1) for y in range(-BENT, BENT + 1)]
    x, y = min(shifts, key=off)
    return cv2.warpAffine(
        empty, np.array([[1.0, 0, -x], [0, 1, -y]]), (w, h), borderMode=cv2.BORDER_REPLICATE
    )


def _shade(lit: Any, empty: Any, mask: Any, fading: Any) -> Any:
    """Returns what a piece's shadow leaves of the light around it; `fading` says how much of it counts, and
    that nothing is seen where it is 0."""
    wide = cv2.dilate(mask, np.ones((5, 5), np.uint8))
    weight = ((1 - wide) * (fading > 0)).astype(np.float32)
    if not weight.any():
        return np.ones_like(weight)
    ratio = np.log((lit + 8) / (empty + 8)).mean(axis=2)
    usual = float(np.percentile(ratio[weight > 0], 60))
    total = cv2.GaussianBlur(weight, (0, 0), 2.5)
    smooth = cv2.GaussianBlur((ratio - usual) * weight, (0, 0), 2.5) / np.maximum(total, 1e-3)
    dark = np.where(total > 0.02, np.clip(smooth + FAINT, -0.8, 0), 0)
    return np.exp(dark * fading).astype(np.float32)


def _blended(shown: Any, out: Any, known: Any, hidden: Any, colours: Any, ring: int) -> Any:
    """Returns a picture with what is hidden in it filled from another, where that is known, so that no seam
    is seen: the other's light is brought to that of a ring around what is hidden, each colour of squares by
    itself."""
    off = np.zeros_like(shown)
    is_alike = np.abs(shown - out).max(axis=2) < ALIKE
    for colour in np.unique(colours):
        both = (known & is_alike & (hidden == 0) & (colours == colour)).astype(np.float32)
        near, far = (
            cv2.GaussianBlur(np.dstack(((shown - out) * both[..., None], both)), (0, 0), sigma)
            for sigma in (ring / 2, 2 * ring)
        )
        total = near + 0.02 * far
        field = total[..., :3] / (total[..., 3:] + 1e-5)
        off += field * (colours == colour)[..., None]
    soft = cv2.GaussianBlur(cv2.dilate(hidden, np.ones((9, 9), np.uint8)).astype(np.float32), (0, 0), 2)
    soft = np.maximum(soft, hidden) * known
    return shown + (out + off - shown) * soft[..., None]


def _rectified_free(photo: Photo, board: Board) -> Any:
    covered = cv2.dilate(photo.covered(board), np.ones((5, 5), np.uint8))
    seen = photo.view.rectify(np.repeat((255 * (1 - covered))[..., None], 3, axis=2).astype(np.uint8), PX, 0)
    return seen[..., 0] > 250


def _log(image: Image) -> Any:
    return np.log(cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.float32) + 4)


def _raster() -> tuple[Any, Any]:
    steps = (np.arange(8 * PX) + 0.5) / PX - 0.5
    x, y = np.meshgrid(steps, steps[::-1])
    return x, y


def _terms(x: Any, y: Any) -> Any:
    """Returns the terms of a surface of the second order over the board."""
    u, v = np.clip((np.asarray(x) - 3.5) / 4, -1.3, 1.3), np.clip((np.asarray(y) - 3.5) / 4, -1.3, 1.3)
    return np.stack((np.ones_like(u), u, v, u * u, u * v, v * v), axis=-1)


def _surface(coefficients: Any, x: Any, y: Any) -> Any:
    return (_terms(x, y) @ coefficients).astype(np.float32)


def _lit(image: Any, view: View, gain: Any, origin: tuple[int, int] = (0, 0)) -> Any:
    """Returns a part of a picture, whose first pixel is `origin`, brought into the light that a gain says."""
    h, w = image.shape[:2]
    step = 8
    across, down = np.arange(0, w + step, step), np.arange(0, h + step, step)
    pixels = np.stack(np.meshgrid(across + origin[0], down + origin[1]), axis=-1).reshape(-1, 2)
    points = view.board(pixels.astype(float))
    field = np.exp(_surface(gain, *points.T)).reshape(len(down), len(across), 3)
    map_x, map_y = np.meshgrid(np.arange(w, dtype=np.float32) / step, np.arange(h, dtype=np.float32) / step)
    return image.astype(np.float32) * cv2.remap(field.astype(np.float32), map_x, map_y, cv2.INTER_LINEAR)


def _fall_of_light(image: Any, known: Any, view: View) -> Any:
    """Returns the coefficients (6, 3) of how the light falls over the board, by its squares that are seen."""
    rows, columns = (index[::7] for index in np.nonzero(known))
    points = view.board(np.column_stack((columns, rows)))
    is_light = (np.round(points).astype(int).sum(axis=1) % 2 == 1).astype(float)
    inner = (np.abs(points - np.round(points)) < 0.4).all(axis=1)
    values = np.log(np.asarray(image)[rows, columns].astype(float) + 4)
    terms = np.column_stack((_terms(*points.T), is_light))[inner]
    solved, *_ = np.linalg.lstsq(terms, values[inner], rcond=None)
    return solved[:6]


def table(folder: Path, source: PhotoSource) -> Table:
    """Returns the table of a set: its background is the photograph with fewest pieces, wholly in view."""
    board = load_board("chess")
    found = photos(folder, source, board)

    def is_whole(photo: Photo) -> bool:
        pixels = photo.view.pixels(board.corners)
        return bool((pixels > 4).all() and (pixels < np.array(photo.size) - 4).all())

    whole = [photo for photo in found if is_whole(photo)]
    return Table(source.name, found, min(whole, key=lambda photo: (len(photo.pieces), photo.name)), board)
