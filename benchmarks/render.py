"""What a frame of the virtual camera costs, for each game: one core, processor time, 640x480.

`python -m benchmarks render [FRAMES]`: per game the first picture (board and pieces drawn anew), then
frames of a quiet table, frames with a hand that carries a piece, and frames just after a piece was put down.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from random import Random

import cv2
import numpy as np

from companion import games
from companion.text import replay
from vision.virtual.gesture import carry
from vision.virtual.render import Painter, overlook
from vision.virtual.tabletop import Tabletop, lay

WANTED = 30.0  # frames a second


def main(args: list[str]) -> int:
    count = int(args[0]) if args else 120
    cv2.setNumThreads(1)
    print(f"{'game':16}{'first':>8}{'quiet ms':>20}{'hand ms':>20}{'moved ms':>20}{'worst rate':>13}")
    print(f"{'':16}{'ms':>8}" + f"{'p50   p95   p99':>20}" * 3 + f"{'p95 of hand':>13}")
    for name in games.installed():
        print(_line(name, count))
    return 0


def _line(name: str, count: int) -> str:
    table, painter, rng = _table(name)
    chance = np.random.default_rng(1)
    first = _cost(lambda: painter.draw(table, chance))
    quiet = [_cost(lambda: painter.draw(table, chance)) for _ in range(count)]
    hand = [_cost(lambda t=t: painter.draw(t, chance)) for t in islice(_carrying(table, rng), count)]  # type: ignore[misc]
    moved = [_cost(lambda t=t: painter.draw(t, chance)) for t in islice(_moving(table, rng), count)]  # type: ignore[misc]
    rate = 1000 / float(np.percentile(hand, 95))
    shown = "".join(f"{_percentiles(costs):>20}" for costs in (quiet, hand, moved))
    return f"{name:16}{first:8.0f}{shown}{rate:7.0f}/s {rate / WANTED:4.1f}x"


def _table(name: str) -> tuple[Tabletop, Painter, Random]:
    game, position, _ = replay(name)
    rng = Random(1)
    return lay(game.rules, position, game.board, rng), Painter(game.board, overlook(game.board)), rng


def _carrying(table: Tabletop, rng: Random) -> Iterator[Tabletop]:
    """A hand that carries one thing after the other to a site, 20 frames for each of its ways."""
    for item, site in zip(cycle(table.items), cycle(table.board.sites.values())):
        yield from carry(table, item, site, rng, moments=20)


def _moving(table: Tabletop, rng: Random) -> Iterator[Tabletop]:
    """A table on which at each frame something has just been put down elsewhere."""
    for site in cycle(table.board.sites.values()):
        table = table.move(table.items[0].at, site, rng)
        yield table


def _cost(work: Callable[[], object]) -> float:
    """Milliseconds of processor time."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _percentiles(costs: list[float]) -> str:
    return "".join(f"{value:6.1f}" for value in np.percentile(costs, [50, 95, 99]))
