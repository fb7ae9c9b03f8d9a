"""Stores that tests open in passing: each is closed when its test ends."""

from contextlib import ExitStack
from pathlib import Path

from companion.store.store import Store

_opened = ExitStack()


def open_store(path: Path | str = ":memory:") -> Store:
    """Opens a store that is closed when the test that runs has ended."""
    return _opened.enter_context(Store(path))


def close_stores() -> None:
    """Closes the stores that the test which has ended opened."""
    _opened.close()
