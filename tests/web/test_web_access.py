"""Who may act: passes that end in every copy of a cookie, wrong PINs, clocks that jump, proxies, restarts."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from flask import Flask
from web_clients import OPEN, Client, Clock

from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.messages import NewGame
from companion.table.table import Table
from tests.companion.sensor import Sensor
from web import Services, Settings, create_app
from web.routes.auth import seat_link
from web.server.access import (
    EVERY,
    FILE,
    ITSELF,
    KNOWN,
    MOST_ALIKE,
    NO_PASS,
    OF_ONE,
    SAVED_EVERY,
    WINDOW,
    Access,
    Attempts,
    Pass,
    Passes,
)
from web.server.callers import block_of

DAY = 24 * 3600.0
LASTS = float(OPEN.session_seconds)
PIN = "/api/v1/session/pin"
COOKIE = f"companion-{OPEN.port}"


@dataclass
class House:
    """A server with a folder, which can be started again."""

    folder: Path
    table: Table
    store: Store
    clock: Clock = field(default_factory=Clock)

    def start(self) -> Flask:
        self.clock.now = 1000.0  # it counts anew with each start of the machine
        self.access = Access(self.clock, LASTS, self.folder / FILE)
        return create_app(self.table, OPEN, Services(store=self.store, access=self.access, clock=self.clock))


@pytest.fixture
def house(tmp_path: Path, playing: Table, store: Store) -> House:
    return House(tmp_path, playing, store)


def browser(app: Flask, last: str = "20") -> Client:
    return Client(app, f"192.168.1.{last}", "192.168.1.2")


def enter(client: Client, pin: str = "4711") -> int:
    return client.post(PIN, {"pin": pin}).status_code


def cookie(client: Client) -> str:
    found = client.http.get_cookie(COOKIE, domain="192.168.1.2")
    assert found is not None
    return found.value


def role(app: Flask, value: str) -> str:
    """What somebody with this cookie is here."""
    other = app.test_client()
    other.set_cookie(COOKIE, value, domain="192.168.1.2")
    told = other.get("/api/v1/session", base_url="http://192.168.1.2").get_json()
    return f"{told['role']} {told['seat']}".strip()


def take_seat(app: Flask, client: Client, player: str = "red") -> str:
    with app.test_request_context(base_url="http://192.168.1.2"):
        link = seat_link(player).partition("#")[2]
    assert client.post("/api/v1/session/seat", {"token": link}).status_code == 200
    return link


def test_leaving_ends_every_copy_of_a_cookie(house: House) -> None:
    app = house.start()
    for become in (lambda client: enter(client), lambda client: take_seat(app, client)):
        client = browser(app)
        become(client)
        copied = cookie(client)
        assert role(app, copied) in ("arbiter", "seat red")
        assert client.post("/api/v1/session/leave").get_json()["role"] == "spectator"
        assert role(app, copied) == "spectator"
        assert role(house.start(), copied) == "spectator"


def test_who_has_no_role_writes_nothing_by_leaving(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(house.start())
    assert enter(client) == 200
    copied = cookie(client)
    assert client.post("/api/v1/session/leave").status_code == 200
    written: list[object] = []
    monkeypatch.setattr("web.server.access.write_private", lambda *given: written.append(given))
    client.http.set_cookie(COOKIE, copied, domain="192.168.1.2")
    for _ in range(3):
        assert client.post("/api/v1/session/leave").status_code == 200
    assert written == []


def test_roles_survive_a_restart(house: House) -> None:
    app = house.start()
    arbiter, seat = browser(app), browser(app)
    assert enter(arbiter) == 200
    take_seat(app, seat)
    again = house.start()
    assert (role(again, cookie(arbiter)), role(again, cookie(seat))) == ("arbiter", "seat red")


def test_two_companions_on_one_machine_leave_each_other_s_browser_its_role(house: House) -> None:
    """A browser sends its cookies to every port of a machine."""
    client = browser(house.start())
    assert enter(client) == 200
    other = Client(create_app(house.table, replace(OPEN, port=OPEN.port + 1)), "192.168.1.20", "192.168.1.2")
    assert enter(other) == 200
    client.http._cookies |= other.http._cookies  # type: ignore[attr-defined]
    assert client.get("/api/v1/session").get_json()["role"] == "arbiter"


def test_a_cookie_from_before_the_pin_has_no_role(house: House) -> None:
    app = house.start()
    client = browser(app)
    before = cookie(client)
    assert enter(client) == 200
    assert (role(app, before), role(app, cookie(client))) == ("spectator", "arbiter")


def test_another_pin_ends_the_arbiters_session(house: House) -> None:
    client = browser(house.start())
    assert enter(client) == 200
    access = Access(house.clock, LASTS, house.folder / FILE)
    services = Services(store=house.store, access=access)
    other = Settings(host="0.0.0.0", pin="1234", secret=OPEN.secret)
    assert role(create_app(house.table, other, services), cookie(client)) == "spectator"
    assert role(create_app(house.table, OPEN, services), cookie(client)) == "arbiter"


def test_a_stream_ends_with_its_pass(house: House) -> None:
    app = house.start()
    client = browser(app)
    take_seat(app, client)
    stream = client.get("/api/v1/events", buffered=False).response
    events = iter(stream)
    next(events), next(events)  # the beginning, and the state
    assert client.post("/api/v1/session/leave").status_code == 200
    assert house.table.ask(NewGame("triune")).ok
    assert list(events) == []


def test_what_is_begun_is_undone_by_whose_turn_it_is(playing: Table, opened: Flask) -> None:
    """The piece on b7 was turned by Blue, and Red has one in the hand."""
    red, blue = (Client(opened, f"192.168.1.{n}", "192.168.1.2") for n in (40, 41))
    take_seat(opened, red, "red")
    take_seat(opened, blue, "blue")
    sensor = Sensor(playing.snapshot.session.game)  # type: ignore[union-attr]
    sensor.looks = dict(playing.snapshot.session.look)  # type: ignore[union-attr]
    for _ in range(8):
        playing.ask(m.SightingArrived(sensor.sight()))
    del sensor.looks["c2"]
    for _ in range(60):
        playing.ask(m.SightingArrived(sensor.sight()))
    assert red.state()["verdict"]["kind"] == "unfinished"
    assert red.post("/api/v1/takebacks").status_code == 200
    assert (red.state()["verdict"]["kind"], red.state()["plies"]) == ("restore", 2)
    assert red.post("/api/v1/takebacks").status_code == 403
    assert blue.post("/api/v1/takebacks").status_code == 200
    assert red.state()["plies"] == 1


def test_old_links_and_cookies_seat_nobody_after_the_games_were_deleted(tmp_path: Path) -> None:
    seen = []
    cookies, links = [], []
    for _ in range(2):
        with Store(tmp_path / "games.sqlite") as store, Table(Desk(store)) as table:
            assert table.ask(NewGame("triune")).ok
            house = House(tmp_path, table, store)
            app = house.start()
            client = browser(app)
            seen.append(table.snapshot.number)
            if links:
                assert role(app, cookies[0]) == "spectator"
                old = client.post("/api/v1/session/seat", {"token": links[0]})
                assert (old.status_code, old.get_json()["error"]) == (
                    403,
                    "this link belongs to an earlier game: scan the code again",
                )
            links.append(take_seat(app, client))
            cookies.append(cookie(client))
            assert role(app, cookies[-1]) == "seat red"
        for file in tmp_path.glob("games.sqlite*"):
            file.unlink()
    assert seen == [1, 1]  # the number came again, and seats nobody


@pytest.mark.parametrize("years", [-50, -10, 10, 50])
def test_a_jump_of_the_clock_logs_nobody_out(
    house: House, years: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = house.start()
    arbiter, seat = browser(app), browser(app)
    assert enter(arbiter) == 200
    take_seat(app, seat)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + years * 365 * DAY)
    for server in (app, house.start()):
        assert (role(server, cookie(arbiter)), role(server, cookie(seat))) == ("arbiter", "seat red")
    answer = arbiter.get("/")
    assert f"Max-Age={14 * 24 * 3600}" in answer.headers["Set-Cookie"]
    monkeypatch.setattr(time, "time", lambda: now)
    assert role(app, cookie(arbiter)) == "arbiter"


def test_an_answer_that_is_late_brings_no_old_cookie_back(house: House) -> None:
    """Pictures are asked for all the time: one answered after a seat was taken must not undo that."""
    client = browser(house.start())
    client.get("/api/v1/session")
    for path in ("/api/v1/state", "/api/v1/session", "/api/v1/board", "/api/v1/records"):
        assert "Set-Cookie" not in client.get(path).headers, path
    empty = client.get("/nowhere", headers={"Accept": "text/html"})  # as a picture that is not there yet
    assert empty.mimetype == "text/html"
    assert "Set-Cookie" not in empty.headers
    assert "Set-Cookie" in client.get("/").headers


def test_a_role_ends_after_two_weeks_without_use_in_all_runs_together(house: House) -> None:
    app = house.start()
    used, unused = browser(app), browser(app)
    assert (enter(used), enter(unused)) == (200, 200)
    for _ in range(15):
        app = house.start()
        house.clock.now += DAY
        assert role(app, cookie(used)) == "arbiter"
        house.access.save()
    assert (role(app, cookie(used)), role(app, cookie(unused))) == ("arbiter", "spectator")


def test_the_time_that_passed_is_saved_now_and_then(tmp_path: Path) -> None:
    clock = Clock()
    access = Access(clock, LASTS, tmp_path / FILE)
    access.find("")
    assert not (tmp_path / FILE).exists()
    clock.now += SAVED_EVERY
    access.find("")
    assert Access(clock, LASTS, tmp_path / FILE).ran() == SAVED_EVERY


@pytest.mark.parametrize(
    "damaged",
    [
        "",
        "{",
        "[]",
        "7",
        '{"passes": 7}',
        '{"passes": {"a": {"used": "x"}}}',
        '{"ran": "x"}',
        '{"attempts": {"known": 1}}',
        "[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / FILE).write_text(damaged)
    access = Access(Clock(), LASTS, tmp_path / FILE)
    name = access.passes.give(Pass("red", 1, "s"))
    access.save()
    assert Access(Clock(), LASTS, tmp_path / FILE).holds(name)
    assert (tmp_path / f"{FILE}.damaged").read_text() == damaged
    assert "take a seat anew" in caplog.text
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_a_disk_that_takes_nothing_takes_no_seat_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("web.server.access.write_private", fail)
    access = Access(Clock(), LASTS, tmp_path / FILE)
    name = access.passes.give(Pass("red", 1, "s"))
    access.save()
    assert access.holds(name)
    assert "No space left" in caplog.text


def test_one_seat_has_so_many_passes_at_once() -> None:
    clock = Clock()
    passes = Passes(clock, LASTS)
    arbiter = passes.give(Pass(mark="m"))
    names = []
    for _ in range(MOST_ALIKE + 3):
        clock.now += 1
        names.append(passes.give(Pass("red", 1, "s")))
    assert [passes.find(name) == NO_PASS for name in names] == [True] * 3 + [False] * MOST_ALIKE
    assert passes.find(arbiter) != NO_PASS


def test_wrong_pins_are_limited_and_the_right_one_comes_too_late(house: House) -> None:
    app = house.start()
    guest = browser(app, "9")
    assert [enter(guest, str(n)) for n in range(6)] == [403] * 5 + [429]
    late = guest.post(PIN, {"pin": "4711"})
    assert late.status_code == 429
    assert int(late.headers["Retry-After"]) == 300
    assert late.get_json()["error"] == "too many wrong PINs: wait 5 minutes"
    assert enter(browser(app, "8")) == 200
    house.clock.now += 301
    assert enter(guest) == 200


def test_attempts_survive_a_restart(house: House) -> None:
    guest = browser(house.start(), "9")
    assert [enter(guest, str(n)) for n in range(5)] == [403] * 5
    app = house.start()
    assert enter(browser(app, "9")) == 429
    house.clock.now += 301
    assert enter(browser(app, "9")) == 200


def test_strangers_who_guess_do_not_shut_the_arbiter_out(house: House) -> None:
    app = house.start()
    arbiter = browser(app, "30")
    assert enter(arbiter) == 200
    for n in range(10):
        guest = browser(app, f"10{n}")
        assert [enter(guest, "0000") for _ in range(OF_ONE)] == [403] * OF_ONE
    assert enter(browser(app, "31")) == 429  # a stranger has to wait
    for again in (app, house.start()):
        assert enter(browser(again, "30")) == 200  # not who was right before
        assert enter(Client(again, "127.0.0.1")) == 200  # nor the machine itself
    house.clock.now += EVERY
    assert enter(browser(app, "31")) == 200


def test_a_proxy_has_the_attempts_of_one_stranger(house: House) -> None:
    app = house.start()
    proxied = Client(app, "127.0.0.1")
    codes = [proxied.post(PIN, {"pin": "0"}, X_Forwarded_For=f"10.0.0.{n}").status_code for n in range(6)]
    assert codes == [403] * 5 + [429]
    assert enter(Client(app, "127.0.0.1")) == 200


@pytest.mark.parametrize(
    ("address", "block"),
    [
        ("10.0.0.9", "10.0.0.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.9", "10.0.0.9"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("no address", "no address"),
    ],
)
def test_a_device_with_many_addresses_counts_once(address: str, block: str) -> None:
    assert block_of(address) == block


def most_in_a_day(addresses: list[str], known: tuple[str, ...] = ()) -> int:
    """How many guesses are compared in the second day, if all addresses try as often as they may."""
    clock = Clock()
    attempts = Attempts(clock)
    for address in known:
        assert attempts.take(address) == 0
        attempts.succeed(address)
    count = 0
    end = clock.now + 2 * DAY
    while clock.now < end:
        waits = [attempts.take(address) for address in addresses]
        count += sum(wait == 0 for wait in waits) if clock.now >= end - DAY else 0
        clock.now += max(min(waits), 1.0)
    return count


def test_how_long_a_pin_holds_is_as_the_documents_say() -> None:
    strangers = most_in_a_day([f"10.0.0.{n}" for n in range(20)])
    assert strangers == DAY / EVERY == 1200
    assert most_in_a_day([ITSELF]) == OF_ONE * DAY / WINDOW == 1440
    assert most_in_a_day(["10.0.0.1"], known=("10.0.0.1",)) == 1440
    told = " ".join((Path(__file__).parents[2] / "docs" / "privacy.md").read_text().split())
    assert f"{strangers:,} guesses a day" in told
    for digits in (4, 6, 8):
        share, days = 100 * strangers / 10**digits, 10**digits / 2 / strangers
        assert f"| {digits} digits | {share:g} % | {days:,.0f} days |" in told


def test_few_addresses_are_remembered() -> None:
    attempts = Attempts(Clock())
    for n in range(KNOWN + 5):
        attempts.take(str(n))
        attempts.succeed(str(n))
    assert list(attempts.kept().known) == [str(n) for n in range(5, KNOWN + 5)]


def test_the_pin_is_in_no_file_and_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    app = house.start()
    client = browser(app)
    assert [enter(client, "4712"), enter(client)] == [403, 200]
    kept = json.loads((house.folder / FILE).read_text())
    assert [entry["mark"] != "" for entry in kept["passes"].values()] == [True]
    assert not re.search(r"\b471[12]\b", (house.folder / FILE).read_text() + caplog.text)


@pytest.mark.parametrize(
    ("headers", "is_home"),
    [
        ({}, True),
        ({"Accept-Language": "de"}, True),
        ({"X-Forwarded-For": "10.0.0.9"}, False),
        ({"X-Forwarded-Proto": "https"}, False),
        ({"X-Forwarded-Host": ""}, False),
        ({"X-Real-IP": "10.0.0.9"}, False),
        ({"Via": "1.1 squid"}, False),
        ({"Forwarded": "for=10.0.0.9"}, False),
        ({"forwarded": ""}, False),
    ],
)
def test_a_proxy_on_this_machine_makes_nobody_at_home(
    playing: Table, headers: dict[str, str], is_home: bool
) -> None:
    client = create_app(playing, Settings()).test_client()
    told = client.get("/api/v1/session", base_url="http://localhost", headers=headers).get_json()
    assert told["role"] == ("home" if is_home else "spectator")


def test_a_proxy_that_says_nothing_speaks_an_old_protocol(playing: Table) -> None:
    client = create_app(playing, Settings()).test_client()
    old = {"SERVER_PROTOCOL": "HTTP/1.0"}
    told = client.get("/api/v1/session", base_url="http://localhost", environ_overrides=old).get_json()
    assert told["role"] == "spectator"
