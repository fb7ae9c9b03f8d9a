"""Game texts: read, replayed, and refused in one line that says what to do."""

import shutil
from importlib import resources
from pathlib import Path

import pytest

from companion.core.game import GameError, IllegalActionError
from companion.games.text import read_game, replay, split


def test_replay_gives_the_position_and_canonical_spellings() -> None:
    game, position, actions = replay("triune first=blue b7~ a2-a3")
    assert (game.rules.name, position.turn, actions) == ("triune", "blue", ("b7~", "a2-a3"))


def test_white_space_of_all_kinds_separates() -> None:
    assert replay("  triune\n a2-a3\t b7~ \n")[2] == ("a2-a3", "b7~")


def test_another_way_to_write_an_action_is_read() -> None:
    assert replay("escape e3>g4>h4")[2] == ("e3>h4",)


def test_options_are_filled_in_and_the_head_is_kept_as_written() -> None:
    game = read_game("ternion_factor pawns=4 players=3")
    assert game.options == {"players": "3", "pawns": "4", "ternion": "connected"}
    assert game.head == "ternion_factor pawns=4 players=3"
    assert game.text(["c4"]) == "ternion_factor pawns=4 players=3 c4"


def test_an_action_with_an_equals_sign_is_no_option() -> None:
    game, words = split("magnet setup=random =? =?")
    assert (game.given, words) == (("setup=random",), ("=?", "=?"))
    assert split("escape b5>a6=d1")[1] == ("b5>a6=d1",)


def test_a_board_of_the_owners(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    shutil.copy(str(resources.files("companion") / "boards" / "triune.json"), path)
    game, _, actions = replay(f"triune board={path} a2-a3")
    assert game.head == f"triune board={path}"
    assert actions == ("a2-a3",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an empty game text"),
        ("   ", "an empty game text"),
        ("ludo a2-a3", "there is no game 'ludo'"),
        ("Ludo a2-a3", "there is no game 'ludo'"),
        ("triune colour=red", "triune has no option 'colour'"),
        ("triune first=green", "first=green is not one of red, blue"),
        ("triune board=", "is not allowed"),
        ("triune board=nowhere.json", "cannot read board file 'nowhere.json'"),
        ("triune a2-a5", r"'a2-a5' is not allowed \(TR-3\)"),
        ("triune a2-a3 a3-a4", r"'a3-a4' is not allowed"),
        ("triune nonsense", "'nonsense' is not allowed"),
        ("triune a2-a3 first=red", "'first=red' is not allowed"),
        ("queens n=9", "n=9 is not one of"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_line(text: str, words: str) -> None:
    with pytest.raises(GameError, match=words) as caught:
        replay(text)
    assert "\n" not in str(caught.value)


def test_the_first_action_that_is_refused_is_named() -> None:
    with pytest.raises(IllegalActionError) as caught:
        replay("triune a2-a3 b7~ a2-a3 nonsense")
    assert caught.value.action == "a2-a3"
    assert [breach.rule for breach in caught.value.breaches] == ["TR-1"]


def test_a_head_holds_no_actions() -> None:
    with pytest.raises(GameError, match="'a2-a3' is no option"):
        read_game("triune a2-a3")


def test_a_board_that_lacks_what_the_game_needs(tmp_path: Path) -> None:
    path = tmp_path / "chess.json"
    shutil.copy(str(resources.files("companion") / "boards" / "chess.json"), path)
    with pytest.raises(GameError, match="board 'chess'"):
        replay(f"magnet board={path}")
