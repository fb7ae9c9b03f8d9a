"""One life of the table, in a process of its own, which may be killed at any moment.

It says over a pipe where its page is, what its players do, when which state was told, and from time to time
what it uses.
"""

from __future__ import annotations

import gc
import logging
import os
import time
import tracemalloc
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import TypeAlias

from benchmarks.running.figures import memory
from benchmarks.soaking.players import Play
from benchmarks.soaking.stage import Stage
from companion.core.game import Action
from companion.table.snapshot import Happening

SAMPLES = 240.0
"""Seconds of the stage between two looks at what the process uses."""
LARGEST = 12
"""The number of files that are named of those that hold more memory than before."""


@dataclass(frozen=True)
class Served:
    """The port of the page."""

    port: int


@dataclass(frozen=True)
class Reported:
    """A report of the players: an action is `begun`, `doing` or `done`; and the actions that then stand."""

    kind: str
    number: int
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Told:
    """A state that the table has told, by the tag that displays know it by, and when (s, monotonic)."""

    tag: str
    at: float
    now: float


@dataclass(frozen=True)
class Use:
    """The resources that the process uses at a time of the stage."""

    now: float
    memory: int
    descriptors: int
    threads: int
    processor: float


@dataclass(frozen=True)
class Ended:
    """The end of a life that was lived to its end."""

    tag: str
    counts: Counter[str] = field(default_factory=Counter)
    failures: tuple[str, ...] = ()
    grown: tuple[str, ...] = ()
    """The files whose memory grew most, where that was traced."""


News: TypeAlias = Served | Reported | Told | Use | Ended


@dataclass(frozen=True)
class Span:
    """A life from one time of the stage to another (s). It begins with another game where it `is_anew`, and
    the camera watches one game in `watched`."""

    start: float
    end: float
    seed: str
    watched: int
    is_anew: bool = True
    is_traced: bool = False


def live(folder: Path, span: Span, out: Connection) -> None:
    """Lives for so long."""
    start, end = span.start, span.end
    logging.disable(logging.ERROR)  # that sources and disk fail is meant
    rng = Random(span.seed)
    with Stage(folder, start, rng) as stage:

        def hear(happening: Happening) -> None:
            if happening.event == "action":
                out.send(Told(stage.tag, time.monotonic(), stage.clock.now))

        stage.desk.hear = hear
        play = Play(stage, rng, lambda *done: out.send(Reported(*done)), span.watched)
        out.send(Served(stage.port))
        play.resume()
        if span.is_anew:
            play.begin()
        looked, before = start, None
        while stage.clock.now < end:
            play.turn()
            if stage.clock.now - looked >= SAMPLES:
                looked = stage.clock.now
                out.send(_use(looked))
                before = before or (
                    _trace() if span.is_traced and looked - start > (end - start) / 4 else None
                )
        out.send(_use(stage.clock.now))
        grown = _grown(before, tracemalloc.take_snapshot()) if before else ()
        out.send(Ended(stage.tag, play.counts, tuple(play.failures), grown))
        time.sleep(1.0)  # the displays read to the end


def _use(now: float) -> Use:
    gc.collect()
    descriptors, threads = (len(list(Path(f"/proc/self/{part}").iterdir())) for part in ("fd", "task"))
    return Use(now, memory([os.getpid()]), descriptors, threads, time.process_time())


def _trace() -> tracemalloc.Snapshot:
    if not tracemalloc.is_tracing():
        tracemalloc.start()
    return tracemalloc.take_snapshot()


def _grown(before: tracemalloc.Snapshot, after: tracemalloc.Snapshot) -> tuple[str, ...]:
    found = after.compare_to(before, "filename")[:LARGEST]
    return tuple(f"{stat.size_diff / 1000:+.0f} kB {stat.traceback}" for stat in found)
