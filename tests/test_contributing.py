"""The recipes of CONTRIBUTING.md, carried out word for word in a copy of the house."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.dense import FOLDERS

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOUSE = (*FOLDERS, ".ci")
RECIPES = re.findall(r"^## (Add .*)$", TEXT, re.MULTILINE)
BLOCK = re.compile(r"(?P<before>[^\n]*)\n```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"(?:[Ii]n|new file) `([\w/.]+)`(?:.*(before|in place of) `([^`]+)`)?")
IN_OTHER_WORDS = {
    r"^companion ": f'{sys.executable} -c "from companion.cli import main; main()" ',
    r"^\.ci/catalogues": f"{sys.executable} .ci/catalogues.py",
    r"^pip install": f"{sys.executable} -m pip install -q --no-deps --no-build-isolation --target .",
}
"""A copy has no environment of its own: what stands in for its commands."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    leave = shutil.ignore_patterns("__pycache__", "build", "node_modules")
    for name in (*HOUSE, "docs/examples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=leave)
    return tmp_path


def recipe(title: str) -> Iterator[re.Match[str]]:
    section = TEXT.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    return BLOCK.finditer(section)


def write(house: Path, before: str, body: str) -> None:
    """Puts a block where the line before it says."""
    found = PLACE.search(before)
    assert found, before
    name, how, anchor = found.groups()
    file = house / name
    if not how:
        assert not file.exists()
        file.write_text(body, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    assert text.count(f"\n{anchor}") == 1, anchor
    after = f'\n{anchor}\nmsgstr ""\n' if how == "in place of" else f"\n{anchor}"
    assert after in text
    gap = "\n\n" if anchor.startswith("def ") else ""
    rest = f"{gap}{anchor}" if how == "before" else ""
    file.write_text(text.replace(after, f"\n{body}{rest}", 1), encoding="utf-8")


def run(house: Path, command: str) -> str:
    for written, other in IN_OTHER_WORDS.items():
        command = re.sub(written, other, command)
    environment = {**os.environ, "PYTHONPATH": str(house), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=house, env=environment, capture_output=True, text=True, timeout=120
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_leads_to_what_it_says(house: Path, title: str) -> None:
    assert len([*recipe(title)]) >= 1
    for block in recipe(title):
        if block["kind"] != "console":
            write(house, block["before"], block["body"])
            continue
        told = ""
        for line in block["body"].splitlines():
            if line.startswith("$ "):
                told = run(house, line[2:])
                assert "Traceback" not in told, told
            else:
                assert line in told, f"{line}\n---\n{told}"
    if title == "Add a language":
        said = "print(translated(say('This game has ended already.'), 'it'))"
        code = f"from companion.language import say, translated; {said}"
        assert run(house, f'{sys.executable} -c "{code}"') == "Questa partita è già finita.\n"


def test_there_are_four_recipes() -> None:
    assert RECIPES == ["Add a game", "Add an export", "Add a language", "Add a sensor"]
