"""How often readings are right: real pictures first, then scenes. Writes the table of docs/accuracy.md.

    python -m benchmarks accuracy [FOLDER]

FOLDER holds `photos/` and `scenes/`; without it, the folder of test data beside the checkout.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.board import load_board
from companion.text import replay, split
from vision.calibrate import Example, calibrate
from vision.locate import BoardNotFoundError
from vision.reader import Reader
from vision.sources.files import open_video

CHESS = ("empty", "white", "black")
TABLE = Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
SIDES = ("left", "top", "right", "bottom")
Row = tuple[str, str, str, str]


def main(args: list[str]) -> int:
    folder = Path(args[0]) if args else Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        print(f"'{folder.name}' is no folder: name the one that holds photos/ and scenes/", file=sys.stderr)
        return 2
    rows = []
    for row in (*_photos(folder / "photos"), *_video(folder / "photos"), *_scenes(folder / "scenes")):
        print("  ".join(row), flush=True)
        rows.append(row)
    TABLE.write_text(_table(rows), encoding="utf-8")
    return 0


def _table(rows: list[Row]) -> str:
    lines = [
        "# Accuracy",
        "",
        "Made by `python -m benchmarks accuracy`. Real pictures first; scenes are rendered.",
        "",
        "| pictures | places wrong in 1,000 | pictures wholly right | hands wrong |",
        "|---|---|---|---|",
    ]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


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
        image = _picture(folder / "webcam-chess" / label["file"])
        try:
            reader = Reader(calibrate(board, "chess", CHESS, [Example(image, start)]), board)
        except BoardNotFoundError as error:
            yield (f"chess, {label['file']}", str(error), "0/1", "-")
            continue
        yield _row(f"chess, {label['file']}", [_wrong(reader.read(image).looks, start)], len(board.sites), 0)


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
            wrong.append(_wrong(reader.read(frame.image).looks, game.rules.look(position)))
    yield _row("chess, recorded game", wrong, len(board.sites), 0)


def _scenes(folder: Path) -> Iterator[Row]:
    for path in sorted(folder.glob("*/truth.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        reader, count = learned(path.parent, truth)
        wrong, hands = [], 0
        for entry in truth["images"][1:]:
            seen = reader.read(_picture(path.parent / entry["file"]))
            hands += seen.sighting.hand != bool(entry["hand"])
            if not entry["hand"]:
                wrong.append(_wrong(seen.looks, _looks(truth, entry)))
        yield _row(f"scene, {truth['game']}", wrong, count, hands)


def learned(folder: Path, truth: Mapping[str, Any]) -> tuple[Reader, int]:
    """Learned from the empty board, the start, and at most two later pictures with new looks."""
    entries: list[Mapping[str, Any]] = []
    known: set[str] = set()
    for entry in truth["images"][1:]:
        new = set(_looks(truth, entry).values()) - known
        if not (entry["hand"] or entry["illegal"]) and (not entries or (new and len(entries) <= 2)):
            entries.append(entry)
            known |= new
    head, actions = split(truth["text"])
    played, position, _ = replay(head.text(actions))
    examples = []
    for entry in entries:
        game, then, _ = replay(head.text(actions[: entry["ply"]]))
        examples.append(Example(_picture(folder / entry["file"]), dict(game.rules.look(then))))
    quarter = round(truth["views"][0]["azimuth_deg"] % 360 / 90) % 4
    profile = calibrate(
        played.board,
        played.head,
        played.rules.looks(position),
        examples,
        _picture(folder / "000.jpg"),
        south=None if truth["has_markers"] else SIDES[quarter],
    )
    reader = Reader(profile, played.board)
    return reader, len(reader.layout.places)


def _looks(truth: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, str]:
    """What stands on each place of a scene's picture, as the games spell it."""
    out: dict[str, str] = {}
    for site, held in entry["sites"].items():
        if truth["game"] == "teleporters":
            out |= _ports(site, held)
            continue
        look = held.get("colour") or ""
        if look and truth["game"] in ("triune", "trid"):
            look += "/" + held["kind"]
        look += "+" + held["marker"] if held.get("marker") else ""
        if look or held.get("magnet"):
            out[site] = look or "magnet"
    return out


def _ports(site: str, held: Mapping[str, Any]) -> dict[str, str]:
    pole = held.get("pole")
    owner = pole["colour"] if isinstance(pole, dict) else pole[0] if isinstance(pole, list) else pole
    out = {site: f"{owner}/pole"} if pole else {}
    return out | {site + corner: f"{colour}/port" for colour, corner in held.get("ports", [])}


def _wrong(got: Mapping[str, str], want: Mapping[str, str]) -> int:
    return sum(got.get(p, "empty") != want.get(p, "empty") for p in {*got, *want})


def _row(name: str, wrong: list[int], places: int, hands: int) -> Row:
    rate = 1000 * sum(wrong) / (places * len(wrong))
    return name, f"{rate:.1f}", f"{wrong.count(0)}/{len(wrong)}", str(hands)


def _picture(path: Path) -> Any:
    return cv2.imread(str(path), cv2.IMREAD_COLOR)
