"""From pictures of known positions to readings: on a drawn board, on scenes, and through the commands."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.board import load_board
from companion.games.text import replay
from companion.sensing.observation import Reading
from tests.readers import new_reader
from tests.vision.drawn import drawn
from vision.calibration.calibrate import CameraCalibrationError, calibrate
from vision.calibration.profile import Profile, ProfileError, load_profile, parse_profile
from vision.cli import calibrate as calibrate_command
from vision.cli import see as see_command
from vision.hands import MotionWatch
from vision.known.example import Example
from vision.reading.picture import chances
from vision.reading.reader import Reader, likeliest

TRIUNE = drawn("triune")
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
    return calibrate(played.board, played.head, played.rules.looks(start), examples, [empty]), scene


@pytest.fixture(scope="module")
def triune(shared: Path) -> tuple[Profile, dict]:
    return learned(shared, "triune")


def test_every_clean_frame_of_a_sequence_is_read(shared: Path, triune: tuple[Profile, dict]) -> None:
    profile, scene = triune
    reader = new_reader(profile, load_board("triune"))
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
    reader = new_reader(profile, load_board("triune"))
    for image in scene["images"][1:]:
        seen = reader.read(picture(shared, "triune", image["file"]))
        assert seen.sighting.hand == image["hand"], image["file"]


def test_a_camera_that_shakes_is_read_in_its_view(shared: Path, triune: tuple[Profile, dict]) -> None:
    profile, scene = triune
    reader, shakes = new_reader(profile, load_board("triune")), ((6, -5), (-6, 3), (5, 6), (-4, -6))
    view, images = reader.view, [image for image in scene["images"][1:] if not image["view"]]
    for number, image in enumerate(images):
        frame = picture(shared, "triune", image["file"])
        motion = np.array([[1, 0, shakes[number % 4][0]], [0, 1, shakes[number % 4][1]]], np.float32)
        size = frame.shape[1], frame.shape[0]
        shaken = cv2.warpAffine(frame, motion, size, borderMode=cv2.BORDER_REPLICATE)
        seen = reader.read(shaken, float(number))
        assert seen.view is view
        assert (seen.board, seen.sighting.hand, seen.sighting.trouble) == ("ok", image["hand"], ""), image[
            "file"
        ]
        if not image["hand"] and not image["illegal"] and image["ply"] < 8:
            there = {p: look for p, look in seen.looks.items() if look != "empty"}
            assert there == position(scene["text"], image["ply"]), image["file"]
            reader.learn(shaken, there)


@pytest.mark.parametrize("change", ["darker", "lighter", "warm", "jpeg", "blur"])
def test_light_and_lens_do_not_matter(shared: Path, triune: tuple[Profile, dict], change: str) -> None:
    profile, scene = triune
    reader = new_reader(profile, load_board("triune"))
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


def test_pictures_that_follow_no_other_are_each_read_by_the_calibration(
    shared: Path, triune: tuple[Profile, dict]
) -> None:
    profile, scene = triune
    reader, frame = new_reader(profile, load_board("triune")), picture(shared, "triune", "003.jpg")
    pushed = cv2.warpAffine(
        frame, np.array([[1, 0, 60], [0, 1, 25]], np.float32), frame.shape[1::-1], borderValue=(90, 90, 90)
    )
    for image, has_moved in ((pushed, True), (frame, False), (pushed, True)):
        seen = reader.read_alone(image)
        assert (seen.view is not profile.view) == has_moved
        assert bool(seen.sighting.trouble) == has_moved
        there = {p: look for p, look in seen.looks.items() if look != "empty"}
        assert there == position(scene["text"], 2)


def test_a_dark_frame_says_so(triune: tuple[Profile, dict]) -> None:
    profile, _ = triune
    width, height = profile.view.size
    seen = new_reader(profile, load_board("triune")).read(np.full((height, width, 3), 3, np.uint8))
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


FORMATS = [{"format": f"board-companion {name}"} for name in ("profile 1", "profile 2", "grid")]


@pytest.mark.parametrize("data", [None, {}, *FORMATS])
def test_what_is_no_profile_is_refused(data: object) -> None:
    with pytest.raises(ProfileError, match="make it again"):
        parse_profile(data)


def test_something_must_be_given_to_learn_from() -> None:
    with pytest.raises(CameraCalibrationError, match="no picture to learn from"):
        calibrate(load_board("chess"), "chess", ("empty", "white", "black"), [])


def test_an_empty_board_alone_tells_where_pieces_stand_and_they_are_learned_in_play() -> None:
    looks = TRIUNE.game.rules.looks(TRIUNE.game.start())
    corners = [(float(x), float(y)) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    reader = Reader(calibrate(TRIUNE.board, "triune", looks, [], [TRIUNE.empty], corners), TRIUNE.board)
    observation = reader.read(TRIUNE.picture()).sighting.observation
    assert observation is not None
    new = {place for place, reading in observation.readings.items() if reading.best() != "empty"}
    assert new == set(TRIUNE.looks)
    reader.learn(TRIUNE.picture(), TRIUNE.looks)
    seen = reader.read(TRIUNE.picture())
    assert {p: look for p, look in seen.looks.items() if look != "empty"} == TRIUNE.looks


def test_a_picture_with_its_pieces_as_the_empty_board_breaks_nothing() -> None:
    """Of pieces that do not differ from the board no form was left, and calibration broke."""
    looks = TRIUNE.game.rules.looks(TRIUNE.game.start())
    corners = [(float(x), float(y)) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    example = Example(TRIUNE.picture(), TRIUNE.looks)
    profile = calibrate(TRIUNE.board, "triune", looks, [example], [example.image], corners)
    assert all(any(model.radii) for model in profile.models)


def test_commands_calibrate_and_see(tmp_path: Path, shared: Path) -> None:
    folder, profile = shared / "scenes" / "escape", str(tmp_path / "escape.json")
    head = truth(shared, "escape")["text"].split()[:2]
    runner = CliRunner()
    made = runner.invoke(
        calibrate_command,
        [
            "--game",
            " ".join(head),
            "--image",
            f"{folder}/001.jpg@0",
            "--empty",
            f"{folder}/000.jpg",
            "--south",
            "bottom",
            "-o",
            profile,
        ],
    )
    assert made.exit_code == 0, made.output
    shown = tmp_path / "seen.png"
    seen = runner.invoke(see_command, ["--profile", profile, "--picture", str(shown), f"{folder}/001.jpg"])
    answer = json.loads(seen.stdout.splitlines()[0])
    assert answer["board"] == "ok"
    assert not answer["hand"]
    assert answer["sites"]["c2"]["look"] == "south"
    assert answer["sites"]["c2"]["p"] > 0.9
    assert cv2.imread(str(shown)) is not None


OFF = "1e9,2e9 2e9,2e9 2e9,1e9 1e9,1e9"
BESIDE = "-300,700 -200,700 -200,600 -300,600"
AROUND = "0,9 9,9 9,0 0,0"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pictures good and bad, and a profile of them."""
    folder = tmp_path_factory.mktemp("desk")
    cv2.imwrite(str(folder / "start.png"), TRIUNE.picture())
    for name, size in (("long", (1, 3000)), ("tall", (3000, 1)), ("tiny", (1, 1)), ("low", (100, 640))):
        cv2.imwrite(str(folder / f"{name}.png"), np.full((*size, 3), 128, np.uint8))
    cv2.imwrite(str(folder / "dark.png"), np.zeros((480, 640, 3), np.uint8))
    (folder / "huge.png").write_bytes(png_of(60_000, 60_000))
    TRIUNE.profile.save(folder / "wood.json")
    data = json.loads((folder / "wood.json").read_text())
    (folder / "taught.json").write_text(json.dumps({**data, "examples": []}))
    (folder / "deep.json").write_text("[" * 100_000)
    return folder


def png_of(width: int, height: int) -> bytes:
    """A PNG file that says it is so large, and holds nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize(("arguments", "corners", "words"), [
    ("calibrate --game chess --image missing.jpg", None, "cannot read picture 'missing.jpg'"),
    ("calibrate --game nothing --image missing.jpg", None, "there is no game 'nothing'"),
    ("calibrate --game chess --image missing.jpg@7", None, "has only 0 actions"),
    ("calibrate --game chess --image missing.jpg@²", None, "cannot read picture 'missing.jpg@²'"),
    (f"calibrate --game chess --image missing.jpg@{'9' * 5000}", None, "cannot read picture 'missing.jpg@9"),
    ("calibrate --game chess --image missing.jpg", "1,2 3", "--corners needs four points"),
    ("calibrate --game triune --image long.png", None, "the picture is too small"),
    ("calibrate --game triune --image tall.png", None, "the picture is too small"),
    ("calibrate --game triune --image dark.png", None, "too dark"),
    ("calibrate --game triune --image start.png --image long.png", None, "the picture is too small"),
    ("calibrate --game triune --image huge.png", None, "more than 50 megapixels"),
    ("calibrate --game triune --image start.png --empty tiny.png", AROUND, "is too small"),
    ("calibrate --game triune --image low.png", AROUND, "the picture is too small"),
    ("calibrate --game triune --image start.png", OFF, "must lie in the picture or close by"),
    ("calibrate --game triune --image start.png", "nan,9 9,9 9,0 0,0", "must go round the board"),
    ("calibrate --game triune --image start.png", BESIDE, "no board is seen so"),
    ("calibrate --game triune --image start.png", AROUND, "lie too close together"),
    ("see --profile wood.json start.png --picture out.foo", None, "give a name that ends in .png or .jpg"),
    ("see --profile wood.json start.png --picture out", None, "give a name that ends in .png or .jpg"),
    ("see --profile wood.json start.png --picture none/out.png", None, "cannot write 'none/out.png': No"),
    ("see --profile wood.json huge.png", None, "more than 50 megapixels"),
    ("see --profile taught.json start.png", None, "examples must not be empty"),
    ("see --profile deep.json start.png", None, "'deep.json' is not JSON"),
    ("see --profile wood.json --game chess start.png", None, "made for the board 'triune'"),
    ("watch --game triune --source camera:²", None, "'²' is no camera's number"),
    (f"watch --game triune --source camera:{'9' * 5000}", None, "is no camera's number"),
    ("watch --game triune --source folder:. --profile taught.json", None, "examples must not be empty"),
])  # fmt: skip
def test_bad_input_is_refused_in_one_line(
    desk: Path,
    arguments: str,
    corners: str | None,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(desk)
    output = ["-o", "made.json"] if arguments.startswith("calibrate") else []
    given = [] if corners is None else ["--corners", corners]
    with pytest.raises(SystemExit) as ended:
        main([*arguments.split(), *given, *output])
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1)
    assert words in said, said
    assert not (desk / "made.json").exists()


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
