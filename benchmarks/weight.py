"""Counts the lines of the repository by room: what the wheel carries, and what makes, measures and tests it.

    python -m benchmarks weight [--against REVISION]

Counted are the lines of tracked files of Python, JavaScript, CSS and C. With a revision each row also says
how many lines more or fewer there are than in it.
"""

from __future__ import annotations

import argparse
import subprocess
import tomllib
from collections import Counter
from pathlib import Path, PurePath

ROOT = Path(__file__).resolve().parents[1]
KINDS = {".py": "Python", ".js": "JavaScript", ".css": "CSS", ".c": "C", ".h": "C", ".cpp": "C"}
PRODUCT, WORKSHOP, TESTS = "product", "workshop", "tests"
ROOMS = 2
"""The depth to which a package is taken apart."""

Row = tuple[str, str, str]
"""Part, language and room."""


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benchmarks weight")
    parser.add_argument("--against", metavar="REVISION", help="an earlier revision to compare with")
    revision = parser.parse_args(args).against
    now = count("HEAD")
    before = count(revision) if revision else None
    for part in (PRODUCT, WORKSHOP, TESTS):
        for language in sorted({*KINDS.values()}):
            rows = sorted(row for row in now | (before or now) if row[:2] == (part, language))
            print(f"{part}, {language}: {told(rows, now, before)}")
            for row in rows:
                print(f"  {row[2]:32}{told([row], now, before)}")
    return 0


def count(revision: str) -> Counter[Row]:
    """Returns the lines of a revision, by part, language and room."""
    settings = tomllib.loads(_git("show", f"{revision}:pyproject.toml"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    lines: Counter[Row] = Counter()
    # The empty tree: every file of the revision is new beside it.
    nothing = _git("hash-object", "-t", "tree", "/dev/null").strip()
    for row in _git("diff", "--numstat", "--no-renames", nothing, revision).splitlines():
        added, _, name = row.split("\t")
        path = PurePath(name)
        if (language := KINDS.get(path.suffix)) and added.isdigit():
            room = "/".join(path.parent.parts[:ROOMS]) or "."
            lines[_part(path, wheel), language, room] += int(added)
    return lines


def _part(path: PurePath, wheel: dict[str, list[str]]) -> str:
    if path.parts[0] == "tests":
        return TESTS
    is_left_out = any(path.is_relative_to(left_out) for left_out in wheel.get("exclude", ()))
    return PRODUCT if path.parts[0] in wheel["packages"] and not is_left_out else WORKSHOP


def told(rows: list[Row], now: Counter[Row], before: Counter[Row] | None) -> str:
    lines = sum(now[row] for row in rows)
    return f"{lines:7,}" + ("" if before is None else f" {lines - sum(before[row] for row in rows):+7,}")


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout
