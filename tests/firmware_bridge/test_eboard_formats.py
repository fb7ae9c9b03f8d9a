"""The formats of e-boards, byte by byte, and the devices behind which they are."""

from __future__ import annotations

import os
import random
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chess
import pytest

from companion.core.board import load_board
from companion.sensing.observation import Sighting
from companion.sensing.sources import SourceError, open_sightings
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.table import Table
from firmware_bridge.eboards import chessnut
from firmware_bridge.eboards.chessnut import Chessnut, chessnut_opener, plugged_in
from firmware_bridge.eboards.millennium import Millennium, encode
from firmware_bridge.eboards.source import listen, open_eboard
from firmware_bridge.line.link import PortError
from firmware_bridge.sensing.lamps import ASKED, DARK, LAST, PUT, TAKE
from tests.firmware_bridge.made_eboards import chessnut_report, millennium_text, plain, squares_of
from tests.stores import open_store
from tests.traces import TraceWriter
from web.runtime.runtime import Runtime

CHESS = load_board("chess")
START = squares_of(chess.Board())
A8, H8, A1, H1, E4 = 0, 7, 56, 63, 36
E2E4 = squares_of(chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"))
LOOKS = 2000


def test_a_report_of_the_start_position_byte_for_byte() -> None:
    """h8 is a rook (8), g8 a knight (5): the first byte is 58."""
    body = "58 23 31 85" + " 44" * 4 + " 00" * 16 + " 77" * 4 + " a6 c9 9b 6a"
    report = bytes.fromhex(f"01 24 {body} 12 34 56 78")
    assert report[:34] == chessnut_report(START)[:34]
    assert list(Chessnut().hear(report)) == [START]
    assert list(Chessnut().hear(report.ljust(64, b"\0"))) == [START]
    assert list(Chessnut().hear(b"\x01\x3d" + report[2:].ljust(61, b"\0"))) == [START]


@pytest.mark.parametrize("cut", range(34))
def test_half_a_report_is_none(cut: int) -> None:
    assert list(Chessnut().hear(chessnut_report(START)[:cut])) == []


@pytest.mark.parametrize(
    ("data", "heard"),
    [
        ("2a0264", [""]),
        ("2a", []),
        ("", []),
        ("0102", []),
        ("01240d" + 31 * "00", []),
        ("0105" + 36 * "00", []),
    ],
)
def test_other_reports(data: str, heard: list[str]) -> None:
    assert list(Chessnut().hear(bytes.fromhex(data))) == heard


@pytest.mark.parametrize(
    ("lit", "rows"),
    [
        ({}, "00 00 00 00 00 00 00 00"),
        ({A8: LAST, H8: LAST}, "81 00 00 00 00 00 00 00"),
        ({A1: TAKE, H1: PUT, E4: DARK}, "00 00 00 00 00 00 00 81"),
        ({E4: ASKED}, "00 00 00 00 08 00 00 00"),
    ],
)
def test_chessnuts_lamps_are_a_byte_for_each_row(lit: dict[int, Any], rows: str) -> None:
    assert Chessnut().lamps(lit) == bytes.fromhex(f"0a 08 {rows}")


def test_millenniums_words_carry_parity_and_check() -> None:
    """As a real board was heard to speak: V56, answered by v010374."""
    assert encode("V") == bytes.fromhex("d6 b5 b6")
    assert list(Millennium().hear(bytes.fromhex("76 b0 31 b0 b3 37 34"))) == [""]
    assert encode("S") == millennium_text("S")


@pytest.mark.parametrize("size", [1, 7, 66, 67, 500])
def test_answers_come_in_any_pieces(size: int) -> None:
    data = b"".join(map(millennium_text, (f"s{START}", "l", f"s{E2E4}", "v0103", "x")))
    speech = Millennium()
    parts = (data[at : at + size] for at in range(0, len(data), size))
    assert [heard for part in parts for heard in speech.hear(part)] == [START, "", E2E4, "", ""]


def test_an_answer_that_is_cut_off_spoils_none_of_the_next_but_one() -> None:
    whole = millennium_text(f"s{START}")
    for cut in range(1, len(whole)):
        heard = list(Millennium().hear(whole[:cut] + 2 * millennium_text(f"s{E2E4}")))
        assert heard[-1:] == [E2E4]
        assert START not in heard


@pytest.mark.parametrize("at", range(67))
def test_a_bit_that_was_turned_over_is_no_piece(at: int) -> None:
    for bit in range(8):
        data = bytearray(millennium_text(f"s{START}"))
        data[at] ^= 1 << bit
        assert set(Millennium().hear(bytes(data))) <= {""}


@pytest.mark.parametrize("speech", [Chessnut, Millennium])
def test_noise_is_nothing(speech: Callable[[], Any]) -> None:
    rng, heard = random.Random(7), speech()
    for _ in range(2000):
        assert not any(heard.hear(rng.randbytes(rng.randrange(70))))


def test_millenniums_lamps_are_at_the_corners_and_flash_by_what_they_mean() -> None:
    text = plain(Millennium().lamps({A8: LAST, H1: TAKE, E4: DARK, H8: PUT}))
    assert text[:3] == "L20"
    patterns = [text[3 + 2 * n : 5 + 2 * n] for n in range(81)]
    # 1 is a8's outer corner, 9 a1's, 73 h8's, 81 h1's.
    assert {n + 1 for n, pattern in enumerate(patterns) if pattern == "F0"} == {1, 2, 10, 11}
    assert {n + 1 for n, pattern in enumerate(patterns) if pattern == "A0"} == {71, 72, 80, 81}
    assert {n + 1 for n, pattern in enumerate(patterns) if pattern == "0F"} == {64, 65, 73, 74}
    assert patterns.count("00") == 69


def test_a_square_between_two_that_are_lit_is_never_lit() -> None:
    for lit in ({52: LAST, E4: LAST}, {52: PUT, E4: TAKE}):
        text = plain(Millennium().lamps(lit))
        at = [int(text[3 + 2 * n : 5 + 2 * n], 16) for n in (41, 42, 50, 51)]  # the corners of e3
        assert at[0] & at[1] & at[2] & at[3] == 0


def hid(sysfs: Path, name: str, ids: str, descriptor: str = "0600ff0901a101") -> None:
    """A device of hidraw as sysfs shows it."""
    folder = sysfs / "class/hidraw" / name / "device"
    folder.mkdir(parents=True)
    (folder / "uevent").write_text(f"DRIVER=hid-generic\nHID_ID={ids}\nHID_NAME=X\n")
    (folder / "report_descriptor").write_bytes(bytes.fromhex(descriptor))


def test_a_chessnut_board_is_found_by_its_numbers(tmp_path: Path) -> None:
    assert plugged_in(tmp_path) == []
    hid(tmp_path, "hidraw0", "0003:0000046D:0000C52B")
    hid(tmp_path, "hidraw1", "0003:00002D80:00008002", descriptor="05010906a101")  # its other interface
    hid(tmp_path, "hidraw2", "0003:00002D80:00008002")
    hid(tmp_path, "hidraw4", "0003:00002D80:00009000")
    (tmp_path / "class/hidraw/hidraw5").mkdir()
    assert plugged_in(tmp_path) == ["/dev/hidraw2"]
    with pytest.raises(PortError, match="another device"):
        chessnut_opener("/dev/hidraw0", tmp_path)()
    hid(tmp_path, "hidraw6", "0003:00002D80:00008103")
    with pytest.raises(PortError, match="hidraw2, /dev/hidraw6"):
        chessnut_opener("", tmp_path)()


def test_a_device_that_may_not_be_used_names_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(chessnut.os, "open", refuse)
    with pytest.raises(PortError, match="rule for udev"):
        chessnut_opener(str(tmp_path / "hidraw9"))()


def test_a_millennium_board_needs_its_port() -> None:
    with pytest.raises(SourceError, match="needs its port"):
        open_eboard("millennium:", CHESS)


class Terminal:
    """A device in `/dev` made of a pseudo-terminal: reads and writes go through the real openers."""

    def __init__(self, path: Path) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        path.symlink_to(os.ttyname(self._slave))

    def send(self, data: bytes) -> None:
        os.write(self._master, data)

    def heard(self) -> bytes:
        try:
            return os.read(self._master, 4096)
        except BlockingIOError:
            return b""

    def unplug(self) -> None:
        os.close(self._slave)
        os.close(self._master)


def first(source: Any, wanted: Callable[[Sighting], bool]) -> Sighting:
    """The first such sighting, of a source that is stepped."""
    for _ in range(LOOKS):
        source.step()
        for sighting in source.waiting_sightings():
            if wanted(sighting):
                return sighting  # type: ignore[no-any-return]
    raise AssertionError("no such sighting")


@pytest.mark.parametrize(
    ("scheme", "greeting", "told"),
    [
        ("chessnut", bytes.fromhex("210100"), chessnut_report(START)),
        ("millennium", millennium_text("V"), millennium_text(f"s{START}")),
    ],
)
def test_the_real_openers_read_write_and_notice_the_end(
    scheme: str, greeting: bytes, told: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "device"
    source = open_eboard(f"{scheme}:{path}", CHESS)
    assert "is it plugged in?" in first(source, lambda s: s.observation is None).trouble
    terminal = Terminal(path)
    source.step()
    source.step()
    assert terminal.heard().startswith(greeting)
    terminal.send(told)
    seen = first(source, lambda s: s.observation is not None)
    assert seen.observation
    assert seen.observation.kinds["d8"] == "black/queen"
    terminal.unplug()
    assert "not connected" in first(source, lambda s: s.observation is None).trouble
    source.close()


def test_listening_tells_whether_a_board_is_there(tmp_path: Path) -> None:
    path = tmp_path / "device"
    seen = listen(f"chessnut:{path}", CHESS)
    assert seen
    assert "is it plugged in?" in seen.trouble
    terminal = Terminal(path)
    assert listen(f"chessnut:{path}", CHESS, patience=0.0) is None
    terminal.send(chessnut_report(START))
    seen = listen(f"chessnut:{path}", CHESS)
    assert seen
    assert seen.observation
    terminal.unplug()


def test_a_trace_of_an_e_board_is_replayed(tmp_path: Path) -> None:
    with TraceWriter(tmp_path, "chessnut:/dev/hidraw1") as trace:
        for n, squares in enumerate((START, E2E4)):
            trace.data(float(n), chessnut_report(squares))
    with open_sightings(f"trace:{tmp_path}", CHESS) as source:
        seen = [sighting.observation for sighting in source.sightings()]
    assert [bool(o and "e4" in o.kinds) for o in seen] == [False, True]


@pytest.fixture
def table() -> Iterator[Table]:
    with Table(Desk(open_store())) as table:
        yield table


def test_a_running_companion_lights_its_lamps(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "device"
    terminal = Terminal(path)
    with Runtime(table, (f"chessnut:{path}",), tmp_path, random.Random(1), tmp_path):
        assert table.ask(m.NewGame("chess e2e4")).ok
        told = b""
        for _ in range(LOOKS):
            terminal.send(chessnut_report(E2E4))
            told += terminal.heard()
            if Chessnut().lamps({E4: LAST, 52: LAST}) in told:
                break
            table.wait(table.snapshot.id, 0.05)
        else:
            raise AssertionError("never lit")
    terminal.unplug()
