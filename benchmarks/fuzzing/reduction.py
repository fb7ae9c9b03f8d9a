"""Makes an input that fails smaller, as long as it fails in the same way."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
SMALL = 4000
"""Bytes under which an input is also reduced byte by byte."""


def reduced(content: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Returns the smallest content that was found to fail too. JSON stays JSON."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _reduced_text(content, fails)
    if not isinstance(data, dict | list):
        return _reduced_text(content, fails)
    return _written(_reduced_json(data, lambda smaller: fails(_written(smaller))))


def _written(data: Any) -> bytes:
    return json.dumps(data, indent=1).encode()


def _reduced_text(content: bytes, fails: Callable[[bytes], bool]) -> bytes:
    lines = _fewest(content.splitlines(keepends=True), lambda kept: fails(b"".join(kept)))
    content = b"".join(lines)
    if len(content) > SMALL:
        return content
    return bytes(_fewest(list(content), lambda kept: fails(bytes(kept))))


def _reduced_json(data: Any, fails: Callable[[Any], bool]) -> Any:
    """Returns the data without the members that the failure does not need, the outermost first."""
    if isinstance(data, dict):
        data = dict(_fewest(list(data.items()), lambda kept: fails(dict(kept))))
        keys: Sequence[Any] = list(data)
    elif isinstance(data, list):
        data = list(_fewest(data, lambda kept: fails(list(kept))))
        keys = range(len(data))
    else:
        return data
    for key in keys:

        def fails_with(value: Any, key: Any = key) -> bool:
            return fails(
                {**data, key: value} if isinstance(data, dict) else [*data[:key], value, *data[key + 1 :]]
            )

        data[key] = _reduced_json(data[key], fails_with)
    return data


def _fewest(items: Sequence[T], fails: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Returns the items that the failure needs: others are left out, first many at once, then one by one."""
    size = len(items)
    while size:
        at = 0
        while at < len(items):
            fewer = [*items[:at], *items[at + size :]]
            if fails(fewer):
                items = fewer
            else:
                at += size
        size //= 2
    return items
