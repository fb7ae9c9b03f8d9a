"""`companion run --broker`: a real table, page and program at a real Mosquitto."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from broker_bridge.link import Membership
from broker_bridge.topics import BoardName
from companion.wire.codec import read
from companion.wire.hall import LogLine
from tests.brokers import Mosquitto, joined

BOARD = BoardName("Hall A", "7")


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path_factory.mktemp("mosquitto")) as broker:
        yield broker


def test_a_companion_speaks_and_says_goodbye(mosquitto: Mosquitto, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'[hall]\nbroker = "{mosquitto.address}"\nboard = "{BOARD}"\n')
    options = ["--source", "none", "--port", "0", "--game", "chess e2e4", "--data", str(tmp_path)]
    command = [sys.executable, "-c", "from companion.cli import main; main()", "run", *options]
    with (
        joined(mosquitto, Membership("reader", ("board-companion/#",))) as (_, listener),
        subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ) as process,
    ):
        try:
            mosquitto.until(listener, lambda: sum("event" in topic for topic, _ in listener.heard) == 2)
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        mosquitto.until(listener, lambda: listener.heard[-1] == (BOARD.topic("status"), b"offline"))
    heard = listener.heard
    assert heard[0] == (BOARD.topic("status"), b"online")
    states = [json.loads(payload) for topic, payload in heard if topic == BOARD.topic("state")]
    assert states[-1]["last"]["written"] == "e4"
    assert states[-1]["address"] == ""  # the page is for this machine alone
    lines = [read(payload, LogLine) for topic, payload in heard if topic == BOARD.topic("event")]
    assert [line.text for line in lines] == ["chess", "e2e4"]
