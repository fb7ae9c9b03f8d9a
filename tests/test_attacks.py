"""Every attack does a little of what it does at length: `python -m benchmarks attack NAME`."""

from __future__ import annotations

import random

import pytest

from benchmarks.attack import main
from benchmarks.attacks.disk_under_sqlite import Op
from benchmarks.attacks.powercuts import Platters


@pytest.mark.parametrize(
    "args",
    [
        ["disk", "failing"],
        ["flood", "http", "--count", "20", "--seconds", "0.2", "--megabytes", "7"],
        ["kills", "--count", "5"],
        ["letters", "--count", "60"],
        ["powercuts", "--count", "20", "--acts", "40"],
        ["records", "--actions", "600", "--count", "12", "--seconds", "0.5"],
        ["tablets", "--count", "3"],
    ],
    ids=lambda args: args[0],
)
def test_an_attack_finds_nothing(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, told = main(args), capsys.readouterr().out
    assert status == 0, told
    assert told


def test_an_unknown_attack_is_refused_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nothing"]) == 2
    assert "choose one of" in capsys.readouterr().err


def test_a_power_cut_keeps_what_was_synced_and_tears_the_rest() -> None:
    old, new = b"a" * 2048, b"b" * 2048
    platters = Platters()
    for op in (Op("create", "x-wal"), Op("write", "x-wal", 0, old), Op("sync", "x-wal")):
        platters.take(op)
    platters.take(Op("write", "x-wal", 0, new))
    found = {platters.cut(random.Random(seed))["x-wal"] for seed in range(50)}
    assert {old, new} <= found
    assert all(set(disk[n : n + 512]) in ({97}, {98}) for disk in found for n in range(0, 2048, 512))
    assert len(found) > 2


def test_a_file_whose_name_was_not_synced_may_be_gone() -> None:
    platters = Platters()
    platters.take(Op("create", "x"))
    assert {tuple(platters.cut(random.Random(seed))) for seed in range(9)} == {(), ("x",)}
