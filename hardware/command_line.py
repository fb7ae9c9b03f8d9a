"""Reads the command lines of drawings and tables; what cannot be understood is refused in one line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from companion.core.board import Board, bundled_boards, load_board, read_board
from companion.core.errors import CompanionError


class CommandError(CompanionError):
    """A command line that names nothing to write."""


def board_of(name: str) -> Board:
    """Returns a board by its name or its file. CommandError or BoardError when there is none."""
    if name.endswith(".json"):
        return read_board(name)
    if name not in bundled_boards():
        known = ", ".join(bundled_boards())
        raise CommandError(f"there is no board '{name}': name one of {known}, or a board file (.json)")
    return load_board(name)


def say(write: Callable[[], str]) -> int:
    """Writes a text to standard output, or to standard error why there is none; returns the exit status."""
    try:
        sys.stdout.write(write())
        return 0
    except CompanionError as error:
        sys.stderr.write(f"{error}\n")
        return 2


class Parser(argparse.ArgumentParser):
    """A parser whose errors are a CommandError with the way to write it."""

    def __init__(self, command: str) -> None:
        super().__init__(prog=command, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split()).removeprefix("usage: ")
        raise CommandError(f"{message}; write: {usage}")


def number(least: float, most: float) -> Callable[[str], float]:
    """Returns a reader of numbers between two limits, for an argument's `type`."""

    def read(text: str) -> float:
        value = float(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least:g} to {most:g}")
        return value

    read.__name__ = "number"
    return read
