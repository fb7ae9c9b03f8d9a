"""Figures of what was measured: percentiles of times, and what processes use (Linux)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MB = 1_000_000


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the value below which such a share of them lies; NaN of none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def spread(seconds: Sequence[float]) -> str:
    """Says how long something took: median, 95th percentile and worst."""
    half, most, worst = (1000 * percentile(seconds, share) for share in (0.5, 0.95, 1.0))
    return f"median {half:.1f} ms, 95th percentile {most:.1f} ms, worst {worst:.1f} ms"


def memory(pids: Iterable[int], field: str = "VmRSS") -> int:
    """Returns the bytes that processes hold; what they share counts for each. `VmHWM` is the most ever."""
    return sum(1024 * _status(pid, field) for pid in pids)


def processor_seconds(pids: Iterable[int]) -> float:
    """Returns the processor time that processes have used, with their threads."""
    return sum(sum(map(int, _stat(pid)[11:13])) for pid in pids) / TICKS


def with_children(pid: int) -> list[int]:
    """Returns a process and all that it has started."""
    found = [pid]
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                found += with_children(int(child))
    return found


def _status(pid: int, field: str) -> int:
    """Returns a line of a process's status (kB); 0 where it has ended."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        if found := re.search(rf"{field}:\s+(\d+) kB", text):
            return int(found[1])
    return 0


def _stat(pid: int) -> list[str]:
    """Returns the fields of a process's `stat` after its name; zeros where it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50
