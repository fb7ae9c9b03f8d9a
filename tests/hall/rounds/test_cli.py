"""`companion hall rounds` and `results`, typed as an arbiter does, with a real broker between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from broker_bridge.topics import PAIRING, STATE, STATUS, BoardName
from broker_bridge.visit import Visit, membership
from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import Entry, begin
from companion.wire.codec import read, write
from companion.wire.hall import Pairing
from hall.archive.archive import Archive
from hall.archive.arrivals import Given
from hall.archive.database import open_database
from hall.cli import hall
from hall.rounds.round_file import read_round
from tests.brokers import Mosquitto
from tests.hall.archived_games import arrived, lines_of
from tests.hall.rounds.test_trf import ROUND_3, report

FIRST, SECOND = BoardName("Hall A", "1"), BoardName("Hall A", "2")


class Desk(NamedTuple):
    """Where an arbiter types: a folder with files of a pairing program, and the hall's broker."""

    folder: Path
    broker: Mosquitto

    def type(self, *words: str) -> tuple[int, str]:
        """Types a command; returns its status and all that it says."""
        command = [str(self.folder / word) if "." in word and " " not in word else word for word in words]
        result = CliRunner().invoke(hall, [*command, "--broker", f"mqtt://127.0.0.1:{self.broker.port}"])
        said = result.output + (str(result.exception) if result.exception else "")
        return result.exit_code, said

    def say(self, board: BoardName, kind: str, payload: bytes) -> None:
        """Lets a board say something that the broker keeps."""
        with Visit(self.broker.link(membership(()))) as visit:
            visit.publish(board.topic(kind), payload)

    def kept(self) -> dict[BoardName, Pairing]:
        with Visit(self.broker.link(membership((PAIRING,)))) as visit:
            found = visit.kept()
        boards = (BoardName("Hall A", str(n)) for n in range(1, 10))
        return {
            board: read(found[topic], Pairing) for board in boards if (topic := board.topic(PAIRING)) in found
        }


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("broker")) as broker:
        yield broker


@pytest.fixture
def desk(tmp_path: Path, broker: Mosquitto) -> Desk:
    (tmp_path / "open.trf").write_bytes(report(*ROUND_3))
    (tmp_path / "round.csv").write_text("board,white,black\n1,Ann,Bo\n2,Cy,Di\n3,Ed,bye\n")
    desk = Desk(tmp_path, broker)
    desk.say(FIRST, STATUS, b"online")
    return desk


def test_a_round_goes_to_the_boards_and_its_results_come_back(desk: Desk) -> None:
    status, said = desk.type("rounds", "open.trf", "--round", "3", "--clock", "90+30")
    assert status == 0, said
    assert "Hall A/1: Amsel, Ann – Dahl, Di\n" in said
    assert "Hall A/2: Çelik, Cy – Berg, Bo (this board has not come to the broker yet)" in said
    assert "Frei, Flo has a bye" in said
    kept = desk.kept()
    assert kept[FIRST].players == {"white": "Amsel, Ann", "black": "Dahl, Di"}
    assert desk.type("rounds", "open.trf", "--round", "3", "--clock", "90+30")[1].count("Hall A") == 0
    head = {**kept[FIRST].players, "round": "3", "board": "1", "pairing": kept[FIRST].id, "clock": "90:00+30"}
    state = {
        "state": "over", "head": head, "game": {"players": ["white", "black"]}, "last": {"n": 61},
        "outcome": {"winner": "black", "reason": "resignation"},
    }  # fmt: skip
    desk.say(FIRST, STATE, write(state))
    status, said = desk.type("results", "open.trf", "--round", "3", "--trf", "done.trf", "--csv", "done.csv")
    assert (status, "1 game has no result yet" in said) == (0, True), said
    before, after = ((desk.folder / name).read_bytes() for name in ("open.trf", "done.trf"))
    changed = [bytes([b]) for a, b in zip(before, after, strict=True) if a != b]
    assert changed == [b"0", b"1"]
    line = '3,1,"Amsel, Ann","Dahl, Di",0-1,Spring Open,90:00+30\n'
    assert line in (desk.folder / "done.csv").read_text()
    ask_archive(desk, head)
    status, said = desk.type("results", "--round", "3")
    assert '3,1,"Amsel, Ann","Dahl, Di",0-1,,90:00+30\n' in said


ODD = [
    {"white": "A", "black": "B", "round": 5}, {"white": 5}, {"white": "A", "black": "B", "pairing": 5},
    {"white": "A", "black": "B", "board": "9" * 5000, "round": "3"},
    {"white": "P\ud800", "black": "B", "round": "3"},
]  # fmt: skip


@pytest.mark.parametrize("head", ODD)
def test_an_odd_board_costs_the_results_of_no_other(desk: Desk, head: dict[str, object]) -> None:
    good = {"white": "Ed", "black": "Flo", "round": "4", "board": "1"}
    told = {
        "state": "over",
        "game": {"players": ["white", "black"]},
        "last": {"n": 9},
        "outcome": {"winner": "white"},
    }
    desk.say(FIRST, STATE, write({**told, "head": good}))
    desk.say(SECOND, STATE, json.dumps({**told, "head": head}).encode())
    status, said = desk.type("results")
    assert (status, "4,1,Ed,Flo,1-0,," in said) == (0, True), said
    for players in ([["a"], "b"], "ab", 5):
        desk.say(SECOND, STATE, json.dumps({**told, "head": good, "game": {"players": players}}).encode())
        assert desk.type("results")[0] == 0
    desk.say(SECOND, STATE, b"")


def test_who_is_still_playing_another_game_is_told_with_the_pairings(desk: Desk) -> None:
    assert desk.type("rounds", "round.csv", "--round", "1")[0] == 0
    told = {"state": "playing", "game": {"players": ["white", "black"]}}
    own = {"white": "Ann", "black": "Bo", "round": "1", "pairing": desk.kept()[FIRST].id}
    desk.say(FIRST, STATE, write({**told, "head": own}))
    words = "Hall A/1: Ann – Bo is still being played there"
    assert words not in desk.type("rounds", "round.csv", "--round", "1")[1]
    assert words in desk.type("rounds", "round.csv", "--round", "2")[1]
    desk.say(FIRST, STATE, write({**told, "head": own, "outcome": {"winner": "white"}}))
    assert words not in desk.type("rounds", "round.csv", "--round", "2")[1]
    desk.say(FIRST, STATE, b"")


def test_a_result_counts_from_the_board_that_has_the_pairing_alone(desk: Desk) -> None:
    assert desk.type("rounds", "round.csv", "--round", "1")[0] == 0
    kept = desk.kept()
    told = {"state": "over", "game": {"players": ["white", "black"]}, "last": {"n": 9}}
    head = {"white": "Ann", "black": "Bo", "round": "1", "board": "1", "pairing": kept[FIRST].id}
    desk.say(FIRST, STATE, write({**told, "head": head, "outcome": {"winner": "black"}}))
    desk.say(SECOND, STATE, write({**told, "head": head, "outcome": {"winner": "white"}}))
    status, said = desk.type("results", "round.csv", "--round", "1")
    assert (status, "1,1,Ann,Bo,0-1,," in said) == (0, True), said
    assert "Hall A/2 tells of a pairing that is not its own: Ann – Bo" in said
    desk.say(SECOND, STATE, b"")


def test_what_is_odd_about_a_game_is_told_with_the_results(desk: Desk) -> None:
    """A result that was corrected after it was entered, colours that were exchanged, a game of last week."""
    assert desk.type("rounds", "round.csv", "--round", "1")[0] == 0
    pairing = desk.kept()[FIRST]
    head = {**pairing.players, "round": "1", "board": "1", "pairing": pairing.id}
    told = {"state": "over", "game": {"players": ["white", "black"]}, "last": {"n": 9}}
    desk.say(FIRST, STATE, write({**told, "head": head, "outcome": {"winner": "black"}}))
    (desk.folder / "entered.csv").write_text("board,white,black,result\n1,Ann,Bo,1-0\n2,Cy,Di,\n")
    status, said = desk.type("results", "entered.csv", "--round", "1")
    assert (status, "1,1,Ann,Bo,1-0,," in said) == (0, True), said
    assert "Ann – Bo is 1-0 in the file, which stays, and 0-1 at the board" in said
    desk.say(
        FIRST,
        STATE,
        write({**told, "head": {**head, "white": "Bo", "black": "Ann"}, "outcome": {"winner": "white"}}),
    )
    status, said = desk.type("results", "round.csv", "--round", "1")
    assert "1,1,Ann,Bo,0-1,," in said
    assert "Ann – Bo was played with colours exchanged" in said
    (desk.folder / "renamed.csv").write_text("board,white,black\n1,Anne,Bo\n")
    status, said = desk.type("results", "renamed.csv", "--round", "1")
    assert "Hall A/1: Bo – Ann is 1-0, and was begun for no pair of this file" in said
    status, said = desk.type("results", "round.csv", "--round", "1", "--since", "2999-01-01")
    assert "1,1,Ann,Bo,,," in said
    assert f"it counts with --since {pairing.id[17:]}" in said
    desk.say(FIRST, STATE, b"")


def test_pairs_at_each_others_boards_have_their_own_results(desk: Desk) -> None:
    """Once the heads say who sits there; a game begun by hand is told, one of another event is not."""
    assert desk.type("rounds", "round.csv", "--round", "1", "--event", "Open")[0] == 0
    kept = desk.kept()
    told = {"state": "over", "game": {"players": ["white", "black"]}, "last": {"n": 9}}

    def head(board: BoardName, white: str, black: str, **more: str) -> dict[str, str]:
        return {"white": white, "black": black, "round": "1", "event": "Open", **more}

    games = {
        FIRST: (head(FIRST, "Cy", "Di", pairing=kept[FIRST].id), "white"),
        SECOND: (head(SECOND, "Bo", "Ann", pairing=kept[SECOND].id), ""),
        BoardName("Hall A", "3"): (head(SECOND, "Ed", "Late"), "black"),
        BoardName("Hall A", "4"): (head(SECOND, "Flo", "Gus", event="Blitz"), "white"),
    }
    for board, (played, winner) in games.items():
        state = {**told, "head": played, "outcome": {"winner": winner or None, "reason": "arbiter"}}
        desk.say(board, STATE, write(state))
    status, said = desk.type("results", "round.csv", "--round", "1")
    assert (status, "1,1,Ann,Bo,1/2-1/2,Open," in said, "1,2,Cy,Di,1-0,Open," in said) == (0, True, True), (
        said
    )
    assert "Cy – Di was played at Hall A/1\n" in said
    assert "Ann – Bo was played with colours exchanged\nAnn – Bo was played at Hall A/2\n" in said
    assert "Hall A/3: Ed – Late is 0-1, and was begun for no pair of this file" in said
    assert "Flo" not in said
    for board in games:
        desk.say(board, STATE, b"")


def test_tournaments_go_on_beside_each_other(desk: Desk) -> None:
    """A round takes away that before it, and no other tournament's; nor do white and black change places in
    draughts, where Black begins."""
    (desk.folder / "draughts.csv").write_text("board,white,black\n2,Dora,Emil\n")
    (desk.folder / "one.csv").write_text("board,white,black\n1,Ann,Bo\n")
    assert desk.type("rounds", "one.csv", "--round", "1")[0] == 0
    assert desk.type("rounds", "draughts.csv", "--round", "1", "--game", "draughts")[0] == 0
    kept = desk.kept()
    assert {board: pairing.players for board, pairing in kept.items()} == {
        FIRST: {"white": "Ann", "black": "Bo"},
        SECOND: {"white": "Dora", "black": "Emil"},
    }
    state = {
        "state": "over", "head": {**kept[SECOND].players, "round": "1", "pairing": kept[SECOND].id},
        "game": {"players": ["black", "white"]}, "last": {"n": 9}, "outcome": {"winner": "white"},
    }  # fmt: skip
    desk.say(SECOND, STATE, write(state))
    status, said = desk.type("results", "draughts.csv", "--round", "1", "--game", "draughts")
    assert (status, "1,2,Dora,Emil,1-0,," in said, "exchanged" in said) == (0, True, False), said
    desk.say(SECOND, STATE, b"")
    assert desk.type("rounds", "--withdraw")[0] == 0


def test_who_is_paired_twice_is_told(desk: Desk) -> None:
    (desk.folder / "twice.csv").write_text("board,white,black\n1,Ann,Bo\n2,Cy,Ann\n3,Di,bye\n")
    status, said = desk.type("rounds", "twice.csv", "--round", "1", "--try")
    assert (status, "Ann is paired more than once in this round" in said) == (0, True), said


def ask_archive(desk: Desk, head: dict[str, str]) -> None:
    """The same results come from an archive, where the game ended otherwise."""
    record = won("chess", head)
    archive = Archive(open_database(desk.folder / "hall.sqlite"))
    archive.prepare(1000.0)
    archive.store(arrived(lines_of(record), FIRST))
    archive.close()
    words = ("results", str(desk.folder / "open.trf"), "--round", "3", "--data", str(desk.folder))
    result = CliRunner().invoke(hall, words)
    assert result.exit_code == 0, result.output
    assert '3,1,"Amsel, Ann","Dahl, Di",1-0,Spring Open,90:00+30\n' in result.output


def test_results_without_a_file_are_those_of_the_last_days(desk: Desk) -> None:
    archive = Archive(open_database(desk.folder / "hall.sqlite"))
    archive.prepare(1000.0)
    archive.store(arrived(lines_of(won("chess", {"white": "Old", "black": "Bo", "round": "1"})), FIRST))
    archive.close()

    def results(*words: str) -> str:
        return CliRunner().invoke(hall, ("results", "--data", str(desk.folder), *words)).output

    assert "Old" not in results()
    assert "1,,Old,Bo,1-0,," in results("--since", "1970-01-01")


def test_an_archive_counts_a_result_from_the_board_that_was_given_the_pairing(desk: Desk) -> None:
    """Also where that board itself has told nothing."""
    assert desk.type("rounds", "round.csv", "--round", "1")[0] == 0
    pairing = desk.kept()[FIRST]
    assert desk.type("rounds", "--withdraw")[0] == 0
    archive = Archive(open_database(desk.folder / "hall.sqlite"))
    archive.prepare(1000.0)
    head = {"white": "Ann", "black": "Bo", "round": "1", "board": "1", "pairing": pairing.id}
    archive.store(arrived(lines_of(won("chess", head)), SECOND))
    words = ("results", str(desk.folder / "round.csv"), "--round", "1", "--data", str(desk.folder))
    result = CliRunner().invoke(hall, words)
    assert "1,1,Ann,Bo,1-0,," in result.output  # the archive has not heard of the pairing
    archive.store([Given(pairing.id, FIRST, 1.0)])
    result = CliRunner().invoke(hall, words)
    archive.close()
    assert (result.exit_code, "1,1,Ann,Bo,1-0,," in result.output) == (0, False), result.output
    assert "Hall A/2 tells of a pairing that is not its own: Ann – Bo" in result.output


def test_a_line_of_another_board_makes_no_result_in_an_archive(desk: Desk) -> None:
    """The game goes on at its board; another one tells how it ended."""
    assert desk.type("rounds", "round.csv", "--round", "1")[0] == 0
    pairing = desk.kept()[FIRST]
    assert desk.type("rounds", "--withdraw")[0] == 0
    head = {"white": "Ann", "black": "Bo", "round": "1", "board": "1", "pairing": pairing.id}
    *played, end = lines_of(won("chess", head))
    archive = Archive(open_database(desk.folder / "hall.sqlite"))
    archive.prepare(1000.0)
    archive.store([Given(pairing.id, FIRST, 1.0), *arrived(played, FIRST)])
    words = ("results", str(desk.folder / "round.csv"), "--round", "1", "--data", str(desk.folder))
    assert "tells of" not in CliRunner().invoke(hall, words).output
    archive.store(arrived([end], SECOND))
    result = CliRunner().invoke(hall, words)
    assert (result.exit_code, "1-0" in result.output) == (0, False), result.output
    archive.store(arrived([end], FIRST))
    archive.close()
    assert "1-0" in CliRunner().invoke(hall, words).output


def won(name: str, head: dict[str, str]) -> Record:
    """A game that White won after two actions."""
    game = read_game(name)
    session = begin(game)
    for action in ("e2e4", "e7e5"):
        session = session.apply(Entry("action", action, session.position.to_act))
    return Record(game, session.apply(Entry("resign", "", "black")).log, head, started=1000.0)


def test_the_next_round_takes_the_place_of_the_last(desk: Desk) -> None:
    desk.type("rounds", "open.trf", "--round", "3", "--board-map", "1-9=Hall A/4")
    status, said = desk.type("rounds", "round.csv", "--round", "4")
    assert status == 0, said
    assert "Hall A/4: its pairing is withdrawn" in said
    assert {board: pairing.round for board, pairing in desk.kept().items()} == {FIRST: "4", SECOND: "4"}
    assert desk.type("rounds", "--withdraw")[0] == 0
    assert desk.kept() == {}


def test_nothing_is_published_of_a_file_with_a_line_that_is_wrong(desk: Desk) -> None:
    (desk.folder / "bad.csv").write_text("board,white,black\n1,Ann,Bo\nx,Cy,Di\n1,Ed,Flo\n")
    status, said = desk.type("rounds", "bad.csv", "--round", "5")
    assert status != 0
    assert "bad.csv:3: the board is a number from 1 to 9999, not 'x'" in said
    assert "bad.csv:4: board 1 is given twice in this round" in said
    assert desk.kept() == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("rounds", "open.trf", "--round", "9"), "has 5 rounds"),
        (("rounds", "open.trf", "--round", "4"), "pairs nobody in round 4"),
        (("rounds", "open.trf"), "--round N"),
        (("rounds",), "give a FILE"),
        (("rounds", "nowhere.csv", "--round", "1"), "cannot read"),
        (("rounds", "round.csv", "--round", "1", "--game", "ludo"), "there is no game 'ludo'"),
        (("rounds", "round.csv", "--round", "1", "--clock", "soon"), "no time control"),
        (("rounds", "round.csv", "--round", "1", "--pairs", "round.csv"), "goes with a TRF"),
        (("results", "round.csv", "--round", "1", "--trf", "out.trf"), "needs a FILE that is a TRF"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(desk: Desk, words: tuple[str, ...], said: str) -> None:
    status, told = desk.type(*words)
    assert status != 0
    assert said in told
    assert desk.kept() == {}


def test_a_file_is_tried_on_a_machine_without_a_hall(tmp_path: Path, shared: Path) -> None:
    file = shared / "cases" / "turn3" / "not-paired.csv"
    words = [
        "rounds",
        str(file),
        "--round",
        "1",
        "--try",
        "--data",
        str(tmp_path),
        "--board-map",
        "1-9=Hall A",
    ]
    result = CliRunner().invoke(hall, words)
    assert result.exit_code == 0, result.exception
    assert result.output.splitlines() == [
        "Cy C has a bye", "Hall A/1: Ann A – Bo B (this board has not come to the broker yet)",
    ]  # fmt: skip
    result = CliRunner().invoke(hall, [*words[:4], *words[5:]])
    assert "there is no hall on this machine" in str(result.exception)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_a_report_is_known_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "open.trf").write_bytes(report(*ROUND_3, encoding=encoding))
    assert len(read_round(tmp_path / "open.trf", 3).due) == 2


def test_a_broker_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(hall, ["rounds", "--withdraw", "--broker", "mqtt://127.0.0.1:1"])
    assert "no broker answers" in str(result.exception)


def test_the_help_names_every_option() -> None:
    assert "--board-map" in CliRunner().invoke(hall, ["rounds", "--help"]).output
