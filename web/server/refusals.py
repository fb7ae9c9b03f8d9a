"""Refusals of requests: what fails inside is answered in its own words, with a status that says why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from flask import abort
from werkzeug.exceptions import HTTPException

Thing = TypeVar("Thing")


@contextmanager
def refused(error: type[Exception], refusal: type[HTTPException]) -> Iterator[None]:
    """Turns an error of this kind into a refusal."""
    try:
        yield
    except error as found:
        raise refusal(str(found)) from found


def there(found: Thing | None, words: str) -> Thing:
    """Returns what was found; 404 with these words for nothing."""
    if found is None:
        abort(404, words)
    return found
