"""Measures how readings suffer from another mounting of the camera, from light, from arms and from bumps.

    python -m benchmarks robustness [--sets NAME…] [--most N] [--tables DIR] [--shared DIR] [--write]

The camera is mounted or its picture is cut otherwise; light or picture are worse; an arm is over the board;
or the camera is bumped in the middle of a game. It reads the scenes, random tables (`--tables`), and the
photographs of which it is known where the board lies. The options are those of `eyes`. Prints a table of the
changes; `--write` puts it into docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.eyes import all_sets, known, learned
from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.accuracy_page import ACCURACY, table, write_part
from benchmarks.picture_sets.changes import BUMPS, MOUNTED, WORSE, Change, hidden, reached_over, shifted
from benchmarks.picture_sets.series import Series, Shot, differing, thinned
from companion.core.game import Place
from vision.finding.board_tracker import MOVED
from vision.reading.reader import FrameReading, Reader

LOOKS = 4
"""Frames of each picture in a stream, and in a second of it."""
FEW = 8
"""Pictures of each set unless asked otherwise."""
EXPLAINED = """Made by `python -m benchmarks robustness`, on some pictures of each set. A cell says: places
wrong in 1,000, in the frames that were read · frames that were read wrongly without a word · frames without
a hand in which the board was said to have moved, to be too dark, or to be behind a hand, or could not be
learned · hands not noticed. Pictures that are turned, scaled after their names, cropped or rectified were
learned from as they are; all other changes come after learning. Under the drawn arm each frame has a hand:
places that it does not hide are scored, whether the hand was noticed or not. The camera is shifted by a
part of the picture half-way through a series, and is to notice it within a second: how many series noticed
it, and the longest time that one took."""


@dataclass
class Tally:
    """The counts of some series under one change: how their frames were read."""

    places: int = 0
    """Those that were scored."""
    wrong: int = 0
    read: int = 0
    silent: list[str] = field(default_factory=list)
    """Frames that were read wrongly without a word."""
    told: list[str] = field(default_factory=list)
    """Frames without a hand of which it was said that nothing can be read."""
    unseen: list[str] = field(default_factory=list)
    """Hands that were not noticed."""

    @property
    def rate(self) -> float:
        """Places wrong in 1,000 of those read."""
        return 1000 * self.wrong / max(1, self.places)

    def add(self, series: Series, shot: Shot, seen: FrameReading) -> None:
        """Adds what a reader made of a picture."""
        trouble = "hand" if seen.sighting.hand else "" if seen.board == "ok" else seen.board
        if shot.hand:
            if not trouble:
                self.unseen.append(shot.name)
            return
        if trouble:
            self.told.append(f"{shot.name}: {trouble}")
            return
        if shot.hand is False:
            wrong = self._score(series, shot, seen, frozenset())
            if wrong:
                self.silent.append(f"{shot.name}: {wrong}")

    def add_reached(self, series: Series, shot: Shot, seen: FrameReading, covered: frozenset[Place]) -> None:
        """Adds a frame with an arm over it that hides some places."""
        if not seen.sighting.hand:
            self.unseen.append(shot.name)
        if not seen.looks:
            self.told.append(f"{shot.name}: {seen.board}")
            return
        wrong = self._score(series, shot, seen, covered)
        self.silent += [f"{shot.name}: {wrong}"] if wrong and not seen.sighting.hand else []

    def _score(self, series: Series, shot: Shot, seen: FrameReading, covered: frozenset[Place]) -> int:
        if shot.looks is None:
            return 0
        said = known(series, seen.looks)
        shown = (series.places | said.keys() | shot.looks.keys()) - covered
        wrong = len(differing(said, shot.looks, series.places) - covered)
        self.places, self.wrong, self.read = self.places + len(shown), self.wrong + wrong, self.read + 1
        return wrong

    def __str__(self) -> str:
        return f"{self.rate:.1f} · {len(self.silent)} · {len(self.told)} · {len(self.unseen)}"

    @property
    def faults(self) -> str:
        parts = ("silent", self.silent), ("told", self.told), ("hands", self.unseen)
        return "; ".join(f"{name} {', '.join(dict.fromkeys(files))}" for name, files in parts if files)


@dataclass
class Bumps:
    """Streams in the middle of which the camera is shifted: of each, how many seconds until a frame said so,
    and until the board was read again; None for never."""

    tally: Tally = field(default_factory=Tally)
    noticed: list[float | None] = field(default_factory=list)
    found: list[float | None] = field(default_factory=list)

    def watch(self, series: Series, reader: Reader, across: float, down: float) -> None:
        """Reads half of the pictures as they are, then half of them shifted."""
        half, noticed, found = len(series.shots) // 2, None, None
        for shot, time in _stream(series.shots):
            image, since = shot.load(), time - half
            seen = reader.read(shifted(image, across, down) if since >= 0 else image, time + 1.0)
            self.tally.add(series, shot, seen)
            if since >= 0 and noticed is None and MOVED in seen.sighting.trouble:
                noticed = since
            if noticed is not None and found is None and seen.board == "ok":
                found = since
        self.noticed.append(noticed)
        self.found.append(found)

    def __str__(self) -> str:
        return f"{self.tally} · noticed {_longest(self.noticed)}, found {_longest(self.found)}"


def _longest(times: Sequence[float | None]) -> str:
    known_times = [time for time in times if time is not None]
    return f"{len(known_times)}/{len(times)}" + (f" in {max(known_times):.2f} s" if known_times else "")


def _stream(shots: Iterable[Shot]) -> Iterator[tuple[Shot, float]]:
    """Yields the frames of all pictures with their times: each picture is shown for a second."""
    for second, shot in enumerate(shots):
        for look in range(LOOKS):
            yield shot, second + look / LOOKS


def read_all(series: Series, reader: Reader | None, change: Change | None, tally: Tally) -> None:
    """Tallies each picture by itself; without a reader all count as not found."""
    for shot in series.shots:
        if reader is None:
            tally.told.append(f"{series.name} {shot.name}: not learned")
            continue
        image = shot.load()
        tally.add(series, shot, reader.read(change.apply(image, series.middle(shot)) if change else image))


def read_reached(series: Series, reader: Reader, tally: Tally) -> None:
    """Tallies each picture that has no hand, with an arm drawn over it."""
    for shot in series.shots:
        if shot.hand is not False:
            continue
        chance = Random(f"{series.name} {shot.name}")
        image, mask = reached_over(shot.load(), shot.measured, series.board, chance)
        tally.add_reached(series, shot, reader.read(image), hidden(mask, shot.measured, series.board))


def trials(column: Sequence[Series]) -> Iterator[tuple[str, Tally | Bumps]]:
    """Yields the name of each change, and what became of all series under it."""
    for mounting in MOUNTED:
        tally = Tally()
        for one in (series.mounted(mounting.frame) for series in column):
            read_all(one, learned(one), None, tally)
        yield mounting.name, tally
    taught = [(one, reader) for one in column if (reader := learned(one))]
    for change in (None, *WORSE):
        tally = Tally()
        for one, reader in taught:
            read_all(one, reader, change, tally)
        yield change.name if change else "as it is", tally
    tally = Tally()
    for one, reader in taught:
        read_reached(one, reader, tally)
    yield "an arm over the board", tally
    for name, across, down in BUMPS:
        bumps = Bumps()
        for one, reader in taught:
            bumps.watch(one, Reader(reader.profile, reader.board), across, down)
        yield f"camera shifted {name}", bumps


def columns(
    shared: Path, tables: Path | None, names: Sequence[str], most: int
) -> Mapping[str, Sequence[Series]]:
    """Returns the series that are read, by kind of pictures: those of which it is known where the board
    lies."""
    found: dict[str, list[Series]] = {}
    for one in all_sets(shared, tables):
        if names and not one.name.startswith(tuple(names)):
            continue
        measured = [series for series in one.series if series.shots[0].matrix is not None]
        kept = thinned(measured, most)
        if kept:
            found.setdefault(one.kind, []).extend(kept)
    return found


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks robustness")
    parser.add_argument("--sets", nargs="+", default=[], metavar="NAME", help="sets whose names begin so")
    parser.add_argument("--most", type=int, default=FEW, metavar="N", help="pictures of each set")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="random tables: DIR/SEED/GAME/truth.json")
    parser.add_argument("--shared", type=Path, default=SHARED, metavar="DIR", help="has photos/ and scenes/")
    parser.add_argument("--write", action="store_true", help="puts the table into docs/accuracy.md")
    asked = parser.parse_args(args)
    found = columns(asked.shared, asked.tables, asked.sets, asked.most)
    if not found:
        print("robustness: no such pictures; `benchmarks eyes` tells what sets there are", file=sys.stderr)
        return 2
    rows: dict[str, list[str]] = {}
    for kind, series in found.items():
        for name, told in trials(series):
            tally = told.tally if isinstance(told, Bumps) else told
            print(f"{kind:14} {name:26} {told}  {tally.faults[:200]}", file=sys.stderr, flush=True)
            rows.setdefault(name, []).append(str(told))
    body = table(["change", *found], [[name, *cells] for name, cells in rows.items()])
    print(body)
    if asked.write:
        write_part(ACCURACY, "## Robustness", f"{EXPLAINED}\n\n{body}")
    return 0
