"""Scores how well a network reads tables: each is calibrated from its first frame and asked about all
others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch

from companion.core.game import EMPTY
from vision.reading.gallery import MOST_EXAMPLES, evenly
from vision.training.places.augment import Pixels
from vision.training.places.batches import NOVEL, Batch, PixelStore
from vision.training.places.episodes import Episode, Pick
from vision.training.places.network import DEVICE, PlaceNetwork, Tensor
from vision.training.places.tables import COVERED, UNKNOWN, CropTable

SURE = 0.99
LEAST = 3
"""Frames that a table must have to be asked about."""


class PlacesScore(NamedTuple):
    """Places asked about and how many were wrong; frames, and in how many all was right; places said with
    p ≥ SURE, and how many of these were wrong."""

    places: int = 0
    wrong: int = 0
    frames: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0

    def plus(self, other: PlacesScore) -> PlacesScore:
        return PlacesScore(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def row(self) -> str:
        """The cells of a table in Markdown under HEAD."""
        rate = 1000 * self.wrong / max(1, self.places)
        return f"{self.places} | {rate:.1f} | {self.right} of {self.frames} | {self.sure} | {self.sure_wrong}"


HEAD = (
    "| source | places | wrong in 1,000 | frames all right | said with p ≥ 0.99 | of these wrong |\n"
    "| --- | --- | --- | --- | --- | --- |"
)


def scores(net: PlaceNetwork, tables: Iterable[CropTable]) -> dict[str, PlacesScore]:
    """Returns the scores of some tables by source.

    Of photographs only the first variant of each group is scored, and only tables with LEAST frames.
    """
    out: dict[str, PlacesScore] = {}
    for table in tables:
        again = table.name.startswith("photo.") and not table.name.endswith(".0")
        if len(table.looks) >= LEAST and not again:
            out[table.source] = out.get(table.source, PlacesScore()).plus(score(net, table))
    return dict(sorted(out.items()))


def score(net: PlaceNetwork, table: CropTable) -> PlacesScore:
    """Returns the score of one table; frames with hands are left out."""
    training, store = net.training, PixelStore.of([table])
    pixels = Pixels(store, 0)
    net.to(DEVICE).eval()
    total = PlacesScore()
    with torch.no_grad():
        for frame in range(1, len(table.looks)):
            if not table.hands[frame]:
                batch = Batch.of(store, [(0, _questions(table, frame))])
                total = total.plus(_frame_score(net.logits(net(pixels.plain(batch.crops)), batch)[0], batch))
    net.train(training)
    return total


def _questions(table: CropTable, frame: int) -> Episode:
    """Returns the episode that shows a table's first frame and asks about all places of another. Looks that
    the first does not show are put together where they can be."""
    first = table.looks[0]
    picks: list[Pick] = []
    for look in sorted(set(first.tolist()) - {COVERED, UNKNOWN}):
        places = np.flatnonzero(first == look)
        picks += [Pick(0, int(place)) for place in places[evenly(len(places), MOST_EXAMPLES)]]
    names = [str(first[pick.place]) for pick in picks]
    unseen = set(table.looks.ravel().tolist()) - {*names, COVERED, UNKNOWN, EMPTY}
    asked = np.flatnonzero(~np.isin(table.looks[frame], (COVERED, UNKNOWN))).tolist()
    truths = [str(table.looks[frame, place]) for place in asked]
    return Episode(table, picks, names, [Pick(frame, place) for place in asked], truths, sorted(unseen))


def _frame_score(logits: Tensor, batch: Batch) -> PlacesScore:
    """Returns the score of one frame without a hand, of the logits (places, classes + 2) of its places."""
    wanted = torch.from_numpy(batch.wanted[0]).to(DEVICE)
    # Nothing is covered without a hand: the last logit is left out. The one before it means another look.
    top, said = torch.softmax(logits[:, :-1], 1).max(1)
    is_wrong = said != torch.where(wanted == NOVEL, logits.shape[1] - 2, wanted)
    is_sure = top >= SURE
    wrong, sure, both = (int(part.sum()) for part in (is_wrong, is_sure, is_wrong & is_sure))
    return PlacesScore(len(wanted), wrong, 1, int(wrong == 0), sure, both)
