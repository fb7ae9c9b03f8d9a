"""Scenes: sequences of pictures of games, with what stands where in each. Learned from as a user would."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.text import replay, split
from vision.calibration.calibrate import Example, calibrate
from vision.reading.reader import Reader

Image = npt.NDArray[np.uint8]
Entry = Mapping[str, Any]
SIDES = ("left", "top", "right", "bottom")


def picture(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), dtype=np.uint8)


def as_it_is(image: Image) -> Image:
    return image


@dataclass(frozen=True, eq=False)
class Scene:
    """One sequence; `truth` is what its truth.json says."""

    folder: Path
    truth: Mapping[str, Any]

    @classmethod
    def load(cls, path: Path) -> Scene:
        """From its truth.json."""
        return cls(path.parent, json.loads(path.read_text(encoding="utf-8")))

    @property
    def game(self) -> str:
        return str(self.truth["game"])

    @property
    def entries(self) -> list[Entry]:
        """All pictures but that of the empty board."""
        return list(self.truth["images"][1:])

    @cached_property
    def middle(self) -> tuple[float, float]:
        """The pixel of the board's middle before any bump."""
        x, y = np.mean(list(self.truth["views"][0]["sites"].values()), axis=0)
        return float(x), float(y)

    def picture(self, entry: Entry) -> Image:
        return picture(self.folder / entry["file"])

    def looks(self, entry: Entry) -> dict[str, str]:
        """What stands on each place, as the games spell it."""
        return _looks(self.truth, entry)

    @property
    def lessons(self) -> list[Entry]:
        """The start, and at most two later pictures with looks that are new."""
        entries: list[Entry] = []
        known: set[str] = set()
        for entry in self.entries:
            new = set(self.looks(entry).values()) - known
            if not (entry["hand"] or entry["illegal"]) and (not entries or (new and len(entries) <= 2)):
                entries.append(entry)
                known |= new
        return entries

    def learned(self, change: Callable[[Image], Image] = as_it_is, turns: int = 0) -> Reader:
        """Learned from the empty board and the lessons, changed, as when the camera had been `turns` quarters
        clockwise of where it was."""
        head, actions = split(self.truth["text"])
        played, position, _ = replay(head.text(actions))
        examples = []
        for entry in self.lessons:
            game, then, _ = replay(head.text(actions[: entry["ply"]]))
            examples.append(Example(change(self.picture(entry)), dict(game.rules.look(then))))
        profile = calibrate(
            played.board,
            played.head,
            played.rules.looks(position),
            examples,
            [change(picture(self.folder / "000.jpg"))],
            south=None if self.truth["has_markers"] else self._south(turns),
        )
        return Reader(profile, played.board)

    def _south(self, turns: int) -> str:
        quarter = round(self.truth["views"][0]["azimuth_deg"] % 360 / 90)
        return SIDES[(quarter - turns) % 4]


def scenes(folder: Path) -> list[Scene]:
    return [Scene.load(path) for path in sorted(folder.glob("*/truth.json"))]


def wrong_places(got: Mapping[str, str], want: Mapping[str, str]) -> int:
    return sum(got.get(p, "empty") != want.get(p, "empty") for p in {*got, *want})


def _looks(truth: Mapping[str, Any], entry: Entry) -> dict[str, str]:
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


def _ports(site: str, held: Entry) -> dict[str, str]:
    pole = held.get("pole")
    owner = pole["colour"] if isinstance(pole, dict) else pole[0] if isinstance(pole, list) else pole
    out = {site: f"{owner}/pole"} if pole else {}
    return out | {site + corner: f"{colour}/port" for colour, corner in held.get("ports", [])}
