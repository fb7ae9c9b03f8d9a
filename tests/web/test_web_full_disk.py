"""The page's requests on a disk that is full: each is refused in words, and nothing is half done."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from web_clients import Client

from benchmarks.attacks.disk_under_sqlite import FaultyDisk
from benchmarks.fuzzing.fuzzed_http import fields_of, path_of, routes
from companion.store.trouble import ADVICE
from companion.table.desk import Desk
from companion.table.messages import NewGame
from companion.table.table import Table
from tests.stores import open_store
from web import Services, Settings, create_app
from web.server.tokens import Tokens

FULL = str(ADVICE[0][1])
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("records", {"record": "triune a2-a3"}),
    ("records/1/notes", {"text": "well played"}),
    ("records/1/corrections", {"names": {"red": "Eve"}}),
    ("records/1/deletion", {}),
    ("tokens", {"name": "lamp", "scopes": ["read"]}),
]


@pytest.fixture
def disk() -> Iterator[FaultyDisk]:
    try:
        with FaultyDisk() as disk:
            yield disk
    except OSError as error:
        pytest.skip(str(error))


@pytest.fixture
def client(disk: FaultyDisk, tmp_path: Path) -> Iterator[Client]:
    games, store = tmp_path / "games.sqlite", open_store(tmp_path / "games.sqlite")
    with Table(Desk(open_store(games))) as table:
        assert table.ask(NewGame("triune a2-a3 b7~", {"red": "Ann"})).ok
        tokens = Tokens(lambda: 1.7e9, tmp_path / "tokens.json")
        yield Client(create_app(table, Settings(), Services(store=store, tokens=tokens)))


def fill(disk: FaultyDisk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets neither SQLite nor who writes another file write anything more."""

    def refuse(*_: object, **__: object) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "full")

    disk.fault = "full"
    monkeypatch.setattr(os, "fsync", refuse)


@pytest.mark.parametrize(("path", "body"), WRITES, ids=[path for path, _ in WRITES])
def test_what_cannot_be_kept_is_refused_in_words(
    client: Client, disk: FaultyDisk, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any]
) -> None:
    fill(disk, monkeypatch)
    answer = client.post(f"/api/v1/{path}", body)
    assert answer.status_code == 503
    assert FULL in answer.get_json()["error"] or "No space left" in answer.get_json()["error"]
    disk.fault = ""
    monkeypatch.undo()
    assert client.post(f"/api/v1/{path}", body).status_code == 200


def test_no_post_answers_that_the_server_failed(
    client: Client, disk: FaultyDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(disk, monkeypatch)
    chance = Random(1)
    for rule, body in routes():
        for _ in range(5 if body else 0):
            path = path_of(rule, chance)
            answer = client.post(path, fields_of(body, "triune", chance))
            assert answer.status_code != 500, path
