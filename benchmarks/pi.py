"""Measures what a camera costs on a small computer: rate, latency and memory with the processor held back.

    python -m benchmarks pi [SHARE…]

SHARE is the part of one core, from 0.05 to 1 (1, 0.5 and 0.25). In each the same is done in a process of its
own with at most 400 MB: a camera sends pictures of Triune in 1280 × 720, packed as JPEG, 30 times a second; a
move is made every four seconds. Prints how often a picture is read where every one has to be, the time from
the first picture of a move to its reading, and the most memory. Needs root and Linux's control groups, of
version 1 or 2. Under systemd the same limits are `systemd-run --scope -p CPUQuota=25% -p MemoryMax=400M`.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.core.game import EMPTY, Look, Place
from companion.games.text import Game, read_game
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import load_profile
from vision.known.example import Example
from vision.pace import Pace
from vision.reading.reader import Reader
from vision.sighting_streams import SHARE, LiveSightings, read_frame
from vision.sources.camera import Camera
from vision.sources.capture import FrameCapture
from vision.sources.virtual import VirtualTable

SHARES = (1.0, 0.5, 0.25)
MEMORY = 400_000_000
"""The memory that the process may use, in bytes."""
RATE, MOVES, EVERY, READ = 30.0, 8, 4.0, 10.0
"""Frames a second; the moves, the seconds between them, and those in which every frame is read."""
PICTURE, GRAINS = (1280, 720), 4
"""The size of pictures, and how many of each position differ by the sensor's noise."""
CONTROL_GROUPS, PERIOD = Path("/sys/fs/cgroup"), 100_000
"""The folder of control groups, and the microseconds in which a share of the processor is given."""


def main(args: list[str]) -> int:
    if args[:1] == ["--inside"]:
        return _measure(Path(args[1]))
    shares = [float(arg) for arg in args] or list(SHARES)
    with tempfile.TemporaryDirectory() as folder:
        _film(Path(folder))
        for share in shares:
            with _limits(share, MEMORY) as join:
                command = [sys.executable, "-m", "benchmarks", "pi", "--inside", folder]
                said = subprocess.run(command, stdout=subprocess.PIPE, check=True, preexec_fn=join)
            print(_told(share, json.loads(said.stdout)), flush=True)
    return 0


def _told(share: float, found: dict[str, Any]) -> str:
    seen = len(found["latencies"])
    half, most = np.percentile(found["latencies"], (50, 95)) if seen else (np.nan, np.nan)
    return (
        f"{share:.0%} of a core: read {found['rate']:.1f} times a second; a move is seen after "
        f"{half:.2f} s (median), {most:.2f} s (95 %), {seen} of {MOVES} moves; "
        f"{found['passed']:.0f} frames a second looked at; {found['memory']:.0f} MB"
    )


def _film(folder: Path) -> None:
    """Writes a profile, and the pictures of some positions one after the other."""
    game = read_game("triune")
    virtual = VirtualTable(game.board, Random(5), size=PICTURE)
    virtual.lay(game.rules, game.start(), game.board)
    looks = [dict(game.rules.look(game.start())), *_positions(game)]
    examples = [Example(virtual.picture(each), each) for each in looks[:2]]
    profile = calibrate(
        game.board, game.head, game.rules.looks(game.start()), examples, [virtual.picture({})]
    )
    profile.save(folder / "profile.json")
    (folder / "looks.json").write_text(json.dumps(looks), encoding="utf-8")
    noise = np.random.default_rng(1)
    for number, each in enumerate(looks):
        picture = virtual.picture(each)
        for grain in range(GRAINS):
            rough = picture + np.round(noise.normal(0, 2, picture.shape)).astype(np.int16)
            cv2.imwrite(str(folder / f"{number}-{grain}.jpg"), np.clip(rough, 0, 255).astype(np.uint8))


def _positions(game: Game) -> Iterator[dict[Place, Look]]:
    """Yields the board after each action of a random game."""
    chance, position = Random(7), game.start()
    for _ in range(MOVES):
        position = game.rules.play(position, chance.choice(sorted(game.rules.legal(position)))).position
        yield dict(game.rules.look(position))


class Film:
    """A camera's device: frames come by the clock, the newest waits, and unpacking one takes time."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.stem: np.frombuffer(path.read_bytes(), np.uint8) for path in folder.glob("*.jpg")}
        self._began, self._taken, self.changes = time.monotonic(), -1, True

    def grab(self) -> bool:
        due = self._began + (self._taken + 1) / RATE
        if (left := due - time.monotonic()) > 0:
            time.sleep(left)
        self._taken = max(self._taken + 1, int((time.monotonic() - self._began) * RATE))
        return True

    def retrieve(self) -> tuple[bool, Image | None]:
        packed = self._files[f"{self.shown(self._taken / RATE)}-{self._taken % GRAINS}"]
        return True, np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)

    def shown(self, seconds: float) -> int:
        """Returns the number of the position that is shown so long after the start."""
        return min(int(seconds / EVERY), MOVES)

    def changed(self, number: int) -> float:
        """Returns when a position was shown first."""
        return self._began + number * EVERY

    def get(self, prop: int, /) -> float:
        return 0.0

    def set(self, prop: int, value: float, /) -> bool:
        return False

    def release(self) -> None:
        """There is nothing to give back."""


def _measure(folder: Path) -> int:
    game = read_game("triune")
    reader = Reader(load_profile(folder / "profile.json"), game.board)
    looks = json.loads((folder / "looks.json").read_text(encoding="utf-8"))
    rate = _read_all(reader, Camera(0, Film(folder)))
    film = Film(folder)
    stream = LiveSightings.of_one_game(FrameCapture(Camera(0, film)), reader)
    latencies: dict[int, float] = {}
    count = 0
    for sighting in stream.sightings():
        now, count = time.monotonic(), count + 1
        number = film.shown(sighting.time - film.changed(0))
        seen = sighting.observation
        if number and number not in latencies and seen and sighting.still:
            before, after = looks[number - 1], looks[number]
            changed = {p for p in {*before, *after} if before.get(p, EMPTY) != after.get(p, EMPTY)}
            if all(seen.readings[p].best() != before.get(p, EMPTY) for p in changed & seen.readings.keys()):
                latencies[number] = now - film.changed(number)
        if now > film.changed(MOVES + 1):
            break
    stream.stop()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    passed = count / ((MOVES + 1) * EVERY)
    result = {
        "rate": rate,
        "latencies": list(latencies.values()),
        "memory": memory,
        "passed": passed,
    }
    sys.stdout.write(json.dumps(result))
    return 0


def _read_all(reader: Reader, camera: Camera) -> float:
    """Returns how many frames a second are read where every one has to be, at the pace of play."""
    pace, count, began = Pace(SHARE), 0, time.monotonic()
    while (spent := time.monotonic() - began) < READ:
        frame = camera.read()
        assert frame is not None
        with pace.work():
            read_frame(reader, frame, "camera")
        count += 1
        time.sleep(pace.pause)
    return count / spent


@contextmanager
def _limits(share: float, memory: int) -> Iterator[Any]:
    """Makes a control group; yields what a process does to join it. The group goes when the block ends."""
    name = f"board-companion-{os.getpid()}"
    if (CONTROL_GROUPS / "cgroup.controllers").exists():
        groups = [CONTROL_GROUPS / name]
        files = {
            groups[0] / "cpu.max": f"{share * PERIOD:.0f} {PERIOD}",
            groups[0] / "memory.max": str(memory),
        }
    else:
        groups = [CONTROL_GROUPS / "cpu" / name, CONTROL_GROUPS / "memory" / name]
        files = {
            groups[0] / "cpu.cfs_period_us": str(PERIOD),
            groups[0] / "cpu.cfs_quota_us": f"{share * PERIOD:.0f}",
            groups[1] / "memory.limit_in_bytes": str(memory),
        }
    try:
        for group in groups:
            group.mkdir()
        for file, content in files.items():
            file.write_text(content, encoding="ascii")

        def join() -> None:
            for group in groups:
                (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

        yield join
    except OSError as error:
        raise SystemExit(f"no control group can be made ({error}): run it as root") from error
    finally:
        for group in groups:
            if group.exists():
                group.rmdir()
