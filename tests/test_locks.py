"""What the locks name: the libraries that are asked for, what those need, nothing else; all with hashes."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCKS = {path.stem: path for path in (ROOT / "locks").glob("*.txt")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OLDER = {"numpy", "opencv-python-headless"}
"""What `run-numpy1` has in another version, for systems whose camera library needs NumPy 1."""


def pins(lock: str) -> dict[str, Requirement]:
    """What a lock names, by name."""
    lines = re.findall(r"^([a-z0-9].*?) \\$", LOCKS[lock].read_text(), re.MULTILINE)
    found = [Requirement(line) for line in lines]
    return {canonicalize_name(pin.name): pin for pin in found}


def version(pin: Requirement) -> str:
    return str(pin.specifier).removeprefix("==")


def asked(extra: str | None) -> Iterator[Requirement]:
    """What pyproject.toml asks for, with an extra and those that it refers to."""
    project = PROJECT["project"]
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    for requirement in map(Requirement, lines):
        if requirement.name == project["name"]:
            for other in requirement.extras:
                yield from asked(other)
        else:
            yield requirement


SOURCES = {
    "run": [*asked(None), *asked("chess"), *asked("hall")],
    "run-numpy1": [*asked(None), *asked("chess"), *asked("hall"), Requirement("numpy<2")],
    "dev": [*asked(None), *asked("dev")],
    "build": [
        *map(Requirement, PROJECT["build-system"]["requires"]),
        *map(Requirement, re.findall("^[a-z].*", (ROOT / "locks/build.in").read_text(), re.MULTILINE)),
    ],
    "supply": list(map(Requirement, PROJECT["dependency-groups"]["supply"])),
    "docs": list(map(Requirement, PROJECT["dependency-groups"]["docs"])),
}


def unmet(requirements: Iterable[Requirement], lock: dict[str, Requirement]) -> list[str]:
    """The requirements that no pin fulfils."""
    return [
        str(requirement)
        for requirement in requirements
        if (name := canonicalize_name(requirement.name)) not in lock
        or version(lock[name]) not in requirement.specifier
    ]


def needs(pin: Requirement) -> list[Requirement]:
    """What an installed library needs on this machine; nothing where another version is installed."""
    if metadata.version(pin.name) != version(pin):
        return []
    here = [{**default_environment(), "extra": extra} for extra in ("", *pin.extras)]
    lines = [Requirement(line) for line in metadata.requires(pin.name) or []]
    return [line for line in lines if not line.marker or any(map(line.marker.evaluate, here))]


def test_each_lock_is_known() -> None:
    assert LOCKS.keys() == SOURCES.keys()


@pytest.mark.parametrize("name", SOURCES)
def test_a_lock_has_what_is_asked_for(name: str) -> None:
    assert unmet(SOURCES[name], pins(name)) == [], "'.ci/supply lock' makes the locks anew"


@pytest.mark.parametrize("name", SOURCES)
def test_each_pin_is_one_version_with_hashes(name: str) -> None:
    text = LOCKS[name].read_text()
    blocks = re.split(r"\n(?=\S)", re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE).strip())
    assert len(blocks) == len(pins(name))
    shape = r"[a-z0-9.-]+(\[[a-z,-]+\])?==[0-9a-z.]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+"
    assert [block.split("\n")[0] for block in blocks if not re.fullmatch(shape, block)] == []


@pytest.mark.parametrize("name", ["dev", "run"])
def test_a_lock_is_whole_and_has_nothing_else(name: str) -> None:
    lock = pins(name)
    reached: set[str] = set()
    waiting = [canonicalize_name(requirement.name) for requirement in SOURCES[name]]
    while waiting:
        library = waiting.pop()
        if library not in reached:
            reached.add(library)
            needed = needs(lock[library])
            assert unmet(needed, lock) == [], library
            waiting += [canonicalize_name(requirement.name) for requirement in needed]
    here = {library for library, pin in lock.items() if not pin.marker or pin.marker.evaluate()}
    assert reached == here


@pytest.mark.parametrize("name", ["build", "run", "run-numpy1"])
def test_a_library_has_one_version_in_all_locks(name: str) -> None:
    """Else `./run` and `./test` would change each other's environment."""
    dev = pins("dev")
    shared = {library: pin for library, pin in pins(name).items() if library in dev}
    others = {library for library, pin in shared.items() if version(pin) != version(dev[library])}
    assert others == (OLDER if name == "run-numpy1" else set())


def audit() -> Any:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci/audit.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


FLAW = {"id": "PYSEC-1", "fix_versions": ["2"]}
GOOD = {"name": "good", "version": "1", "vulns": []}
BAD = {"name": "bad", "version": "1", "vulns": [FLAW]}
UNASKED = {"name": "dark", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("known", "status", "words"),
    [
        (None, 3, "not checked: the list of vulnerabilities cannot be reached"),
        ([GOOD], 0, "0 known vulnerabilities in 1 libraries"),
        ([GOOD, BAD, BAD], 1, "bad 1: PYSEC-1, mended in 2\n1 known"),
        ([GOOD, UNASKED], 3, "not checked: PyPI told nothing of 1 libraries: dark"),
        ([BAD, UNASKED], 1, "not checked: PyPI told nothing of 1 libraries: dark"),
    ],
)
def test_the_audit_says_what_it_could_not_ask(
    known: list[dict[str, Any]] | None, status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit().report(known) == status
    assert words in capsys.readouterr().out
