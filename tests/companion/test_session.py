"""Sessions: playing, taking back, correcting; a session is what its log amounts to."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import EMPTY, IllegalActionError
from companion.session import (
    Entry,
    Session,
    SessionError,
    begin,
    common_plies,
    read_looks,
    restore,
    write_looks,
)
from companion.text import read_game

GAME = read_game("triune")


def played(*actions: str) -> Session:
    session = begin(GAME)
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


def test_actions_stand_in_the_game_text() -> None:
    assert played("a2-a3", "b7~").text == "triune a2-a3 b7~"
    assert played().text == "triune"


def test_an_illegal_action_changes_nothing() -> None:
    session = played("a2-a3")
    with pytest.raises(IllegalActionError) as refused:
        session.apply(Entry("action", "a3-a4"))
    assert [b.rule for b in refused.value.breaches] == ["TR-1"]
    assert session.text == "triune a2-a3"


def test_acting_out_of_turn_is_told_as_such() -> None:
    session = played("a2-a3")
    assert {b.rule for b in session.judge("b7~", by="red")} == {"GEN-2"}
    assert session.judge("b7~", by="blue") == ()
    assert session.judge("b7~", by="arbiter") == ()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_takebacks_over_several_turns_are_redone(count: int) -> None:
    session = played("a2-a3", "b7~", "c2~")
    back = session.apply(Entry("takeback", str(count)))
    assert back.actions == session.actions[: 3 - count]
    again = back
    for _ in range(count):
        again = again.apply(Entry("redo"))
    assert again.position == session.position
    assert again.actions == session.actions
    with pytest.raises(SessionError, match="nothing to play again"):
        again.apply(Entry("redo"))


@pytest.mark.parametrize("count", ["0", "2", "9"])
def test_more_than_was_played_is_not_taken_back(count: str) -> None:
    with pytest.raises(SessionError):
        played("a2-a3").apply(Entry("takeback", count))


def test_a_new_action_ends_redoing() -> None:
    session = played("a2-a3", "b7~").apply(Entry("takeback", "1")).apply(Entry("action", "c7~"))
    with pytest.raises(SessionError):
        session.apply(Entry("redo"))


def test_resigning_ends_the_game_and_can_be_taken_back() -> None:
    session = played("a2-a3").apply(Entry("resign", by="blue"))
    assert session.outcome is not None
    assert session.outcome.winner == "red"
    with pytest.raises(IllegalActionError):
        session.apply(Entry("action", "b7~"))
    back = session.apply(Entry("takeback", "1"))
    assert back.outcome is None
    assert back.actions == ("a2-a3",)


def test_a_draw_needs_an_offer_of_the_other() -> None:
    session = played("a2-a3")
    with pytest.raises(SessionError, match="no draw"):
        session.apply(Entry("accept", by="blue"))
    offered = session.apply(Entry("offer", by="red"))
    with pytest.raises(SessionError):
        offered.apply(Entry("accept", by="red"))
    agreed = offered.apply(Entry("accept", by="blue"))
    assert agreed.outcome is not None
    assert agreed.outcome.winner is None
    assert offered.apply(Entry("action", "b7~")).offer == ""
    assert offered.apply(Entry("decline", by="blue")).offer == ""


def test_an_arbiter_corrects_the_position() -> None:
    session = played("a2-a3")
    text = "turn=red;a3=empty;d4=red/marked"
    corrected = session.apply(Entry("correction", text, "arbiter"))
    looks = corrected.rules.look(corrected.position)
    assert looks["d4"] == "red/marked"
    assert "a3" not in looks
    assert corrected.position.turn == "red"
    assert corrected.apply(Entry("action", "d4xd7")).plies[-1].player == "red"
    assert corrected.apply(Entry("takeback", "1")).position == session.position


@pytest.mark.parametrize("text", ["turn=red;a1", "turn=green", "turn=red;z9=red/solid", "turn=red;a1=pink"])
def test_a_correction_that_cannot_be(text: str) -> None:
    with pytest.raises(SessionError):
        played().apply(Entry("correction", text, "arbiter"))


@given(st.integers(0, 2**32))
def test_looks_are_written_and_read(seed: int) -> None:
    rng = random.Random(seed)
    names = ["red/solid", "blue/triune", "white+T", "+T"]
    looks = {f"a{n}": rng.choice(names) for n in range(rng.randint(0, 9))}
    before = {f"a{n}": rng.choice(["red/solid", "x"]) for n in range(rng.randint(0, 9))}
    turn, found = read_looks(write_looks("red", looks, before), before)
    assert turn == "red"
    assert {p: look for p, look in found.items() if look != EMPTY} == looks


@given(st.integers(0, 2**32))
def test_a_session_is_what_its_log_amounts_to(seed: int) -> None:
    rng, session = random.Random(seed), begin(GAME)
    for _ in range(30):
        session = random_step(rng, session)
    again = restore(GAME, session.log)
    assert again == session
    assert again.position == session.position
    assert common_plies(again, session) == len(session.plies)


def random_step(rng: random.Random, session: Session) -> Session:
    kind = rng.choice(["action"] * 6 + ["takeback", "redo", "refused", "note", "offer", "decline"])
    if kind == "action" and not session.outcome:
        return session.apply(Entry("action", rng.choice(list(session.rules.legal(session.position)))))
    if kind == "takeback" and session.plies:
        return session.apply(Entry("takeback", str(rng.randint(1, len(session.plies)))))
    if kind == "redo" and session.undone:
        return session.apply(Entry("redo"))
    if kind in ("refused", "note", "decline"):
        return session.apply(Entry(kind, "words"))
    if kind == "offer":
        return session.apply(Entry("offer", by=session.position.turn))
    return session
