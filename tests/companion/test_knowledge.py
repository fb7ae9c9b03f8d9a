"""Sessions as a viewer knows them: sessions of the same rules, from which no secret can be told."""

from random import Random

import pytest

from companion.games.text import read_game
from companion.record.knowledge import carry_out, count_true_plies, is_answer, known_to
from companion.record.session import Entry, Session, begin

VIEWERS = (None, "red", "blue")
GAME = read_game("magnet")
RULES = GAME.rules


def played(seed: int, count: int = 120) -> Session:
    """Plays at random until so many actions are done, or the game would be over."""
    chance, session = Random(seed), begin(GAME)
    for _ in range(2):
        session = session.apply(Entry("action", RULES.set_up(session.position, chance)))  # type: ignore[attr-defined]
    for _ in range(count):
        action = chance.choice([a for a in RULES.legal(session.position) if a != "declare"])
        after = session.apply(Entry("action", action))
        if after.outcome:
            break
        session = after
    return session


@pytest.mark.parametrize("text", ["triune a2-a3", "chess e2e4", "magnet values=declared @f4"])
def test_a_session_without_secrets_is_known_as_it_is(text: str) -> None:
    head, _, action = text.rpartition(" ")
    session = begin(read_game(head)).apply(Entry("action", action))
    assert all(known_to(viewer, session) is session for viewer in VIEWERS)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("seed", range(4))
def test_a_known_session_is_played_by_the_same_rules(seed: int, viewer: str | None) -> None:
    session = played(seed)
    known = known_to(viewer, session)
    before = known.first
    for ply in known.plies:
        if not ply.action.startswith("="):
            assert RULES.judge(before, ply.action) == ()
            assert RULES.view(RULES.play(before, ply.action).position, viewer) == RULES.view(
                ply.after, viewer
            )
        before = ply.after
    assert known.position == RULES.view(session.position, viewer)
    assert count_true_plies(known, len(known.plies)) == len(session.plies)
    assert [p.action for p in known.plies if not is_answer(RULES, p)][2:] == [*session.actions[2:]]


def test_what_was_captured_follows_as_an_answer_of_its_owner() -> None:
    known = [(viewer, known_to(viewer, played(seed))) for viewer in VIEWERS for seed in range(4)]
    told = {viewer: set[str]() for viewer in VIEWERS}
    for viewer, session in known:
        told[viewer] |= {ply.player for ply in session.plies if is_answer(RULES, ply)}
    assert told == {None: {"red", "blue"}, "red": {"blue"}, "blue": {"red"}}


@pytest.mark.parametrize("seed", range(4))
def test_the_truth_goes_on_as_it_is_known(seed: int) -> None:
    session = played(seed)
    for count in range(2, len(session.plies), 7):
        before = Session(GAME, session.first, session.plies[:count])
        found = carry_out(before, known_to(None, before), known_to(None, session))
        assert found is not None
        assert found.actions == session.actions


def test_the_truth_takes_what_its_secrets_allow() -> None:
    """a2 is the king, which cannot be promoted; b1 can."""
    truth = begin(GAME)
    for action in ("=K222333444tT", "=K222333444tT", "@c2"):
        truth = truth.apply(Entry("action", action))
    known = known_to(None, truth)
    for action, is_allowed in (("a2", True), ("a2+", False)):
        after = known.apply(Entry("action", action))
        found = carry_out(truth, known, after)
        assert (found is not None and found.actions[-1] == action) == is_allowed
    further = known.apply(Entry("action", "a2"))
    placed = next(action for action in RULES.legal(further.position) if action.startswith("@"))
    further = further.apply(Entry("action", placed))
    moved = next(a for a in RULES.legal(further.position) if not a.endswith("+"))
    found = carry_out(truth, known, further.apply(Entry("action", moved)))
    assert found is not None
    assert found.actions[-2:] == (placed, moved)
