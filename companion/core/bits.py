"""Sets of small numbers, such as the squares of a board, as the bits of one int."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def mask(numbers: Iterable[int]) -> int:
    """Returns the set of these numbers, each of which may come again."""
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def members(bits: int) -> Iterator[int]:
    """Yields the numbers of a set, ascending."""
    while bits:
        low = bits & -bits
        bits ^= low
        yield low.bit_length() - 1
