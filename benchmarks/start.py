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

from benchmarks.costs import COMPANION, page_port

RUNS = 9
SLOWEST = 8
IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \|\s+(\S+)")


def main(args: list[str]) -> int:
    """Prints the time to the first page of several runs, and of its imports."""
    runs = int(args[0]) if args else RUNS
    with tempfile.TemporaryDirectory() as folder:
        for source in ("none", "virtual"):
            times = sorted(_start(folder, source) for _ in range(runs))
            middle, high = times[len(times) // 2], times[min(len(times) * 9 // 10, len(times) - 1)]
            told = f"median {middle:.2f} s, 90th percentile {high:.2f} s, worst {times[-1]:.2f} s"
            print(f"run --source {source}, {runs} starts: {told}")
    print(f"an interpreter that does nothing: {_seconds(['-c', 'pass']):.2f} s")
    print(f"the imports of run: {_seconds(['-c', 'import web.cli']):.2f} s; the slowest by themselves:")
    for name, own in _imports("web.cli")[:SLOWEST]:
        print(f"  {own / 1000:5.0f} ms  {name}")
    return 0


def _start(folder: str, source: str) -> float:
    command = [COMPANION, "run", "--game", "triune", "--source", source, "--port", "0", "--data", folder]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{page_port(process)}/", timeout=30) as answer:
                answer.read()
            return time.perf_counter() - began
        finally:
            process.kill()


def _seconds(args: list[str], runs: int = 5) -> float:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run([sys.executable, *args], check=True)
        times.append(time.perf_counter() - began)
    return sorted(times)[runs // 2]


def _imports(module: str) -> list[tuple[str, int]]:
    """Returns each module that is loaded and the microseconds that it takes by itself, slowest first."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [(m[3], int(m[1])) for m in IMPORT.finditer(done.stderr)]
    return sorted(found, key=lambda item: -item[1])
