"""Makes batches: episodes of a step as arrays, and the pixels of all tables in one store.

Episodes have different numbers of examples and questions. In a batch all have as many as the one with most:
what is too much has the class NOTHING.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.core.game import EMPTY
from vision.arrays import Image, Indices, Singles
from vision.training.places.episodes import Episode, Pick, composition
from vision.training.places.tables import COVERED, CropTable

NOTHING, NOVEL, HIDDEN = -1, -2, -3
"""Classes of no example and no question, of a look that no example shows, and of what is COVERED; the others
are counted from 0, which is EMPTY."""


@dataclass(frozen=True, eq=False)
class PixelStore:
    """The crops of all tables, one behind the other.

    `colours` (frames and places, height, width, 3), `empty` (places, height, width, 3) and `doubt` (places,
    height, width) are as tables have them. Table n's begin at `frames_from[n]` and `places_from[n]`.
    """

    colours: Image
    empty: Image
    doubt: Image
    frames_from: Indices
    places_from: Indices
    places: Indices

    @classmethod
    def of(cls, tables: Sequence[CropTable]) -> PixelStore:
        places = np.array([len(t.points) for t in tables])
        frames = np.array([len(t.looks) for t in tables])
        return cls(
            np.concatenate([t.colours.reshape(-1, *t.colours.shape[2:]) for t in tables]),
            np.concatenate([t.empty for t in tables]),
            np.concatenate([t.doubt for t in tables]),
            np.concatenate(([0], np.cumsum(places * frames)[:-1])),
            np.concatenate(([0], np.cumsum(places)[:-1])),
            places,
        )

    def rows(self, table: int, picks: Sequence[Pick]) -> tuple[Indices, Indices]:
        """Returns where the colours and the empty places of some picks of a table lie."""
        frames, places = np.array(picks, np.intp).reshape(-1, 2).T
        at = self.frames_from[table] + frames * self.places[table] + places
        return at, self.places_from[table] + places


@dataclass(frozen=True, eq=False)
class CropRows:
    """The crops of a batch, examples and questions (n): the `colours` and `empty` places in the store, the
    number of the `episode` and of the `frame` within the batch, and which are of an empty place or asked
    about."""

    colours: Indices
    empty: Indices
    episode: Indices
    frame: Indices
    is_empty: npt.NDArray[np.bool_]
    is_asked: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Batch:
    """Episodes (e) of a step. Crops that are examples lie at `shown` (e, x) and are of `classes` (e, x),
    those that are asked about lie at `asked` (e, q), and `wanted` (e, q) is right; `recipes` (e, k, x) put
    together looks of which no example is given, classes behind the `counts` (e) that are shown."""

    crops: CropRows
    shown: Indices
    classes: Indices
    recipes: Singles
    counts: Indices
    asked: Indices
    wanted: Indices

    @classmethod
    def of(cls, store: PixelStore, episodes: Sequence[tuple[int, Episode]]) -> Batch:
        """Makes a batch of episodes, each with its table's number."""
        most_shown = max(len(e.examples) for _, e in episodes)
        most_asked = max(len(e.questions) for _, e in episodes)
        recipes = [_recipes(e) for _, e in episodes]
        most_recipes = max(len(r) for r in recipes)
        shape = len(episodes)
        out = cls(
            _crops(store, episodes),
            np.zeros((shape, most_shown), np.intp),
            np.full((shape, most_shown), NOTHING, np.intp),
            np.zeros((shape, most_recipes, most_shown), np.float32),
            np.array([len(e.looks) for _, e in episodes]),
            np.zeros((shape, most_asked), np.intp),
            np.full((shape, most_asked), NOTHING, np.intp),
        )
        at = 0
        for n, (_, e) in enumerate(episodes):
            numbers = {look: i for i, look in enumerate(e.looks)}
            out.shown[n, : len(e.names)] = at + np.arange(len(e.names))
            out.classes[n, : len(e.names)] = [numbers[name] for name in e.names]
            for k, (look, weights) in enumerate(recipes[n]):
                out.recipes[n, k, : len(weights)] = weights
                numbers[look] = len(e.looks) + k
            at += len(e.names)
            out.asked[n, : len(e.truths)] = at + np.arange(len(e.truths))
            out.wanted[n, : len(e.truths)] = [
                HIDDEN if truth == COVERED else numbers.get(truth, NOVEL) for truth in e.truths
            ]
            at += len(e.truths)
        return out


def _recipes(e: Episode) -> list[tuple[str, Singles]]:
    """Returns the withheld looks that can be put together, each with what examples count in it."""
    taken = np.array([name != EMPTY for name in e.names])
    names = [name for name in e.names if name != EMPTY]
    out = []
    for look in e.withheld:
        weights = composition(names, look) if names else None
        if weights is not None:
            whole = np.zeros(len(e.names), np.float32)
            whole[taken] = weights
            out.append((look, whole))
    return out


def _crops(store: PixelStore, episodes: Sequence[tuple[int, Episode]]) -> CropRows:
    """Returns the crops of each episode's examples, then of its questions."""
    colours, empty, numbers, frames, looks, asked = [], [], [], [], [], []
    known: dict[tuple[int, bool, int], int] = {}
    for n, (table, e) in enumerate(episodes):
        for picks, is_asked in ((e.examples, False), (e.questions, True)):
            at, places = store.rows(table, picks)
            colours.append(at)
            empty.append(places)
            numbers.append(np.full(len(picks), n))
            frames.append(
                np.array([known.setdefault((n, is_asked, p.frame), len(known)) for p in picks], np.intp)
            )
            asked.append(np.full(len(picks), is_asked))
        looks += [*e.names, *e.truths]
    return CropRows(
        np.concatenate(colours),
        np.concatenate(empty),
        np.concatenate(numbers),
        np.concatenate(frames),
        np.array(looks) == EMPTY,
        np.concatenate(asked),
    )
