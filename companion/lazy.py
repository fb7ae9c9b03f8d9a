"""Things named as text, `package.module:name`, whose module is imported when they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(text: str) -> Any:
    """What is named so."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
