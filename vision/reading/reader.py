"""Reads a frame: the whole chain from a picture to a sighting.

A frame is scaled to the size of the profile's view. The reader then checks whether the board still lies where
it was, finds what hides it, fits the light on it, and compares each place with the examples of all looks. It
holds what one view needs, prepared once; a board that was bumped gets a new view.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Place
from companion.language import say
from companion.sensing.observation import Observation, Reading, Sighting
from vision.arrays import Floats, Image, Indices, Mask, Singles
from vision.calibration.profile import Profile, check_board
from vision.finding.board_tracker import MOVED, BoardHiddenError, BoardTracker
from vision.finding.locate import BoardNotFoundError, check_light
from vision.geometry.view import View
from vision.hands import HandWatch, MotionWatch, Occlusion, shrink
from vision.known.example import Example
from vision.known.layout import PlaceLayout
from vision.known.reference import Reference
from vision.light.focus import sharpened
from vision.light.illumination import Illumination
from vision.reading.comparison import Comparison, KnownBoard, Samples, blanked_share
from vision.reading.corners import OPPOSITE, joined
from vision.reading.gallery import Gallery, evenly, look_parts
from vision.reading.marks import MarkWatch
from vision.reading.memory import KnownBoards, Recollection
from vision.reading.network import Embedding, embed
from vision.reading.sight import Sight
from vision.solids.classify import SolidsExplanation
from vision.solids.sample import LevelLayout
from vision.solids.solid_reader import SolidReader

SHAKE = 0.4
"""Pixels by which a picture may move before it is put back."""
BREADTHS = tuple(n / 100 for n in range(30, 47, 2))
"""Units from its middle to the edge of a piece, where move markers are looked for beside it."""
AROUND = 0.4
"""Units around a place in which an occlusion hides what stands there."""
BEHIND = 0.3
"""The weight of the network's ratios of a place that may be hidden by what changed before it."""
HIDDEN = 0.25
"""The share of that from which a place is not read."""
COVERED = float(np.log(0.1))
"""The logarithm of the chance that a place is covered by something, before it is seen."""
STRONG = 20.0
"""The most that counts of what solids say; nats."""
SEEN = 0.2
"""The share of a place that other pieces must leave in sight for solids to say something."""
DECIDED = 6.0
"""Nats between the two likeliest looks of a place from which solids are not asked of it."""
CERTAIN = 9.0
"""The most that a frame says for or against a look; nats."""
EMPTIES = 64
"""Examples of empty places that a calibration gives."""


@dataclass(frozen=True)
class FrameReading:
    """The reading of one frame: the sighting, the likeliest look of each place, and the state of the
    board."""

    sighting: Sighting
    board: str
    """`ok`, also where the board was moved and found again; `moved` until it is found; `hidden` by a hand;
    `too dark`, or why it cannot be read."""
    looks: Mapping[Place, Look]
    view: View


@dataclass(frozen=True, eq=False)
class Glance:
    """One picture, as far as its places depend on it alone.

    `frame` is the picture at the view's size, put back; `samples` are compared with known boards, and
    `recalled` is what they tell.
    """

    picture: Image
    frame: Image
    illumination: Illumination
    samples: Samples
    recalled: Recollection

    @cached_property
    def light(self) -> Singles:
        """That on the frame; see `Illumination.fit`. It is that on the board which was believed last, and
        how it changed since."""
        known = self.recalled.light
        return self.illumination.fit(self.frame) if known is None else known


class Reader:
    """Reads frames by a profile. Not for several threads at once."""

    view: View
    _sight: Sight
    _hands: HandWatch
    _marks: MarkWatch
    _motion: MotionWatch
    _last: Glance | None
    """At the frame that was read last, as long as view and reference stay as they are."""
    _comparison: Comparison
    _memory: KnownBoards
    _solids: SolidReader | None

    def __init__(self, profile: Profile, board: Board) -> None:
        """Prepares a profile's view. ProfileError where the profile is not of this board."""
        check_board(profile, board)
        self.board, self.profile = board, profile
        self.layout = PlaceLayout.of(board, profile.parts)
        self.reference = Reference(profile.reference, profile.view, profile.doubt)
        kinds, sites = self.layout.kinds, [board.site_of(place) for place in self.layout.places]
        corners = [(site, n) for n, site in enumerate(sites) if kinds[n]]
        self._squares = {site: [n for at, n in corners if at == site] for site, _ in corners}
        self._tracker = BoardTracker(profile.picture, profile.view, board)
        self._use(profile.view)
        self._memory = KnownBoards(self.layout.places, tuple(self._given_boards()))
        self._fresh: Mapping[Place, Reading] = {}
        """The places of the last frame that were read, and not recalled."""
        self._when_read: dict[Place, Reading] = {}
        """The readings of all places when they were last read and believed."""
        self._breadth = self._measured_breadth()
        self.gallery = Gallery.of(profile.looks, [self._example(e.image, e.looks) for e in profile.examples])

    def read(
        self, image: Image, time: float = 0.0, source: str = "camera", guesses: bool = False
    ) -> FrameReading:
        """Returns the sighting of a frame (h, w, 3; BGR), `time` in seconds. With `guesses` what a hand seems
        to hide is read as well."""
        frame = fitted(image, self.profile.view)
        small = shrink(frame)
        try:
            check_light(small)
            moved = self._tracker.follow(frame, time, lambda: self._hands.sees(small).hand)
        except BoardHiddenError:
            return FrameReading(Sighting(time, source, None, hand=True), "hidden", {}, self.view)
        except BoardNotFoundError as error:
            return self._unread(small, time, source, error.reason)
        if moved:
            self._use(self._tracker.view)
        elif self._tracker.motion is not None:
            frame = steadied(frame, self._tracker.motion)
            small = shrink(frame)
        occlusion = self._hands.sees(small)
        hidden = np.zeros(len(self.layout.places), bool) if guesses else self._hidden(occlusion)
        self._last = glance = self._glance(image, frame, hidden)
        rows = self._open(glance.recalled, hidden)
        readings = self._readings(glance, rows, hidden, partial(self._explained, frame))
        self._fresh = {self.layout.places[n]: readings[self.layout.places[n]] for n in rows.tolist()}
        return self._seen(glance, small, readings, time, source, occlusion.hand, moved)

    def read_alone(self, image: Image, source: str = "camera") -> FrameReading:
        """Returns the sighting of a picture that follows no other: the board is looked for where the
        calibration saw it, wherever another picture showed it. Nothing is known of the picture before, nor
        comes another: pieces that seem to be hands are read for what they may be."""
        if self.view is not self.profile.view:
            self._tracker = BoardTracker(self.profile.picture, self.profile.view, self.board)
            self._use(self.profile.view)
        return self.read(image, source=source, guesses=True)

    def read_unprompted(self, image: Image) -> FrameReading:
        """Returns a calibration picture read as if it were another one: each place's own example is left
        out."""
        frame = fitted(image, self.profile.view)
        hidden = np.zeros(len(self.layout.places), bool)
        glance = self._glance(image, frame, hidden)
        nothing = KnownBoards(self.layout.places, ()).recall(self._comparison, glance.samples, hidden)
        glance = replace(glance, recalled=nothing)
        rows = np.arange(len(hidden))
        readings = self._readings(glance, rows, hidden, lambda _: None, unprompted=True)
        return self._seen(glance, shrink(frame), readings, 0.0, "camera", hand=False, moved=False)

    def _seen(
        self,
        glance: Glance,
        small: Image,
        readings: Mapping[Place, Reading],
        time: float,
        source: str,
        hand: bool,
        moved: bool,
    ) -> FrameReading:
        looks = {place: likeliest(reading) for place, reading in readings.items()}
        marks = self._marks_beside(looks, self._breadth, glance.frame)
        same = self._same_as_believed(glance.recalled, readings)
        sighting = Sighting(
            time,
            source,
            Observation(time, readings, source, marks, same),
            hand,
            self._motion.still(small),
            say("{moved}; it was found again", moved=MOVED) if moved else "",
        )
        return FrameReading(sighting, "ok", looks, self.view)

    def _same_as_believed(
        self, recalled: Recollection, readings: Mapping[Place, Reading]
    ) -> dict[Place, Reading]:
        """Returns the places that surely show what they showed on the last board that was believed, each with
        its reading when it was last read."""
        sure = np.flatnonzero(recalled.is_sure & recalled.since_believed)
        places = [self.layout.places[n] for n in sure.tolist()]
        return {place: self._when_read.get(place, readings[place]) for place in places}

    def pass_over(self, time: float, still: bool) -> None:
        """Notes a frame that need not be read: nothing changed since the last one that was, or something
        moves."""
        self._tracker.pass_over(time, still)

    def learn(
        self,
        image: Image,
        looks: Mapping[Place, Look],
        doubted: Collection[Place] = (),
    ) -> None:
        """Learns from a calm frame of which it is known what stands where.

        The board is remembered, the empty board is followed where it is bare, and each look as it is in the
        light of now. Of `doubted` places, which the frame shows otherwise, nothing is learned.
        """
        left_out = np.array([place in doubted for place in self.layout.places])
        glance = self._last
        if glance is None or glance.picture is not image:
            frame = fitted(image, self.profile.view)
            if self._tracker.motion is not None:
                frame = steadied(frame, self._tracker.motion)
            glance = self._glance(image, frame, left_out)
        left_out = glance.recalled.left_open(looks, left_out)
        rows, names = self._lesson(looks, self._open(glance.recalled, left_out))
        light = glance.illumination.fit(glance.frame)  # it is not followed for long without being fitted
        colours = self._sight.colours(glance.frame, rows, light)
        self.gallery = self.gallery.taught(embed(self._sight.planes(colours, rows)).vectors, names)
        self._memory = self._memory.believing(self._comparison, glance.samples, looks, left_out, light)
        self._when_read |= {p: reading for p, reading in self._fresh.items() if p not in doubted}
        taken = [n for n, place in enumerate(self.layout.places) if looks.get(place, EMPTY) != EMPTY]
        bare = self.reference.clear_of(self.layout, self.view, taken, self.layout.height(self.profile.looks))
        gains = partial(self._sight.illumination.gains_at, light)
        self.reference = self.reference.learned(glance.frame, self.view, gains, bare)
        self.profile = replace(self.profile, reference=self.reference.raster, doubt=self.reference.doubt)
        self._sight = Sight(self.layout, self.view, self.reference, crops=self._sight.crops)
        self._last = None
        self._hands = replace(self._hands, latest=shrink(glance.frame))

    def remember(self, image: Image, looks: Mapping[Place, Look], doubted: Collection[Place]) -> None:
        """Remembers the board of the frame that was read last: it shows these looks, but for doubted places.

        A frame that was not read, as it shows nothing new, is passed over.
        """
        if self._last is not None and self._last.picture is image:
            left_out = np.array([place in doubted for place in self.layout.places])
            left_out = self._last.recalled.left_open(looks, left_out)
            self._memory = self._memory.believing(
                self._comparison, self._last.samples, looks, left_out, self._last.recalled.light
            )

    def _use(self, view: View) -> None:
        """Reads in another view from now on."""
        self.view = view
        height = self.layout.height(self.profile.looks, taller=1.0)
        self._comparison = Comparison(self.layout, view, height)
        self._sight = Sight(self.layout, view, self.reference)
        self._last = None
        self._marks = MarkWatch(self.board, view, self.reference)
        self._motion = MotionWatch(view)
        self._solids = self._solid_reader()
        self._hands = self._hand_watch()

    def _solid_reader(self) -> SolidReader | None:
        if not self.profile.models:
            return None
        levels = LevelLayout.of_profile(self.layout, self.profile.looks)
        return SolidReader(levels, self.view, self.reference, self.profile.models)

    def _hand_watch(self) -> HandWatch:
        known = [shrink(self.profile.picture), *(shrink(e.image) for e in self.profile.examples)]
        frames = [carried(small, self.profile.view, self.view) for small in known]
        if self.profile.doubt is not None:  # no frame shows the board without the pieces
            frames.append(emptied(frames[0], self.view, self.reference))
        return HandWatch(frames, self.view, self.layout.unit)

    def _hidden(self, occlusion: Occlusion) -> Mask:
        """Returns (places): whether an occlusion hides the foot or the head of what may stand there."""
        if not occlusion.mask.any():
            return np.zeros(len(self.layout.places), bool)
        points, height = self.layout.where, self.layout.height(self.profile.looks)
        radius = AROUND * self.layout.unit * self.view.step_pixels(tuple(points.mean(axis=0)))
        shares = [occlusion.hides(self.view.pixels(points, z), radius) for z in (0.0, height / 2, height)]
        return np.asarray(np.max(shares, axis=0) > HIDDEN)

    def _example(self, image: Image, looks: Mapping[Place, Look]) -> tuple[Singles, list[Look]]:
        """Returns the vectors of the places of a picture that teach something, and what they show."""
        rows, names = self._lesson(looks, np.arange(len(self.layout.places)))
        colours = self._sight.colours(fitted(image, self.profile.view), rows)
        return embed(self._sight.planes(colours, rows)).vectors, names

    def _lesson(self, looks: Mapping[Place, Look], among: Indices) -> tuple[Indices, list[Look]]:
        """Chooses the places among some that teach something of a picture; returns them and what they show.

        At most EMPTIES of them are empty.
        """
        names = [looks.get(place, EMPTY) for place in self.layout.places]
        taken = np.array([n for n in among if names[n] != EMPTY], np.intp)
        empty = np.array([n for n in among if names[n] == EMPTY], np.intp)
        rows = np.concatenate((taken, empty[evenly(len(empty), EMPTIES)]))
        return rows, [names[n] for n in rows]

    def _given_boards(self) -> Iterator[KnownBoard]:
        """Yields what the calibration's pictures show, the board without pieces first where one shows it."""
        profile = self.profile
        if profile.doubt is None:
            yield self._comparison.known(fitted(profile.picture, profile.view), {})
        for example in profile.examples:
            yield self._comparison.known(fitted(example.image, profile.view), example.looks)

    def _glance(self, picture: Image, frame: Image, hidden: Mask) -> Glance:
        samples = self._comparison.sample(frame)
        recalled = self._memory.recall(self._comparison, samples, hidden)
        return Glance(picture, frame, self._sight.illumination, samples, recalled)

    def _open(self, recalled: Recollection, hidden: Mask) -> Indices:
        """Returns the places of a frame that are to be read: what does not surely show the same as it did."""
        return np.flatnonzero(self._whole_squares(~(recalled.is_sure | hidden)) & ~hidden)

    def _whole_squares(self, some: Mask) -> Mask:
        """Returns some places (a mask), and the corners that are weighed together with them."""
        out = some.copy()
        for corners in self._squares.values():
            out[corners] = out[corners].any()
        return out

    def _explained(self, frame: Image, rows: Indices) -> SolidsExplanation | None:
        """Returns how solids explain some places of a frame; None where nothing is known of them."""
        if self._solids is None:
            return None
        return self._solids.explain(sharpened(frame, self._tracker.blur), rows)

    def _readings(
        self,
        glance: Glance,
        rows: Indices,
        hidden: Mask,
        explained: Callable[[Indices], SolidsExplanation | None],
        unprompted: bool = False,
    ) -> dict[Place, Reading]:
        """Returns the reading of each place: those of `rows` are read, the others are what they were."""
        read = dict(zip(rows.tolist(), self._read_anew(glance, rows, explained, unprompted), strict=True))
        return {
            place: self._unseen if hidden[n] else read.get(n) or self._as_recalled(glance.recalled, n)
            for n, place in enumerate(self.layout.places)
        }

    def _read_anew(
        self,
        glance: Glance,
        rows: Indices,
        explained: Callable[[Indices], SolidsExplanation | None],
        unprompted: bool,
    ) -> Iterator[Reading]:
        """Yields the readings of some places as the network sees them, beside what is recalled of them.

        Of those that this leaves open solids are asked too.
        """
        if not len(rows):
            return
        looks, ratios, covered = self._by_look(glance, rows, unprompted)
        are_open = np.zeros(len(self.layout.places), bool)
        are_open[rows] = _are_undecided(ratios)
        are_open = self._whole_squares(are_open)[rows]
        solids = explained(rows[are_open]) if are_open.any() else None
        ratios, covered = within(ratios, covered, glance.recalled.most_by_look)
        if solids is not None:
            ratios[are_open] += said_by(solids, looks)[rows[are_open]]
        for k, look in enumerate(looks):
            ratios[~self.layout.may_hold(look)[rows], k] = -CERTAIN
        recalled = np.zeros_like(ratios)
        """What is known of pieces that stood there."""
        walled_in = {*self._walled_in(glance.recalled.before, rows, ratios)}
        for n, alike, nats in glance.recalled.evidence(rows, (EMPTY, *looks)):
            if nats < 0 and self.layout.places[rows[n]] in walled_in:
                continue
            if EMPTY in alike:
                ratios[n, [look not in alike for look in (*looks, None)]] -= nats
                covered[n] -= nats
            else:
                recalled[n, [look in alike for look in (*looks, None)]] += nats
        whole = ratios + recalled
        for places in self._squares.values():
            among = np.flatnonzero(np.isin(rows, places))
            if len(among) == len(places):
                kinds = [self.layout.kinds[row] for row in rows[among]]
                slant = solids.slants.get(places[0], 0.0) if solids is not None else 0.0
                own, known = ratios[among].astype(float), recalled[among].astype(float)
                whole[among] = joined(kinds, own, known, slant)
        for n in range(len(rows)):
            yield _reading(looks, whole[n], float(covered[n]))

    def _walled_in(self, before: Sequence[Look], rows: Indices, ratios: Singles) -> Iterator[Place]:
        """Yields the middles of squares into whose corners pieces have come: these changed them, too. Next to
        a corner in which a piece stood its walls may look like another one."""
        seen, kinds = {*rows[ratios.max(axis=1) > DECIDED].tolist()}, self.layout.kinds
        for site, corners in self._squares.items():
            stood = {kinds[n] for n in corners if before[n] != EMPTY}
            if any(n in seen and stood <= {OPPOSITE[kinds[n]]} for n in corners):
                yield site

    def _by_look(
        self, glance: Glance, rows: Indices, unprompted: bool
    ) -> tuple[list[Look], Singles, Singles]:
        """Returns the looks, and of some places what the network says against their being empty: for each
        look and what is not known (places, looks), and that something covers them (places); nats."""
        seen = embed(self._sight.planes(self._sight.colours(glance.frame, rows, glance.light), rows))
        scores = self._scores(seen, unprompted)
        empty = scores.pop(EMPTY)
        # Where most places show what they showed, the frame is none that calibration never saw the like of.
        is_strange = 2 * len(rows) > len(self.layout.places)
        worth = 1 / self.gallery.strangeness(seen.vectors) if is_strange else 1.0
        ratios = worth * (np.stack([*scores.values(), seen.novel], axis=1) - empty[:, None])
        covered = worth * (seen.covered - empty) + COVERED
        ratios[glance.recalled.behind[rows]] *= BEHIND
        blanked = blanked_share(glance.samples)[rows]
        for k, share in enumerate(glance.recalled.blanked(glance.samples, list(scores))):
            ratios[:, k] *= 1 - share * blanked
        return list(scores), ratios, covered

    def _scores(self, seen: Embedding, unprompted: bool) -> dict[Look, Singles]:
        """Returns the log-likelihoods of each look, as examples tell them."""
        scores = self.gallery.compare(seen, unprompted)
        for model in self.profile.models:  # which look of an owner without an example, only solids can tell
            owner = look_parts(model.look)[0]
            kin = [s for name, s in scores.items() if name != EMPTY and look_parts(name)[0] == owner]
            scores.setdefault(model.look, np.max(kin, axis=0) if kin else seen.novel)
        return scores

    @cached_property
    def _unseen(self) -> Reading:
        """The reading of a place that something hides: all looks are alike."""
        return Reading(dict.fromkeys((EMPTY, *self.profile.looks), 0.0), 0.0)

    def _as_recalled(self, recalled: Recollection, n: int) -> Reading:
        """Returns the reading of a place that is not read, by its number."""
        look, was = recalled.looks[n], recalled.before[n]
        nats = min(float(recalled.same[n]), CERTAIN)
        reading = self._recalled[look, int(nats)]
        if was == look:
            return reading
        # It looks as it did long ago, and not as since then: both speak against what stood there since.
        gone = min(nats - float(recalled.changed[n]), CERTAIN)
        return Reading({**reading.looks, was: -float(int(gone))}, reading.other)

    @cached_property
    def _recalled(self) -> Mapping[tuple[Look, int], Reading]:
        """The reading of a place that shows the look that it had, as so many nats say: whole ones, so that
        it stays the same from frame to frame."""
        names = dict.fromkeys((EMPTY, *self.profile.looks))
        return {
            (look, nats): Reading({name: 0.0 if name == look else -nats for name in names}, -nats)
            for look in names
            for nats in range(int(CERTAIN) + 1)
        }

    def _marks_beside(self, looks: Mapping[Place, Look], breadth: float, frame: Image) -> Mapping[str, float]:
        """Returns the move markers that a frame shows beside pieces so broad (units); see `MarkWatch.see`."""
        return self._marks.see(frame, self._outlines(looks, breadth)) if self.board.marks else {}

    def _outlines(self, looks: Mapping[Place, Look], breadth: float) -> list[npt.NDArray[np.int32]]:
        """Polygons (pixels) around what stands on the board, from its feet to its head."""
        height = self.layout.height(self.profile.looks, taller=1.0)
        taken = [n for n, p in enumerate(self.layout.places) if looks.get(p, EMPTY) != EMPTY]
        return [outline(self.view, self.layout.where[n], breadth * self.layout.unit, height) for n in taken]

    def _measured_breadth(self) -> float:
        """Returns how far pieces reach from their middles, as the calibration's pictures show it; units.

        Where too little is left out around a piece its edge is taken for a move marker. So this is the least
        at which none is seen, in pictures that show none where as much as can be is left out.
        """
        without = [e for e in self.profile.examples if not self._marked(e, BREADTHS[-1])]
        return next(b for b in BREADTHS if not any(self._marked(e, b) for e in without))

    def _marked(self, example: Example, breadth: float) -> bool:
        """Returns whether a move marker seems to lie in a picture beside pieces so broad (units)."""
        marks = self._marks_beside(example.looks, breadth, fitted(example.image, self.profile.view))
        return any(ratio > 0 for ratio in marks.values())

    def _unread(self, small: Image, time: float, source: str, reason: str) -> FrameReading:
        """Returns what is said of a frame in which the board cannot be read."""
        dark, moved = "too dark" in reason, reason.startswith(MOVED)
        board = "too dark" if dark else "moved" if moved else f"not found: {reason}"
        hand = not dark and self._hands.sees(small).hand
        return FrameReading(Sighting(time, source, None, hand, trouble=reason), board, {}, self.view)


def fitted(image: Image, view: View) -> Image:
    """Returns the image at the size of the view's pictures."""
    if (image.shape[1], image.shape[0]) == view.size:
        return image
    return np.asarray(cv2.resize(image, view.size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def emptied(small: Image, view: View, reference: Reference) -> Image:
    """Returns a small copy of a frame of a view, without what stands on the board."""
    finer = np.repeat(np.repeat(small, 2, axis=0), 2, axis=1)
    height, width = finer.shape[:2]
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    pixels = np.column_stack((x.ravel(), y.ravel())) * view.size[0] / width - 0.5
    points = view.board(pixels)
    x0, y0, x1, y1 = view.extent
    inside = ((points >= (x0, y0)) & (points <= (x1, y1))).all(axis=1)
    colours, _ = reference.at(points[inside])
    finer.reshape(-1, 3)[inside] = np.clip(np.round(colours), 0, 255)
    return shrink(finer)


def said_by(solids: SolidsExplanation, looks: Sequence[Look]) -> Singles:
    """Returns (places, looks and what is not known): what solids add to log-likelihood ratios; nats."""
    scores = np.zeros((len(solids.scores), len(looks) + 1))
    for n, (told, novelty) in enumerate(zip(solids.scores, solids.novelty, strict=True)):
        if solids.visible[n] >= SEEN:
            scores[n] = [*(told.get(look, novelty) for look in looks), novelty]
    excess = np.maximum(scores.max(axis=1, keepdims=True) - STRONG, 0)
    return np.asarray(np.maximum(scores - excess, -STRONG), np.float32)


def within(ratios: Singles, covered: Singles, most: float) -> tuple[Singles, Singles]:
    """Returns ratios against the empty board (places, looks), and that of something that covers it (places),
    where no look is less likely than the likeliest one by more nats than that."""
    floor = np.maximum(ratios.max(axis=1), 0.0) - most
    empty = np.maximum(floor, 0.0)
    return np.maximum(ratios, floor[:, None]) - empty[:, None], covered - empty


def steadied(frame: Image, motion: Floats) -> Image:
    """Moves a frame whose picture has moved a little (`motion`, 3x3, pixels) back to where the board was
    learned."""
    height, width = frame.shape[:2]
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)], float)
    moved = corners @ motion.T
    if np.abs(moved[:, :2] / moved[:, 2:] - corners[:, :2]).max() < SHAKE:
        return frame
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    back = cv2.warpPerspective(frame, motion, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(back, dtype=np.uint8)


def carried(small: Image, old: View, new: View) -> Image:
    """Returns a small copy of a frame of one view as it would look in another: moved along with the board."""
    if old is new:
        return small
    scale = small.shape[1] / old.size[0]
    x0, y0, x1, y1 = old.extent
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    before, after = (np.asarray(v.pixels(corners) * scale, np.float32) for v in (old, new))
    matrix = cv2.getPerspectiveTransform(before, after)
    size = small.shape[1], small.shape[0]
    return np.asarray(
        cv2.warpPerspective(small, matrix, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
    )


def outline(view: View, foot: Floats, radius: float, height: float) -> npt.NDArray[np.int32]:
    """Returns the polygon (pixels) that a round piece with its middle at a board point may fill in a
    picture."""
    around = np.linspace(0, 2 * np.pi, 10, endpoint=False)
    ring = foot + radius * np.stack((np.cos(around), np.sin(around)), axis=1)
    pixels = np.concatenate((view.pixels(ring), view.pixels(ring, height)))
    return np.asarray(cv2.convexHull(np.round(pixels).astype(np.int32)), np.int32)[:, 0]


def _are_undecided(ratios: Singles) -> Mask:
    """Returns of which places (ratios against the empty board; places, looks) no look is far likelier than
    all others."""
    two = np.sort(np.pad(ratios, ((0, 0), (0, 1))), axis=1)[:, -2:]
    return np.asarray(two[:, 1] - two[:, 0] <= DECIDED)


def _reading(looks: Sequence[Look], ratios: Singles, covered: float) -> Reading:
    """Returns the reading of one place from log-likelihood ratios against the empty board, which are bounded.

    The last ratio is that of a look that is not known. Where something covers the place, all looks are alike.
    """
    whole = np.logaddexp(np.append(ratios, 0.0), covered)
    bounded = np.clip(whole - whole.max(), -CERTAIN, 0.0)
    bounded -= bounded[-1]
    *known, other, _ = bounded.tolist()
    return Reading({EMPTY: 0.0, **dict(zip(looks, known, strict=True))}, other)


def likeliest(reading: Reading) -> Look:
    """Returns the named look that is likeliest, were it one of those named."""
    return max(reading.looks, key=lambda look: (reading.looks[look], look == EMPTY))
