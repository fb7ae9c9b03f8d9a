"""Makes the files that are kept of the version that is checked out: `python -m tests.kept FOLDER`.

Before the version is raised, and only then. What lies in a folder is never made anew.
"""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from random import Random

import cv2

from benchmarks.simulation.random_records import random_record
from companion.core.board import board_text
from companion.games import installed
from companion.games.text import read_game
from companion.record.record import write_record
from companion.store.store import Store
from firmware_bridge.line.messages import TO_HOST, Greet, Peer, Sensor, State
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.virtual import VirtualDevice
from tests.traces import TraceWriter
from tests.vision.drawn import drawn

TRIUNE = drawn("triune")
FELT = "triune a2-a3 b7-b6"
STEP_S, REST_S = 0.05, 3.0


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "records").mkdir()
    with closing(Store(folder / "games.sqlite")) as store:
        for seed, name in enumerate(installed()):
            number = store.add(random_record(name, seed))
            text = write_record(store.load(number))
            (folder / "records" / f"{number}.txt").write_text(text, encoding="utf-8")
        store.delete(2, 1_700_000_500.0)
        store.put_on(1)
    TRIUNE.profile.save(folder / "profile.json")
    (folder / "board.json").write_text(board_text("triune"), encoding="utf-8")
    felt(folder / "felt")
    _, jpeg = cv2.imencode(".jpg", TRIUNE.picture(), [cv2.IMWRITE_JPEG_QUALITY, 70])
    with TraceWriter(folder / "filmed", "camera:0") as trace:
        trace.picture(0.0, jpeg.tobytes())


def felt(folder: Path) -> None:
    """Records a game that a grid of switches felt."""
    game = read_game("triune")
    rules, position = game.rules, game.start()
    device, host = VirtualDevice(wire(game.board, Sensor.REED, MEGA), Random(1)), Peer(TO_HOST)
    now, said = 0.0, host.send(Greet())
    device.arrange(dict.fromkeys(rules.look(position), State.NORTH))
    device.power_up()
    with TraceWriter(folder, "serial:") as trace:
        trace.data(0, b"")
        for action in FELT.split()[1:]:
            position = rules.play(position, action).position
            for rest in (0.3, REST_S):
                for _ in range(round(rest / STEP_S)):
                    now += STEP_S
                    data, said = device.advance(now, said), b""
                    trace.data(now, data)
                device.arrange(dict.fromkeys(set(rules.look(position)) & set(game.board.sites), State.NORTH))


main(Path(sys.argv[1]))
