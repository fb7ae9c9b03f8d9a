"""Fixtures that all tests share."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None)  # how long an example takes is no property of the code
settings.load_profile("steady")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of rules, pictures and tables beside the checkout; its tests are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the folder of test data beside the checkout: {SHARED.name}")
    return SHARED
