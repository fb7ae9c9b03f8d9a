"""Lets Home Assistant find a board: one retained message that describes it as a device with sensors.

What it says is Home Assistant's device discovery of MQTT; the sensors read the board's own topics `status`
and `state`. The message stays at the broker while the board is away, so that Home Assistant shows it as away.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata

from broker_bridge.link import Letter
from broker_bridge.rights import discovery_id, discovery_topic
from broker_bridge.topics import STATE, STATUS, BoardName
from companion.wire.codec import write

NAME = "Board Companion"
STATES = ("empty", "setup", "playing", "over")
TURN = (
    "{% set player = value_json.get('to_act') if value_json.state == 'playing' else None %}"
    "{{ value_json.head.get(player, player) if player else 'nobody' }}"
)
RESULT = "{{ value_json.outcome.words if value_json.get('outcome') else 'none yet' }}"


def discovery_of(board: BoardName, address: str) -> Letter:
    """Returns the message by which Home Assistant finds a board; its page is at `address`, if anywhere."""
    return Letter(discovery_topic(board), write(_describe(board, address)), is_kept=True)


def withdrawal_of(topic: str) -> Letter:
    """Returns the message that takes back what was told there."""
    return Letter(topic, b"", is_kept=True)


def _describe(board: BoardName, address: str) -> Mapping[str, object]:
    name, version = discovery_id(board), metadata.version("board-companion")
    device: dict[str, object] = {
        "identifiers": [name],
        "name": str(board),
        "manufacturer": NAME,
        "model": "board",
        "sw_version": version,
        "suggested_area": board.site,
    }
    if address:
        device["configuration_url"] = address
    sensors: dict[str, dict[str, object]] = {
        "game": {
            "name": "Game",
            "device_class": "enum",
            "options": list(STATES),
            "value_template": "{{ value_json.state }}",
        },
        "turn": {"name": "Turn", "value_template": TURN, "icon": "mdi:account-clock"},
        "result": {"name": "Result", "value_template": RESULT, "icon": "mdi:trophy"},
    }
    return {
        "device": device,
        "origin": {"name": NAME, "sw_version": version},
        "availability_topic": board.topic(STATUS),
        "state_topic": board.topic(STATE),
        "components": {
            kind: {"platform": "sensor", "unique_id": f"{name}_{kind}", **sensor}
            for kind, sensor in sensors.items()
        },
    }
