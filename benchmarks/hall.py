"""Measures a hall of boards.

    python -m benchmarks hall speaker

`speaker`: what it costs a table to tell a hall what happens.
"""

from __future__ import annotations

import sys
from importlib import import_module

PARTS = {"speaker": "benchmarks.halls.speaker"}
"""The measurements, by name: each is `main` of its module."""


def main(args: list[str]) -> int:
    if not args or args[0] not in PARTS:
        print(f"python -m benchmarks hall: choose one of {', '.join(PARTS)}", file=sys.stderr)
        return 2
    status: int = import_module(PARTS[args[0]]).main(args[1:])
    return status
