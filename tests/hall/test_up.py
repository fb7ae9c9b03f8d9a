"""`companion hall up`, as it is typed: a board joins by its line, is on wall and in archive; all ends."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_bridge.address import Broker
from broker_bridge.link import Membership
from broker_bridge.mqtt import MqttLink
from broker_bridge.rights import HALL
from broker_bridge.topics import ARCHIVED, of_all
from companion.wire.codec import read
from companion.wire.hall import Archived
from hall import up as module
from hall.archive.listing import list_games
from hall.archive.sqlite import SqliteDatabase
from hall.broker.mosquitto import BROKER, Files, Mosquitto, is_free
from hall.broker.passwords import Passwords
from hall.cli import hall
from tests.brokers import PATIENCE_S, Listener, find_mosquitto, free_port


@contextmanager
def started(command: str, greeting: str, **more: str) -> Iterator[list[str]]:
    """Starts a command as a shell does, gives what it says to its greeting, ends it as systemd does."""
    words = shlex.split(command)
    given = dict(word.split("=", 1) for word in words if re.match("[A-Z_]+=", word))
    typed = [sys.executable, "-c", "from companion.cli import main; main()", *words[len(given) + 1 :]]
    with subprocess.Popen(
        typed, stdout=subprocess.PIPE, text=True, env={**os.environ, **given, **more, "PYTHONUNBUFFERED": "1"}
    ) as process:
        try:
            assert process.stdout
            said: list[str] = []
            for line in process.stdout:
                said.append(line.strip())
                if re.search(greeting, line):
                    break
            else:
                pytest.fail(f"'{command}' ends: {said}")
            yield said
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()


def archived_lines(listener: Listener) -> int:
    """Returns how many lines of its first game the board knows to be in the archive."""
    receipts = [read(payload, Archived) for _, payload in listener.heard if payload]
    return max((receipt.games.get(1, 0) for receipt in receipts), default=0)


def test_a_hall_from_nothing(tmp_path: Path) -> None:
    find_mosquitto()
    port, data = free_port(), tmp_path / "hall's data"
    up = f"companion hall up --port 0 --broker-port {port} --data {shlex.quote(str(data))}"
    with started(up, "companion hall boards") as said:
        wall = next(line for line in said if "wall" in line.lower()).split()[-1]
        typed = shlex.split(said[-1].replace(" 20 ", " 2 "))[2:]
        lines = CliRunner().invoke(hall, typed).output.splitlines()  # the same folder: the line names it
        assert len(lines) == 2
        run = f"{lines[0]} --source none --port 0 --game 'chess e2e4 e7e5' --data {tmp_path / 'board'}"
        password = Passwords(data / "hall").of(HALL)
        link = MqttLink(
            Broker("127.0.0.1", port, user=HALL, password=password), Membership("test", (of_all(ARCHIVED),))
        )
        listener = Listener()
        link.open(listener)
        try:
            with started(run, "open http"):
                with listener.news:
                    assert listener.news.wait_for(lambda: archived_lines(listener) >= 3, PATIENCE_S)
                with urllib.request.urlopen(f"{wall}api/v1/events", timeout=PATIENCE_S) as stream:
                    shown = next(line for line in stream if b'"boards":[{' in line)
                (tmp_path / "round.csv").write_text("board,white,black\n1,Ann,Bo\n")
                words = ["rounds", str(tmp_path / "round.csv"), "--round", "1", "--data", str(data)]
                assert "Hall A/1: Ann – Bo\n" in CliRunner().invoke(hall, words).output
        finally:
            link.close()
    board = json.loads(shown.removeprefix(b"data: "))["boards"][0]
    assert "Hall A/1" in json.dumps(board)
    (game,) = list_games(SqliteDatabase(data / "hall.sqlite"), 9, {})
    assert (str(game.board), game.plies) == ("Hall A/1", 2)
    assert is_free("127.0.0.1", port)


def test_what_is_missing_is_said_with_the_lines_that_bring_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "find_mosquitto", lambda: None)
    result = CliRunner().invoke(hall, ["up", "--data", str(tmp_path)])
    assert result.exit_code == 2
    assert "sudo apt install mosquitto\n" in result.output
    assert "sudo apt install postgresql\n" in result.output


def test_a_port_of_another_program_is_left_alone(tmp_path: Path) -> None:
    program, port = find_mosquitto(), free_port()
    strangers = Passwords(tmp_path / "strangers")
    strangers.add()
    files = Files(tmp_path / "strangers" / BROKER)
    files.write(strangers, "127.0.0.1", port)
    with Mosquitto(program, files, port):
        result = CliRunner().invoke(
            hall, ["up", "--port", "0", "--broker-port", str(port), "--data", str(tmp_path / "ours")]
        )
        assert f"port {port} is in use by another program" in str(result.exception)
        ours = Broker("127.0.0.1", port)
        assert not module._knows_us(ours, Passwords(tmp_path / "ours" / "hall"))
        assert module._knows_us(ours, strangers)
