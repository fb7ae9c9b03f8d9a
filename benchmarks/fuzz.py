"""Hands a part of the product what nobody should: inputs made by grammar, and valid ones that were changed.

    python -m benchmarks fuzz NAME [--minutes N] [--seed S] [--into FOLDER]
    python -m benchmarks fuzz NAME --input FILE

NAME is one of the targets. Every input is under laws: no error but those that are told in a line, nothing
lost, and bounded time and memory. It prints how many inputs there were, which share was accepted, the
refusals, what the inputs took, and each failure with its smallest input, which is saved in the folder.
`--input` tries such a file again. The exit status is 1 when anything failed.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from importlib import import_module
from pathlib import Path

from benchmarks.fuzzing.campaign import attempt, run
from benchmarks.fuzzing.target import Target

TARGETS = ("imports", "profiles", "boards", "traces", "serial", "http", "store")
"""The targets, each the class `Fuzzed` of the module `fuzzed_NAME` in `benchmarks.fuzzing`."""
MINUTES = 30.0


def main(args: list[str]) -> int:
    options = _parsed(args)
    target: Target = import_module(f"benchmarks.fuzzing.fuzzed_{options.name}").Fuzzed()
    try:
        if options.input:
            return _try_again(target, options.input)
        report = run(target, options.seed, 60 * options.minutes, options.into / options.name)
    finally:
        target.close()
    print(f"{options.name}, seed {options.seed}:")
    for line in report.lines():
        print(line)
    return 1 if report.failed else 0


def _parsed(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks fuzz")
    parser.add_argument("name", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--into", type=Path, default=Path("fuzz_failures"), help="folder of failing inputs")
    parser.add_argument("--input", type=Path, help="a saved input to try again")
    return parser.parse_args(args)


def _try_again(target: Target, file: Path) -> int:
    outcome, use, error = attempt(target, file.read_bytes())
    if error is not None:
        traceback.print_exception(error, file=sys.stdout)
        return 1
    print(f"{outcome}, {1000 * use.seconds:.0f} ms")
    return 0
