"""The address of the companion that runs, by which the doctor finds it."""

import json
from pathlib import Path

import pytest

from companion.core.game import GameError
from hardware.running import FILE, RunningSource, announce, own_folder, running_devices

URL = "http://localhost:8000/"
STATE = {"sources": [{"name": "serial:", "state": "lost", "words": "the cable was pulled"}]}


def test_a_running_companion_tells_of_its_devices(tmp_path: Path) -> None:
    def fetch(url: str) -> bytes:
        assert url == "http://localhost:8000/api/v1/state"
        return json.dumps(STATE).encode()

    assert running_devices(tmp_path, fetch) is None, "none runs yet"
    with announce(tmp_path, URL):
        assert running_devices(tmp_path, fetch) == [RunningSource("serial:", "lost", "the cable was pulled")]
    assert running_devices(tmp_path, fetch) is None, "none runs any more"


@pytest.mark.parametrize(
    "content", ['{"url": "http://localhost:1/"}', '{"url": "https://example.org/"}', "{}", "[]", "half a"]
)
def test_what_a_killed_companion_left_is_no_companion(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    assert running_devices(tmp_path) is None


def test_a_folder_that_cannot_be_written_is_no_reason_not_to_run(tmp_path: Path) -> None:
    with announce(tmp_path / "none", URL):
        assert running_devices(tmp_path / "none") is None


def test_a_folder_has_one_owner_who_is_named(tmp_path: Path) -> None:
    with own_folder(tmp_path):
        with (
            pytest.raises(GameError, match="in use by the companion at an address that is not known yet"),
            own_folder(tmp_path),
        ):
            pass
        with (
            announce(tmp_path, URL),
            pytest.raises(GameError, match=f"in use by the companion at {URL}"),
            own_folder(tmp_path),
        ):
            pass
    with own_folder(tmp_path):
        pass  # who ended has left it


def test_a_folder_that_cannot_be_written_has_no_owner(tmp_path: Path) -> None:
    with own_folder(tmp_path / "none"), own_folder(tmp_path / "none"):
        pass
