"""Recordings of a sensor grid and of cameras, which `companion watch` referees as if they were live.

The command ends by itself and tells a record that can be replayed, the same one each time. A recording of a
camera is read frame by frame, or refused.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import cv2
import numpy as np

from benchmarks.fuzzing.command import companion, words
from benchmarks.fuzzing.mutation import CHARACTERS, mutated_bytes, mutated_text
from benchmarks.fuzzing.target import ACCEPTED, Outcome, demand, refused
from companion.games.text import read_game, replay
from companion.sensing.sources import SourceError
from companion.sensing.trace import FORMAT, read_trace
from firmware_bridge.line.messages import TO_HOST, Greet, Peer, Sensor, State
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.virtual import VirtualDevice
from vision.sources.source import open_source

GAMES = ("triune", "rooks", "escape", "draughts", "jump_to_center")
"""The games that are recorded. The input's first line but one says which it is."""
ACTIONS, STEP_S, REST_S = 5, 0.05, 0.9
"""Actions of a recording, and seconds between two reads and after each action."""
TWICE = 15
"""Of so many recordings one is refereed twice."""
UNTOUCHED = 0.35
SOURCES = (
    "serial:",
    "serial:/dev/ttyACM0",
    "camera:0",
    "folder:x",
    "video:y",
    "virtual",
    "",
    "nowhere:",
    "trace:x",
)
TIMES = (-1, 0, 1e9, 1e308, 10**400, float("nan"), "1", None, True, -1e-9)
PICTURES = ("000000.jpg", "000001.png", "000002.jpg", "../x.jpg", "/etc/hostname", "1.jpg\n", "")


class Fuzzed:
    """Recordings."""

    suffix = ".jsonl"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp())
        _, code = cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))
        (self._folder / "000000.jpg").write_bytes(code.tobytes())
        (self._folder / "000001.png").write_bytes(code.tobytes()[:60])

    def make(self, chance: Random) -> bytes:
        lines = list(_recording(chance.choice(GAMES), chance.randrange(4)))
        if chance.random() < 0.12:
            lines[0] = json.dumps({"format": FORMAT, "source": chance.choice(SOURCES)})
            lines[1:] = [json.dumps({"time": n, "picture": chance.choice(PICTURES[:2])}) for n in range(4)]
        if chance.random() > UNTOUCHED:
            for _ in range(chance.choice((1, 2, 8))):
                if not lines:
                    break
                is_moment = len(lines) > 1 and chance.random() < 0.95
                at = chance.randrange(1, len(lines)) if is_moment else 0
                lines[at : at + 1] = _changed(lines[at], chance)
        content = "\n".join(lines).encode("utf-8", "replace") + b"\n"
        return mutated_bytes(content, chance) if chance.random() < 0.05 else content

    def attempt(self, content: bytes) -> Outcome:
        file = self._folder / "trace.jsonl"
        file.write_bytes(content)
        _check_frames(file)
        game = _game_of(content)
        arguments = ("watch", "--game", game, "--source", f"trace:{file}")
        watched = companion(*arguments)
        if watched.status:
            return refused(words(watched).replace(str(file), "FILE"))
        told = [json.loads(line) for line in watched.lines]
        demand(told[-1]["event"] == "record", "the last line is the record")
        replay(told[-1]["text"])
        if crc32(content) % TWICE == 0:
            demand(companion(*arguments).out == watched.out, "a recording is refereed the same each time")
        return ACCEPTED

    def close(self) -> None:
        shutil.rmtree(self._folder)


@cache
def _recording(game: str, seed: int) -> tuple[str, ...]:
    """Returns the lines of a recording of a game that a grid of switches felt."""
    chance, found = Random(f"{game} {seed}"), read_game(game)
    rules, position = found.rules, found.start()
    device = VirtualDevice(wire(found.board, Sensor.REED, MEGA), chance)
    host, now = Peer(TO_HOST), 0.0
    device.arrange(dict.fromkeys(rules.look(position), State.NORTH))
    device.power_up()
    said = host.send(Greet())
    lines = [json.dumps({"format": FORMAT, "source": "serial:", "game": game})]
    for _ in range(ACTIONS):
        actions = list(rules.legal(position))
        if rules.outcome(position) or not actions:
            break
        position = rules.play(position, chance.choice(actions)).position
        occupied = dict.fromkeys(set(rules.look(position)) & set(found.board.sites), State.NORTH)
        for rest, poles in ((0.3, None), (REST_S, occupied)):
            if poles is not None:
                device.arrange(poles)
            for _ in range(round(rest / STEP_S)):
                now += STEP_S
                data, said = device.advance(now, said), b""
                lines.append(json.dumps({"time": round(now, 3), "bytes": data.hex()}))
    return tuple(lines)


def _changed(line: str, chance: Random) -> list[str]:
    """Returns the lines that come in a line's place."""
    moment, kind = _moment(line), chance.randrange(7)
    if not moment or kind == 0:
        return [mutated_text(line, chance)]
    if kind == 1:
        return []
    if kind == 2:
        return [line, line]
    if kind == 3 and (sent := _bytes_of(moment)):
        return [json.dumps({**moment, "bytes": mutated_bytes(sent, chance).hex()})]
    if kind == 4 and isinstance(moment.get("time"), float):
        return [json.dumps({**moment, "time": moment["time"] + chance.choice((-5, -0.5, 0.5, 60, 1e6))})]
    if kind == 5:
        return [json.dumps({**moment, "time": chance.choice(TIMES)})]
    return [
        json.dumps({**moment, chance.choice(("picture", "bytes")): chance.choice((*PICTURES, "0a", "x"))})
    ]


def _bytes_of(moment: dict[str, Any]) -> bytes:
    """Returns the bytes of a moment; none where they were changed to what spells none."""
    try:
        return bytes.fromhex(moment.get("bytes", ""))
    except (ValueError, TypeError):
        return b""


def _moment(line: str) -> dict[str, Any]:
    """Returns what a line holds; {} where it was changed already."""
    try:
        moment = json.loads(line)
    except ValueError:
        return {}
    return moment if isinstance(moment, dict) else {}


def _game_of(content: bytes) -> str:
    """Returns the game that a recording's first line names; the first of all where it names none."""
    try:
        game = json.loads(content.split(b"\n")[0])["game"]
    except (ValueError, KeyError, TypeError):
        return GAMES[0]
    return game if game in GAMES else GAMES[0]


def _check_frames(file: Path) -> None:
    """Checks that a recording is read moment by moment and, where it is a camera's, frame by frame."""
    try:
        _, moments = read_trace(file)
        list(moments)
    except SourceError as error:
        demand("\n" not in str(error), "a refusal is one line")
    try:
        source = open_source(f"trace:{file}")
        while source.read() is not None:
            continue
        source.close()
    except SourceError as error:
        demand(set(CHARACTERS[:4]).isdisjoint(str(error)), "a refusal can be printed")
