"""Attacks a companion, and measures what it withstands.

    python -m benchmarks attack disk [KIND…]
    python -m benchmarks attack flood [SCHEME…] [--count 700] [--seconds 10] [--megabytes 100]
    python -m benchmarks attack kills [--count 1000] [--seed 1]
    python -m benchmarks attack letters [--count 1500] [--kilobytes 60]
    python -m benchmarks attack powercuts [--count 5000] [--acts 400] [--seed 1]
    python -m benchmarks attack records [--actions 20000] [--count 90] [--seconds 30]
    python -m benchmarks attack tablets [--count 60]

Each attack is a module of `benchmarks/attacks`, whose head says what it does. It prints its figures, and ends
with status 1 where a mark is missed.
"""

from __future__ import annotations

import sys
from importlib import import_module

ATTACKS = ("disk", "flood", "kills", "letters", "powercuts", "records", "tablets")


def main(args: list[str]) -> int:
    if not args or args[0] not in ATTACKS:
        print(f"python -m benchmarks attack NAME: choose one of {', '.join(ATTACKS)}", file=sys.stderr)
        return 2
    status: int = import_module(f"benchmarks.attacks.{args[0]}").main(args[1:])
    return status
