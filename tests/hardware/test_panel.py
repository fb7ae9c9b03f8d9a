"""The panel on mock pins, with time handed in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hardware.panel import (
    DEBOUNCE_S,
    Debounce,
    Panel,
    PanelError,
    Pins,
    Press,
    open_factory,
    open_panel,
    parse_pins,
)

PINS = Pins()


@pytest.fixture
def factory() -> Iterator[Any]:
    mock = open_factory(["mock"])
    yield mock
    mock.close()


def press(factory: Any, panel: Panel, pin: int, start: float) -> list[Press]:
    """A firm press of a tenth of a second, asked about each 5 ms."""
    factory.pin(pin).drive_low()
    found = [p for n in range(20) for p in panel.poll(start + n * 0.005)]
    factory.pin(pin).drive_high()
    return found + [p for n in range(20) for p in panel.poll(start + 0.1 + n * 0.005)]


@pytest.mark.parametrize(
    ("pin", "button", "seat"),
    [
        (5, "done", 0),
        (6, "take back", 0),
        (13, "done", 1),
        (19, "take back", 1),
    ],
)
def test_a_press_is_told_once(factory: Any, pin: int, button: str, seat: int) -> None:
    with Panel(PINS, factory) as panel:
        for start in (1.0, 2.0):
            (found,) = press(factory, panel, pin, start)
            assert found[:2] == (button, seat)
            assert found.time - start == pytest.approx(DEBOUNCE_S, abs=0.006)


@pytest.mark.parametrize(
    ("contacts", "presses"),
    [
        ("", 0),
        ("0:1 1:0", 0),
        ("0:1 10:0 11:1 15:0", 0),
        ("0:1 1:0 2:1 3:0 4:1", 1),
        ("0:1 50:0 51:1 52:0", 1),
        ("0:1 100:0 200:1", 2),
        ("0:1 100:0 101:1 102:0 103:1 104:0", 1),
    ],
)
def test_chatter_is_no_press(contacts: str, presses: int) -> None:
    changes = {int(t): int(v) for t, v in (word.split(":") for word in contacts.split())}
    contact, closed, count = Debounce(), 0, 0
    for ms in range(400):
        closed = changes.get(ms, closed)
        count += contact.update(bool(closed), ms / 1000)
    assert count == presses


def test_the_lamp_says_whose_turn_it_is(factory: Any) -> None:
    with Panel(PINS, factory) as panel:
        for turn, lit in ((0, (1, 0)), (1, (0, 1)), (None, (0, 0))):
            panel.show_turn(turn)
            assert (factory.pin(17).state, factory.pin(27).state) == lit


def test_the_buzzer_sounds_as_long_as_it_is_told(factory: Any) -> None:
    with Panel(PINS, factory) as panel:
        panel.sound(True)
        assert factory.pin(22).state
        panel.sound(False)
        assert not factory.pin(22).state


def test_what_is_not_fitted_is_left_alone(factory: Any) -> None:
    with Panel(Pins((5, 0), (0, 0), (0, 27), 0), factory) as panel:
        panel.sound(True)
        panel.show_turn(0)
        assert [p.button for p in press(factory, panel, 5, 1.0)] == ["done"]


def test_settings_are_read() -> None:
    assert parse_pins({}) == PINS
    assert parse_pins({"done": [2, 0], "buzzer": 0}) == Pins(done=(2, 0), buzzer=0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"bell": 4}, "unknown field `bell`"),
        ({"done": 4}, "two BCM numbers"),
        ({"done": [4, 99]}, "<= 27"),
        ({"done": [4, "x"]}, "got `str`"),
        ({"done": [4, 1]}, "1 is no pin"),
        ({"done": [4, 4]}, "a pin twice"),
    ],
)
def test_settings_that_are_wrong_are_named(settings: dict[str, object], words: str) -> None:
    with pytest.raises(PanelError, match=words):
        parse_pins(settings)


def test_pins_in_use_and_pins_that_are_not_there_are_one_line(factory: Any) -> None:
    with Panel(PINS, factory), pytest.raises(PanelError, match="see \\[panel\\]"):
        Panel(PINS, factory)
    with pytest.raises(PanelError, match="there is no panel 'piano'"):
        open_panel("piano")
    with open_panel("mock") as panel:
        assert panel.poll(0.0) == []


def test_lgpio_makes_its_pipe_where_a_service_may_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is imported from a working directory that nobody can write."""

    class Library(ModuleType):
        def __getattr__(self, name: str) -> Any:
            Path(os.environ["LG_WD"], ".lgd-nfy0").touch()
            return lambda: "a factory"

    monkeypatch.delenv("LG_WD", raising=False)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", Library("gpiozero.pins.lgpio"))
    monkeypatch.chdir("/proc")
    assert open_factory(["lgpio"]) == "a factory"
    folder = Path(os.environ["LG_WD"])
    assert (folder / ".lgd-nfy0").exists()
    assert folder.stat().st_mode & 0o777 == 0o700
