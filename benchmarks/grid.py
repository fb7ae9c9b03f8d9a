"""Measures the sensor grid; without arguments all parts, at a small size.

    python -m benchmarks grid latency [--presses N]
    python -m benchmarks grid games [GAME…] [--games N] [--plies N] [--seed S] [--verbose]
    python -m benchmarks grid network [GAME…] [--games N] [--plies N] [--seed S] [--verbose]
    python -m benchmarks grid unplug [GAME…] [--times N]

`latency` prints for each variant of the firmware, on a simulated chip, the milliseconds of simulated time
from the pin to the message's last byte; and how fast frames are read. `games` follows whole games from
occupancy alone, with hands that vary the order of lifts, slide, waver and adjust, with wrong readings and
with contacts that chatter; it prints how actions were told. `network` does the same
through a TCP port, for a game of each kind. `unplug` pulls the cable again and again in a
game, with moves made while it is out; it prints what became of them.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from benchmarks.simulation.chip import Sent, SimulatedBoard, act, missing_tools, script
from benchmarks.simulation.grid_games import PLIES, run
from benchmarks.simulation.grid_stage import NetworkStage, Stage
from benchmarks.simulation.grid_unplug import interrupt
from companion.core.board import load_board
from companion.games import GAMES
from firmware_bridge.line.frames import Frame, FrameCutter, write_frame
from firmware_bridge.line.messages import TO_HOST, Change, Peer, Sensor
from firmware_bridge.line.wiring import CONTROLLERS, wire

VARIANTS = (
    ("triune", Sensor.REED, "uno"),
    ("magnet", Sensor.REED, "mega"),
    ("triune", Sensor.DIGITAL, "uno"),
    ("magnet", Sensor.DIGITAL, "mega"),
    ("triune", Sensor.ANALOGUE, "uno"),
    ("magnet", Sensor.ANALOGUE, "mega"),
)
FRAMES = 100_000
HEADS = ["chess", "triune"]
COLUMNS = (
    "games", "whole", "actions", "right", "asked", "wrong", "stuck", "lost", "flips", "flips asked",
    "moves asked", "illegal", "refused", "believed", "unrestored",
)  # fmt: skip


def main(args: list[str]) -> int:
    given = _parse(args)
    if given.part in ("latency", "all"):
        latency(given.presses)
    if given.part in ("games", "all"):
        games(given.heads or HEADS, given)
    if given.part in ("network", "all"):
        games(given.heads or [*GAMES], given, NetworkStage)
    if given.part in ("unplug", "all"):
        for head in given.heads or HEADS:
            print(f"{head}: {interrupt(head, given.times, random.Random(given.seed))}", flush=True)
    return 0


def games(heads: list[str], given: argparse.Namespace, stage: type[Stage] = Stage) -> None:
    """Prints a line for each kind of game; `actions` is the sum of right, asked, wrong and stuck."""
    print(f"{'':16}{''.join(f'{name:>12}' for name in COLUMNS)}   asked once in   seconds")
    for head in heads:
        total, began = Counter[str](), time.perf_counter()
        for number, tally in enumerate(run(head, given.games, given.plies, given.seed, stage)):
            total += tally.counts
            for line in tally.failures if given.verbose else ():
                print(f"    game {number}, {line}", flush=True)
        figures = "".join(f"{total[name]:12}" for name in COLUMNS)
        once = total["actions"] / max(total["moves asked"], 1)
        print(f"{head:16}{figures}{once:16.0f}{time.perf_counter() - began:10.0f}", flush=True)


def latency(count: int) -> None:
    if missing := missing_tools():
        print(missing)
    else:
        for board, sensor, controller in VARIANTS:
            report(board, sensor, controller, count)
    print(f"frames read: {read_speed():,.0f} a second", flush=True)


def report(board: str, sensor: Sensor, controller: str, count: int) -> None:
    latencies = sorted(measure(board, sensor, controller, count))
    p50, p95, worst = (latencies[int(share * (len(latencies) - 1))] for share in (0.5, 0.95, 1))
    name = f"{board}-{sensor.name.lower()}-{controller}"
    print(f"{name:24} p50 {p50:5.1f}  p95 {p95:5.1f}  worst {worst:5.1f} ms  ({len(latencies)} of {count})")


def measure(board: str, sensor: Sensor, controller: str, count: int) -> list[float]:
    """Returns the milliseconds that each press takes."""
    rng, sent, pressed = random.Random(1), [], []
    wiring = wire(load_board(board), sensor, CONTROLLERS[controller])
    with SimulatedBoard(wiring) as grid:
        grid.advance(60)
        for press in script(wiring.sites, count, rng, wait=15, rest=80):
            sent += act(grid, press, rng)
            pressed.append(grid.time)
        sent += grid.advance(100)
    times = [frame.time for frame in sent if isinstance(_message(frame), Change)]
    return [(end - start) / 1000 for start, end in zip(pressed, times, strict=True)]


def _message(frame: Sent) -> object:
    return next(Peer(TO_HOST).events(b"\0" + frame.encoded + b"\0"))


def read_speed() -> float:
    """Returns how many good frames are read in a second, given in pieces of a kilobyte."""
    wire_bytes = b"".join(write_frame(0x83, n % 256, bytes(8)) for n in range(FRAMES))
    reader, start = FrameCutter(), time.perf_counter()
    count = 0
    for at in range(0, len(wire_bytes), 1024):
        count += sum(isinstance(f, Frame) for f in reader.frames(wire_bytes[at : at + 1024]))
    return count / (time.perf_counter() - start)


def _parse(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks grid", description=__doc__.splitlines()[0])
    parser.add_argument(
        "part", nargs="?", choices=("latency", "games", "network", "unplug", "all"), default="all"
    )
    parser.add_argument(
        "heads", metavar="GAME", nargs="*", help="by default chess and triune, over the network all"
    )
    parser.add_argument("--presses", type=int, default=300)
    parser.add_argument("--games", type=int, default=5, help="games of each kind")
    parser.add_argument("--plies", type=int, default=PLIES, help="actions of a game at most")
    parser.add_argument("--times", type=int, default=20, help="how often the cable is pulled")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="show what went wrong")
    return parser.parse_args(args)
