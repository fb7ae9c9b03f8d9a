"""Bounds and budget: when a node is dropped, and when the search ends."""

import pytest

from companion.referee.evidence.evidence import CAP
from companion.referee.search.limits import Limits
from companion.referee.search.progress import EXPLORE, Bounds, Budget

LIMITS = Limits()
FURTHER = LIMITS.more


def bounds(cost_bound: float = 10.0, changed: int = 4) -> Bounds:
    return Bounds(LIMITS, cost_bound, FURTHER, changed)


def rest(wrong: int, handled: float = 0.0, has_begun: bool = True, within: Bounds | None = None) -> float:
    """The lower bound where so many places are wrong beyond doubt."""
    return (within or bounds()).lower_bound(wrong * CAP, wrong * CAP, handled, has_begun)


def test_a_board_that_fits_needs_nothing_more() -> None:
    assert rest(0) == 0
    assert bounds().lower_bound(LIMITS.fit, LIMITS.fit + 1, 0.0, True) == LIMITS.answer


def test_each_action_puts_two_places_right_at_most() -> None:
    assert [rest(n) for n in (1, 2, 3, 4)] == pytest.approx([FURTHER, FURTHER, 2 * FURTHER, 2 * FURTHER])


def test_an_action_that_changed_three_places_may_have_done_so_again() -> None:
    reaching = bounds()
    reaching.note_change(3)
    reaching.note_change(1)
    assert rest(3, within=reaching) == FURTHER


def test_the_first_action_costs_no_less_than_a_further_one() -> None:
    assert rest(2, has_begun=False) == min(LIMITS.first, FURTHER)


def test_more_actions_than_the_places_that_changed_speak_for_are_extra() -> None:
    assert rest(2, handled=2.0) == FURTHER + LIMITS.extra


def test_the_cost_bound_falls_with_each_better_story() -> None:
    within = bounds(cost_bound=10.0)
    within.tighten(3.0)
    assert within.cost_bound == 3.0 + LIMITS.margin
    within.tighten(5.0)
    assert within.cost_bound == 3.0 + LIMITS.margin


def test_tries_are_counted_and_fewer_are_left_once_a_story_is_found() -> None:
    budget = Budget(Limits(tries=5, rest=2), lambda: 0.0)
    budget.count_try()
    budget.count_stories(1)
    budget.count_try()
    assert not budget.is_used_up()
    budget.count_stories(2)
    budget.count_try()
    assert budget.is_used_up()
    budget.renew()
    assert not budget.is_over()


def test_so_many_stories_are_enough() -> None:
    budget = Budget(Limits(rivals=2), lambda: 0.0)
    budget.count_stories(1)
    assert not budget.is_used_up()
    budget.count_stories(2)
    assert budget.is_used_up()


@pytest.mark.parametrize(
    ("spent", "stories", "is_late", "is_over"),
    [(EXPLORE, 0, False, False), (EXPLORE, 1, True, False), (1.0, 0, True, True), (1.0, 1, True, True)],
)
def test_some_time_is_left_for_the_variants_of_stories(
    spent: float, stories: int, is_late: bool, is_over: bool
) -> None:
    budget = Budget(LIMITS, lambda: spent)
    budget.count_stories(stories)
    assert (budget.is_late(), budget.is_over()) == (is_late, is_over)
