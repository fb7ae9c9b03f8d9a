"""The rulebook file: every rule of the games' pages is in it, in words, with its source."""

import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from companion import rulebook

NUMBER = re.compile(r"\*\*([A-Z]{2}-\d+)")
PAGES = ("escape", "magnet", "puzzles", "teleporters", "ternion_factor", "ternion_spaces", "trid", "triune")


@pytest.mark.parametrize("page", PAGES)
def test_every_rule_of_a_page_is_in_the_rulebook(shared: Path, page: str) -> None:
    numbers = NUMBER.findall((shared / "rules" / f"{page}.md").read_text(encoding="utf-8"))
    assert set(numbers) <= set(rulebook.rules())
    assert numbers or page == "puzzles"


def test_the_pages_are_all_there(shared: Path) -> None:
    assert {page.stem for page in (shared / "rules").glob("*.md")} == {*PAGES, "README"}


@pytest.mark.parametrize("rule", rulebook.rules().values(), ids=lambda rule: rule.number)
def test_a_rule_has_a_title_a_text_and_a_source(rule: rulebook.Rule) -> None:
    assert rule.title
    assert rule.text.endswith(".")
    assert rule.source


def test_no_number_is_given_twice() -> None:
    files = [f for f in (resources.files("companion") / "rulebook").iterdir() if f.name.endswith(".toml")]
    numbers = [number for f in files for number in tomllib.loads(f.read_text(encoding="utf-8"))]
    assert len(set(numbers)) == len(numbers)


def test_an_unknown_number_is_an_error() -> None:
    with pytest.raises(KeyError):
        rulebook.rule("XX-1")
