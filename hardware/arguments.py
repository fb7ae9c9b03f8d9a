"""Reads the arguments of drawings and tables; what cannot be understood is refused in one line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from hardware.command_line import CommandError


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
