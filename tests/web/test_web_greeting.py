"""The words with which `companion run` begins."""

import pytest

from web import Settings
from web.cli import _greet

OPEN = Settings(host="0.0.0.0", pin="471100")


@pytest.mark.parametrize("is_pin_given", [True, False])
def test_a_journal_holds_no_pin_that_stands_elsewhere(
    is_pin_given: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    _greet(OPEN, 8000, is_pin_given)
    assert ("471100" in capsys.readouterr().out) is not is_pin_given
