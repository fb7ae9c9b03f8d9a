"""What the companion plays itself: it is announced, a player does it on the board, and only that counts."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import EMPTY
from companion.record.opponents import COMPANION, ELSEWHERE
from companion.sensing.observation import Sighting
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.policy import POLICY
from tests.companion.taken_apart import Part, parts_of
from tests.companion.taken_apart import Table as Hands
from tests.companion.test_not_yet import CASTLING, session_of


class Table(Hands):
    """A table at which the companion plays the second seat."""

    @property
    def verdict(self) -> Any:
        return self.desk.snapshot.verdict

    def announce(self, action: str, clock: bool = False) -> None:
        position = self.desk.session.position
        reply, _ = self.desk.handle(m.Submit(action, position.to_act, COMPANION))
        assert reply.ok, reply.words

    def do_all(self, pause: float = 1.0) -> None:
        """Does what the card says until it says nothing more."""
        for _ in range(12):
            if self.verdict is None:
                return
            assert not [step for step in self.verdict.steps if "unknown" in step.words]
            for step in self.verdict.steps[:1]:
                self.do(step)
            self.wait(pause)
        raise AssertionError(self.verdict)


@pytest.mark.parametrize("eyes", ["perfect", "blind", "grid"])
def test_each_piece_is_announced_by_where_it_stands(eyes: str) -> None:
    """The king stands nearer to where the rook goes than the rook does."""
    table = Table(session_of(CASTLING), eyes)
    table.announce("e1g1")
    table.wait(2.0)
    steps = ["Move the white king from e1 to g1.", "Move the white rook from h1 to f1."]
    assert [step.words for step in table.verdict.steps] == steps
    table.do(table.verdict.steps[0])
    table.wait(6.0)
    assert [step.words for step in table.verdict.steps] == steps[1:]


GAMES = [
    "chess",
    "triune",
    "trid",
    "escape",
    "draughts",
    "teleporters",
    "ternion_factor",
    "ternion_spaces",
    "magnet =24T2324t343K =43t3TK434222",
    "magnet values=declared",
]


@pytest.mark.parametrize("eyes", ["perfect", "blind", "grid"])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_announced_is_done_on_the_board_and_then_play_goes_on(game: str, eyes: str) -> None:
    table = Table(session_of(game), eyes)
    for _ in range(4):
        session = table.desk.session
        actions = [a for a in session.rules.legal(session.position) if parts_of(session, a)]
        table.announce(actions[len(session.plies) % len(actions)])
        assert table.verdict.kind == "announced"
        assert table.verdict.steps
        before = table.desk.session.actions
        table.do_all()
        assert table.desk.session.actions == before
    assert not {"refused", "restored", "takeback", "corrected"} & {*table.events}


def test_another_legal_action_is_not_taken_for_it() -> None:
    table = Table(session_of("chess e2e4"), "perfect")
    table.announce("e7e5")
    assert [step.words for step in table.verdict.steps] == ["Move the black pawn from e7 to e5."]
    table.touch(Part("g8", EMPTY), 0.4)
    table.touch(Part("f6", "black"), 5.0)
    assert table.desk.session.actions == ("e2e4", "e7e5")
    assert table.verdict.kind == "announced"
    assert "The board shows something else." in table.verdict.words
    table.do_all()
    assert table.verdict is None
    assert table.events.count("refused") == 0


def test_the_reply_may_follow_at_once() -> None:
    table = Table(session_of("chess e2e4"), "perfect")
    table.announce("e7e5")
    for part in (Part("e7", EMPTY), Part("e5", "black"), Part("g1", EMPTY), Part("f3", "white")):
        table.touch(part, 0.2)
    table.wait(3.0)
    assert table.desk.session.actions == ("e2e4", "e7e5", "g1f3")
    assert table.verdict is None


def test_what_is_not_allowed_after_it_is_refused() -> None:
    table = Table(session_of("chess e2e4"), "perfect")
    table.announce("e7e5")
    for part in (Part("e7", EMPTY), Part("e5", "black"), Part("g1", EMPTY), Part("g3", "white")):
        table.touch(part, 0.2)
    table.wait(POLICY.slight_refusal + 1.0)
    assert table.desk.session.actions == ("e2e4", "e7e5")
    assert table.verdict.kind == "refused"


def test_the_action_before_it_may_be_taken_back_by_hand() -> None:
    table = Table(session_of("chess d2d4 d7d5 e2e4"), "perfect")
    table.announce("d5e4")
    table.touch(Part("e4", EMPTY), 0.4)
    table.touch(Part("e2", "white"), 5.0)
    assert table.desk.session.actions == ("d2d4", "d7d5")
    assert table.verdict is None


def test_a_takeback_goes_to_ones_own_turn() -> None:
    table = Table(session_of("chess"), "perfect")
    reply, _ = table.desk.handle(m.NewGame("chess e2e4 e7e5", {COMPANION: "black=3/10"}))
    assert reply.ok
    reply, _ = table.desk.handle(m.TakeBack(1, "white"))
    assert reply.ok
    assert table.desk.session.actions == ()


def after_e4(head: dict[str, str]) -> Table:
    """A table of chess at which White has played; `head` says who plays Black."""
    table = Table(session_of("chess"), "perfect")
    reply, _ = table.desk.handle(m.NewGame("chess e2e4", head))
    assert reply.ok
    table.board = {place: look.partition("/")[0] for place, look in table.desk.session.look.items()}
    table.wait(2.0)
    return table


def test_the_clock_of_the_player_runs_once_it_is_done() -> None:
    table = after_e4({COMPANION: "black=3/10", "clock": "5"})
    table.announce("e7e5")
    clock = table.desk.snapshot.clock
    assert clock is not None
    assert (clock.runs, clock.paused) == ("white", True)
    table.do_all()
    clock = table.desk.snapshot.clock
    assert clock is not None
    assert (clock.runs, clock.paused) == ("white", False)


def test_nobody_plays_for_the_companion() -> None:
    table = after_e4({COMPANION: "black=3/10"})
    table.touch(Part("e7", EMPTY), 0.4)
    table.touch(Part("e5", "black"), 5.0)
    assert table.desk.session.actions == ("e2e4",)
    assert "wait for what it plays" in table.verdict.words
    table.announce("c7c5")
    table.do_all()
    assert table.desk.session.actions == ("e2e4", "c7c5")


@pytest.mark.parametrize("trouble", [None, "unlearned", "away"])
def test_where_nothing_sees_the_board_nobody_waits_for_it(trouble: str | None) -> None:
    desk = Desk(Store(":memory:"), wall=lambda: 0.0)
    assert desk.handle(m.NewGame("chess e2e4", {COMPANION: "black=3/10"}))[0].ok
    if trouble == "away":
        desk.handle(m.Report("opponent", "it cannot go on"))
    elif trouble:
        unlearned = Sighting(1.0, "camera:0", None, still=False, trouble="unknown board", unlearned=True)
        desk.handle(m.SightingArrived(unlearned))
    assert desk.handle(m.Submit("e7e5", "black", COMPANION))[0].ok
    assert desk.snapshot.verdict is None


def at_two_tables() -> Table:
    """A table at which White sits, Black's player being elsewhere; White has played."""
    return after_e4({ELSEWHERE: "black", "clock": "5"})


def test_what_is_played_at_another_table_is_announced_alike() -> None:
    table = at_two_tables()
    reply, _ = table.desk.handle(m.FromElsewhere(m.Submit("e7e5", "black", ELSEWHERE), 250.0))
    assert reply.ok
    assert table.verdict.kind == "announced"
    assert [(step.start, step.end) for step in table.verdict.steps] == [("e7", "e5")]
    table.do_all()
    clock = table.desk.snapshot.clock
    assert clock is not None
    assert (clock.runs, clock.left["black"]) == ("white", 250.0)
    assert table.desk.session.plies[-1].entry.clock == 250.0


def test_nobody_plays_for_the_player_at_another_table() -> None:
    table = at_two_tables()
    table.touch(Part("e7", EMPTY), 0.4)
    table.touch(Part("e5", "black"), 5.0)
    assert table.desk.session.actions == ("e2e4",)
    assert "at the other table" in table.verdict.words
    for message in (
        m.Submit("e7e5", "black"),
        m.Deed("resign", "black"),
        m.Correct({}, "white"),
        m.Deed("offer", "black"),
    ):
        reply, _ = table.desk.handle(message)
        assert not reply.ok


def test_the_clock_of_another_table_falls_there() -> None:
    table = at_two_tables()
    table.wait(400.0)
    assert table.desk.session.outcome is None
    reply, _ = table.desk.handle(m.FromElsewhere(m.Deed("flag", "black")))
    assert reply.ok
    assert table.desk.session.outcome == table.desk.session.ruled
    assert table.desk.session.outcome.winner == "white"
