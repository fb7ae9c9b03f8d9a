"""Sessions: playing, taking back, correcting; a session is what its log amounts to."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import EMPTY, IllegalActionError, Outcome
from companion.games.text import read_game
from companion.record import session as session_module
from companion.record.session import (
    Entry,
    Session,
    SessionError,
    begin,
    common_plies,
    read_looks,
    restore,
    write_looks,
)
from companion.store.store import result_word
from companion.table.present import outcome_words

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


def test_an_offer_outlives_the_action_of_who_made_it() -> None:
    """In many games a draw is offered together with one's own action."""
    offered = played("a2-a3").apply(Entry("offer", by="blue")).apply(Entry("action", "b7~"))
    assert offered.offer == "blue"
    assert offered.apply(Entry("accept", by="red")).outcome == Outcome(None, "draw agreed")
    assert offered.apply(Entry("action", "a3-a4")).offer == ""


def test_who_has_accepted_may_play_before_the_others_answer() -> None:
    session = begin(read_game("trid players=3"))
    first, second, third = session.players
    offered = session.apply(Entry("offer", by=third)).apply(Entry("accept", by=first))
    for player in (first, second):
        assert (offered.offer, offered.position.to_act) == (third, player)
        offered = offered.apply(Entry("action", next(offered.rules.legal(offered.position))))
    assert offered.offer == ""


def test_a_draw_is_claimed_by_the_player_to_move() -> None:
    session = begin(read_game("chess"))
    for action in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        session = session.apply(Entry("action", action))
    with pytest.raises(SessionError):
        session.apply(Entry("claim", by="black"))
    ended = session.apply(Entry("claim", by="white"))
    assert ended.outcome == Outcome(None, "the same position for the third time")
    assert ended.apply(Entry("takeback", "1")).outcome is None


@pytest.mark.parametrize("kind", ["offer", "accept", "resign", "flag"])
@pytest.mark.parametrize("by", ["nobody", "", "arbiter"])
def test_who_has_no_seat_agrees_to_nothing(kind: str, by: str) -> None:
    offered = played("a2-a3").apply(Entry("offer", by="red"))
    with pytest.raises(SessionError, match="no seat"):
        offered.apply(Entry(kind, by=by))


def test_everybody_agrees_to_a_draw() -> None:
    session = begin(read_game("trid players=4")).apply(Entry("offer", by="red"))
    one, two, three = [p for p in session.players if p != "red"]
    for player in (one, two):
        session = session.apply(Entry("accept", by=player))
        assert session.outcome is None
        with pytest.raises(SessionError, match="no draw"):
            session.apply(Entry("accept", by=player))
    assert session.apply(Entry("decline", by=three)).offer == ""
    again = session.apply(Entry("offer", by=one)).apply(Entry("accept", by=three))
    assert again.agreed == (three,)
    agreed = session.apply(Entry("accept", by=three)).outcome
    assert agreed is not None
    assert agreed.winner is None


def test_who_is_out_of_the_game_has_no_say() -> None:
    """Three play TRID, red has lost all its pawns: of the two who are left one resigns."""
    session = begin(read_game("trid players=3"))
    looks = {p: look for p, look in session.look.items() if not look.startswith("red")}
    session = session.apply(Entry("correction", write_looks("black", looks, session.look), "arbiter"))
    with pytest.raises(SessionError, match="no seat"):
        session.apply(Entry("offer", by="red"))
    resigned = session.apply(Entry("resign", by="black")).outcome
    assert resigned is not None
    assert resigned.winner == "blue"


@pytest.mark.parametrize(
    ("fen", "winner"),
    [("4k3/8/8/8/8/8/4P3/4K3", None), ("4kr2/8/8/8/8/8/4P3/4K3", "black")],
)
def test_a_flag_gives_the_game_to_whoever_can_win(fen: str, winner: str | None) -> None:
    pytest.importorskip("chess")
    session = begin(read_game(f"chess fen={fen}_w_-_-_0_1"))
    fallen = session.apply(Entry("flag", by="white")).outcome
    assert fallen is not None
    assert fallen.winner == winner


def test_a_puzzle_is_given_up() -> None:
    outcome = begin(read_game("queens")).apply(Entry("resign", by="solver")).outcome
    assert outcome == Outcome(None, "given up")
    assert outcome_words(outcome) == "Given up."
    assert result_word(outcome) == "given up"


@pytest.mark.parametrize("kind", ["resign", "flag", "result"])
def test_only_the_arbiter_takes_a_result_back(kind: str) -> None:
    over = played("a2-a3").apply(Entry(kind, "red" if kind == "result" else "", "blue"))
    with pytest.raises(SessionError, match="arbiter"):
        over.apply(Entry("takeback", "1", "red"))
    assert over.apply(Entry("takeback", "1", "arbiter")).outcome is None


@pytest.mark.parametrize("text", ["abc", "", "-1", "1.5", "²", "9" * 400])
def test_a_number_of_actions_is_taken_back(text: str) -> None:
    with pytest.raises(SessionError):
        played("a2-a3").apply(Entry("takeback", text))


def test_who_acts_out_of_turn_learns_no_more_than_that() -> None:
    """Whether a3 holds Red's king, which is not promoted, is Red's secret."""
    for setup in ("=K222333444tT", "=2K22333444tT"):
        session = begin(read_game("magnet"))
        for action in (setup, setup):
            session = session.apply(Entry("action", action))
        found = {a: session.judge(a, "blue") for a in ("a3+", "@e6", "nonsense")}
        assert {breach.rule for breaches in found.values() for breach in breaches} == {"GEN-2"}


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


LOG = (
    Entry("action", "a2-a3", "red", "camera:0", 0.9, 1.0, 60.0),
    Entry("action", "b7-b6"),
    Entry("offer", by="red"),
    Entry("action", "a3-a4"),
    Entry("takeback", "2"),
    Entry("redo"),
    Entry("note", "x"),
    Entry("action", "a3-a4"),
    Entry("action", "b6-b5"),
)


@pytest.mark.parametrize("count", range(len(LOG) + 1))
def test_a_log_is_restored_as_it_was_played(count: int) -> None:
    session = begin(GAME)
    for entry in LOG[:count]:
        session = session.apply(entry)
    restored = restore(GAME, LOG[:count])
    assert restored == session
    assert all(restored.log[restored.line(ply) - 1] is ply.entry for ply in restored.plies)


def test_an_action_is_restored_at_no_more_cost_late_in_a_long_game(monkeypatch: pytest.MonkeyPatch) -> None:
    carried = []
    play = session_module._play

    def measured(session: Session, entry: Entry) -> Session:
        carried.append(len(session.plies) + len(session.log))
        return play(session, entry)

    monkeypatch.setattr(session_module, "_play", measured)
    restored = restore(GAME, [Entry("action", action) for action in ("a2-a3", "b7-b6", "a3-a4", "b6-b5")])
    assert len(restored.plies) == len(restored.log) == 4
    assert max(carried) == 1
