"""Profiles: a calibration as a file.

A profile is readable JSON and safe to load: it holds numbers, words, and pictures (JPEG or PNG in base64),
and names the game and the board that it was made for. `load_profile` checks every value: a profile that loads
can be used by a reader, and one that does not is refused in a line that names what is wrong.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import EMPTY, Look
from companion.core.json_text import parse_json
from companion.core.json_value import JsonValue, JsonValueError
from companion.core.private_files import PRIVATE
from companion.core.whole_files import read_whole, write_whole
from companion.language import say
from vision.arrays import Image, Singles
from vision.geometry.view import View, ViewError
from vision.known.example import Example
from vision.known.layout import PlaceLayout
from vision.known.reference import MARGIN, PX_PER_STEP
from vision.solids.evidence import COLOURS
from vision.solids.model import Model
from vision.solids.sample import LEVELS, WIDTH
from vision.solids.solid import PARTS, SLABS
from vision.sources.files import count_pixels, decoded

FORMAT = "board-companion profile 2"
"""The format's name and version, as it stands in the file."""
EXAMPLE_QUALITY, REFERENCE_QUALITY = 90, 95
"""JPEG's quality of pictures, and of the empty board, from which finer detail is told; 0…100."""
LARGE = 100.0
"""More than any length (steps) or colour of a model can be."""
NARROWEST = 1e-3
"""The least spread of a colour that a model can have."""
PALETTE = frozenset(map(str, range(COLOURS)))
"""The digits that name a model's colours."""
MOST_PIXELS = 150_000_000
"""Pixels of all pictures of a profile; three bytes each."""
CALIBRATE_AGAIN = say("make it again with `companion calibrate`")


class ProfileError(CompanionError, ValueError):
    """A profile that cannot be used; one line, which says why."""


class DamagedProfileError(ProfileError):
    """A profile whose file is not as it was written."""


@dataclass(frozen=True, eq=False)
class Profile:
    """A calibration: where a board lies, and pictures that show how it and its pieces look.

    `game` is the head of a game text; `view` is that of pictures of the size in which frames are read;
    `parts` says whether pieces stand on parts of sites; `reference` is the empty board from straight above
    (h, w, 3), and `doubt` (h, w) by how many grey levels it may be wrong where it was guessed; `picture` is
    the one by which a bump is noticed.
    """

    game: str
    board: str
    looks: tuple[Look, ...]
    view: View
    parts: bool
    examples: tuple[Example, ...]
    reference: Image
    picture: Image
    doubt: Image | None = None
    models: tuple[Model, ...] = ()
    """The pieces as solids, where looks have faces that are to be told."""

    def to_json(self) -> dict[str, object]:
        """Returns the profile as its file holds it."""
        return {
            "format": FORMAT,
            "game": self.game,
            "board": self.board,
            "looks": list(self.looks),
            "view": self.view.to_json(),
            "parts": self.parts,
            "examples": [
                {"picture": _picture_text(e.image, EXAMPLE_QUALITY), "looks": dict(e.looks)}
                for e in self.examples
            ],
            "reference": _picture_text(self.reference, REFERENCE_QUALITY),
            "picture": _picture_text(self.picture, EXAMPLE_QUALITY),
            "doubt": None if self.doubt is None else _picture_text(self.doubt),
            "models": [_model_json(m) for m in self.models],
        }

    def save(self, path: str | Path) -> None:
        """Writes the profile to a file: its owner's alone, as it holds pictures. OSError where that fails,
        and what was there before stays."""
        write_whole(Path(path), (json.dumps(self.to_json(), indent=1) + "\n").encode(), PRIVATE)


def load_profile(path: str | Path) -> Profile:
    """Reads a profile from a file. ProfileError when the file cannot be read or is no profile."""
    return parse_profile(read_data(path), str(path))


def read_data(path: str | Path) -> object:
    """Returns the JSON of a file. ProfileError when it cannot be read or is none."""
    try:
        return parse_json(read_whole(path).decode())
    except OSError as error:
        raise ProfileError(
            say("cannot read profile '{path}': {strerror}", path=path, strerror=error.strerror)
        ) from error
    except (ValueError, RecursionError) as error:
        raise DamagedProfileError(
            say("profile '{path}' is not JSON; {again}", path=path, again=CALIBRATE_AGAIN)
        ) from error


def parse_profile(data: object, name: str = "profile") -> Profile:
    """Makes a profile of JSON. ProfileError when this is none, or a value in it is none that a reader can
    use."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ProfileError(
            say("'{name}' is no profile of this version; {again}", name=name, again=CALIBRATE_AGAIN)
        )
    try:
        profile = _parse(JsonValue(data))
        _check_sizes(profile)
    except (JsonValueError, ViewError) as error:
        raise DamagedProfileError(
            say(
                "profile '{name}' is damaged ({error}); {again}",
                name=name,
                error=str(error),
                again=CALIBRATE_AGAIN,
            )
        ) from error
    return profile


def check_board(profile: Profile, board: Board) -> None:
    """Raises a ProfileError unless the profile was made for this board, and speaks only of what is on it."""
    if profile.board != board.name:
        raise ProfileError(
            say(
                "the profile was made for the board '{board}', not for '{other}': calibrate",
                board=profile.board,
                other=board.name,
            )
        )
    layout = PlaceLayout.of(board, profile.parts)
    for example in profile.examples:
        _check_names(example.looks, layout.places)
    _check_names((model.kind for model in profile.models), layout.kinds)
    _check_names((look for look in profile.looks if not _is_known(board, look)), ())


def _check_names(names: Iterable[str], known: Collection[str]) -> None:
    """Raises a ProfileError that tells of the first name that is not known."""
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise ProfileError(
            say("the profile tells of '{place}', which is not on the board: calibrate", place=unknown[:40])
        )


def _parse(entry: JsonValue) -> Profile:
    _check_pixels(entry)
    looks = entry["looks"].texts()
    return Profile(
        entry["game"].text(),
        entry["board"].text(),
        looks,
        View.from_json(entry["view"].object()),
        entry["parts"].flag(),
        tuple(_example(e, looks) for e in _some(entry["examples"])),
        _picture(entry["reference"]),
        _picture(entry["picture"]),
        None if entry["doubt"].value is None else np.ascontiguousarray(_picture(entry["doubt"])[..., 0]),
        () if entry["models"].value is None else tuple(_model(m, looks) for m in entry["models"].items()),
    )


def _example(entry: JsonValue, looks: Sequence[Look]) -> Example:
    return Example(
        _picture(entry["picture"]), {place: _look(look, looks) for place, look in entry["looks"].pairs()}
    )


def _is_known(board: Board, look: Look) -> bool:
    """Returns whether a look is one of the board's pieces, empty, or a marker."""
    return look == EMPTY or look.startswith("+") or board.pieces.has_face(look)


def _model_json(m: Model) -> dict[str, object]:
    data: dict[str, object] = {
        "look": m.look,
        "place": m.kind,
        "count": m.count,
        "bias": round(m.bias, 3),
        "radii": [round(r, 4) for r in m.radii],
        "colours": "".join(str(int(c)) for c in m.colours),
        "mean": np.round(m.mean, 4).tolist(),
        "sigma": np.round(m.sigma, 4).tolist(),
    }
    if m.mask is not None:
        data["mask"] = [int(v) for v in np.round(m.mask.ravel() * 255)]
    return data


def _model(entry: JsonValue, looks: Sequence[Look]) -> Model:
    mask = None if entry["mask"].value is None else _mask(entry["mask"])
    colours = entry["colours"].text()
    if len(colours) != (PARTS if mask is None else mask.size) or not set(colours) <= PALETTE:
        raise entry["colours"].wrong(say("must have a digit under {limit} for each part", limit=COLOURS))
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
    )


def _look(entry: JsonValue, looks: Sequence[Look]) -> Look:
    look = entry.text()
    if look not in looks:
        raise entry.wrong(say("must be one of looks"))
    return look


def _mask(entry: JsonValue) -> Singles:
    values = entry.numbers(LEVELS * WIDTH * WIDTH, 0, 255)
    return np.asarray(np.array(values, np.float32) / 255, np.float32).reshape(LEVELS, WIDTH, WIDTH)


def _palette(entry: JsonValue, least: float, most: float) -> Singles:
    return np.array([colour.numbers(3, least, most) for colour in entry.items(COLOURS)], np.float32)


def _lengths(entry: JsonValue, count: int) -> tuple[float, ...]:
    """Returns lengths as exact as they are written: a shorter one is 0."""
    return tuple(round(length, 4) for length in entry.numbers(count, 0, LARGE))


def _some(entry: JsonValue) -> list[JsonValue]:
    """Returns the values of a list that must not be empty."""
    items = entry.items()
    if not items:
        raise entry.wrong(say("must not be empty"))
    return items


def _picture_text(image: Image, quality: int | None = None) -> str:
    """Returns a picture in base64, as JPEG of a quality (0…100), or as PNG without one."""
    if quality is None:
        done, code = cv2.imencode(".png", image)
    else:
        done, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ProfileError("a picture could not be encoded")
    return base64.b64encode(code.tobytes()).decode("ascii")


def _picture(entry: JsonValue) -> Image:
    try:
        return decoded(base64.b64decode(entry.text(), validate=True))
    except ValueError as error:
        raise entry.wrong(say("must be a picture in base64")) from error


def _check_pixels(entry: JsonValue) -> None:
    """Raises a JsonValueError if the pictures are too large to be decoded, one or all together."""
    pictures = [e["picture"] for e in entry["examples"].items()]
    pictures += [entry[key] for key in ("reference", "picture", "doubt") if entry[key].value is not None]
    total = 0
    for picture in pictures:
        try:
            total += count_pixels(base64.b64decode(picture.text(), validate=True))
        except ValueError as error:
            raise picture.wrong(say("must be a picture in base64")) from error
        if total > MOST_PIXELS:
            most = MOST_PIXELS // 1_000_000
            raise picture.wrong(say("is too large: all pictures may have {most} megapixels", most=most))


def _check_sizes(profile: Profile) -> None:
    """Raises a JsonValueError unless pictures are of the size that the view says."""
    raster = profile.view.rectified_size(PX_PER_STEP, MARGIN)
    doubt = () if profile.doubt is None else (profile.doubt,)
    wanted = (
        ("picture", (profile.picture,), profile.view.size),
        ("examples", tuple(e.image for e in profile.examples), profile.view.size),
        ("reference", (profile.reference,), raster),
        ("doubt", doubt, raster),
    )
    for key, pictures, size in wanted:
        if any((p.shape[1], p.shape[0]) != size for p in pictures):
            wide, high = size
            raise JsonValueError(
                say(
                    "{key} must be {wide} pixels wide and {high} high, as view says",
                    key=key,
                    wide=wide,
                    high=high,
                )
            )
