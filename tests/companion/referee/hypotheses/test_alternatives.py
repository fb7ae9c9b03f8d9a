"""What would have looked the same: variants of a story, exchanged pieces, and hidden alternatives."""

import pytest

from benchmarks.simulation.trials import play
from companion.games.text import split
from companion.record.session import Session, begin
from companion.referee.hypotheses.hidden_alternatives import COST, guessed_alternatives, hidden_alternatives
from companion.referee.hypotheses.paths import grip, origins_of, with_sites
from companion.referee.search.variation import exchanges, variants, vary_what_is_gone
from tests.companion.referee.boards import as_seen
from tests.companion.referee.boards import session_of as drawn

PROMOTED = "chess a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 c6b8 a7b8q"


def session_of(text: str) -> Session:
    game, actions = split(text)
    return play(begin(game), actions)


def test_a_variant_has_two_neighbours_the_other_way_round() -> None:
    session = session_of("triune")
    found = set(variants(session.rules, session.position, ("a2-a3", "b7-b6")))
    assert ("b7-b6", "a2-a3") in found


def test_a_variant_does_the_same_in_another_way() -> None:
    """A pawn of Ternion Spaces may step, or jump around a corner, to where it goes."""
    session = session_of("ternion_spaces e4 i6 i9 d7 f9 h4 g7 c4")
    found = set(variants(session.rules, session.position, ("c4-c3",)))
    assert ("c4-D4-c3",) in found
    assert {grip(session.rules, action) for (action,) in found} == {("c4", "c3")}


def test_two_pieces_are_exchanged_where_both_ways_are_legal() -> None:
    session = drawn("""
        BB..
        ....
        rr..""")
    crossed = exchanges(session.rules, session.position, ("a1-b2", "a3~", "b1-a2"))
    assert list(crossed) == [("a1-a2", "a3~", "b1-b2"), ("b1-b2", "a3~", "a1-a2")]


def test_a_pillar_that_is_gone_again_may_have_stood_elsewhere() -> None:
    session = session_of(
        "magnet =22t34K443T23 =43224t233K4T @d7 b7 @k2 e1 @a1 a2+ @d2 f2 c1 k4+ @g8 g10 d9+ i8+ a3"
    )
    found = set(vary_what_is_gone(session.rules, session.position, ("@e10", "e2")))
    assert ("@e3", "e2") in found
    assert ("@e10", "e2") not in found


def test_a_promotion_that_no_camera_sees_may_have_been_another() -> None:
    session = session_of(PROMOTED)
    found = {other.actions[-1]: cost for other, cost in hidden_alternatives(as_seen(session))}
    assert set(found) == {"a7b8r", "a7b8b", "a7b8n"}
    assert min(found.values()) >= COST
    assert not list(hidden_alternatives(session))  # it was entered


def test_only_the_last_plies_that_were_guessed_have_guessed_alternatives() -> None:
    session = session_of(PROMOTED)
    assert not list(guessed_alternatives(session))
    last = session.plies[-1].entry
    before = session_of(PROMOTED.rpartition(" ")[0])
    guessed = before.apply(type(last)("action", last.text, certainty=0.3))
    assert {s.actions[-1] for s, _ in guessed_alternatives(guessed)} == {"a7b8r", "a7b8b", "a7b8n"}


@pytest.mark.parametrize(
    ("actions", "origins"),
    [(("a2-a3",), {"a3": "a2"}), (("a2-a3", "a3-a4"), {"a4": "a2"}), (("a2~",), {})],
)
def test_a_piece_comes_from_where_it_stood_first(actions: tuple[str, ...], origins: dict[str, str]) -> None:
    assert origins_of(session_of("triune").rules, actions) == origins


def test_a_part_of_a_site_lies_on_that_site() -> None:
    assert with_sites(frozenset(["b2nw", "a1"])) == {"b2nw", "b2", "a1"}
