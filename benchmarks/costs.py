"""Measures what watching a board costs.

    python -m benchmarks costs [FOLDER]

FOLDER holds `scenes/` and `photos/`; without it, the folder of test data beside the checkout. Prints the time
of a frame in which nothing changed and of one that is read; the share of a core that `companion run` takes at
a board that nobody touches, with its page open; and how fast a video is watched from end to end. Times are
the processor's, so that other programs hardly count, unless it says that they are the clock's.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from threading import Event, Thread

import cv2
import numpy as np

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.accuracy_page import table
from benchmarks.picture_sets.photographs import CHESS, PLAIN, start_looks
from benchmarks.picture_sets.rendered_scenes import RenderedScene, scenes
from benchmarks.running.browser import states, watch_pictures
from benchmarks.running.companion import COMMAND, serve
from benchmarks.running.figures import percentile, processor_seconds
from companion.core.board import load_board
from companion.core.game import Look, Place
from companion.sensing.observation import Sighting
from vision.arrays import Image
from vision.attention import Attention
from vision.calibration.calibrate import calibrate
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.sighting_streams import read_frame
from vision.sources.files import open_video
from vision.sources.source import CameraFrame

RATE, RESTING, READ = 20.0, 200, 20
"""Frames a second, and how many are seen of a board at rest, and of one that changes."""
NOISE, GRAINS = 2.0, 16
"""The noise of a sensor (standard deviation, grey levels), and how many samples of it there are."""
SETTLED, MEASURED = 15.0, 20.0
"""Seconds for which a board rests before its cost is measured, and for which it is."""


def main(args: list[str]) -> int:
    folder = Path(args[0]) if args else SHARED
    if not (folder / "scenes").is_dir():
        print(f"'{folder.name}' has no scenes/: name the folder that has", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    found = scenes(folder / "scenes")
    heads = ["960x720", "at rest, median", "95 %", "of them read", "read, median", "95 %"]
    print(table(heads, [frames(scene) for scene in found]), flush=True)
    with tempfile.TemporaryDirectory() as kept:
        print(f"run, an untouched virtual table: {at_rest(['--source', 'virtual'], 'ok'):.1f} % of a core")
        for scene in found[-1:]:
            print(f"run, a folder that has ended: {ended(scene, Path(kept)):.1f} % of a core", flush=True)
        print(watched(folder / "photos" / "webcam-chess" / "scholarsmate.avi", Path(kept)))
    return 0


@dataclass
class Meter:
    """The times of frames (ms), those that were read and those that were not."""

    reader: Reader
    read: list[float] = field(default_factory=list)
    passed: list[float] = field(default_factory=list)
    _is_read: bool = False

    def run(self, frames: Iterator[CameraFrame], looks: Sequence[Mapping[Place, Look]] = ()) -> None:
        """Sees the frames. Where it is given what they show, in turn, that is believed, as in play."""
        attention = Attention(self.reader, self._read)
        for frame in frames:
            self._is_read, start = False, time.process_time()
            attention.see(frame)
            took = 1000 * (time.process_time() - start)
            (self.read if self._is_read else self.passed).append(took)
            if looks:
                self.reader.learn(frame.image, looks[frame.index % len(looks)])

    def _read(self, frame: CameraFrame) -> Sighting:
        self._is_read = True
        return read_frame(self.reader, frame, "camera")


def frames(scene: RenderedScene) -> list[str]:
    """Returns a row: a board that rests, and one on which an action is played in each frame."""
    reader = scene.learned()
    shown = [entry for entry in scene.entries if not (entry["hand"] or entry["view"] or entry["illegal"])]
    pictures, looks = [scene.picture(entry) for entry in shown], [scene.looks(entry) for entry in shown]
    rest, change = Meter(reader), Meter(reader)
    rest.run(_noisy(islice(cycle(pictures[:1]), RESTING), 1 / RATE))
    change.run(_noisy(islice(cycle(pictures[1:]), READ), 1.0), looks[1:])
    share = 100 * len(rest.read) / RESTING
    told = [f"{percentile(ms, part):.1f} ms" for ms in (rest.passed, change.read[1:]) for part in (0.5, 0.95)]
    return [scene.game, *told[:2], f"{share:.0f} %", *told[2:]]


def _noisy(pictures: Iterator[Image], step: float) -> Iterator[CameraFrame]:
    rng = np.random.default_rng(1)
    grains: list[Image] = []
    for n, picture in enumerate(pictures):
        if len(grains) < GRAINS:
            grains.append(np.round(rng.normal(0, NOISE, picture.shape)).astype(np.int16))
        image = cv2.add(picture, grains[n % GRAINS], dtype=cv2.CV_8U)
        yield CameraFrame(n * step, np.asarray(image, dtype=np.uint8), n)


def ended(scene: RenderedScene, kept: Path) -> float:
    """Returns the share of a core (%) that `companion run` takes after the last picture of a scene."""
    profile = kept / "scene.json"
    scene.learned().profile.save(profile)
    game, _, _ = scene.truth["text"].partition(" ")
    source = ["--source", f"folder:{scene.folder}", "--profile", str(profile), "--game", game]
    return at_rest(source, "lost")


def at_rest(options: Sequence[str], state: str) -> float:
    """Returns the share of a core that `companion run` takes with a page open, long after its source came to
    this state; %."""
    game = [] if "--game" in options else ["--game", "chess"]
    with (
        tempfile.TemporaryDirectory() as data,
        serve(data, *game, *options) as served,
        _page(served.port, state),
    ):
        time.sleep(SETTLED)
        before, began = processor_seconds([served.pid]), time.monotonic()
        time.sleep(MEASURED)
        return 100 * (processor_seconds([served.pid]) - before) / (time.monotonic() - began)


@contextmanager
def _page(port: int, state: str) -> Iterator[None]:
    """Reads a page's two streams, once the first source is in a state."""
    closed, reached = Event(), Event()

    def read() -> None:
        for shown in states(port):
            if shown["sources"] and shown["sources"][0]["state"] == state:
                reached.set()
            if closed.is_set():
                return

    Thread(target=read, daemon=True).start()
    Thread(target=watch_pictures, args=(port, closed), daemon=True).start()
    reached.wait(120)
    try:
        yield
    finally:
        closed.set()


def watched(video: Path, kept: Path) -> str:
    """Returns how many times as fast as it runs `companion watch` sees a video, from its start to its end."""
    profile, source = kept / "chess.json", open_video(str(video))
    images = [frame.image for frame in iter(source.read, None)]
    first = Example(images[PLAIN], start_looks())
    calibrate(load_board("chess"), "chess", CHESS, [first]).save(profile)
    length = len(images) / source.rate
    command = [*COMMAND, "watch", "--game", "chess", "--source", f"video:{video}", "--profile", str(profile)]
    before, began = _of_children(), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken, clock = _of_children() - before, time.monotonic() - began
    fast = f"{length / taken:.1f} times as fast, {length / clock:.1f} by the clock"
    return f"watch, {length:.1f} s of video: {fast}"


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
