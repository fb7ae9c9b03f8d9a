"""The wire: what is sent stays as it was, and all that describes it is made from its classes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

from broker_bridge.board_state import clock_of, state_of
from companion.core.game import Breach
from companion.record.session import ARBITER
from companion.referee.verdict.guide import GuideStep
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.present import present
from companion.table.snapshot import Question, Snapshot, Verdict
from companion.wire.codec import WireError, plain, read, write
from companion.wire.hall import BoardState
from tests.stores import open_store

ROOT = Path(__file__).resolve().parents[2]
SENT = Path(__file__).parent / "sent.json"
"""What was sent of some tables before there was a wire."""


def at_table(*messages: m.Message, **more: Any) -> Snapshot:
    desk = Desk(open_store(), wall=lambda: 1_000.0, steady=lambda: 50.0)
    for message in messages:
        assert desk.handle(message)[0].ok
    return replace(desk.snapshot, **more)


def tables() -> Iterator[tuple[str, Snapshot, str | None]]:
    """Yields tables of many kinds, each with a name and a viewer."""
    pairing = m.Propose("chess", {"white": "Ann", "event": "Open", "round": "3"})
    yield "empty", at_table(pairing), None
    triune = (m.NewGame("triune", {"red": "Ann", "clock": "5:00+3x20"}), m.Submit("a2-a3", "red"))
    yield "offer", at_table(*triune, m.Deed("offer", "blue")), None
    yield "over", at_table(*triune, m.Deed("resign", "blue")), "red"
    steps = (GuideStep("a3", "a2", None, "Back."), GuideStep(None, "b1", "red", "One more."))
    broken = Verdict("refused", "", "a3-a9", (Breach("TR-1", ("a3",)),), steps)
    yield "refused", at_table(*triune, verdict=broken, seen={"c3": "red"}), None
    asked = Question(4, (("a2-a3",), ("a2-b3",), ()), "red")
    yield "asked", at_table(*triune, question=asked, notice="hm"), ARBITER
    yield "form", at_table(m.NewGame("magnet")), "red"
    yield "secret", at_table(m.NewGame("magnet"), m.Submit("=K222333444tT", "red")), "blue"
    yield "puzzle", at_table(m.NewGame("queens")), "solver"


def sent() -> Iterator[tuple[str, Any]]:
    """Yields what is sent of these tables: to a page, and to a hall."""
    for name, snapshot, viewer in tables():
        yield name, present(snapshot, viewer)
        view = present(snapshot, None, has_moves=False)
        yield f"{name}, to a hall", state_of(view, "c0ffee", "http://board.local/", at=9.0)
        yield f"{name}, its clock", clock_of(view, 9.0, 60.0)


def assert_still(then: Any, now: Any, way: str) -> None:
    """Asserts that all that was sent then is sent now, member by member; there may be more members."""
    if isinstance(then, dict) and isinstance(now, dict):
        assert then.keys() <= now.keys(), way
        for name, value in then.items():
            assert_still(value, now[name], f"{way}.{name}")
    elif isinstance(then, list) and isinstance(now, list):
        assert len(then) == len(now), way
        for n, (value, other) in enumerate(zip(then, now, strict=True)):
            assert_still(value, other, f"{way}[{n}]")
    else:
        assert (type(now), now) == (type(then), then) or (now == then and float in (type(now), type(then))), (
            way
        )


def test_what_is_sent_stays_as_it_was() -> None:
    then = json.loads(SENT.read_text(encoding="utf-8"))
    for name, value in sent():
        assert_still(then[name], plain(value), name)


def test_what_a_board_tells_is_read_as_it_was_told() -> None:
    for _, snapshot, _ in tables():
        told = state_of(present(snapshot), "c0ffee", at=9.0)
        if isinstance(told, BoardState):
            assert read(write(told), BoardState) == told


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b'{"state": "asleep"}', b'{"pieces": ["a1"]}', b'{"head": {"red": 7}}', b'{"at": 1e400}',
     b'{"notice": "\\ud800"}', b'{"checked": [' + b'"a1",' * 401 + b'"a1"]}', b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_state_is_refused(payload: bytes) -> None:
    with pytest.raises(WireError):
        read(payload, BoardState)


MEMBER = '''    ruled: bool = False
    """People ended the game before its rules did."""
'''
FURTHER = '''    weather: Words = "dry"
    """What the sky does."""
'''
ASK = """
import json, sys
from unittest.mock import Mock
sys.path.insert(0, sys.argv[1] + "/.ci")
from declarations import made
from broker_bridge.board_state import state_of
from broker_bridge.link import Delivery
from broker_bridge.topics import STATE, BoardName
from companion.table.present import present
from companion.wire.codec import plain, write
from hall.wall.hall import Hall, fold
from tests.companion.test_wire import at_table, m
from web import create_app
from web.routes.openapi import describe

view = present(at_table(m.NewGame("triune")))
told = write(state_of(view, "c0ffee", at=9.0))
board = BoardName("A", "7")
wall = fold(Hall(), Delivery(board.topic(STATE), told), 9.0).boards[board].told
found = {"page": plain(view), "hall": json.loads(told), "wall": plain(wall)}
found |= {path.name: text for path, text in made().items()}
print(json.dumps({**found, "openapi": describe(create_app(Mock()))}))
"""


def test_a_member_of_the_state_is_written_in_one_place(tmp_path: Path) -> None:
    """In a copy of the program one class has one more member: all that sends or describes states has it."""
    package = tmp_path / "companion"
    shutil.copytree(ROOT / "companion" / "wire", package / "wire", ignore=shutil.ignore_patterns("*.pyc"))
    for path in (ROOT / "companion").iterdir():
        if path.name != "wire":
            (package / path.name).symlink_to(path)
    state = package / "wire" / "state.py"
    before = state.read_text(encoding="utf-8")
    assert MEMBER in before
    state.write_text(before.replace(MEMBER, MEMBER + FURTHER), encoding="utf-8")
    paths = os.pathsep.join((str(tmp_path), str(ROOT)))
    run = subprocess.run(
        [sys.executable, "-c", ASK, str(ROOT)],
        env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert [found[at]["weather"] for at in ("page", "hall", "wall")] == ["dry"] * 3
    assert "  /** What the sky does. */\n  weather: string;\n" in found["wire.d.ts"]
    messages = yaml.safe_load(found["hall.asyncapi.yaml"])["components"]["schemas"]
    described = found["openapi"]["components"]["schemas"]["GameState"]["properties"]["weather"]
    assert described == messages["BoardState"]["properties"]["weather"]
    assert described["description"] == "What the sky does."


def test_declarations_are_those_that_the_wire_makes() -> None:
    spec = spec_from_file_location("declarations", ROOT / ".ci" / "declarations.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for path, text in module.made().items():
        assert path.read_text(encoding="utf-8") == text, "run .ci/declarations"
