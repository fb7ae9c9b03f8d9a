"""Profiles: a calibration as a file. Readable JSON, and safe to load: numbers, words and two pictures.

Names the game and the board it was made for; `reference` is the empty board from straight above and
`frames` small known frames, both as JPEG or PNG in base64.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from companion.core import EMPTY, Look, Place
from vision.entry import Entry, EntryError
from vision.geometry.view import View, ViewError
from vision.hands import small_size
from vision.reading.evidence import COLOURS
from vision.reading.model import Model
from vision.reading.reference import MARGIN, PX_PER_STEP
from vision.reading.sample import LEVELS, WIDTH, Layout, read_places
from vision.reading.solid import PARTS, SLABS
from vision.sources.files import decoded

FORMAT = "board-companion profile 1"
AGAIN = "make it again with `companion calibrate`"
LARGE = 100.0
"""More than any length (steps), colour or relief of a model can be."""
NARROWEST = 1e-3
"""The least spread of a colour that a model can have."""
PALETTE = frozenset(map(str, range(COLOURS)))
Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]


class ProfileError(ValueError):
    """A profile that cannot be used: one line that says why."""


@dataclass(frozen=True, eq=False)
class Profile:
    """What was learned of a board, its pieces and where it lies.

    `game` is the head of a game text; `view` is that of pictures of the size in which frames are read;
    `picture` one such picture, by which a bump is noticed; `heights` the levels at which places are
    sampled, in steps; `doubt` that of a reference without a picture of the empty board.
    """

    game: str
    board: str
    looks: tuple[Look, ...]
    view: View
    heights: tuple[float, ...]
    parts: bool
    models: tuple[Model, ...]
    reference: Image
    picture: Image
    frames: tuple[Image, ...]
    doubt: Image | None = None
    strange: tuple[Place, ...] = ()
    """Places that lay in a light of their own (a flare) when this was learned: they are not read."""
    taught: Mapping[Place, Look] = field(default_factory=dict)
    """What stands on the board in `picture`, where there is none of the empty board: to know again what
    was not moved, and to learn strange places as soon as they are seen in plain light."""

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "board": self.board,
            "looks": list(self.looks),
            "view": self.view.to_json(),
            "heights": [round(h, 4) for h in self.heights],
            "parts": self.parts,
            "models": [_model_json(m) for m in self.models],
            "reference": _picture_text(self.reference, 95),
            "picture": _picture_text(self.picture, 90),
            "frames": [_picture_text(f, 92) for f in self.frames],
            "doubt": None if self.doubt is None else _picture_text(self.doubt, 90),
            "strange": list(self.strange),
            "taught": dict(self.taught),
        }

    def save(self, path: str | Path) -> None:
        Path(path).write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")


def load_profile(path: str | Path) -> Profile:
    """ProfileError when the file cannot be read or is no profile."""
    return parse_profile(read_data(path), str(path))


def read_data(path: str | Path) -> object:
    """What a file says. ProfileError when it cannot be read or is no JSON."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"cannot read profile '{path}': {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"profile '{path}' is not JSON; {AGAIN}") from error


def parse_profile(data: object, name: str = "profile") -> Profile:
    """ProfileError when this is no profile, or a value in it is none that a reader can use."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProfileError(f"'{name}' is no profile of this version; {AGAIN}")
    try:
        profile = _parse(Entry(data))
        _check_sizes(profile)
    except (EntryError, ViewError) as error:
        raise ProfileError(f"profile '{name}' is damaged ({error}); {AGAIN}") from error
    return profile


def check_board(profile: Profile, board: Board) -> None:
    """ProfileError unless the profile was made for this board, and speaks only of what is on it."""
    if profile.board != board.name:
        raise ProfileError(
            f"the profile was made for the board '{profile.board}', not for '{board.name}': calibrate"
        )
    layout = Layout(board, read_places(board, profile.parts), profile.heights)
    unknown = [place for place in (*profile.strange, *profile.taught) if place not in layout.places]
    unknown += [m.kind for m in profile.models if m.kind not in layout.kinds]
    unknown += [look for look in profile.looks if not _is_known(board, look)]
    if unknown:
        raise ProfileError(f"the profile tells of '{unknown[0][:40]}', which is not on the board: calibrate")


def _parse(entry: Entry) -> Profile:
    looks = entry["looks"].texts()
    return Profile(
        entry["game"].text(),
        entry["board"].text(),
        looks,
        View.from_json(entry["view"].object()),
        _heights(entry["heights"]),
        entry["parts"].flag(),
        tuple(_model(m, looks) for m in _some(entry["models"])),
        _picture(entry["reference"]),
        _picture(entry["picture"]),
        tuple(_picture(f) for f in _some(entry["frames"])),
        None if entry["doubt"].value is None else np.ascontiguousarray(_picture(entry["doubt"])[..., 0]),
        () if entry["strange"].value is None else entry["strange"].texts(),
        _taught(entry["taught"], looks),
    )


def _is_known(board: Board, look: Look) -> bool:
    try:
        return look == EMPTY or look.startswith("+") or bool(board.pieces.face(look))
    except KeyError:
        return False


def _model_json(m: Model) -> dict[str, Any]:
    data: dict[str, Any] = {
        "look": m.look,
        "place": m.kind,
        "count": m.count,
        "bias": round(m.bias, 3),
        "radii": [round(r, 4) for r in m.radii],
        "colours": "".join(str(int(c)) for c in m.colours),
        "mean": np.round(m.mean, 4).tolist(),
        "sigma": np.round(m.sigma, 4).tolist(),
    }
    if m.relief is not None:
        data["relief"] = round(m.relief, 3)
    if m.mask is not None:
        data["mask"] = [int(v) for v in np.round(m.mask.ravel() * 255)]
    return data


def _model(entry: Entry, looks: Sequence[Look]) -> Model:
    mask = None if entry["mask"].value is None else _mask(entry["mask"])
    colours = entry["colours"].text()
    if len(colours) != (PARTS if mask is None else mask.size) or not set(colours) <= PALETTE:
        raise entry["colours"].wrong(f"must have a digit under {COLOURS} for each part")
    relief = None if entry["relief"].value is None else entry["relief"].number(-LARGE, LARGE)
    return Model(
        _look(entry["look"], looks),
        entry["place"].text(),
        _lengths(entry["radii"], SLABS),
        np.array([int(c) for c in colours], np.int8),
        _palette(entry["mean"], -LARGE, LARGE),
        _palette(entry["sigma"], NARROWEST, LARGE),
        entry["count"].number(0, 1e9),
        mask,
        entry["bias"].number(-1e6, 1e6),
        relief,
    )


def _look(entry: Entry, looks: Sequence[Look]) -> Look:
    look = entry.text()
    if look not in looks:
        raise entry.wrong("must be one of looks")
    return look


def _taught(entry: Entry, looks: Sequence[Look]) -> dict[Place, Look]:
    return {} if entry.value is None else {place: _look(look, looks) for place, look in entry.pairs()}


def _mask(entry: Entry) -> Singles:
    values = entry.numbers(LEVELS * WIDTH * WIDTH, 0, 255)
    return np.asarray(np.array(values, np.float32) / 255, np.float32).reshape(LEVELS, WIDTH, WIDTH)


def _palette(entry: Entry, least: float, most: float) -> Singles:
    return np.array([colour.numbers(3, least, most) for colour in entry.items(COLOURS)], np.float32)


def _lengths(entry: Entry, count: int) -> tuple[float, ...]:
    """As exact as they are written: what is shorter is nothing."""
    return tuple(round(length, 4) for length in entry.numbers(count, 0, LARGE))


def _heights(entry: Entry) -> tuple[float, ...]:
    heights = _lengths(entry, LEVELS)
    if any(low >= high for low, high in pairwise(heights)):
        raise entry.wrong("must ascend")
    return heights


def _some(entry: Entry) -> list[Entry]:
    items = entry.items()
    if not items:
        raise entry.wrong("must not be empty")
    return items


def _picture_text(image: Image, quality: int) -> str:
    done, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ProfileError("a picture could not be encoded")
    return base64.b64encode(code.tobytes()).decode("ascii")


def _picture(entry: Entry) -> Image:
    try:
        return decoded(base64.b64decode(entry.text(), validate=True))
    except ValueError as error:
        raise entry.wrong("must be a picture in base64") from error


def _check_sizes(profile: Profile) -> None:
    """EntryError unless pictures are of the size that the view says."""
    raster = profile.view.rectified_size(PX_PER_STEP, MARGIN)
    doubt = () if profile.doubt is None else (profile.doubt,)
    wanted = (
        ("picture", (profile.picture,), profile.view.size),
        ("reference", (profile.reference,), raster),
        ("doubt", doubt, raster),
        ("frames", profile.frames, small_size(profile.view.size)),
    )
    for key, pictures, size in wanted:
        if any((p.shape[1], p.shape[0]) != size for p in pictures):
            raise EntryError(f"{key} must be {size[0]} pixels wide and {size[1]} high, as view says")
