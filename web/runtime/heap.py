"""Gives memory back to the system that the program has freed and the C library (glibc) would keep.

Pictures of many sizes are made while a camera learns a board. Freed, they leave holes in a heap that each
thread may have for itself; a table that has played all games would hold twice what one game holds.
"""

from __future__ import annotations

import ctypes
import gc
from typing import Any

HEAPS, LARGE = 2, 1 << 20
"""The number of heaps for all threads, and the bytes from which a piece of memory lies outside of them and is
given back at once. Left to itself, glibc raises that to 32 MB with the first large picture."""
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Names of settings in malloc.h."""


def keep_little() -> None:
    """Has the C library hold little memory that nobody uses."""
    if set_option := _find("mallopt"):
        for option, value in ((M_ARENA_MAX, HEAPS), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, LARGE)):
            set_option(option, value)


def give_back() -> None:
    """Lets go of what only refers to itself, and gives the holes in the heaps back to the system."""
    gc.collect()
    if trim := _find("malloc_trim"):
        trim(ctypes.c_size_t(0))


def _find(name: str) -> Any:
    """Returns a function of the C library; None where that has none of this name."""
    return getattr(ctypes.CDLL(None), name, None)
