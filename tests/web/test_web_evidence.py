"""From the camera to the record: how a refused move looked, kept when that is wanted, shown on the page."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from random import Random

from PIL import Image
from web_clients import Client

from companion.table.desk import Desk
from companion.table.messages import NewGame, Tick
from companion.table.picture_keeper import PictureKeeper
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from tests.stores import open_store
from web import Services, create_app
from web.runtime.runtime import Runtime

PATIENCE = 60.0


def wait(table: Table, wanted: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that is as wanted."""
    snapshot = table.snapshot
    while not wanted(snapshot):
        newer = table.wait(snapshot.id, PATIENCE)
        assert newer, snapshot
        snapshot = newer
    return snapshot


def carry(runtime: Runtime, looks: dict[str, str], start: str, end: str) -> None:
    looks[end] = looks.pop(start)
    assert runtime.virtual
    runtime.virtual.become(looks)


def test_a_refused_move_on_the_virtual_table_leaves_its_picture(tmp_path: Path) -> None:
    store = open_store(tmp_path / "games.db")
    store.pictures.want(True)
    table = Table(Desk(store), PictureKeeper(store.pictures))
    with table, Runtime(table, ("virtual",), tmp_path, Random(7)) as runtime:
        assert table.ask(NewGame("triune")).ok
        begun = wait(table, lambda s: any(source.state == "ok" for source in s.sources)).session
        assert begun
        looks = dict(begun.rules.look(begun.position))
        carry(runtime, looks, "a2", "a3")
        wait(table, lambda s: s.session is not None and len(s.session.plies) == 1)
        carry(runtime, looks, "b7", "b4")
        wait(table, lambda s: s.verdict is not None and s.verdict.kind == "refused")
        table.ask(Tick())  # what happened is told after it is shown
        client = Client(create_app(table, services=Services(store=open_store(tmp_path / "games.db"))))
        *_, step = client.get("/api/v1/records/1").get_json()["steps"]
        assert [aside["words"] for aside in step["asides"]] == ["Refused: b7-b4 (TR-3)"]
        assert step["pictures"] == [2]
        data = client.get("/api/v1/records/1/pictures/2.jpg").data
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, max(picture.size) <= 640) == ("JPEG", True)
