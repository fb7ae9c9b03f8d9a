"""How far a hall was told, on disk: kept, and begun anew where the file is damaged."""

from contextlib import closing
from pathlib import Path

import pytest

from broker_bridge.outbox import Cursor
from broker_bridge.outbox_file import NAME, OutboxFile

CURSORS = {3: Cursor(7, None, 5.0), 4: Cursor(2, 1, 6.0)}


def test_cursors_are_kept_for_each_store(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with closing(OutboxFile(path)) as file:
        file.save("a", CURSORS, 4)
        file.save("b", {1: Cursor()}, 1)
    with closing(OutboxFile(path)) as file:
        assert file.load("a") == CURSORS
        assert (file.scanned("a"), file.scanned("b"), file.scanned("c")) == (4, 1, None)
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", [b"no database at all, but text", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(damage)
    with closing(OutboxFile(path)) as file:
        assert file.load("a") == {}
        file.save("a", CURSORS, 4)
        assert file.load("a") == CURSORS
    assert [found.name for found in tmp_path.glob("*.damaged")] == [f"{NAME}.damaged"]


def test_a_page_that_a_disk_has_spoiled_is_found(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with closing(OutboxFile(path)) as file:
        file.save("a", {game: Cursor(game) for game in range(1, 400)}, 400)
    content = bytearray(path.read_bytes())
    content[-3000:] = b"\xff" * 3000
    path.write_bytes(content)
    with closing(OutboxFile(path)) as file:
        assert file.load("a") == {}
    assert list(tmp_path.glob("*.damaged"))
