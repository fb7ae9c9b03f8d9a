"""What a frame costs from picture to observation, for each game: percentiles of the processor's time, and
the process's greatest memory so far.

    python -m benchmarks vision [FOLDER]

FOLDER holds `scenes/`; without it, the folder of test data beside the checkout.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy import learned
from vision.reader import Image, Reader

ROUNDS = 5


def main(args: list[str]) -> int:
    folder = Path(args[0]) if args else Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "scenes").is_dir():
        print(f"'{folder.name}' has no scenes/: name the folder that has", file=sys.stderr)
        return 2
    cv2.setNumThreads(1)
    for path in sorted((folder / "scenes").glob("*/truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        reader, _ = learned(path.parent, truth)
        clean = [i for i in truth["images"][1:] if not i["hand"] and not i["view"]]
        frames = [cv2.imread(str(path.parent / entry["file"])) for entry in clean]
        costs = [_cost(reader, np.asarray(frame, dtype=np.uint8)) for frame in frames * ROUNDS]
        half, most = np.percentile(costs[1:], (50, 95))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{truth['game']:16} {half:6.1f} ms median  {most:6.1f} ms 95 %  {costs[0]:6.1f} ms the first"
            f"  {memory:5.0f} MB", flush=True,
        )
    return 0


def _cost(reader: Reader, frame: Image) -> float:
    """Processor time for one frame; ms."""
    start = time.process_time()
    reader.read(frame)
    return 1000 * (time.process_time() - start)
