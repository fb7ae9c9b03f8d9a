"""Fixtures that all tests share."""

import gc
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.languages import speaking_pseudo, write_marked_catalogue
from tests.stores import close_stores

gc.disable()  # what is collected stays: looking for garbage took a third of the time

settings.register_profile("steady", deadline=None)  # how long an example takes is no property of the code
settings.load_profile("steady")

SHARED = Path(__file__).resolve().parents[2] / "shared"
LONGEST = "test_web_sights.py"
COMPUTING = 4
"""Files that compute for each that waits: they take about half as long together."""
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of Chromium: its shell without windows, of the same source, costs a third less for a page."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts files of the browser's tests, which wait for much of their time, among others, which compute: then
    no core waits. The longest is first: at the end, no core shall wait for another."""
    waiting = {item.path: item.path.name != LONGEST for item in items if item.get_closest_marker("browser")}
    computing = dict.fromkeys(item.path for item in items if item.path not in waiting)
    places = {path: float(n) for n, path in enumerate(computing)}
    places |= {path: n * COMPUTING - 0.5 for n, path in enumerate(sorted(waiting, key=waiting.__getitem__))}
    items.sort(key=lambda item: places[item.path])


def pytest_collection_finish() -> None:
    """Has garbage looked for again: seldom, and not among all tests and modules each time.

    What is left alone counts for nothing in Python's own choice of when to look everywhere: that took a fifth
    of the time of the page's tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)
    gc.enable()


@pytest.fixture(autouse=True)
def stores() -> Iterator[None]:
    """Closes the stores that a test opened in passing."""
    yield
    close_stores()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of rules, pictures and tables beside the checkout; its tests are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the folder of test data beside the checkout: {SHARED.name}")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """Chromium's path; its tests are skipped without it."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.skip("no Chromium: './test' says how to install it")
    return found


@pytest.fixture(scope="session")
def marked_catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the catalogue of the language for tests."""
    folder = tmp_path_factory.mktemp("language")
    write_marked_catalogue(folder)
    return folder


@pytest.fixture
def pseudo_language(marked_catalogue: Path) -> Iterator[str]:
    """The code of a language in which everything is marked that a catalogue gave; see `tests.languages`."""
    with speaking_pseudo(marked_catalogue) as language:
        yield language
