"""The command line: `companion COMMAND`. Commands that need devices or the web live beside what they use
and are loaded when called, so that asking the rules starts in a moment and needs no camera's library."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from companion.core import GameError

COMMANDS = {
    "run": "web.cli:run",
    "legal": "companion.cli_rules:legal",
    "judge": "companion.cli_rules:judge",
    "perft": "companion.cli_rules:perft",
    "replay": "companion.cli_records:replay",
    "records": "companion.cli_records:records",
    "calibrate": "vision.cli:calibrate",
    "see": "vision.cli:see",
    "watch": "vision.watch:watch",
    "print": "vision.cli_print:print_",
    "board": "companion.cli_board:board",
    "doctor": "hardware.doctor:doctor",
}


class Commands(click.Group):
    """The commands by name, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command


@click.group(cls=Commands)
@click.version_option(package_name="board-companion")
def cli() -> None:
    """A referee, recorder and display for wooden board games."""


def main(args: list[str] | None = None) -> None:
    """Runs a command; what cannot be done is one line on standard error and exit status 2."""
    try:
        status = cli.main(args, prog_name="companion", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 2
    except click.ClickException as error:
        status = _complain(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        status = _complain("stopped")
    except (GameError, OSError) as error:
        status = _complain(str(error))
    sys.exit(status if isinstance(status, int) else 0)


def _complain(words: str) -> int:
    click.echo(f"companion: {' '.join(words.split())}", err=True)
    return 2
