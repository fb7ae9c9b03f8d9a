"""Plays at one table for hours, lets things go wrong, and compares the end with the start.

    python -m benchmarks soak [--hours 8] [--seed 1] [--watched 3]

A virtual table with camera and grid, twenty displays, random players and their clocks. Camera and grid are
away and come back, the disk is full, the time of day jumps, and in the first tenth the process is killed
(`kill -9`) and started again. The table's time is virtual, so that eight hours pass in minutes; the displays
follow the real server. The grid follows all games, the camera a short one in three (`--watched`; 0 for none),
for its pictures take more time than all the rest.

Prints what was played; memory, descriptors, threads and the time from the table to the displays, after
warming up and at the end; and what got lost. The marks: memory grows by at most 5 %, descriptors and threads
not at all, and nothing is lost. Where memory grew, a further life says in which files.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import TypeVar

from benchmarks.running.companion import forks
from benchmarks.running.figures import spread
from benchmarks.soaking.displays import Display
from benchmarks.soaking.life import Ended, News, Reported, Served, Span, Told, Use, live
from companion.core.errors import CompanionError
from companion.core.game import Action
from companion.store.store import Store

HOURS, DISPLAYS, KILLS, WATCHED = 8.0, 20, 3, 3
SHAKEDOWN = 0.1
"""The share of the hours in which the process is killed."""
GROWTH = 0.05
"""By how much memory may grow."""
ENOUGH = 4
"""Looks at what is used, fewer than which tell nothing of growth."""
TRACED = 1.0
"""Hours of a life whose memory is traced."""
Actions = tuple[Action, ...]
Noted = TypeVar("Noted", Told, Use)


@dataclass
class Record:
    """The players' knowledge of a game: the actions that were done, and those that are being done."""

    done: Actions = ()
    doing: Actions = ()

    def fits(self, found: Actions) -> bool:
        return found in (self.done, self.doing)


@dataclass
class Evening:
    """All that was heard of the lives of a table."""

    records: dict[int, Record] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    use: list[Use] = field(default_factory=list)
    ended: Ended | None = None
    kills: int = 0
    lost: list[str] = field(default_factory=list)

    def hear(self, news: News) -> None:
        match news:
            case Reported("begun", number, actions):
                known = self.records.setdefault(number, Record(actions, actions))
                if not known.fits(actions):
                    self.lost.append(f"game {number} goes on with {actions}; the players know {known}")
                self.records[number] = Record(actions, actions)
            case Reported("doing", number, actions):
                self.records[number].doing = actions
            case Reported(_, number, actions):
                self.records[number] = Record(actions, actions)
            case Told():
                self.told.append(news)
            case Use():
                if self.use and news.now // 3600 > self.use[-1].now // 3600:
                    print(f"{news.now / 3600:.1f} hours, {news.memory / 1e6:.0f} MB", flush=True)
                self.use.append(news)
            case Ended():
                self.ended = news


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks soak")
    parser.add_argument("--hours", type=float, default=HOURS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--watched", type=int, default=WATCHED, help="the camera watches one game in so many")
    options = parser.parse_args(args)
    os.environ.setdefault(
        "MALLOC_ARENA_MAX", "2"
    )  # as the service has it: else freed memory is kept in many heaps
    with tempfile.TemporaryDirectory() as name:
        return soak(Path(name), 3600 * options.hours, options.watched, random.Random(options.seed))


def soak(folder: Path, seconds: float, watched: int, chance: random.Random) -> int:
    """Lets a table live for so long in this folder, prints the report, and returns the exit status."""
    evening, shakedown = Evening(), SHAKEDOWN * seconds
    with _displays() as displays:
        for n in range(KILLS):
            part = shakedown / KILLS
            span = Span(n * part, (n + 1) * part, f"{chance.random()}", watched, is_anew=False)
            _live(evening, displays, folder, span, kill=chance)
        evening.told.clear()
        evening.use.clear()
        _live(evening, displays, folder, Span(shakedown, seconds, f"{chance.random()}", watched))
    evening.lost += _missing(folder, evening, displays)
    is_more = _report(evening, displays, shakedown, seconds)
    if is_more:
        _trace(folder, seconds, watched)
    print("\n".join(evening.lost))
    return 1 if evening.lost or is_more else 0


@contextmanager
def _displays() -> Iterator[list[Display]]:
    displays = [Display(f"127.0.1.{n + 1}") for n in range(DISPLAYS)]
    for display in displays:
        display.start()
    try:
        yield displays
    finally:
        for display in displays:
            display.stop()
        for display in displays:
            display.join()


def _live(
    evening: Evening,
    displays: Sequence[Display],
    folder: Path,
    span: Span,
    kill: random.Random | None = None,
) -> None:
    """Lets a process live for so long, or until it is killed in the midst of what it reports."""
    left = kill.randint(1, 6) if kill else -1
    hears, says = forks.Pipe(duplex=False)
    process = forks.Process(target=live, args=(folder, span, says), daemon=True)
    process.start()
    says.close()
    try:
        while True:
            news: News = hears.recv()
            evening.hear(news)
            if isinstance(news, Served):
                for display in displays:
                    display.port = news.port
            left -= isinstance(news, Reported)
            if left == 0:
                process.kill()
                evening.kills += 1
                left = -1
    except (EOFError, OSError):  # it has ended
        for display in displays:
            display.port = None
    process.join()
    if process.exitcode and not kill:
        evening.lost.append(f"the table's process ended with status {process.exitcode}")
    process.close()
    hears.close()


def _missing(folder: Path, evening: Evening, displays: Sequence[Display]) -> list[str]:
    """Returns what the store or a display lacks of what was played."""
    lost = list(evening.ended.failures) if evening.ended else ["the table did not live to the end"]
    with Store(folder / "games.sqlite") as store:
        stored = {summary.id for summary in store.list(limit=len(evening.records) + 100)}
        for number, record in evening.records.items():
            try:
                found = store.load(number).session().actions
            except CompanionError as error:
                lost.append(str(error))
                continue
            if not record.fits(found):
                lost.append(f"game {number} is stored as {found}; the players know {record}")
        lost += [f"game {number} was never played" for number in stored - evening.records.keys()]
    if evening.ended:
        behind = sum(display.latest != evening.ended.tag for display in displays)
        lost += [f"{behind} displays do not show the end"] if behind else []
    return lost


def _tell_play(evening: Evening, displays: Sequence[Display], hours: float) -> None:
    counts = dict(sorted(evening.ended.counts.items())) if evening.ended else {}
    print(f"{hours:g} hours, {evening.kills} kills, {len(evening.records)} games, then {counts}")
    print(f"{DISPLAYS} displays, connected {sum(display.connected for display in displays)} times")


def _report(evening: Evening, displays: Sequence[Display], start: float, end: float) -> bool:
    """Prints the figures; returns whether memory, descriptors or threads have grown."""
    _tell_play(evening, displays, end / 3600)
    quarter = (end - start) / 4
    first, last = (start + quarter, start + 2 * quarter), (end - quarter, inf)
    for name, part in (("after warming up", first), ("at the end", last)):
        delays = _delays(_within(part, evening.told), displays)
        print(f"from the table to a display, {name}: {spread(delays)}")
    return has_grown(_within(first, evening.use), _within(last, evening.use))


def _within(part: tuple[float, float], noted: Sequence[Noted]) -> list[Noted]:
    return [item for item in noted if part[0] <= item.now <= part[1]]


MEASURES: tuple[tuple[str, Callable[[Use], float], float], ...] = (
    ("memory (MB)", lambda use: use.memory / 1e6, GROWTH),
    ("descriptors", lambda use: use.descriptors, 0.0),
    ("threads", lambda use: use.threads, 0.0),
)


def has_grown(first: Sequence[Use], last: Sequence[Use]) -> bool:
    """Prints what was used after warming up and at the end; returns whether any of it grew too much."""
    if min(len(first), len(last)) < ENOUGH:
        print(f"too short to tell growth: {len(first)} looks after warming up, {len(last)} at the end")
        return False
    grown = [_compare(name, first, last, get, allowed) for name, get, allowed in MEASURES]
    return any(grown)


def _compare(
    name: str, first: Sequence[Use], last: Sequence[Use], get: Callable[[Use], float], allowed: float
) -> bool:
    """Prints a measure of two quarters; returns whether its middle grew by more than allowed."""
    before, after = (statistics.median(map(get, part)) for part in (first, last))
    most = max(map(get, [*first, *last]))
    grown = f"{after / before - 1:+.1%}"
    print(f"{name}: {before:.1f} after warming up, {after:.1f} at the end ({grown}), most {most:.1f}")
    return after > before * (1 + allowed)


def _delays(told: Sequence[Told], displays: Sequence[Display]) -> list[float]:
    """Returns the seconds from the table to each display, of the states that it was shown."""
    return [
        max(0.0, display.shown[state.tag] - state.at)
        for state in told
        for display in displays
        if state.tag in display.shown
    ]


def _trace(folder: Path, end: float, watched: int) -> None:
    """Lives for another hour with its memory traced, and prints the files whose memory grew most."""
    evening = Evening()
    with _displays() as displays:
        span = Span(end, end + 3600 * TRACED, "traced", watched, is_traced=True)
        _live(evening, displays, folder, span)
    for line in evening.ended.grown if evening.ended else ():
        print(f"  {line}")
