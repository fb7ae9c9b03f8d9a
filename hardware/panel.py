"""Drives buttons, turn lamps and a buzzer on the Pi's pins.

Each side has two buttons, 'done' and 'take back', and a lamp that says whose turn it is; the buzzer sounds
when an action is not allowed. Buttons close to ground against the Pi's own pull-ups. The panel does not call
back: `poll(now)` returns the presses since the last time. It debounces them by the time that is handed in, so
that nothing depends on a library's threads. Pins are gpiozero's (BCM numbers).
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from gpiozero import LED, Buzzer, DigitalInputDevice, GPIOZeroError

from companion.core.errors import CompanionError

DEBOUNCE_S = 0.02
"""Seconds that a contact has to hold; a deliberate press lasts five times as long."""
FACTORIES = {
    "lgpio": "gpiozero.pins.lgpio:LGPIOFactory",
    "rpigpio": "gpiozero.pins.rpigpio:RPiGPIOFactory",
    "native": "gpiozero.pins.native:NativeFactory",
    "mock": "gpiozero.pins.mock:MockFactory",
}
"""The libraries that drive pins, best first: lgpio is the only one that works on a Pi 5."""
LAST_BCM = 27
Pin: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=LAST_BCM)]


class PanelError(CompanionError):
    """Pins, or settings of pins, that cannot be used."""


class Press(NamedTuple):
    """A button was pressed: `done` or `take back`, and the seat (0 first, 1 second) that it belongs to."""

    button: str
    seat: int
    time: float


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pins in use (BCM), as `[panel]` in config.toml sets them: one for each side; 0 for what is not
    fitted."""

    done: tuple[Pin, Pin] = (5, 13)
    take_back: tuple[Pin, Pin] = (6, 19)
    lamp: tuple[Pin, Pin] = (17, 27)
    buzzer: Pin = 22

    def __post_init__(self) -> None:
        used = [pin for pin in (*self.done, *self.take_back, *self.lamp, self.buzzer) if pin]
        if 1 in used:
            raise ValueError("1 is no pin")
        if len(set(used)) < len(used):
            raise ValueError("it uses a pin twice: give each button, lamp and buzzer its own")


def parse_pins(settings: Mapping[str, object]) -> Pins:
    """Returns the pins of the table `[panel]`. PanelError says what is wrong in it."""
    try:
        return msgspec.convert(settings, Pins)
    except msgspec.ValidationError as error:
        raise PanelError(
            f"[panel] in config.toml: {error}; done, take_back and lamp take two BCM numbers, one for each "
            f"side, and buzzer takes one, all from 2 to {LAST_BCM}, or 0 for none"
        ) from error


@dataclass(slots=True)
class Debounce:
    """A contact's state, which counts once it has held for `hold` seconds."""

    hold: float = DEBOUNCE_S
    settled: bool = False
    _raw: bool = False
    _since: float = field(default=0.0)

    def update(self, closed: bool, now: float) -> bool:
        """Takes the contact's state in; returns whether it has, just now, become firmly closed."""
        if closed != self._raw:
            self._raw, self._since = closed, now
        if self._raw == self.settled or now - self._since < self.hold:
            return False
        self.settled = self._raw
        return self.settled


class Panel:
    """The buttons, lamps and buzzer. Close it, or use `with`, to give the pins back."""

    def __init__(self, pins: Pins, factory: Any) -> None:
        self._buttons: dict[tuple[str, int], tuple[DigitalInputDevice, Debounce]] = {}
        self._lamps: dict[int, LED] = {}
        self._buzzer: Buzzer | None = None
        try:
            self._open(pins, factory)
        except (GPIOZeroError, OSError) as error:
            self.close()
            raise PanelError(f"cannot use the panel's pins ({error}): see [panel] in config.toml") from error

    def poll(self, now: float) -> list[Press]:
        """Returns the presses since the last call, by seat. Call it at least fifty times a second."""
        return [
            Press(button, seat, now)
            for (button, seat), (pin, contact) in self._buttons.items()
            if contact.update(bool(pin.value), now)
        ]

    def show_turn(self, seat: int | None) -> None:
        """Lights the lamp of the seat whose turn it is; None for nobody's."""
        for i, lamp in self._lamps.items():
            lamp.value = i == seat

    def sound(self, on: bool) -> None:
        """Starts or stops the buzzer; the caller, who has the time, decides for how long."""
        if self._buzzer is not None:
            self._buzzer.value = on

    def close(self) -> None:
        buttons = [pin for pin, _ in self._buttons.values()]
        for device in filter(None, (*buttons, *self._lamps.values(), self._buzzer)):
            with suppress(GPIOZeroError, OSError):
                device.close()
        self._buttons, self._lamps, self._buzzer = {}, {}, None

    def __enter__(self) -> Panel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, pins: Pins, factory: Any) -> None:
        for seat in range(2):
            for name, number in (("done", pins.done[seat]), ("take back", pins.take_back[seat])):
                if number:
                    pin = DigitalInputDevice(number, pull_up=True, pin_factory=factory)
                    self._buttons[name, seat] = (pin, Debounce())
            if pins.lamp[seat]:
                self._lamps[seat] = LED(pins.lamp[seat], pin_factory=factory)
        if pins.buzzer:
            self._buzzer = Buzzer(pins.buzzer, pin_factory=factory)


def open_panel(kind: str, pins: Pins | None = None) -> Panel:
    """Returns the panel of `--panel`. PanelError when there are no pins here.

    `kind` is `mock` (no pins), `pi` (the first library that works here), or a library's name.
    """
    names = [n for n in FACTORIES if n != "mock"] if kind == "pi" else [kind]
    return Panel(pins or Pins(), open_factory(names))


def open_factory(names: Sequence[str]) -> Any:
    """Returns the pin factory of the first of these libraries that works here. PanelError when none does."""
    reasons = []
    for name in names:
        if name not in FACTORIES:
            raise PanelError(f"there is no panel '{name}': write pi, {', '.join(FACTORIES)}")
        module, _, factory = FACTORIES[name].partition(":")
        if name == "lgpio":
            _give_lgpio_a_folder()
        try:
            return getattr(import_module(module), factory)()
        except (GPIOZeroError, ImportError, OSError, RuntimeError) as error:
            reasons.append(f"{name}: {' '.join(str(error).split()) or type(error).__name__}")
    raise PanelError(f"no pins here ({'; '.join(reasons)}): install lgpio, or use --panel mock")


def _give_lgpio_a_folder() -> None:
    """Sets the folder in which lgpio makes a pipe as it is imported, where nothing else sets it.

    It would take the working directory, which a service cannot write.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="lgpio-")
        atexit.register(shutil.rmtree, os.environ["LG_WD"], ignore_errors=True)
