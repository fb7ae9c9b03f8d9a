"""A game that a round has for a table: it waits until none is on, begins once, and is not proposed again."""

from collections.abc import Mapping

import pytest

from companion.table import messages as m
from companion.table.desk import Desk
from tests.shown import present
from tests.stores import open_store

HEAD = {
    "red": "Ann", "blue": "Bo", "event": "Club", "round": "3", "place": "Hall A", "board": "7",
    "clock": "10+5", "pairing": "p3-7",
}  # fmt: skip
SHOWN = {"title": "Triune", "players": ["Ann", "Bo"], "event": "Club", "round": "3", "clock": "10+5"}


@pytest.fixture
def desk() -> Desk:
    return Desk(open_store(), wall=lambda: 1_000.0)


def tell(desk: Desk, *messages: m.Message) -> m.Reply:
    for message in messages:
        reply, _ = desk.handle(message)
    return reply


def shown(desk: Desk) -> Mapping[str, object] | None:
    proposal: Mapping[str, object] | None = present(desk.snapshot)["proposal"]
    return proposal


def test_it_begins_with_its_names_and_its_clock(desk: Desk) -> None:
    assert tell(desk, m.Propose("triune", HEAD)).ok
    assert shown(desk) == SHOWN
    assert tell(desk, m.BeginProposed()).ok
    assert desk.snapshot.head == HEAD
    assert desk.snapshot.clock is not None
    assert shown(desk) is None
    assert not tell(desk, m.BeginProposed()).ok


def test_it_waits_while_a_game_is_on(desk: Desk) -> None:
    tell(desk, m.NewGame("triune"), m.Propose("triune", HEAD))
    assert tell(desk, m.BeginProposed()).words == "a game is on: it has to end before the next one begins"
    assert desk.snapshot.number == 1
    assert tell(desk, m.Deed("resign", "red"), m.BeginProposed()).ok
    assert desk.snapshot.number == 2


def test_it_stays_while_others_begin(desk: Desk) -> None:
    tell(desk, m.Propose("triune", HEAD), m.NewGame("triune"), m.CloseGame())
    assert shown(desk) == SHOWN


def test_one_that_was_begun_is_none(desk: Desk) -> None:
    tell(desk, m.Propose("triune", HEAD), m.BeginProposed(), m.CloseGame())
    assert tell(desk, m.Propose("triune", HEAD)).ok
    assert shown(desk) is None
    assert tell(desk, m.Propose("triune", {**HEAD, "pairing": "p4-7"})).ok
    assert shown(desk) == SHOWN


def test_one_whose_game_was_deleted_comes_again() -> None:
    store = open_store()
    desk = Desk(store, wall=lambda: 1_000.0)
    tell(desk, m.Propose("triune", HEAD), m.BeginProposed(), m.CloseGame())
    store.delete(1, 1_000.0)
    tell(desk, m.Propose("triune", HEAD))
    assert shown(desk) == SHOWN


def test_the_next_one_takes_its_place_and_none_withdraws_it(desk: Desk) -> None:
    tell(desk, m.Propose("triune", HEAD), m.Propose("triune", {**HEAD, "round": "4"}))
    assert shown(desk) == {**SHOWN, "round": "4"}
    assert tell(desk, m.Propose()).ok
    assert shown(desk) is None


@pytest.mark.parametrize(
    ("text", "head"), [("ludo", {}), ("triune", {"clock": "soon"}), ("triune first=green", {})]
)
def test_one_that_could_not_begin_is_refused(desk: Desk, text: str, head: dict[str, str]) -> None:
    tell(desk, m.Propose("triune", HEAD))
    assert not tell(desk, m.Propose(text, head)).ok
    assert shown(desk) == SHOWN
