"""Runs `companion ARGS` in this process, and holds it to the law of all commands."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

from benchmarks.fuzzing.target import demand
from companion.cli import main


class Result(NamedTuple):
    """The exit status and output of a command."""

    status: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.decode().splitlines()


def companion(*args: object) -> Result:
    """Runs a command. An error that it lets out is let out here too.

    A refusal has status 2 and says why in one line; every other command ends with 0 or 1.
    """
    out, err, status = io.BytesIO(), io.StringIO(), 0
    wrapper = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    with redirect_stdout(wrapper), redirect_stderr(err):
        try:
            main([str(arg) for arg in args])
        except SystemExit as end:
            status = int(end.code or 0)
    sys.stdout.flush()
    result = Result(status, out.getvalue(), err.getvalue())
    demand(result.status in (0, 1, 2), f"a command ends with 0, 1 or 2, not {result.status}")
    if result.status == 2:
        told = result.err.splitlines()
        demand(bool(told) and told[-1].startswith("companion: "), f"a refusal says why: '{result.err}'")
        demand(len([line for line in told if line.startswith("companion: ")]) == 1, "a refusal is one line")
    return result


def words(result: Result) -> str:
    """Returns why a command was refused."""
    return result.err.splitlines()[-1].removeprefix("companion: ")
