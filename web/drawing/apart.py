"""Draws games in processes of their own: what a drawing takes is given back, and has limits.

A process that draws long games keeps hundreds of megabytes, also after each drawing was thrown away.
"""

from __future__ import annotations

import logging
import subprocess
import sys

from companion.config import child_environment
from companion.core.game import GameError
from companion.language import ENGLISH, say
from companion.record.record import Record, write_record
from web.drawing.__main__ import REFUSED

log = logging.getLogger(__name__)
SECONDS = 60.0
"""The seconds that a drawing may take."""
MOST_ENTRIES = 2000
"""The lines in the log of the longest game that is drawn."""
COMMAND = (sys.executable, "-m", "web.drawing")


class DrawingError(Exception):
    """A drawing that takes too long, or more than it may."""


def draw(
    record: Record,
    form: str,
    step: int | None = None,
    seconds: float = SECONDS,
    command: tuple[str, ...] = COMMAND,
    language: str = ENGLISH,
) -> bytes:
    """Returns a drawn form of a game with its words in a language; `step` is the last one unless given.

    GameError says why a game cannot have this form. DrawingError where it takes too much.
    """
    arguments = [*command, form, language, *([] if step is None else [str(step)])]
    try:
        done = subprocess.run(  # noqa: S603 (our own words)
            arguments,
            input=write_record(record).encode(),
            capture_output=True,
            timeout=seconds,
            env=child_environment(),
        )
    except subprocess.TimeoutExpired as error:
        raise DrawingError(say("this takes longer than {seconds:g} seconds here", seconds=seconds)) from error
    except OSError as error:
        raise DrawingError(say("this could not be drawn ({reason})", reason=error.strerror)) from error
    if done.returncode == REFUSED:
        raise GameError(done.stderr.decode(errors="replace"))
    if done.returncode:
        log.error("drawing a %s failed: %s", form, done.stderr.decode(errors="replace")[-2000:])
        raise DrawingError(say("this could not be drawn, perhaps for want of memory"))
    return done.stdout
