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

from benchmarks.running.parts import run_part

ATTACKS = ("disk", "flood", "kills", "letters", "powercuts", "records", "tablets")


def main(args: list[str]) -> int:
    return run_part("benchmarks.attacks", ATTACKS, args)
