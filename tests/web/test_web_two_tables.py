"""One game at two tables: two companions, each with its own store, and a real server between them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from web_clients import PATIENCE_S, Client, serving

from companion.core.game import GameError
from companion.record.opponents import ELSEWHERE
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.table import Table
from tests.stores import open_store
from web import Services, Settings, create_app
from web.runtime.agreement import AtTable
from web.runtime.line import LineError, PeerLine, RefusedError, tidy_address
from web.runtime.other_table import FILE, OtherTable, at_table
from web.server.certificate import self_made


class House:
    """A companion in a folder of its own: its table, its page, and the line."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.table = Table(Desk(open_store(folder / "games.db")))
        self.table.start()
        self.other = OtherTable(self.table, folder / FILE)
        store = open_store(folder / "games.db")
        self.app: Flask = create_app(
            self.table, Settings(port=0), Services(store=store, other_table=self.other)
        )
        self.page = Client(self.app)
        self.other.start()

    def close(self) -> None:
        self.other.stop()
        if self.other._thread:
            self.other._thread.join()  # nothing goes on beside the next test
        self.table.stop()

    @property
    def session(self) -> Any:
        return self.table.snapshot.session

    @property
    def words(self) -> str:
        return next((s.words for s in self.table.snapshot.sources if s.name == "other table"), "")

    def post(self, path: str, **body: Any) -> Any:
        answer = self.page.post(f"/api/v1/{path}", body)
        assert answer.status_code == 200, answer.get_json()
        return answer.get_json()

    def play(self, action: str) -> None:
        self.post("actions", action=action)


def until(is_so: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


def same(a: House, b: House) -> bool:
    plies = (a.session.actions, a.session.outcome), (b.session.actions, b.session.outcome)
    return bool(plies[0] == plies[1])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.runtime.other_table.PERIOD", 0.05)


@pytest.fixture
def host(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "host")
    yield house
    house.close()


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "guest")
    yield house
    house.close()


@pytest.fixture
def address(host: House) -> Iterator[str]:
    with serving(host.app) as (name, port):
        yield f"http://{name}:{port}"


def begin(host: House, guest: House, address: str, game: str, elsewhere: str, **more: Any) -> None:
    name, *options = game.split()
    body = {"game": name, "options": dict(option.split("=") for option in options), **more}
    host.post("games", **body, elsewhere=elsewhere)
    code = host.post("two-tables/codes")["code"]
    guest.post("two-tables/joining", address=address, code=code.lower())


@pytest.fixture
def chess(host: House, guest: House, address: str) -> tuple[House, House]:
    """A game of chess that White has at one table and Black at the other."""
    begin(host, guest, address, "chess", "black", names={"white": "Ann", "black": "Ben"}, clock="10+5")
    return host, guest


def test_what_is_played_at_one_table_is_announced_at_the_other(chess: tuple[House, House]) -> None:
    white, black = chess
    assert black.table.snapshot.head == {**white.table.snapshot.head, ELSEWHERE: "white"}
    white.play("e2e4")
    until(lambda: same(white, black))
    black.play("e7e5")
    until(lambda: same(white, black))
    assert [ply.entry.source for ply in white.session.plies] == ["tablet", "elsewhere"]
    assert white.page.state()["companion"] == {"black": 0}
    assert white.page.state()["legal"]
    assert not black.page.state()["legal"]
    until(lambda: not white.words and not black.words)
    # each clock runs at its own table: what it left is told with the action
    assert white.session.plies[1].entry.clock == black.session.plies[1].entry.clock


def test_a_game_is_played_again_by_a_new_code(chess: tuple[House, House], address: str) -> None:
    white, black = chess
    white.post("resignations", player="white")
    until(lambda: same(white, black))
    white.post("games/again", swapped=True)
    assert white.page.state()["companion"] == {"white": 0}
    line = white.page.get("/api/v1/two-tables").get_json()
    assert (line["invites"], line["code"]) == (True, "")
    code = white.post("two-tables/codes")["code"]
    black.post("two-tables/joining", address=address, code=code)
    black.play("e2e4")
    until(lambda: same(white, black))


def test_nobody_plays_the_seat_at_the_other_table(chess: tuple[House, House]) -> None:
    white, black = chess
    for path, body in (
        ("actions", {"action": "e2e4"}),
        ("resignations", {"player": "white"}),
        ("draws/offer", {"player": "white"}),
        ("corrections", {"looks": {}, "turn": "white"}),
        ("opponents", {"companion": "white=1"}),
    ):
        answer = black.page.post(f"/api/v1/{path}", body)
        assert answer.status_code == 409, path
        assert "table" in answer.get_json()["error"]
    assert white.page.get("/api/v1/invitations").get_json()["seats"].keys() == {"white"}


def test_a_takeback_is_granted_or_refused(chess: tuple[House, House]) -> None:
    white, black = chess
    for n, agrees in enumerate((False, True)):
        if n == 0:
            white.play("e2e4")
            until(lambda: same(white, black))
            black.play("e7e5")
            until(lambda: same(white, black))
        white.post("takebacks")
        assert white.session.actions == ()  # with the reply
        until(lambda: "asks to take back" in black.words)
        until(lambda: "is asked" in white.words)
        asked = black.page.get("/api/v1/two-tables").get_json()
        assert asked["count"] == 2
        black.post("two-tables/answers", wish=asked["wish"], agrees=agrees)
        until(lambda agrees=agrees: same(white, black) and bool(white.session.actions) is not agrees)
        until(lambda: not white.words and not black.words)
    white.play("d2d4")
    until(lambda: same(white, black))
    assert black.session.actions == ("d2d4",)


def test_a_draw_is_offered_declined_and_agreed(chess: tuple[House, House]) -> None:
    white, black = chess
    white.post("draws/offer", player="white")
    until(lambda: black.session.offer == "white")
    black.post("draws/decline", player="black")
    until(lambda: not white.session.offer)
    white.post("draws/offer", player="white")
    until(lambda: black.session.offer == "white")
    black.post("draws/accept", player="black")
    until(lambda: white.session.outcome and same(white, black))
    assert white.session.outcome.winner is None


def test_who_resigns_has_lost_at_both(chess: tuple[House, House]) -> None:
    white, black = chess
    black.post("resignations", player="black")
    until(lambda: white.session.outcome and same(white, black))
    assert white.session.outcome.winner == "white"


def test_a_clock_runs_out_at_its_own_table(host: House, guest: House, address: str) -> None:
    begin(host, guest, address, "chess", "black", clock="0:02")
    host.play("e2e4")
    until(lambda: same(host, guest) and host.session.plies)
    until(lambda: guest.session.outcome)
    until(lambda: same(host, guest))
    assert host.session.outcome.winner == "white"
    assert host.session.log[-1].source == "elsewhere"


def test_a_result_that_an_arbiter_gives_holds_at_both(chess: tuple[House, House]) -> None:
    white, black = chess
    white.play("e2e4")
    white.post("results", winner="")
    until(lambda: black.session.outcome and same(white, black))
    for house in chess:
        assert house.page.post("/api/v1/takebacks", {"count": 0}).status_code == 409


def test_who_resigns_before_an_action_came_has_resigned(chess: tuple[House, House]) -> None:
    white, black = chess
    white.play("e2e4")
    black.post("resignations", player="black")
    until(lambda: white.session.outcome and same(white, black))
    assert white.session.outcome.winner == "white"


LETTERS = "24T2324t343K"


def test_secrets_are_sealed_and_told_after_the_end(host: House, guest: House, address: str) -> None:
    begin(host, guest, address, "magnet values=declared", "blue")
    until(lambda: "not sealed" in host.words)
    for house in (host, guest):
        assert house.page.get("/api/v1/two-tables").get_json()["seal"]
        assert house.page.post("/api/v1/two-tables/seals", {"told": "KKK"}).status_code == 409
        assert not house.post("two-tables/seals", told=LETTERS)["seal"]
    until(lambda: not host.words and not guest.words)
    kept = json.loads(Path(host.other._path).read_text())  # type: ignore[arg-type]
    assert kept["told"] == LETTERS
    assert LETTERS not in Path(guest.other._path).read_text().replace(f'"told":"{LETTERS}"', "")  # type: ignore[arg-type]
    rng = Random(2)
    for _ in range(8):
        until(lambda: same(host, guest))
        position = host.session.position
        house = host if position.to_act == "red" else guest
        house.play(rng.choice([a for a in house.session.rules.legal(position) if not a.endswith("+")]))
    until(lambda: same(host, guest))
    host.post("resignations", player="red")
    until(lambda: "agrees with the game" in host.words and "agrees with the game" in guest.words)


def test_what_was_sealed_and_cannot_have_been_is_told(host: House, guest: House, address: str) -> None:
    begin(host, guest, address, "magnet values=declared", "blue")
    for house in (host, guest):
        house.post("two-tables/seals", told=LETTERS)
    until(lambda: host.other.kept.seal and guest.other.kept.seal)  # type: ignore[union-attr]
    guest.other.kept = guest.other.kept.__class__(**{**guest.other.kept.__dict__, "told": LETTERS[::-1]})  # type: ignore[union-attr]
    host.post("resignations", player="red")
    until(lambda: "does not tell what it had sealed" in host.words)


def test_a_code_is_good_once_and_for_a_while(host: House, guest: House, address: str) -> None:
    host.post("games", game="triune", elsewhere="blue")
    assert guest.page.post("/api/v1/two-tables/codes").status_code == 409
    code = host.post("two-tables/codes")["code"]
    assert (len(code), code.isalpha()) == (6, True)
    until(lambda: "nobody has joined" in host.words)
    wrong = "A" * 6 if code != "A" * 6 else "B" * 6
    for given in (wrong, "", code[:5]):
        answer = guest.page.post("/api/v1/two-tables/joining", {"address": address, "code": given})
        assert answer.status_code == 409
        assert "not the code" in answer.get_json()["error"]
    host.other._code_until = 0.0
    assert (
        guest.page.post("/api/v1/two-tables/joining", {"address": address, "code": code}).status_code == 409
    )
    code = host.post("two-tables/codes")["code"]
    guest.post("two-tables/joining", address=address, code=code)
    assert (
        guest.page.post("/api/v1/two-tables/joining", {"address": address, "code": code}).status_code == 409
    )


def test_codes_are_not_tried_for_long(host: House) -> None:
    host.post("games", game="triune", elsewhere="blue")
    host.post("two-tables/codes")
    stranger = Client(host.app)
    codes = [stranger.post("/api/v1/two-tables/guests", {"code": "AAAAAA"}).status_code for _ in range(7)]
    assert codes == [403] * 5 + [429] * 2


def test_only_the_token_of_the_seat_tells_what_was_done_elsewhere(chess: tuple[House, House]) -> None:
    white, black = chess
    told = black.other._part.tell(AtTable())
    kept = black.other.kept
    assert kept is not None
    assert white.page.post("/api/v1/two-tables/messages", {"told": told.__dict__}).status_code == 403
    bearer = {"Authorization": f"Bearer {kept.token}"}
    assert (
        white.page.post("/api/v1/two-tables/messages", {"told": {"no": "message"}}, **bearer).status_code
        == 400
    )
    assert white.page.post("/api/v1/games", {"game": "triune"}, **bearer).status_code == 403
    assert white.table.ask(m.NewGame("triune")).ok
    assert (
        white.page.post("/api/v1/two-tables/messages", {"told": told.__dict__}, **bearer).status_code == 409
    )


@pytest.mark.parametrize(("game", "options"), [("queens", {}), ("magnet", {}), ("trid", {"players": "3"})])
def test_games_that_two_tables_cannot_play(host: House, game: str, options: dict[str, str]) -> None:
    seat = "solver" if game == "queens" else "red"
    body = {"game": game, "options": options, "elsewhere": seat}
    assert host.page.post("/api/v1/games", body).status_code == 400


def test_a_certificate_is_known_again(host: House, guest: House, tmp_path: Path) -> None:
    certificate = self_made(tmp_path / "tls")
    app = create_app(
        host.table,
        Settings(port=0, certificate=certificate),
        host.page.http.application.extensions["companion"].services,
    )
    with serving(app) as (name, port):
        begin(host, guest, f"{name}:{port}", "triune", "blue")
        assert guest.other.kept is not None
        assert guest.other.kept.pin == certificate.fingerprint
        assert guest.page.get("/api/v1/two-tables").get_json()["fingerprint"] == certificate.fingerprint
        host.play("a2-a3")
        until(lambda: same(host, guest))
        with pytest.raises(LineError, match="another certificate"):
            PeerLine(f"https://{name}:{port}", pin="AB:CD").get("session")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20:8000", "https://192.168.1.20:8000"),
        (" https://board.local/ ", "https://board.local"),
        ("http://localhost:8000/table", "http://localhost:8000"),
        ("https://[fe80::1]:8000", "https://[fe80::1]:8000"),
    ],
)
def test_an_address_is_tidied(text: str, address: str) -> None:
    assert tidy_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "http://192.168.1.20", "ftp://localhost", "https://a@b", "https://x:y", "file:///etc/passwd"]
)
def test_an_address_that_is_none(text: str) -> None:
    with pytest.raises(GameError, match="an address is written"):
        tidy_address(text)


def test_a_line_that_is_not_there(address: str) -> None:
    with pytest.raises(LineError, match="not reached"):
        PeerLine("https://127.0.0.1:1").get("session")
    with pytest.raises(RefusedError, match="no such page"):
        PeerLine(address).get("nowhere")


def test_a_damaged_file_is_left(tmp_path: Path, table: Table) -> None:
    (tmp_path / FILE).write_text("{")
    assert OtherTable(table, tmp_path / FILE).kept is None


def test_a_table_tells_what_stands_there(table: Table) -> None:
    assert table.ask(m.NewGame("chess e2e4")).ok
    assert table.ask(m.Deed("offer", "white")).ok
    at = at_table(table.snapshot, "white")
    assert at == AtTable(plies=("white e2e4",), offers=(1, 0))
    assert table.ask(m.Deed("decline", "black")).ok
    assert table.ask(m.Submit("e7e5")).ok
    assert at_table(table.snapshot, "white").offers == (0, 0)
    assert table.ask(m.Deed("offer", "white")).ok
    assert table.ask(m.Submit("g1f3")).ok
    assert at_table(table.snapshot, "white").offers == (1, 0)
    assert at_table(table.snapshot, "black").offers == (0, 1)
    assert table.ask(m.Deed("accept", "black")).ok
    assert at_table(table.snapshot, "white").ending == "accept black"


def test_what_cannot_be_kept_is_not_told(chess: tuple[House, House], monkeypatch: pytest.MonkeyPatch) -> None:
    white, black = chess
    until(lambda: not white.words and not black.words)

    tried: list[Path] = []

    def fails(path: Path, content: bytes) -> None:
        tried.append(path)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("web.runtime.other_table.write_private", fails)
        white.play("e2e4")
        until(lambda: len(tried) > 5)
        assert black.session.actions == ()
    until(lambda: same(white, black))
    with monkeypatch.context() as full:
        full.setattr("web.runtime.other_table.write_private", fails)
        assert OtherTable(white.table, white.other._path).kept is None


def test_two_that_need_the_line_at_once_start_it_once(host: House, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []

    class Slow(threading.Thread):
        """While it starts, the table has news."""

        def start(self) -> None:
            if self.name == "other table":
                started.append(self)
                if len(started) == 1:
                    news.start()
                    news.join(0.2)
            super().start()

    news = threading.Thread(target=lambda: host.other._follow(host.table.snapshot))
    monkeypatch.setattr("threading.Thread", Slow)
    host.post("games", game="triune", elsewhere="blue")
    host.post("two-tables/codes")
    news.join()
    assert len(started) == 1


def test_both_go_on_after_a_new_start(tmp_path: Path, host: House, address: str) -> None:
    guest = House(tmp_path / "again")
    begin(host, guest, address, "triune", "blue")
    host.play("a2-a3")
    until(lambda: same(host, guest))
    guest.close()
    guest = House(tmp_path / "again")
    assert guest.table.ask(m.OpenGame(1)).ok
    guest.play("b7~")
    until(lambda: same(host, guest))
    assert len(host.session.plies) == 2
    guest.close()
