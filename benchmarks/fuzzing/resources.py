"""Limits and measures the processor time and the memory that one input takes."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from benchmarks.running.figures import memory

RESET = Path("/proc/self/clear_refs")
FORGET_PEAK = "5"
"""The value that has Linux forget the most memory that the process ever held."""


class TooSlowError(BaseException):
    """An input that takes more time than it may. No `except Exception` of the product holds it up."""


@dataclass
class Use:
    """The cost of an input: seconds of the processor, and bytes of memory above what was held before.

    Waiting does not count as time, so that a busy machine measures the same. Where the system does not tell
    the memory (it is no Linux), it is 0.
    """

    seconds: float = 0.0
    bytes: int = 0


@contextmanager
def limited(seconds: float) -> Iterator[Use]:
    """Measures what is done within, and raises a TooSlowError in it after so many seconds."""
    use, before = Use(), _held_anew()
    handler = signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    began = time.process_time()
    try:
        yield use
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        use.seconds = time.process_time() - began
        use.bytes = max(0, _peak() - before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise TooSlowError


def _held_anew() -> int:
    """Has the peak counted from now on, and returns the bytes that are held."""
    try:
        RESET.write_text(FORGET_PEAK, encoding="ascii")
    except OSError:
        return _peak()
    return memory([os.getpid()])


def _peak() -> int:
    return memory([os.getpid()], "VmHWM")
