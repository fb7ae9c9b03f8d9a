"""The table's thread: messages in order, snapshots for whoever waits, no fault that ends a game."""

import logging
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from companion.sensing.observation import Sighting, Touch
from companion.table import messages as m
from companion.table import step
from companion.table.desk import OWN_FAULT, Desk
from companion.table.snapshot import Happening, Snapshot
from companion.table.state import StepContext, TableState, TableStep
from companion.table.table import Table
from tests.shown import present
from tests.stores import open_store

PATIENCE = 60.0


@pytest.fixture
def desk() -> Desk:
    return Desk(open_store())


@pytest.fixture
def table(desk: Desk) -> Iterator[Table]:
    with Table(desk) as table:
        yield table


class Gate(Desk):
    """A desk that handles nothing before it is let, and notes in which order it did."""

    def __init__(self) -> None:
        super().__init__(open_store())
        self.busy, self.go = threading.Event(), threading.Event()
        self.handled: list[m.Message] = []

    def handle(self, message: m.Message) -> tuple[m.Reply, list[Happening]]:
        if message != m.Tick():
            self.busy.set()
            self.go.wait(PATIENCE)
            self.handled.append(message)
        return super().handle(message)


def sighting(source: str, time: float, held: bool = False) -> m.SightingArrived:
    return m.SightingArrived(Sighting(time, source, None, trouble="the cable is out", held=held))


def test_an_answer_comes_with_the_snapshot(table: Table) -> None:
    assert table.ask(m.NewGame("triune")).ok
    assert table.ask(m.Submit("a2-a3", "red")).ok
    session = table.snapshot.session
    assert session is not None
    assert session.actions == ("a2-a3",)


def test_a_refusal_names_the_rules_and_changes_nothing(table: Table) -> None:
    table.ask(m.NewGame("triune"))
    before = table.snapshot
    reply = table.ask(m.Submit("a2-a5", "red"))
    assert not reply.ok
    assert [breach.rule for breach in reply.breaches] == ["TR-3"]
    assert table.snapshot == before


@pytest.mark.parametrize(
    "message",
    [
        m.Submit("a2-a3"),
        m.TakeBack(),
        m.Deed("redo"),
        m.Deed("resign", "red"),
        m.OpenGame(7),
        m.NewGame("ludo"),
        m.NewGame(""),
    ],
)
def test_what_cannot_be_done_is_said(table: Table, message: m.Message) -> None:
    reply = table.ask(message)
    assert not reply.ok
    assert reply.words
    assert table.snapshot.session is None


def test_messages_are_taken_in_order(table: Table) -> None:
    table.post(m.NewGame("triune"))
    for action in ("a2-a3", "b7~", "a3-a4"):
        table.post(m.Submit(action))
    assert table.ask(m.TakeBack()).ok
    session = table.snapshot.session
    assert session is not None
    assert session.actions == ("a2-a3", "b7~")


def test_who_waits_is_woken(table: Table) -> None:
    seen: list[Snapshot | None] = []
    first = table.snapshot.id
    reader = threading.Thread(target=lambda: seen.append(table.wait(first, PATIENCE)))
    reader.start()
    table.ask(m.NewGame("triune"))
    reader.join()
    (newest,) = seen
    assert newest is not None
    assert newest.id > first


def test_waiting_for_what_does_not_come(table: Table) -> None:
    assert table.wait(table.snapshot.id, 0) is None


def test_snapshots_are_numbered_upwards(table: Table) -> None:
    ids = [table.snapshot.id]
    for message in (m.NewGame("triune"), m.Submit("a2-a3"), m.Submit("a2-a3"), m.TakeBack(), m.Deed("redo")):
        table.ask(message)
        ids.append(table.snapshot.id)
    assert ids == sorted(ids)
    assert ids[2] == ids[3]  # the refused one changed nothing


def failing_at(kind: type[m.Message], monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the companion has a bug in what it does about these messages."""

    def take(state: TableState, message: step.Input, context: StepContext) -> TableStep:
        if isinstance(message, kind):
            raise RuntimeError("a bug")
        return step.take(state, message, context)

    monkeypatch.setattr("companion.table.desk.take", take)


def test_a_fault_of_our_own_does_not_end_the_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    failing_at(m.Deed, monkeypatch)
    with Table(desk) as table, caplog.at_level(logging.ERROR):
        assert table.ask(m.NewGame("triune")).ok
        assert table.ask(m.Deed("redo")) == m.Reply(False, OWN_FAULT)
        assert table.ask(m.Submit("a2-a3")).ok
        assert not table.snapshot.fault
    assert "while handling Deed" in caplog.text


def test_a_fault_in_following_the_board_is_shown_until_it_is_over(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Table(desk) as table:
        assert table.ask(m.NewGame("triune")).ok
        failing_at(m.SightingArrived, monkeypatch)
        table.ask(sighting("camera:0", 1.0))
        shown = [s for s in present(table.snapshot, None)["sources"] if s["name"] == "companion"]
        assert [s["state"] for s in shown] == ["trouble"]
        assert "play is not followed" in shown[0]["words"]
        assert table.ask(m.Submit("a2-a3")).ok  # the diagram goes on
        failing_at(m.Deed, monkeypatch)
        table.ask(sighting("camera:0", 2.0))
        assert not table.snapshot.fault


def test_a_listener_that_fails_ends_the_game_for_nobody(desk: Desk) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("a bug")

    heard: list[Snapshot] = []
    with Table(desk, watch=fail) as table:
        table.listen(fail)
        table.listen(heard.append)
        assert table.ask(m.NewGame("triune")).ok
        assert table.ask(m.Submit("a2-a3")).ok
    assert [s.session.actions for s in heard if s.session][-1] == ("a2-a3",)


def test_older_sightings_of_a_source_are_dropped() -> None:
    gate = Gate()
    with Table(gate) as table:
        table.post(m.Deed("redo"))
        assert gate.busy.wait(PATIENCE)
        waiting: list[m.Message] = [
            sighting("camera:0", 1),
            sighting("serial:", 1),
            sighting("camera:0", 2),
            m.TakeBack(),
            sighting("folder:x", 1, held=True),
            sighting("camera:0", 3),
            sighting("folder:x", 2, held=True),
        ]
        for message in waiting:
            table.post(message)
        gate.go.set()
    newest = [waiting[1], waiting[3], waiting[4], waiting[5], waiting[6]]
    assert gate.handled == [m.Deed("redo"), *newest]  # moments that held all count


def test_what_was_touched_in_dropped_sightings_is_kept() -> None:
    gate = Gate()
    touches = [Touch(1.0, "a2", lifted=True), Touch(2.0, "a3", lifted=False), Touch(3.0, "b7", lifted=True)]
    with Table(gate) as table:
        table.post(m.Deed("redo"))
        assert gate.busy.wait(PATIENCE)
        for touch in touches:
            table.post(m.SightingArrived(Sighting(touch.time, "serial:", None, touches=(touch,))))
        gate.go.set()
    assert gate.handled[1:] == [m.SightingArrived(Sighting(3.0, "serial:", None, touches=tuple(touches)))]


def test_a_reply_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(Future[m.Reply]):
        """Is waited for once the desk is at work."""

        def result(self, timeout: float | None = None) -> m.Reply:
            assert gate.busy.wait(PATIENCE)
            return super().result(timeout)

    monkeypatch.setattr("companion.table.table.Future", Late)
    gate = Gate()
    with Table(gate) as table:
        with pytest.raises(TimeoutError):
            table.ask(m.NewGame("triune"), timeout=0.0)
        gate.go.set()
    assert gate.handled == [m.NewGame("triune")]


def test_stopping_finishes_the_inbox_and_wakes_readers(desk: Desk) -> None:
    table = Table(desk)
    table.start()
    woken: list[Snapshot | None] = []
    reader = threading.Thread(target=lambda: woken.append(table.wait(10**9, PATIENCE)))
    reader.start()
    table.post(m.NewGame("triune"))
    table.post(m.Submit("a2-a3"))
    table.stop()
    reader.join(PATIENCE)
    assert woken == [None]
    assert not table.is_open
    session = table.snapshot.session
    assert session is not None
    assert session.actions == ("a2-a3",)


def test_what_was_given_up_waiting_for_is_not_done_later() -> None:
    """Who is told to try again does so: once is meant."""
    desk = Gate()
    with Table(desk) as table:
        table.post(m.NewGame("triune"))
        assert desk.busy.wait(PATIENCE)
        with pytest.raises(TimeoutError):
            table.ask(m.Submit("a2-a3"), timeout=0.0)
        desk.go.set()
        assert table.ask(m.Submit("a2-a3")).ok
    assert desk.handled == [m.NewGame("triune"), m.Submit("a2-a3")]


def test_many_ask_at_once(tmp_path: Path) -> None:
    """Forty readers submit the same action: one is right, and nobody waits for ever."""
    replies: list[m.Reply] = []

    def submit(table: Table) -> None:
        replies.append(table.ask(m.Submit("a2-a3")))

    with Table(Desk(open_store(tmp_path / "games.sqlite"))) as table:
        table.ask(m.NewGame("triune"))
        players = [threading.Thread(target=submit, args=(table,)) for _ in range(40)]
        for player in players:
            player.start()
        for player in players:
            player.join()
    assert sorted(reply.ok for reply in replies) == [False] * 39 + [True]
    assert {breach.rule for reply in replies for breach in reply.breaches} == {"TR-1"}


def test_what_is_shown_is_on_disk(tmp_path: Path) -> None:
    """Whoever sees a snapshot finds it in the file."""
    reader = open_store(tmp_path / "games.sqlite")
    with Table(Desk(open_store(tmp_path / "games.sqlite"))) as table:
        table.ask(m.NewGame("triune"))
        for action in ("a2-a3", "b7~", "a3-a4"):
            table.ask(m.Submit(action))
            shown = table.snapshot
            assert shown.session is not None
            assert shown.number is not None
            assert reader.load(shown.number).session().actions == shown.session.actions
