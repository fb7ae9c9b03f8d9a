"""SettledEvents: what is certain is told, and what turns out otherwise before that is not."""

from collections.abc import Sequence

import pytest

from companion.games.text import read_game
from companion.record.session import Entry, Session, begin
from companion.table.settled_events import SettledEvents
from companion.table.snapshot import Happening, PlayedAction
from companion.wire.events import ActionRefused, ChoiceAsked, Corrected, GameOver, TakenBack


def session_of(*actions: str) -> Session:
    session = begin(read_game("triune"))
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


def actions_of(session: Session, last: int) -> list[Happening]:
    return [PlayedAction(p) for p in session.plies[-last:]]


def told(happenings: Sequence[Happening]) -> list[str]:
    return [h.ply.action if isinstance(h, PlayedAction) else h.event for h in happenings]


FIRST, SECOND, OTHER = "a2-a3", "a7-a6", "b7-b6"
WHOLE = session_of(FIRST, SECOND)


@pytest.mark.parametrize(
    ("certain", "now", "later"),
    [(2, [FIRST, SECOND], []), (1, [FIRST], [SECOND]), (0, [], [FIRST, SECOND])],
)
def test_an_action_is_told_once_it_is_certain(certain: int, now: list[str], later: list[str]) -> None:
    events = SettledEvents()
    assert told([*events.hear(actions_of(WHOLE, 2), WHOLE, certain)]) == now
    assert told([*events.hear((), WHOLE, 2)]) == later
    assert [*events.rest()] == []


def test_what_was_not_told_yet_is_not_taken_back() -> None:
    events = SettledEvents()
    assert told([*events.hear(actions_of(WHOLE, 2), WHOLE, 1)]) == [FIRST]
    other = session_of(FIRST, OTHER)
    happened = [TakenBack(count=1), *actions_of(other, 1)]
    assert told([*events.hear(happened, other, 2)]) == [OTHER]


def test_of_a_takeback_what_was_told_is_taken_back() -> None:
    events = SettledEvents()
    assert told([*events.hear(actions_of(WHOLE, 2), WHOLE, 1)]) == [FIRST]
    (back,) = events.hear([TakenBack(count=2, words="so")], session_of(), 0)
    assert back == TakenBack(count=1, words="so")
    assert [*events.rest()] == []


@pytest.mark.parametrize(("known", "kinds"), [(1, [OTHER]), (2, ["corrected"])])
def test_what_was_not_told_yet_is_not_corrected(known: int, kinds: list[str]) -> None:
    events = SettledEvents()
    list(events.hear(actions_of(WHOLE, 2), WHOLE, known))
    other = session_of(FIRST, OTHER)
    corrected = [Corrected(actions=(OTHER,))]
    assert told([*events.hear(corrected, other, 2)]) == kinds


@pytest.mark.parametrize("last", [ChoiceAsked(choices=()), GameOver(winner=None, reason="")])
def test_nothing_is_held_back_when_a_player_is_asked_or_the_game_is_over(last: Happening) -> None:
    events = SettledEvents()
    happened = [*actions_of(WHOLE, 2), last]
    assert told([*events.hear(happened, WHOLE, 0)]) == [FIRST, SECOND, last.event]


def test_a_refusal_does_not_wait() -> None:
    events = SettledEvents()
    happened = [*actions_of(WHOLE, 2), ActionRefused(action=None, breaks=(), steps=())]
    assert told([*events.hear(happened, WHOLE, 1)]) == ["refused", FIRST]
    assert told([*events.rest()]) == [SECOND]
