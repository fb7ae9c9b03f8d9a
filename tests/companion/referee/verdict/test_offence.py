"""Offences: the action that hands most likely meant, and the rules that it breaks."""

import pytest

from companion.core.game import Breach
from companion.games.text import read_game
from companion.record.session import Entry, restore
from companion.referee import Evidence
from companion.referee.search.limits import Limits
from companion.referee.verdict.offence import find_untimely, likeliest_offence, offence_cost
from tests.companion.referee.boards import looks_of, see, session_of

BOARD = """
    BB..
    ....
    r.m."""
START = session_of(BOARD)


@pytest.mark.parametrize(
    ("seen", "attempt", "breaches"),
    [
        ("BBr. .... ..m.", "a1-c3", (Breach("TR-3", ("a1", "c3")),)),
        ("BB.. ..m. r...", "c1-c2", (Breach("TR-5", ("c1", "c2")),)),
        ("BB.. .r.. r...", "c1-b2", (Breach("TR-5", ("c1", "b2")),)),
        ("BB.. .... ..m.", "", (Breach("GEN-4", ("a1",)),)),
        ("BB.. .... rrm.", "", (Breach("GEN-4", ("b1",)),)),
    ],
    ids=["too far", "too short", "moved and turned", "taken off", "put on"],
)
def test_the_likeliest_offence_breaks_the_fewest_rules(
    seen: str, attempt: str, breaches: tuple[Breach, ...]
) -> None:
    offence = likeliest_offence(START, looks_of(seen))
    assert (offence.attempt, offence.breaches, offence.after) == (attempt, breaches, ())


def test_an_allowed_action_may_come_before_the_offence() -> None:
    """Red moved, and moved again."""
    offence = likeliest_offence(START, looks_of("BB.. r... ..r."))
    assert offence.after == ("a1-a2",)
    assert (offence.attempt, [b.rule for b in offence.breaches]) == ("c1~", ["TR-1"])


def test_what_another_player_may_do_in_their_turn_is_untimely() -> None:
    found = find_untimely(START, looks_of("B... .B.. r.m."))
    assert found is not None
    assert (found.attempt, found.breaches[0].rule) == ("b3-b2", "GEN-2")
    assert found.breaches[0].words == "It is Red's turn: move or flip one piece."
    assert find_untimely(START, looks_of("B... B... r.m.")) is not None
    assert find_untimely(START, looks_of("B... .... rBm.")) is None


def test_a_pawn_of_another_player_that_is_placed_is_untimely_and_no_action_of_who_is_to_act() -> None:
    session = restore(read_game("ternion_factor"), [Entry("action", "c3")])
    seen = {**session.look, "c5": "black"}
    found = find_untimely(session, seen)
    assert found is not None
    assert (found.attempt, found.breaches[0].words) == (
        "c5",
        "It is White's turn: place a pawn that has no neighbour.",
    )
    offence = likeliest_offence(session, {**seen, "c4": "white"})
    assert (offence.attempt, [b.rule for b in offence.breaches], offence.after) == ("c4", ["TF-1"], ())


@pytest.mark.parametrize("place", ["c4", "a7"])
def test_where_another_players_pawn_is_placed_makes_no_difference(place: str) -> None:
    """It touches another one, or stands outside: but it is not theirs to place at all."""
    session = restore(read_game("ternion_factor"), [Entry("action", "c3")])
    found = find_untimely(session, {**session.look, place: "black"})
    assert found is not None
    assert found.breaches[0].words == "It is White's turn: place a pawn that has no neighbour."
    moving = restore(
        read_game("ternion_factor pawns=4"),
        [Entry("action", word) for word in ["f8", "h3", "c5", "f4", "j10", "g10", "e10", "e6"]],
    )
    assert find_untimely(moving, {**moving.look, place: "white"}) is None  # nothing is placed any more


def test_an_offence_is_the_less_likely_the_more_places_are_wrong() -> None:
    limits = Limits(offence=4.0, place=1.5)

    def cost(picture: str) -> float:
        evidence: Evidence = see(picture)
        return offence_cost(limits, evidence, START.look)

    assert [cost(p) for p in (BOARD, "BB.. .... ..m.", "BB.. r... ..m.")] == [4.0, 5.5, 7.0]


@pytest.mark.parametrize(
    ("game", "start", "end", "attempt", "rules"),
    [
        ("trid", "a6", "c6", "a6-c6", ["TD-3", "TD-4"]),
        ("trid", "j6", "h6", "j6-h6", ["TD-1"]),
        ("trid", "j7", "e7", "j7-e7", ["TD-1"]),
        ("teleporters", "f1", "h3", "f1-h3", ["TP-3"]),
        ("teleporters", "c1", "c8", "c1*c8", ["TP-6", "TP-6"]),
        ("teleporters", "e8", "e5", "e8-e5", ["TP-1", "TP-3"]),
        ("chess", "d2", "d8", "d2d8q", ["CH-2"]),
        ("queens +a8 +c5 +f6", "f6", "f8", "+f8", ["PZ-3", "PZ-3"]),
    ],
)
def test_a_plain_mistake_is_judged_as_the_move_that_it_is(
    game: str, start: str, end: str, attempt: str, rules: list[str]
) -> None:
    game, *actions = game.split()
    session = restore(read_game(game), (Entry("action", action) for action in actions))
    seen = {place: look for place, look in session.look.items() if place != start}
    offence = likeliest_offence(session, seen | {end: session.look[start]})
    assert (offence.attempt, [breach.rule for breach in offence.breaches]) == (attempt, rules)
