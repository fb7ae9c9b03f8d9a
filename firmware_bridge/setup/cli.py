"""`companion grid setup`: commissions a sensor grid from the command line."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from datetime import datetime
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import click

from companion.cli.options import data_option
from companion.cli.output import check_writable, write_content
from companion.config import data_folder
from companion.core.board import Board, bundled_boards, load_board, read_board
from firmware_bridge.line.wiring import known_boards
from firmware_bridge.sensing.calibration import Calibration, GridCalibrationError, load_calibration
from firmware_bridge.sensing.grid_source import PROFILE, VirtualGridSource, grid_of, usual_calibration
from firmware_bridge.sensing.virtual import SteppedClock
from firmware_bridge.setup.calibrate import GridSetupError
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.grid_setup import GridSetup
from firmware_bridge.setup.heat import heat_map
from firmware_bridge.setup.sheet import sheet_of
from firmware_bridge.setup.simulated_builder import SimulatedBuilder
from firmware_bridge.setup.walk import Walk
from firmware_bridge.setup.words import plain_text, prompt

WAIT_S = 0.05
"""Seconds between two looks at what was typed and heard."""
SEND_OUT_S = 0.5
"""Seconds at the end for what is still to be sent: the lamps go out."""
HELP = (
    "Enter: go on, or measure; n: no, or it does not answer; s: skip; b: back; a site: ask for it, or "
    "(lamps) it is dark; a site with '!': the lamp shines there; sheet: end the walk; anew: begin anew; "
    "q: stop, to go on another time"
)


class CommissioningDialogue:
    """A commissioning on the command line: the grid, and the lines that are typed.

    A `builder` commissions a virtual grid, which runs by the steps of this loop, on a clock of its own.
    """

    def __init__(
        self, setup: GridSetup, typed: SimpleQueue[str | None], builder: SimulatedBuilder | None = None
    ) -> None:
        self._setup, self._typed, self._builder = setup, typed, builder
        self._source = setup.source
        self._pass_time = self._source.link.step if builder else partial(time.sleep, WAIT_S)
        self._shown: tuple[object, ...] = ()

    def run(self, poles: Mapping[str, tuple[str, ...]] | None = None) -> Commissioning:
        """Commissions the grid until the sheet is reached. PortError when there is none."""
        with nullcontext() if self._builder else self._source:
            if self._builder is None:
                self._source.await_grid()
                click.echo(HELP)
            while self._source.grid is None:
                self._pass_time()
            self._begin(poles)
            while (work := self._step()).stage is not CommissioningStage.SHEET:
                self._pass_time()
            self._setup.leave()
            end = self._source.clock() + SEND_OUT_S
            while self._source.clock() < end:
                self._pass_time()
            return work

    def _begin(self, poles: Mapping[str, tuple[str, ...]] | None) -> None:
        """Begins to commission the grid, or goes on where that was broken off."""
        if not self._setup.is_begun:
            self._setup.begin()
        with self._setup.commissioning() as work:
            work.poles = poles or work.poles
            if done := len(work.walk.answers):
                click.echo(f"It goes on after {done} of {len(work.wiring.sites)} sites; 'anew' begins anew.")

    def _step(self) -> Commissioning:
        """Does what was typed, or what a builder does, and shows what is new."""
        with self._setup.commissioning() as work:
            if self._builder:
                self._builder.act(work, self._source.clock())
            else:
                self._obey(work)
            self._show(work)
            return work

    def _obey(self, work: Commissioning) -> None:
        try:
            line = self._typed.get_nowait()
        except Empty:
            return
        if line is None or line == "q":
            raise click.Abort
        try:
            if line == "anew":
                self._setup.begin(work.poles)
            else:
                obey(work, line)
        except GridSetupError as error:
            click.echo(f"  {error}")

    def _show(self, work: Commissioning) -> None:
        """Prints what was heard and what to do, when either is new."""
        asks = prompt(work)
        if self._shown and work.told != self._shown[0]:
            click.echo(f"  {work.heard.words}")
        if not self._shown or asks != self._shown[1]:
            click.echo(asks)
        self._shown = (work.told, asks)


COMMANDS: Mapping[str, Callable[[Commissioning], object]] = {
    "": Commissioning.yes,
    "n": Commissioning.no,
    "s": lambda work: work.step(Walk.skip),
    "b": lambda work: work.step(Walk.back),
    "sheet": Commissioning.go_on,
}


def obey(work: Commissioning, line: str) -> None:
    """Does what was typed. GridSetupError when it cannot be done."""
    if line == "?":
        click.echo(HELP)
    elif line in COMMANDS:
        COMMANDS[line](work)
    elif work.stage is CommissioningStage.LAMPS:
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
@click.option("--heat", type=click.Path(), help="write a map of how strongly each sensor feels (SVG)")
@data_option
@click.option("-o", "output", type=click.Path(), help="the profile; else where `companion run` looks")
def setup(
    port: str,
    board: str | None,
    north: tuple[str, ...],
    south: tuple[str, ...],
    keep: bool | None,
    forget_map: bool,
    heat: str | None,
    data: Path | None,
    output: str | None,
) -> None:
    """Commissions a grid site by site; exit status 1 when something is wrong with it.

    PORT is written as a source: serial:/dev/ttyACM0, serial:socket://HOST:PORT. With 'virtual' simulated
    hands show how it goes, with 'virtual?dead=c3&exchanged=a1,b1' also what faults look like.
    """
    folder = data_folder(data)
    path = Path(output) if output else folder / PROFILE
    if forget_map:
        _forget_map(path)
        return
    for file in (path, Path(heat)) if heat else (path,):
        check_writable(file)
    boards = boards_of(board)
    source = grid_of(port, boards, undamaged_calibration(folder), SteppedClock())
    builder = SimulatedBuilder(source.device) if isinstance(source, VirtualGridSource) else None
    typed = read_lines(() if builder else sys.stdin)
    poles = {pole: looks for pole, looks in (("north", north), ("south", south)) if looks}
    grid_setup = GridSetup(source, path)
    work = CommissioningDialogue(grid_setup, typed, builder).run(poles)
    sheet = sheet_of(work)
    click.echo(plain_text(sheet, f"{datetime.now():%Y-%m-%d %H:%M}"))
    made = _keep(grid_setup, work, path, keep, typed)
    if heat and made:
        played = next(b for b in boards if tuple(b.sites) == work.wiring.sites)
        write_content(heat_map(played, made).encode(), Path(heat))
    if not sheet.is_whole:
        raise click.exceptions.Exit(1)


def _keep(
    grid_setup: GridSetup,
    work: Commissioning,
    path: Path,
    keep: bool | None,
    typed: SimpleQueue[str | None],
) -> Calibration | None:
    """Keeps what was learned, if that is wanted; None asks. What does not suffice is not kept."""
    try:
        made = work.calibration()
    except GridSetupError as error:
        click.echo(f"Not kept: {error}.")
        return None
    if keep or (keep is None and _asks_to_keep(typed, work)):
        grid_setup.keep(with_map=True)
        used = len(made.sites) - len(made.blind)
        click.echo(f"Kept in '{path}': {used} of {len(made.sites)} sensors are used.")
    return made


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


def undamaged_calibration(folder: Path) -> Calibration | None:
    """Returns the calibration until now; None where it is damaged, for it is to be made anew."""
    try:
        return usual_calibration(folder)
    except GridCalibrationError:
        return None


def boards_of(name: str | None) -> list[Board]:
    """Returns the boards that a grid may be for: all that are known, or the one that is named."""
    if name is None:
        return list(known_boards())
    return [load_board(name) if name in bundled_boards() else read_board(name)]
