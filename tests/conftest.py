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
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of Chromium: its shell without windows, of the same source, costs a third less for a page."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the slowest tests, those of the browser, first, and of them the longest file: at the end, no core
    shall wait for another."""
    items.sort(key=lambda item: (item.get_closest_marker("browser") is None, item.path.name != LONGEST))


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
