"""Measures the time from `companion run` to the first page served.

    python -m benchmarks start [RUNS]

Somebody waits so long who starts it by hand, or after a power cut; at most 2 s are wanted. Prints the time,
how much of it is imports, and the slowest imports.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from statistics import median

from benchmarks.running.companion import serve
from benchmarks.running.figures import spread

RUNS = 9
SLOWEST = 8
IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)")


def main(args: list[str]) -> int:
    """Prints the time to the first page of several runs, and of its imports."""
    runs = int(args[0]) if args else RUNS
    with tempfile.TemporaryDirectory() as folder:
        for source in ("none", "virtual"):
            starts = [_start(folder, source) for _ in range(runs)]
            print(f"run --source {source}, {runs} starts: {spread(starts)}")
    print(f"an interpreter that does nothing: {_seconds(['-c', 'pass']):.2f} s")
    print(f"the imports of run: {_seconds(['-c', 'import web.cli']):.2f} s; the slowest by themselves:")
    for name, own in _imports("web.cli")[:SLOWEST]:
        print(f"  {own / 1000:5.0f} ms  {name}")
    return 0


def _start(folder: str, source: str) -> float:
    began = time.perf_counter()
    with serve(folder, "--game", "triune", "--source", source) as served:
        with urllib.request.urlopen(f"http://127.0.0.1:{served.port}/", timeout=30) as answer:
            answer.read()
        return time.perf_counter() - began


def _seconds(args: list[str]) -> float:
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *args], check=True)
        times.append(time.perf_counter() - began)
    return median(times)


def _imports(module: str) -> list[tuple[str, int]]:
    """Returns each module that is loaded and the microseconds that it takes by itself, slowest first."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [(m[3], int(m[1])) for m in IMPORT.finditer(done.stderr)]
    return sorted(found, key=lambda item: -item[1])
