"""Measures a whole table on a small computer: source, reading, table and page with the processor held back.

    python -m benchmarks pi [SHARE…] [FOLDER]

SHARE is the part of one core, from 0.05 to 2 (1, 0.5 and 0.25); FOLDER holds `photos/`, without it the folder
of test data beside the checkout. In each share `companion run` plays three games in a control group of its
own with at most 400 MB, and a page outside of it looks on as a browser does. A finger plays chess on the
virtual table. A phone shows the recorded game of chess, at its own speed and at half of it, and Triune in
1280 × 720, drawn, with a move every four seconds. Prints when the board is seen, how many actions were
told, the time from a board that lies still (from letting go, on the virtual table) until the page was told,
which includes the time for which it has to lie so, and the most memory. Needs root and Linux's control
groups, of version 1 or 2. Under systemd the same limits are `systemd-run --scope -p CPUQuota=25%
-p MemoryMax=400M`.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.photographs import CHESS, PLAIN, start_looks
from benchmarks.running.browser import Browser, states, watch_pictures
from benchmarks.running.companion import serve
from benchmarks.running.figures import MB, memory, percentile
from companion.core.board import load_board
from companion.games.text import Game, read_game
from companion.record.session import begin
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile
from vision.known.example import Example
from vision.sources.files import open_video
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import lay_virtual

SHARES = (1.0, 0.5, 0.25)
MEMORY = 400_000_000
"""The memory that the process may use, in bytes."""
VIDEO = Path("photos/webcam-chess/scholarsmate.avi")
RATE, STILLS = 20.0, ((108, 146, 4), (184, 193, 5), (209, 217, 6), (270, 287, 7))
"""Frames a second of the recorded game, and boards that lie still in it, with no hand at the rim: from which
frame and until which, and the number of moves that were played. Between other moves a board lies for 0.2 s
at most."""
LIES, LINGERS = 0.5, 3.0
"""Seconds for which a board has to lie still to be measured, and those for which the last picture stays."""
SENT = 10.0
"""Pictures a second that a phone sends while something moves; here it sends them all the time."""
PICTURE, GRAINS, ACTIONS, EVERY = (1280, 720), 4, 8, 4.0
"""The drawn game: size of pictures; how many of each position differ by the sensor's noise; the moves, and
the seconds between them. No disc is flipped: a board of which one place changed has to lie for a second."""
MOVES, CARRIED, ABOVE = 14, 5, 0.2
"""The moves that a finger plays; the touches by which it carries a piece, each a tenth of a second; and the
steps above its foot at which it takes it: at the foot it may take what stands in front."""
PATIENCE = 300.0
"""Seconds after which what the page has to be told of comes no more."""
CONTROL_GROUPS, PERIOD = Path("/sys/fs/cgroup"), 100_000
"""The folder of control groups, and the microseconds in which a share of the processor is given."""


def main(args: list[str]) -> int:
    shares = [float(arg) for arg in args if not Path(arg).is_dir()] or list(SHARES)
    folder = next((Path(arg) for arg in args if Path(arg).is_dir()), SHARED)
    films = [*_recorded(folder / VIDEO), _drawn()]
    for share in shares:
        _play_on_virtual(share)
        for film in films:
            _play_before_phone(share, film)
    return 0


@dataclass(frozen=True)
class Film:
    """A game that a phone shows. `at` returns the picture (JPEG) of a time, in seconds since the film began,
    and the film lasts for `seconds`. `stills` are the times from which a board lies still, each with the
    number of actions that were played by then."""

    name: str
    game: str
    profile: Profile
    seconds: float
    at: Callable[[float], bytes]
    stills: Sequence[tuple[float, int]]


def _recorded(video: Path) -> Iterator[Film]:
    """Yields the recorded game, at its speed and at half of it."""
    if not video.exists():
        print(f"there is no {VIDEO}: that game is left out", file=sys.stderr)
        return
    images = [frame.image for frame in iter(open_video(str(video)).read, None)]
    profile = calibrate(load_board("chess"), "chess", CHESS, [Example(images[PLAIN], start_looks())])
    jpegs = [_jpeg(image) for image in images]
    for speed in (1.0, 0.5):
        rate = speed * RATE

        def at(seconds: float, rate: float = rate) -> bytes:
            return jpegs[min(int(seconds * rate), len(jpegs) - 1)]

        stills = [(start / rate, count) for start, end, count in STILLS if end - start >= LIES * rate]
        yield Film(f"the recorded game, speed {speed:g}", "chess", profile, len(jpegs) / rate, at, stills)


def _drawn() -> Film:
    """Returns a game of Triune in which chance plays, as it is drawn."""
    game, chance, noise = read_game("triune"), Random(7), np.random.default_rng(1)
    virtual, position, jpegs = VirtualTable(game.board, Random(5), size=PICTURE), game.start(), []
    profile = lay_virtual(virtual, begin(game)).profile
    for _ in range(ACTIONS + 1):
        virtual.become(game.rules.look(position))
        picture = virtual.picture()
        rough = (picture + np.round(noise.normal(0, 2, picture.shape)) for _ in range(GRAINS))
        jpegs.append([_jpeg(np.clip(each, 0, 255).astype(np.uint8)) for each in rough])
        *_, position = _plain_move(game, position, chance)

    def at(seconds: float) -> bytes:
        return jpegs[min(int(seconds / EVERY), ACTIONS)][int(seconds * SENT) % GRAINS]

    stills = [(count * EVERY, count) for count in range(1, ACTIONS + 1)]
    return Film("Triune, 1280 × 720", "triune", profile, (ACTIONS + 1) * EVERY, at, stills)


def _jpeg(image: Any) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()


def _play_before_phone(share: float, film: Film) -> None:
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile.json"
        film.profile.save(profile)
        options = ["--game", film.game, "--source", "phone", "--profile", str(profile)]
        with _service(share, options) as table:
            key = table.page.ask("phone", {"ticket": ""})["key"]

            def send(seconds: float) -> None:
                table.page.ask(f"phone/pictures/{key}", film.at(seconds))

            while not table.sees:
                send(0.0)
                time.sleep(1 / SENT)
            seen, began = time.monotonic() - table.began, time.monotonic()
            while (now := time.monotonic() - began) < film.seconds + LINGERS:
                send(now)
                time.sleep(max(0.0, began + now + 1 / SENT - time.monotonic()))
            told = [(table.told(count), began + start) for start, count in film.stills]
            print(_line(share, film.name, seen, table, film.stills[-1][1], told), flush=True)


def _play_on_virtual(share: float) -> None:
    game, chance = read_game("chess"), Random(3)
    with _service(share, ["--game", "chess", "--source", "virtual"]) as table:
        closed = threading.Event()
        threading.Thread(target=watch_pictures, args=(table.port, closed), daemon=True).start()
        table.wait_for(0)
        seen, told = time.monotonic() - table.began, []
        pixels, position = table.page.ask("seen-places")["places"], game.start()
        for count in range(1, MOVES + 1):
            start, end, position = _plain_move(game, position, chance)
            (x, y), (to_x, to_y) = _above(pixels[start]), _above(pixels[end])
            for n in range(CARRIED + 1):
                way = n / CARRIED
                kind = "down" if n == 0 else "move"
                touch = [kind, x + way * (to_x - x), y + way * (to_y - y)]
                table.page.ask("table/fingers", {"moves": [touch]})
                time.sleep(0.1)
            table.page.ask("table/fingers", {"moves": [["up", to_x, to_y]]})
            let_go = time.monotonic()
            table.wait_for(count)
            told.append((table.told(count), let_go))
            time.sleep(1.0)
        closed.set()
        print(_line(share, "the virtual table", seen, table, MOVES, told), flush=True)


def _above(place: Sequence[float]) -> tuple[float, float]:
    """Returns the pixel at which a finger takes what stands on a seen place (`/seen-places`)."""
    x, y, _, _, south_x, south_y = place
    return x - ABOVE * south_x, y - ABOVE * south_y


def _plain_move(game: Game, position: Any, chance: Random) -> tuple[str, str, Any]:
    """Returns a move by chance that takes nothing: where from, where to, and the position then."""
    actions = sorted(game.rules.legal(position))
    for action in chance.sample(actions, len(actions)):
        after = game.rules.play(position, action).position
        old, new = game.rules.look(position), game.rules.look(after)
        gone, came = old.keys() - new.keys(), new.keys() - old.keys()
        if len(gone) == len(came) == 1 and all(old[p] == new[p] for p in old.keys() & new.keys()):
            return gone.pop(), came.pop(), after
    raise ValueError("no such move")


def _line(
    share: float,
    name: str,
    seen: float,
    table: Table,
    count: int,
    told: Sequence[tuple[float | None, float]],
) -> str:
    late = [at - since for at, since in told if at is not None]
    half, most, most_held = percentile(late, 0.5), percentile(late, 0.95), memory([table.pid], "VmHWM") / MB
    return (
        f"{share:.0%} of a core, {name}: the board is seen after {seen:.1f} s; {table.plies} of {count} "
        f"actions told, after {half:.2f} s (median), {most:.2f} s (95 %); {most_held:.0f} MB"
    )


@dataclass
class Table:
    """A companion that runs, and what its page was told: since when there were so many actions."""

    port: int
    pid: int
    began: float
    sees: bool = False
    since: dict[int, float] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.page = Browser(self.port, keeps=True)
        threading.Thread(target=self._follow, daemon=True).start()

    @property
    def plies(self) -> int:
        return max(self.since, default=0)

    def told(self, count: int) -> float | None:
        """Returns when the page was told of so many actions, or more; None where it was not."""
        return min((at for plies, at in self.since.items() if plies >= count), default=None)

    def wait_for(self, count: int) -> None:
        """Waits until the page was told of so many actions, and that the board is seen."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.sees and self.plies >= count, PATIENCE), "not told"

    def _follow(self) -> None:
        for state in states(self.port):
            self._take(state)

    def _take(self, state: Any) -> None:
        if "moves" in state:
            with self._changed:
                self.sees = any(source["state"] == "ok" for source in state["sources"])
                self.since.setdefault(len(state["moves"]), time.monotonic())
                self._changed.notify_all()


@contextmanager
def _service(share: float, options: Sequence[str]) -> Iterator[Table]:
    """Runs a companion that is held back."""
    with tempfile.TemporaryDirectory() as data, limits(share, MEMORY) as join:
        began = time.monotonic()
        with serve(data, *options, preexec_fn=join) as served:
            yield Table(served.port, served.pid, began)


@contextmanager
def limits(share: float, memory: int) -> Iterator[Any]:
    """Makes a control group; yields what a process does to join it. The group goes when the block ends."""
    name = f"board-companion-{os.getpid()}"
    if (CONTROL_GROUPS / "cgroup.controllers").exists():
        groups = [CONTROL_GROUPS / name]
        files = {
            groups[0] / "cpu.max": f"{share * PERIOD:.0f} {PERIOD}",
            groups[0] / "cpu.weight": "10000",  # other programs take nothing of it
            groups[0] / "memory.max": str(memory),
        }
    else:
        groups = [CONTROL_GROUPS / "cpu" / name, CONTROL_GROUPS / "memory" / name]
        files = {
            groups[0] / "cpu.cfs_period_us": str(PERIOD),
            groups[0] / "cpu.cfs_quota_us": f"{share * PERIOD:.0f}",
            groups[0] / "cpu.shares": "262144",
            groups[1] / "memory.limit_in_bytes": str(memory),
        }

    def join() -> None:
        for group in groups:
            (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")

    try:
        try:
            for group in groups:
                group.mkdir()
            for file, content in files.items():
                file.write_text(content, encoding="ascii")
        except OSError as error:
            raise SystemExit(f"no control group can be made ({error}): run it as root") from error
        yield join
    finally:
        for group in groups:
            if group.exists():
                group.rmdir()
