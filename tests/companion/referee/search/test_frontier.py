"""The frontier: which of the nodes that wait comes next."""

from companion.referee import Evidence
from companion.referee.search.best_first import Frontier
from companion.referee.search.expansion import Expansion
from companion.referee.search.limits import Limits
from companion.referee.search.node import Node
from companion.sensing.observation import Observation
from tests.companion.referee.boards import session_of

SESSION = session_of("BB.. .... r.m.")
ROOT = Expansion(SESSION.rules, Evidence(Observation(0.0, {})), Limits(), [(SESSION.position, 0.0)]).roots[0]


def node(*actions: str) -> Node:
    return ROOT._replace(actions=actions)


def frontier(**priorities: float) -> Frontier:
    """A frontier of nodes by name, with as many actions as letters."""
    found = Frontier(longest=3)
    for name, priority in priorities.items():
        found.push(node(*name), (priority, 0.0))
    return found


def test_the_best_of_all_lengths_comes_first() -> None:
    waiting = frontier(a=3.0, bc=1.0, d=2.0)
    assert ["".join(waiting.pop_best().actions) for _ in range(3)] == ["bc", "d", "a"]
    assert not waiting


def test_of_equals_the_shorter_and_then_the_older_comes_first() -> None:
    waiting = frontier(bc=1.0, a=1.0, d=1.0)
    assert ["".join(waiting.pop_best().actions) for _ in range(3)] == ["a", "d", "bc"]


def test_the_lengths_have_their_turns() -> None:
    waiting = frontier(a=1.0, b=2.0, cd=9.0, efg=8.0)
    assert ["".join(waiting.pop_in_turn(n).actions) for n in range(4)] == ["a", "cd", "b", "efg"]


def test_nodes_are_reordered_by_another_priority() -> None:
    waiting = frontier(a=1.0, b=2.0, c=3.0)
    waiting.reorder(lambda node: (-ord(node.actions[0]), 0.0))
    assert ["".join(waiting.pop_best().actions) for _ in range(3)] == ["c", "b", "a"]
