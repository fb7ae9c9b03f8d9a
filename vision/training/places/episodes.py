"""Draws episodes by chance: a small calibration, and questions about the same table.

Of some frames a few examples of each look are given, as a calibration would give them. About other frames it
is asked what stands on some places. Now and then a look is withheld that can be put together of its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from companion.core.game import EMPTY, Look
from vision.arrays import Mask, Singles
from vision.reading.gallery import RIDGE, look_parts, part_matrix
from vision.training.places.tables import COVERED, UNKNOWN, CropTable

Rng = np.random.Generator

FROM_START = 0.6
"""The share of episodes whose examples are those of the first frame, as at the start of a game."""
ASKED = 2
"""Frames that are asked about."""
EXAMPLES = (2, 4, 8, 14)
"""The most examples of a look in an episode."""
EMPTIES, EMPTIES_ASKED = 14, 22
BESIDE = 4.0
"""The factor by which empty places beside others are asked about more often than those that have none
beside them."""
PIECES_ASKED, LEAST_ASKED = 24, 3
"""Questions about all looks of pieces, and about each at the least."""
COVERED_ASKED = 6
WITHHELD = 0.12
"""The share of looks with a face or a marker that are withheld."""


class Pick(NamedTuple):
    """A place in a frame of a table, as numbers."""

    frame: int
    place: int


@dataclass(frozen=True, eq=False)
class Episode:
    """`examples` show what `names` say, `questions` what `truths` say: looks, COVERED or, where no example
    shows it, something new. `withheld` are looks of which the examples were taken out."""

    table: CropTable
    examples: Sequence[Pick]
    names: Sequence[Look]
    questions: Sequence[Pick]
    truths: Sequence[Look]
    withheld: Sequence[Look]

    @property
    def looks(self) -> list[Look]:
        """The looks that examples show; EMPTY first."""
        return [EMPTY, *dict.fromkeys(name for name in self.names if name != EMPTY)]


def episode(table: CropTable, rng: Rng) -> Episode | None:
    """Draws an episode of a table; None where chance took frames that show too little."""
    taught, asked = _frames(table, rng)
    given = asks = np.ones(len(table.points), bool)
    if set(asked) <= set(taught):  # then about other places of the same frames
        asks = rng.random(len(given)) < 0.5
        given = ~asks
    shown = _shown(table, taught, given)
    shown.pop(COVERED, None)
    if EMPTY not in shown or len(shown) < 2:
        return None
    withheld = _withheld([look for look in shown if look != EMPTY], rng)
    most = int(rng.choice(EXAMPLES))
    examples = {
        look: _some(picks, EMPTIES if look == EMPTY else most, rng)
        for look, picks in shown.items()
        if look not in withheld
    }
    questions = _questions(table, _shown(table, asked, asks), rng)
    if not questions:
        return None
    return Episode(table, *_flat(examples), *_flat(questions), withheld)


def _frames(table: CropTable, rng: Rng) -> tuple[list[int], list[int]]:
    """Chooses frames without hands that give examples, and frames that are asked about: others if there are
    any."""
    count = len(table.looks)
    if count == 1:
        return [0], [0]
    calm = np.flatnonzero(~table.hands).tolist()
    taught = calm[:1] if rng.random() < FROM_START else []
    while len(taught) < rng.integers(1, 4):
        taught.append(int(rng.choice(calm)))
    taught = list(dict.fromkeys(taught))
    others = [n for n in range(count) if n not in taught] or taught
    return taught, rng.choice(others, min(ASKED, len(others)), replace=False).tolist()


def _shown(table: CropTable, frames: Sequence[int], which: Mask) -> dict[Look, list[Pick]]:
    """Returns the places of each look on some frames, without those that nobody can tell."""
    out: dict[Look, list[Pick]] = {}
    for frame in frames:
        for place in np.flatnonzero(which & (table.looks[frame] != UNKNOWN)).tolist():
            out.setdefault(str(table.looks[frame, place]), []).append(Pick(frame, place))
    return out


def _withheld(looks: Sequence[Look], rng: Rng) -> list[Look]:
    """Chooses looks to withhold, of those that can be put together; at least two looks are left."""
    out: list[Look] = []
    for look in looks:
        if ("/" in look or "+" in look) and len(looks) - len(out) > 2 and rng.random() < WITHHELD:
            out.append(look)
    return out


def _questions(table: CropTable, shown: Mapping[Look, list[Pick]], rng: Rng) -> dict[Look, list[Pick]]:
    each = max(LEAST_ASKED, PIECES_ASKED // max(1, len(shown)))
    out = {
        look: _some(picks, COVERED_ASKED if look == COVERED else each, rng)
        for look, picks in shown.items()
        if look != EMPTY
    }
    if EMPTY in shown:
        picks = shown[EMPTY]
        weights = np.array([BESIDE if _has_neighbour(table, pick) else 1.0 for pick in picks])
        count = min(len(picks), EMPTIES_ASKED)
        chosen = rng.choice(len(picks), count, replace=False, p=weights / weights.sum())
        out[EMPTY] = [picks[n] for n in chosen]
    return out


def _has_neighbour(table: CropTable, pick: Pick) -> bool:
    return bool((table.near[pick.place] & (table.looks[pick.frame] != EMPTY)).any())


def _some(picks: Sequence[Pick], most: int, rng: Rng) -> list[Pick]:
    return [picks[n] for n in rng.permutation(len(picks))[:most]]


def _flat(picks: Mapping[Look, list[Pick]]) -> tuple[list[Pick], list[Look]]:
    """Returns all picks, and the look of each."""
    names = [look for look, some in picks.items() for _ in some]
    return [pick for some in picks.values() for pick in some], names


def composition(names: Sequence[Look], look: Look) -> Singles | None:
    """Returns how much each of some examples (n) counts in the vector of a look that none of them shows.

    Looks are put together as `vision.reading.gallery` does it; None where a part was never seen.
    """
    parts = sorted({part for name in names for part in look_parts(name)})
    if not set(look_parts(look)) <= set(parts):
        return None
    design, wanted = part_matrix(names, parts), part_matrix([look], parts)[0]
    normal = design.T @ design + RIDGE * np.eye(len(parts))
    weights = wanted @ np.linalg.solve(normal, design.T)
    return np.asarray(weights + (1 - weights.sum()) / len(names), np.float32)
