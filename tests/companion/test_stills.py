"""Pictures that each stand for a moment: hands in them, what these hide, and places that are misread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from unittest.mock import Mock

import pytest

from companion.cli.watch import referee
from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game
from companion.record.session import Entry, Session, begin
from companion.referee import Belief, Evidence, Referee
from companion.referee.hypotheses.belief import Candidate
from companion.referee.search.limits import STILL
from companion.referee.search.progress import Budget
from companion.referee.verdict.doubt import beside_unexplained
from companion.sensing.observation import Observation, Reading, Sighting
from companion.table import messages as m
from companion.table.desk import Desk
from companion.wire.events import RecordTold
from tests.companion.sensor import SURE, reading
from tests.stores import open_store

CHESS = read_game("chess")
KNOWN = CHESS.rules.looks(CHESS.start())
FLAT = Reading(dict.fromkeys(KNOWN, 0.0), 0.0)


@dataclass(frozen=True)
class Still:
    """After these plies of the game; `wrong` are looks that stand or are seen there instead, `hidden` what a
    hand hides."""

    plies: int
    wrong: Mapping[Place, Look] = field(default_factory=dict)
    hidden: str = ""
    hand: bool = False
    sure: float = SURE
    """Nats by which what stands in `wrong` is likelier than anything else."""
    hardly: str = ""
    """Places that hardly tell one look from another."""
    same: str = ""
    """Places that show the same as on the last board that was believed."""


def told(game: str, stills: Iterable[Still]) -> tuple[list[str], list[str]]:
    """What is told of these stills, a second apart: the actions in the end, and what else happened."""
    desk = Desk(open_store(), wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess"))
    actions, others = game.split(), []
    for time, still in enumerate(stills):
        session = after(" ".join(actions[: still.plies]))
        _, happened = desk.handle(m.SightingArrived(sighting(float(time), still, session)))
        others += [h.event for h in happened if h.event != "action"]
    return list(desk.session.actions), others


def sighting(time: float, still: Still, session: Session) -> Sighting:
    looks = {**session.look, **still.wrong}
    readings = {place: reading(looks.get(place, EMPTY), KNOWN) for place in CHESS.board.sites}
    for place, look in still.wrong.items():
        readings[place] = Reading(dict.fromkeys(KNOWN, -still.sure) | {look: 0.0}, -still.sure)
    readings |= dict.fromkeys(still.hidden.split(), FLAT)
    readings |= {
        place: Reading(dict.fromkeys(KNOWN, -0.6) | {EMPTY: 0.0}, -0.6) for place in still.hardly.split()
    }
    same = {place: readings[place] for place in still.same.split()}
    return Sighting(time, "folder", Observation(time, readings, "folder", same=same), still.hand, held=True)


def after(game: str) -> Session:
    """The session after these actions."""
    session = begin(CHESS)
    for action in game.split():
        session = session.apply(Entry("action", action))
    return session


OPENING = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
PRINT = {"d5": "white"}
GONE = {"b8": EMPTY}
SHADOW = {"a3": "white", "a5": "white", "c2": "black", "d2": "black", "e1": "empty"}
CARRIED = {"a2": EMPTY, "a5": "white"}
DOUBTED = {"d2": "black"}
STAYS = {"e2": "white"}
SPECKS = {"a5": "white", "d5": "white", "h5": "black"}
FAINT = {"e4": EMPTY}
NOT_BACK = {"e2": EMPTY}
LOST = {"c4": "black", "d5": "white", "g7": EMPTY}


@pytest.mark.parametrize(("stills", "plies", "others"), [
    ([Still(0), Still(1), Still(2)], 2, []),
    ([Still(0), Still(1, hidden="e3 e4", hand=True)], 0, []),
    ([Still(0), Still(1, hidden="a8 b8", hand=True)], 1, []),
    ([Still(0), Still(1, hidden="e4"), Still(1)], 1, []),
    ([Still(0), Still(0, wrong={"e2": EMPTY}, hidden="a8", hand=True), Still(1)], 1, []),
    ([Still(0), Still(0, wrong={"e2": EMPTY, "e5": "white"}, hand=True), Still(1)], 1, []),
    ([Still(0), Still(3, wrong=GONE), Still(4)], 4, []),
    ([Still(0), Still(1, wrong=PRINT), Still(2, wrong=PRINT), Still(6, wrong=PRINT)], 6, []),
    ([Still(0, wrong=PRINT), Still(1, wrong=PRINT), Still(3, wrong=PRINT)], 3, ["restored"]),
    ([Still(0), Still(0, PRINT), Still(1, PRINT), Still(2), Still(3)], 3, ["refused", "restored"]),
    ([Still(0), Still(0, CARRIED), Still(0)], 0, ["refused", "restored"]),
    ([Still(0), Still(0, CARRIED, hardly="a3 a4"), Still(0)], 0, ["refused", "restored"]),
    ([Still(0), Still(0, CARRIED, hardly="a3 a4"), Still(1)], 1, ["refused", "restored"]),
    ([Still(0), *[Still(0, CARRIED, hardly="a3 a4")] * 2, Still(0)], 0, ["refused", "restored"]),
    ([Still(0), Still(1, DOUBTED, sure=4.0), Still(0)], 0, []),
    ([Still(0), Still(0, CARRIED, hidden="b1"), Still(1)], 1, []),
    ([Still(0), Still(0, CARRIED, "b1"), Still(0, CARRIED, "b1"), Still(0)], 0, ["refused", "restored"]),
    ([Still(0), Still(0, SHADOW), Still(1)], 1, []),
    ([Still(0), Still(0, SHADOW), Still(0, SHADOW), Still(0)], 0, ["refused", "restored"]),
    ([Still(0), Still(6)], 6, []),
    ([Still(0), Still(1, STAYS, sure=5.0), Still(2, STAYS, sure=5.0), Still(3)], 3, []),
    ([Still(0), Still(1, STAYS), Still(1, STAYS), Still(3)], 3, ["refused", "restored"]),
    ([Still(0), Still(1, STAYS, sure=5.0), Still(1, STAYS, sure=5.0)], 1, []),
    ([Still(0), Still(1), Still(1, PRINT, sure=5.0), Still(2)], 2, []),
    ([Still(0), Still(1, {"d4": "white"}), Still(2, {"d4": "white"}), Still(2), Still(3)], 3, []),
    ([Still(0), Still(0, {"e2": EMPTY}, hidden="e3 e4")], 0, []),
    ([Still(0), Still(0, {"e2": EMPTY}, hardly="e3 e4")], 0, []),
    ([Still(0), Still(2), Still(3, hidden="f3"), Still(4, hidden="f3")], 4, []),
    ([Still(0), Still(1, SPECKS, sure=2.0), Still(1, SPECKS, sure=2.0)], 1, []),
    ([Still(0), Still(1, FAINT, sure=1.5)], 1, []),
    ([Still(0), Still(1), Still(0, NOT_BACK, sure=5.0), Still(0, NOT_BACK, sure=5.0)], 0, []),
], ids=[
    "no hand", "a hand over the piece that moved", "a hand elsewhere", "something small over a place",
    "a piece in a hand", "what a hand seems to have done", "a piece in a hand that was not noticed",
    "misread from a move on", "misread from the start", "misread for a while", "an offence",
    "an offence that may be misread", "the same, and a move since", "the same on two pictures",
    "a move beside a misread place, taken back",
    "an offence beside a hidden piece", "the same once more",
    "much that light does once", "much that hands did", "six plies between two pictures",
    "a piece that seems to stay where it was", "a piece that surely stays", "the same picture again",
    "a shadow", "something new beside a move", "an end that nobody sees", "an end that nobody sees well",
    "an end that stays unseen",
    "some faint misreadings",
    "a piece that is hardly seen", "a takeback of which a piece is not seen",
])  # fmt: skip
def test_stills_are_transcribed(stills: list[Still], plies: int, others: list[str]) -> None:
    actions, happened = told(OPENING, stills)
    assert sorted(actions) == sorted(OPENING.split()[:plies])
    assert [kind for kind in happened if kind in ("refused", "restored")] == others


@pytest.mark.parametrize("beside", ["", "e5"])
def test_a_captured_piece_that_is_taken_off_first_breaks_no_rule(beside: str) -> None:
    game = "e2e4 d7d5 e4d5"
    actions, others = told(game, [Still(0), Still(2), Still(2, {"d5": EMPTY}, hardly=beside), Still(3)])
    assert (actions, "refused" in others) == (game.split(), False)


def test_a_piece_that_comes_back_while_its_going_is_in_doubt_has_gone() -> None:
    # The places show the same as on the board that was believed last, from before it went.
    game = "e2e4 e7e5 f1e2 a7a6 e2f1"
    stills = [Still(0), Still(2), Still(3, PRINT), Still(5, PRINT, same="e2 f1"), Still(5)]
    assert told(game, stills)[0] == game.split()


def test_what_went_back_between_two_stills_gives_way_to_what_came_then() -> None:
    desk = Desk(open_store(), wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess"))
    for time, game in enumerate(("", "e2e4", "d2d4")):
        desk.handle(m.SightingArrived(sighting(float(time), Still(0), after(game))))
    assert desk.session.actions == ("d2d4",)


def test_a_place_that_is_read_as_the_game_has_it_is_misread_no_more() -> None:
    game = "e2e4 e7e5 g1f3 b8c6 f3e5 c6e5"
    unseen = {"f3": EMPTY}
    stills = [Still(0), Still(2), Still(3, unseen, sure=5.0), Still(4, unseen, sure=5.0), Still(5), Still(6)]
    assert told(game, [*stills, Still(6, {"d1": EMPTY})])[0] == game.split()


@pytest.mark.parametrize(("first", "other"), [("e2e4", "e3"), ("e2e3", "e4")])
@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_piece_that_is_seen_in_two_places_went_where_it_is_seen_in_the_end(
    first: str, other: Place, count: int
) -> None:
    # What is read as before speaks no second time against the story that takes it for misread.
    actions = f"{first} {OPENING[5:]}"
    stills = [Still(0), *(Still(n, {other: "white"}) for n in range(1, count + 1)), Still(count + 1)]
    assert told(actions, stills)[0] == actions.split()[: count + 1]


@pytest.mark.parametrize(("first", "other"), [("e2e4", "e3"), ("e2e3", "e4")])
def test_what_was_left_out_for_two_stories_speaks_again_when_the_other_place_wavers(
    first: str, other: Place
) -> None:
    actions = f"{first} {OPENING[5:]}"
    twice = {other: "white"}
    stills = [Still(0), Still(1, twice), Still(2, twice), Still(3, hardly=other), Still(4, twice)]
    assert told(actions, [*stills, Still(5, twice)])[0] == actions.split()[:5]


def test_a_board_that_was_not_explained_tells_what_came_first() -> None:
    seen = Evidence(sighting(1.0, Still(0), after("g1f3")).observation or Observation(0.0, {}))
    belief = Belief(begin(CHESS), unexplained=(seen,), least=1.0)
    costs = [
        beside_unexplained(Candidate(after(game), 3.0), belief, STILL).cost
        for game in ("g1f3 a7a6 b1c3", "b1c3 a7a6 g1f3")
    ]
    assert costs == [2.0, 2.0 + STILL.offence + 2 * STILL.place]


@pytest.mark.parametrize(("misread", "sure"), [(STAYS, 5.0), ({"d7": EMPTY}, 3.3)])
def test_the_last_still_of_a_recording_is_looked_at_once_more(
    misread: dict[Place, Look], sure: float
) -> None:
    desk = Desk(open_store(), wall=lambda: 1000.0)
    desk.handle(m.NewGame("chess"))
    last = sighting(1.0, Still(1, misread, sure=sure), after("e2e4"))
    *_, record = referee(desk, [sighting(0.0, Still(0), begin(CHESS)), last])
    assert record == RecordTold(text="chess e2e4")


def test_what_is_left_out_is_believed_again_when_it_is_read_otherwise() -> None:
    stills = [Still(0), Still(0, wrong=PRINT), Still(1, wrong=PRINT), Still(2), Still(2, wrong=PRINT)]
    assert told(OPENING, stills)[1].count("refused") == 2


def test_a_still_that_nothing_explains_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, tried = Mock(side_effect=Referee.judge), Mock(side_effect=Budget.count_try)
    monkeypatch.setattr(Referee, "judge", lambda *given: judged(*given))
    monkeypatch.setattr(Budget, "count_try", lambda budget: tried(budget))
    told(OPENING, [Still(0), Still(4, LOST)])
    assert judged.call_count == 1 + 1
    assert tried.call_count < 2 * (STILL.tries + STILL.rest)
