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
from typing import Any, NamedTuple

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


class PanelError(CompanionError):
    """Pins, or settings of pins, that cannot be used."""


class Press(NamedTuple):
    """A button was pressed: `done` or `take back`, and the seat (0 first, 1 second) that it belongs to."""

    button: str
    seat: int
    time: float


@dataclass(frozen=True, slots=True)
class Seat:
    """The pins of one side (BCM); None for what is not fitted."""

    done: int | None
    take_back: int | None
    lamp: int | None


@dataclass(frozen=True, slots=True)
class Pins:
    """The pins in use, as `[panel]` in config.toml sets them."""

    seats: tuple[Seat, Seat] = (Seat(5, 6, 17), Seat(13, 19, 27))
    buzzer: int | None = 22

    def used(self) -> list[int]:
        seats = [pin for seat in self.seats for pin in (seat.done, seat.take_back, seat.lamp)]
        return [pin for pin in (*seats, self.buzzer) if pin is not None]


def parse_pins(settings: Mapping[str, object]) -> Pins:
    """Returns the pins of the table `[panel]`. PanelError says which setting is wrong.

    `done`, `take_back` and `lamp` have two BCM numbers each, one for each side, and `buzzer` one; 0 is none.
    """
    known = {"done", "take_back", "lamp", "buzzer"}
    for name in settings.keys() - known:
        raise PanelError(f"[panel] has no setting '{name}': it has {', '.join(sorted(known))}")
    usual = Pins()
    columns = [_pair(settings, name, [getattr(s, name) for s in usual.seats]) for name in Seat.__slots__]
    first, second = zip(*columns, strict=True)
    buzzer = settings.get("buzzer", usual.buzzer)
    pins = Pins((Seat(*first), Seat(*second)), _pin("buzzer", buzzer))
    if len(set(pins.used())) < len(pins.used()):
        raise PanelError("[panel] uses a pin twice: give each button, lamp and buzzer its own")
    return pins


def _pair(settings: Mapping[str, object], name: str, usual: Sequence[int | None]) -> list[int | None]:
    value = settings.get(name, usual)
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PanelError(f"[panel] {name} needs two pins, one for each side: {name} = [5, 13]")
    return [_pin(name, v) for v in value]


def _pin(name: str, value: object) -> int | None:
    if value is None or value == 0:
        return None
    if not isinstance(value, int) or not 2 <= value <= LAST_BCM:
        raise PanelError(f"[panel] {name}: {value} is no pin; write a BCM number, 2 to {LAST_BCM}, or 0")
    return value


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
        self._lamps: list[LED | None] = []
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
        for i, lamp in enumerate(self._lamps):
            if lamp is not None:
                lamp.value = i == seat

    def sound(self, on: bool) -> None:
        """Starts or stops the buzzer; the caller, who has the time, decides for how long."""
        if self._buzzer is not None:
            self._buzzer.value = on

    def close(self) -> None:
        devices = [pin for pin, _ in self._buttons.values()] + [*self._lamps, self._buzzer]
        for device in devices:
            if device is not None:
                with suppress(GPIOZeroError, OSError):
                    device.close()
        self._buttons, self._lamps, self._buzzer = {}, [], None

    def __enter__(self) -> Panel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, pins: Pins, factory: Any) -> None:
        for i, seat in enumerate(pins.seats):
            for name, number in (("done", seat.done), ("take back", seat.take_back)):
                if number is not None:
                    pin = DigitalInputDevice(number, pull_up=True, pin_factory=factory)
                    self._buttons[name, i] = (pin, Debounce())
            self._lamps.append(None if seat.lamp is None else LED(seat.lamp, pin_factory=factory))
        if pins.buzzer is not None:
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
