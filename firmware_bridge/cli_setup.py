"""`companion grid setup`: commissions a sensor grid from the command line."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from queue import Empty, SimpleQueue

import click

from companion.config import data_folder
from companion.core.board import Board, bundled_boards, load_board, read_board
from firmware_bridge.calibrate import InsufficientScansError
from firmware_bridge.commissioning import Commissioning, CommissioningError, Stage
from firmware_bridge.commissioning_sheet import sheet_of
from firmware_bridge.commissioning_words import plain_text, prompt
from firmware_bridge.grid_source import PROFILE, usual_calibration
from firmware_bridge.lamps import Lamps
from firmware_bridge.link import Link, LinkEvent, Port
from firmware_bridge.messages import Hello
from firmware_bridge.probe import PATIENCE_S, await_hello, opener_of, virtual_device
from firmware_bridge.sensors import Calibration, GridCalibrationError, fits, load_calibration
from firmware_bridge.simulated_builder import SimulatedBuilder
from firmware_bridge.virtual import SteppedClock, VirtualDevice, VirtualPort
from firmware_bridge.wiring import known_boards, wiring_of

WAIT_S = 0.05
"""Seconds that the loop waits for something to come over the line."""
SEND_OUT_S = 0.5
"""Seconds at the end for what is still to be sent: the lamps go out."""
HELP = (
    "Enter: go on, or measure; n: no, or it does not answer; s: skip; b: back; a site: ask for it, or "
    "(lamps) it is dark; a site with '!': the lamp shines there; sheet: end the walk; q: stop"
)


class Session:
    """A commissioning on the command line: what comes over the line, and the lines that are typed.

    A `builder` commissions a virtual grid; time is then the simulation's own.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        boards: Iterable[Board],
        known: Calibration | None,
        typed: SimpleQueue[str | None],
        clock: Callable[[], float] = time.monotonic,
        builder: SimulatedBuilder | None = None,
        poles: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._events: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = Link(opener, lambda event, _: self._events.put(event), clock)
        self._boards, self._known, self._typed = tuple(boards), known, typed
        self._clock, self._builder, self._poles = clock, builder, poles
        self._lamps = Lamps(self._link.send)
        self._shown: tuple[object, ...] = ()

    def run(self) -> Commissioning:
        """Commissions the grid until the sheet is reached. PortError when there is none."""
        if self._builder is None:
            self._link.start()
        else:
            while self._events.empty():
                self._link.step()
        try:
            work = self._begin(await_hello(self._events, PATIENCE_S, self._clock))
            while work.stage is not Stage.SHEET:
                self._step(work)
            self._lamps.shine({})
            self._send_out()
            return work
        finally:
            self._link.stop()

    def _begin(self, hello: Hello) -> Commissioning:
        wiring = wiring_of(hello, self._boards)
        self._lamps.connect(wiring.sites if hello.lamps else ())
        if self._builder is None:
            click.echo(HELP)
        known = self._known if fits(self._known, wiring) else None
        return Commissioning(wiring, hello, known, self._poles)

    def _send_out(self) -> None:
        """Lets what is still to be sent go out."""
        end = self._clock() + SEND_OUT_S
        while self._clock() < end:
            if self._builder is not None:
                self._link.step()
            list(self._came())

    def _step(self, work: Commissioning) -> None:
        """Takes what has come, does what was typed, and sends what is due."""
        if self._builder is not None:
            self._link.step()
            self._builder.act(work, self._clock())
        else:
            self._obey(work)
        for event in self._came():
            work.receive(event, self._clock())
        for message in work.due(self._clock()):
            self._link.send(message)
        self._lamps.shine(work.lamps())
        self._show(work)

    def _came(self) -> Iterator[LinkEvent]:
        """Yields what has come over the line; on a real one it waits a moment for the first."""
        try:
            yield self._events.get(timeout=WAIT_S if self._builder is None else 0)
            while True:
                yield self._events.get_nowait()
        except Empty:
            return

    def _obey(self, work: Commissioning) -> None:
        try:
            line = self._typed.get_nowait()
        except Empty:
            return
        if line is None or line == "q":
            raise click.Abort
        try:
            obey(work, line)
        except CommissioningError as error:
            click.echo(f"  {error}")

    def _show(self, work: Commissioning) -> None:
        """Prints what was heard and what to do, when either is new."""
        asks = prompt(work)
        if self._shown and work.told != self._shown[0]:
            click.echo(f"  {work.said}")
        if not self._shown or asks != self._shown[1]:
            click.echo(asks)
        self._shown = (work.told, asks)


def _go_on_or_measure(work: Commissioning) -> None:
    if work.suspects:
        work.go_on()
    else:
        work.measure_empty()


COMMANDS: Mapping[Stage, Mapping[str, Callable[[Commissioning], object]]] = {
    Stage.EMPTY: {"": _go_on_or_measure, "n": Commissioning.measure_empty},
    Stage.LAMPS: {
        "": lambda work: work.answer_lamps(is_right=True),
        "n": lambda work: work.answer_lamps(is_right=False),
    },
    Stage.WALK: {
        "": lambda work: None,  # the magnet answers, not the keyboard
        "n": Commissioning.silence,
        "s": Commissioning.skip,
        "b": Commissioning.back,
        "sheet": Commissioning.go_on,
    },
    Stage.PIECES: {"": Commissioning.go_on},
}


def obey(work: Commissioning, line: str) -> None:
    """Does what was typed. CommissioningError when it cannot be done."""
    command = COMMANDS[work.stage].get(line)
    if line == "?":
        click.echo(HELP)
    elif command is not None:
        command(work)
    elif work.stage is Stage.LAMPS:
        work.mark_dark(line)
    elif line.endswith("!"):
        work.see_lamp(line[:-1])
    else:
        work.ask(line)


def read_lines(lines: Iterable[str]) -> SimpleQueue[str | None]:
    """Returns the lines as they are typed, read in a thread of their own; None at the end."""
    typed: SimpleQueue[str | None] = SimpleQueue()

    def read() -> None:
        for line in lines:
            typed.put(line.strip())
        typed.put(None)

    threading.Thread(target=read, name="typed", daemon=True).start()
    return typed


@click.command("setup")
@click.argument("port", default="serial:")
@click.option("--board", help="a board file, for a board that does not come with the product")
@click.option("--north", multiple=True, metavar="LOOK", help="looks whose magnets have north up: red/solid")
@click.option("--south", multiple=True, metavar="LOOK", help="looks whose magnets have south up")
@click.option("--keep/--no-keep", default=None, help="keep what was learned, or not, without being asked")
@click.option("--forget-map", is_flag=True, help="only read the wires as in the table again")
@click.option("-o", "output", type=click.Path(), help="the profile; else where `companion run` looks")
def setup(
    port: str,
    board: str | None,
    north: tuple[str, ...],
    south: tuple[str, ...],
    keep: bool | None,
    forget_map: bool,
    output: str | None,
) -> None:
    """Commissions a grid site by site; exit status 1 when something is wrong with it.

    PORT is written as a source: serial:/dev/ttyACM0, serial:socket://HOST:PORT. With 'virtual' simulated
    hands show how it goes, with 'virtual?dead=c3&exchanged=a1,b1' also what faults look like.
    """
    path = Path(output) if output else data_folder() / PROFILE
    if forget_map:
        _forget_map(path)
        return
    boards = boards_of(board)
    device = virtual_device(port, boards[0])
    typed = read_lines(sys.stdin if device is None else ())
    poles = {pole: looks for pole, looks in (("north", north), ("south", south)) if looks}
    session = _session(port, boards, typed, device, poles)
    work = session.run()
    sheet = sheet_of(work)
    click.echo(plain_text(sheet, f"{datetime.now():%Y-%m-%d %H:%M}"))
    _keep(work, path, keep, typed)
    if not sheet.is_whole:
        raise click.exceptions.Exit(1)


def _session(
    port: str,
    boards: list[Board],
    typed: SimpleQueue[str | None],
    device: VirtualDevice | None,
    poles: Mapping[str, tuple[str, ...]],
) -> Session:
    known = undamaged_calibration()
    if device is None:
        return Session(opener_of(port, boards[0]), boards, known, typed, poles=poles)
    clock = SteppedClock()
    line = VirtualPort(device, clock, clock.wait)
    return Session(lambda: line, boards, known, typed, clock, SimulatedBuilder(device), poles)


def _keep(work: Commissioning, path: Path, keep: bool | None, typed: SimpleQueue[str | None]) -> None:
    """Keeps what was learned, if that is wanted; None asks. What does not suffice is not kept."""
    try:
        made = work.calibration()
    except InsufficientScansError as error:
        click.echo(f"Not kept: {error}.")
        return
    if keep or (keep is None and _asks_to_keep(typed, work)):
        made.save(path)
        used = len(made.sites) - len(made.blind)
        click.echo(f"Kept in '{path}': {used} of {len(made.sites)} sensors are used.")


def _asks_to_keep(typed: SimpleQueue[str | None], work: Commissioning) -> bool:
    """Asks whether what was learned is to be kept; no answer is no."""
    wires = " and the map of its wires" if work.walk.wires else ""
    click.echo(f"Keep this calibration{wires}? [y/N]")
    return (typed.get() or "").lower().startswith("y")


def _forget_map(path: Path) -> None:
    """Has the wires read as in the table again. GridCalibrationError without a calibration that is whole."""
    known = load_calibration(path)
    known.without_map().save(path)
    click.echo("The wires are read as in the table." if known.wires else "No map of the wires was in use.")


def undamaged_calibration() -> Calibration | None:
    """Returns the calibration until now; None where it is damaged, for it is to be made anew."""
    try:
        return usual_calibration()
    except GridCalibrationError:
        return None


def boards_of(name: str | None) -> list[Board]:
    """Returns the boards that a grid may be for: all that are known, or the one that is named."""
    if name is None:
        return list(known_boards())
    return [load_board(name) if name in bundled_boards() else read_board(name)]
