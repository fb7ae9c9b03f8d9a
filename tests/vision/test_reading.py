"""From pictures of known positions to readings: on a drawn board, on scenes, and through the commands."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.board import load_board
from companion.observation import Reading
from companion.text import replay
from vision.calibrate import CalibrationError, Example, calibrate
from vision.cli import calibrate as calibrate_command
from vision.cli import see as see_command
from vision.hands import MotionWatch
from vision.picture import chances
from vision.profile import Profile, ProfileError, load_profile, parse_profile
from vision.reader import Reader, likeliest

TRIUNE_LEARNED = (("001.jpg", 0), ("006.jpg", 4))


def picture(shared: Path, game: str, name: str) -> np.ndarray:
    image = cv2.imread(str(shared / "scenes" / game / name))
    assert image is not None
    return image


def truth(shared: Path, game: str) -> dict:
    return json.loads((shared / "scenes" / game / "truth.json").read_text(encoding="utf-8"))


def position(text: str, plies: int) -> dict[str, str]:
    words = text.split()
    options = sum("=" in w and w.partition("=")[0].isalpha() for w in words[1:])
    game, state, _ = replay(" ".join(words[: 1 + options + plies]))
    return dict(game.rules.look(state))


def learned(shared: Path, game: str) -> tuple[Profile, dict]:
    scene = truth(shared, game)
    played, start, _ = replay(scene["text"])
    examples = [
        Example(picture(shared, game, name), position(scene["text"], plies)) for name, plies in TRIUNE_LEARNED
    ]
    empty = picture(shared, game, "000.jpg")
    return calibrate(played.board, played.head, played.rules.looks(start), examples, empty), scene


@pytest.fixture(scope="module")
def triune(shared: Path) -> tuple[Profile, dict]:
    return learned(shared, "triune")


def test_every_clean_frame_of_a_sequence_is_read(shared: Path, triune: tuple[Profile, dict]) -> None:
    profile, scene = triune
    reader = Reader(profile, load_board("triune"))
    before_stack = [i for i in scene["images"][1:] if not i["hand"] and not i["illegal"] and i["ply"] < 8]
    for image in before_stack:
        seen = reader.read(picture(shared, "triune", image["file"]))
        there = {p: look for p, look in seen.looks.items() if look != "empty"}
        assert there == position(scene["text"], image["ply"]), image["file"]
        assert seen.board == "ok"


def test_hands_are_noticed_and_clean_frames_are_not_called_hands(
    shared: Path, triune: tuple[Profile, dict]
) -> None:
    profile, scene = triune
    reader = Reader(profile, load_board("triune"))
    for image in scene["images"][1:]:
        seen = reader.read(picture(shared, "triune", image["file"]))
        assert seen.sighting.hand == image["hand"], image["file"]


@pytest.mark.parametrize("change", ["darker", "lighter", "warm", "jpeg", "blur"])
def test_light_and_lens_do_not_matter(shared: Path, triune: tuple[Profile, dict], change: str) -> None:
    profile, scene = triune
    reader = Reader(profile, load_board("triune"))
    seen = reader.read(changed(picture(shared, "triune", "003.jpg"), change))
    there = {p: look for p, look in seen.looks.items() if look != "empty"}
    wrong = set(there.items()) ^ set(position(scene["text"], 2).items())
    assert seen.board != "ok" or len(wrong) <= 2


def changed(image: np.ndarray, change: str) -> np.ndarray:
    if change == "jpeg":
        return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 40])[1], cv2.IMREAD_COLOR)
    if change == "blur":
        return cv2.GaussianBlur(image, (0, 0), 2)
    gain = {"darker": (0.6, 0.6, 0.6), "lighter": (1.3, 1.3, 1.3), "warm": (0.75, 1.0, 1.15)}[change]
    return np.clip(image * np.array(gain), 0, 255).astype(np.uint8)


def test_a_dark_frame_says_so(triune: tuple[Profile, dict]) -> None:
    profile, _ = triune
    width, height = profile.view.size
    seen = Reader(profile, load_board("triune")).read(np.full((height, width, 3), 3, np.uint8))
    assert seen.board == "too dark"
    assert seen.sighting.observation is None


def test_a_profile_survives_its_file(tmp_path: Path, shared: Path, triune: tuple[Profile, dict]) -> None:
    profile, scene = triune
    profile.save(tmp_path / "p.json")
    again = Reader(load_profile(tmp_path / "p.json"), load_board("triune"))
    seen = again.read(picture(shared, "triune", "002.jpg"))
    assert {p: k for p, k in seen.looks.items() if k != "empty"} == position(scene["text"], 1)


def test_a_profile_of_another_board_is_refused(triune: tuple[Profile, dict]) -> None:
    with pytest.raises(ProfileError, match="made for the board 'triune'"):
        Reader(triune[0], load_board("chess"))


@pytest.mark.parametrize("data", [None, {}, {"format": "board-companion profile 1"}, {"format": "other"}])
def test_what_is_no_profile_is_refused(data: object) -> None:
    with pytest.raises(ProfileError, match="make it again"):
        parse_profile(data)


def test_pictures_without_pieces_teach_nothing() -> None:
    blank = np.zeros((480, 640, 3), np.uint8)
    with pytest.raises(CalibrationError, match="shows a piece"):
        calibrate(load_board("chess"), "chess", ("empty", "white", "black"), [Example(blank, {})])


def test_commands_calibrate_and_see(tmp_path: Path, shared: Path) -> None:
    folder, profile = shared / "scenes" / "escape", str(tmp_path / "escape.json")
    head = truth(shared, "escape")["text"].split()[:2]
    runner = CliRunner()
    made = runner.invoke(calibrate_command, [
        "--game", " ".join(head), "--image", f"{folder}/001.jpg@0", "--empty", f"{folder}/000.jpg",
        "--south", "bottom", "-o", profile,
    ])
    assert made.exit_code == 0, made.output
    shown = tmp_path / "seen.png"
    seen = runner.invoke(see_command, ["--profile", profile, "--picture", str(shown), f"{folder}/001.jpg"])
    answer = json.loads(seen.stdout.splitlines()[0])
    assert answer["board"] == "ok"
    assert not answer["hand"]
    assert answer["sites"]["c2"]["look"] == "south"
    assert answer["sites"]["c2"]["p"] > 0.9
    assert cv2.imread(str(shown)) is not None


@pytest.mark.parametrize("arguments", [
    ["--game", "chess", "--image", "missing.jpg", "-o", "x.json"],
    ["--game", "nothing", "--image", "missing.jpg", "-o", "x.json"],
    ["--game", "chess e2e4", "--image", "missing.jpg@7", "-o", "x.json"],
    ["--game", "chess", "--image", "missing.jpg", "--corners", "1,2 3", "-o", "x.json"],
])
def test_bad_input_is_refused_in_one_line(arguments: list[str]) -> None:
    result = CliRunner().invoke(calibrate_command, arguments)
    assert result.exit_code != 0
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_chances_leave_room_for_what_is_not_named() -> None:
    p = chances(Reading({"empty": 0.0, "red": 2.0}, other=2.0))
    assert p["red"] == pytest.approx(1 / (2 + np.exp(-2)))
    assert sum(p.values()) < 1


def test_a_flat_reading_is_called_empty() -> None:
    assert likeliest(Reading({"red": 0.0, "empty": 0.0}, other=0.0)) == "empty"


def test_motion_between_frames() -> None:
    watch = MotionWatch()
    still = np.full((240, 320, 3), 90, np.uint8)
    moved = still.copy()
    moved[60:120, 60:120] = 200
    assert watch.still(still)
    assert watch.still(still)
    assert not watch.still(moved)
    assert watch.still(moved)
