"""Measures how well pictures are read: real photographs, the scenes and random tables, the worst set first.

    python -m benchmarks eyes [--sets NAME…] [--most N] [--tables DIR] [--shared DIR] [--json FILE] [--write]
    python -m benchmarks eyes games …

`--sets` keeps the sets whose names begin so; `--most` reads at most N pictures of each set; `--tables` adds
random tables, DIR/SEED/GAME/truth.json; `--json` writes all figures; `--write` puts the tables into
docs/accuracy.md. Photographs and scenes lie in the folder of test data beside the checkout, or in `--shared`.
Prints a table of the sets, and one of how often readings of each probability are right.
`eyes games` makes whole games out of the photographs and watches them:
`benchmarks/picture_sets/watched_games.py` says how.
"""

from __future__ import annotations

import argparse
import json
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.picture_sets import SHARED, watched_games
from benchmarks.picture_sets.accuracy_page import ACCURACY, table, write_part
from benchmarks.picture_sets.photographs import PhotoSet, photo_sets
from benchmarks.picture_sets.rendered_scenes import scenes
from benchmarks.picture_sets.series import Series, Shot, differing, thinned
from companion.core.game import Place
from vision.calibration.calibrate import CameraCalibrationError
from vision.calibration.profile import ProfileError
from vision.finding.locate import BoardNotFoundError
from vision.reading.picture import chance
from vision.reading.reader import FrameReading, Reader

T = TypeVar("T")
SURE = 0.99
"""The probability from which a reading counts as said for certain."""
EDGES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 1.0)
"""The edges of the bins of the reliability table; each bin holds its lower edge, the last one both."""
PHOTOGRAPHS, TABLES, SCENES = "photographs", "random tables", "scenes"
ABOUT = """Made by `python -m benchmarks eyes`, the worst set first. Photographs by one camera are learned
from one picture, that with most pieces, and the others are read; scenes and random tables are learned from
the empty board, the start position, and at most two later pictures that show a look for the first time.
What cannot be read counts as if it had been told empty. Places are not scored where a hand is in the
picture. "Put straight": the camera was moved from picture to picture, so each was made straight by its
corners first. Sets that are marked `*` are learned from the very picture that is read: they say that
nothing is lost, no more, and are not in the table of reliability. Not scored are pictures with no other by
the same camera to learn from, those of the empty board alone, and settlerseye-catan, which says where
pieces lie in the picture but not on which places."""
RELIABLE = """What is said with a probability, by what it turned out to be: share right of places said (number
of places)."""
HEADS = [
    "set",
    "pictures",
    "places wrong in 1,000",
    "wholly right",
    f"p ≥ {SURE} and wrong",
    "hands noticed",
    "false alarms",
    "not read",
    "not scored",
]


@dataclass
class Score:
    """The counts of a set: how its pictures were read."""

    name: str
    kind: str
    alone: bool = False
    pictures: int = 0
    """Those of which places are scored."""
    places: int = 0
    wrong: int = 0
    right: int = 0
    """Pictures that were read wholly right."""
    unread: int = 0
    hands: int = 0
    noticed: int = 0
    quiet: int = 0
    """Pictures in which there is no hand."""
    alarms: int = 0
    unscored: int = 0
    said: list[tuple[float, bool]] = field(default_factory=list)
    """For each place that was read how probable it was said to be, and whether it was right."""

    @property
    def rate(self) -> float:
        """Places wrong in 1,000."""
        return 1000 * self.wrong / max(1, self.places)

    @property
    def sure(self) -> tuple[int, int]:
        """Returns the number of places that were said for certain, and of the wrong ones among them."""
        sure = [right for p, right in self.said if p >= SURE]
        return len(sure), sure.count(False)

    def add(self, series: Series, shot: Shot, seen: FrameReading | None) -> None:
        """Adds what a reader made of a picture; None where nothing could be learned."""
        read = seen is not None and seen.sighting.observation is not None
        self.unread += not read
        self._add_hand(shot, seen is not None and seen.sighting.hand)
        if shot.hand is not False or shot.looks is None:
            return
        said = {} if seen is None else known(series, seen.looks)
        self.pictures += 1
        wrong = differing(said, shot.looks, series.places)
        self.places += len(series.places | said.keys() | shot.looks.keys())
        self.wrong += len(wrong)
        self.right += read and not wrong
        if seen is not None and seen.sighting.observation is not None:
            readings = known(series, seen.sighting.observation.readings)
            self.said += [(chance(reading)[1], place not in wrong) for place, reading in readings.items()]

    def _add_hand(self, shot: Shot, told: bool) -> None:
        if shot.hand is True:
            self.hands, self.noticed = self.hands + 1, self.noticed + told
        elif shot.hand is False:
            self.quiet, self.alarms = self.quiet + 1, self.alarms + told

    def row(self) -> list[str]:
        sure, wrong = self.sure
        return [
            self.name + "*" * self.alone,
            str(self.pictures),
            f"{self.rate:.1f}",
            f"{self.right}/{self.pictures}",
            f"{wrong}/{sure} ({100 * wrong / max(1, sure):.2f} %)",
            f"{self.noticed}/{self.hands}" if self.hands else "-",
            f"{self.alarms}/{self.quiet}",
            str(self.unread),
            str(self.unscored),
        ]

    def to_json(self) -> dict[str, Any]:
        sure, wrong = self.sure
        return {
            "set": self.name,
            "kind": self.kind,
            "alone": self.alone,
            "pictures": self.pictures,
            "places": self.places,
            "wrong": self.wrong,
            "right": self.right,
            "unread": self.unread,
            "sure": sure,
            "sure_wrong": wrong,
            "hands": self.hands,
            "noticed": self.noticed,
            "quiet": self.quiet,
            "alarms": self.alarms,
            "unscored": self.unscored,
            "said": [[low, high, *count] for (low, high), count in zip(BINS, binned(self.said), strict=True)],
        }


BINS = tuple(pairwise(EDGES))


def known(series: Series, told: Mapping[Place, T]) -> dict[Place, T]:
    """Keeps what is said of places whose truth is known."""
    return {place: value for place, value in told.items() if place not in series.unlabelled}


def binned(said: Sequence[tuple[float, bool]]) -> list[tuple[int, int]]:
    """Returns for each bin how many places were said with such a probability, and how many of them
    rightly."""
    counts = [[0, 0] for _ in BINS]
    for p, right in said:
        at = min(bisect_right(EDGES, p) - 1, len(BINS) - 1)
        counts[at][0] += 1
        counts[at][1] += right
    return [(number, right) for number, right in counts]


@dataclass(frozen=True)
class Set:
    """Series that are told as one."""

    name: str
    kind: str
    series: tuple[Series, ...]
    unscored: int = 0


def all_sets(shared: Path, tables: Path | None) -> Iterator[Set]:
    for photos in photo_sets(shared / "photos"):
        yield _photographs(photos)
    yield from rendered(SCENES, shared / "scenes")
    if tables:
        yield from rendered(TABLES, tables)


def _photographs(photos: PhotoSet) -> Set:
    return Set(photos.name, PHOTOGRAPHS, photos.series, photos.unscored)


def rendered(kind: str, folder: Path) -> Iterator[Set]:
    """Yields a set for each game."""
    found = sorted(scenes(folder), key=lambda scene: scene.game)
    for game, group in groupby(found, lambda scene: scene.game):
        yield Set(f"{kind}, {game}", kind, tuple(scene.series for scene in group))


def score(one: Set, most: int | None) -> Score:
    """Returns the score of all pictures of a set, or of at most so many."""
    told = Score(one.name, one.kind, all(series.alone for series in one.series), unscored=one.unscored)
    for series in thinned(one.series, most):
        reader = learned(series)
        for shot in series.shots:
            told.add(series, shot, reader.read(shot.load()) if reader else None)
    return told


def learned(series: Series) -> Reader | None:
    """Returns None, and a line that says why, where it cannot be learned."""
    try:
        return series.learned()
    except (BoardNotFoundError, CameraCalibrationError, ProfileError) as error:
        print(f"{series.name}: {error}", file=sys.stderr, flush=True)
        return None


def reliability(scores: Sequence[Score]) -> str:
    """Returns a table of how often readings are right, by the probability with which they were said.

    Sets of which each picture is its own lesson are left out.
    """
    said: dict[str, list[tuple[float, bool]]] = {}
    for score in scores:
        readings = said.setdefault(score.kind, [])
        if not score.alone:
            readings += score.said
    heads = ["said with p"]
    rows = [[_bin_name(low, high)] for low, high in BINS]
    for kind in (PHOTOGRAPHS, TABLES, SCENES):
        if kind not in said:
            continue
        heads.append(kind)
        for row, count in zip(rows, binned(said[kind]), strict=True):
            row.append(_share(*count))
    return table(heads, rows)


def _bin_name(low: float, high: float) -> str:
    if low == 0:
        return f"under {high}"
    return f"{low} and more" if high == 1 else f"{low} to {high}"


def _share(number: int, right: int) -> str:
    return f"{100 * right / number:.2f} % ({number})" if number else "-"


def main(args: list[str]) -> int:
    if args[:1] == ["games"]:
        return watched_games.main(args[1:])
    parser = argparse.ArgumentParser(prog="python -m benchmarks eyes")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="only sets whose names begin so")
    parser.add_argument("--most", type=int, metavar="N", help="at most so many pictures of each set")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="random tables: DIR/SEED/GAME/truth.json")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="DIR", help="has photos/ and scenes/")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, as JSON")
    parser.add_argument("--write", action="store_true", help="puts the tables into docs/accuracy.md")
    asked = parser.parse_args(args)
    found = list(all_sets(asked.shared, asked.tables))
    wanted = [s for s in found if not asked.sets or s.name.startswith(tuple(asked.sets))]
    if not wanted:
        names = "; ".join(s.name for s in found) or "none: name a folder with --shared or --tables"
        print(f"eyes: no such set; there are {names}", file=sys.stderr)
        return 2
    scores = []
    for one in wanted:
        scores.append(score(one, asked.most))
        print("  ".join(scores[-1].row()), file=sys.stderr, flush=True)
    scores.sort(key=lambda s: -s.rate)
    body = f"{table(HEADS, [s.row() for s in scores])}\n\n{RELIABLE}\n\n{reliability(scores)}"
    print(body)
    if asked.json:
        asked.json.write_text(json.dumps([s.to_json() for s in scores], indent=1) + "\n", encoding="utf-8")
    if asked.write:
        about = f"{ABOUT} At most {asked.most} pictures of each set were read." if asked.most else ABOUT
        write_part(ACCURACY, "# Accuracy", f"{about}\n\n{body}")
    return 0
