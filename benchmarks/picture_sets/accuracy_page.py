"""Writes docs/accuracy.md in parts: each benchmark replaces its own part and keeps the others'."""

from __future__ import annotations

import re
from pathlib import Path

ACCURACY = Path(__file__).resolve().parents[2] / "docs" / "accuracy.md"


def write_part(page: Path, heading: str, body: str) -> None:
    """Puts a part, from its heading (`# …` or `## …`) to the next one, in the place of the one before; a new
    one comes last."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    parts = [part.strip() for part in re.split(r"(?m)^(?=##? )", text) if part.strip()]
    part = f"{heading}\n\n{body.strip()}"
    at = next((n for n, old in enumerate(parts) if old.splitlines()[0] == heading), len(parts))
    parts[at : at + 1] = [part]
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """Returns a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
