"""Measures hands in stills: how many are noticed, and how many frames without one are said to show one.

    python -m benchmarks hands [kifu] [video] [drawn] [scenes] [--shared FOLDER] [--save FOLDER]

`kifu` is a real Go board with hands, arms and sleeves, learned from its second frame. `video` is a real game
of chess, learned from one frame. `drawn` are photographs with occluders drawn over them, and the same
photographs in other light without one. `scenes` are rendered games, learned as a user would. Prints a line
for each. `--save` writes the frames that were told wrongly.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from benchmarks.picture_sets import SHARED
from benchmarks.picture_sets.rendered_scenes import scenes
from benchmarks.picture_sets.series import differing, frames, picture
from vision.arrays import Floats, Image
from vision.geometry.view import View
from vision.hands import HandWatch, shrink

QUIET = 60
"""The frame of the video that is learned from."""
HANDS = ((30, 57), (66, 81), (90, 105), (150, 180), (195, 204), (222, 258))
NONE = ((3, 21), (60, 60), (108, 144), (183, 189), (210, 213), (270, 285), (288, 333))
"""Frames of the video, first and last, told by eye: a hand or sleeve is over the board; nothing but, at most,
somebody's shadow is. In those left out it cannot be told."""
STRIDE = 3
"""Of the video every third frame is read."""
DRAWN = 60
"""Frames that are drawn of each set of photographs."""
LEAST = 1.0
"""Cells of a board that something drawn must hide to be told."""


@dataclass
class Tally:
    """The counts of frames with hands and of those without: what was told of them."""

    noticed: int = 0
    hands: int = 0
    false: int = 0
    clean: int = 0
    wrongly: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, name: str, wanted: bool, told: bool) -> None:
        self.noticed += wanted and told
        self.hands += wanted
        self.false += told and not wanted
        self.clean += not wanted
        if wanted != told:
            self.wrongly.append(name)

    def __str__(self) -> str:
        took = f"  {1000 * float(np.median(self.seconds)):.1f} ms" if self.seconds else ""
        return (
            f"hands noticed {self.noticed}/{self.hands}  false alarms {self.false}/{self.clean}{took}"
            f"  {' '.join(self.wrongly)}"
        )


def told(tally: Tally, watch: HandWatch, name: str, image: Image, wanted: bool, save: Path | None) -> None:
    """Adds what is told of one frame."""
    start = time.perf_counter()
    seen = watch.sees(image)
    tally.seconds.append(time.perf_counter() - start)
    tally.add(name, wanted, seen.hand)
    if save and seen.hand != wanted:
        small = shrink(image)
        small[..., 2] = np.where(seen.mask > 0, 255, small[..., 2])
        save.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(save / f"{name}.png"), small)


def view_of(corners: Sequence[Sequence[float]] | Floats, size: tuple[int, int], places: float) -> View:
    """Returns the view of a board whose corners SW, SE, NE, NW are seen at these pixels, so many steps wide
    and high."""
    board = np.array([(0, 0), (places, 0), (places, places), (0, places)], np.float32)
    matrix = cv2.getPerspectiveTransform(board, np.array(corners, np.float32))
    return View.of(np.asarray(matrix), size, (0.0, 0.0, places, places))


def kifu(shared: Path, save: Path | None) -> Tally:
    folder = shared / "photos" / "kifu-go-hands"
    entries = json.loads((folder / "truth.json").read_text())["pictures"]
    view = view_of(((6, 494), (494, 494), (494, 6), (6, 6)), (500, 500), 18)
    watch = HandWatch([shrink(picture(folder / entries[1]["file"]))], view, 1.0)
    tally = Tally()
    for entry in entries:
        if entry["hands"] is not None and entry is not entries[1]:
            told(tally, watch, entry["file"][9:-4], picture(folder / entry["file"]), entry["hands"], save)
    return tally


def video(shared: Path, save: Path | None) -> Tally:
    folder = shared / "photos" / "webcam-chess"
    labels = json.loads((folder / "labels.json").read_text())["video"]
    seen = list(frames(folder / labels["file"]))
    turned = [labels["corners_px"][k] for k in (3, 2, 1, 0)]
    view = view_of(turned, (640, 480), 8)
    watch = HandWatch([shrink(seen[QUIET])], view, 1.0)
    tally = Tally()
    for wanted, parts in ((True, HANDS), (False, NONE)):
        for first, last in parts:
            for n in range(first, last + 1, STRIDE):
                told(tally, watch, f"{n:03d}", seen[n], wanted, save)
    return tally


def drawn(folders: Iterable[Path], save: Path | None) -> Tally:
    """Tallies photographs in other light and with other pieces; half are hidden in part by something
    drawn."""
    from vision.training.occlusion.examples import Examples
    from vision.training.occlusion.tables import photographed

    tally = Tally()
    for folder in folders:
        examples = Examples(photographed(folder), seed=99)
        for n in range(DRAWN):
            known, frame, cover, corners, places = examples.frame()
            size = frame.shape[1], frame.shape[0]
            if not size[0] * -0.5 < corners.min() or corners.max() > 1.5 * max(size):
                continue
            view = view_of(corners, size, places)
            watch = HandWatch([shrink(k) for k in known], view, 1.0)
            hidden = cover * (cv2.resize(watch.board, size) > 0)
            over = float(hidden.sum()) / view.step_pixels((places / 2, places / 2)) ** 2
            if over == 0 or over > LEAST:
                told(tally, watch, f"{folder.name}-{n}", frame, over > 0, save)
    return tally


def played(folders: Iterable[Path]) -> Iterator[str]:
    """Yields a line for each rendered sequence, and for all."""
    whole = Tally()
    for folder in folders:
        for scene in scenes(folder):
            reader, tally, wrong, places = scene.learned(), Tally(), 0, 0
            for entry in scene.entries:
                seen = reader.read(scene.picture(entry))
                for t in (tally, whole):
                    t.add(entry["file"], entry["hand"], seen.sighting.hand)
                if not entry["hand"] and seen.looks:
                    places += len(reader.layout.places)
                    wrong += len(differing(seen.looks, scene.looks(entry), frozenset()))
            yield f"{scene.folder.name:16} {tally}  {wrong} of {places} places wrong"
    whole.wrongly.clear()
    yield f"{'all':16} {whole}"


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks hands")
    parser.add_argument("what", nargs="*", default=["kifu", "video", "drawn", "scenes"])
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--scenes", type=Path, nargs="*", help="folders of rendered sequences")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args(args)
    cv2.setNumThreads(1)
    photos = options.shared / "photos"
    for name, measure in (("kifu", kifu), ("video", video)):
        if name in options.what:
            print(f"{name:16} {measure(options.shared, options.save and options.save / name)}", flush=True)
    if "drawn" in options.what:
        for folder in sorted(p.parent for p in photos.glob("*/truth.json") if "kifu" not in p.parts[-2]):
            tally = drawn([folder], options.save and options.save / "drawn")
            print(f"drawn on {folder.name:16} {tally}", flush=True)
    if "scenes" in options.what:
        for line in played(options.scenes or [options.shared / "scenes"]):
            print(line, flush=True)
    return 0
