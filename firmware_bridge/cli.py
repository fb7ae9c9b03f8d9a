"""The grid's commands: `companion grid`, and its part of `companion doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click

from companion.cli.options import data_option
from companion.config import data_folder
from companion.core.board import Board
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.link import PortError, reason_of
from firmware_bridge.sensing.grid_source import PROFILE, grid_of, usual_calibration
from firmware_bridge.setup.cli import boards_of, setup
from firmware_bridge.setup.grid_setup import GridSetup, GridStatus

BOARD = click.option("--board", help="a board file, for a board that does not come with the product")


@click.command("grid")
@click.option(
    "--source", default="serial:", show_default=True, help="serial:PORT[@BAUD], or serial: to look for it"
)
@BOARD
@data_option
@click.option("--empty", "is_empty", is_flag=True, help="the board is empty: stuck sensors show")
def doctor_grid(source: str, board: str | None, data: Path | None, is_empty: bool) -> None:
    """Tests a grid in ten seconds and names each bad site; exit status 1 when there is one.

    Dead sensors show by a magnet alone: `companion grid setup`.
    """
    found = check_grid(source, boards_of(board), is_empty, data and data_folder(data))
    for site, spot in sorted(found.bad.items()):
        click.echo(f"{site}: {spot.verdict} - {spot.advice}")
    click.echo(found.words, err=True)
    if found.bad:
        raise click.exceptions.Exit(1)


@click.group()
def grid() -> None:
    """A sensor grid: sets it up, and holds its firmware against the protocol."""


grid.add_command(setup)


@grid.command("check")
@click.argument("port", default="serial:")
@BOARD
def check_firmware(port: str, board: str | None) -> None:
    """Holds the firmware at a port against the protocol; exit status 1 when it does something wrong.

    PORT is written as a source: serial:/dev/ttyACM0, serial:socket://HOST:PORT.
    """
    boards = boards_of(board)
    try:
        with closing(grid_of(port, boards).opener()) as line:
            findings = check_device(line, boards)
    except OSError as error:
        raise PortError(reason_of(error)) from error
    for finding in findings:
        click.echo(f"{'fault' if finding.faults else 'ok'}  {finding.check}")
        for fault in finding.faults:
            click.echo(f"    {fault}")
    if any(finding.faults for finding in findings):
        raise click.exceptions.Exit(1)


def check_grid(
    source: str, boards: Sequence[Board], is_empty: bool = False, folder: Path | None = None
) -> GridStatus:
    """Tests a grid. PortError when there is none.

    The calibration in `folder` counts, or that in the usual data folder, if it is this grid's.
    """
    with grid_of(source, boards, usual_calibration(folder)) as grid:
        grid.await_grid()
        return GridSetup(grid, (folder or data_folder()) / PROFILE).test(is_empty)
