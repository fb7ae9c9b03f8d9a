"""Loading of what is named as text, `package.module:name`: the module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(text: str) -> Any:
    """Returns the object of that name."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
