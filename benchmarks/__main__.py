"""Runs one benchmark by name: `python -m benchmarks NAME [args]` is `main(args)` of `benchmarks/NAME.py`."""

from __future__ import annotations

import sys
from importlib.resources import files

from benchmarks.running.parts import run_part


def names() -> list[str]:
    """Returns the benchmarks there are."""
    modules = (f.name for f in files("benchmarks").iterdir())
    return sorted(m.removesuffix(".py") for m in modules if m.endswith(".py") and not m.startswith("_"))


if __name__ == "__main__":
    sys.exit(run_part("benchmarks", names(), sys.argv[1:]))
