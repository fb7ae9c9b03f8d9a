"""The command line: `companion COMMAND`.

Commands that need devices or the web lie in the packages of these. All are loaded when they are called, so
that a question about the rules is answered in a moment, and needs no library for cameras.
"""

from __future__ import annotations

import io
import os
import sys

import click

from companion.cli.lazy_commands import LazyCommands
from companion.core.errors import CompanionError

COMMANDS = {
    "run": ("web.cli:run", "the table, and its web page"),
    "legal": ("companion.cli.rules:legal", "the legal actions after a game text"),
    "judge": ("companion.cli.rules:judge", "whether an action is legal, and which rules it breaks"),
    "hint": ("companion.cli.rules:hint", "how a puzzle can be gone on with, and whether it can be solved"),
    "best": ("opponent.cli:best", "the best turn after a game text; the turns of a game that lost most"),
    "puzzle": ("opponent.cli:puzzle", "positions in which one turn is best: today's, and to find others"),
    "perft": ("companion.cli.rules:perft", "counts action sequences"),
    "replay": ("companion.cli.records:replay", "checks a record, prints the final position"),
    "camera": ("vision.cli:camera", "checks how a camera stands over the board"),
    "calibrate": ("vision.cli:calibrate", "learns where the board lies and how things look"),
    "grid": ("hardware.flash:grid", "puts the firmware on a sensor grid, commissions and checks it"),
    "see": ("vision.cli:see", "what stands where in pictures"),
    "watch": ("companion.cli.watch:watch", "referees a source without a page"),
    "token": ("web.cli_tokens:token", "makes, lists and revokes tokens, by which programs use the API"),
    "records": ("companion.cli.records:records", "the stored games"),
    "print": ("vision.cli_print:print_", "sheets to print: markers"),
    "board": ("companion.cli.board:board", "checks a board file; starts one for another board"),
    "hall": ("hall.cli:hall", "many boards: rights at their broker; archive, wall, rounds"),
    "doctor": ("hardware.doctor:doctor", "camera, serial port, pins, disk, clock: what is there and works"),
}
"""The commands: where each is, and its line in the help."""


@click.group(cls=LazyCommands, table=COMMANDS)
@click.version_option(package_name="board-companion")
def cli() -> None:
    """A referee, recorder and display for wooden board games."""


def main(args: list[str] | None = None) -> None:
    """Runs a command.

    One that cannot be carried out writes a line to standard error, and exits with status 2. A letter that the
    terminal does not have is shown as `?`. Standard streams that are closed are empty.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115 (open as long as the program)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = cli.main(args, prog_name="companion", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 2
    except click.ClickException as error:
        status = _complain(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        status = _complain("stopped")
    except OSError as error:
        named = f"cannot use '{error.filename}': {error.strerror}"
        status = _complain(named if error.filename else error.strerror or str(error))
    except CompanionError as error:
        status = _complain(str(error))
    sys.exit(status if isinstance(status, int) else 0)


def _complain(words: str) -> int:
    click.echo(f"companion: {' '.join(words.split())}", err=True)
    return 2
