"""Whether a view is right: the drawing's lines are there, and none where it would go on beyond its edge.

The worst mistake is a view shifted by one cell: seven eighths of the lines still fit. So each view is
judged against its neighbours, the same view shifted along the drawing, by the lines that only one of
the two explains.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.finding.drawing import Drawing
from vision.finding.fit import Flags, Pose, Profiles, fit, profiles
from vision.finding.picture import Picture
from vision.geometry.view import Floats, View

SETTLE = (0.13, 0.10, 0.08, 0.07)  # rounds of the fit after a shift
SURE = 0.55  # agreement below which no board is called found
USUAL_EDGES = 144  # of a board of eight by eight, for which the limits are told
FEWER = 3.0  # by how much SURE grows with one over the root of the edges: few fit by chance more easily
LEAD = 0.025  # by how much more evidence a view must have than each neighbour
FEW = 20  # samples: the share of fewer is not told
SPILL = 0.75  # of the drawing's lines: more beyond a side make it a part of a larger one
SURE_AMID = 0.45  # as SURE, where markers tell all but the drawing's scale and place
FINER = 0.25  # of the drawing's lines: more halfway between them make it a board of smaller cells
WARPED = 0.075  # how far from square a board's steps may be in space


@dataclass(frozen=True, eq=False)
class Verdict:
    """A fitted pose and what speaks for it."""

    pose: Pose
    drawn: Profiles
    ghosts: Profiles
    between: Profiles
    sides: Flags

    @cached_property
    def agreement(self) -> float:
        """How well the drawing fits, 0 to 1."""
        return self.drawn.agreement

    @cached_property
    def evidence(self) -> float:
        """Drawn lines that are there less ghosts that are there too, as a share of all drawn lines.

        The lines of a board are made alike: one that is much fainter or stronger than most counts less.
        """
        usual = self.drawn.usual
        return (_net(self.drawn, usual) - _net(self.ghosts, usual)) / len(self.drawn.seen)

    @cached_property
    def spill(self) -> float:
        """How many of the lines beyond one side of the drawing are there too, compared with its own; of
        the side that has most."""
        return max((self._share(self.ghosts, side) for side in self.sides), default=0.0)

    @cached_property
    def finer(self) -> float:
        """How many lines there are halfway between the drawing's, compared with its own."""
        return self._share(self.between, np.ones(len(self.between.seen), dtype=bool))

    def _share(self, others: Profiles, chosen: Flags) -> float:
        """The hits of some other samples compared with the drawing's own, both beyond chance."""
        usual, chance = self.drawn.usual, self.drawn.chance
        own = float(self.drawn.hits(usual)[self.drawn.seen].mean()) if self.drawn.seen.any() else 0.0
        rate = others.hits(usual)[chosen].sum() / max(int(others.seen[chosen].sum()), FEW)
        return float((rate - chance) / max(own - chance, 0.05))


def _net(found: Profiles, usual: float) -> float:
    """Hits less misses, what lies outside the picture as neither."""
    ratio = np.maximum(found.centre, 1e-6) / usual
    return float((np.minimum(ratio, 1 / ratio)[found.hits(usual)]).sum() - found.seen.sum() / 2)


def doubt(drawing: Drawing, best: Verdict, lead: float, amid: bool = False) -> str:
    """What speaks against a view, in words; "" when nothing does. `amid` says that three or four markers
    lie evenly around it."""
    sure = SURE_AMID if amid else SURE
    fewer = FEWER * max(len(drawing.edges) ** -0.5 - USUAL_EDGES ** -0.5, 0.0)
    if best.agreement < sure + fewer:
        return "its lines are not seen clearly enough"
    if best.spill > SPILL:
        return "its lines go on beyond its edge, as on a larger board"
    if best.finer > FINER:
        return "there are lines between its own, as on a board of smaller cells"
    return "its lines also fit one row further" if lead < LEAD else ""


def verdict(picture: Picture, drawing: Drawing, pose: Pose) -> Verdict:
    view = pose.view(picture, drawing)
    parts = drawing.samples, drawing.ghosts, drawing.between
    found = profiles(picture, view, np.vstack(parts))
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    drawn, ghosts, between = (_part(found, slice(a, b)) for a, b in pairwise(starts))
    return Verdict(pose, drawn, ghosts, between, drawing.sides)


def _part(found: Profiles, rows: slice) -> Profiles:
    return Profiles(*(getattr(found, field.name)[rows] for field in fields(Profiles)))


def settle(picture: Picture, drawing: Drawing, pose: Pose) -> tuple[Verdict, float]:
    """The best of a view and its shifted neighbours, fitted; and its lead over the next best."""
    best = verdict(picture, drawing, pose)
    for _ in range(6):
        near = [verdict(picture, drawing, moved) for moved in _neighbours(picture, drawing, best.pose)]
        rival = max(near, key=lambda v: v.evidence, default=None)
        if rival is None or rival.evidence <= best.evidence:
            return best, 1.0 if rival is None else best.evidence - rival.evidence
        best = verdict(picture, drawing, fit(picture, drawing, rival.pose, SETTLE))
    return best, 0.0


def _neighbours(picture: Picture, drawing: Drawing, pose: Pose) -> list[Pose]:
    """The pose shifted along the drawing, as far as the picture holds all its sites."""
    moved = [Pose(pose.matrix @ step, pose.bend) for step in drawing.steps]
    return [m for m in moved if holds(picture, drawing, m)]


def holds(picture: Picture, drawing: Drawing, pose: Pose) -> bool:
    """Whether all sites lie in the picture, or hardly outside."""
    sites: Floats = pose.view(picture, drawing).pixels(drawing.sites)
    slack = 0.02 * max(picture.size)
    inside: npt.NDArray[np.bool_] = (sites > -slack) & (sites < np.array(picture.size) + slack)
    return bool(inside.all())


def warp(view: View) -> float:
    """How far a step east and a step north are, in space, from being equally long and at right angles:
    about 0 for a real board, whatever the camera."""
    east, north = np.linalg.solve(view.camera.matrix, view.matrix)[:, :2].T
    long, broad = float(np.linalg.norm(east)), float(np.linalg.norm(north))
    return max(abs(float(np.log(long / broad))), abs(float(east @ north)) / (long * broad))
