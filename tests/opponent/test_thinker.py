"""A mind in a process of its own: told, cancelled, dead; and its equal in this process."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import Queue

import pytest

from benchmarks.simulation.direct_thinker import DirectThinker
from opponent.mind import Choice, Question
from opponent.thinker import Tell, Thinker, Thinks

Told = Queue[tuple[Question, Choice | None]]
EASY = Question("triune", "red", level=1)
HARD = Question("triune", "red", nodes=10**9, seconds=10**6)
SECONDS = 60


@pytest.fixture(params=[Thinker, DirectThinker])
def thinker(request: pytest.FixtureRequest) -> Iterator[tuple[Thinks, Told]]:
    make: Callable[[Tell], Thinks] = request.param
    told: Told = Queue()
    found = make(lambda question, choice: told.put((question, choice)))
    yield found, told
    found.close()


def heard(told: Told) -> tuple[Question, Choice | None]:
    question, choice = told.get(timeout=SECONDS)
    return question, choice and replace(choice, seconds=0.0)


def test_each_question_is_told_once(thinker: tuple[Thinks, Told]) -> None:
    mind, told = thinker
    for level in (1, 2):
        question = replace(EASY, level=level)
        mind.start(question)
        asked, choice = heard(told)
        assert asked == question
        assert choice is not None
        assert choice.actions
        assert choice.line
    assert told.empty()


def test_both_kinds_choose_alike() -> None:
    found = []
    for kind in (Thinker, DirectThinker):
        told: Told = Queue()
        mind = kind(lambda question, choice, told=told: told.put((question, choice)))  # type: ignore[misc]
        mind.start(replace(EASY, level=3, seed=7))
        found.append(heard(told))
        mind.close()
    assert found[0] == found[1]


def test_what_is_no_question_is_told_as_none(thinker: tuple[Thinks, Told]) -> None:
    mind, told = thinker
    mind.start(replace(EASY, seat="blue"))
    assert heard(told)[1] is None
    mind.start(EASY)
    assert heard(told)[1]


def test_a_cancelled_question_is_not_told_and_another_may_follow() -> None:
    told: Told = Queue()
    mind = Thinker(lambda question, choice: told.put((question, choice)))
    mind.start(HARD)
    mind.cancel()
    mind.cancel()
    mind.start(HARD)
    mind.start(EASY)
    assert heard(told)[0] == EASY
    assert told.empty()
    mind.close()
    mind.close()


@pytest.mark.parametrize("code", ["import sys; sys.stdin.readline()", "print('no choice')", "import no_such"])
def test_a_process_that_dies_or_babbles_is_told_as_none(code: str) -> None:
    told: Told = Queue()
    mind = Thinker(lambda question, choice: told.put((question, choice)), (sys.executable, "-c", code))
    mind.start(EASY)
    assert heard(told) == (EASY, None)
    mind.start(EASY)
    assert heard(told) == (EASY, None)
    mind.close()


def test_a_process_has_little_memory_and_is_niced() -> None:
    told: Told = Queue()
    code = (
        "from opponent import thinker, mind; import os, resource, sys; thinker.limit();"
        "from companion.wire import codec; sys.stdin.readline();"
        "given = resource.getrlimit(resource.RLIMIT_AS)[0] == thinker.MEMORY;"
        "print(codec.write(mind.Choice((str(given),), 0, depth=os.nice(0))).decode())"
    )
    mind = Thinker(lambda question, choice: told.put((question, choice)), (sys.executable, "-c", code))
    mind.start(EASY)
    choice = heard(told)[1]
    assert choice is not None
    assert choice.actions == ("True",)
    assert choice.depth >= 10
    mind.close()
