"""What Home Assistant is told of a board, held against the schema that it documents for device discovery."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from broker_bridge.address import Broker
from broker_bridge.home_assistant import discovery_of
from broker_bridge.link import Letter
from broker_bridge.options import HallSettings
from broker_bridge.outbox_file import OutboxFile
from broker_bridge.speaking import _greetings
from broker_bridge.topics import BoardName
from companion.table import messages as m
from tests.broker_bridge.stage import BOARD, Stage

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
TOPIC = {"type": "string", "pattern": "^[^#+]+$"}
SENSOR = {
    "type": "object",
    "required": ["platform", "unique_id"],
    "properties": {
        "platform": {"const": "sensor"},
        "unique_id": TEXT,
        "name": TEXT,
        "device_class": {"const": "enum"},
        "options": {"type": "array", "items": TEXT},
        "value_template": TEXT,
        "icon": {"type": "string", "pattern": "^mdi:[a-z-]+$"},
    },
    "additionalProperties": False,
}
DISCOVERY = {
    "type": "object",
    "required": ["device", "origin", "components"],
    "properties": {
        "device": {
            "type": "object",
            "required": ["identifiers"],
            "properties": {
                "identifiers": {"type": "array", "items": TEXT, "minItems": 1},
                "configuration_url": {"type": "string", "pattern": "^https?://"},
                **dict.fromkeys(("name", "manufacturer", "model", "sw_version", "suggested_area"), TEXT),
            },
            "additionalProperties": False,
        },
        "origin": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": TEXT, "sw_version": TEXT},
            "additionalProperties": False,
        },
        "availability_topic": TOPIC,
        "state_topic": TOPIC,
        "components": {"type": "object", "additionalProperties": SENSOR},
    },
    "additionalProperties": False,
}
"""The members of Home Assistant's schema (MQTT integration, device discovery) that are used here."""


@pytest.mark.parametrize("address", ["", "http://10.0.0.7:8000/"])
def test_it_is_as_home_assistant_documents_it(address: str) -> None:
    letter = discovery_of(BOARD, address)
    told = json.loads(letter.payload)
    jsonschema.validate(told, DISCOVERY)
    prefix, kind, object_id, config = letter.topic.split("/")
    assert (prefix, kind, config) == ("homeassistant", "device", "config")
    assert object_id.replace("_", "").isalnum()
    assert letter.is_kept
    assert told["device"].get("configuration_url", "") == address
    assert len({sensor["unique_id"] for sensor in told["components"].values()}) == 3


def test_its_sensors_read_what_boards_send() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.ask(m.Deed("resign", "white"))
    stage.pass_time(1)
    stage.ask(m.CloseGame())
    stage.pass_time(1)
    told = json.loads(discovery_of(BOARD, "").payload)
    states = [json.loads(payload) for payload in stage.heard("state")]
    assert {state["state"] for state in states} == {"playing", "over", "empty"}
    assert {state["state"] for state in states} <= set(told["components"]["game"]["options"])
    assert told["state_topic"] == BOARD.topic("state")
    assert told["availability_topic"] == BOARD.topic("status")
    templates = jinja_of(told)
    shown = [
        {kind: template.render(value_json=state) for kind, template in templates.items()} for state in states
    ]
    assert shown == [
        {"game": "playing", "turn": "white", "result": "none yet"},
        {"game": "over", "turn": "nobody", "result": "Black wins: White resigned."},
        {"game": "empty", "turn": "nobody", "result": "none yet"},
    ]


def jinja_of(told: dict[str, Any]) -> dict[str, Any]:
    """Returns the templates of the sensors, as Home Assistant's engine reads them."""
    import jinja2

    return {kind: jinja2.Template(sensor["value_template"]) for kind, sensor in told["components"].items()}


def test_it_is_taken_back_when_it_is_not_wanted_any_more(tmp_path: Path) -> None:
    file = OutboxFile(tmp_path / "outbox.sqlite")
    try:
        wanted = HallSettings(Broker("hall"), BOARD, home_assistant=True)
        elsewhere = HallSettings(Broker("hall"), BoardName("Hall A", "8"), home_assistant=True)
        unwanted = HallSettings(Broker("hall"), BOARD)
        assert _greetings(unwanted, "", file) == ()
        assert _greetings(wanted, "", file) == (discovery_of(BOARD, ""),)
        withdrawn = Letter(discovery_of(BOARD, "").topic, b"", is_kept=True)
        assert _greetings(elsewhere, "", file) == (withdrawn, discovery_of(elsewhere.board, ""))
        assert withdrawn in _greetings(unwanted, "", file)
    finally:
        file.close()
