"""docs/architecture.md names modules that exist, and walks that stay short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = TEXT.split("## Three walks", 1)[1].split("\n## ", 1)[0].split("\n**")[1:]
LONGEST_WALK, MOST_PLACES = 12, 50


@pytest.mark.parametrize(
    "path", sorted(set(re.findall(r"`((?:[\w-]+/)+[\w.]+\.(?:py|toml|json|md))`", TEXT)))
)
def test_a_file_that_is_named_exists(path: str) -> None:
    if "NAME" not in path and "BOARD" not in path:
        assert (ROOT / path).is_file()


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.partition(".")[0])
def test_a_walk_has_few_stations_and_visits_none_twice(walk: str) -> None:
    stations = re.findall(r"^\d+\. `([\w/]+\.py)`", walk, re.MULTILINE)
    assert 1 < len(stations) <= LONGEST_WALK
    assert len(set(stations)) == len(stations)
    assert all((ROOT / station).is_file() for station in stations)


def test_there_are_three_walks() -> None:
    assert len(WALKS) == 3


def test_what_the_house_says_by_itself_is_not_listed() -> None:
    places = TEXT.split("## Where things are", 1)[1].split("\n## ", 1)[0]
    assert len(re.findall(r"^\| (?!looking for)", places, re.MULTILINE)) <= MOST_PLACES
