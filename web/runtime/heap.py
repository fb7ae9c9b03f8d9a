"""Memory that the program has let go and the C library keeps: given back to the system, where it is glibc.

Pictures of many sizes are made while a camera learns a board. Freed, they leave holes in a heap that each
thread may have for itself; a table that has played all games would hold twice what one game holds.
"""

from __future__ import annotations

import ctypes
from typing import Any

HEAPS = 2
M_ARENA_MAX = -8


def keep_few_heaps() -> None:
    """Has all threads share a few heaps."""
    if set_option := _find("mallopt"):
        set_option(M_ARENA_MAX, HEAPS)


def give_back() -> None:
    """Gives the holes in the heaps back to the system."""
    if trim := _find("malloc_trim"):
        trim(ctypes.c_size_t(0))


def _find(name: str) -> Any:
    """Returns a function of the C library; None where that has none of this name."""
    return getattr(ctypes.CDLL(None), name, None)
