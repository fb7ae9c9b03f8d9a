"""`replay` and `records`: games on file and in the store."""

import json
import sqlite3
from pathlib import Path

import pytest

from companion.record.record import FIRST_LINE, read_record
from companion.store.store import Store
from tests.companion.command import Command
from tests.stores import open_store

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
        ("1.f3 e5 2.g4 Qh4# 0-1", "Black wins: checkmate."),
    ],
)  # fmt: skip
def test_replay_tells_who_won(companion: Command, tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "game").write_text(text)
    assert told in companion("replay", "game").lines


def test_the_list_is_empty_at_first(companion: Command) -> None:
    assert companion("records", "list") == (0, "", "")


def test_import_list_show_and_export(companion: Command, tmp_path: Path) -> None:
    number = imported(
        companion,
        f"{FIRST_LINE}\ngame: triune\nred: Ann\nplace: the club\n\n"
        "2024-05-01T10:00:00.000Z action a2-a3 {source=camera:0 certainty=0.9700}\n",
    )
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


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("triune first=blue", "Ann – Ben"),
        ("triune board=elsewhere.json", "Ann – Ben"),
        ("ternion_factor players=3", "Ann"),
        ("chess", ""),
        ("queens", "Sol"),
        ("nonsuch", ""),
    ],
)
def test_the_list_names_who_sat_there_and_nothing_else(
    companion: Command, tmp_path: Path, game: str, names: str
) -> None:
    head = {
        "place": "club", "event": "Cup", "date": "2024-05-01", "round": "1", "clock": "10:00",
        "markers": "laid", "corrects": "game 1", "weather": "fine",
        "blue": "Ben", "red": "Ann", "solver": "Sol",
    }  # fmt: skip
    companion("records", "list")
    store = Store(tmp_path / "data" / "games.sqlite")
    number = store.begin(game, head, 0.0)
    store.close()
    (line,) = companion("records", "list").lines
    assert line == f"{number:5}  no date is known  {game}  0 actions  going on  {names}".rstrip()


@pytest.mark.parametrize("form", ["record", "text", "pgn"])
def test_what_is_exported_is_imported_again(companion: Command, form: str) -> None:
    first = imported(companion, MATE)
    Path("again").write_text(companion("records", "export", first, "--format", form).out)
    assert companion("records", "import", "again", "--data", "other").lines == ["again: game 1"]
    again = companion("records", "show", 1, "--data", "other")
    assert again.out == companion("records", "show", first).out
    assert companion("records", "import", "again", "--data", "other").lines == [
        "again: game 1 is there already"
    ]


def test_several_games_are_exported_as_one_text(companion: Command) -> None:
    Path("two.pgn").write_text(TWO_GAMES)
    companion("records", "import", "two.pgn")
    other = imported(companion, RECORD)
    exported = companion("records", "export", "--search", "", "--format", "pgn")
    assert (exported.status, exported.out.count("[White ")) == (1, 2)
    assert f"game {other}: PGN is for chess" in exported.err
    assert companion("records", "export", "--search", "ben", "--format", "pgn").out.count("[White ") == 1
    Path("all").write_text(companion("records", "export", "--search", "").out)
    assert companion("records", "import", "all", "--data", "other").lines == [
        f"all: game {number}" for number in (1, 2, 3)
    ]
    for words in ((), (1, "--search", ""), ("--search", "", "--format", "png")):
        assert "NUMBER" in companion.refuses("records", "export", *words)


def test_only_the_new_games_of_a_file_are_added(companion: Command) -> None:
    number = imported(companion, RECORD)
    own = companion("records", "export", number).out
    Path("two.pgn").write_text(TWO_GAMES)
    assert companion("records", "import", "two.pgn").status == 0
    Path("two.pgn").write_text('[White "Cy"]\n\n1. c4 *\n\n' + TWO_GAMES)
    Path("own.txt").write_text(own)
    result = companion("records", "import", "two.pgn", "own.txt")
    assert result.lines == [
        "two.pgn: game 4", "two.pgn: game 2 is there already", "two.pgn: game 3 is there already",
        f"own.txt: game {number} is there already",
    ]  # fmt: skip
    assert result.status == 0


def test_a_damaged_file_adds_nothing(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("triune a2-a3")
    (tmp_path / "bad.txt").write_text("triune a2-a3 a3-a4")
    for files in (["good.txt", "bad.txt"], ["bad.txt", "good.txt"], ["good.txt", "missing"]):
        companion.refuses("records", "import", *files)
    assert companion("records", "list").out == ""


CAFE = '[Event "Café"]\n\n1. e4 *\n'


@pytest.mark.parametrize("before", ["\ufeff", "\ufeff\n", "\n\ufeff "])
@pytest.mark.parametrize("text", [MATE, f"{FIRST_LINE}\ngame: chess\n", CAFE])
def test_a_byte_order_mark_is_read_over(companion: Command, before: str, text: str) -> None:
    number = imported(companion, before + text)
    assert companion("records", "export", number).lines[1] == "game: chess"
    assert companion("replay", "game.txt").lines[0].startswith("chess, ")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_pgn_is_read_in_the_encoding_of_its_standard_too(
    companion: Command, tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "cafe.pgn").write_bytes(CAFE.encode(encoding))
    assert companion("records", "import", "cafe.pgn").status == 0
    assert "event: Café" in companion("records", "export", 1).lines


@pytest.mark.parametrize("content", [MATE.encode("utf-16")[:-1], b"\x89PNG\r\n\x1a\n\x00"])
def test_what_is_no_text_is_refused(companion: Command, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "game").write_bytes(content)
    for command in (["replay"], ["records", "import"]):
        assert "'game': This is no text" in companion.refuses(*command, "game")


TWO_GAMES = '[White "Ann"]\n\n1. e4 e5 *\n\n[White "Ben"]\n\n1. d4 *\n'


def test_all_games_of_a_file_are_added(companion: Command, tmp_path: Path) -> None:
    (tmp_path / "two.pgn").write_text(TWO_GAMES)
    assert companion("records", "import", "two.pgn").lines == ["two.pgn: game 1", "two.pgn: game 2"]
    assert [companion("records", "show", n).lines[0][:7] for n in (1, 2)] == ["1. e2e4", "1. d2d4"]
    told = companion("replay", "two.pgn").lines
    assert [line for line in told if line.startswith("chess")] == ["chess, 2 actions", "chess, 1 actions"]


def test_a_damaged_game_among_several_is_named_and_the_others_are_added(
    companion: Command, tmp_path: Path
) -> None:
    (tmp_path / "two.pgn").write_text(TWO_GAMES.replace("d4", "Xf3"))
    result = companion("records", "import", "two.pgn")
    assert (result.status, result.lines) == (1, ["two.pgn: game 1"])
    assert "two.pgn: PGN: 'Xf3' is no move: PGN has the English letters" in result.err
    (tmp_path / "none.pgn").write_text("1. e9 *")
    assert "'none.pgn': PGN: 'e9' is no move" in companion.refuses("records", "import", "two.pgn", "none.pgn")
    assert len(companion("records", "list").lines) == 1


def test_search_and_limit(companion: Command) -> None:
    for text in ("triune a2-a3", "escape", "triune b2-b3"):
        imported(companion, text)
    assert len(companion("records", "list", "--search", "triune").lines) == 2
    assert len(companion("records", "list", "-n", "1").lines) == 1
    assert companion("records", "list", "--search", "nothing").out == ""


def test_a_game_begun_in_no_year_leaves_the_list_as_it_is(companion: Command, tmp_path: Path) -> None:
    number = imported(companion, MATE)
    store = Store(tmp_path / "data" / "games.sqlite")
    old = store.begin("triune", {}, 253_402_383_599.0)
    store.close()
    lines = companion("records", "list").lines
    assert [line.split()[0] for line in lines] == [str(old), str(number)]
    assert ["no date is known" in line for line in lines] == [True, True]
    listed = [json.loads(line) for line in companion("records", "list", "--json").lines]
    assert [game["started"] is None for game in listed] == [True, True]
    assert companion("records", "export", old).status == 0


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("game: triune\n\n2026-01-01T10:00:00.000Z takeback abc {by=red}", "line 4: 'takeback' needs"),
        ("game: triune\n\n2026-01-01T10:00:00.000Z action a2-a3 {certainty=nan}", "line 4: 'certainty' is"),
        ("game: triune\nclock: 5 s\n", "'5 s' is no time control: write the minutes"),
    ],
)
@pytest.mark.parametrize("command", [("replay",), ("records", "import")])
def test_a_record_that_cannot_be_read(
    companion: Command, tmp_path: Path, command: tuple[str, ...], record: str, words: str
) -> None:
    (tmp_path / "bad.txt").write_text(f"{FIRST_LINE}\n{record}\n")
    assert words in companion.refuses(*command, "bad.txt")
    assert companion("records", "list").out == ""


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
    number = imported(
        companion,
        f"{FIRST_LINE}\ngame: triune\n\n"
        "2024-05-01T10:00:00.000Z correction turn=red;a1=empty {by=arbiter}\n",
    )
    assert "--format record" in companion.refuses("records", "export", number, "--format", "text")


@pytest.mark.parametrize("command", [("show",), ("export",), ("export", "--format", "text")])
def test_an_unfinished_game_with_secrets_stays_closed(companion: Command, command: tuple[str, ...]) -> None:
    actions = "=K222333444tT =K222333444tT"
    number = imported(companion, f"magnet {actions}")
    assert "secrets" in companion.refuses("records", command[0], number, *command[1:])


def test_a_finished_game_with_secrets_opens(companion: Command, tmp_path: Path) -> None:
    number = imported(
        companion,
        f"{FIRST_LINE}\ngame: magnet\n\n"
        "2024-05-01T10:00:00.000Z action =K222333444tT\n"
        "2024-05-01T10:00:01.000Z resign {by=blue}\n",
    )
    assert "=K222333444tT" in companion("records", "export", number).out


DECLARED = (
    f"{FIRST_LINE}\ngame: magnet values=declared\n\n2024-05-01T10:00:00.000Z action @c7\n"
    "2024-05-01T10:00:01.000Z action b7+\n"
)
RESIGNED = "2024-05-01T10:00:02.000Z resign {by=blue}\n"


@pytest.mark.parametrize(
    ("red", "status", "told"),
    [
        ("=K222333444tT", 0, "the game agrees with these pieces"),
        ("K222333444tT", 0, "the game agrees with these pieces"),
        ("=222TK333444t", 1, "step 2, b7+: the piece could not do that (MG-9)"),
    ],
)
def test_a_declared_game_is_checked_against_what_is_told(
    companion: Command, red: str, status: int, told: str
) -> None:
    number = imported(companion, DECLARED + RESIGNED)
    result = companion("records", "audit", number, red, "=K222333444tT")
    assert (result.status, result.lines) == (status, [told])


def test_a_declared_game_that_goes_on_is_not_checked(companion: Command) -> None:
    number = imported(companion, DECLARED)
    letters = ("=K222333444tT", "=K222333444tT")
    assert "when the game is over" in companion.refuses("records", "audit", number, *letters)
    number = imported(companion, DECLARED + RESIGNED, "over.txt")
    assert "Red tells" in companion.refuses("records", "audit", number, "=K", letters[1])


def test_the_list_shows_no_secret(companion: Command, tmp_path: Path) -> None:
    imported(companion, "magnet =K222333444tT")
    assert "K222" not in companion("records", "list", "--json").out
    summary = open_store(tmp_path / "data" / "games.sqlite").list()[0]
    assert summary.game == "magnet"


RECORD = f"{FIRST_LINE}\ngame: triune\nred: Ann\n\n" + "".join(
    f"2024-05-01T10:00:0{n}.000Z {line}\n"
    for n, line in enumerate(
        ("action a2-a3", "refused b7-b4%20(TR-3) {by=blue}", "comment Too%20far {by=red}", "action b7~")
    )
)


def test_show_tells_what_was_said_and_refused(companion: Command) -> None:
    number = imported(companion, RECORD)
    assert companion("records", "note", number, "A  game of\n two").status == 0
    assert companion("records", "note", number, "Better h7~", "--step", 2, "--by", "blue").status == 0
    lines = companion("records", "show", number).lines
    assert lines[:6] == [
        "     arbiter: A game of",
        "     two",
        "1. a2-a3  Red moves a solid piece from a2 to a3.",
        "     Refused: b7-b4 (TR-3)",
        "2. b7~  Blue flips the piece on b7: it is now a marked piece.",
        "     red: Too far",
    ]
    assert "     blue: Better h7~" in lines
    assert companion("records", "note", number, "", "--step", 2, "--by", "blue").status == 0
    assert "     blue: Better h7~" not in companion("records", "show", number).lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((9, "x"), "there is no game 9"),
        ((1, "x", "--step", 3), "there is no step 3"),
        ((1, "x", "--by", "green"), "'green' has no seat"),
        ((1, "x" * 2001), "at most 2000 characters"),
    ],
)
def test_a_comment_that_cannot_be(companion: Command, arguments: tuple[object, ...], words: str) -> None:
    imported(companion, RECORD)
    assert words in companion.refuses("records", "note", *arguments)


def test_comments_are_exported_and_imported(companion: Command) -> None:
    first = imported(companion, RECORD)
    Path("again.txt").write_text(companion("records", "export", first).out)
    companion("records", "import", "again.txt", "--data", "other")
    shown = [companion("records", "show", *where).out for where in ((first,), (1, "--data", "other"))]
    assert shown[0] == shown[1]
    assert "red: Too far" in shown[0]


@pytest.mark.parametrize("number", [9, 10**20])
@pytest.mark.parametrize(
    "command",
    [
        "show {}",
        "export {}",
        "delete {}",
        "restore {}",
        "note {} x",
        "correct {} --until 1",
    ],
)
def test_a_game_that_is_not_there(companion: Command, command: str, number: int) -> None:
    assert f"there is no game {number}: " in companion.refuses("records", *command.format(number).split())


@pytest.mark.parametrize("count", [0, 10**20])
def test_so_many_games_are_not_listed(companion: Command, count: int) -> None:
    assert "is not in the range" in companion.refuses("records", "list", "-n", count)


def test_a_corrected_copy_leaves_the_game(companion: Command) -> None:
    number = imported(companion, RECORD)
    told = companion("records", "correct", number, "--step", "1=h2-h3", "--name", "blue=Ben").out
    assert told == f"game 2 corrects game {number}\n"
    assert companion("records", "show", 2).lines[0].startswith("1. h2-h3")
    assert companion("records", "show", number).lines[0].startswith("1. a2-a3")
    assert len(companion("records", "list", "--search", "ben").lines) == 1
    assert companion("records", "correct", 2, "--until", 1).status == 0
    assert companion("records", "export", 3, "--format", "text").out == "triune h2-h3\n"


@pytest.mark.parametrize(
    ("date", "listed", "kept"),
    [
        ("24.12.2023", "2023-12-24", "2023.12.24"),
        ("2023", "2024-05-01", "2023.??.??"),
        ("", "2024-05-01", None),
    ],
)
def test_a_corrected_date_is_that_of_the_list(
    companion: Command, date: str, listed: str, kept: str | None
) -> None:
    number = imported(companion, RECORD)
    assert companion("records", "correct", number, "--name", f"date={date}").status == 0
    (line,) = (line for line in companion("records", "list").lines if line.startswith("    2"))
    assert listed in line
    record = companion("records", "export", 2).lines
    assert [told for told in record if told.startswith("date:")] == ([f"date: {kept}"] if kept else [])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--step", "1=a2-a9"),
            "correct step 1, or end the game before it: 'a2-a9' is not allowed (GEN-1): Triune has",
        ),
        (("--step", "1=h7~"), "'h7~' is not allowed (TR-1): The piece on h7 belongs to Blue"),
        (("--step", "7=a2-a3"), "there is no step 7"),
        (("--step", "0=a2-a3"), "step 0 is no player's action"),
        (("--step", "a2-a3"), "write KEY=VALUE"),
        (("--step", "one=a2-a3"), "a step is a number"),
        (("--step", f"{'9' * 5000}=a2-a3"), "a step is a number"),
        (("--name", "green=Eve"), "its names are red, blue, event"),
        (("--name", f"event={'x' * 81}"), "a name has 80 letters at most"),
    ],
)
def test_a_correction_that_cannot_be(companion: Command, arguments: tuple[str, ...], words: str) -> None:
    number = imported(companion, RECORD)
    assert words in companion.refuses("records", "correct", number, *arguments)
    assert len(companion("records", "list").lines) == 1


def test_a_later_action_that_no_longer_fits_is_named(companion: Command) -> None:
    number = imported(companion, "triune a2-a3 b7~ a3-a4")
    words = companion.refuses("records", "correct", number, "--step", "1=h2-h3")
    assert "correct step 3, or end the game before it: 'a3-a4' is not allowed (TR-1): There is no" in words
    assert "end the game before it" in words
    assert companion("records", "correct", number, "--step", "1=h2-h3", "--until", 2).status == 0


@pytest.mark.parametrize(
    ("form", "begins"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF89a"), ("webp", b"RIFF"), ("pdf", b"%PDF-1")],
)
def test_drawn_files_are_written(companion: Command, tmp_path: Path, form: str, begins: bytes) -> None:
    number = imported(companion, RECORD)
    assert companion("records", "export", number, "--format", form, "-o", "out").status == 0
    assert (tmp_path / "out").read_bytes().startswith(begins)


def test_a_diagram_of_a_step(companion: Command, tmp_path: Path) -> None:
    number = imported(companion, RECORD)
    for step in (0, 2):
        companion("records", "export", number, "--format", "png", "--step", step, "-o", f"{step}.png")
    assert (tmp_path / "0.png").read_bytes() != (tmp_path / "2.png").read_bytes()
    export = ("records", "export", number, "--step", 3, "-o", "x", "--format")
    assert "there is no step 3" in companion.refuses(*export, "png")
    assert "--step is for svg and png" in companion.refuses(*export, "pdf")
    assert not (tmp_path / "x").exists()


def test_a_full_disk_is_told_in_a_line(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    number = imported(companion, RECORD)
    monkeypatch.setattr(Store, "note", refuse)
    assert "disk is full" in companion.refuses("records", "note", number, "x")


def test_no_command_leaves_the_games_open(companion: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    number = imported(companion, RECORD)
    closed: list[Store] = []
    close = Store.close

    def closing(store: Store) -> None:
        closed.append(store)
        close(store)

    monkeypatch.setattr(Store, "close", closing)
    commands = [("list",), ("show", number), ("export", number), ("note", number, "x"), ("delete", number)]
    for command in commands:
        companion("records", *command)
    assert len(closed) == len(commands)


@pytest.mark.parametrize(
    ("played", "step", "actions", "kept"),
    [
        ("action a3-a4;takeback 1;action h2-h3", "1=b2-b3", "b2-b3 b7~ h2-h3", "note action a3-a4"),
        ("action a3-a4;takeback 1;redo", "3=a3-b3", "a2-a3 b7~ a3-b3", "note takeback 1"),
        ("resign {by=red};takeback 1;action h2-h3", "1=g2-g3", "g2-g3 b7~ h2-h3", "takeback 1"),
    ],
)
def test_what_was_taken_back_after_a_corrected_step_may_have_been_anything(
    companion: Command, played: str, step: str, actions: str, kept: str
) -> None:
    """It was made where the corrected action had not been, and nobody can correct what is not there."""
    lines = [f"2024-01-01T00:00:00.000Z {line}" for line in f"action a2-a3;action b7~;{played}".split(";")]
    number = imported(companion, "\n".join((FIRST_LINE, "game: triune", "", *lines, "")))
    assert companion("records", "correct", number, "--step", step).status == 0
    assert companion("records", "export", 2, "--format", "text").lines == [f"triune {actions}"]
    assert kept in companion("records", "export", 2).out


def test_a_later_action_is_named_as_players_call_it(companion: Command) -> None:
    number = imported(companion, "draughts b6-a5 g3-h4 a5-b4")
    words = companion.refuses("records", "correct", number, "--step", "1=b6-c5")
    assert "correct step 3, or end the game before it: '13-17' is not allowed (DR-1): There is no" in words
