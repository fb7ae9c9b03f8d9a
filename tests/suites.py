"""Reading the perft suites that lie beside the checkout."""

from collections.abc import Iterator
from pathlib import Path


def perft_suite(shared: Path, game: str) -> Iterator[tuple[str, dict[int, int]]]:
    """Each line's game text, and its leaf counts by depth."""
    for line in (shared / "rules" / "perft" / f"{game}.txt").read_text(encoding="utf-8").splitlines():
        text, *counts = (part.strip() for part in line.split(";"))
        if text:
            yield text, {int(c.split()[0][1:]): int(c.split()[1]) for c in counts}
