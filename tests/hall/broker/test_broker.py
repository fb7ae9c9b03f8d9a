"""The hall's own Mosquitto: passwords made once, files that the real program takes, a child that ends."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader
from reportlab.lib.pagesizes import A4

from broker_bridge.address import Broker, BrokerError
from broker_bridge.mqtt import MqttLink
from broker_bridge.rights import HALL, WALL
from broker_bridge.topics import PAIRING, STATE, BoardName
from broker_bridge.visit import Visit, membership
from companion.wire.codec import LARGEST
from hall import slips
from hall.broker.mosquitto import Files, Mosquitto, configuration, is_free
from hall.broker.passwords import FILE, LETTERS, Passwords, make_password
from hall.cli import hall
from tests.brokers import find_mosquitto, free_port

SEVEN, EIGHT = BoardName("Hall A", "7"), BoardName("Hall A", "8")


def test_passwords_are_made_once_and_private(tmp_path: Path) -> None:
    first = Passwords(tmp_path)
    first.add([SEVEN])
    second = Passwords(tmp_path)
    second.add([SEVEN, EIGHT])
    assert second.of("Hall A/7") == first.of("Hall A/7")
    assert second.boards == [SEVEN, EIGHT]
    assert len({second.of(user) for user in ("Hall A/7", "Hall A/8", HALL, WALL)}) == 4
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert not any(second.of(user) in second.to_mosquitto() for user in ("Hall A/7", HALL))


def test_a_password_can_be_typed() -> None:
    assert all(len(word) == 4 and set(word) <= set(LETTERS) for word in make_password().split("-"))


@pytest.mark.parametrize("content", ["{", "[]", '{"hall": 1}'])
def test_a_file_of_passwords_that_is_none_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    with pytest.raises(BrokerError, match="cannot be read"):
        Passwords(tmp_path)


def test_boards_are_in_their_order(tmp_path: Path) -> None:
    passwords = Passwords(tmp_path)
    passwords.add(BoardName("Hall A", name) for name in ("10", "9", "left"))
    assert [board.board for board in passwords.boards] == ["9", "10", "left"]


@pytest.mark.parametrize(
    ("host", "line"), [("0.0.0.0", "listener 1883\n"), ("127.0.0.1", "listener 1883 127.0.0.1\n")]
)
def test_it_listens_where_it_is_told(host: str, line: str) -> None:
    assert line in configuration(Path("/hall"), host, 1883)


def test_who_may_come_and_what_each_may_do(tmp_path: Path) -> None:
    program, port, files = find_mosquitto(), free_port(), Files(tmp_path / "its folder")
    passwords = Passwords(tmp_path)
    passwords.add([SEVEN])
    files.write(passwords, "127.0.0.1", port)

    def visit(user: str, password: str, *kinds: str) -> Visit:
        broker = Broker("127.0.0.1", port, user=user, password=password)
        return Visit(MqttLink(broker, membership(kinds)))

    with Mosquitto(program, files, port) as mosquitto:
        with visit(HALL, passwords.of(HALL), PAIRING, STATE) as desk:
            desk.publish(SEVEN.topic(PAIRING), b"{}")
            assert desk.kept() == {SEVEN.topic(PAIRING): b"{}"}
        with pytest.raises(BrokerError, match="does not take this user name"), visit(HALL, "wrong"):
            pass
        with pytest.raises(BrokerError), visit("Hall A/8", "any"):
            pass
        passwords.add([EIGHT])
        files.write_users(passwords)
        mosquitto.read_users()
        with (
            pytest.raises(BrokerError, match=r"authori[sz]ed"),
            visit("Hall A/8", passwords.of("Hall A/8")) as board,
        ):
            board.publish(SEVEN.topic(STATE), b"{}")
        with pytest.raises(BrokerError, match="does not start on port"), Mosquitto(program, files, port):
            pass
    assert is_free("127.0.0.1", port)
    assert stat.S_IMODE(files.configuration.stat().st_mode) == 0o600


def test_who_sends_more_than_readers_take_is_cut_off(tmp_path: Path) -> None:
    program, port, files = find_mosquitto(), free_port(), Files(tmp_path)
    passwords = Passwords(tmp_path)
    passwords.add([SEVEN])
    files.write(passwords, "127.0.0.1", port)
    broker = Broker("127.0.0.1", port, user="Hall A/7", password=passwords.of("Hall A/7"))
    hall = Broker("127.0.0.1", port, user=HALL, password=passwords.of(HALL))
    with Mosquitto(program, files, port):
        with Visit(MqttLink(broker, membership(()))) as board:
            board.publish(SEVEN.topic(STATE), b"x" * LARGEST)
        with pytest.raises(BrokerError), Visit(MqttLink(broker, membership(()))) as board:
            board.publish(SEVEN.topic(STATE), b"y" * 2 * LARGEST)
        with Visit(MqttLink(hall, membership((STATE,)))) as desk:
            assert desk.kept() == {SEVEN.topic(STATE): b"x" * LARGEST}


def boards(folder: Path, *words: str) -> list[str]:
    result = CliRunner().invoke(hall, ["boards", *words, "--data", str(folder)], env=dict(os.environ))
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def test_each_board_has_a_line_to_type(tmp_path: Path) -> None:
    lines = boards(tmp_path, "Hall A", "20", "--broker", "mqtt://10.0.0.2:1884")
    password = Passwords(tmp_path / "hall").of("Hall A/7")
    assert len(lines) == 20
    assert lines[6] == (
        f"COMPANION_BROKER_PASSWORD={password} companion run --broker mqtt://10.0.0.2:1884 --board 'Hall A/7'"
    )
    assert boards(tmp_path, "--broker", "mqtt://10.0.0.2:1884") == lines
    assert len(boards(tmp_path, "Stage", "2", "--first", "5")) == 2
    assert len(boards(tmp_path)) == 22


def test_a_sheet_has_a_slip_for_each_board(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    boards(tmp_path, "Hall A", "11", "--broker", "mqtt://10.0.0.2", "--sheet", str(sheet))
    pages = PdfReader(sheet).pages
    assert len(pages) == 2
    assert Passwords(tmp_path / "hall").of("Hall A/11") in pages[1].extract_text().replace("\n", "")
    assert stat.S_IMODE(sheet.stat().st_mode) == 0o600


def test_what_a_slip_says_stands_clear_of_its_code(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    broker = "mqtts://arbiter.chess-club-of-a-long-name.example:8883"
    boards(tmp_path, "Hall A", "1", "--broker", broker, "--sheet", str(sheet))
    texts: list[tuple[str, float, float]] = []

    def note(text: str, _: object, place: list[float], font: dict[str, str] | None, size: float) -> None:
        if font and "Courier" in font["/BaseFont"] and text.strip():
            texts.extend((line, place[4], place[5]) for line in text.strip().split("\n"))

    PdfReader(sheet).pages[0].extract_text(visitor_text=note)
    bottom_of_code = A4[1] - slips.MARGIN - slips.PAD - slips.CODE
    edge = A4[0] / slips.COLUMNS
    assert "".join(line for line, _, _ in texts).replace(" ", "") == boards(
        tmp_path, "Hall A", "1", "--broker", broker
    )[0].replace(" ", "")
    assert all(top < bottom_of_code for _, _, top in texts)
    assert all(left + slips.ADVANCE * slips.LINE[1] * len(line) < edge for line, left, _ in texts)


@pytest.mark.parametrize(
    ("words", "told"),
    [((), "a slip names the broker"), (("--broker", "10.0.0.2"), "a broker is named mqtt://HOST")],
)
def test_no_slip_is_without_an_address(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    sheet = tmp_path / "sheet.pdf"
    command = ["boards", "Hall A", "1", "--sheet", str(sheet), "--data", str(tmp_path), *words]
    result = CliRunner().invoke(hall, command)
    assert told in result.output + str(result.exception)
    assert [*tmp_path.iterdir()] == []


def test_no_board_no_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(hall, ["boards", "--data", str(tmp_path)])
    assert "there are no boards yet" in result.output
