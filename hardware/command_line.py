"""Commands that write a text for a board: they name the board, and refuse in one line what they cannot do."""

from __future__ import annotations

import sys
from collections.abc import Callable

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
