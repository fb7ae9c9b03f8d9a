"""What becomes of readings when the camera is mounted otherwise, the light or the picture is worse, or the
camera is bumped in the middle of a game. Writes its part of docs/accuracy.md.

    python -m benchmarks robustness [GAME…]

With games named, only these are told, and nothing is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks._changes import BUMPS, MOUNTED, WORSE, Change, shifted
from benchmarks._page import ACCURACY, table, write_part
from benchmarks._scenes import Entry, Scene, scenes, wrong_places
from vision.finding.finder import MOVED
from vision.finding.locate import BoardNotFoundError
from vision.reading.reader import Reader, Seen

LOOKS = 4
"""Frames of each picture in a stream, and in a second of it."""
EXPLAINED = """Made by `python -m benchmarks robustness`, on the scenes. A cell says: places wrong in 1,000,
in the frames that were read · frames that were read wrongly without a word · frames without a hand in which
the board was said to have moved, to be too dark, or to be behind a hand · hands not noticed. Turned pictures,
and those scaled after their names, were learned from as they are; all other changes come after learning. The
camera is shifted by a part of the picture half-way through a game, and is to notice it within a second."""


@dataclass
class Tally:
    """What became of the frames of one sequence under one change."""

    places: int = 0
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
        return 1000 * self.wrong / max(1, self.places * self.read)

    def add(self, scene: Scene, entry: Entry, seen: Seen) -> None:
        silent = seen.board == "ok" and not seen.sighting.hand
        if entry["hand"]:
            self.unseen += [entry["file"]] if silent else []
        elif not silent:
            self.told.append(f"{entry['file']}: {'hand' if seen.sighting.hand else seen.board}")
        else:
            wrong = wrong_places(seen.looks, scene.looks(entry))
            self.wrong, self.read = self.wrong + wrong, self.read + 1
            self.silent += [f"{entry['file']}: {wrong}"] if wrong else []

    def __str__(self) -> str:
        return f"{self.rate:.1f} · {len(self.silent)} · {len(self.told)} · {len(self.unseen)}"


def main(args: list[str]) -> int:
    folder = Path(__file__).resolve().parents[2] / "shared" / "scenes"
    found = {scene.game: scene for scene in scenes(folder)}
    if not found or set(args) - found.keys():
        print(f"robustness [GAME…]: there are scenes of {', '.join(found) or 'no game'}", file=sys.stderr)
        return 2
    rows: dict[str, list[str]] = {}
    for game in args or found:
        for name, told, more in _trials(found[game]):
            print(f"{game:16} {name:28} {told}  {more}", flush=True)
            rows.setdefault(name, []).append(told)
    if not args:
        lines = [[name, *cells] for name, cells in rows.items()]
        write_part(ACCURACY, "## Robustness", f"{EXPLAINED}\n\n{table(['change', *found], lines)}")
    return 0


def _trials(scene: Scene) -> Iterator[tuple[str, str, str]]:
    """Of each change its name, what goes into the table, and which frames were not as they should be."""
    for change in MOUNTED:
        yield _told(change.name, read_all(scene, mounted(scene, change), change))
    reader = scene.learned()
    for change in WORSE:
        yield _told(change.name, read_all(scene, reader, change))
    for name, across, down in BUMPS:
        bump = Bump.watched(scene, Reader(reader.profile, reader.board), across, down)
        yield (f"camera shifted {name}", *bump.told)


def _told(name: str, tally: Tally) -> tuple[str, str, str]:
    return name, str(tally), _faults(tally)


def _faults(tally: Tally) -> str:
    parts = ("silent", tally.silent), ("told", tally.told), ("hands", tally.unseen)
    return "; ".join(f"{name} {', '.join(dict.fromkeys(files))}" for name, files in parts if files)


def mounted(scene: Scene, change: Change) -> Reader | None:
    """None where the board is not found."""
    try:
        return scene.learned(lambda image: change.apply(image, scene.middle), change.turns)
    except BoardNotFoundError as error:
        print(f"{scene.game} {change.name}: {error}", flush=True)
        return None


def read_all(
    scene: Scene, reader: Reader | None, change: Change, entries: Iterable[Entry] | None = None
) -> Tally:
    """Each picture by itself; without a reader all count as not found."""
    tally = Tally()
    for entry in scene.entries if entries is None else entries:
        if reader is None:
            tally.told.append(f"{entry['file']}: not found")
            continue
        tally.places = len(reader.layout.places)
        tally.add(scene, entry, reader.read(change.apply(scene.picture(entry), scene.middle)))
    return tally


@dataclass
class Bump:
    """A stream in the middle of which the camera is shifted: how many seconds until a frame said so, and
    until the board was read again; None for never."""

    tally: Tally
    noticed: float | None = None
    found: float | None = None

    @classmethod
    def watched(
        cls, scene: Scene, reader: Reader, across: float, down: float, entries: Sequence[Entry] | None = None
    ) -> Bump:
        """Half of the pictures as they are, then half of them shifted."""
        entries = scene.entries if entries is None else entries
        bump = cls(Tally(len(reader.layout.places)))
        half = len(entries) // 2
        for entry, time in _stream(entries):
            image, since = scene.picture(entry), time - half
            if since >= 0:
                image = shifted(image, across, down)
            seen = reader.read(image, time + 1.0)
            bump.tally.add(scene, entry, seen)
            bump.look(seen, since)
        return bump

    def look(self, seen: Seen, since: float) -> None:
        if since < 0:
            return
        if self.noticed is None and MOVED in seen.sighting.trouble:
            self.noticed = since
        if self.noticed is not None and self.found is None and seen.board == "ok":
            self.found = since

    @property
    def told(self) -> tuple[str, str]:
        times = ("never" if t is None else f"{t:.2f} s" for t in (self.noticed, self.found))
        noticed, found = times
        return f"{self.tally} · noticed {noticed}, found {found}", _faults(self.tally)


def _stream(entries: Iterable[Entry]) -> Iterator[tuple[Entry, float]]:
    """Each picture for a second; its frames with their times."""
    for second, entry in enumerate(entries):
        for look in range(LOOKS):
            yield entry, second + look / LOOKS
