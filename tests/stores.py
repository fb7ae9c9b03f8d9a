"""Stores that tests open in passing: each is closed when its test ends."""

from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

from companion.store.store import Store

S = TypeVar("S", bound=Store)
_opened = ExitStack()


def open_store(path: Path | str = ":memory:") -> Store:
    """Opens a store that is closed when the test that runs has ended."""
    return keep_open(Store(path))


def keep_open(store: S) -> S:
    """Returns a store that is closed when the test that runs has ended."""
    return _opened.enter_context(store)


def close_stores() -> None:
    """Closes the stores that the test which has ended opened."""
    _opened.close()
