"""The search: which actions explain a board, from one root or several, and what they cost."""

import pytest

from companion.record.session import Session
from companion.referee.evidence.timeline import UNFELT, HandlingTimeline
from companion.referee.search.best_first import explain
from companion.referee.search.expansion import Expansion
from companion.referee.search.limits import WHOLE_TURN, Limits
from companion.referee.search.progress import Spent
from companion.referee.search.stories import Explanation, Story
from tests.companion.referee.boards import play, see, seen_at, session_of

LIMITS = Limits()
START = session_of("""
    BB..
    ....
    r.m.""")
MOVED = """
    BB..
    r...
    ..m."""


def search(
    picture: str,
    *roots: tuple[Session, float],
    limits: Limits = LIMITS,
    timeline: HandlingTimeline | None = None,
    spent: Spent = lambda: 0.0,
) -> Explanation:
    """Searches from these sessions, or from the start, for what explains a picture."""
    known = [(session.position, cost) for session, cost in roots or [(START, 0.0)]]
    evidence = see(picture, timeline or HandlingTimeline())
    return explain(START.rules, known, evidence, limits, spent)


def best(explanation: Explanation) -> Story:
    return explanation.stories[0]


def test_one_move_explains_two_places() -> None:
    found = search(MOVED)
    story = best(found)
    assert (story.actions, story.misfit) == (("a1-a2",), 0)
    assert story.cost == story.cost_so_far == LIMITS.first
    assert found.is_exhaustive


def test_nothing_explains_the_board_as_it_was() -> None:
    story = best(search("BB.. .... r.m."))
    assert (story.actions, story.cost) == ((), 0)


def test_a_reply_costs_more_than_a_first_move() -> None:
    story = best(
        search("""
            B...
            rB..
            ..m.""")
    )
    assert story.actions == ("a1-a2", "b3-b2")
    assert story.cost == pytest.approx(LIMITS.first + LIMITS.more + LIMITS.turn)


def test_two_moves_of_one_player_are_found_with_what_the_other_may_have_done() -> None:
    """Red moved twice, so Blue moved between: there and back nothing goes, but a disc may be turned over."""
    story = best(
        search("""
            BM..
            r...
            ..r.""")
    )
    assert sorted(story.actions) == ["a1-a2", "b3~", "c1~"]
    assert story.actions[1] == "b3~"


def test_a_board_that_no_legal_action_leads_to_is_not_explained() -> None:
    assert search("BB.. .... ..m.").stories == []


def test_the_likeliest_root_goes_first_and_its_cost_counts() -> None:
    """Either Red's move came before, or Blue's reply is all that did."""
    before = play(START, "a1-a2")
    reply = "B... rB.. ..m."
    found = search(reply, (START, 0.0), (before, 0.5))
    assert (best(found).root, best(found).actions) == (1, ("b3-b2",))
    assert best(found).cost == 0.5 + LIMITS.first


def test_of_stories_with_the_same_future_the_cheaper_one_is_found() -> None:
    found = search(MOVED, (START, 0.0), (play(START, "a1-a2"), 0.2))
    (story,) = [s for s in found.stories if s.misfit == 0 and s.position == play(START, "a1-a2").position]
    assert (story.root, story.cost) == (1, 0.2)


def test_a_whole_turn_is_no_less_than_an_action() -> None:
    """The player pressed the clock: the board may be as it was only where something brought it back."""
    assert best(search(MOVED, limits=WHOLE_TURN)).actions == ("a1-a2",)
    assert all(story.actions for story in search("BB.. .... r.m.", limits=WHOLE_TURN).stories)


def test_a_move_that_nobody_felt_costs_as_much_as_that_is_unlikely() -> None:
    felt = HandlingTimeline(touched=frozenset(["a1", "a2"]), lifted={"a1": 1.0}, placed={"a2": 2.0})
    assert best(search(MOVED, timeline=felt)).cost == LIMITS.first
    assert search(MOVED, timeline=HandlingTimeline(touched=frozenset())).stories == []
    expansion = Expansion(
        START.rules, see(MOVED, HandlingTimeline(touched=frozenset(["a2"]))), LIMITS, [(START.position, 0.0)]
    )
    assert expansion.unlifted(expansion.roots[0], "a1-a2") == UNFELT


def test_actions_come_in_the_order_in_which_they_were_seen() -> None:
    after = play(START, "c1~", "b3-b2", "a1-a2")
    times = HandlingTimeline({"c1": 1.0, "b3": 2.0, "b2": 2.0, "a1": 3.0, "a2": 3.0})
    known = [(START.position, 0.0)]
    found = explain(START.rules, known, seen_at(after, times), LIMITS, lambda: 0.0)
    assert best(found).actions == ("c1~", "b3-b2", "a1-a2")


def test_a_piece_seen_where_it_went_before_it_left_makes_a_story_doubtful() -> None:
    story = best(search(MOVED, timeline=HandlingTimeline({"a2": 1.0, "a1": 2.0})))
    assert story.ahead > 0
    assert story.cost == story.cost_so_far + story.ahead


def test_a_place_that_may_be_misread_is_no_reason_for_another_action() -> None:
    known = [(START.position, 0.0)]
    evidence = see("MB.. r... ..m.", a3=("blue/solid", 2.5))
    story = best(explain(START.rules, known, evidence, LIMITS, lambda: 0.0))
    assert (story.actions, story.misfit) == (("a1-a2",), 2.5)


def test_a_search_without_time_says_that_it_is_not_exhaustive() -> None:
    found = search(MOVED, spent=lambda: 1.0)
    assert (found.stories, found.is_exhaustive) == ([], False)


@pytest.mark.parametrize(("tries", "is_exhaustive"), [(1, False), (6000, True)])
def test_a_search_tries_no_more_than_its_limit(tries: int, is_exhaustive: bool) -> None:
    assert search(MOVED, limits=Limits(tries=tries, rest=tries)).is_exhaustive is is_exhaustive


def test_only_actions_at_wrong_places_are_tried_where_there_are_many() -> None:
    crowded = session_of("BB.. rrr. rrr. rrr.")
    evidence = see("BB.. rrr. rrr. rr.r")
    expansion = Expansion(crowded.rules, evidence, LIMITS, [(crowded.position, 0.0)])
    tried = {following.action for following in expansion.next_actions(expansion.roots[0])}
    assert "c1-d1" in tried
    assert all("c1" in action or "d1" in action for action in tried)
