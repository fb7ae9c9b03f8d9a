"""What leaves over every channel of two games that differ in one player's secrets: the same bytes.

Two games of Magnet are played alike on two tables; Red's set-ups differ in two pieces. As long as all that
the rules let others know is equal, every answer to Blue, to a spectator and to the arbiter is equal too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from web_clients import OPEN, Client

from companion import games
from companion.games.text import read_game
from companion.record.session import Session
from companion.table.desk import Desk
from companion.table.messages import NewGame, SightingArrived, Submit
from companion.table.table import Table
from tests.companion.sensor import Sensor
from tests.stores import open_store
from web import Services, create_app
from web.routes.auth import seat_link

RULES = games.rules("magnet")
OFTEN = ("state",)
LOOKING = (
    "games", "board", "records", "records/1", "records/1/board", "records/1/0.svg",
    "records/1/3.svg", "records/1/export/text", "records/1/export/record", "records/1/export/abstract",
    "records/1/3.png", "records/1/export/gif", "records/1/export/pdf",
    "openapi.json", "picture.jpg", "seen-places", *(f"positions/{n}" for n in range(0, 13, 2)),
)  # fmt: skip
PLIES = 12


@dataclass
class House:
    """A table and who looks at it over the network, each with a standing of its own."""

    table: Table
    viewers: dict[str, Client]

    @property
    def session(self) -> Session:
        assert self.table.snapshot.session
        return self.table.snapshot.session

    def sent(self, viewer: str, tried: str, paths: tuple[str, ...]) -> list[tuple[int, bytes]]:
        """All that a viewer can get: every page, the stream, and what becomes of acting out of place."""
        client = self.viewers[viewer]
        answers = [client.get(f"/api/v1/{path}") for path in paths]
        stream = client.get("/api/v1/events", buffered=False)
        chunks = iter(stream.response)
        first = [next(chunks), next(chunks)]
        stream.close()
        answers.append(client.get(f"/api/v1/judge?action={tried}"))
        answers.append(client.post("/api/v1/actions", {"action": tried}))
        answers.append(client.post("/api/v1/answers", {"question": 1, "choice": [tried]}))
        return [*((answer.status_code, answer.data) for answer in answers), *((200, part) for part in first)]


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[tuple[House, House]]:
    with ExitStack() as stack:
        yield house(stack, tmp_path / "a.db"), house(stack, tmp_path / "b.db")


def house(stack: ExitStack, path: Path) -> House:
    table = stack.enter_context(Table(Desk(open_store(path), wall=lambda: 0.0)))
    services = Services(store=open_store(path), clock=lambda: 0.0, wall=lambda: 0.0)
    app = create_app(table, OPEN, services)
    assert table.ask(NewGame("magnet")).ok
    clients = {name: Client(app, f"10.0.0.{n}", "10.0.0.1") for n, name in enumerate(("", "arbiter", "blue"))}
    assert clients["arbiter"].post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    with app.test_request_context(base_url="http://10.0.0.1"):
        token = seat_link("blue").partition("#")[2]
    assert clients["blue"].post("/api/v1/session/seat", {"token": token}).status_code == 200
    for client in clients.values():
        client.get("/api/v1/session")
    return House(table, clients)


def begin_alike(houses: tuple[House, House], chance: Random) -> None:
    """Red sets up in two ways that differ in two pieces; Blue in one."""
    red, blue = (list(RULES.set_up(houses[0].session.position, chance)[1:]) for _ in "ab")  # type: ignore[attr-defined]
    other = list(red)
    i, j = chance.sample([n for n, letter in enumerate(red) if letter != "K"], 2)
    other[i], other[j] = other[j], other[i]
    for house, letters in zip(houses, (red, other), strict=True):
        assert house.table.ask(Submit("=" + "".join(letters), "red")).ok
        assert house.table.ask(Submit("=" + "".join(blue), "blue")).ok


def alike(houses: tuple[House, House], viewer: str | None) -> bool:
    """Whether the rules let the viewer know the same of both games, so far as they have gone."""
    positions = (house.session.positions() for house in houses)
    return all(RULES.view(a, viewer) == RULES.view(b, viewer) for a, b in zip(*positions, strict=True))


def play_alike(houses: tuple[House, House], chance: Random) -> bool:
    """The same action in both games; False when there is none, or one tells them apart."""
    first, second = (list(RULES.legal(house.session.position)) for house in houses)
    both = [action for action in first if action in second and action != "declare"]
    if not both or houses[0].session.outcome:
        return False
    action = chance.choice(both)
    return all(house.table.ask(Submit(action)).ok for house in houses)


def compare(houses: tuple[House, House], seed: int) -> int:
    chance, compared = Random(seed), 0
    begin_alike(houses, chance)
    for n in range(PLIES):
        if not alike(houses, "blue") or not alike(houses, None):
            break
        owner = houses[0].session.position.to_act
        red = [place for place, look in RULES.look(houses[0].session.position).items() if look == "red"]
        tried = f"{chance.choice(red)}+"
        paths = OFTEN if n % 4 else OFTEN + LOOKING
        for viewer in houses[0].viewers:
            if viewer == owner == "blue":
                continue
            a, b = (house.sent(viewer, tried, paths) for house in houses)
            assert a == b, (viewer, tried)
            compared += 1
        if not play_alike(houses, chance):
            break
    return compared


def test_that_a_player_is_asked_is_told_to_nobody_else(houses: tuple[House, House]) -> None:
    """In one game Red is asked about a promotion that the piece could have; in the other it is a king."""
    for house, red in zip(houses, ("=K222333444tT", "=22K2333444tT"), strict=True):
        for action in (red, "=K222333444tT", "@f4"):
            assert house.table.ask(Submit(action)).ok
        sensor = Sensor(read_game("magnet"))
        for looks in (RULES.look(house.session.position), moved(house.session, "a4")):
            sensor.looks = dict(looks)
            for _ in range(30):
                house.table.ask(SightingArrived(sensor.sight()))
    assert [house.session.actions[-1] for house in houses] == ["a4", "a4"]
    assert [house.table.snapshot.question_to("red") is None for house in houses] == [False, True]
    for viewer in houses[0].viewers:
        asked, unasked = (house.sent(viewer, "j7+", (*OFTEN, *LOOKING)) for house in houses)
        assert asked == unasked, viewer


def moved(session: Session, action: str) -> Mapping[str, str]:
    """What stands on the board after an action."""
    return RULES.look(RULES.play(session.position, action).position)


@pytest.mark.parametrize("seed", range(2))
def test_no_channel_tells_a_secret(houses: tuple[House, House], seed: int) -> None:
    assert compare(houses, seed) > 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 220))
def test_no_channel_tells_a_secret_in_many_games(houses: tuple[House, House], seed: int) -> None:
    assert compare(houses, seed) > 2


@pytest.mark.parametrize(
    ("text", "are"), [("magnet", True), ("magnet values=declared", False), ("triune", False)]
)
def test_one_tablet_is_handed_on_only_where_the_companion_knows_secrets(
    table: Table, text: str, are: bool
) -> None:
    assert table.ask(NewGame(text)).ok
    assert Client(create_app(table)).get("/api/v1/session").json["secrets"] is are


ENDINGS = {
    "ruled": [("results", {"winner": ""})],
    "resigned": [("resignations", {"player": "red"})],
    "agreed": [("draws/offer", {"player": "red"}), ("draws/accept", {"player": "blue"})],
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_end_that_tells_all_stands(houses: tuple[House, House], ending: str) -> None:
    """The arbiter can tell the worlds apart only when nothing more is played in either."""
    chance = Random(7)
    begin_alike(houses, chance)
    assert all(play_alike(houses, chance) for _ in range(3))
    before = [house.viewers["arbiter"].state() for house in houses]
    for house in houses:
        arbiter = house.viewers["arbiter"]
        for path, body in ENDINGS[ending]:
            assert arbiter.post(f"/api/v1/{path}", body).status_code == 200
    over = [house.viewers["arbiter"].state() for house in houses]
    assert before[0] == before[1]
    assert over[0]["pieces"] != over[1]["pieces"]
    action = RULES.legal(houses[0].session.position)
    tried = [
        *(("takebacks", {"count": count}) for count in (1, 2, 5)),
        ("redos", {}),
        ("corrections", {"looks": before[0]["pieces"], "turn": "red"}),
        ("actions", {"action": next(iter(action))}),
    ]
    for path, body in tried:
        answers = [house.viewers["arbiter"].post(f"/api/v1/{path}", body) for house in houses]
        assert all(answer.status_code in (403, 409) for answer in answers), path
        assert answers[0].data == answers[1].data
    after = [house.viewers["arbiter"].state() for house in houses]
    assert [state["state"] for state in after] == ["over", "over"]
    assert [state["can_undo"] for state in after] == [False, False]
