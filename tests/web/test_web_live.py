"""The live stream: the whole state at once, then only the newest; capped, ended, free of secrets."""

from __future__ import annotations

import http.client
import json
import socket
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from flask import Flask
from web_clients import OPEN, Client, Clock, serving

from companion.language import ENGLISH
from companion.table.messages import CloseGame, NewGame, Submit, TakeBack
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web import Services, Settings, create_app
from web.routes.auth import Caller
from web.routes.live import event, follow
from web.server.connection import LOOK
from web.server.context import Context

HOME = Caller("home")


@dataclass(frozen=True)
class Event:
    """What a browser makes of one block of a stream."""

    kind: str
    data: str
    id: str = ""


def parse(stream: bytes) -> list[Event]:
    """The events of a stream, as the standard reads them."""
    found = []
    for block in stream.decode().split("\n\n"):
        lines = [line.partition(":") for line in block.split("\n") if line and not line.startswith(":")]
        values = {name: value.removeprefix(" ") for name, _, value in lines}
        if "data" in values:
            found.append(Event(values.get("event", "message"), values["data"], values.get("id", "")))
    return found


@dataclass
class Script:
    """A table at which each look finds the next snapshot, or the same one where there is None."""

    later: list[Snapshot | None]
    clock: Clock = field(default_factory=Clock)
    newest: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        self.clock.now += LOOK
        self.newest = (self.later.pop(0) if self.later else None) or self.newest
        assert self.newest
        return self.newest

    @property
    def is_open(self) -> bool:
        return bool(self.later)

    def listen(self, listener: Any) -> None:
        """Nobody waits."""

    def ask(self, message: Any, timeout: float = 1.0) -> Any:
        raise AssertionError(message)


def read(
    table: Any, settings: Settings | None = None, services: Services | None = None, who: Caller = HOME
) -> list[Event]:
    shared = Context(table, settings or Settings(), services or Services())
    return parse(b"".join(follow(shared, who)))


def test_a_stream_begins_with_the_whole_state_and_beats_in_silence(playing: Table) -> None:
    first = playing.snapshot
    assert playing.ask(Submit("a3-a4", "red")).ok
    script = Script([first, None, None, playing.snapshot])
    events = read(script, Settings(heartbeat=2 * LOOK), Services(clock=script.clock))
    assert [e.kind for e in events] == ["beat", "state", "beat", "state"]
    assert [len(json.loads(e.data)["moves"]) for e in (events[1], events[3])] == [2, 3]
    assert len({events[1].id, events[3].id, ""}) == 3


def test_a_comment_and_the_retry_time_come_first(playing: Table) -> None:
    stream = follow(Context(playing, Settings(), Services()), HOME)
    assert next(stream).startswith(b": ")


def test_only_the_newest_snapshot_counts(playing: Table) -> None:
    shared = Context(playing, Settings(), Services())
    stream = follow(shared, HOME)
    next(stream), next(stream)
    for action in ("a3-a4", "a7-a6", "b1~"):
        assert playing.ask(Submit(action)).ok
    (newest,) = parse(next(stream))
    assert len(json.loads(newest.data)["moves"]) == 5


def test_json_stays_on_one_line(playing: Table) -> None:
    assert playing.ask(NewGame("triune", {"red": "two\nlines"})).ok
    (only,) = parse(event(Context(playing, Settings(), Services()).show(playing.snapshot, None, ENGLISH)))
    assert json.loads(only.data)["head"]["red"] == "two\nlines"


def test_a_stream_ends_after_its_time(playing: Table) -> None:
    clock = Clock()
    settings = Settings(stream_seconds=60, heartbeat=2 * LOOK)
    shared = Context(Script([playing.snapshot, *[None] * 9], clock), settings, Services(clock=clock))
    stream = follow(shared, HOME)
    assert [bool(next(stream)) for _ in range(4)] == [True, True, False, True]
    clock.now += 61
    assert list(stream) == []


def test_a_seat_and_its_view_end_with_the_game(playing: Table) -> None:
    seated = Caller("spectator", "red", playing.snapshot.number)
    first = playing.snapshot
    assert playing.ask(NewGame("triune")).ok
    events = read(Script([first, playing.snapshot]), who=seated)
    legal = [len(json.loads(e.data)["legal"]) for e in events if e.kind == "state"]
    assert legal[0] > 0
    assert legal[1] == 0


def test_only_those_who_may_act_are_sent_what_they_may_play(playing: Table) -> None:
    for who, some in ((HOME, True), (Caller("arbiter"), True), (Caller("spectator"), False)):
        _, first = read(Script([playing.snapshot]), who=who)
        assert bool(json.loads(first.data)["legal"]) is some


def test_secrets_are_shown_only_to_their_seat(table: Table) -> None:
    assert table.ask(NewGame("magnet setup=random")).ok
    snapshot = table.snapshot
    assert HOME.viewer(snapshot) is None
    assert Caller("arbiter").viewer(snapshot) is None
    assert Caller("home", "red", snapshot.number).viewer(snapshot) == "red"
    assert table.ask(CloseGame()).ok
    assert Caller("home", "red", snapshot.number).viewer(table.snapshot) == "arbiter"


class Display:
    """A browser that listens."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._connection = http.client.HTTPConnection(*address, timeout=60)
        self._connection.request("GET", "/api/v1/events")
        self.answer = self._connection.getresponse()

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self._connection.close()

    def state(self) -> dict[str, Any]:
        """The next state that comes."""
        while line := self.answer.readline():
            if line.startswith(b"data: {"):
                found: dict[str, Any] = json.loads(line[6:])
                return found
        raise EOFError


def test_over_the_real_server(playing: Table) -> None:
    app = create_app(playing, Settings(port=0, streams=3))
    with serving(app) as address, Display(address) as display:
        header = display.answer.getheader
        assert header("Content-Type", "").startswith("text/event-stream")
        assert (header("Cache-Control"), header("X-Accel-Buffering")) == ("no-cache", "no")
        assert len(display.state()["moves"]) == 2
        playing.post(Submit("a3-a4", "red"))
        assert len(display.state()["moves"]) == 3


def test_what_a_display_does_not_read_is_not_kept_for_it(playing: Table) -> None:
    """One never reads; another is told all along. Then the first one reads on, and soon has the newest."""
    app = create_app(playing, Settings(port=0, streams=3))
    with serving(app) as (host, port), Display((host, port)) as reads:
        stalled = socket.create_connection((host, port))
        stalled.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for n in range(400):
            playing.ask(TakeBack() if n % 2 else Submit("a3-a4", "red"))
            while len(reads.state()["moves"]) != (2 if n % 2 else 3):
                pass
        playing.ask(Submit("a3-a4", "red"))
        playing.ask(Submit("a7-a6", "blue"))
        stalled.settimeout(60)
        kept = 0
        with stalled, stalled.makefile("rb") as lines:
            while len(json.loads(next(x for x in lines if x.startswith(b"data: {"))[6:])["moves"]) < 4:
                kept += 1
        assert kept < 350


def test_too_many_displays_are_told_to_come_later(playing: Table) -> None:
    app = create_app(playing, Settings(port=0, streams=2))
    with serving(app) as address, Display(address) as stays:
        with Display(address) as leaves, Display(address) as refused:
            assert leaves.answer.status == 200
            assert (refused.answer.status, refused.answer.getheader("Retry-After")) == (503, "10")
        tries_until = monotonic() + 60
        n = 0
        while monotonic() < tries_until:  # a display that left is noticed when it is written to
            playing.ask(TakeBack() if n % 2 else Submit("a3-a4", "red"))
            stays.state()
            n += 1
            with Display(address) as again:
                if again.answer.status == 200:
                    break
        else:
            raise AssertionError("the place of a display that left is never given to another")


def test_the_stream_of_a_spectator_on_another_machine(opened: Flask) -> None:
    guest = Client(opened, "10.0.0.9", "10.0.0.1")
    answer = guest.get("/api/v1/events", buffered=False)
    chunks = iter(answer.response)
    next(chunks)
    (first,) = parse(next(chunks))
    assert json.loads(first.data)["legal"] == []
    answer.close()
    assert OPEN.is_open
