"""A follower of the table: each snapshot is handed on once it can be, and no more often."""

import threading

import pytest
from web_clients import PATIENCE_S

from companion.table.messages import NewGame, Submit
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web.runtime import follower
from web.runtime.follower import Follower


def test_a_snapshot_is_handed_on_until_it_is_taken(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid whose cable comes later is told then what it missed, and nothing spins meanwhile."""
    monkeypatch.setattr(follower, "PERIOD", 0.01)
    handed: list[int] = []
    ready, taken = threading.Event(), threading.Event()

    def follow(snapshot: Snapshot) -> bool:
        handed.append(snapshot.id)
        if len(handed) > 2:
            ready.wait(PATIENCE_S)
            taken.set()
        return len(handed) > 2

    assert table.ask(NewGame("triune")).ok
    shown = table.snapshot.id
    following = Follower(table, "test", follow)
    following.start()
    ready.set()
    assert taken.wait(PATIENCE_S)
    assert handed == [shown] * 3
    taken.clear()
    assert table.ask(Submit("a2-a3")).ok
    assert taken.wait(PATIENCE_S)
    following.stop()
    assert handed == [shown] * 3 + [table.snapshot.id]


def test_a_follower_that_is_stopped_waits_for_no_news(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "PERIOD", 10 * PATIENCE_S)
    told = threading.Event()
    following = Follower(table, "test", lambda snapshot: told.set() or True)
    following.start()
    assert told.wait(PATIENCE_S)
    stopping = threading.Thread(target=following.stop, daemon=True)
    stopping.start()
    stopping.join(PATIENCE_S)
    assert not stopping.is_alive()
