"""Every benchmark can be started: its modules find what they import."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.mark.parametrize(
    "module", sorted(path.stem for path in BENCHMARKS.glob("*.py") if path.stem != "__main__")
)
def test_a_benchmark_is_imported(module: str) -> None:
    assert import_module(f"benchmarks.{module}").__doc__
