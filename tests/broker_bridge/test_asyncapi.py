"""docs/hall.asyncapi.yaml against what is really sent: each message fits, each member of it is described."""

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from broker_bridge.home_assistant import discovery_of
from broker_bridge.link import Letter
from broker_bridge.topics import ARCHIVED, FROM_BOARD, KINDS, PAIRING, ROOT, STATUS, TO_BOARD
from companion.games.text import read_game
from companion.record.session import KINDS as KINDS_OF_LINES
from companion.table import messages as m
from companion.wire.codec import write
from companion.wire.hall import Archived, LogLine, Pairing
from tests.broker_bridge.stage import BOARD, Stage
from tests.companion.sensor import Sensor

FILE = Path(__file__).resolve().parents[2] / "docs" / "hall.asyncapi.yaml"
FREE = {"head", "options", "pieces", "values", "left", "since", "games", "players", "byo_yomi"}
"""Members whose own members are names that the game or the hall gives."""


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def play_chess(stage: Stage) -> None:
    """A game with a clock, an offer, a takeback, a question of the arbiter's, and an end."""
    stage.ask(m.NewGame("chess", {"white": "Ann", "clock": "5+5x30"}))
    for action, player in (("e2e4", "white"), ("e7e5", "black")):
        stage.ask(m.Submit(action, player))
        stage.pass_time(1)
    stage.ask(m.TakeBack(1, "black"))
    stage.ask(m.Deed("redo", "black"))
    stage.ask(m.Deed("offer", "white"))
    stage.pass_time(1)
    stage.ask(m.Deed("decline", "black"))
    stage.ask(m.ChangeTime("white", 60.0))
    stage.ask(m.StopClock())
    stage.pass_time(1)
    stage.ask(m.RuleResult("black"))
    stage.pass_time(1)
    stage.ask(m.CloseGame())


def play_watched(stage: Stage) -> None:
    """A game that a sensor watches: an action that is not allowed, and a draw."""
    game = read_game("triune")
    stage.ask(m.NewGame("triune"))
    sensor = Sensor(game)
    sensor.time = stage.now
    sensor.show(stage.desk)
    start = next(iter(sensor.looks))
    free = [site for site in game.board.sites if site not in sensor.looks]
    sensor.move(start, free[-1])
    for _ in range(60):
        sensor.show(stage.desk, 0.1, hand=False)
        stage.table.tell()
    stage.pass_time(1)
    players = stage.desk.session.players
    stage.ask(m.Deed("offer", players[0]))
    for player in players[1:]:
        stage.ask(m.Deed("accept", player))
        stage.pass_time(1)


def play_secrets(stage: Stage) -> None:
    stage.ask(m.NewGame("magnet"))
    stage.play(6)
    stage.pass_time(1)
    stage.ask(m.Deed("resign", "red"))


@pytest.fixture(scope="module")
def letters() -> list[Letter]:
    """All that was said in games of several kinds."""
    stage = Stage()
    for play in (play_chess, play_watched, play_secrets):
        play(stage)
        stage.settle()
    stage.speaker.close()
    seen = list(stage.broker.seen)
    pairing = Pairing("1", {"white": "Ann"}, id="7")
    for kind, payload in ((PAIRING, write(pairing)), (ARCHIVED, write(Archived("c", {1: 2})))):
        seen.append(Letter(BOARD.topic(kind), payload, is_sure=True, is_kept=True))
    return [*seen, discovery_of(BOARD, "http://10.0.0.7:8000/")]


def kind_of(letter: Letter) -> str:
    return letter.topic.rpartition("/")[2] if letter.topic.startswith(ROOT) else "discovery"


def schema_of(document: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"$ref": f"#/components/messages/{kind}/payload", "components": document["components"]}


def members(value: Any, way: str = "") -> Iterator[str]:
    """Yields the members of a message, `verdict.steps.from`, but for names that a game gives."""
    if isinstance(value, list):
        for item in value:
            yield from members(item, way)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield f"{way}{name}"
            if name not in FREE or (name == "game" and isinstance(item, dict)):
                yield from members(item, f"{way}{name}.")


def described(document: dict[str, Any], schema: dict[str, Any], way: str = "") -> Iterator[str]:
    """Yields the members that a schema describes."""
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from described(document, part, way)
    for name, item in schema.get("properties", {}).items():
        yield f"{way}{name}"
        if name not in FREE:
            yield from described(document, item, f"{way}{name}.")


def test_every_message_fits(document: dict[str, Any], letters: list[Letter]) -> None:
    checks = {
        kind: jsonschema.Draft202012Validator(schema_of(document, kind)) for kind in document["channels"]
    }
    for letter in letters:
        kind = kind_of(letter)
        if letter.payload:
            payload = letter.payload.decode()
            checks[kind].validate(payload if kind == STATUS else json.loads(payload))
        binding = document["channels"][kind]["bindings"]["mqtt"]
        assert (letter.is_sure, letter.is_kept) == (bool(binding["qos"]), binding["retain"]), kind


@pytest.mark.parametrize("kind", ["state", "clock", "event", "archived", "pairing"])
def test_every_member_is_described_and_sent(
    document: dict[str, Any], letters: list[Letter], kind: str
) -> None:
    told = [json.loads(letter.payload) for letter in letters if kind_of(letter) == kind and letter.payload]
    sent = {member for message in told for member in members(message)}
    found = set(described(document, document["components"]["messages"][kind]["payload"]))
    assert sent - found == set(), "not described"
    # Sensors ask now and then, and more than two players have to agree.
    rare = {member for member in found if member.startswith("question.")} | {"offer.agreed"}
    assert found - sent - rare == set(), "not sent"


def test_every_topic_is_described_and_sent(document: dict[str, Any], letters: list[Letter]) -> None:
    assert set(document["channels"]) == {*KINDS, "discovery"} == {kind_of(letter) for letter in letters}
    for kind in KINDS:
        assert document["channels"][kind]["address"] == f"{ROOT}/{{site}}/{{board}}/{kind}"
    told = {"send": [*FROM_BOARD, "discovery"], "receive": [*TO_BOARD]}
    for action, kinds in told.items():
        channels = [
            operation["channel"]["$ref"].rpartition("/")[2]
            for operation in document["operations"].values()
            if operation["action"] == action
        ]
        assert sorted(channels) == sorted(kinds)


def test_the_kinds_and_members_of_lines_are_those_of_the_log(document: dict[str, Any]) -> None:
    properties = document["components"]["schemas"]["LogLine"]["properties"]
    assert set(properties["kind"]["enum"]) == {"begin", *KINDS_OF_LINES}
    assert set(properties) == {member.name for member in fields(LogLine)}
