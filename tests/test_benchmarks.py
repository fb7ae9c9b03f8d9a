"""Every benchmark can be started: its modules find what they import."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in (ROOT / "benchmarks").rglob("*.py")
    if path.stem not in ("__init__", "__main__")
)


@pytest.mark.parametrize("module", MODULES)
def test_a_benchmark_is_imported(module: str) -> None:
    assert import_module(module).__doc__
