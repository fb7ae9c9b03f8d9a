"""Pictures of known positions, as `companion calibrate` is given them."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.game import GameError
from tests.vision.drawn import drawn
from vision.calibration.calibrate import calibrate
from vision.calibration.examples import Spelled, looks_shown, read_example, read_spelling
from vision.calibration.profile import load_profile
from vision.cli import calibrate as calibrate_command
from vision.reading.reader import Reader
from vision.sources.source import SourceError

BARE = "fen=4k3/8/8/8/8/8/8/R3K3_w_-_-_0_1"
CORRIDOR = {"a1": "white", "e1": "white", "e8": "black"}
WOOD = "triune a2-a3"
TRIUNE = drawn("triune")


@pytest.mark.parametrize(("files", "text", "spelled"), [
    ("", "a.jpg", Spelled("a.jpg")),
    ("", "a.jpg@2", Spelled("a.jpg", actions=2)),
    ("", "a.jpg@²", Spelled("a.jpg@²")),
    ("", "a.jpg@9999999999", Spelled("a.jpg@9999999999")),
    ("a.jpg", "a.jpg=empty", Spelled("a.jpg", position="empty")),
    ("a.jpg", f"a.jpg={BARE}", Spelled("a.jpg", position=BARE)),
    ("a.jpg", "a.jpg=players=3 a2-a3", Spelled("a.jpg", position="players=3 a2-a3")),
    ("a.jpg", "a.jpg==K222333444tT @f6", Spelled("a.jpg", position="=K222333444tT @f6")),
    ("a.jpg", "a.jpg=@2", Spelled("a.jpg", position="@2")),
    ("a.jpg@2", "a.jpg@2", Spelled("a.jpg@2")),
    ("a.jpg a.jpg@2", "a.jpg@2", Spelled("a.jpg@2")),
    ("a.jpg@2", "a.jpg@2@1", Spelled("a.jpg@2", actions=1)),
    ("a.jpg@2", "a.jpg@2=empty", Spelled("a.jpg@2", position="empty")),
    ("p=1.jpg", "p=1.jpg", Spelled("p=1.jpg")),
    ("p=1.jpg", "p=1.jpg@2", Spelled("p=1.jpg", actions=2)),
    ("p=1.jpg p", "p=1.jpg=a1:white", Spelled("p=1.jpg", position="a1:white")),
    ("p=1/a.jpg", "p=1/a.jpg=empty", Spelled("p=1/a.jpg", position="empty")),
    ("p/1.jpg p=/1.jpg", "p=/1.jpg=empty", Spelled("p=/1.jpg", position="empty")),
])  # fmt: skip
def test_a_file_may_hold_at_and_equals(
    files: str, text: str, spelled: Spelled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for file in files.split():
        Path(file).parent.mkdir(exist_ok=True)
        Path(file).touch()
    assert read_spelling(text) == spelled


@pytest.mark.parametrize("text", ["a.jpg=empty", "a.jpg=fen=x", "a.jpg=a1:white@2"])
def test_a_missing_file_is_named_without_its_position(text: str) -> None:
    with pytest.raises(SourceError, match=r"cannot read picture 'a\.jpg': there is no such file"):
        read_spelling(text)


@pytest.mark.parametrize(("game", "position", "looks"), [
    ("chess", "empty", {}),
    ("chess", BARE, CORRIDOR),
    ("chess", f"chess {BARE}", CORRIDOR),
    ("chess", f"{BARE} a1a8", {"a8": "white", "e1": "white", "e8": "black"}),
    (f"chess {BARE} a1a8", "a1a2", {"a2": "white", "e1": "white", "e8": "black"}),
    ("chess e2e4", BARE, CORRIDOR),
    ("chess", "a1:white,e1:white,e8:black", CORRIDOR),
    ("chess", " a1:white, e1:white,e8:black,d4:empty ", CORRIDOR),
    ("chess", "a1:empty", {}),
    ("triune", "a1:red/solid,b2:red/marked,h8:blue/triune",
     {"a1": "red/solid", "b2": "red/marked", "h8": "blue/triune"}),
    ("triune first=blue", "first=red a2-a3", None),
    ("magnet", "magnet", {}),
    ("magnet", "setup=random", {}),
    ("trid players=4", "players=3", None),
    ("ternion_spaces", "a4:black+T,a5:+T,B8:white", {"a4": "black+T", "a5": "+T", "B8": "white"}),
    ("teleporters", "b2:north/pole,b2nw:south/port", {"b2": "north/pole", "b2nw": "south/port"}),
    ("queens n=5", "a1:solver/pole", {"a1": "solver/pole"}),
])  # fmt: skip
def test_a_position_is_told_as_in_a_game_text_or_place_by_place(
    game: str, position: str, looks: dict[str, str] | None
) -> None:
    shown = looks_shown(Spelled("a.jpg", position=position), game)
    if looks is None:
        name = game.split()[0]
        looks = looks_shown(Spelled("a.jpg"), f"{name} {position}")
        assert looks
    assert shown == looks


@pytest.mark.parametrize(("actions", "at"), [(0, "a2"), (1, "a3"), (None, "a3")])
def test_a_picture_shows_the_text_so_far(actions: int | None, at: str) -> None:
    looks = looks_shown(Spelled("a.jpg", actions=actions), WOOD)
    assert at in looks
    assert len(looks.keys() & {"a2", "a3"}) == 1


@pytest.mark.parametrize(("game", "position", "words"), [
    ("chess", "", "nothing stands after the '='"),
    ("chess", "  ", "nothing stands after the '='"),
    ("chess", "z9:white", "'z9' is no site of the board 'chess' (a1, a2 … h8)"),
    ("chess", "a1:green", "'green' is no look of 'chess', which has empty, white, black"),
    ("chess", "a1:white/king", "'white/king' is no look of 'chess'"),
    ("chess", "a1:white,a1:black", "'a1' is named twice"),
    ("chess", "a1:white,", "'' is no site:look"),
    ("chess", "a1:white,b2", "'b2' is no site:look"),
    ("chess", "a1:", "'a1:' is no site:look"),
    ("chess", ":white", "':white' is no site:look"),
    ("chess", "a1=white", "'a1=white' is not allowed"),
    ("chess", "fen=abc", "is no FEN"),
    ("chess", "fen=8/8/8/8/8/8/8/8_w_-_-_0_1", "no white king"),
    ("chess", "e2e5", "'e2e5' is not allowed"),
    ("chess", "triune", "it is one of triune, but --game is chess"),
    ("chess", "board=chess.json", "give board=… in --game alone"),
    ("trid", "players=4", "is no look of 'trid'"),
    ("trid", "players=9", "players=9 is not one of"),
    ("teleporters", "b2:south/port", "'south/port' stands on a part of a site, as a2nw, not on 'b2'"),
    ("teleporters", "b2nw:south/pole", "'south/pole' stands on a whole site, not on 'b2nw'"),
    ("teleporters", "b1nw:south/port", "'b1nw' is no site of the board 'teleporters'"),
])  # fmt: skip
def test_a_bad_position_says_what_to_write(game: str, position: str, words: str) -> None:
    with pytest.raises(GameError) as refused:
        looks_shown(Spelled("a.jpg", position=position), game)
    said = str(refused.value)
    assert said.startswith("the position of 'a.jpg': ")
    assert words in said
    assert said.endswith("or as site:look,site:look,…")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pictures of a drawn board."""
    folder = tmp_path_factory.mktemp("desk")
    cv2.imwrite(str(folder / "start=1.png"), TRIUNE.picture())
    cv2.imwrite(str(folder / "later.png"), TRIUNE.picture(TRIUNE.table(WOOD)))
    cv2.imwrite(str(folder / "empty.png"), TRIUNE.empty)
    return folder


def test_pictures_of_any_position_and_of_the_empty_board_are_learned_from(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    later = read_example("later.png", WOOD)
    listed = ",".join(f"{place}:{look}" for place, look in later.looks.items())
    made = CliRunner().invoke(calibrate_command, [
        "--game", "triune", "--image", "start=1.png@0", "--image", f"later.png={listed}",
        "--image", "empty.png=empty", "--empty", "empty.png", "--empty", "empty.png",
        "-o", str(tmp_path / "wood.json"),
    ])  # fmt: skip
    assert made.exit_code == 0, made.output
    profile = load_profile(tmp_path / "wood.json")
    assert profile.doubt is None
    seen = Reader(profile, TRIUNE.board).read(later.image)
    assert {place: look for place, look in seen.looks.items() if look != "empty"} == later.looks


def test_the_first_empty_picture_is_the_reference(desk: Path) -> None:
    corners = [(float(x), float(y)) for x, y in TRIUNE.view.pixels(TRIUNE.board.corners)]
    looks = TRIUNE.game.rules.looks(TRIUNE.game.start())
    examples, dim = [read_example(str(desk / "start=1.png"), "triune")], TRIUNE.empty // 2
    one = calibrate(TRIUNE.board, "triune", looks, examples, [TRIUNE.empty], corners)
    two = calibrate(TRIUNE.board, "triune", looks, examples, [TRIUNE.empty, dim], corners)
    assert (two.reference == one.reference).all()
    assert len(two.examples) == len(one.examples) + 1


@pytest.mark.parametrize(("arguments", "words"), [
    ("", "give --image FILE or --empty FILE"),
    ("--empty missing.png", "cannot read picture 'missing.png'"),
    ("--image missing.png=a1:red/solid", "cannot read picture 'missing.png'"),
    ("--image later.png=i1:red/solid", "'i1' is no site"),
    ("--image later.png=a1:red", "'red' is no look"),
    ("--image later.png=first=green", "first=green is not one of red, blue"),
])  # fmt: skip
def test_bad_pictures_are_refused_in_one_line(
    desk: Path, arguments: str, words: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(desk)
    with pytest.raises(SystemExit) as ended:
        main(["calibrate", "--game", "triune", *arguments.split(), "-o", "made.json"])
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1)
    assert words in said, said
    assert not (desk / "made.json").exists()
