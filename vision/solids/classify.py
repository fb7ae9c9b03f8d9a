"""Explains a frame: finds which look fits best what is seen at each place.

Pieces hide each other. So pieces are accepted, the surest first, and drawn as silhouettes, the nearest to the
camera last; samples that another piece hides say nothing for or against a place's own looks. This is done
again until nothing changes; only places of which more or less is seen than before are scored anew.

In: the samples of a frame (`sampled_frame`) and the appearances of all looks in one view. Out:
log-likelihoods of the looks of each place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from vision.arrays import Floats, Image, Indices, Mask, Singles
from vision.geometry.samples import SampleMap
from vision.solids.evidence import EVERY, SHIFTS, STRANGER, Lineup, LookOfPlace
from vision.solids.hidden_parts import PiecesBehind
from vision.solids.parts import Site, exclusions, find_seams, seen_slant, weigh_site
from vision.solids.sample import BLOCK, SLACK, Sampler
from vision.solids.sampled_frame import BUSY, SampledFrame
from vision.solids.silhouette import SolidSilhouettes

Pieces = dict[int, tuple[int, int]]
"""For places (their numbers) the piece that stands there: the number of its appearance, and its shift."""

FOUND = 2.0
"""The score from which a place is held to carry a piece; nats."""
NOTHING_ODD = -20.0
"""The score of every look where nothing is odd; nats."""
ROUNDS = 4
"""The most times that places are scored anew for what pieces hide of each other."""
KNOWN_ROUNDS = 2
"""The same where it is known which look each place has: only the shifts are found."""
REACH, WALL_REACH = 0.275, 0.55
"""Half the distance in the picture from which pieces of two places may overlap: of those that stand in the
middle of a site, and of those along its edges; distances of neighbouring sites."""
NEIGHBOURS = 2
"""How far around a place pieces count: a piece hides another, which hides a third."""
ASTRAY = -6.0
"""The most that is said for looks at a place where only a neighbour's piece is seen; nats."""
SAME_PIECE = 0.25
"""The share of two silhouettes in common from which they may be one piece's."""


@dataclass(frozen=True, eq=False)
class SampleEvidence:
    """The busy places of each kind of place, and the evidence there (paints, places, samples)."""

    places: Sequence[Indices]
    layers: Sequence[Singles]


@dataclass(eq=False)
class SolidsExplanation:
    """The solids' answer for every place of a frame, in the order of the layout's places."""

    scores: Sequence[Mapping[str, float]]
    """Log-likelihoods of each place's looks against the empty board's; nats."""
    novelty: Sequence[float]
    """The same of a look that is not known."""
    visible: Sequence[float]
    """The share of each place that no other piece hides; 0…1."""
    slants: Mapping[int, float]
    """For the parts of a closed square how much likelier its pieces stand in `nw` and `se` than in the other
    two corners, by the seams between them; nats."""


class Explainer:
    """Explains frames seen through one sampler with a set of appearances."""

    def __init__(self, sampler: Sampler, appearances: Sequence[LookOfPlace]) -> None:
        self.sampler = sampler
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
        self.silhouettes = SolidSilhouettes(sampler, self.appearances, self.pixels)
        self._pieces_behind = PiecesBehind(sampler, self.silhouettes, self.appearances, halves)
        self._sites = self._group()
        self._excluded = {
            place: [site.places[k] for k in np.flatnonzero(site.excluded[n])]
            for site in self._sites
            for n, place in enumerate(site.places)
        }

    def around(self, places: Indices) -> Indices:
        """Returns the places on which it depends what is said of some: those whose pieces may hide theirs,
        or be hidden by them, and the neighbours of these."""
        blocks, near = self.sampler.block_of, {*places.tolist()}
        for _ in range(NEIGHBOURS):
            near |= {rival for place in near for rival in self.rivals[place]}
        return np.flatnonzero(np.isin(blocks, blocks[sorted(near)]))

    def explain(self, frame: SampledFrame) -> SolidsExplanation:
        """Returns which looks explain a frame."""
        maps = self.maps(frame, frame.busy)
        seen = self.in_picture.copy()
        totals, shifts = self.score(maps, seen)
        accepted: Pieces = {}
        for _ in range(ROUNDS):
            accepted = self.accept(totals, shifts, accepted)
            before, seen = seen, self.free(accepted)
            changed = (seen != before).reshape(len(seen), -1).any(axis=1)
            if not changed.any():
                break
            self._score(maps, seen, changed, totals, shifts)
        taken = self.taken(totals, shifts)
        astray = [i for i in taken if self._is_astray(i, taken, accepted, maps, totals, shifts)]
        self._rescore_before_others(frame, maps, seen, taken, totals, shifts)
        totals[astray] = np.minimum(totals[astray], ASTRAY)
        return self._explanation(totals, seen, self._slants(totals, frame.image))

    def _explanation(self, totals: Floats, seen: Mask, slants: Mapping[int, float]) -> SolidsExplanation:
        places = len(seen)
        scores: list[dict[str, float]] = [{} for _ in range(places)]
        novelty = [NOTHING_ODD] * places
        for lineup, mine in zip(self.lineups, self._of_kind, strict=True):
            looks = [self.appearances[k].look for k in lineup.index]
            for place in np.flatnonzero(mine):
                scores[place] = dict(zip(looks, totals[place, lineup.index].tolist(), strict=True))
                novelty[place] = scores[place].pop(STRANGER, NOTHING_ODD)
        return SolidsExplanation(
            scores,
            novelty,
            visible=seen.reshape(places, -1).mean(axis=1).tolist(),
            slants=slants,
        )

    def _slants(self, totals: Floats, image: Image | None) -> dict[int, float]:
        """Returns what the seams of each closed square say, by the number of each of its places."""
        return {
            place: slant
            for site in self._sites
            if (slant := seen_slant(site, totals[list(site.places)], partial(self._seams, image)))
            for place in site.places
        }

    def settled(self, totals: Floats, image: Image | None) -> Floats:
        """Returns the scores, those of parts of a site made to agree; by the frame's seams where there is
        one."""
        if not self._sites:
            return totals
        out = totals.copy()
        for site in self._sites:
            rows = list(site.places)
            out[rows] = weigh_site(site, totals[rows], partial(self._seams, image))
        return out

    def _seams(self, image: Image | None, place: int, corners: Sequence[str]) -> Floats:
        """Returns by how many grey levels the way through each corner differs from the walls; 0 without a
        frame."""
        if image is None:
            return np.zeros(len(corners))
        layout = self.sampler.layout
        x, y = layout.points[place]
        top = layout.levels[-1] / 2
        return find_seams(image, self.sampler.view, (float(x), float(y)), layout.unit, top, corners)

    def _group(self) -> list[Site]:
        """Returns the sites on whose parts pieces may stand."""
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

    def _is_astray(
        self,
        place: int,
        taken: Pieces,
        accepted: Pieces,
        maps: SampleEvidence,
        totals: Floats,
        shifts: Indices,
    ) -> bool:
        """Returns whether the piece of a place belongs to a neighbouring place instead.

        Such a piece seems to stand as far off its place as can be. At the neighbouring one, where it fits
        better, another piece was taken for it. How it fits there is asked as if nothing stood on this place:
        the piece, if it was accepted, hides some of the neighbouring one.
        """
        look = int(totals[place].argmax())
        shift = int(shifts[place, look])
        if max(abs(offset - SLACK) for offset in SHIFTS[shift]) < SLACK:
            return False
        rivals = [rival for rival in self.rivals[place] if rival in taken and taken[rival][0] != look]
        if not rivals:
            return False
        others = {i: piece for i, piece in accepted.items() if i != place}
        are_rivals = np.isin(np.arange(len(totals)), rivals)
        totals_there, shifts_there = totals.copy(), shifts.copy()
        self._score(maps, self.free(others), are_rivals, totals_there, shifts_there)
        here = self.silhouettes.at(place, look, shift)
        for rival in rivals:
            there = self.silhouettes.at(rival, look, int(shifts_there[rival, look]))
            fits_better = totals_there[rival, look] > totals[place, look]
            if fits_better and self.silhouettes.shared(here, there) > SAME_PIECE:
                return True
        return False

    def maps(self, frame: SampledFrame, busy: Indices) -> SampleEvidence:
        """Returns the busy places of each kind, and the evidence there."""
        places, layers = [], []
        blocks = len(frame.samples)
        colours, ground = frame.samples.reshape(blocks, -1, 3), frame.ground.reshape(blocks, -1)
        for lineup, mine in zip(self.lineups, self._of_kind, strict=True):
            index = busy[mine[busy] & (frame.oddness[busy] > lineup.least)]
            places.append(index)
            which = np.ix_(self.sampler.block_of[index], EVERY)
            layers.append(lineup.evidence(colours[which], ground[which]))
        return SampleEvidence(places, layers)

    def score(self, maps: SampleEvidence, seen: Singles | Mask) -> tuple[Floats, Indices]:
        """Returns scores and best shifts (places, appearances); `seen` are weights of samples, 0…1."""
        totals = np.full((len(seen), len(self.appearances)), NOTHING_ODD)
        shifts = np.full(totals.shape, len(SHIFTS) // 2, np.intp)
        self._score(maps, seen, np.ones(len(seen), bool), totals, shifts)
        return totals, shifts

    def _score(
        self, maps: SampleEvidence, seen: Singles | Mask, which: Mask, totals: Floats, shifts: Indices
    ) -> None:
        """Scores some places anew; changes `totals` and `shifts`."""
        for lineup, places, layers in zip(self.lineups, maps.places, maps.layers, strict=True):
            rows = np.flatnonzero(which[places])
            if len(rows):
                index = places[rows]
                weighed = layers[:, rows] * seen.reshape(len(seen), -1)[np.ix_(index, EVERY)]
                where = np.ix_(index, lineup.index)
                totals[where], shifts[where] = lineup.score(weighed, self.bucket[index])

    def _rescore_before_others(
        self,
        frame: SampledFrame,
        maps: SampleEvidence,
        seen: Mask,
        taken: Pieces,
        totals: Floats,
        shifts: Indices,
    ) -> None:
        """Scores pieces that stand before others anew; changes `totals` and `shifts`.

        What a piece behind explains as well speaks for neither.
        """
        for lineup, places, layers in zip(self.lineups, maps.places, maps.layers, strict=True):
            for row, place in enumerate(places.tolist()):
                behind = self._behind(place, taken)
                if not behind:
                    continue
                layer = layers[:, [row]] - self._pieces_behind.evidence(frame, place, behind)
                weighed = layer * seen[place].reshape(-1)[EVERY]
                where = np.ix_([place], lineup.index)
                totals[where], shifts[where] = lineup.score(weighed, self.bucket[[place]])

    def _behind(self, place: int, taken: Pieces) -> list[tuple[int, int, int]]:
        """Returns the pieces (place, appearance, shift) that may stand behind the piece of a place."""
        if place not in taken:
            return []
        farther = [n for n in self.rivals[place] if n in taken and self.distance[n] > self.distance[place]]
        return [(n, *taken[n]) for n in farther]

    def known(self, frame: SampledFrame, wanted: Indices) -> tuple[SampleEvidence, Pieces]:
        """Returns the evidence of a frame, and what is taken, where it is known which look each place has."""
        maps = self.maps(frame, np.flatnonzero(frame.odd.reshape(len(wanted), -1).sum(axis=1) > BUSY))
        taken = {int(i): (int(wanted[i]), len(SHIFTS) // 2) for i in np.flatnonzero(wanted >= 0)}
        for _ in range(KNOWN_ROUNDS):
            _, shifts = self.score(maps, self.free(taken))
            taken = {i: (k, int(shifts[i, k])) for i, (k, _) in taken.items()}
        return maps, taken

    def accept(self, totals: Floats, shifts: Indices, before: Pieces) -> Pieces:
        """Returns places whose best look beats the empty board, and every rival that was not accepted
        `before`.

        A rival would hide it or hide in it; one that was accepted before hides what it hides already, and
        what is left of this place speaks for itself. Of parts of one site that exclude each other only the
        best counts.
        """
        best = totals.max(axis=1)
        taken = self.taken(totals, shifts)
        out: Pieces = {}
        better: set[int] = set()
        for place in sorted(taken, key=lambda i: -best[i]):
            if better.isdisjoint(self._excluded.get(place, ())):
                if place in before or (better - before.keys()).isdisjoint(self.rivals[place]):
                    out[place] = taken[place]
                better.add(place)
        return out

    def taken(self, totals: Floats, shifts: Indices) -> Pieces:
        """Returns places whose best look beats the empty board."""
        best, look = totals.max(axis=1), totals.argmax(axis=1)
        return {int(i): (int(look[i]), int(shifts[i, look[i]])) for i in np.flatnonzero(best > FOUND)}

    @cached_property
    def in_picture(self) -> Mask:
        """Samples (places, levels, BLOCK, BLOCK) within the picture."""
        last = np.array(self.sampler.view.size) - 1
        return np.asarray(((self.pixels >= 0) & (self.pixels <= last)).all(axis=-1))

    @cached_property
    def rivals(self) -> list[list[int]]:
        """The places whose pieces may overlap those of each place in the picture."""
        base, head = self.pixels[:, 0, BLOCK // 2, BLOCK // 2], self.pixels[:, -1, BLOCK // 2, BLOCK // 2]
        layout = self.sampler.layout
        blocks = self.sampler.block_of
        step = np.array([self.sampler.view.step_pixels(tuple(p)) for p in layout.points]) * layout.unit
        reach = np.array([WALL_REACH if kind else REACH for kind in layout.kinds])
        out = []
        for i in range(len(base)):
            near = np.minimum.reduce(
                [
                    _between(base[i], head[i], base),
                    _between(base[i], head[i], head),
                    _between(base, head, base[i]),
                    _between(base, head, head[i]),
                ]
            )
            overlaps = near < (reach[i] + reach) * step[i]
            out.append([int(j) for j in np.flatnonzero(overlaps & (blocks != blocks[i]))])
        return out

    def free(self, taken: Pieces) -> Mask:
        """Returns which samples (places, levels, BLOCK, BLOCK) in the picture no other place's piece hides.
        Parts of one site do not hide each other: they are weighed against each other."""
        block_of = self.sampler.block_of
        far_first = sorted(taken, key=lambda i: -self.distance[i])
        pieces = [(self.silhouettes.at(i, *taken[i]), int(block_of[i]) + 1) for i in far_first]
        labels = self._maps.read_labels(self.silhouettes.painted(pieces))
        labels = labels.reshape(-1, *self.pixels.shape[1:-1])
        own = np.arange(1, len(labels) + 1, dtype=np.uint16)[:, None, None, None]
        return np.asarray(((labels == 0) | (labels == own))[block_of] & self.in_picture)


def _between(a: Floats, b: Floats, points: Floats) -> Floats:
    """Returns the distances (n) of points from the segments between a and b, pixels; some of them (n, 2), the
    others the same for all."""
    line = b - a
    t = np.clip(((points - a) * line).sum(axis=-1) / np.maximum((line * line).sum(axis=-1), 1e-9), 0, 1)
    return np.asarray(np.linalg.norm(points - (a + t[..., None] * line), axis=-1))
