"""A board's hall, as options and settings name it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from broker_bridge.address import Broker
from broker_bridge.options import HallSettings, read_hall
from broker_bridge.topics import BoardName
from companion.core.errors import CompanionError

BOARD = BoardName("Hall A", "7")
HALL = HallSettings(Broker("hall"), BOARD)


@pytest.mark.parametrize(
    ("given", "settings", "expected"),
    [
        ({}, {}, None),
        ({"broker": None, "board": None}, {}, None),
        ({"broker": "mqtt://hall", "board": "Hall A/7"}, {}, HALL),
        ({}, {"broker": "mqtt://hall", "board": "Hall A/7"}, HALL),
        ({"board": "Hall A/7"}, {"broker": "mqtt://hall", "board": "Hall A/8"}, HALL),
        (
            {"address": "http://a:8000/", "home_assistant": True},
            {"broker": "mqtt://hall", "board": "Hall A/7"},
            replace(HALL, address="http://a:8000/", home_assistant=True),
        ),
    ],
)
def test_options_come_before_settings(given: Any, settings: Any, expected: HallSettings | None) -> None:
    assert read_hall(given, settings) == expected


@pytest.mark.parametrize(
    ("given", "settings", "words"),
    [
        ({"board": "Hall A/7"}, {}, "name that too, with --broker"),
        ({"broker": "mqtt://hall"}, {}, "name this board with --board"),
        ({"broker": "mqtt://hall", "board": "7"}, {}, "a board is named SITE/BOARD"),
        ({"broker": "hall", "board": "Hall A/7"}, {}, "a broker is named mqtt://HOST"),
        ({}, {"brokr": "mqtt://hall"}, r"\[hall\] takes broker, board.* unknown field `brokr`"),
        ({}, {"board": 7}, "Expected `str`, got `int`"),
        ({}, 7, "Expected `object`"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(given: Any, settings: Any, words: str) -> None:
    with pytest.raises(CompanionError, match=words):
        read_hall(given, settings)


def test_a_password_comes_from_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_BROKER_PASSWORD", "of the environment")
    given = {"broker": "mqtt://hall", "board": "Hall A/7"}
    named = read_hall(given, {})
    assert named
    assert (named.broker.user, named.broker.password) == ("Hall A/7", "of the environment")
    file = tmp_path / "password"
    file.write_text("of the file\n")
    filed = read_hall({**given, "broker": "mqtt://ann@hall"}, {"password_file": str(file)})
    assert filed
    assert (filed.broker.user, filed.broker.password) == ("ann", "of the file")
