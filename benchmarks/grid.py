"""The sensor grid: latency of the firmware on a simulated chip, and speed of the frame reader.

`python -m benchmarks grid [PRESSES]`: for each variant, milliseconds of simulated time from the pin to the
message's last byte.
"""

from __future__ import annotations

import random
import time

from companion.board import load_board
from firmware_bridge.frames import Frame, Reader, write_frame
from firmware_bridge.messages import TO_HOST, Change, Peer, Sensor
from firmware_bridge.wiring import CONTROLLERS, wire
from hardware.simulated import Sent, SimulatedBoard, act, missing_tools, script

VARIANTS = (
    ("triune", Sensor.REED, "uno"),
    ("magnet", Sensor.REED, "mega"),
    ("triune", Sensor.DIGITAL, "uno"),
    ("magnet", Sensor.DIGITAL, "mega"),
    ("triune", Sensor.ANALOGUE, "uno"),
    ("magnet", Sensor.ANALOGUE, "mega"),
)
FRAMES = 100_000


def main(args: list[str]) -> int:
    count = int(args[0]) if args else 300
    if missing := missing_tools():
        print(missing)
    else:
        for board, sensor, controller in VARIANTS:
            report(board, sensor, controller, count)
    print(f"frames read: {read_speed():,.0f} a second")
    return 0


def report(board: str, sensor: Sensor, controller: str, count: int) -> None:
    latencies = sorted(measure(board, sensor, controller, count))
    p50, p95, worst = (latencies[int(share * (len(latencies) - 1))] for share in (0.5, 0.95, 1))
    name = f"{board}-{sensor.name.lower()}-{controller}"
    print(f"{name:24} p50 {p50:5.1f}  p95 {p95:5.1f}  worst {worst:5.1f} ms  ({len(latencies)} of {count})")


def measure(board: str, sensor: Sensor, controller: str, count: int) -> list[float]:
    """Milliseconds of each press."""
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
    """Good frames a second, read in pieces of a kilobyte."""
    wire_bytes = b"".join(write_frame(0x83, n % 256, bytes(8)) for n in range(FRAMES))
    reader, start = Reader(), time.perf_counter()
    count = 0
    for at in range(0, len(wire_bytes), 1024):
        count += sum(isinstance(f, Frame) for f in reader.frames(wire_bytes[at : at + 1024]))
    return count / (time.perf_counter() - start)
