"""Sets of real photographs as series: pictures of one camera are learned from one of them.

Left out is settlerseye-catan, which says where pieces lie in the picture but not on which places of a board.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.picture_sets.changes import rectified
from benchmarks.picture_sets.series import Series, Shot, homography, picture, through
from companion.core.board import Board, Face, PieceSet, load_board, parse_board
from companion.core.game import Look, Place
from companion.games.text import replay
from vision.arrays import Image
from vision.sources.files import open_video

Label = Mapping[str, Any]
CHESS = ("empty", "white", "black")
CORNERS = ("SW", "SE", "NE", "NW")
SAME = 0.01
"""Parts of a picture's width within which corners lie where the camera was not moved."""
FEWEST = 3
"""Pictures by one camera that make a group: one to learn from, and some to read."""
PLAIN = 2
"""The first frame of the recorded game without a flare."""
QUIET = {87: 3, 126: 4, 210: 6, 324: 7}
"""Frames of the recorded game without a hand, and how many moves were played."""
HANDS = (42, 168, 252)
"""Frames of the recorded game with a hand."""


@dataclass(frozen=True)
class PhotoSet:
    """A set of photographs. `unscored`: pictures that are not read, for want of one to learn from."""

    name: str
    series: tuple[Series, ...]
    unscored: int = 0


def photo_sets(folder: Path) -> list[PhotoSet]:
    """Returns all sets of a folder that can be read."""
    makers: dict[str, Callable[[Path], list[PhotoSet]]] = {
        **dict.fromkeys(("epatha-chess", "jialinding-chess", "samryan-chess"), _chess),
        "webcam-chess": _webcam,
        "checkers-aruco": _checkers,
        "ensiss-draughts10": _draughts,
        "gobonline-go": _go,
        "kifu-go-hands": _kifu,
    }
    return [made for name, make in makers.items() if (folder / name).is_dir() for made in make(folder / name)]


def start_looks() -> dict[Place, Look]:
    game, position, _ = replay("chess")
    return dict(game.rules.look(position))


def groups(labels: Sequence[Label]) -> list[list[Label]]:
    """Groups pictures by one camera in one place: of one size, and with their corners where those of the
    first are."""
    found: list[list[Label]] = []
    for label in labels:
        for group in found:
            if group[0]["size"] == label["size"] and _apart(group[0], label) <= SAME * label["size"][0]:
                group.append(label)
                break
        else:
            found.append([label])
    return found


def teacher(labels: Sequence[Label]) -> Label | None:
    """Returns the picture to learn from: with most pieces of the colour that has fewer, then with most
    pieces; None where no picture shows both colours."""
    best = min(labels, key=rank)
    return best if _fewer(best) else None


def rank(label: Label) -> tuple[int, int, str]:
    """Returns the least is learned from first; it is also the order of reading, for a reader follows
    bumps."""
    return -_fewer(label), -len(label["position"]), label["file"]


def _fewer(label: Label) -> int:
    looks = list(label["position"].values())
    return min((looks.count(look) for look in set(looks)), default=0) if len(set(looks)) > 1 else 0


def _apart(one: Label, other: Label) -> float:
    return max(float(np.abs(np.subtract(one["corners"][k], other["corners"][k])).max()) for k in CORNERS)


def _labels(folder: Path) -> list[Label]:
    return list(json.loads((folder / "truth.json").read_text(encoding="utf-8"))["pictures"])


def _shot(folder: Path, label: Label, board: Board) -> Shot:
    matrix = homography(board.corners, [label["corners"][k] for k in CORNERS])
    load = partial(picture, folder / label["file"])
    return Shot(label["file"], load, label["position"], label["hands"], matrix)


def _taught(name: str, board: Board, looks: tuple[Look, ...], lesson: Shot, shots: Sequence[Shot]) -> Series:
    """Returns the series of which one picture is learned from, by its corners, and the others are read."""
    others = tuple(shot for shot in shots if shot.name != lesson.name)
    return Series(name, board, "chess", looks, (lesson,), others, corners=True)


def _chess(folder: Path) -> list[PhotoSet]:
    labels = [label for label in _labels(folder) if not label["hands"]]
    board, series = load_board("chess"), []
    for group in groups(labels):
        lesson = teacher(group) if len(group) >= FEWEST else None
        if lesson is not None:
            shots = [_shot(folder, label, board) for label in sorted(group, key=rank)]
            name = f"{folder.name}/{lesson['file']}"
            series.append(_taught(name, board, CHESS, _shot(folder, lesson, board), shots))
    used = sum(len(one.shots) + 1 for one in series)
    return [PhotoSet(folder.name, tuple(series), len(labels) - used)]


def _webcam(folder: Path) -> list[PhotoSet]:
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    stills = [label["file"] for label in labels["images"] if not label["fen"].startswith("8/8")]
    empty = len(labels["images"]) - len(stills)
    board, start = load_board("chess"), start_looks()
    shots = [Shot(file, partial(picture, folder / file), start) for file in stills]
    game = _recorded(folder / labels["video"]["file"], labels["video"])
    return [
        PhotoSet(game.name, (game,)),
        PhotoSet("webcam-chess, stills", _alone("webcam-chess", board, CHESS, shots), empty),
    ]


def _alone(name: str, board: Board, looks: tuple[Look, ...], shots: Sequence[Shot]) -> tuple[Series, ...]:
    """Returns a series for each picture, which is learned from itself, its board found by itself, too."""
    return tuple(
        Series(f"{name}/{shot.name}", board, "chess", looks, (shot,), (shot,), alone=True) for shot in shots
    )


def _recorded(path: Path, label: Label) -> Series:
    """Returns quiet frames of the recorded game and frames with a hand, learned from its first plain one."""
    board = load_board("chess")
    top_left, top_right, bottom_right, bottom_left = label["corners_px"]
    matrix = homography(board.corners, [bottom_right, top_right, top_left, bottom_left])

    def shot(index: int, plies: int, hand: bool = False) -> Shot:
        game, position, _ = replay(" ".join(["chess", *label["moves_uci"][:plies]]))
        looks = None if hand else dict(game.rules.look(position))
        return Shot(f"frame {index}", lambda: frames(path)[index], looks, hand, matrix)

    shots = [*(shot(i, n) for i, n in QUIET.items()), *(shot(i, 0, True) for i in HANDS)]
    return Series("webcam-chess, recorded game", board, "chess", CHESS, (shot(PLAIN, 0),), tuple(shots))


@cache
def frames(path: Path) -> Mapping[int, Image]:
    """Returns the frames of the recorded game that are used."""
    video, kept = open_video(str(path)), {PLAIN, *QUIET, *HANDS}
    return {frame.index: frame.image for frame in iter(video.read, None) if frame.index in kept}


def _checkers(folder: Path) -> list[PhotoSet]:
    """Rows are A to H from the south, columns 1 to 8 from the west: the other way round than in chess. Only
    colours are scored."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["labels"]
    owners = {"w": "white", "b": "black"}
    shots = []
    for file, kinds in labels.items():
        looks = {
            "abcdefgh"[int(place[1]) - 1] + str("ABCDEFGH".index(place[0]) + 1): owners[owner]
            for owned in kinds.values()
            for owner, places in owned.items()
            for place in places
        }
        shots.append(Shot(file, partial(picture, folder / file), looks))
    board = replace(load_board("chess"), pieces=discs({"white": "#c8a878", "black": "#202020"}, 0.38, 0.35))
    return [PhotoSet(folder.name, _alone(folder.name, board, CHESS, shots))]


def _draughts(folder: Path) -> list[PhotoSet]:
    """Returns the camera was moved each time and the pieces are flat, so each picture is put straight by its
    corners first; boards that lie with a light field in the south-west are a group of their own."""
    board = draughts10()
    dark: dict[bool, list[tuple[Label, Shot]]] = {True: [], False: []}
    for label in _labels(folder):
        shot = _shot(folder, label, board).framed(rectified, board)
        dark[south_west_is_dark(shot, board)].append((label, shot))
    series = []
    for group in dark.values():
        plain = [label for label, _ in group if not label["notes"]]
        lesson = teacher(plain) if len(group) >= FEWEST and plain else None
        if lesson is not None:
            shots = [shot for _, shot in group]
            taught = next(shot for label, shot in group if label is lesson)
            name = f"{folder.name}/{lesson['file']}"
            series.append(_taught(name, board, ("empty", "red", "green"), taught, shots))
    used = sum(len(one.shots) + 1 for one in series)
    return [PhotoSet(f"{folder.name}, put straight", tuple(series), len(_labels(folder)) - used)]


def south_west_is_dark(shot: Shot, board: Board) -> bool:
    """Returns whether the empty fields of the colour of a1 are the darker ones in this picture."""
    empty = [site for site in board.sites if site not in (shot.looks or {})]
    pixels = np.round(through(shot.measured, [board.sites[site] for site in empty])).astype(int)
    grey = cv2.cvtColor(shot.load(), cv2.COLOR_BGR2GRAY)[pixels[:, 1], pixels[:, 0]]
    like_a1 = np.array([sum(board.sites[site]) % 2 == 0 for site in empty])
    return float(np.median(grey[like_a1])) < float(np.median(grey[~like_a1]))


def _go(folder: Path) -> list[PhotoSet]:
    """Returns the camera was moved each time: put straight by the corners first."""
    board, labels = go(), _labels(folder)
    lesson = teacher(labels)
    if lesson is None:
        return []
    shots = {label["file"]: _shot(folder, label, board).framed(rectified, board) for label in labels}
    series = _taught(folder.name, board, CHESS, shots[lesson["file"]], list(shots.values()))
    return [PhotoSet(f"{folder.name}, put straight", (series,))]


RIM = 1.0
"""Pixels between the outermost lines and the picture's border."""


def _kifu(folder: Path) -> list[PhotoSet]:
    """Returns frames that end at the board's outermost lines.

    Stones half in the picture at its corners are not labelled. Where stones stand is scored only in frames
    without a hand that were put straight rightly.
    """
    board, labels = go(), _labels(folder)
    corners = frozenset(("A1", "T1", "T19", "A19"))
    shots = {}
    for label in labels:
        width, height = label["size"]
        right, bottom = width - 1 - RIM, height - 1 - RIM
        pixels = [(RIM, bottom), (right, bottom), (right, RIM), (RIM, RIM)]
        looks = label["position"] if "askew" not in label["notes"] else None
        file, matrix = label["file"], homography(board.corners, pixels)
        shots[file] = Shot(file, partial(picture, folder / file), looks, label["hands"], matrix)
    lesson = teacher([label for label in labels if label["hands"] is False and not label["notes"]])
    if lesson is None:
        return []
    series = _taught(folder.name, board, CHESS, shots[lesson["file"]], list(shots.values()))
    return [PhotoSet(folder.name, (replace(series, unlabelled=corners),))]


@cache
def draughts10() -> Board:
    """Returns a board of ten by ten fields, `a1` to `j10`; those of the colour of a1 are dark."""
    size = range(10)
    fields = [
        {
            "kind": "polygon",
            "points": [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]],
            "style": "light" if (x + y) % 2 else "dark",
        }
        for x in size
        for y in size
    ]
    sites = {"abcdefghij"[x] + str(y + 1): [x, y] for x in size for y in size}
    board = _square("draughts10", sites, -0.5, 9.5, fields)
    return replace(board, pieces=discs({"red": "#b03040", "green": "#307030"}, 0.38, 0.2))


@cache
def go() -> Board:
    """Returns a board of nineteen lines each way, `A1` to `T19` without `I`."""
    size = range(19)
    ways = [([k, 0], [k, 18]) for k in size] + [([0, k], [18, k]) for k in size]
    lines = [{"kind": "line", "points": list(way), "style": "line"} for way in ways]
    sites = {"ABCDEFGHJKLMNOPQRST"[x] + str(y + 1): [x, y] for x in size for y in size}
    board = _square("go", sites, 0, 18, lines)
    return replace(board, pieces=discs({"white": "#f0f0f0", "black": "#202020"}, 0.45, 0.4))


def _square(name: str, sites: Mapping[Place, list[int]], low: float, high: float, shapes: object) -> Board:
    around = [[low, low], [high, low], [high, high], [low, high]]
    return parse_board(
        {
            "format": "board-companion board 1",
            "name": name,
            "sites": sites,
            "corners": around,
            "outline": around,
            "shapes": shapes,
        }
    )


def discs(paint: Mapping[str, str], radius: float, height: float) -> PieceSet:
    """Returns flat round pieces of these paints; lengths in steps."""
    return PieceSet(dict(paint), {"": Face("disc", radius, height)})
