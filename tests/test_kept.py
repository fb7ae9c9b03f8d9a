"""What earlier versions wrote is read: a store, records, a profile, traces and a board, kept for ever."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.watch import watch
from companion.core.board import load_board, read_board
from companion.record.record import read_record, write_record
from tests.stores import open_store
from vision.cli import see

KEPT = Path(__file__).parent / "kept"
VERSIONS = sorted(folder for folder in KEPT.iterdir() if (folder / "records").is_dir())


@pytest.fixture(params=VERSIONS, ids=lambda folder: folder.name)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of what one version wrote."""
    return Path(shutil.copytree(request.param, tmp_path / "kept"))


def test_there_is_something_of_the_first_version() -> None:
    assert VERSIONS[0].name == "0.1"


def test_a_record_is_read_and_written_as_it_was(kept: Path) -> None:
    records = sorted(kept.glob("records/*.txt"))
    assert len(records) >= 13
    for file in records:
        text = file.read_text(encoding="utf-8")
        record = read_record(text)
        assert record.session().position
        assert write_record(record) == text, file.name


def test_a_store_has_all_of_its_games_and_takes_more(kept: Path) -> None:
    store = open_store(kept / "games.sqlite")
    assert list(store.check()) == []
    for file in kept.glob("records/*.txt"):
        assert write_record(store.load(int(file.stem))) == file.read_text(encoding="utf-8")
    assert store.is_deleted(2)
    assert store.latest() == 1
    number = store.add(store.load(1))
    assert store.load(number).log == store.load(1).log


def test_a_profile_reads_what_it_was_learned_from(kept: Path) -> None:
    picture = str(kept / "filmed" / "000000.jpg")
    told = CliRunner().invoke(see, ["--profile", str(kept / "profile.json"), picture], catch_exceptions=False)
    sites = json.loads(told.stdout)["sites"]
    standing = [site for site, seen in sites.items() if seen["look"] != "empty"]
    assert len(standing) == 32
    assert sites["a1"]["look"] == "red/solid"


def test_a_trace_is_refereed(kept: Path) -> None:
    options = ["--game", "triune", "--source", f"trace:{kept / 'felt'}"]
    told = CliRunner().invoke(watch, options, catch_exceptions=False).stdout.splitlines()
    assert json.loads(told[-1]) == {"event": "record", "text": "triune a2-a3 b7-b6"}


def test_a_trace_of_a_camera_is_refereed(kept: Path) -> None:
    options = ["--game", "triune", "--source", f"trace:{kept / 'filmed'}"]
    profile = ["--profile", str(kept / "profile.json")]
    told = CliRunner().invoke(watch, [*options, *profile], catch_exceptions=False).stdout.splitlines()
    assert [json.loads(line)["event"] for line in told] == ["record"]


def test_a_board_file_is_read(kept: Path) -> None:
    board = read_board(str(kept / "board.json"))
    assert board.sites == load_board("triune").sites
