"""Fixtures that all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.languages import speaking_pseudo
from tests.stores import close_stores

settings.register_profile("steady", deadline=None)  # how long an example takes is no property of the code
settings.load_profile("steady")

SHARED = Path(__file__).resolve().parents[2] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the slowest tests, those of the browser, first: at the end, no core shall wait for another."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)


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


@pytest.fixture
def pseudo_language(tmp_path: Path) -> Iterator[str]:
    """The code of a language in which everything is marked that a catalogue gave; see `tests.languages`."""
    folder = tmp_path / "language"
    folder.mkdir()
    with speaking_pseudo(folder) as language:
        yield language
