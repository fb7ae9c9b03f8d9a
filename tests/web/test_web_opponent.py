"""The companion plays: whole games against it, hints in practice, and who may hand seats over."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pypdf import PdfReader
from web_clients import LITTLE_THOUGHT, OPEN, Client, until

from benchmarks.simulation.direct_thinker import DirectThinker
from companion.record.session import Session
from companion.store.store import Store
from companion.table import messages as m
from companion.table.table import Table
from opponent.mind import Choice, Question, ask, choose
from opponent.thinker import Tell, Thinks
from web import Services, create_app
from web.drawing import chances
from web.runtime.look_back import LookBacks
from web.runtime.opponent import Hints, OpponentSeats

GAMES = (
    "triune", "chess", "magnet", "trid", "trid players=3", "escape", "ternion_factor", "ternion_spaces",
    "teleporters", "draughts", "draughts variant=international",
)  # fmt: skip


def at_rest(seats: str) -> Callable[[Any], bool]:
    """Returns whether it is a person's turn, or the game is over."""
    return lambda snapshot: bool(
        snapshot.session.outcome or snapshot.session.position.to_act not in seats.split()
    )


@pytest.fixture
def opponents(table: Table) -> Iterator[OpponentSeats]:
    seats = OpponentSeats(table, DirectThinker, answers_after=0.0)
    seats.start()
    yield seats
    seats.stop()


@pytest.fixture
def practising(table: Table, store: Store, opponents: OpponentSeats) -> Client:
    """A browser on the machine itself, at a table with an opponent and hints."""
    hints = Hints(DirectThinker)
    return Client(create_app(table, services=Services(store=store, hint=hints.ask)))


def begin(client: Client, game: str, companion: str, **more: Any) -> None:
    name, *options = game.split()
    body = {"game": name, "options": dict(option.split("=") for option in options), "companion": companion}
    answer = client.post("/api/v1/games", {**body, **more})
    assert answer.status_code == 200, answer.get_json()


def played_by_hand(session: Session, rng: Random) -> str:
    """Returns what a person who plays by chance plays; a set-up is filled in."""
    question = ask(session, session.position.to_act, 1, nodes=20, seed=rng.randrange(1000))
    if any("?" in action for action in session.rules.legal(session.position)):
        return choose(question).actions[0]
    return rng.choice(list(session.rules.legal(session.position)))


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_against_the_companion(practising: Client, table: Table, game: str) -> None:
    begin(practising, game, "")
    first, *others = table.snapshot.session.players  # type: ignore[union-attr]
    begin(practising, game, " ".join(f"{seat}=1/2" for seat in others))
    rng = Random(5)
    for _ in range(12):
        snapshot = until(table, at_rest(" ".join(others)))
        session = snapshot.session
        if session.outcome:
            break
        action = played_by_hand(session, rng)
        assert table.ask(m.Submit(action, first)).ok
    session = until(table, at_rest(" ".join(others))).session
    assert {ply.player for ply in session.plies} == {*session.players} or session.outcome
    own = [ply for ply in session.plies if ply.player in others and ply.entry.source == "companion"]
    assert own
    assert not [ply for ply in session.plies if ply.player == first and ply.entry.source == "companion"]


def test_its_seats_are_in_the_head_and_named(practising: Client, table: Table) -> None:
    begin(practising, "chess", "black=2", names={"white": "Ann"})
    state = practising.state()
    assert state["companion"] == {"black": 2}
    assert state["head"] == {"white": "Ann", "black": "Companion 2", "companion": "black=2/10"}


def test_with_sides_swapped_it_changes_its_seat(practising: Client, table: Table) -> None:
    begin(practising, "triune", "blue=1/2")
    assert table.ask(m.Deed("resign", "red")).ok
    assert practising.post("/api/v1/games/again", {"swapped": True}).status_code == 200
    snapshot = until(table, lambda snapshot: snapshot.session.plies)
    assert snapshot.head["companion"] == "red=1/2"
    assert snapshot.session.plies[0].player == "red"


@pytest.mark.parametrize(
    ("game", "companion"),
    [
        ("chess", "black"),
        ("chess", "black=7"),
        ("chess", "black=0"),
        ("chess", "green=1"),
        ("chess", "black=1/0"),
        ("chess", "black=1/61"),
        ("chess", "black=1 nonsense"),
        ("queens", "solver=1"),
        ("magnet values=declared", "blue=1"),
    ],
)
def test_a_seat_that_it_cannot_play_is_refused(practising: Client, game: str, companion: str) -> None:
    name, *options = game.split()
    body = {"game": name, "options": dict(option.split("=") for option in options), "companion": companion}
    answer = practising.post("/api/v1/games", body)
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_a_seat_is_handed_over_and_taken_back(practising: Client, table: Table) -> None:
    begin(practising, "triune", "")
    assert practising.post("/api/v1/opponents", {"companion": "red=1/2"}).status_code == 200
    until(table, lambda snapshot: len(snapshot.session.plies) == 1)
    assert practising.state()["head"]["red"] == "Companion 1"
    assert practising.post("/api/v1/opponents", {"companion": ""}).status_code == 200
    assert practising.state()["companion"] == {}
    assert "red" not in practising.state()["head"]
    assert practising.post("/api/v1/opponents", {"companion": "green=1"}).status_code == 400


def test_a_takeback_goes_to_ones_own_turn(practising: Client, table: Table) -> None:
    begin(practising, "triune", "blue=1/2")
    action = next(iter(table.snapshot.session.rules.legal(table.snapshot.session.position)))  # type: ignore[union-attr]
    assert table.ask(m.Submit(action, "red")).ok
    until(table, lambda snapshot: len(snapshot.session.plies) == 2)
    assert practising.post("/api/v1/takebacks").status_code == 200
    assert len(practising.state()["moves"]) == 0


def test_a_draw_is_answered(practising: Client, table: Table) -> None:
    begin(practising, "chess", "black=1/2")
    assert practising.post("/api/v1/draws/offer", {"player": "white"}).status_code == 200
    snapshot = until(table, lambda snapshot: not snapshot.session.offer)
    assert snapshot.session.outcome is None  # it has not thought about the game yet


def test_a_draw_that_is_offered_stands_until_all_displays_have_shown_it(table: Table) -> None:
    seats = OpponentSeats(table, DirectThinker, answers_after=600.0)
    seats.start()
    assert table.ask(m.NewGame("chess", {"companion": "black=1/2"})).ok
    assert table.ask(m.Deed("offer", "white")).ok
    seats.stop()
    session = table.snapshot.session
    assert session
    assert (session.offer, session.outcome) == ("white", None)


class Hopeless:
    """A mind that gives its games up."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def start(self, question: Question) -> None:
        self._tell(question, Choice(choose(question).actions[:1], 0.01))

    def cancel(self) -> None:
        """Has nothing to give up."""

    def close(self) -> None:
        """Has nothing to give up."""


class Silent(Hopeless):
    """A mind whose process has died."""

    def start(self, question: Question) -> None:
        self._tell(question, None)


def seated(table: Table, mind: Callable[[Tell], Thinks]) -> OpponentSeats:
    seats = OpponentSeats(table, mind)
    seats.start()
    return seats


def test_it_resigns_once_its_game_stays_hopeless(table: Table) -> None:
    assert table.ask(m.NewGame("chess e2e4", {"companion": "black=3/10"})).ok
    seats = seated(table, Hopeless)
    until(table, lambda snapshot: len(snapshot.session.plies) == 2)
    assert table.snapshot.session.outcome is None  # type: ignore[union-attr]
    assert table.ask(m.Submit("d2d4", "white")).ok
    outcome = until(table, lambda snapshot: snapshot.session.outcome).session.outcome
    assert outcome.winner == "white"
    seats.stop()


def test_a_mind_that_dies_is_told_and_the_seat_can_be_taken_back(table: Table) -> None:
    assert table.ask(m.NewGame("chess e2e4", {"companion": "black=3/10"})).ok
    seats = seated(table, Silent)
    sources = until(table, lambda snapshot: snapshot.sources).sources
    assert "hand its seat to a person" in sources[0].words
    assert table.ask(m.Submit("e7e5", "black")).ok
    seats.stop()


def test_hints_are_for_practice_alone(practising: Client, table: Table) -> None:
    begin(practising, "triune", "blue=1/2")
    assert practising.get("/api/v1/advice").status_code == 409
    assert not practising.state()["game"]["hints"]
    begin(practising, "triune", "blue=1/2", practice=True)
    assert practising.state()["game"]["hints"]
    advice = practising.get("/api/v1/advice").get_json()
    assert table.snapshot.session.judge(advice["action"]) == ()  # type: ignore[union-attr]
    assert "%" in advice["words"]


def test_nobody_looks_at_what_the_companion_hides(practising: Client, table: Table) -> None:
    begin(practising, "magnet", "blue=1/2")
    assert practising.post("/api/v1/session/seat", {"seat": "blue"}).status_code == 404
    assert practising.post("/api/v1/session/seat", {"seat": "red"}).status_code == 200
    links = practising.get("/api/v1/invitations").get_json()["seats"]
    assert links.keys() == {"red"}


def test_a_guest_hands_no_seat_over(table: Table, store: Store) -> None:
    assert table.ask(m.NewGame("triune")).ok
    guest = Client(create_app(table, OPEN, Services(store=store)), "192.168.1.20", "192.168.1.2")
    assert guest.post("/api/v1/opponents", {"companion": "red=1"}).status_code == 403


def test_a_seat_takes_back_its_own_action_and_the_reply(tmp_path: Path, table: Table, store: Store) -> None:
    assert table.ask(m.NewGame("triune a2-a3 b7~", {"companion": "blue=1/2"})).ok
    app = create_app(table, OPEN, Services(store=store))
    arbiter = Client(app, "192.168.1.30", "192.168.1.2")
    assert arbiter.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    link = arbiter.get("/api/v1/invitations").get_json()["seats"]["red"]
    guest = Client(app, "192.168.1.20", "192.168.1.2")
    assert guest.post("/api/v1/session/seat", {"token": link.partition("#")[2]}).status_code == 200
    assert guest.post("/api/v1/takebacks").status_code == 200
    assert table.snapshot.session.actions == ()  # type: ignore[union-attr]


BLUNDER = "chess f2f3 e7e5 g2g4 d7d5 a2a3 d8h4"
"""White gives the game away by the second move; Black misses the mate once."""


@pytest.fixture
def looking_back(table: Table, store: Store) -> Client:
    looks = LookBacks(partial(DirectThinker, most=LITTLE_THOUGHT))
    return Client(create_app(table, services=Services(store=store, look_backs=looks)))


def test_a_game_is_looked_back_at_and_its_score_sheet_has_the_chances(
    looking_back: Client, table: Table
) -> None:
    assert table.ask(m.NewGame(BLUNDER)).ok
    sheet = "/api/v1/records/1/export/pdf"
    assert "Chance of winning" not in _text_of(looking_back.get(sheet).data)
    assert looking_back.get("/api/v1/records/1/look-back").status_code == 404
    assert looking_back.post("/api/v1/records/1/look-back").status_code == 200
    found = looking_back.get("/api/v1/records/1/look-back").get_json()
    assert found["total"] == len(found["turns"]) == 6
    assert [turn["player"] for turn in found["turns"]] == 3 * ["white", "black"]
    missed = next(point for point in found["points"] if point["step"] == 3)
    assert (missed["played"], missed["better"], missed["sites"]) == ("d5", "Qh4#", ["d8", "h4"])
    assert missed["chance"] == 1.0
    told = _text_of(looking_back.get(sheet).data)
    assert "Chance of winning: White" in told
    assert "Black: d5. Better: Qh4# (100%" in told
    assert "looked_back" not in looking_back.get("/api/v1/records/1/export/record").get_data(as_text=True)


def test_an_imported_record_says_nothing_of_chances(looking_back: Client) -> None:
    record = 'Board Companion record 1\ngame: triune\nlooked_back: {"turns": 7}\n'
    assert chances.read('{"turns": 7}') is None
    assert looking_back.post("/api/v1/records", {"record": record}).status_code == 200
    assert "Chance" not in _text_of(looking_back.get("/api/v1/records/1/export/pdf").data)


def _text_of(sheet: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(sheet)).pages)


@pytest.mark.parametrize("text", ["chess e2e4", "queens +a1"])
def test_only_games_between_players_that_are_over_are_looked_back_at(
    looking_back: Client, table: Table, text: str
) -> None:
    assert table.ask(m.NewGame(text)).ok
    assert looking_back.post("/api/v1/records/1/look-back").status_code == 409


def test_a_game_is_played_on_from_a_step(practising: Client, table: Table) -> None:
    assert table.ask(m.NewGame(BLUNDER)).ok
    body = {"step": 3, "companion": "white=1/2"}
    assert practising.post("/api/v1/records/1/branches", body).status_code == 200
    state = practising.state()
    assert [move["action"] for move in state["moves"]] == ["f2f3", "e7e5", "g2g4"]
    assert (state["to_act"], state["companion"], state["game"]["hints"]) == ("black", {"white": 1}, True)
    advice = practising.get("/api/v1/advice").get_json()
    assert advice["action"] == "d8h4"
    assert advice["words"].startswith("Qh4# (")
    assert practising.post("/api/v1/records/1/branches", {"step": 7}).status_code == 404
    assert practising.post("/api/v1/records/1/branches", {"step": 1, "companion": "x"}).status_code == 400


def test_what_was_corrected_is_not_played_on(practising: Client, table: Table) -> None:
    assert table.ask(m.NewGame("triune a2-a3")).ok
    looks = dict(practising.state()["pieces"])
    looks["a4"] = looks.pop("a3")
    assert practising.post("/api/v1/corrections", {"looks": looks, "turn": "red"}).status_code == 200
    assert table.ask(m.Deed("resign", "red")).ok
    assert practising.post("/api/v1/records/1/branches", {"step": 1}).status_code == 200
    assert practising.post("/api/v1/records/1/branches", {"step": 2}).status_code == 409
