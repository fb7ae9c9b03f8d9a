"""Runs one benchmark by name: `python -m benchmarks NAME [args]` is `main(args)` of `benchmarks/NAME.py`."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.resources import files


def names() -> list[str]:
    """Returns the benchmarks there are."""
    modules = (f.name for f in files("benchmarks").iterdir())
    return sorted(m.removesuffix(".py") for m in modules if m.endswith(".py") and not m.startswith("_"))


def main(args: list[str]) -> int:
    if not args or args[0] not in names():
        print(f"python -m benchmarks NAME: choose one of {', '.join(names())}", file=sys.stderr)
        return 2
    status: int = import_module(f"benchmarks.{args[0]}").main(args[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
