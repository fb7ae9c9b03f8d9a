"""Samples: a few rows of a long table in the suite, all of them in a soak."""

from collections.abc import Iterable
from typing import Any

import pytest


def few(cases: Iterable[Any], step: int) -> list[Any]:
    """Returns the cases of a table for `parametrize`: every `step`-th, from the first, is in the suite, and
    the others are run by `./test -m soak`."""
    return [case if n % step == 0 else _in_soak(case) for n, case in enumerate(cases)]


def first_few(count: int, cases: Iterable[Any]) -> list[Any]:
    """Returns the cases of a table for `parametrize`, of which the first so many are in the suite."""
    return [case if n < count else _in_soak(case) for n, case in enumerate(cases)]


def _in_soak(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.soak)
