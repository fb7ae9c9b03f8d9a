"""Draws one form of one game, and ends: the record comes on standard input, the file goes to standard output.

    python -m web.drawing FORM LANGUAGE [STEP] < record.txt > file

The page's server has its files drawn so (`web.drawing.apart`): the memory that a drawing takes is given back
with its process.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import suppress

from companion.core.game import GameError
from companion.language import translated
from companion.record.exports import formats
from companion.record.record import read_record

REFUSED = 3
"""The exit status where the game cannot have this form; standard error says why. Not 1: so Python fails."""
MEMORY = 512 * 1024 * 1024
"""The bytes that a drawing may use. The longest moving picture that the page offers takes half of it."""


def main(form: str, language: str, step: str = "") -> int:
    """Writes the file, and returns the exit status."""
    _limit()
    try:
        record = read_record(sys.stdin.buffer.read().decode())
        content = formats()[form].write(record, int(step) if step else None, language)
    except GameError as error:
        sys.stderr.write(str(translated(str(error), language)))
        return REFUSED
    sys.stdout.buffer.write(content)
    return 0


def _limit() -> None:
    """Lets the table go first, and limits the memory. A service may be barred from either."""
    with suppress(OSError):
        os.nice(10)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
