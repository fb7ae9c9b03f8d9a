"""Profiles of cameras: calibrations as files, whose views, looks, pictures and solids are others.

A refused profile changes nothing among those that are kept. An accepted one is listed, comes out as it came
in, and of some a reader reads a picture.
"""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from functools import cache
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from benchmarks.fuzzing.mutation import mutated_json, mutated_text
from benchmarks.fuzzing.target import ACCEPTED, Outcome, demand, refused
from companion.core.errors import CompanionError
from companion.core.game import GameError, Look
from companion.games.text import read_game
from vision.arrays import Image
from vision.calibration.profile import Profile, ProfileError, parse_profile, read_data
from vision.known.example import Example
from vision.known.reference import MARGIN, PX_PER_STEP
from vision.reading.reader import Reader
from vision.solids.evidence import COLOURS
from vision.solids.sample import LEVELS, WIDTH
from vision.solids.solid import PARTS, SLABS
from vision.virtual.render import Painter, overlook
from vision.virtual.tabletop import Tabletop, lay
from web.runtime.profile_library import ProfileLibrary

GAMES = ("triune", "rooks", "teleporters", "chess", "magnet")
SIZE = (320, 240)
"""Pixels of the pictures."""
READ = 20
"""Of so many accepted profiles a picture is read by one."""
CELLS = LEVELS * WIDTH * WIDTH
"""Values of a solid's mask."""
UNTOUCHED = 0.6
"""The share of inputs that no change spoils."""
WORDS = (
    "empty",
    "a1",
    "h8",
    "red",
    "chess",
    "triune",
    "board=/etc/hostname",
    "",
    "+M",
    "white/king",
    "nowhere",
)
NAMES = ("club", "club", "club", "day", "", " ", "..", "a/b", "x" * 41, "Vereinsbrett ½", "‮", None, 7)


class Fuzzed:
    """The library of profiles."""

    suffix = ".json"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp())

    def make(self, chance: Random) -> bytes:
        data = dict(_profile(chance.choice(GAMES)))
        for _ in range(chance.randint(0, 3)):
            chance.choice(CHANGES)(data, chance)
        if chance.random() < UNTOUCHED:
            return _written(data)
        for _ in range(chance.choice((1, 1, 2, 3))):
            data = mutated_json(data, chance, WORDS)
            if not isinstance(data, dict):
                break
        content = _written(data)
        return mutated_text(content.decode(), chance).encode() if chance.random() < 0.05 else content

    def attempt(self, content: bytes) -> Outcome:
        profiles, file = self._folder / "profiles", self._folder / "profile.json"
        shutil.rmtree(profiles, ignore_errors=True)
        profiles.mkdir()
        file.write_bytes(content)
        library = ProfileLibrary(profiles, lambda: None, lambda: 1.7e9)
        try:
            data = read_data(file)
            name = library.take(data, "given")
        except (ProfileError, GameError) as error:
            demand("\n" not in str(error), "a refusal is one line")
            demand(list(profiles.rglob("*.json")) == [], "a refused profile changes nothing")
            return refused(str(error))
        demand([info.name for info in library.profiles()] == [name], "a profile that came in is listed")
        kept = json.loads(library.text(name))
        assert isinstance(data, dict)
        known = {key: data[key] for key in parse_profile(data).to_json() if key in data}
        demand({**kept, **known} == kept, "a profile comes out as it came in")
        library.use(name)
        _check_again(parse_profile(kept))
        if crc32(content) % READ == 0:
            _check_read(parse_profile(kept))
        return ACCEPTED

    def close(self) -> None:
        shutil.rmtree(self._folder)


def _written(data: object) -> bytes:
    return json.dumps(data).encode()


def _check_again(profile: Profile) -> None:
    """Checks that what is written of a profile is read as the same one."""
    again = parse_profile(json.loads(json.dumps(profile.to_json(), allow_nan=False)))
    demand(again.view == profile.view, "a view is written as it was read")
    demand([e.looks for e in again.examples] == [e.looks for e in profile.examples], "looks are written")
    demand(len(again.models) == len(profile.models), "solids are written")


def _check_read(profile: Profile) -> None:
    """Checks that a reader reads a picture by a profile, or says why it is none for its board."""
    try:
        reader = Reader(profile, read_game(profile.game).board)
    except CompanionError:
        return
    observation = reader.read(profile.picture).sighting.observation
    readings = observation.readings.values() if observation else ()
    values = [value for reading in readings for value in (*reading.looks.values(), reading.other)]
    demand(all(map(isfinite, values)), "a reading has numbers")


@cache
def _profile(game: str) -> dict[str, Any]:
    """Returns a profile of a game's start, with a solid and doubts that nobody measured."""
    found = read_game(game)
    start = found.start()
    looks = found.rules.looks(start)
    view = overlook(found.board, size=SIZE)
    laid = lay(found.rules, start, found.board, Random(1))
    painter = Painter(found.board, view)
    picture, empty = painter.draw(laid), painter.draw(Tabletop(found.board))
    raster = view.rectified_size(PX_PER_STEP, MARGIN)
    profile = Profile(
        game=game,
        board=found.board.name,
        looks=looks,
        view=view,
        parts=bool(found.board.places),
        examples=(Example(picture, laid.looks()), Example(empty, {})),
        reference=_rectified(empty, raster),
        picture=empty,
        doubt=np.zeros((raster[1], raster[0]), np.uint8),
    )
    return {**profile.to_json(), "models": [_model(look) for look in looks[1:2]]}


def _rectified(picture: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size), dtype=np.uint8)


def _model(look: Look) -> dict[str, Any]:
    return {
        "look": look,
        "place": "",
        "count": 3,
        "bias": 0.5,
        "radii": [round(0.4 - 0.02 * n, 3) for n in range(SLABS)],
        "colours": "0" * PARTS,
        "mean": [[0.1, 0.2, 0.3]] * COLOURS,
        "sigma": [[0.5, 0.5, 0.5]] * COLOURS,
    }


def _name(data: dict[str, Any], chance: Random) -> None:
    data["name"], data["made"] = chance.choice(NAMES), chance.choice((1.6e9, 0, -1, "today", 1e300, True))


def _nudge_view(data: dict[str, Any], chance: Random) -> None:
    homography = list(data["view"]["homography"])
    at = chance.randrange(9)
    homography[at] *= 1 + chance.choice((1e-6, 1e-3, 0.05, -0.02))
    data["view"] = {**data["view"], "homography": homography}


def _change_looks(data: dict[str, Any], chance: Random) -> None:
    examples = [dict(example) for example in data["examples"]]
    looks = dict(examples[0]["looks"])
    for place in chance.sample(list(looks), min(len(looks), 3)):
        looks[place] = chance.choice(data["looks"])
    examples[0]["looks"] = looks
    data["examples"] = examples


def _paint(data: dict[str, Any], chance: Random) -> None:
    """Exchanges a picture for another of its size: black, white, noise, or one of another form."""
    key = chance.choice(("reference", "picture", "doubt"))
    if data.get(key) is None:
        return
    image = cv2.imdecode(np.frombuffer(base64.b64decode(data[key]), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    noise = np.frombuffer(chance.randbytes(image.size), np.uint8).reshape(image.shape)
    painted = chance.choice((np.zeros_like(image), np.full_like(image, 255), noise))
    _, code = cv2.imencode(chance.choice((".png", ".jpg", ".webp", ".bmp")), painted)
    data[key] = base64.b64encode(code.tobytes()).decode()


def _leave_out(data: dict[str, Any], chance: Random) -> None:
    data[chance.choice(("doubt", "models"))] = None


def _change_solid(data: dict[str, Any], chance: Random) -> None:
    if not data.get("models"):
        return
    model = dict(data["models"][0])
    model["radii"] = [chance.choice((0, 0.1, 5, 100)) for _ in range(SLABS)]
    model["bias"], model["count"] = chance.uniform(-1e6, 1e6), chance.choice((0, 1, 1e9))
    model["sigma"] = [[chance.choice((1e-3, 1, 100))] * 3 for _ in range(COLOURS)]
    if chance.random() < 0.5:
        model["mask"] = list(chance.randbytes(CELLS))
        model["colours"] = "".join(chance.choices("012", k=CELLS))
    data["models"] = [model]


CHANGES = (_name, _nudge_view, _change_looks, _paint, _leave_out, _change_solid)
