"""Measures what a frame costs from picture to observation, and how much memory reading a board takes.

    python -m benchmarks vision [FOLDER]

FOLDER holds `scenes/` and `photos/`; without it, the folder of test data beside the checkout. Chess is read
at 640x480 from the recorded game, the scenes at 960x720. Prints percentiles of the processor's time, and the
greatest memory of a process that reads only this board.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.photographs import CHESS, PLAIN, start_looks
from benchmarks.picture_sets.rendered_scenes import RenderedScene
from companion.core.board import load_board
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.sources.files import open_video

ROUNDS = 5


def main(args: list[str]) -> int:
    folder = Path(args[0]) if args else SHARED
    if not (folder / "scenes").is_dir():
        print(f"'{folder.name}' has no scenes/: name the folder that has", file=sys.stderr)
        return 2
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        scenes = sorted((folder / "scenes").glob("*/truth.json"))
        jobs = [pool.submit(_recording, folder / "photos"), *(pool.submit(_scene, path) for path in scenes)]
        for job in jobs:
            print(job.result(), flush=True)
    return 0


def _recording(folder: Path) -> str:
    """Returns the recorded game of chess, from its first plain frame."""
    video = open_video(str(folder / "webcam-chess" / "scholarsmate.avi"))
    frames = (frame.image for frame in iter(video.read, None))
    board, first = load_board("chess"), next(islice(frames, PLAIN, None))
    reader = Reader(calibrate(board, "chess", CHESS, [Example(first, start_looks())]), board)
    return _told("chess", reader, frames)


def _scene(path: Path) -> str:
    scene = RenderedScene.load(path)
    reader = scene.learned()
    clean = [i for i in scene.entries if not i["hand"] and not i["view"]]
    return _told(scene.game, reader, [scene.picture(entry) for entry in clean] * ROUNDS)


def _told(name: str, reader: Reader, frames: Iterable[Image]) -> str:
    cv2.setNumThreads(1)
    costs = [_cost(reader, frame) for frame in frames]
    half, most = np.percentile(costs[1:], (50, 95))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{name:16} {half:6.1f} ms median  {most:6.1f} ms 95 %"
        f"  {costs[0]:6.1f} ms the first  {memory:5.0f} MB"
    )


def _cost(reader: Reader, frame: Image) -> float:
    """Returns the processor time of one frame; ms."""
    start = time.process_time()
    reader.read(frame)
    return 1000 * (time.process_time() - start)
