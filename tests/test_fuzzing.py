"""The fuzzers: what they found holds now, a seed makes the same inputs again, and a failure is told whole."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import fuzz
from benchmarks.fuzzing.campaign import attempt, run
from benchmarks.fuzzing.reduction import reduced
from benchmarks.fuzzing.target import ACCEPTED, Outcome, Target, demand, refused

FOUND = sorted((Path(__file__).parent / "fuzzed").glob("*/*"))
"""Inputs that failed once, each in a folder that is named after its target."""
FEW = 8


@pytest.fixture
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    fuzzed: Target = import_module(f"benchmarks.fuzzing.fuzzed_{request.param}").Fuzzed()
    yield fuzzed
    fuzzed.close()


@pytest.mark.parametrize(
    ("target", "file"), [(f.parent.name, f) for f in FOUND], indirect=["target"], ids=[f.stem for f in FOUND]
)
def test_what_failed_once_holds(target: Target, file: Path) -> None:
    _, _, error = attempt(target, file.read_bytes())
    if error is not None:
        raise error


PRINT_INPUTS = """
from random import Random
from benchmarks.fuzzing.fuzzed_http import Fuzzed
target = Fuzzed()
print([target.make(Random(f"1 {n}")) for n in range(12)])
"""


@pytest.mark.parametrize("target", ["http"], indirect=True)
def test_the_same_seed_makes_the_same_inputs_in_another_process(target: Target) -> None:
    """The order of a set is another one in each process."""
    made = subprocess.run(
        [sys.executable, "-c", PRINT_INPUTS],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"},
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    assert made == f"{[target.make(Random(f'1 {n}')) for n in range(12)]}\n"


@pytest.mark.parametrize("target", fuzz.TARGETS, indirect=True)
def test_the_same_seed_makes_the_same_inputs(target: Target) -> None:
    inputs = [target.make(Random(f"1 {n}")) for n in range(FEW)]
    assert [target.make(Random(f"1 {n}")) for n in reversed(range(FEW))] == inputs[::-1]
    assert len(set(inputs)) > 1


class Counted:
    """A target that takes numbers under 100, refuses larger ones, and fails at those that hold a 7."""

    suffix = ".txt"

    def make(self, chance: Random) -> bytes:
        return b"\n".join(b"%d" % chance.randrange(120) for _ in range(5))

    def attempt(self, content: bytes) -> Outcome:
        demand(b"7" not in content, "no number holds a seven")
        return refused(f"{max(content.split())!r} is too large") if b"1" in content else ACCEPTED

    def close(self) -> None:
        """Nothing is kept."""


def test_a_failure_is_told_once_with_its_smallest_input(tmp_path: Path) -> None:
    report = run(Counted(), "1", 0.2, tmp_path)
    assert report.failed > 1
    assert [failure.file.read_bytes() for failure in report.failures.values()] == [b"7"]
    told = "\n".join(report.lines())
    assert f"{report.inputs} inputs" in told
    assert "no number holds a seven" in told
    assert "'…' is too large" in told
    assert 0 < report.share < 1


def test_the_command_fails_where_an_input_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module: Any = type(sys)("benchmarks.fuzzing.fuzzed_imports")
    module.Fuzzed = Counted
    monkeypatch.setitem(sys.modules, "benchmarks.fuzzing.fuzzed_imports", module)
    assert fuzz.main(["imports", "--minutes", "0.002", "--into", str(tmp_path)]) == 1
    (file,) = (tmp_path / "imports").iterdir()
    assert fuzz.main(["imports", "--input", str(file)]) == 1
    file.write_bytes(b"5")
    assert fuzz.main(["imports", "--input", str(file)]) == 0
    assert "FAILED no number holds a seven" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "smallest"),
    [
        (b"one\ntwo\nthree x\nfour", b"x"),
        (b'{"a": [1, {"x": 2, "b": 3}, 4], "c": 5}', b'{\n "a": [\n  {\n   "x": 2\n  }\n ]\n}'),
    ],
)
def test_what_a_failure_does_not_need_is_left_out(content: bytes, smallest: bytes) -> None:
    assert reduced(content, lambda smaller: b"x" in smaller) == smallest
