"""Board files of an owner's: each way in which one can be wrong has its line; copies are fine."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.core.board import bundled_boards, parse_board
from companion.core.game import GameError
from companion.games import board_file as boardfile
from companion.games.text import replay


@pytest.fixture
def rooks() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(boardfile.new_board("rooks"))
    return data


def check(folder: Path, data: object) -> tuple[str, ...]:
    file = folder / "board.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return boardfile.check_file(str(file)).problems


@pytest.mark.parametrize("name", bundled_boards())
def test_a_copy_of_a_board_is_fine_and_says_what_may_be_changed(tmp_path: Path, name: str) -> None:
    text = boardfile.new_board(name)
    data = json.loads(text)
    assert any("begun as a copy" in note for note in data["notes"])
    assert parse_board(data).sites == parse_board({k: v for k, v in data.items() if k != "notes"}).sites
    assert check(tmp_path, data) == ()


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(boardfile.new_board("triune"), encoding="utf-8-sig")
    assert boardfile.check_file(str(file)).problems == ()
    assert replay(f"triune board={file}")[0].board.name == "triune"


def test_a_copy_has_one_entry_on_each_line() -> None:
    lines = boardfile.new_board("teleporters").splitlines()
    assert '  "a1": [0, 0],' in lines
    assert max(map(len, lines)) < 400


def test_a_board_is_found_by_the_name_of_its_game() -> None:
    assert json.loads(boardfile.new_board("jump_to_center"))["name"] == "ternion_spaces"
    with pytest.raises(GameError, match="there is no board 'chequers'"):
        boardfile.new_board("chequers")


SPOT = {"kind": "circle", "points": [[0, 0]], "style": "dark"}
FAULTS: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("format", lambda d: d.update(format="x"), "not a board file"),
    ("no sites", lambda d: d.pop("sites"), "sites must be an object"),
    ("empty", lambda d: d.update(sites={}, links=[]), '"sites" is empty'),
    ("a point", lambda d: d["sites"].update(a1=[0]), "sites.a1 must have 2 values"),
    ("a word", lambda d: d["sites"].update(a1="left"), "a1"),
    ("a spot twice", lambda d: d["sites"].update(a1=[1, 1]), "same spot as"),
    ("a spot nearly twice", lambda d: d["sites"].update(a1=[1, 1 + 1e-8]), "same spot as"),
    ("a link", lambda d: d["links"].append(["a1", "z9"]), "z9 is not a site"),
    ("a loop", lambda d: d["links"].append(["a1", "a1"]), "joined to itself"),
    ("an area", lambda d: d.update(areas={"home": ["z9"]}), 'z9 in "home" is not a site'),
    ("a place", lambda d: d.update(places={"a1": [0, 0]}), "a1 is a site, too"),
    ("corners", lambda d: d["corners"].reverse(), "need this order"),
    ("three corners", lambda d: d["corners"].pop(), "corners must have 4 values"),
    ("outline", lambda d: d["outline"].append("x"), "must be a list"),
    (
        "provenance",
        lambda d: d.update(provenance={"sites": "guessed"}),
        "must be one of rulebook",
    ),
    ("no object", lambda d: d.update(pieces=[]), "pieces must be an object"),
    ("no list", lambda d: d.update(shapes=5), "shapes must be a list"),
    ("half a link", lambda d: d["links"].append(["a1"]), "must have 2 values"),
    ("faces", lambda d: d["pieces"].update(faces=[]), "pieces.faces must be an object"),
    ("paint", lambda d: d["pieces"].update(paint=3), "pieces.paint must be an object"),
    ("a shape", lambda d: d["shapes"].append({"kind": "star"}), "].kind must be one of polygon"),
    (
        "its points",
        lambda d: d["shapes"].append({"kind": "line", "points": [1]}),
        "points[0] must be a list",
    ),
    ("two points", lambda d: d["shapes"].append({"kind": "line", "points": [[0, 0]]}), "at least 2 points"),
    (
        "its style",
        lambda d: d["shapes"].append({"kind": "circle", "points": [[0, 0]]}),
        ".style must be a text",
    ),
    (
        "a face",
        lambda d: d["pieces"]["faces"].update(teleport={"form": "block"}),
        "teleport.radius must be",
    ),
    (
        "a colour",
        lambda d: d["pieces"]["paint"].update(red="red"),
        "paint.red must be a colour as",
    ),
    (
        "a badge",
        lambda d: d["pieces"]["faces"]["teleport"].update(badge=["K"]),
        ".badge must be a text",
    ),
    (
        "a radius",
        lambda d: d["shapes"].append(SPOT | {"radius": 1e300}),
        ".radius must be a number from 0",
    ),
    ("its words", lambda d: d["shapes"].append(SPOT | {"words": 7}), "].words must be a text"),
    ("far away", lambda d: d["sites"].update(a1=[0, 10**400]), "sites.a1[1] must be a number"),
    ("a list for a site", lambda d: d["links"].append(["a1", []]), "[1] must be a text"),
    ("a link of letters", lambda d: d["links"].append("ab"), "must be a list"),
    ("an area of one", lambda d: d.update(areas={"home": "a1"}), "areas.home must be a list"),
    ("about", lambda d: d.update(about=3), "about must be a text"),
    ("no face", lambda d: d["pieces"].update(faces={}), "its pieces have no face for"),
    ("pitch", lambda d: d.update(pitch_mm=-1), "pitch_mm must be a number"),
    ("name", lambda d: d.update(name="mine"), "games look for one of: "),
]


@pytest.mark.parametrize(("spoil", "words"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_has_its_line(
    tmp_path: Path, rooks: dict[str, Any], spoil: Callable[[dict[str, Any]], object], words: str
) -> None:
    spoil(rooks)
    problems = check(tmp_path, rooks)
    assert any(words in problem for problem in problems), problems


def test_what_a_game_misses_is_said(tmp_path: Path) -> None:
    data = json.loads(boardfile.new_board("teleporters"))
    data["tables"]["portpads"]["south"] = {"b2": "nw"}
    data["areas"]["north poles"] = ["c8", "d8", "e8", "f1"]
    assert check(tmp_path, data)[0].startswith("teleporters: ")
    assert "four squares of ranks 2 to 7" in check(tmp_path, data)[0]


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({"line": [13, 11]}, '"line": 13 pawns that leave 11 intersections unclaimed were not found'),
        ({"line": [12, 11]}, '"line": 12 pawns that leave 11 intersections unclaimed were not found'),
        ({"neighbour": [15, 30]}, '"neighbour": 16 pawns fit on this board, not only 15'),
    ],
)
def test_a_best_score_that_the_outline_has_changed_is_noticed(
    tmp_path: Path, scores: dict[str, list[int]], words: str
) -> None:
    data = json.loads(boardfile.new_board("ternion"))
    data["tables"]["no_overlap"].update(scores)
    assert words in check(tmp_path, data)[0]


def test_a_game_is_played_on_a_changed_board(tmp_path: Path) -> None:
    data = json.loads(boardfile.new_board("teleporters"))
    data["tables"]["portpads"]["south"] = {"a4": "nw", "c3": "nw", "f3": "ne", "g2": "ne"}
    file = tmp_path / "mine.json"
    file.write_text(boardfile.write_board(data), encoding="utf-8")
    game, position, _ = replay(f"teleporters board={file} a4nw-b4")
    assert game.rules.look(position)["b4nw"] == "south/port"
    assert replay(game.text(["a4nw-b4"]))[1] == position


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["check", "none.json"], 2, "cannot read 'none.json'"),
        (["new", "none/none.json", "--like", "rooks"], 2, "cannot write"),
        (["new", "mine.json", "--like", "chequers"], 2, "there is no board 'chequers'"),
        (["new", "text.json", "--like", "rooks"], 2, "exists already"),
        (["check", "text.json"], 1, "this is not JSON"),
        (["new", "mine.json", "--like", "rooks"], 0, "companion board check mine.json"),
    ],
)
def test_the_command_says_what_to_do_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: list[str],
    status: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.json").write_text("hello", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["board", *args])
    said = "".join(capsys.readouterr())
    assert (ended.value.code, said.count("\n")) == (status, 1)
    assert words in said


STRANGE: list[tuple[str, str, Callable[[dict[str, Any]], object]]] = [
    ("jump_to_center", "ternion_spaces", lambda d: d["tables"].update(corners={"a1": 3})),
    ("trid", "trid", lambda d: d["tables"].update(seats=[])),
    ("queens", "queens", lambda d: d["pieces"].update(faces={})),
    ("triune", "triune", lambda d: d["sites"].update(a1=[0, 10**400])),
    ("no_overlap", "ternion", lambda d: d["links"].append([min(d["sites"])] * 2)),
]


@pytest.mark.parametrize(("game", "like", "spoil"), STRANGE)
def test_a_game_that_cannot_begin_on_a_board_says_so(
    tmp_path: Path, game: str, like: str, spoil: Callable[[dict[str, Any]], object]
) -> None:
    data = json.loads(boardfile.new_board(like))
    spoil(data)
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(GameError, match="board"):
        replay(f"{game} board={file}")
