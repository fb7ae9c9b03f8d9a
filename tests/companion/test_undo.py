"""Undo: what is begun on the board is given up first, and the board is led back to where it was."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import EMPTY, Action
from companion.record.session import Entry, Session
from companion.sensing.observation import Touch
from companion.table import messages as m
from companion.table.policy import POLICY
from companion.table.present import present
from companion.table.refusals import is_begun
from companion.table.weighing import find_left_standing
from tests.companion.taken_apart import Part, Table, begun_by_chance, pieces_of
from tests.companion.test_not_yet import (
    ANY_PAUSES,
    ANY_PLIES,
    ANY_SEED,
    CASTLING,
    HEADS,
    TELEPORT,
    TO_CAPTURE,
    TO_CROWN,
    TO_ESCAPE,
    card,
    finish,
    session_of,
)

CAPTURE = "draughts fen=B:W15,29:B11,1"
AS_IN_THE_GAME = "That was not finished, and does not count. Put the board as the game has it."


def do(table: Table, touches: str, pause: float = 0.2) -> None:
    """Does touches, `-e1 +g1`, with the pieces of the player to act; `+g1=red/marked` names another look."""
    mine = table.desk.session.position.to_act
    for word in touches.split():
        place, _, look = word[1:].partition("=")
        table.touch(Part(place, (look or mine) if word[0] == "+" else EMPTY), pause)
    table.wait(4.0)


def follow_card(table: Table) -> None:
    """Does what the card says, step by step, until it says nothing."""
    for _ in range(12):
        verdict = table.desk.snapshot.verdict
        if verdict is None:
            return
        table.do(verdict.steps[0])
        table.wait(4.0)
    raise AssertionError(card(table))


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    ("text", "count", "steps"),
    [
        (f"{CASTLING} e1g1", 1, "white king from g1 to e1|white rook from f1 to h1"),
        (f"{CASTLING} e1g1 d7d6", 2,
         "black pawn from d6 to d7|white king from g1 to e1|white rook from f1 to h1"),
        ("chess fen=4k3/8/8/3N4/8/8/8/3QK3_w_-_-_0_1 d5f6 e8f8 d1d5", 3,
         "black king from f8 to e8|white queen from d5 to d1|white knight from f6 to d5"),
        ("draughts fen=W:W22,32:B18,10,4 c3xe5xc7 h8-g7", 1, "black man from 8 to 4"),
    ],
)  # fmt: skip
def test_each_piece_goes_back_to_where_it_came_from(text: str, count: int, steps: str, eyes: str) -> None:
    table = Table(session_of(text), eyes)
    assert table.desk.handle(m.TakeBack(count))[0].ok
    table.wait(4.0)
    told = card(table)
    assert told is not None
    assert told[2] == [f"Move the {step}." for step in steps.split("|")]
    for step in table.desk.snapshot.verdict.steps:  # type: ignore[union-attr]
        table.do(step)
        table.wait(1.0)
    table.wait(4.0)
    assert card(table) is None
    assert pieces_of(table.desk.session.look) == table.board


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_what_is_put_back_on_a_grid_is_believed(eyes: str) -> None:
    """The black pawn is back before all else is: a grid feels the same there as of the white one."""
    table = Table(session_of("chess e2e4 d7d5 e4d5 g8f6"), eyes)
    assert table.desk.handle(m.TakeBack(2))[0].ok
    do(table, "-d5 +d5=black")
    told = card(table)
    assert told is not None
    assert told[2] == ["Move the black knight from f6 to g8.", "Put a white pawn on e4."]


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_capture_en_passant_may_be_taken_back_slowly(eyes: str) -> None:
    table = Table(session_of(TO_CAPTURE), eyes)
    do(table, "-e5 +d6 -d5")
    assert table.desk.session.actions[-1] == "e5d6"
    do(table, "-d6 +e5=white")
    table.wait(POLICY.piece_in_hand)
    do(table, "+d5=black")
    assert table.desk.session.actions == session_of(TO_CAPTURE).actions
    assert "refused" not in table.events


@pytest.mark.parametrize("touches", ["-e1 +g1 -h1 +f1", "-h1 -e1 +f1 +g1"])
@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_castling_that_is_not_allowed_is_refused_as_that(eyes: str, touches: str) -> None:
    table = Table(session_of(f"{CASTLING} e1e2 a7a6 e2e1 a6a5"), eyes)
    do(table, touches)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert [breach.rule for breach in verdict.breaches] == ["CH-6"]
    steps = ["Move the white king from g1 to e1.", "Move the white rook from f1 to h1."]
    assert [step.words for step in verdict.steps] == steps


def test_what_a_player_entered_is_moved_from_where_it_stands() -> None:
    table = Table(session_of("chess e2e4"), "grid")
    assert table.desk.handle(m.Submit("e7e5"))[0].ok
    table.wait(2.0)
    told = card(table)
    assert told is not None
    assert told[2] == ["Move the black pawn from e7 to e5."]


BEGUN = [
    (CASTLING, "-e1 +g1", "-h1 +f1", "e1g1"),
    (CASTLING, "-h1 +f1 -e1", "+g1", "e1g1"),
    ("chess fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", "-e1 +g1", "-h1 +f1", "e1g1"),
    (TO_CAPTURE, "-e5 +d6", "-d5", "e5d6"),
    (CAPTURE, "-f6 +d4", "-e5", "f6xd4"),
    (TO_ESCAPE, "-g7 +f12", "-f12", "g7>f12"),
    (TO_CROWN, "-d5 +a8=red/marked", "+a8=red/triune", "d5xa8=T"),
    (TELEPORT, "-f3nw -f3se +f3ne=south/port", "+f3sw=south/port", "=f3@"),
]


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(("text", "begun", "rest", "action"), BEGUN)
def test_what_is_begun_is_given_up_first(text: str, begun: str, rest: str, action: str, eyes: str) -> None:
    if eyes == "grid" and text == TO_CROWN:
        return  # to a grid the piece is a Triune at once
    session = session_of(text)
    table = Table(session, eyes)
    do(table, begun)
    assert table.desk.snapshot.verdict.kind == "unfinished"  # type: ignore[union-attr]
    assert table.desk.handle(m.TakeBack(1))[0].ok
    told = card(table)
    assert told is not None
    assert (told[0], told[1]) == ("restore", AS_IN_THE_GAME)
    follow_card(table)
    assert table.board == pieces_of(session.look)
    assert table.desk.session.actions == session.actions
    assert "refused" not in table.events
    do(table, f"{begun} {rest}")
    assert table.desk.session.actions == (*session.actions, action)


def test_a_second_undo_takes_back_what_was_played_last() -> None:
    table = Table(session_of(CASTLING), "perfect")
    do(table, "-e1 +g1")
    for plies in (6, 5):
        assert table.desk.handle(m.TakeBack(1))[0].ok
        assert len(table.desk.session.plies) == plies
        table.wait(2.0)
    follow_card(table)
    assert table.board == pieces_of(session_of(CASTLING.rsplit(" ", 1)[0]).look)


def test_what_is_begun_counts_as_one_of_several() -> None:
    table = Table(session_of(CASTLING), "perfect")
    do(table, "-e1 +g1")
    assert table.desk.handle(m.TakeBack(2))[0].ok
    assert len(table.desk.session.plies) == 5
    table.wait(2.0)
    follow_card(table)
    assert table.board == pieces_of(table.desk.session.look)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_what_was_done_before_it_and_is_allowed_stays(eyes: str) -> None:
    """Both came at one stop, so the first of them is not in the game yet."""
    table = Table(session_of("chess e2e4 e7e5 g1f3 b8c6 f1c4"), eyes)
    for part in (Part("f8", EMPTY), Part("c5", "black"), Part("e1", EMPTY), Part("g1", "white")):
        table.touch(part, 0.2)
    table.wait(4.0)
    assert table.desk.snapshot.verdict.kind == "unfinished"  # type: ignore[union-attr]
    assert table.desk.handle(m.TakeBack(1))[0].ok
    follow_card(table)
    assert table.desk.session.text == CASTLING


@pytest.mark.parametrize(("by", "plies"), [("", 5), ("black", 5), ("white", 6)])
def test_a_piece_of_the_last_move_that_is_lifted_is_to_go_back(by: str, plies: int) -> None:
    """Who lifts what was moved last, and presses undo, means that move; not so the other player."""
    table = Table(session_of(CASTLING), "perfect")
    do(table, "-c5" if by != "white" else "-h1")
    assert table.desk.handle(m.TakeBack(1, by))[0].ok
    assert len(table.desk.session.plies) == plies


def test_the_opponent_takes_back_their_own_action_all_the_same() -> None:
    table = Table(session_of(CASTLING), "perfect")
    do(table, "-e1 +g1")
    assert table.desk.handle(m.TakeBack(1, "black"))[0].ok
    assert len(table.desk.session.plies) == 5
    table.wait(2.0)
    follow_card(table)
    assert table.board == pieces_of(table.desk.session.look)


def test_a_first_action_that_is_begun_can_be_undone() -> None:
    table = Table(session_of("chess fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1"), "perfect")
    assert not present(table.desk.snapshot).can_undo  # type: ignore[union-attr]
    do(table, "-e1 +g1")
    assert present(table.desk.snapshot).can_undo  # type: ignore[union-attr]


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_what_was_begun_of_a_first_action_before_a_restart_is_gone_on_with(eyes: str) -> None:
    table = Table(session_of("chess fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1"), eyes)
    do(table, "-e1 +g1")
    table.open_again()
    table.wait(4.0)
    assert card(table) == (
        "unfinished", "White castles on the king's side.", ["Move the white rook from h1 to f1."]
    )  # fmt: skip
    do(table, "-h1 +f1")
    assert table.desk.session.actions == ("e1g1",)


class Dead(Table):
    """A grid one of whose sensors always says the same, and feels nothing."""

    place, stands = "", False

    def _see(self, hand: bool = False, hidden: str = "", touches: tuple[Touch, ...] = ()) -> None:
        real = dict(self.board)
        self.board.pop(self.place, None)
        if self.stands:
            self.board[self.place] = "something"
        super()._see(hand, hidden, tuple(touch for touch in touches if touch.place != self.place))
        self.board.clear()
        self.board.update(real)


@pytest.mark.parametrize("stands", [False, True])
@pytest.mark.parametrize(
    ("text", "place", "moves"),
    [
        ("chess", "e2", ("-e2 +e4", "-e7 +e5", "-g1 +f3")),
        ("triune", "c2", ("-c2 +c3", "-f7 +f6", "-a2 +a3")),
        ("draughts", "b6", ("-b6 +a5", "-c3 +d4", "-h6 +g5")),
    ],
)
def test_a_dead_sensor_under_the_first_piece_ends_no_game(
    text: str, place: str, moves: tuple[str, ...], stands: bool
) -> None:
    """Of one that always says that something stands there the reply tells."""
    table = type("DeadSensor", (Dead,), {"place": place, "stands": stands})(session_of(text), "grid")
    table.wait(4.0)
    for n, touches in enumerate(moves, 1):
        do(table, touches)
        table.wait(9.0)
        assert len(table.desk.session.plies) == n or (stands and n == 1)
    assert table.desk.snapshot.verdict is None


def put_back(table: Table, pieces: dict[str, str]) -> None:
    """Puts the board as it was by hand, whatever a card says."""
    for place in [place for place, look in table.board.items() if pieces.get(place) != look]:
        table.touch(Part(place, EMPTY), 0.2)
    for place in sorted(pieces.keys() - table.board.keys()):
        table.touch(Part(place, pieces[place]), 0.2)
    table.wait(POLICY.ahead + 1.0)


def is_undone_and_done_again(
    head: str, eyes: str, seed: int, plies: int, pauses: Sequence[float], restarts: int
) -> None:
    """Checks that an action that is begun, or done, and undone, leaves the table as it was, and can be
    done again. The program ends before the undo (`restarts` 1), or after it (2), or not at all (0)."""
    begun = begun_by_chance(head, eyes, seed, plies, pauses)
    if begun is None:
        return
    table, session, action, parts = begun
    table.wait(POLICY.piece_in_hand + POLICY.slight_refusal)
    if restarts == 1:
        table.open_again()
        table.wait(POLICY.piece_in_hand + POLICY.slight_refusal)
    told = table.desk.session.actions
    before = session.actions if is_begun(table.desk.snapshot, table.desk.session) else told[:-1]
    if before != session.actions or len(told) < len(before):
        return  # nothing of it is told, or what was lifted is what was played last, and looks taken back
    if not table.desk.handle(m.TakeBack(1))[0].ok:
        return  # it has revealed a secret
    if len(told) > len(before) and len(table.desk.session.actions) == len(told):
        return  # it went on from what was told before
    assert table.desk.session.actions == session.actions
    table.events.clear()
    pieces = pieces_of(session.look)
    if restarts == 2:
        table.open_again()
        put_back(table, pieces)
    else:
        table.wait(2.0)
        follow_card(table)
    assert table.desk.snapshot.verdict is None
    for place in find_left_standing(session).keys() - pieces.keys():
        table.board.pop(place, None)  # the magnet of the turn before may stand there still
    assert table.board == pieces or (eyes == "grid" and table.board.keys() == pieces.keys())
    assert table.desk.session.actions == session.actions
    assert "refused" not in table.events
    put_back(table, pieces)  # a grid does not see which side is up
    is_done_again(table, session, action, parts, pauses)


def is_done_again(
    table: Table, session: Session, action: str, parts: Sequence[Part], pauses: Sequence[float]
) -> None:
    if table.desk.snapshot.questions:
        return
    for n, part in enumerate(parts):
        table.touch(part, pauses[n % len(pauses)])
    table.wait(POLICY.ahead + 1.0)
    if table.desk.session.actions == session.actions and not table.desk.snapshot.questions:
        finish(table)
    assert "refused" not in table.events
    truth, now = session.apply(Entry("action", action)), table.desk.session
    is_alike = now.actions == truth.actions or pieces_of(now.look) == table.board
    assert table.desk.snapshot.questions or is_alike


@pytest.mark.parametrize(
    ("text", "misread", "made", "then"),
    [
        ("chess", "e2e4", "g2g4", ("h7h5", "a2a4")),
        ("chess e2e4", "b8c6", "d7d5", ("g1f3", "e7e6", "b1c3", "g8f6")),
        ("draughts", "b6-a5", "f6-g5", ("e3-d4", "d6-c5")),
        ("triune a2-a3", "a8~", "g7-f6", ("b2~", "b7-a6")),
    ],
)
def test_what_was_misread_long_ago_is_read_where_it_was_made(
    text: str, misread: Action, made: Action, then: tuple[Action, ...]
) -> None:
    """Players notice it some plies later, when the eyes have seen better, and take all that back on the page:
    what was made comes before the others, though it was seen after them."""
    before = session_of(text)
    table, truth = Table(before.play(misread), "perfect"), before.play(made, *then)
    for count in range(1, 1 + len(then)):
        table.board = pieces_of(before.play(misread, *then[:count]).look)
        table.wait(4.0)
    assert table.desk.session.actions == (*before.actions, misread, *then)
    table.board = pieces_of(truth.look)
    table.wait(4.0)
    assert table.desk.handle(m.TakeBack(1 + len(then)))[0].ok
    table.wait(4.0)
    assert table.desk.session.actions == truth.actions
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize(("head", "eyes"), [*zip(HEADS, cycle(["perfect", "grid"]), strict=False)])
@settings(max_examples=2, derandomize=True)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES, st.integers(0, 2))
def test_what_is_undone_leaves_the_table_as_it_was(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float], restarts: int
) -> None:
    is_undone_and_done_again(head, eyes, seed, plies, pauses, restarts)


@pytest.mark.soak
@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=300)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES, st.integers(0, 2))
def test_many_actions_that_are_undone_leave_the_table_as_it_was(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float], restarts: int
) -> None:
    is_undone_and_done_again(head, eyes, seed, plies, pauses, restarts)


PROMOTED = (
    "magnet =3T224323tK44 =K32T3t244324 @e7 a3 @d4 i1+ d1 @e1 e10 @c5 j1 c1 @e10 e9 @g8 k4+ g1 "
    "@e8 c8+ e10+ h9 a4+ @h3 i2+"
)


def test_what_is_undone_while_the_board_is_wrong_after_a_restart_is_not_told_again() -> None:
    """Whether the piece was promoted no grid shows: without that it would be another action."""
    session = session_of(PROMOTED)
    table = Table(session, "grid")
    table.touch(Part("d7", "magnet"), 11.6)
    table.open_again()
    table.wait(9.0)
    assert table.desk.handle(m.TakeBack(1))[0].ok
    table.wait(9.0)
    assert table.desk.session.actions == session.actions[:-1]
    assert table.desk.snapshot.verdict is not None


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    "text", ["chess e2e4 d7d5", "draughts b6-a5", "escape d1>f1", "trid a4-d4", "triune a2-a3"]
)
def test_the_card_goes_with_the_hands_that_lay_a_board_again(text: str, eyes: str) -> None:
    """As after a break, for which many of the pieces were put away."""
    table = Table(session_of(text), eyes)
    table.board = dict(sorted(table.board.items())[::2])
    table.open_again()
    table.wait(4.0)
    told = card(table)
    assert told is not None
    for left in reversed(range(len(told[2]))):
        table.do(table.desk.snapshot.verdict.steps[0])  # type: ignore[union-attr]
        table.wait(0.6)
        told = card(table)
        assert (len(told[2]) if told else 0) == left
    assert told is None
