"""How well a network reads tables: each calibrated from its first frame, asked about all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import torch

from companion.core import EMPTY, Look
from vision.reading.gallery import MOST, evenly
from vision.training.places.augment import planes
from vision.training.places.episodes import Pick
from vision.training.places.network import Class, Net, classes_of
from vision.training.places.tables import COVERED, UNKNOWN, Table

SURE = 0.99
LEAST = 3
"""Frames that a table must have to be asked about."""


class Score(NamedTuple):
    """Places asked about and how many were wrong; frames, and in how many all was right; places said with
    p ≥ SURE, and how many of these were wrong."""

    places: int = 0
    wrong: int = 0
    frames: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0

    def plus(self, other: Score) -> Score:
        return Score(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def row(self) -> str:
        """The cells of a table in Markdown under HEAD."""
        rate = 1000 * self.wrong / max(1, self.places)
        return f"{self.places} | {rate:.1f} | {self.right} of {self.frames} | {self.sure} | {self.sure_wrong}"


HEAD = (
    "| source | places | wrong in 1,000 | frames all right | said with p ≥ 0.99 | of these wrong |\n"
    "| --- | --- | --- | --- | --- | --- |"
)


def scores(net: Net, tables: Iterable[Table]) -> dict[str, Score]:
    """By source; of photographs the first variant of each group, and only tables with LEAST frames."""
    out: dict[str, Score] = {}
    for table in tables:
        again = table.name.startswith("photo.") and not table.name.endswith(".0")
        if len(table.looks) >= LEAST and not again:
            out[table.source] = out.get(table.source, Score()).plus(score(net, table))
    return dict(sorted(out.items()))


def score(net: Net, table: Table) -> Score:
    """Of one table; frames with hands are left out."""
    training = net.training
    net.eval()
    with torch.no_grad():
        classes = _classes(net, table)
        calm = [frame for frame in range(1, len(table.looks)) if not table.hands[frame]]
        total = Score()
        for frame in calm:
            total = total.plus(_frame_score(net, table, frame, classes))
    net.train(training)
    return total


def _classes(net: Net, table: Table) -> list[Class]:
    """From the first frame, and of what can be put together from it."""
    first = table.looks[0]
    picks: list[Pick] = []
    for look in sorted(set(first.tolist()) - {COVERED, UNKNOWN}):
        places = np.flatnonzero(first == look)
        picks += [Pick(0, int(place)) for place in places[evenly(len(places), MOST)]]
    names = [str(first[pick.place]) for pick in picks]
    vectors, _, _ = net(torch.from_numpy(planes(table, picks)))
    unseen = set(table.looks.ravel().tolist()) - {*names, COVERED, UNKNOWN, EMPTY}
    return classes_of(vectors, names, sorted(unseen))


def _frame_score(net: Net, table: Table, frame: int, classes: list[Class]) -> Score:
    names: list[Look] = [look.name for look in classes]
    picks = [Pick(frame, p) for p, look in enumerate(table.looks[frame]) if look not in (COVERED, UNKNOWN)]
    logits = net.logits(net(torch.from_numpy(planes(table, picks))), classes)
    top, best = torch.softmax(logits[:, : len(names) + 1], 1).max(1)  # no hand is in the picture
    said = [names[n] if n < len(names) else "" for n in best.tolist()]
    wrong = np.array([look != table.looks[pick] for look, pick in zip(said, picks, strict=True)])
    sure = top.numpy() >= SURE
    wrongs, sures, both = (int(mask.sum()) for mask in (wrong, sure, wrong & sure))
    return Score(len(picks), wrongs, 1, int(wrongs == 0), sures, both)
