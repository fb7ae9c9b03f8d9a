"""Measures what a frame of the virtual camera costs, for each game: one core, 640x480.

    python -m benchmarks render [FRAMES]

Prints a line for each game, in milliseconds of processor time: the first picture, for which board and pieces
are drawn anew; then percentiles of frames of a quiet table, of frames with a hand that carries a piece, and
of frames just after a piece was put down. The last columns tell how many frames with a hand fit into a
second, and how many times the 30 that a live picture needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from random import Random

import cv2
import numpy as np

from companion import games
from companion.core.board import Point
from companion.games.text import replay
from vision.virtual.layout import plank
from vision.virtual.render import Painter, overlook
from vision.virtual.tabletop import Item, Tabletop, lay

WANTED = 30.0
"""Frames a second."""
FRAMES = 120
"""Frames of each kind, unless said otherwise."""
MOMENTS = 20
"""Frames for each way of a hand."""
SOUTH = -90.0
"""The side that hands come from; degrees."""
FAR = 1.6
"""The distance from outside the board at which a hand begins, in lengths of the board."""


def main(args: list[str]) -> int:
    """Prints the costs of every game's frames."""
    count = int(args[0]) if args else FRAMES
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
    """Yields tables with a hand that carries one thing after the other to a site."""
    for item, site in zip(cycle(table.items), cycle(table.board.sites.values())):
        yield from _carried(table, item, site, rng)


def _carried(table: Tabletop, item: Item, end: Point, rng: Random) -> Iterator[Tabletop]:
    """Yields the moments in which a hand comes, takes a thing, puts it down at a point and leaves."""
    for at in _way(_outside(table, item.at), item.at):
        yield table.reach(at, SOUTH)
    held = table.grasp(item, SOUTH)
    start = held.hand.at if held.hand else item.at
    for at in _way(start, end):
        yield held.reach(at)
    put = held.reach(end).release(rng)
    for at in _way(end, _outside(table, end)):
        yield put.reach(at, SOUTH)
    yield put


def _way(start: Point, end: Point) -> Iterator[Point]:
    for n in range(MOMENTS + 1):
        share = n / MOMENTS
        yield start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _outside(table: Tabletop, at: Point) -> Point:
    """Returns the point outside the table from which a hand reaches for another one."""
    wood = plank(table.board)
    return at[0], at[1] - FAR * max(wood.east - wood.west, wood.north - wood.south)


def _moving(table: Tabletop, rng: Random) -> Iterator[Tabletop]:
    """Yields tables on which something has just been put down elsewhere."""
    for site in cycle(table.board.sites.values()):
        table = table.move(table.items[0].at, site, rng)
        yield table


def _cost(work: Callable[[], object]) -> float:
    """Returns the milliseconds of processor time that some work takes."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _percentiles(costs: list[float]) -> str:
    return "".join(f"{value:6.1f}" for value in np.percentile(costs, [50, 95, 99]))
