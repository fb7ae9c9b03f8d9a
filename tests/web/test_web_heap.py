"""Memory that was let go is the system's again before a camera learns a board, and once it has."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from web.runtime import heap, runtime

PIECES, PIECE = 2000, 60_000
"""The number of arrays and their bytes: fewer than those that have a mapping of their own."""


def held() -> int:
    """The bytes of memory that the process holds."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


@pytest.mark.skipif(heap._find("malloc_trim") is None, reason="another C library")
def test_holes_in_the_heap_are_given_back() -> None:
    arrays = [np.ones(PIECE, np.uint8) for _ in range(PIECES)]
    kept, full = arrays[::100], held()
    del arrays
    heap.give_back()
    assert held() < full - PIECES * PIECE / 2
    assert len(kept) == PIECES / 100


@pytest.mark.parametrize("fails", [False, True])
def test_a_camera_gives_memory_back_once_it_has_learned(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def learn(_session: Any) -> Any:
        done.append("learned")
        if fails:
            raise ValueError

    monkeypatch.setattr(runtime, "give_back", lambda: done.append("given back"))
    camera = object.__new__(runtime.BoardCamera)
    camera._learn = learn
    try:
        camera._prepare(1, None)  # type: ignore[arg-type]
    except ValueError:
        assert fails
    assert done == ["given back", "learned", "given back"]
