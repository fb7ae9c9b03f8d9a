"""From a frame to a sighting: the whole chain, one step after the other.

A frame is scaled to the size of the profile's view. Is the board still there? What light is on it? What
does each place show, and which looks explain it all best? Is there a hand? A reader holds what one view
needs, prepared once; a board that was bumped gets a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading, Sighting
from vision.calibration.profile import Profile, check_board
from vision.finding.finder import MOVED, BoardHiddenError, Finder
from vision.finding.locate import BoardNotFoundError, check_light
from vision.geometry.view import View
from vision.hands import HandWatch, MotionWatch, Occlusion, shrink
from vision.light.focus import sharpened
from vision.light.gain import fit_gain, terms
from vision.light.shade import lifted
from vision.reading.classify import Explainer, Explanation
from vision.reading.evidence import strangers
from vision.reading.marks import MarkWatch
from vision.reading.model import Geometry, Model, standing
from vision.reading.reference import Reference
from vision.reading.relief import Faces
from vision.reading.sample import Layout, Sampler, read_places
from vision.reading.scene import Scene, make_scene

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
USUAL = 0.65
"""How light the light tone of a board is in a well exposed picture, 0…1."""
SOFT = 0.2
"""How far pictures are softened before they are sampled, in distances of samples."""
NEAR = 3.0
"""Nats by which something new is less likely than a known look that is likelier than the empty board."""
NEAR_PLACE, HIDDEN = 0.4, 0.25
"""Units around a place, and the share of them that an occlusion may hide of what is still read."""
CERTAIN = 20.0
"""The most that a frame says for or against a look; nats."""


@dataclass(frozen=True)
class Seen:
    """What a reader made of one frame: the sighting, what is likeliest where, and the board's state."""

    sighting: Sighting
    board: str
    """`ok`, also where the board was moved and found again; `moved` until it is found; `hidden` by a hand;
    `too dark`, or why it cannot be read."""
    looks: Mapping[Place, Look]
    view: View


class Eye:
    """One view of a board, prepared: samples, reference and appearances."""

    def __init__(
        self, layout: Layout, view: View, reference: Reference, remembered: Singles | None = None
    ) -> None:
        """`remembered`: samples of the picture from which the board was learned."""
        self.layout, self.view, self._remembered = layout, view, remembered
        self.sampler = Sampler(layout, view)
        self._field, _ = reference.field(self.sampler)
        self._full = brightness(self._field) if reference.doubt is not None else 255.0
        self._blocks, self._spread = (
            x[self.sampler.unique] / self._full for x in reference.blocks(self.sampler)
        )
        self._least = (
            0.01 if reference.doubt is None else 0.02
        )  # pictures agree too well with what came of them
        self._design = terms(layout.field, view.extent)
        self._sites = terms(layout.points[self.sampler.unique], view.extent)
        middle = tuple(layout.points.mean(axis=0))
        self._soft = max(SOFT * layout.spacing * view.step_pixels(middle), 0.3)

    def scene(self, image: Image) -> Scene:
        """What an image of the view's size shows."""
        colours, noise, white = self.samples(image)
        board = np.minimum(self._blocks, white)
        scene = make_scene(self.sampler, colours, board, self._spread, noise, self._remembered)
        return replace(scene, image=image)

    def samples(self, image: Image) -> tuple[Singles, float, Singles]:
        """The samples in the reference's light, 0…1, their noise, and what the picture shows of all that is
        lighter than it can show."""
        smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), self._soft), dtype=np.uint8)
        field = self.sampler.field_of(smooth)
        gain = fit_gain(field, self._field, self._design)
        light = np.exp(self._sites @ gain)[:, None, None, None]
        miss = np.abs(field / np.exp(self._design @ gain) - self._field)
        noise = float(
            np.clip(2 * np.quantile(miss, 0.25) / self._full, self._least, 0.04)
        )  # pieces may hide half the board
        white = 255 / (self._full * light)
        return self.sampler.blocks_of(smooth) / (self._full * light), noise, white

    def explainer(self, models: tuple[Model, ...], taught: Mapping[Place, Look]) -> Explainer:
        """`taught`: what stood there in the picture that is remembered."""
        geometry = Geometry.of(self.sampler)
        held = enumerate(standing(models, self.layout, taught).tolist())
        appearances = [geometry.appearance(m) for m in models]
        return Explainer(
            self.sampler, [*appearances, *strangers(appearances)],
            {i: look for i, look in held if look >= 0},
            Faces(self.sampler, geometry, models).told,
        )


def brightness(field: Singles) -> float:
    """The level that counts as full light: lower in a dark picture, where all colours lie close together."""
    return float(np.clip(np.quantile(field.mean(axis=1), 0.9) / USUAL, 80.0, 255.0))


class Reader:
    """Reads frames by a profile. Not for several threads at once."""

    def __init__(self, profile: Profile, board: Board) -> None:
        """ProfileError when the profile is not of this board."""
        check_board(profile, board)
        self.board = board
        self.adopt(profile)

    def adopt(self, profile: Profile) -> None:
        """Reads by another profile of the same board from now on."""
        self.profile = profile
        self.layout = Layout(self.board, read_places(self.board, profile.parts), profile.heights)
        self.reference = Reference(profile.reference, profile.view, profile.doubt)
        self.models = profile.models
        self._remembered = self._recall(profile)
        self._finder = Finder(profile.picture, profile.view, self.board)
        self._motion = MotionWatch(profile.view)
        self._use(profile.view)

    def read(self, image: Image, time: float = 0.0, source: str = "camera") -> Seen:
        """The sighting of a frame (h, w, 3; BGR), `time` in seconds."""
        frame = fitted(image, self.profile.view)
        small = shrink(frame)
        try:
            check_light(small)
            moved = self._finder.follow(frame, time, lambda: self._hands.sees(small).hand)
        except BoardHiddenError:
            return Seen(Sighting(time, source, None, hand=True), "hidden", {}, self.view)
        except BoardNotFoundError as error:
            return self._unread(small, time, source, error.reason)
        if moved:
            self._use(self._finder.view)
            self._motion = MotionWatch(self._finder.view)
        shade = self._hands.shade(small)
        even = lifted(sharpened(frame, self._finder.blur), shade)
        explained = self._explainer.explain(self._eye.scene(even))
        outlines = self._outlines(explained)
        marks, occlusion = self._marks.see(even, outlines), self._hands.sees(small)
        readings = self._readings(explained, self._hidden(occlusion))
        sighting = Sighting(
            time,
            source,
            Observation(time, readings, source, marks),
            occlusion.hand,
            self._motion.still(small),
            f"{MOVED}; it was found again" if moved else "",
        )
        looks = {place: likeliest(reading) for place, reading in readings.items()}
        return Seen(sighting, "ok", looks, self.view)

    def _recall(self, profile: Profile) -> Singles | None:
        """The samples of the picture from which the board was learned, where no picture of the empty board
        tells its grain from a piece's edge."""
        if not profile.taught:
            return None
        return Eye(self.layout, profile.view, self.reference).samples(profile.picture)[0]

    def _unread(self, small: Image, time: float, source: str, reason: str) -> Seen:
        """What is said of a frame in which the board cannot be read."""
        dark, moved = "too dark" in reason, reason.startswith(MOVED)
        board = "too dark" if dark else "moved" if moved else f"not found: {reason}"
        hand = not dark and self._hands.sees(small).hand
        return Seen(Sighting(time, source, None, hand, trouble=reason), board, {}, self.view)

    def _use(self, view: View) -> None:
        self.view = view
        self._eye = Eye(self.layout, view, self.reference, self._remembered)
        self._explainer = self._eye.explainer(self.models, self.profile.taught)
        frames = [carried(f, self.profile.view, view) for f in self.profile.frames]
        self._marks = MarkWatch(self.board, view, self.reference)
        if self.profile.doubt is not None:  # no frame shows the board without the pieces
            frames.append(emptied(frames[0], view, self.reference))
        self._hands = HandWatch(frames, view, self.layout.unit)

    def _outlines(self, explained: Explanation) -> list[npt.NDArray[np.int32]]:
        return [2 * outline for outline in explained.outlines]

    def _hidden(self, occlusion: Occlusion) -> npt.NDArray[np.bool_]:
        """Of each place (n), whether an occlusion hides its foot or what would stand there."""
        points = self.layout.points
        heights = (0.0, self.layout.levels[-1] / 2, self.layout.levels[-1])
        radius = NEAR_PLACE * self.layout.unit * self.view.step_pixels(tuple(points.mean(axis=0)))
        shares = [occlusion.hides(self.view.pixels(points, height), radius) for height in heights]
        return np.asarray(np.max(shares, axis=0) > HIDDEN)

    def _readings(
        self, explained: Explanation, hidden: npt.NDArray[np.bool_] | None = None
    ) -> dict[Place, Reading]:
        unseen = np.zeros(len(self.layout.places), bool) if hidden is None else hidden
        return {
            place: _reading(
                explained.scores[i], explained.novelty[i], 0.0 if unseen[i] else explained.visible[i]
            )
            for i, place in enumerate(self.layout.places)
            if place not in self.profile.strange
        }

    def shows_taught(self, seen: Seen) -> bool:
        """Whether a calm frame shows the position of the calibration, as far as that was learned: then what
        lay in strange light can be learned too."""
        taught, sighting = self.profile.taught, seen.sighting
        calm = sighting.still and not sighting.hand and not sighting.trouble
        same = all(taught.get(place, EMPTY) == look for place, look in seen.looks.items())
        return bool(self.profile.strange) and calm and bool(seen.looks) and same

    def relearn(self, image: Image, looks: Mapping[Place, Look], share: float = 0.1) -> None:
        """Follows light that changes slowly, from a frame without a hand: where it shows places that are
        known to be empty, the reference moves towards it by this share."""
        frame = fitted(image, self.profile.view)
        now = Reference.of(sharpened(frame, self._finder.blur), self.view)
        free = self._free(looks)
        raster = self.reference.raster.astype(np.float32)
        mixed = raster + share * free[..., None] * (now.raster.astype(np.float32) - raster)
        self.reference = replace(self.reference, raster=np.asarray(np.round(mixed), dtype=np.uint8))
        self.profile = replace(self.profile, reference=self.reference.raster)
        self._eye = Eye(self.layout, self.view, self.reference, self._remembered)
        self._hands = replace(self._hands, latest=shrink(frame))

    @property
    def eye(self) -> Eye:
        return self._eye

    def take_up(self, models: tuple[Model, ...], image: Image, looks: Mapping[Place, Look]) -> bool:
        """Reads by other models from now on, if they read this frame, of which all is known, better."""
        scene = self._eye.scene(fitted(image, self.profile.view))
        explainer = self._eye.explainer(models, self.profile.taught)
        if self._misfit(explainer, scene, looks) >= self._misfit(self._explainer, scene, looks):
            return False
        self.profile = replace(self.profile, models=models)
        self.models, self._explainer = models, explainer
        return True

    def _misfit(self, explainer: Explainer, scene: Scene, looks: Mapping[Place, Look]) -> float:
        """How improbable what stands there is by what is read; nats."""
        readings = self._readings(explainer.explain(scene))
        return sum(
            float(np.logaddexp.reduce([*r.looks.values(), r.other])) - r.of(looks.get(place, EMPTY))
            for place, r in readings.items()
        )

    def _free(self, looks: Mapping[Place, Look]) -> Singles:
        """Raster mask: 1 where no known piece stands or is seen in front."""
        return self.reference.clear_of(
            self._eye.sampler, [i for i, p in enumerate(self.layout.places) if looks.get(p, EMPTY) != EMPTY]
        )

    @cached_property
    def game(self) -> str:
        return self.profile.game


def fitted(image: Image, view: View) -> Image:
    """The image at the size of the view's pictures."""
    if (image.shape[1], image.shape[0]) == view.size:
        return image
    return np.asarray(cv2.resize(image, view.size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def carried(small: Image, old: View, new: View) -> Image:
    """A small copy of a frame of one view as it would look in another: moved along with the board."""
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


def emptied(small: Image, view: View, reference: Reference) -> Image:
    """A small copy of a frame of a view, without what stands on the board."""
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


def _reading(scores: Mapping[Look, float], novelty: float, visible: float) -> Reading:
    """Log-likelihoods against the empty board's; flat where the place is hardly seen."""
    if visible < 0.2:
        return Reading({EMPTY: 0.0, **dict.fromkeys(scores, 0.0)}, 0.0)
    best = max(scores.values(), default=0.0)
    if best > 0:  # a known look explains it, if not well: hands made it, light changed, few were seen
        novelty = min(novelty, best - NEAR)
    excess = max(0.0, novelty - CERTAIN, *(score - CERTAIN for score in scores.values()))
    bounded = {look: max(score - excess, -CERTAIN) for look, score in scores.items()}
    return Reading({EMPTY: 0.0, **bounded}, max(novelty - excess, -CERTAIN))


def likeliest(reading: Reading) -> Look:
    """The named look that is likeliest, were it one of those named."""
    return max(reading.looks, key=lambda look: (reading.looks[look], look == EMPTY))
