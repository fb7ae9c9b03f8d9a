"""Asks PyPI for known vulnerabilities of what the locks name, and says plainly what could not be asked.

Usage: audit.py PIP_AUDIT. Exit status 0: none is known; 1: some are; 3: not all libraries were checked.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCKS = Path(__file__).resolve().parents[1] / "locks"
FOUND, UNASKED = 1, 3


def ask(pip_audit: str, lock: Path) -> list[dict[str, Any]] | None:
    """Returns what is known of each library of a lock, or nothing where there was no answer."""
    # Neither pip nor an installation is needed: a lock names everything, with its hashes.
    options = ["--format", "json", "--progress-spinner", "off", "--disable-pip", "--require-hashes"]
    command = [pip_audit, *options, "--requirement", str(lock)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except (ValueError, KeyError):
        print("\n".join(done.stderr.splitlines()[-1:])[:300], file=sys.stderr)
        return None


def report(known: list[dict[str, Any]] | None) -> int:
    """Prints what is known; returns the exit status."""
    if known is None:
        print("not checked: the list of vulnerabilities cannot be reached; ask again with a network")
        return UNASKED
    unasked = sorted({entry["name"] for entry in known if "skip_reason" in entry})
    asked = {entry["name"] for entry in known} - set(unasked)
    lines = {_line(entry, flaw) for entry in known for flaw in entry.get("vulns", [])}
    for line in sorted(lines):
        print(line)
    if unasked:
        print(f"not checked: PyPI told nothing of {len(unasked)} libraries: {', '.join(unasked)}")
    print(f"{len(lines)} known vulnerabilities in {len(asked)} libraries")
    return FOUND if lines else UNASKED if unasked else 0


def _line(entry: dict[str, Any], flaw: dict[str, Any]) -> str:
    mended = ", ".join(flaw["fix_versions"]) or "no version yet"
    return f"{entry['name']} {entry['version']}: {flaw['id']}, mended in {mended}"


def ask_all(pip_audit: str) -> list[dict[str, Any]] | None:
    """Returns what is known of each library of any lock; nothing where one lock got no answer."""
    known: list[dict[str, Any]] = []
    for lock in sorted(LOCKS.glob("*.txt")):
        answer = ask(pip_audit, lock)
        if answer is None:
            return None
        known += answer
    return known


if __name__ == "__main__":
    sys.exit(report(ask_all(sys.argv[1])))
