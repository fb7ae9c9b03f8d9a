"""Checks a view: the drawing's lines must be in the picture, and none where it would go on beyond its edge.

In goes a fitted `Pose`; out come a `ScoredPose`, its lead over its neighbours, and words of doubt. The worst
mistake is a view shifted by one cell: seven eighths of the lines still fit. So each view is judged against
its neighbours, the same view shifted along the drawing, by the lines that only one of the two explains.
`python -m benchmarks locate` measures how right the views are that pass the limits below.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise

import numpy as np

from companion.language import say
from vision.arrays import Floats, Mask
from vision.finding.drawing import Drawing
from vision.finding.fit import Pose, Profiles, fit, profiles
from vision.finding.picture import WorkingPicture
from vision.geometry.view import View

SHIFT_ROUNDS = (0.13, 0.10, 0.08, 0.07)
"""Steps that an edge may be off in each round of the fit after a shift."""
SHIFTS = 6
"""Shifts that are tried one after the other."""
SURE_FOUND = 0.55
"""The least agreement of a board that is called found, 0…1; for a board of USUAL_EDGES."""
SURE_AMID = 0.45
"""The same where markers tell all but the drawing's scale and place."""
USUAL_EDGES = 144
"""The edges of a board of eight by eight."""
FEWER = 3.0
"""The growth of SURE with one over the root of the edges: few edges fit by chance more easily."""
LEAD = 0.025
"""The lead in evidence that a view must have over each neighbour; a share of the drawn lines."""
FEWEST_SAMPLES = 20
"""Samples from which a share of them tells something."""
SPILL = 0.75
"""The share of lines beyond a side, beside the drawing's own, from which it is a part of a larger drawing."""
FINER = 0.25
"""The share of lines halfway between the drawing's from which it is a board of smaller cells."""
FAINTEST_OWN = 0.05
"""The least share of the drawing's own lines, beyond chance, with which others are compared."""
WARPED = 0.075
"""The greatest deviation of a board's steps from square, in space (`warp`)."""
SLACK = 0.02
"""The greatest distance of a site outside the picture, as a share of its longer side."""


@dataclass(frozen=True, eq=False)
class ScoredPose:
    """A fitted pose and the profiles that speak for it or against it.

    `drawn` are those across the drawing's lines, `ghosts` across lines beyond its edge, `between` halfway
    between its lines; `sides` (k, ghosts) tells which ghosts lie at the same side.
    """

    pose: Pose
    drawn: Profiles
    ghosts: Profiles
    between: Profiles
    sides: Mask

    @cached_property
    def agreement(self) -> float:
        """The share of the drawing's lines that are there, beyond chance, 0…1."""
        return self.drawn.agreement

    @cached_property
    def evidence(self) -> float:
        """The drawn lines that are there less the ghosts that are there too, as a share of all drawn lines.

        The lines of a board are made alike: one that is much fainter or stronger than most counts less.
        """
        usual = self.drawn.usual
        return (_net(self.drawn, usual) - _net(self.ghosts, usual)) / len(self.drawn.seen)

    @cached_property
    def spill(self) -> float:
        """The share of lines beyond one side of the drawing that are there, compared with its own; of the
        side that has most."""
        return max((self._share(self.ghosts, side) for side in self.sides), default=0.0)

    @cached_property
    def finer(self) -> float:
        """The share of lines halfway between the drawing's that are there, compared with its own."""
        return self._share(self.between, np.ones(len(self.between.seen), dtype=bool))

    def _share(self, others: Profiles, chosen: Mask) -> float:
        """Returns the hits of some other samples compared with the drawing's own, both beyond chance."""
        usual, chance = self.drawn.usual, self.drawn.chance
        own = float(self.drawn.hits(usual)[self.drawn.seen].mean()) if self.drawn.seen.any() else 0.0
        rate = others.hits(usual)[chosen].sum() / max(int(others.seen[chosen].sum()), FEWEST_SAMPLES)
        return float((rate - chance) / max(own - chance, FAINTEST_OWN))


def _net(found: Profiles, usual: float) -> float:
    """Returns hits less misses; samples outside the picture are neither."""
    ratio = np.maximum(found.centre, 1e-6) / usual
    return float((np.minimum(ratio, 1 / ratio)[found.hits(usual)]).sum() - found.seen.sum() / 2)


def doubt(drawing: Drawing, best: ScoredPose, lead: float, amid: bool = False) -> str:
    """Returns what speaks against a view, in words; "" when nothing does.

    `lead` is by how much more evidence it has than its neighbours; `amid` says that three or four markers lie
    evenly around it.
    """
    sure = SURE_AMID if amid else SURE_FOUND
    fewer = FEWER * max(len(drawing.edges) ** -0.5 - USUAL_EDGES**-0.5, 0.0)
    if best.agreement < sure + fewer:
        return say("its lines are not seen clearly enough")
    if best.spill > SPILL:
        return say("its lines go on beyond its edge, as on a larger board")
    if best.finer > FINER:
        return say("there are lines between its own, as on a board of smaller cells")
    return say("its lines also fit one row further") if lead < LEAD else ""


def score_pose(picture: WorkingPicture, drawing: Drawing, pose: Pose) -> ScoredPose:
    """Returns a pose with the profiles that speak for it or against it."""
    view = pose.view(picture, drawing)
    parts = drawing.samples, drawing.ghosts, drawing.between
    found = profiles(picture, view, np.vstack(parts))
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    drawn, ghosts, between = (_part(found, slice(a, b)) for a, b in pairwise(starts))
    return ScoredPose(pose, drawn, ghosts, between, drawing.sides)


def _part(found: Profiles, rows: slice) -> Profiles:
    return Profiles(*(getattr(found, field.name)[rows] for field in fields(Profiles)))


def resolve_shift(picture: WorkingPicture, drawing: Drawing, pose: Pose) -> tuple[ScoredPose, float]:
    """Returns the best of a view and its shifted neighbours, fitted, and its lead over the next best."""
    best = score_pose(picture, drawing, pose)
    for _ in range(SHIFTS):
        near = [score_pose(picture, drawing, moved) for moved in _neighbours(picture, drawing, best.pose)]
        rival = max(near, key=lambda v: v.evidence, default=None)
        if rival is None or rival.evidence <= best.evidence:
            return best, 1.0 if rival is None else best.evidence - rival.evidence
        best = score_pose(picture, drawing, fit(picture, drawing, rival.pose, SHIFT_ROUNDS))
    return best, 0.0


def _neighbours(picture: WorkingPicture, drawing: Drawing, pose: Pose) -> list[Pose]:
    """Returns the pose shifted along the drawing, wherever the picture holds all sites."""
    moved = [Pose(pose.matrix @ step, pose.bend) for step in drawing.steps]
    return [m for m in moved if holds(picture, drawing, m)]


def holds(picture: WorkingPicture, drawing: Drawing, pose: Pose) -> bool:
    """Returns whether all sites lie in the picture, or hardly outside."""
    sites: Floats = pose.view(picture, drawing).pixels(drawing.sites)
    slack = SLACK * max(picture.size)
    inside: Mask = (sites > -slack) & (sites < np.array(picture.size) + slack)
    return bool(inside.all())


def warp(view: View) -> float:
    """Returns how far a step east and a step north are, in space, from being equally long and at right
    angles.

    It is about 0 for a real board, whatever the camera: the larger of the log of the lengths' ratio and the
    cosine of the angle.
    """
    east, north = np.linalg.solve(view.camera.matrix, view.matrix)[:, :2].T
    long, broad = float(np.linalg.norm(east)), float(np.linalg.norm(north))
    return max(abs(float(np.log(long / broad))), abs(float(east @ north)) / (long * broad))
