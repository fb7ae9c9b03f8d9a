"""The layout of the places that a camera reads: where they lie on the board, and how high pieces stand.

It is made of a board's data, before any picture; crops, solids and the light are measured by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.core.board import Board
from companion.core.game import EMPTY, Look
from vision.arrays import Floats, Mask

TALLER = 1.2
"""The factor by which a piece may be taller than the board file says."""
FIELD_SPACING = 0.25
"""Steps between the points of the whole board's grid, by which light is compared."""


@dataclass(frozen=True, eq=False)
class PlaceLayout:
    """The places of a board that are read."""

    board: Board
    places: tuple[str, ...]

    @classmethod
    def of(cls, board: Board, parts: bool) -> PlaceLayout:
        """Returns all sites, and where pieces stand on parts of them, these too."""
        return cls(board, (*board.sites, *board.places) if parts else tuple(board.sites))

    @cached_property
    def points(self) -> Floats:
        """(places, 2): where the sites of the places are; steps."""
        sites = [self.board.sites[self.board.site_of(place)] for place in self.places]
        return np.array(sites, dtype=float).reshape(-1, 2)

    @cached_property
    def where(self) -> Floats:
        """(places, 2): where the places themselves are; steps."""
        return np.array([self.board.where(p) for p in self.places], dtype=float).reshape(-1, 2)

    @cached_property
    def unit(self) -> float:
        """The distance of neighbouring sites; steps."""
        sites = np.array(list(self.board.sites.values()), dtype=float)
        apart = np.linalg.norm(sites[:, None] - sites[None], axis=2) + 1e9 * np.eye(len(sites))
        return float(np.median(apart.min(axis=1)))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """'' for sites; for parts of sites the suffix that names the part: pieces there have a direction."""
        return tuple(place.removeprefix(self.board.site_of(place)) for place in self.places)

    def height(self, looks: Sequence[Look], taller: float = TALLER) -> float:
        """Returns how high pieces with these looks may be, so many times as the board file says; steps."""
        pieces = [look for look in looks if look != EMPTY and not look.startswith("+")]
        heights = [self.board.pieces.face(look).height for look in pieces]
        return taller * max(heights, default=0.5) + (0.1 if any("+" in look for look in looks) else 0.0)

    def may_hold(self, look: Look) -> Mask:
        """Returns (places): where a look can stand: a Port in the corner of a square, all else on a site."""
        is_port = bool(look.partition("+")[0]) and self.board.pieces.face(look).form == "port"
        return np.array([bool(kind) == is_port for kind in self.kinds])

    @cached_property
    def field(self) -> Floats:
        """(points, 2): a grid over the whole board; steps."""
        outline = np.array(self.board.outline)
        (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
        x, y = np.arange(x0, x1, FIELD_SPACING), np.arange(y0, y1, FIELD_SPACING)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        inside = cv2.convexHull(outline.astype(np.float32))
        keep = [cv2.pointPolygonTest(inside, (float(a), float(b)), measureDist=False) >= 0 for a, b in grid]
        return np.asarray(grid[keep])
