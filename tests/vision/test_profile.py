"""Profiles as files: whatever a value is exchanged for, they read pictures or are refused by its key."""

from __future__ import annotations

import copy
import errno
import json
import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.board import load_board
from tests.vision.drawn import drawn
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import ProfileError, load_profile, parse_profile
from vision.known.example import Example
from vision.reading.reader import Reader

TRIUNE = drawn("triune")
INFINITE, NO_NUMBER = float("inf"), float("nan")
NUMBERS = (0, -1, 1, 3, 0.5, 1e-300, 1e300, -1e300, 10**400, INFINITE, -INFINITE, NO_NUMBER)
VALUES = (None, True, False, *NUMBERS, "", "a", "1", "\ud800", [], {})
Keys = tuple[str | int, ...]


@cache
def whole() -> dict[str, Any]:
    """The data of a profile learned without a picture of the empty board: all that a profile can have."""
    looks = TRIUNE.game.rules.looks(TRIUNE.game.start())
    corners = [(float(x), float(y)) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    profile = calibrate(TRIUNE.board, "triune", looks, [Example(TRIUNE.picture(), TRIUNE.looks)], (), corners)
    return profile.to_json()


def exchanged(data: Any, keys: Keys, value: object) -> Any:
    """The data with another value under some keys."""
    out = copy.copy(data)
    if keys:
        out[keys[0]] = exchanged(data[keys[0]], keys[1:], value) if keys[1:] else value
    return out if keys else value


def keys_of(data: Any, keys: Keys = ()) -> Iterator[Keys]:
    """The keys of every value; of those with many values, the first and the last."""
    yield keys
    inner = [*data] if isinstance(data, dict) else [*range(len(data))] if isinstance(data, list) else []
    for key in inner if len(inner) < 20 else (inner[0], inner[-1]):
        yield from keys_of(data[key], (*keys, key))


def black(width: int, height: int) -> str:
    _, code = cv2.imencode(".png", np.zeros((height, width, 3), np.uint8))
    return b64encode(code.tobytes()).decode("ascii")


def what_comes_of(data: object) -> str:
    """How a picture is read by a profile, or why the profile is refused."""
    try:
        return Reader(parse_profile(data), TRIUNE.board).read(TRIUNE.picture()).board
    except ProfileError as error:
        return str(error)


def test_a_profile_of_an_upright_picture_is_read_again(tmp_path: Path) -> None:
    image = cv2.resize(np.rot90(TRIUNE.picture(), -1), (857, 1280))
    turned = [(479 - y, x) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    corners = [((x + 0.5) * 857 / 480 - 0.5, (y + 0.5) * 1280 / 640 - 0.5) for x, y in turned]
    example = Example(np.asarray(image, dtype=np.uint8), TRIUNE.looks)
    profile = calibrate(TRIUNE.board, "triune", ("empty", *TRIUNE.looks.values()), [example], (), corners)
    profile.save(tmp_path / "profile.json")
    assert load_profile(tmp_path / "profile.json").view.size == profile.view.size == (857, 1280)


def test_a_full_disk_leaves_the_profile_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path, profile = tmp_path / "profile.json", parse_profile(whole())
    profile.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        replace(profile, game="trid").save(path)
    assert [(file, file.read_bytes()) for file in tmp_path.iterdir()] == [(path, before)]


def test_a_whole_profile_reads() -> None:
    seen = Reader(parse_profile(whole()), TRIUNE.board).read(TRIUNE.picture())
    assert seen.board == "ok"
    assert {p for p, look in seen.looks.items() if look != "empty"} == set(TRIUNE.looks)


@given(st.data())
@settings(max_examples=25)
def test_any_value_exchanged_is_refused_or_reads(data: st.DataObject) -> None:
    keys = data.draw(st.sampled_from(list(keys_of(whole()))))
    said = what_comes_of(exchanged(whole(), keys, data.draw(st.sampled_from(VALUES))))
    assert said in ("ok", "moved") or ("calibrate" in said and "\n" not in said)


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (("examples",), [], "examples must not be empty"),
        (("examples", 0), 7, "examples[0]"),
        (("examples", 0, "picture"), black(240, 10), "examples must be 640 pixels wide and 480 high"),
        (("examples", 0, "looks"), [], "looks must be an object"),
        (("examples", 0, "looks"), {"a1": "green"}, "looks.a1 must be one of looks"),
        (("examples", 0, "looks"), {"z9": "empty"}, "'z9', which is not on the board"),
        (("view", "lens"), [1], "not a lens: it must be an object"),
        (("view", "lens"), {"fx": 700}, "not a lens"),
        (("view", "lens", "fy"), 0, "fy must be a number"),
        (("view", "lens", "p1"), -1, "p1 must be a number"),
        (("view", "size", 0), INFINITE, "size[0] must be a number from"),
        (("view", "size"), [0, 0], "size[0] must be"),
        (("view", "size"), [640, 481], "picture must be 640 pixels wide and 481 high"),
        (("view", "size"), [640.5, 480], "size[0] must be a whole number"),
        (("view", "size"), [640], "size must have 2 values"),
        (("view", "extent", 2), NO_NUMBER, "extent[2] must be a number"),
        (("view", "extent", 2), 8.5, "reference must be 520 pixels wide"),
        (("view", "extent", 2), -9, "homography and extent"),
        (("view", "homography"), [1, 0, 0, 0, 1, 0, 0, 0, 1], "homography, size and lens"),
        (("view", "homography", 4), 10**400, "homography[4] must be a number"),
        (("doubt",), black(8, 8), "doubt must be 480 pixels wide and 480 high"),
        (("picture",), "/9j/", "picture must be a picture in base64"),
        (("reference",), "ß", "reference must be a picture in base64"),
        (("looks",), "empty", "looks must be a list"),
        (("looks", 1), 7, "looks[1] must be a text"),
        (("parts",), 1, "parts must be true or false"),
        (("game",), 7, "game must be a text"),
        (("board",), "chess", "made for the board 'chess'"),
    ],
)  # fmt: skip
def test_a_damaged_value_is_refused_by_its_key(keys: Keys, value: object, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        Reader(parse_profile(exchanged(whole(), keys, value)), load_board("triune"))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_pictures_that_are_too_large_together_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = [{"picture": black(7000, 7000), "looks": {}}] * 4
    monkeypatch.setattr(cv2, "imdecode", lambda *_: pytest.fail("it was decoded"))
    with pytest.raises(ProfileError, match="all pictures may have 150 megapixels"):
        parse_profile(exchanged(whole(), ("examples",), examples))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"format": ' + "9" * 5000 + "}", "\ud800"])
def test_a_file_that_is_no_json_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "taught.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ProfileError, match=r"taught\.json' is not JSON; make it again"):
        load_profile(file)


def test_what_may_be_left_out() -> None:
    plain = {key: value for key, value in whole().items() if key != "doubt"}
    for nothing in ({}, {"doubt": None}):
        assert parse_profile(json.loads(json.dumps({**plain, **nothing}))).doubt is None
