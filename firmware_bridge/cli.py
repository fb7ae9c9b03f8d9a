"""The grid's commands: `companion calibrate --grid`, `companion grid`, and its part of `companion doctor`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from companion.config import data_folder
from companion.core.board import Board
from companion.core.game import Site
from firmware_bridge.calibrate import Scan, calibrate, examine, walked, walking_piece
from firmware_bridge.cli_setup import boards_of, setup, undamaged_calibration
from firmware_bridge.conformance import check_device
from firmware_bridge.grid_source import PROFILE, usual_calibration
from firmware_bridge.heat import heat_map
from firmware_bridge.probe import Probe, opener_of
from firmware_bridge.sensors import (
    ADVICE,
    TURNED_OVER,
    Calibration,
    SensorVerdict,
)

SCANS = 30
WALK_SCANS = 100
"""Scans between two looks at how many sites the walk has reached."""
CLEAR = "Clear the board, then press a key…"
DOCTOR_SCANS = 100
"""Scans of two to five seconds, by the size of the board."""

SOURCE = click.option(
    "--source", default="serial:", show_default=True, help="serial:PORT[@BAUD], or serial: to look for it"
)
BOARD = click.option("--board", help="a board file, for a board that does not come with the product")


@click.command("grid")
@SOURCE
@BOARD
@click.option("--walk/--no-walk", default=True, help="walk one magnet over all sites (the default)")
@click.option("--full", is_flag=True, help="also fill the board; it needs as many magnets as there are sites")
@click.option("--north", multiple=True, metavar="LOOK", help="looks whose magnets have north up: red/solid")
@click.option("--south", multiple=True, metavar="LOOK", help="looks whose magnets have south up")
@click.option("--heat", type=click.Path(), help="write a map of how strongly each sensor feels (SVG)")
@click.option("-o", "output", type=click.Path(), help="the profile; else where `companion run` looks")
def calibrate_grid(
    source: str,
    board: str | None,
    walk: bool,
    full: bool,
    north: tuple[str, ...],
    south: tuple[str, ...],
    heat: str | None,
    output: str | None,
) -> None:
    """Learns the sensors of a grid: from the empty board, and one magnet over all sites."""
    if not walk and not full:
        raise click.UsageError("without the walk, --full has to fill the board: a magnet on every site")
    if not walk and (north or south):
        raise click.UsageError("--north and --south need the walk: it finds the sensors that are turned over")
    boards = boards_of(board)
    with Probe(opener_of(source, boards[0]), boards, known=undamaged_calibration()) as probe:
        found = _calibrate(probe, walk, full, {"north": north, "south": south})
    found.save(output or data_folder() / PROFILE)
    played = next(b for b in boards if tuple(b.sites) == tuple(found.sites))
    if heat:
        Path(heat).write_text(heat_map(played, found), encoding="utf-8")
    for site in found.turned:
        click.echo(f"{site}: turned over - {TURNED_OVER}")
    _tell({site: found.sites[site].verdict for site in found.blind}, len(found.sites))


@click.command("grid")
@SOURCE
@BOARD
@click.option("--empty", "stands", flag_value="empty", help="the board is empty: stuck sensors show")
@click.option("--walk", "stands", flag_value="walk", help="walk one magnet over all sites: dead sensors show")
@click.option("--full", "stands", flag_value="full", help="the same, with a magnet on every site at once")
def doctor_grid(source: str, board: str | None, stands: str | None) -> None:
    """Tests a grid in ten seconds and names each bad site; exit status 1 when there is one."""
    bad, count = check_grid(source, boards_of(board), stands)
    _tell(bad, count)
    if bad:
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
    line = opener_of(port, boards[0])()
    try:
        findings = check_device(line, boards)
    finally:
        line.close()
    for finding in findings:
        click.echo(f"{'fault' if finding.faults else 'ok'}  {finding.check}")
        for fault in finding.faults:
            click.echo(f"    {fault}")
    if any(finding.faults for finding in findings):
        raise click.exceptions.Exit(1)


def check_grid(
    source: str, boards: list[Board], stands: str | None = None, folder: Path | None = None
) -> tuple[dict[Site, SensorVerdict], int]:
    """Returns the bad sensors of a grid, and how many sensors it has. PortError when there is no grid.

    The calibration in `folder` counts, or that in the usual data folder, if it is this grid's.
    """
    with Probe(opener_of(source, boards[0]), boards, known=usual_calibration(folder)) as probe:
        if stands == "walk":
            click.pause(CLEAR)
        scans, wiring = probe.scans(DOCTOR_SCANS), probe.wiring
        occupied = None if stands is None else dict.fromkeys(wiring.sites, stands == "full")
        bad = examine(wiring, scans, probe.known, occupied)
        if stands == "walk":
            reached = _walk(probe, scans, "one piece")
            bad = dict.fromkeys(set(wiring.sites) - reached.keys(), SensorVerdict.DEAD) | bad
        return bad | dict.fromkeys(probe.bridged, SensorVerdict.DIODE), len(wiring.sites)


def _calibrate(probe: Probe, walk: bool, full: bool, poles: Mapping[str, tuple[str, ...]]) -> Calibration:
    click.pause(CLEAR)
    empty = probe.scans(SCANS)
    seen = _walk(probe, empty, walking_piece(poles)) if walk else None
    filled: list[Scan] = []
    if full:
        click.pause(f"Put a magnet on each of the {len(probe.wiring.sites)} sites, then press a key…")
        filled = probe.scans(SCANS)
    wires = probe.known.wires if probe.known else {}
    return calibrate(probe.wiring, empty, filled, seen, {k: v for k, v in poles.items() if v}, wires)


def _walk(probe: Probe, empty: list[Scan], piece: str) -> dict[Site, Scan]:
    """Takes scans until every site has felt the magnet, or nothing new has come for a while."""
    click.pause(f"Press a key, then move {piece} slowly over every site…")
    seen: dict[Site, Scan] = {}
    idle = 0
    while len(seen) < len(probe.wiring.sites) and idle < 5:
        before = len(seen)
        scans = probe.scans(WALK_SCANS)
        seen = walked(empty, [*seen.values(), *scans])
        idle = idle + 1 if len(seen) == before else 0
        click.echo(f"  {len(seen)} of {len(probe.wiring.sites)} sites", err=True)
    return seen


def _tell(bad: Mapping[Site, SensorVerdict], count: int) -> None:
    for site, verdict in sorted(bad.items()):
        click.echo(f"{site}: {verdict} - {ADVICE[verdict]}")
    click.echo(f"{count - len(bad)} of {count} sensors are good", err=True)
