"""Signs of life: when they are sent, and what they say."""

import errno
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.desk import Desk
from companion.table.messages import Message, Reply
from companion.table.table import Table
from hardware.watchdog import Watchdog, answers
from tests.stores import open_store


@pytest.fixture
def line(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        yield line


def environment(line: socket.socket, **more: str) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(line.getsockname()), **more}


class Rounds:
    """So many rounds, each asked for with a time."""

    def __init__(self, count: int) -> None:
        self.left, self.asked = count, [0.0][:0]

    def __call__(self, seconds: float) -> bool:
        self.asked.append(seconds)
        self.left -= 1
        return self.left < 0


def heard(line: socket.socket) -> list[str]:
    words: list[str] = []
    while not words or words[-1] != "STOPPING=1":
        words.append(line.recv(100).decode())
    return words


def test_ready_then_signs_then_stopping(line: socket.socket) -> None:
    rounds = Rounds(3)
    with Watchdog(lambda: True, environment(line, WATCHDOG_USEC="20000000"), rounds):
        assert heard(line) == ["READY=1", *["WATCHDOG=1"] * 3, "STOPPING=1"]
    assert set(rounds.asked) == {10.0}  # half of what systemd allows


def test_no_sign_while_the_table_is_stuck(line: socket.socket) -> None:
    alive = iter([True, False, False, True])
    with Watchdog(lambda: next(alive), environment(line), Rounds(4)):
        assert heard(line) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_signs_come_while_all_descriptors_are_in_use(
    line: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, is_full = threading.Event(), threading.Event()

    def wait(_: float) -> bool:
        was_full = is_full.is_set()
        begun.set()
        assert is_full.wait(60)
        return was_full

    def refuse(*_: object) -> socket.socket:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with Watchdog(lambda: True, environment(line), wait):
        assert begun.wait(60)
        monkeypatch.setattr(socket, "socket", refuse)
        is_full.set()
        assert heard(line) == ["READY=1", "WATCHDOG=1", "STOPPING=1"]


def test_a_socket_without_a_file() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("")  # the kernel chooses an abstract name
        line.settimeout(60)
        name = "@" + line.getsockname()[1:].decode()
        with Watchdog(lambda: True, {"NOTIFY_SOCKET": name}, Rounds(0)):
            assert heard(line) == ["READY=1", "STOPPING=1"]


def test_nothing_where_nobody_asked() -> None:
    def wait(seconds: float) -> bool:
        raise AssertionError("nobody listens")

    with Watchdog(lambda: True, {}, wait):
        pass


def test_a_listener_that_went_away(tmp_path: Path) -> None:
    rounds = Rounds(2)
    with Watchdog(lambda: True, {"NOTIFY_SOCKET": str(tmp_path / "gone")}, rounds):
        pass
    assert rounds.left <= 2


def test_a_table_answers_and_nothing_changes(tmp_path: Path) -> None:
    with Table(Desk(open_store(tmp_path / "games.sqlite"))) as table:
        before = table.snapshot
        assert answers(table)
        assert table.snapshot == before


def test_a_stuck_table_does_not_answer() -> None:
    class Stuck:
        def ask(self, message: Message, timeout: float = 0.0) -> Reply:
            raise TimeoutError

    assert not answers(Stuck())
