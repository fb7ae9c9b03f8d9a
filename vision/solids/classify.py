"""Which look explains what is seen at each place.

Pieces hide each other: the pieces are accepted from the surest on, drawn as silhouettes, nearest to the
camera last, and what another piece hides says nothing for or against a place's own looks. This is done
again until nothing changes; only places of which more or less is seen than before are scored anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.geometry.samples import SampleMap
from vision.solids.behind import Background
from vision.solids.evidence import EVERY, SHIFTS, STRANGER, Appearance, Lineup
from vision.solids.parts import Site, exclusions, find_seams, settle
from vision.solids.sample import BLOCK, SLACK, Sampler
from vision.solids.scene import BUSY, Scene
from vision.solids.silhouette import Silhouettes

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Image = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Told = Callable[[Floats, Indices, Image | None], Floats]

FOUND = 2.0
NOTHING = -20.0
"""The score of every look where nothing is odd; nats."""
ROUNDS = 4
ASTRAY = -6.0
"""The most that is said for looks at a place where only a neighbour's piece is seen; nats."""
SAME = 0.25
"""The share of two silhouettes in common from which they may be one piece's."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """For each kind of place its busy places, and the evidence there (paints, places, samples)."""

    places: Sequence[Indices]
    layers: Sequence[Singles]


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

    def __init__(
        self,
        sampler: Sampler,
        appearances: Sequence[Appearance],
        told: Told | None = None,
    ) -> None:
        """`told`: what more is told of looks by how pieces look from near."""
        self.sampler = sampler
        self._told = told
        self.appearances = tuple(appearances)
        layout = sampler.layout
        self.distance = np.linalg.norm(layout.points - np.array(sampler.view.eye[:2]), axis=1)
        self.bucket = sampler.buckets[1]
        kinds = np.array(layout.kinds)
        self.lineups = [
            Lineup(self.appearances, [k for k, a in enumerate(self.appearances) if a.kind == kind])
            for kind in sorted({a.kind for a in self.appearances})
        ]
        self._of_kind = [kinds == self.appearances[lineup.index[0]].kind for lineup in self.lineups]
        blocks = sampler.blocks
        flat = blocks.reshape(-1, 3)
        self.pixels = sampler.view.pixels(flat[:, :2], flat[:, 2]).reshape(*blocks.shape[:-1], 2)
        halves = self.pixels[sampler.unique].reshape(-1, 2) / 2
        self._maps = SampleMap(halves)
        self.silhouettes = Silhouettes(sampler, self.appearances, self.pixels)
        self._background = Background(sampler, self.silhouettes, self.appearances, halves)
        self._sites = self._group()

    def explain(self, scene: Scene) -> Explanation:
        maps = self.maps(scene, scene.busy)
        seen = self.in_picture.copy()
        totals, shifts = self.score(maps, seen)
        for _ in range(ROUNDS):
            before, seen = seen, self.free(self.accept(totals, shifts))
            changed = (seen != before).reshape(len(seen), -1).any(axis=1)
            if not changed.any():
                break
            self._score(maps, seen, changed, totals, shifts)
        taken = self.accept(totals, shifts, everything=True)
        astray = [i for i in taken if self._astray(i, taken, totals, shifts)]
        self._share(scene, maps, seen, taken, totals, shifts)
        totals[astray] = np.minimum(totals[astray], ASTRAY)
        totals = self.settled(totals, scene.image)
        if self._told is not None:
            totals = self._told(totals, shifts, scene.image)
        return self._explanation(totals, shifts, seen)

    def _explanation(self, totals: Floats, shifts: Indices, seen: Bools) -> Explanation:
        taken = self.accept(totals, shifts, everything=True)
        n = len(seen)
        scores: list[dict[str, float]] = [{} for _ in range(n)]
        strange = [NOTHING] * n
        for lineup, mine in zip(self.lineups, self._of_kind, strict=True):
            looks = [self.appearances[k].look for k in lineup.index]
            for i in np.flatnonzero(mine):
                scores[i] = dict(zip(looks, totals[i, lineup.index].tolist(), strict=True))
                strange[i] = scores[i].pop(STRANGER, NOTHING)
        return Explanation(
            scores,
            strange,
            seen.reshape(n, -1).mean(axis=1).tolist(),
            {i: self.appearances[a].look for i, (a, _) in taken.items()},
            [self.silhouettes.at(i, *held).outline for i, held in taken.items()],
        )

    def settled(self, totals: Floats, image: Image | None) -> Floats:
        """The scores, those of parts of a site made to agree; by the frame's seams where there is one."""
        if not self._sites:
            return totals
        out = totals.copy()
        for site in self._sites:
            rows = list(site.places)
            out[rows] = settle(site, totals[rows], lambda place, corners: self._seams(image, place, corners))
        return out

    def _seams(self, image: Image | None, place: int, corners: Sequence[str]) -> Floats:
        if image is None:
            return np.zeros(len(corners))
        layout = self.sampler.layout
        x, y = layout.points[place]
        top = layout.levels[-1] / 2
        return find_seams(image, self.sampler.view, (float(x), float(y)), layout.unit, top, corners)

    def _group(self) -> list[Site]:
        """The sites on whose parts pieces may stand."""
        covers = {a.kind: a.share.mean(axis=0).sum(axis=0) for a in self.appearances if a.kind}
        layout, blocks = self.sampler.layout, self.sampler.block_of
        groups: dict[int, list[int]] = {}
        for place, kind in enumerate(layout.kinds):
            if kind in covers:
                groups.setdefault(int(blocks[place]), []).append(place)
        sites = []
        for places in groups.values():
            kinds = tuple(layout.kinds[p] for p in places)
            sites.append(Site(tuple(places), kinds, exclusions([covers[k] for k in kinds])))
        return sites

    def _astray(
        self, place: int, taken: Mapping[int, tuple[int, int]], totals: Floats, shifts: Indices
    ) -> bool:
        """Whether a piece that seems to stand as far off its place as can be belongs to a neighbouring one,
        where it fits better and stands beside another piece."""
        look = int(totals[place].argmax())
        shift = int(shifts[place, look])
        if max(abs(d - SLACK) for d in SHIFTS[shift]) < SLACK:
            return False
        rivals = [
            j for j in self.rivals[place]
            if j in taken and taken[j][0] != look and totals[j, look] > totals[place, look]
        ]
        here, at = self.silhouettes.at(place, look, shift), self.silhouettes.at
        return any(self.silhouettes.shared(here, at(j, look, int(shifts[j, look]))) > SAME for j in rivals)

    def maps(self, scene: Scene, busy: Indices) -> Evidence:
        """For each kind of place the busy ones, and the evidence there."""
        places, layers = [], []
        blocks = len(scene.samples)
        colours, ground = scene.samples.reshape(blocks, -1, 3), scene.ground.reshape(blocks, -1)
        for lineup, mine in zip(self.lineups, self._of_kind, strict=True):
            index = busy[mine[busy] & (scene.oddness[busy] > lineup.least)]
            places.append(index)
            which = np.ix_(self.sampler.block_of[index], EVERY)
            layers.append(lineup.evidence(colours[which], ground[which]))
        return Evidence(places, layers)

    def score(self, maps: Evidence, seen: Singles | Bools) -> tuple[Floats, Indices]:
        """Scores and best shifts (places, appearances); `seen` are weights of samples, 0…1."""
        totals = np.full((len(seen), len(self.appearances)), NOTHING)
        shifts = np.full(totals.shape, len(SHIFTS) // 2, np.intp)
        self._score(maps, seen, np.ones(len(seen), bool), totals, shifts)
        return totals, shifts

    def _score(
        self, maps: Evidence, seen: Singles | Bools, which: Bools, totals: Floats, shifts: Indices
    ) -> None:
        """Scores some places anew."""
        for lineup, places, layers in zip(self.lineups, maps.places, maps.layers, strict=True):
            rows = np.flatnonzero(which[places])
            if len(rows):
                index = places[rows]
                weighed = layers[:, rows] * seen.reshape(len(seen), -1)[np.ix_(index, EVERY)]
                where = np.ix_(index, lineup.index)
                totals[where], shifts[where] = lineup.score(weighed, self.bucket[index])

    def _share(
        self,
        scene: Scene,
        maps: Evidence,
        seen: Bools,
        taken: Mapping[int, tuple[int, int]],
        totals: Floats,
        shifts: Indices,
    ) -> None:
        """Scores anew pieces that stand before others."""
        for n, places in enumerate(maps.places):
            for row, i in enumerate(places.tolist()):
                near = self.rivals[i] if i in taken else ()
                behind = [(j, *taken[j]) for j in near if j in taken and self.distance[j] > self.distance[i]]
                if behind:
                    layer = maps.layers[n][:, [row]] - self._background.shown(scene, i, behind)
                    weighed = layer * seen[i].reshape(-1)[EVERY]
                    where = np.ix_([i], self.lineups[n].index)
                    totals[where], shifts[where] = self.lineups[n].score(weighed, self.bucket[[i]])

    def found(self, scene: Scene, wanted: Indices) -> Indices:
        """The best shifts (places, looks) where it is known which look each place has, -1 for none."""
        maps, taken = self.known(scene, wanted)
        return self.score(maps, self.visible(taken))[1]

    def known(self, scene: Scene, wanted: Indices) -> tuple[Evidence, dict[int, tuple[int, int]]]:
        """The evidence of a scene, and what is taken, where it is known which look each place has."""
        maps = self.maps(scene, np.flatnonzero(scene.odd.reshape(len(wanted), -1).sum(axis=1) > BUSY))
        taken = {int(i): (int(wanted[i]), len(SHIFTS) // 2) for i in np.flatnonzero(wanted >= 0)}
        for _ in range(2):
            _, shifts = self.score(maps, self.visible(taken))
            taken = {i: (k, int(shifts[i, k])) for i, (k, _) in taken.items()}
        return maps, taken

    def accept(self, totals: Floats, shifts: Indices, everything: bool = False) -> dict[int, tuple[int, int]]:
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
    def in_picture(self) -> Bools:
        """Samples (places, levels, BLOCK, BLOCK) within the picture."""
        last = np.array(self.sampler.view.size) - 1
        return np.asarray(((self.pixels >= 0) & (self.pixels <= last)).all(axis=-1))

    @cached_property
    def rivals(self) -> list[list[int]]:
        """For each place those whose pieces may overlap its own in the picture."""
        base, head = self.pixels[:, 0, BLOCK // 2, BLOCK // 2], self.pixels[:, -1, BLOCK // 2, BLOCK // 2]
        layout = self.sampler.layout
        blocks = self.sampler.block_of
        step = np.array([self.sampler.view.step_pixels(tuple(p)) for p in layout.points]) * layout.unit
        out = []
        for i in range(len(base)):
            near = np.minimum.reduce([
                _between(base[i], head[i], base), _between(base[i], head[i], head),
                _between_many(base, head, base[i]), _between_many(base, head, head[i]),
            ])
            out.append([int(j) for j in np.flatnonzero((near < 0.55 * step[i]) & (blocks != blocks[i]))])
        return out

    def visible(self, taken: Mapping[int, tuple[int, int]]) -> Singles:
        """Weights (places, levels, BLOCK, BLOCK): 0 where another place's piece is seen."""
        return self.free(taken).astype(np.float32)

    def free(self, taken: Mapping[int, tuple[int, int]]) -> Bools:
        """Which samples (places, levels, BLOCK, BLOCK) in the picture no other place's piece hides. Parts of
        one site do not hide each other: they are weighed against each other."""
        block_of = self.sampler.block_of
        far_first = sorted(taken, key=lambda i: -self.distance[i])
        pieces = [(self.silhouettes.at(i, *taken[i]), int(block_of[i]) + 1) for i in far_first]
        labels = self._maps.read_labels(self.silhouettes.painted(pieces))
        labels = labels.reshape(-1, *self.pixels.shape[1:-1])
        own = np.arange(1, len(labels) + 1, dtype=np.uint16)[:, None, None, None]
        return np.asarray(((labels == 0) | (labels == own))[block_of] & self.in_picture)


def _between(a: Floats, b: Floats, points: Floats) -> Floats:
    line = b - a
    t = np.clip((points - a) @ line / max(float(line @ line), 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(points - (a + t[:, None] * line), axis=1))


def _between_many(a: Floats, b: Floats, point: Floats) -> Floats:
    line = b - a
    t = np.clip(((point - a) * line).sum(axis=1) / np.maximum((line * line).sum(axis=1), 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(point - (a + t[:, None] * line), axis=1))

