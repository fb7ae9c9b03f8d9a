"""Evidence: an observation as costs of looks, of boards, and of markers."""

from dataclasses import replace

import pytest

from companion.core.game import EMPTY, Look
from companion.referee import Evidence
from companion.referee.evidence.evidence import CAP, GONE, HIDDEN, MARK, NEW
from companion.referee.evidence.looks import bare, changes
from companion.referee.search.limits import Limits
from companion.sensing.observation import Observation, Reading
from tests.companion.referee.boards import looks_of, observe, see

BOARD = """
    BB..
    ....
    r.m."""
MOVED = """
    BB..
    r...
    ..m."""


def marked(**marks: float) -> Evidence:
    """Evidence of a white pawn without its marker on a1, and of move markers at spots."""
    reading = Reading({"white": 0.0, "white+T": -2.0, "+T": -9.0, EMPTY: -9.0}, -9.0)
    return Evidence(Observation(0.0, {"a1": reading}, marks=marks))


def test_boards_differ_at_places() -> None:
    assert changes(looks_of(BOARD), looks_of(MOVED)) == {
        "a1": ("red/solid", EMPTY),
        "a2": (EMPTY, "red/solid"),
    }


@pytest.mark.parametrize(("look", "piece"), [("red+T", "red"), ("+T", EMPTY), ("red/solid", "red/solid")])
def test_a_look_is_bare_without_its_marker(look: Look, piece: Look) -> None:
    assert bare(look) == piece


def test_the_board_that_is_seen_costs_nothing() -> None:
    evidence = see(BOARD)
    assert evidence.board_misfit(looks_of(BOARD)) == 0
    assert not evidence.wrong(looks_of(BOARD))


def test_each_place_costs_no_more_than_the_cap() -> None:
    """A piece that moved is wrong at two places, however sure the camera is of either."""
    evidence = see(MOVED)
    assert evidence.board_misfit(looks_of(BOARD)) == 2 * CAP
    assert evidence.wrong(looks_of(BOARD)) == {"a1", "a2"}


def test_a_place_that_may_be_otherwise_costs_as_much_as_that_is_unlikely() -> None:
    evidence = see(MOVED, a1=("red/solid", 0.4), a2=(EMPTY, 2.0))
    assert evidence.board_misfit(looks_of(BOARD)) == pytest.approx(2.4)
    assert evidence.wrong(looks_of(BOARD)) == {"a2"}


def test_a_place_that_nobody_sees_costs_nothing() -> None:
    evidence = see(MOVED.replace("r", "?"))
    assert evidence.misfit("a2", "red/solid") == evidence.misfit("a2", EMPTY) == 0
    assert evidence.board_misfit(looks_of(BOARD)) == CAP
    assert "a2" not in evidence.places


def test_evidence_without_places_is_that_of_a_board_whose_places_are_hidden() -> None:
    assert see(MOVED).without(["a1", "a2"]).board_misfit(looks_of(BOARD)) == 0


def test_the_fit_changes_by_what_an_action_puts_right() -> None:
    change = see(MOVED).fit_change({"a1": ("red/solid", EMPTY), "c1": ("red/marked", "red/solid")})
    assert (change.misfit, change.piece_misfit) == (0, 0)
    assert (change.right, change.wrong, change.pieces) == (("a1",), ("c1",), 2)


def test_what_stands_there_is_believed_to_be_what_should_where_nothing_speaks_against_it() -> None:
    evidence = see(MOVED, a1=("red/solid", 0.4))
    assert evidence.seen(looks_of(BOARD)) == {**looks_of(MOVED), "a1": "red/solid"}


def test_something_unknown_is_seen_as_new() -> None:
    observation = observe(BOARD)
    unknown = replace(observation, readings={**observation.readings, "d3": Reading({EMPTY: -9.0}, 0.0)})
    assert Evidence(unknown).seen(looks_of(BOARD))["d3"] == NEW


def test_a_marker_that_is_missing_costs_nothing_and_one_too_many_does() -> None:
    reading = Reading({"white": -2.0, "white+T": 0.0, EMPTY: -9.0}, -9.0)
    evidence = Evidence(Observation(0.0, {"a1": reading}))
    assert evidence.board_misfit({"a1": "white+T"}) == 0
    assert evidence.board_misfit({"a1": "white"}) == 2
    assert evidence.piece_misfit({"a1": "white"}) == 0
    assert marked().board_misfit({"a1": "white+T"}) == 0
    assert marked().unlaid(frozenset(), {"a1": "white+T"}) == ("a1",)


@pytest.mark.parametrize(
    ("marks", "cost"),
    [({}, 0.0), ({"x": -4.0}, 0.0), ({"x": 2.0}, 2.0), ({"x": 9.0}, MARK), ({"x": 2.0, "y": 4.0}, 2.0)],
    ids=["none seen", "seen to be none", "doubtful", "capped", "one that should lie there"],
)
def test_move_markers_that_lie_where_none_should_cost(marks: dict[str, float], cost: float) -> None:
    should = frozenset(["y"]) if "y" in marks else frozenset()
    assert marked(**marks).mark_misfit(should, {}) == cost


def test_a_move_marker_that_is_not_seen_costs_little_and_only_where_any_is_seen() -> None:
    should = frozenset(["x", "y"])
    assert marked(x=-4.0, y=-4.0).mark_misfit(should, {}) == 0
    assert marked(x=4.0, y=-4.0).mark_misfit(should, {}) == HIDDEN


def test_a_move_marker_that_was_seen_and_is_gone_costs_more() -> None:
    evidence = Evidence(Observation(0.0, {}, marks={"x": -4.0}), laid=frozenset(["x"]))
    assert evidence.mark_misfit(frozenset(["x"]), {}) == HIDDEN + GONE
    assert evidence.strange(frozenset()) == ()
    assert marked(x=4.0).strange(frozenset()) == ("x",)


SURE = Reading({EMPTY: -9.0, "red/solid": 0.0}, -9.0)
"""What is believed to stand on a place that shows the same as it did."""
AS_READ = Reading({EMPTY: -1.5, "red/solid": 0.0}, -9.0)
"""The same place as it was read when it changed last."""


def unchanged(believed: Look) -> Evidence:
    """Evidence of a1, which shows the same as when it was believed to hold this look."""
    observation = Observation(0.0, {"a1": SURE}, same={"a1": AS_READ})
    return Evidence(observation, believed={} if believed == EMPTY else {"a1": believed})


def test_what_did_not_change_speaks_for_what_each_holds_to_have_stood_there() -> None:
    evidence = unchanged("red/solid")
    assert evidence.misfit("a1", EMPTY) == CAP
    rival = evidence.retold({})
    assert rival.misfit("a1", EMPTY) == 0
    assert rival.misfit("a1", "red/solid") == CAP


def test_it_speaks_for_nobody_else_where_the_game_went_on_since() -> None:
    assert unchanged(EMPTY).retold({"a1": "red/solid"}).misfit("a1", "red/solid") == 0
    assert unchanged(EMPTY).retold({}).misfit("a1", EMPTY) == CAP


def test_who_asks_what_came_before_has_it_as_it_was_read() -> None:
    evidence = unchanged("red/solid")
    assert evidence.unread_since({}).misfit("a1", EMPTY) == pytest.approx(1.5)
    assert evidence.unread_since({"a1": "red/solid"}).misfit("a1", EMPTY) == CAP


def test_a_place_that_is_read_anew_speaks_for_nobodys_belief() -> None:
    anew = unchanged(EMPTY).unread_since({})
    assert anew.retold({}).misfit("a1", EMPTY) == anew.misfit("a1", EMPTY)


@pytest.mark.parametrize(("nats", "doubled"), [({"a1": 6.0}, 0.0), ({"a1": 6.0, "b1": 4.0}, 4.0)])
def test_a_piece_of_which_there_is_but_one_is_misread_wherever_else_it_is_seen(
    nats: dict[str, float], doubled: float
) -> None:
    readings = {place: Reading({"magnet": 0.0, EMPTY: -n}, -9.0) for place, n in nats.items()}
    seen = Evidence(Observation(0.0, readings), single=frozenset({"magnet"}))
    assert (seen.doubled, Evidence(Observation(0.0, readings)).doubled) == (doubled, 0.0)
    # Hands cannot have put it on both places.
    plain = Limits().offence + Limits().place * len(nats)
    assert Limits().offence_cost(frozenset(nats), seen) == plain + doubled
