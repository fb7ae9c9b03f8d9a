"""Stories that are held in doubt: by what they are weighed."""

from companion.games.text import read_game
from companion.record.session import begin
from companion.referee import Belief, Evidence
from companion.referee.hypotheses.belief import Candidate
from companion.referee.verdict.doubt import MOST_STORIES, held_in_doubt
from companion.sensing.observation import Observation

START = begin(read_game("chess"))
NOTHING = Evidence(Observation(0.0, {}))


def costs(stories: list[float], broken: float) -> list[float]:
    held = held_in_doubt(Belief(START), NOTHING, [Candidate(START, cost) for cost in stories], broken)
    return [story.cost for story in held.doubtful]


def test_stories_keep_their_distances_and_that_to_broken_rules() -> None:
    assert costs([8.0, 9.5], broken=7.0) == [1.0, 2.5]


def test_what_is_likelier_than_broken_rules_is_the_measure_of_the_others() -> None:
    assert costs([6.0, 9.5], broken=10.0) == [0.0, 3.5]


def test_so_many_stories_are_held() -> None:
    assert costs([1.0] * (MOST_STORIES + 1), broken=4.0) == [0.0] * MOST_STORIES


def test_a_board_stays_unexplained_while_stories_of_it_are_held() -> None:
    first = held_in_doubt(Belief(START), NOTHING, [Candidate(START, 6.0)], 10.0)
    second = held_in_doubt(first, NOTHING, [Candidate(START, 1.0)], 10.0)
    assert (second.unexplained, second.least) == ((NOTHING, NOTHING), 7.0)
    assert held_in_doubt(second, NOTHING, [], 10.0) == Belief(START)
