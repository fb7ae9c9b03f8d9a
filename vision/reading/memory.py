"""Memory: the boards of which it is known what stood where, and what a frame shows as they did.

A place that shows the same as when its look was known has that look still: nothing needs to be read there.
Known are the last board that table and game agreed on, and, of what changed since, the pictures of the
calibration. Before there is such a board one of these pictures stands for it, if a frame shows it but for a
few places; of other frames nothing is recalled: a look that one of so many pieces had tells nothing of now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.core.game import EMPTY, Look, Place
from companion.referee.evidence.looks import bare
from vision.arrays import Indices, Mask, Singles
from vision.reading.comparison import INNER, STRAY, Comparison, KnownBoard, Likeness, Samples, blanked_share
from vision.reading.silhouettes import AT_ONCE

PUSHED = -4.0
"""The least that speaks against what stood there before where that was a piece: hands push pieces about."""
CHANGED = -2.0
"""The ratio from which a place counts as changed since it was believed, so that older boards are asked."""
SURELY_SAME = 4.0
"""The least that speaks for a place showing the same for it not to be read again; nats."""

BY_LOOK = -float(np.log(STRAY))
"""The most by which the look of a place speaks for one look and against another, beside what changed there;
nats. A place is as seldom plainly misread as it differs though nothing changed."""


@dataclass(frozen=True, eq=False)
class Recollection:
    """Tells what is known of each place without reading it.

    `looks` (places) are those that stood there on the known board that a frame resembles most, and `same`
    (places) by how much likelier the place shows the same as there than something else; nats, never below 0.
    `since_believed` (places): that board is the one that was believed last. `before` (places) are the looks
    that were believed last, and `changed` (places) what speaks against them; nats, never above 0. `behind`
    (places): what changed before the place since then may hide it. `is_compared`: there is such a board.
    `by_piece` (places): the look is that of an older board, which tells the piece, and hardly its marker.
    """

    places: Sequence[Place]
    looks: Sequence[Look]
    same: Singles
    since_believed: Mask
    before: Sequence[Look]
    changed: Singles
    behind: Mask
    by_piece: Mask
    is_compared: bool = False
    light: Singles | None = None
    """On the frame, beside that on the empty board, where the believed board tells it; see
    `vision.light.gain`."""

    def evidence(self, rows: Indices, known: Sequence[Look]) -> Iterator[tuple[int, set[Look], float]]:
        """Yields what is recalled of some places, each by its number among them: looks, and what speaks for
        each of these; nats."""
        for n, row in enumerate(rows.tolist()):
            look = self.looks[row]
            alike = {name for name in known if bare(name) == bare(look)} if self.by_piece[row] else {look}
            yield n, alike, float(self.same[row])
            yield n, {self.before[row]}, float(self.changed[row])

    def blanked(self, now: Samples, known: Sequence[Look]) -> list[float]:
        """Returns for each look how many of the pieces that surely show it the camera blanks: of a place that
        is blanked these say nothing, for or against."""
        is_blanked, shown = blanked_share(now, INNER) > 0, np.where(self.is_sure, self.looks, "")
        return [float(is_blanked[shown == look].mean()) if look in shown else 0.0 for look in known]

    @property
    def most_by_look(self) -> float:
        """The most by which the look of a place speaks for one and against another, beside this; nats."""
        return BY_LOOK if self.is_compared else np.inf

    def left_open(self, looks: Mapping[Place, Look], doubted: Mask) -> Mask:
        """Returns (places) of which a frame teaches nothing, though it may show these looks: `doubted` ones,
        and while there are any, those that changed and have the look that they had. Were all else explained,
        a piece was pushed there; so it may be that half a move is shown."""
        stays = np.array(
            [looks.get(p, EMPTY) == was for p, was in zip(self.places, self.before, strict=True)]
        )
        return np.asarray(doubted | (doubted.any() & stays & (self.changed < 0)))

    @property
    def is_sure(self) -> Mask:
        """(places): True where a place need not be read again."""
        return np.asarray((self.same >= SURELY_SAME) & ~self.by_piece)


@dataclass(frozen=True, eq=False)
class KnownBoards:
    """The known boards of one calibration: those `given` by its pictures, and the one `believed` last.

    The samples are of places, and not of pixels: they stay what they are when the camera was moved.
    """

    places: Sequence[Place]
    given: tuple[KnownBoard, ...]
    believed: KnownBoard | None = None

    def recall(self, comparison: Comparison, now: Samples, hidden: Mask) -> Recollection:
        """Compares a frame with the known boards. Of `hidden` places (a mask) nothing is recalled."""
        looks = [EMPTY] * len(self.places)
        nothing = np.zeros(len(looks), np.float32)
        nowhere = np.zeros(len(looks), bool)
        compared = self._board_before(comparison, now, hidden)
        if compared is None:
            return Recollection(self.places, looks, nothing, nowhere, looks, nothing, nowhere, nowhere)
        before, likeness = compared
        told, behind = likeness.same, likeness.behind
        light = None if before.light is None else before.light + likeness.light
        looks = self._looks(before.looks)
        stood = np.array([look != EMPTY for look in looks])
        changed = np.minimum(np.where(stood, np.maximum(told, PUSHED), told), 0.0)
        same, since = np.clip(told, 0.0, before.noticed), (told > 0) & (self.believed is not None)
        found = Recollection(self.places, looks, same, since, looks, changed, behind, nowhere, True, light)
        have_markers = any("+" in look for known in self.given for look in known.looks.values())
        may_be_older = told < CHANGED
        otherwise = np.zeros(len(looks), np.float32)
        """What speaks for the likeliest of the other looks."""
        for known in self.given:
            if (found.is_sure | hidden | ~may_be_older).all():
                break
            showed = self._looks(known.looks)
            # A board of long ago tells nothing of what changed since it looked so, nor of what is hidden.
            is_news = np.array([a != b for a, b in zip(found.before, showed, strict=True)])
            asked = may_be_older & ~hidden & is_news
            if not asked.any():
                continue
            likeness = comparison.compare(now, known, hidden, asked)
            told = np.where(asked & ~likeness.behind, likeness.same, np.float32(0))
            better = told > found.same
            differs = np.array([a != b for a, b in zip(found.looks, showed, strict=True)])
            otherwise = np.where(differs, np.maximum(otherwise, np.minimum(told, found.same)), otherwise)
            here = zip(found.looks, showed, better, strict=True)
            found = replace(
                found,
                looks=[new if is_better else old for old, new, is_better in here],
                same=np.where(better, told, found.same),
                since_believed=found.since_believed & ~better,
                by_piece=found.by_piece | (better & have_markers),
            )
        return replace(found, same=found.same - otherwise)

    def _board_before(
        self, comparison: Comparison, now: Samples, hidden: Mask
    ) -> tuple[KnownBoard, Likeness] | None:
        """Returns the board before the one that a frame shows, and how like it the frame is: the one that is
        believed, or that of the calibration from which the frame differs least, if by a few places at most.
        """
        if self.believed is not None:
            return self.believed, comparison.compare(now, self.believed, hidden)
        compared = [(known, comparison.compare(now, known, hidden)) for known in self.given]
        nearest = min(compared, key=lambda each: _differing(each[1]), default=None)
        return nearest if nearest and _differing(nearest[1]) <= AT_ONCE else None

    def believing(
        self,
        comparison: Comparison,
        now: Samples,
        looks: Mapping[Place, Look],
        doubted: Mask,
        light: Singles | None = None,
    ) -> KnownBoards:
        """Returns the memory once table and game agree that these looks stand on the board of a frame, in a
        `light`, if that is known.

        Places where the frame speaks against them are `doubted` (a mask): they are remembered as they were.
        """
        board, before = KnownBoard.of(now, looks, ~doubted, light), self.believed
        if before is None:
            return replace(self, believed=board)
        was, stands = self._looks(before.looks), self._looks(looks)
        kept = {place: was[n] if doubted[n] else stands[n] for n, place in enumerate(self.places)}
        unchanged = np.array([a == b for a, b in zip(was, stands, strict=True)])
        taken = np.array([a != EMPTY != b for a, b in zip(was, stands, strict=True)])
        board = replace(board, looks=kept)
        return replace(self, believed=comparison.follow(before, board, unchanged, taken, doubted))

    def _looks(self, looks: Mapping[Place, Look]) -> list[Look]:
        return [looks.get(place, EMPTY) for place in self.places]


def _differing(likeness: Likeness) -> int:
    """Returns of how many places a frame shows something else than stood there."""
    return int((likeness.same < 0).sum())
