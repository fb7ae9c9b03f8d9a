"""Profiles: a calibration as a file. Readable JSON, and safe to load: numbers, words and two pictures.

Names the game and the board it was made for; `reference` is the empty board from straight above and
`frames` small known frames, both as JPEG or PNG in base64.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.core import Look, Place
from vision.evidence import COLOURS
from vision.model import Model
from vision.sample import LEVELS, WIDTH
from vision.solid import PARTS, SLABS
from vision.view import View, ViewError

FORMAT = "board-companion profile 1"
Image = npt.NDArray[np.uint8]


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
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileError(f"cannot read profile '{path}': {error.strerror}") from error
    except ValueError as error:
        raise ProfileError(
            f"profile '{path}' is not JSON; make it again with `companion calibrate`"
        ) from error
    return parse_profile(data, str(path))


def parse_profile(data: object, name: str = "profile") -> Profile:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProfileError(
            f"'{name}' is no profile of this version; make it again with `companion calibrate`"
        )
    try:
        heights = tuple(float(h) for h in data["heights"])
        if len(heights) != LEVELS:
            raise ValueError(f"{LEVELS} heights are needed")
        return Profile(
            str(data["game"]),
            str(data["board"]),
            tuple(str(x) for x in data["looks"]),
            View.from_json(data["view"]),
            heights,
            bool(data["parts"]),
            tuple(_model(m) for m in data["models"]),
            _picture(data["reference"]),
            _picture(data["picture"]),
            tuple(_picture(f) for f in data["frames"]),
            _doubt(data.get("doubt")),
            tuple(str(p) for p in data.get("strange", ())),
            {str(p): str(look) for p, look in data.get("taught", {}).items()},
        )
    except (KeyError, TypeError, ValueError, ViewError) as error:
        raise ProfileError(
            f"profile '{name}' is damaged ({error}); make it again with `companion calibrate`"
        ) from error


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


def _model(data: Mapping[str, Any]) -> Model:
    mask = None
    if "mask" in data:
        mask = np.asarray(np.array(data["mask"], np.float32) / 255, np.float32).reshape(LEVELS, WIDTH, WIDTH)
    colours = np.array([int(c) for c in data["colours"]], np.int8)
    mean, sigma = np.array(data["mean"], np.float32), np.array(data["sigma"], np.float32)
    radii = tuple(float(r) for r in data["radii"])
    size = PARTS if mask is None else mask.size
    shapes = mean.shape == sigma.shape == (COLOURS, 3) and colours.shape == (size,) and len(radii) == SLABS
    if not shapes or not (np.isfinite(mean).all() and (sigma > 0).all()) or colours.max() >= COLOURS:
        raise ValueError(f"the model of {data['look']} has the wrong form")
    return Model(
        str(data["look"]),
        str(data["place"]),
        radii,
        colours,
        mean,
        sigma,
        float(data["count"]),
        mask,
        float(data["bias"]),
        None if data.get("relief") is None else float(data["relief"]),
    )


def _picture_text(image: Image, quality: int) -> str:
    done, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ProfileError("a picture could not be encoded")
    return base64.b64encode(code.tobytes()).decode("ascii")


def _picture(text: str) -> Image:
    raw = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    image = cv2.imdecode(raw, cv2.IMREAD_COLOR) if len(raw) else None
    if image is None:
        raise ValueError("a picture cannot be decoded")
    return np.asarray(image, dtype=np.uint8)


def _doubt(text: str | None) -> Image | None:
    return None if text is None else np.ascontiguousarray(_picture(text)[..., 0])
