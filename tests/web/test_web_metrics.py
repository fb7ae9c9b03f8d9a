"""Measures for Prometheus: what is counted of play, what is not of secrets, and what is so now."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from web_clients import OPEN, Client, Clock

from companion.core.game import Breach
from companion.games.text import read_game
from companion.record.session import Entry, begin
from companion.sensing.observation import Sighting
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import Deed, NewGame, OpenGame, Reply, SightingArrived, Submit, TakeBack, Tick
from companion.table.snapshot import Question, Snapshot, Verdict
from companion.table.table import Handled, Table
from hardware.machine import read_temperature
from tests.companion.sensor import Sensor
from tests.stores import open_store
from web import Services, Settings, create_app
from web.server.tally import MOST_LABELS, OTHER, Tally

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tally(clock: Clock) -> Tally:
    return Tally(clock)


@pytest.fixture
def table(tmp_path: Path, tally: Tally) -> Iterator[Table]:
    with Table(Desk(open_store(tmp_path / "games.db")), watch=tally.watch) as table:
        yield table


@pytest.fixture
def app(table: Table, store: Store, tally: Tally) -> Flask:
    return create_app(table, Settings(), Services(store=store, tally=tally, temperature=lambda: 51.5))


def samples(app: Flask, **more: str) -> Samples:
    """What `/metrics` says, by name and labels, read by Prometheus' own parser."""
    answer = app.test_client().get("/metrics", base_url="http://127.0.0.1")
    assert answer.status_code == 200
    assert answer.mimetype == "text/plain"
    found = {}
    for family in text_string_to_metric_families(answer.get_data(as_text=True)):
        assert family.documentation
        assert family.name.startswith("companion_")
        for sample in family.samples:
            found[sample.name, frozenset(sample.labels.items())] = float(sample.value)
    return found


def counted(tally: Tally) -> Samples:
    """What a tally has counted, by name and labels."""
    collected = (sample for family in tally.registry.collect() for sample in family.samples)
    return {(sample.name, frozenset(sample.labels.items())): sample.value for sample in collected}


def labelled(tally: Tally, name: str) -> dict[str, float]:
    """The counts of one name by their only label."""
    found = {labels: n for (found, labels), n in counted(tally).items() if found == f"companion_{name}_total"}
    return {label: n for labels, n in found.items() for _, label in labels}


def value(found: Samples, name: str, **labels: str) -> float:
    return found.get((f"companion_{name}", frozenset(labels.items())), 0.0)


def test_what_is_done_by_hand_is_counted(app: Flask, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3")).ok
    for action in ("b7~", "a3-a4"):
        assert table.ask(Submit(action)).ok
    assert not table.ask(Submit("a1-a5")).ok
    assert table.ask(TakeBack(1, "red")).ok
    found = samples(app)
    assert value(found, "actions_total", source="tablet") == 2
    assert value(found, "takebacks_total", by="player") == 1
    refused = {labels for name, labels in found if name == "companion_refusals_total"}
    assert len(refused) >= 1
    assert table.ask(OpenGame(1)).ok  # its lines were counted when they were written
    assert value(samples(app), "actions_total", source="tablet") == 2


def test_a_client_that_looks_reads_them(app: Flask, table: Table, store: Store) -> None:
    opened = create_app(table, OPEN, Services(store=store))
    guest = Client(opened, "192.168.1.20", "192.168.1.2")
    assert guest.get("/metrics").status_code == 200
    assert guest.http.get("/metrics", base_url="http://evil.example").status_code == 400


def test_how_all_is_now(app: Flask, table: Table) -> None:
    found = samples(app)
    assert value(found, "displays") == 0
    assert value(found, "store_trouble") == 0
    assert value(found, "temperature_celsius") == 51.5
    assert [labels for name, labels in found if name == "companion_build_info"]
    client = app.test_client()
    stream = client.get("/api/v1/events", base_url="http://127.0.0.1")
    assert value(samples(app), "displays") == 1
    stream.close()
    assert value(samples(app), "displays") == 0
    assert table.ask(SightingArrived(Sighting(1.0, "camera:0", None, trouble="too dark"))).ok
    found = samples(app)
    states = {
        dict(labels)["state"]: n for (name, labels), n in found.items() if name == "companion_source_state"
    }
    assert sum(states.values()) == 1
    assert states["trouble"] + states["lost"] == 1


def test_applications_share_no_counts(table: Table, store: Store, tally: Tally, app: Flask) -> None:
    other = create_app(table, Settings(), Services(store=store, tally=Tally(lambda: 0.0)))
    assert table.ask(NewGame("triune")).ok
    assert table.ask(Submit("a2-a3")).ok
    assert value(samples(app), "actions_total", source="tablet") == 1
    assert value(samples(other), "actions_total", source="tablet") == 0


def test_nothing_of_secrets_is_counted_before_the_end(app: Flask, table: Table, tally: Tally) -> None:
    """Neither how many actions, refusals and questions there are, nor when they come."""
    assert table.ask(NewGame("magnet")).ok
    before = samples(app)
    assert table.ask(Submit("=K222333444tT")).ok
    assert not table.ask(Submit("a1-a9")).ok
    assert table.ask(TakeBack(1, "arbiter")).ok
    assert table.ask(Submit("=22K2333444tT")).ok
    assert samples(app) == before
    assert table.ask(Deed("resign", "red")).ok
    assert value(samples(app), "actions_total", source="tablet") == 2
    assert value(samples(app), "takebacks_total", by="arbiter") == 1


def test_a_move_that_a_sensor_sees_is_counted_with_its_latency(
    app: Flask, table: Table, clock: Clock
) -> None:
    assert table.ask(NewGame("triune")).ok
    session = table.snapshot.session
    assert session
    sensor = Sensor(session.game)

    def look(seconds: float) -> None:
        for _ in range(round(seconds / sensor.step)):
            sighting = sensor.sight()
            clock.now = sighting.time + 0.12  # so long it takes to read a frame, and to weigh it
            assert table.ask(SightingArrived(sighting)).ok

    look(1)
    sensor.move("a2", "a3")
    look(3)
    found = samples(app)
    assert value(found, "actions_total", source="sensor") == 1
    assert value(found, "sighting_seconds_count") == 1
    assert value(found, "sighting_seconds_sum") == pytest.approx(0.12)
    buckets = [value(found, "sighting_seconds_bucket", le=le) for le in ("0.1", "0.2", "+Inf")]
    assert buckets == [0, 1, 1]
    sensor.move("c7", "c4")
    look(5)
    assert sum(n for (name, _), n in samples(app).items() if name == "companion_refusals_total") >= 1


# what sensors do, on values

SEEN = SightingArrived(Sighting(100.0, "camera:0", None))
TRIUNE = begin(read_game("triune"))


def shown(*entries: Entry, **more: object) -> Snapshot:
    session = TRIUNE
    for entry in entries:
        session = session.apply(entry)
    return replace(Snapshot(session=session, number=1), **more)  # type: ignore[arg-type]


def step(tally: Tally, before: Snapshot, after: Snapshot, message: object = SEEN) -> None:
    tally.watch(Handled(message, Reply(True), before, after))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seconds", "is_counted", "le"),
    [
        *((0.04, True, "0.05"), (0.05, True, "0.05"), (0.4, True, "0.5"), (30, True, "+Inf")),
        *((-1, False, "+Inf"), (400, False, "+Inf")),
    ],
)
def test_latencies_of_live_sensors(
    tally: Tally, clock: Clock, seconds: float, is_counted: bool, le: str
) -> None:
    clock.now = 100.0 + seconds
    before, after = shown(), shown(Entry("action", "a2-a3", "red", "camera:0"))
    step(tally, before, before, Tick())
    step(tally, before, after)
    assert labelled(tally, "actions") == {"camera:0": 1}
    found = counted(tally)
    assert value(found, "sighting_seconds_bucket", le=le) == is_counted
    assert value(found, "sighting_seconds_count") == is_counted
    assert value(found, "sighting_seconds_sum") == pytest.approx(seconds if is_counted else 0)


def test_refusals_of_sensors_by_their_rules(tally: Tally) -> None:
    refused = Entry("refused", "words", "red", "camera:0")
    breaches = (Breach("TR-3"), Breach("GEN-1"))
    first = shown()
    second = shown(refused, verdict=Verdict("refused", "no", breaches=breaches))
    step(tally, first, first)
    step(tally, first, second)
    step(tally, second, shown(refused, refused, verdict=Verdict("unfinished", "no")))
    assert labelled(tally, "refusals") == {"TR-3": 1, "GEN-1": 1, "none": 1}


def test_each_question_is_counted_once(tally: Tally) -> None:
    asked, next_asked = (shown(question=Question(n, (("a2-a3",), ()))) for n in (1, 2))
    step(tally, shown(), shown())
    for before, after in ((shown(), asked), (asked, asked), (asked, next_asked), (next_asked, shown())):
        step(tally, before, after)
    assert value(counted(tally), "questions_total") == 2


@pytest.mark.parametrize(
    ("by", "who"), [("", "hand"), ("red", "player"), ("arbiter", "arbiter"), ("referee", "referee")]
)
def test_who_took_back(tally: Tally, by: str, who: str) -> None:
    played = shown(Entry("action", "a2-a3"))
    step(tally, played, played)
    step(tally, played, shown(Entry("action", "a2-a3"), Entry("takeback", "1", by)))
    assert labelled(tally, "takebacks") == {who: 1}


def test_labels_do_not_grow_without_bound(tally: Tally) -> None:
    step(tally, shown(), shown())
    log = [Entry("action", "a2-a3", source="s0")]
    for n in range(1, MOST_LABELS + 9):
        log += [Entry("takeback", "1"), Entry("action", "a2-a3", source=f"s{n}")]
        step(tally, shown(), shown(*log))
    found = labelled(tally, "actions")
    assert len(found) == MOST_LABELS + 1
    assert found[OTHER] == 9


def test_a_watcher_that_fails_does_not_end_the_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Handled) -> None:
        raise ValueError("no")

    with Table(Desk(open_store(tmp_path / "games.db")), watch=fail) as table:
        assert table.ask(NewGame("triune")).ok
        assert table.ask(Submit("a2-a3")).ok
    assert "a listener failed at Handled" in caplog.text


@pytest.mark.parametrize(("text", "degrees"), [("51540\n", 51.54), ("", None), ("hot", None), (None, None)])
def test_the_temperature_of_the_processor(tmp_path: Path, text: str | None, degrees: float | None) -> None:
    if text is not None:
        (tmp_path / "temp").write_text(text)
    assert read_temperature(tmp_path / "temp") == degrees


def test_a_scrape_beside_play_is_whole(app: Flask, table: Table) -> None:
    """While the table counts, who collects reads counts that belong together."""
    assert table.ask(NewGame("triune")).ok
    done = threading.Event()

    def play() -> None:
        for _ in range(20):
            table.ask(Submit("a2-a3"))
            table.ask(TakeBack(1, "red"))
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    seen = []
    while not done.is_set():
        found = samples(app)
        seen.append(
            (value(found, "actions_total", source="tablet"), value(found, "takebacks_total", by="player"))
        )
    thread.join()
    assert all(0 <= played - back <= 1 for played, back in seen)
    assert seen == sorted(seen)
