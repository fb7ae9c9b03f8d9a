"""Runs one of several parts by name: each is a module with a `main`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module


def run_part(package: str, parts: Sequence[str], args: Sequence[str]) -> int:
    """Runs the part of a package that the first word names, with the words after it."""
    if not args or args[0] not in parts:
        print(f"choose one of {', '.join(parts)}", file=sys.stderr)
        return 2
    status: int = import_module(f"{package}.{args[0]}").main(args[1:])
    return status
