"""Scores how well a network reads tables: each is calibrated from its first frame and asked about all
others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch

from companion.core.game import EMPTY, Look
from vision.reading.gallery import MOST_EXAMPLES, evenly
from vision.training.places.augment import planes
from vision.training.places.episodes import Pick
from vision.training.places.network import Class, PlaceNetwork, classes_of
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
    training = net.training
    net.eval()
    with torch.no_grad():
        classes = _classes(net, table)
        calm = [frame for frame in range(1, len(table.looks)) if not table.hands[frame]]
        total = PlacesScore()
        for frame in calm:
            total = total.plus(_frame_score(net, table, frame, classes))
    net.train(training)
    return total


def _classes(net: PlaceNetwork, table: CropTable) -> list[Class]:
    """Returns the classes that the first frame shows, and those that can be put together from it."""
    first = table.looks[0]
    picks: list[Pick] = []
    for look in sorted(set(first.tolist()) - {COVERED, UNKNOWN}):
        places = np.flatnonzero(first == look)
        picks += [Pick(0, int(place)) for place in places[evenly(len(places), MOST_EXAMPLES)]]
    names = [str(first[pick.place]) for pick in picks]
    vectors, _, _ = net(torch.from_numpy(planes(table, picks)))
    unseen = set(table.looks.ravel().tolist()) - {*names, COVERED, UNKNOWN, EMPTY}
    return classes_of(vectors, names, sorted(unseen))


def _frame_score(net: PlaceNetwork, table: CropTable, frame: int, classes: list[Class]) -> PlacesScore:
    """Returns the score of one frame of a table without a hand."""
    names: list[Look] = [look.name for look in classes]
    known = np.flatnonzero(~np.isin(table.looks[frame], (COVERED, UNKNOWN)))
    picks = [Pick(frame, int(place)) for place in known]
    logits = net.logits(net(torch.from_numpy(planes(table, picks))), classes)
    # Nothing is covered without a hand: the last logit is left out. The one before it means another look, ''.
    top, best = torch.softmax(logits[:, : len(names) + 1], 1).max(1)
    said = np.array([*names, ""])[best.numpy()]
    is_wrong = said != table.looks[frame][known]
    is_sure = top.numpy() >= SURE
    wrong = int(is_wrong.sum())
    return PlacesScore(
        len(picks), wrong, 1, int(wrong == 0), int(is_sure.sum()), int((is_wrong & is_sure).sum())
    )
