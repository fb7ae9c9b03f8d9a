"""Measures a hall of boards on this machine, with a real broker and a real database.

    python -m benchmarks hall [boards] [--boards 10 25 50 100] [--whole 20] [--seconds 60] [--pace 6]
    python -m benchmarks hall faults [--boards 6] [--broker-kills 20] [--away 600]
    python -m benchmarks hall archive [--games 10000] [--postgresql ADDRESS]
    python -m benchmarks hall speaker

`boards` is what is meant where none is named: how long actions take to the wall and to the database.
`faults`: everything fails again and again, and nothing may be lost. `archive`: how fast lines are stored, and
queries answered. `speaker`: what it costs a table to tell a hall what happens. Each is a module of
`benchmarks/halls`, and ends with status 1 where a mark is missed.
"""

from __future__ import annotations

from benchmarks.running.parts import run_part

PARTS = ("boards", "faults", "archive", "speaker")


def main(args: list[str]) -> int:
    named = args if args and args[0] in PARTS else [PARTS[0], *args]
    return run_part("benchmarks.halls", PARTS, named)
