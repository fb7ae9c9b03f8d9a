"""How often readings are right: real pictures first, then scenes. Writes the table of docs/accuracy.md.

    python -m benchmarks accuracy [FOLDER]

FOLDER holds `photos/` and `scenes/`; without it, the folder of test data beside the checkout.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks._page import ACCURACY, table, write_part
from benchmarks._scenes import picture, scenes, wrong_places
from companion.board import load_board
from companion.text import replay
from vision.calibration.calibrate import Example, calibrate
from vision.finding.locate import BoardNotFoundError
from vision.reading.reader import Reader
from vision.sources.files import open_video

CHESS = ("empty", "white", "black")
MADE = "Made by `python -m benchmarks accuracy`. Real pictures first; scenes are rendered."
HEADS = ["pictures", "places wrong in 1,000", "pictures wholly right", "hands wrong"]
Row = list[str]


def main(args: list[str]) -> int:
    folder = Path(args[0]) if args else Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        print(f"'{folder.name}' is no folder: name the one that holds photos/ and scenes/", file=sys.stderr)
        return 2
    rows = []
    for row in (*_photos(folder / "photos"), *_video(folder / "photos"), *_scenes(folder / "scenes")):
        print("  ".join(row), flush=True)
        rows.append(row)
    write_part(ACCURACY, "# Accuracy", f"{MADE}\n\n{table(HEADS, rows)}")
    return 0


def start_looks() -> dict[str, str]:
    game, position, _ = replay("chess")
    return dict(game.rules.look(position))


def _photos(folder: Path) -> Iterator[Row]:
    """Start positions: each read with a profile learned from it."""
    board, start = load_board("chess"), start_looks()
    labels = json.loads((folder / "webcam-chess" / "labels.json").read_text(encoding="utf-8"))["images"]
    for label in labels:
        if label["fen"].startswith("8/8"):
            continue
        image = picture(folder / "webcam-chess" / label["file"])
        try:
            reader = Reader(calibrate(board, "chess", CHESS, [Example(image, start)]), board)
        except BoardNotFoundError as error:
            yield [f"chess, {label['file']}", str(error), "0/1", "-"]
            continue
        wrong = wrong_places(reader.read(image).looks, start)
        yield _row(f"chess, {label['file']}", [wrong], len(board.sites), 0)


PLAIN = 2


def _video(folder: Path) -> Iterator[Row]:
    """Quiet frames of the recorded game, learned from its first one without a flare."""
    board = load_board("chess")
    moves = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    frames = {87: 3, 126: 4, 210: 6, 324: 7}
    video = open_video(str(folder / "webcam-chess" / "scholarsmate.avi"))
    reader, wrong = None, []
    while frame := video.read():
        if frame.index == PLAIN:
            reader = Reader(calibrate(board, "chess", CHESS, [Example(frame.image, start_looks())]), board)
        if reader and frame.index in frames:
            game, position, _ = replay(" ".join(["chess", *moves[: frames[frame.index]]]))
            wrong.append(wrong_places(reader.read(frame.image).looks, game.rules.look(position)))
    yield _row("chess, recorded game", wrong, len(board.sites), 0)


def _scenes(folder: Path) -> Iterator[Row]:
    for scene in scenes(folder):
        reader, wrong, hands = scene.learned(), [], 0
        for entry in scene.entries:
            seen = reader.read(scene.picture(entry))
            hands += seen.sighting.hand != bool(entry["hand"])
            if not entry["hand"]:
                wrong.append(wrong_places(seen.looks, scene.looks(entry)))
        yield _row(f"scene, {scene.game}", wrong, len(reader.layout.places), hands)


def _row(name: str, wrong: list[int], places: int, hands: int) -> Row:
    rate = 1000 * sum(wrong) / (places * len(wrong))
    return [name, f"{rate:.1f}", f"{wrong.count(0)}/{len(wrong)}", str(hands)]
