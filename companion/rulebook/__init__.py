"""The rules by number: each in the project's own words, with its place in the rulebook of its game.

There is one TOML file for each game; GEN rules, which hold for all games, are in `general.toml`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache

from companion.core.extensions import data_files
from companion.language import say


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: its number, a short title, its text, and its place in the rulebook (or 'Ruling')."""

    number: str
    title: str
    text: str
    source: str


def rule(number: str) -> Rule:
    """Returns the rule of that number. KeyError for a number that is nowhere in the rulebook."""
    return rules()[number]


@cache
def rules() -> dict[str, Rule]:
    """Returns all rules of all games, by number."""
    found: dict[str, Rule] = {}
    for file in data_files("rulebook", ".toml").values():
        found = {**_read(file.read_text(encoding="utf-8")), **found}
    return found


def _read(text: str) -> dict[str, Rule]:
    return {
        number: Rule(number, say(entry["title"]), say(" ".join(entry["text"].split())), entry["source"])
        for number, entry in tomllib.loads(text).items()
    }
