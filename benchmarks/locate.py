"""Measures how boards are found: mean error in steps and time, for each picture with a known truth.

    python -m benchmarks locate [GAME|photos…]

It needs the folder of test data beside the checkout, and prints photographs first.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.series import picture
from companion.core.board import Board, load_board
from tests.vision.truth import BOARDS, errors, scene
from vision.arrays import Floats, Image
from vision.finding.board_motion import BoardWatch
from vision.finding.locate import BoardNotFoundError, locate
from vision.geometry.view import View


@dataclass(frozen=True, eq=False)
class Case:
    """A picture, and where points of its board lie in it, in any of the ways that lines cannot tell apart."""

    name: str
    image: Image
    board: Board
    points: Floats
    pixels: tuple[Floats, ...]

    def error(self, view: View) -> float:
        return min(float(errors(view, self.points, pixels).mean()) for pixels in self.pixels)


def main(args: list[str]) -> int:
    if not SHARED.is_dir():
        print(f"needs the folder of test data beside the checkout: {SHARED.name}")
        return 2
    print(f"{'picture':34} {'method':8} {'mean error':>10} {'score':>6} {'seconds':>8}")
    cases = [*_photographs(), *_scenes()]
    rows = [_row(case) for case in cases if not args or any(a in case.name for a in args)]
    found = [error for error, _ in rows if error is not None]
    print(
        f"found {len(found)} of {len(rows)}; mean error {statistics.mean(found):.4f} steps,"
        f" worst {max(found):.4f};"
        f" median {statistics.median(seconds for _, seconds in rows):.2f} s"
    )
    _board_motion()
    return 0


def _row(case: Case) -> tuple[float | None, float]:
    before = time.perf_counter()
    try:
        found = locate(case.image, case.board)
    except BoardNotFoundError as problem:
        print(f"{case.name:34} {problem.reason}")
        return None, time.perf_counter() - before
    seconds = time.perf_counter() - before
    error = min(map(case.error, found.candidates))
    print(f"{case.name:34} {found.method:8} {error:10.4f} {found.score:6.2f} {seconds:8.2f}")
    return error, seconds


def _photographs() -> Iterator[Case]:
    folder, board = SHARED / "photos" / "webcam-chess", load_board("chess")
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    points = np.array(board.corners)
    for label in labels["images"]:
        image = picture(folder / label["file"])
        corners = np.array(label["corners_px_original"], dtype=float)
        if corners.max() > max(image.shape):  # labelled before the picture was made smaller
            corners *= 0.597
        turns = tuple(np.roll(corners[::-1], k, axis=0) for k in range(4))
        yield Case(f"photos {label['file']}", image, board, points, turns)


def _scenes() -> Iterator[Case]:
    for game in BOARDS:
        truth = scene(SHARED / "scenes" / game)
        for number, shown in enumerate(truth.pictures):
            words = " hand" if shown["hand"] else ""
            name = f"scenes {game} {shown['file']}{words}"
            yield Case(name, truth.picture(number), truth.board, truth.points, (truth.pixels(number),))


def _board_motion() -> None:
    """Prints the price of checking a frame, and of making the reference, for each board."""
    for game in BOARDS:
        truth = scene(SHARED / "scenes" / game)
        watch = BoardWatch.of(truth.picture(1), truth.view(1), truth.board)
        times = []
        for number in range(len(truth.pictures)):
            image = truth.picture(number)
            before = time.perf_counter()
            watch.check(image)
            times.append(1e3 * (time.perf_counter() - before))
        p50, p95 = (float(np.percentile(times, p)) for p in (50, 95))
        print(f"presence {game:25} {len(watch.places)} patches, {p50:.1f} ms median, {p95:.1f} ms at 95 %")
