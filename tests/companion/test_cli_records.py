"""`replay` and `records`: games on file and in the store."""

import json
from pathlib import Path

import pytest

from companion.record import FIRST_LINE, read_record
from companion.store import Store
from tests.companion.command import Command

MATE = "chess f2f3 e7e5 g2g4 d8h4"


def imported(companion: Command, text: str, name: str = "game.txt") -> int:
    Path(name).write_text(text, encoding="utf-8")
    result = companion("records", "import", name)
    assert result.status == 0, result
    return int(result.out.split()[-1])


def test_replay_prints_the_final_position(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("triune a2-a3 b7~")
    result = companion("replay", "game.txt")
    assert result.status == 0
    assert result.lines[:2] == ["triune, 2 actions", "Red to act."]
    assert "a3 solid red piece" in "\n".join(result.lines)
    assert len(result.lines) == 2 + 32


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MATE, "Black wins: checkmate."),
        (f"{FIRST_LINE}\ngame: triune\n\n2024-01-01T00:00:00.000Z offer {{by=red}}\n"
         "2024-01-01T00:00:01.000Z accept {by=blue}\n", "Drawn: draw agreed."),
        ('[White "Ann"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n', "Black wins: checkmate."),
    ],
)  # fmt: skip
def test_replay_tells_who_won(companion: Command, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "game").write_text(text)
    assert told in companion("replay", "game").lines


def test_the_list_is_empty_at_first(companion: Command) -> None:
    assert companion("records", "list") == (0, "", "")


def test_import_list_show_and_export(companion: Command, tmp_path: Path) -> None:
    number = imported(companion, f"{FIRST_LINE}\ngame: triune\nred: Ann\nplace: the club\n\n"
                                 "2024-05-01T10:00:00.000Z action a2-a3 {source=camera:0 certainty=0.9700}\n")
    (line,) = companion("records", "list").lines
    assert line.split() == f"{number} 2024-05-01 10:00 triune 1 actions going on Ann".split()
    (told,) = companion("records", "list", "--json").lines
    assert json.loads(told)["head"]["place"] == "the club"
    shown = companion("records", "show", number).lines
    assert shown[0] == "1. a2-a3  Red moves a solid piece from a2 to a3."
    assert "Blue to act." in shown
    record = read_record(companion("records", "export", number).out)
    assert (record.log[0].source, record.log[0].certainty) == ("camera:0", 0.97)
    companion("records", "export", number, "--format", "text", "-o", "out.txt")
    assert (tmp_path / "out.txt").read_text() == "triune a2-a3\n"


@pytest.mark.parametrize("form", ["record", "text", "pgn"])
def test_what_is_exported_is_imported_again(companion: Command, form: str) -> None:
    first = imported(companion, MATE)
    exported = companion("records", "export", first, "--format", form)
    second = imported(companion, exported.out, "again")
    assert companion("records", "show", second).out == companion("records", "show", first).out


def test_a_damaged_file_adds_nothing(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("triune a2-a3")
    (tmp_path / "bad.txt").write_text("triune a2-a3 a3-a4")
    for files in (["good.txt", "bad.txt"], ["bad.txt", "good.txt"], ["good.txt", "missing"]):
        companion.refuses("records", "import", *files)
    assert companion("records", "list").out == ""


def test_search_and_limit(companion: Command) -> None:
    for text in ("triune a2-a3", "escape", "triune b2-b3"):
        imported(companion, text)
    assert len(companion("records", "list", "--search", "triune").lines) == 2
    assert len(companion("records", "list", "-n", "1").lines) == 1
    assert companion("records", "list", "--search", "nothing").out == ""


def test_delete_and_restore(companion: Command) -> None:
    number = imported(companion, "triune a2-a3")
    companion("records", "delete", number)
    assert companion("records", "list").out == ""
    assert len(companion("records", "list", "--deleted").lines) == 1
    companion("records", "restore", number)
    assert len(companion("records", "list").lines) == 1


def test_the_data_folder_can_be_named(companion: Command, tmp_path: Path) -> None:
    imported(companion, "triune a2-a3")
    assert companion("records", "list", "--data", tmp_path / "other").out == ""
    assert (tmp_path / "other" / "games.sqlite").exists()


def test_a_corrected_game_is_not_exported_as_text(companion: Command) -> None:
    number = imported(companion, f"{FIRST_LINE}\ngame: triune\n\n"
                                 "2024-05-01T10:00:00.000Z correction turn=red;a1=empty {by=arbiter}\n")
    assert "--format record" in companion.refuses("records", "export", number, "--format", "text")


@pytest.mark.parametrize("command", [("show",), ("export",), ("export", "--format", "text")])
def test_an_unfinished_game_with_secrets_stays_closed(companion: Command, command: tuple[str, ...]) -> None:
    actions = "=K222333444tT =K222333444tT"
    number = imported(companion, f"magnet {actions}")
    assert "secrets" in companion.refuses("records", command[0], number, *command[1:])


def test_a_finished_game_with_secrets_opens(companion: Command, tmp_path: Path) -> None:
    number = imported(companion, f"{FIRST_LINE}\ngame: magnet\n\n"
                                 "2024-05-01T10:00:00.000Z action =K222333444tT\n"
                                 "2024-05-01T10:00:01.000Z resign {by=blue}\n")
    assert "=K222333444tT" in companion("records", "export", number).out


def test_the_list_shows_no_secret(companion: Command, tmp_path: Path) -> None:
    imported(companion, "magnet =K222333444tT")
    assert "K222" not in companion("records", "list", "--json").out
    summary = Store(tmp_path / "data" / "games.sqlite").list()[0]
    assert summary.game == "magnet"
