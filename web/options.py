"""What commands that serve a page have in common: the options of the arbiter's PIN and of HTTPS, the
listening, what is said of the certificate, and the end by SIGTERM."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from flask import Flask

from companion.core.game import GameError
from web.server.server import Server
from web.server.settings import LOOPBACK, PIN_FILE, SHORTEST_PIN, Settings, read_pin


def _check_pin(_context: click.Context, _option: click.Parameter, pin: str | None) -> str | None:
    if pin is not None and len(pin) < SHORTEST_PIN:
        raise GameError(
            f"a PIN has at least {SHORTEST_PIN} digits: choose a longer one with --pin or COMPANION_PIN"
        )
    return pin


pin_option = click.option(
    "--pin",
    envvar="COMPANION_PIN",
    callback=_check_pin,
    help="the arbiter's PIN; made up, and kept in the data folder, when open to the network",
)


def tls_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options of HTTPS: the command gets them as `certified` and `key`."""
    for option in (
        click.option(
            "--tls-key",
            "key",
            type=click.Path(path_type=Path),
            help="the certificate's key, where it is in a file of its own",
        ),
        click.option(
            "--tls",
            "certified",
            help="serves by HTTPS: a certificate's file (PEM), or 'self' for one made by this machine",
        ),
    ):
        command = option(command)
    return command


def chosen_pin(given: str | None, host: str, folder: Path) -> tuple[str | None, str]:
    """Returns the arbiter's PIN, and words that say where it stands.

    Where none is given, a page that is open to the network has one that is kept in the folder.
    """
    if given is None and host not in LOOPBACK:
        return read_pin(folder), f"the one in '{folder / PIN_FILE}'"
    return given, "the one in --pin or COMPANION_PIN"


def end_by_sigterm(stack: ExitStack) -> None:
    """Lets SIGTERM end the program as Ctrl-C does until the stack closes: all that is open is closed, and
    what is kept is saved."""

    def stop(_number: int, _frame: object) -> None:
        raise SystemExit(0)

    stack.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, stop))


def listening(app: Flask, settings: Settings) -> Server:
    """Returns the application's server, which listens and does not run yet."""
    try:
        return Server(app)
    except OSError as error:
        reason = str(error.strerror).partition(" (")[0]  # asyncio adds the address, which we name
        where = f"{settings.host}:{settings.port}"
        raise GameError(
            f"cannot listen on {where} ({reason}): choose another with --host or --port"
        ) from error


def show_self_made(settings: Settings) -> None:
    """Says by what a self-made certificate is known."""
    if settings.certificate and settings.certificate.is_self_made:
        click.echo("The certificate is self-made: the browser warns once. Its SHA-256 fingerprint is")
        click.echo(settings.certificate.fingerprint)
