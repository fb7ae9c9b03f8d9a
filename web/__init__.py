"""The page, its server, and the drawings of games.

What the package offers is loaded when it is asked for: who only draws a game needs no server.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from web.app import Services, Settings, create_app, read_secret

__all__ = ["Services", "Settings", "create_app", "read_secret"]


def __getattr__(name: str) -> object:
    """Returns what `web.app` offers under this name."""
    if name not in __all__:
        raise AttributeError(f"module 'web' has no attribute '{name}'")
    return getattr(import_module("web.app"), name)
