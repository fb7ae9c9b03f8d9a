"""The 8 × 8 squares of Triune as numbers from 0 (a1) to 63 (h8), and the lines that pieces move along."""

from __future__ import annotations

SQUARES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX = {name: square for square, name in enumerate(SQUARES)}
TARGETS = (frozenset({INDEX["a8"], INDEX["h8"]}), frozenset({INDEX["a1"], INDEX["h1"]}))
"""The corners on which the pieces of Red and of Blue become Triunes (TR-10)."""
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
LEAP = 3
"""The length of a leap, in steps."""


def ray(square: int, dx: int, dy: int) -> tuple[int, ...]:
    """Returns the squares up to a leap away in a direction, as far as the board goes."""
    x, y = square % 8, square // 8
    steps = ((x + dx * n, y + dy * n) for n in range(1, LEAP + 1))
    return tuple(b * 8 + a for a, b in steps if 0 <= a < 8 and 0 <= b < 8)


RAYS = tuple(tuple(line for dx, dy in DIRECTIONS if (line := ray(square, dx, dy))) for square in range(64))
"""For each square its rays in all directions in which there is a square."""
