"""'Not yet' is not 'No': actions taken apart into touches, and what a table says meanwhile.

The suite tries the same examples each time; the soak looks for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulation.players import opening, play_on
from companion.cli.watch import referee
from companion.core.game import EMPTY, Place
from companion.games.text import split
from companion.record.session import Entry, Session, begin
from companion.referee.evidence.looks import bare
from companion.referee.verdict.guide import owner_of
from companion.sensing.sources import open_sightings
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.policy import POLICY
from companion.wire.codec import plain
from tests.companion.taken_apart import (
    EYES,
    PAUSES,
    Orders,
    Part,
    Table,
    begun_by_chance,
    chosen,
    parts_of,
    pieces_of,
)
from tests.samples import few

HEADS = (
    "triune", "chess", "magnet", "magnet values=declared", "trid", "escape", "ternion_factor",
    "ternion_spaces", "teleporters", "draughts", "draughts variant=international", "no_overlap",
    "jump_to_center", "queens", "rooks",
)  # fmt: skip


def session_of(text: str) -> Session:
    game, actions = split(text)
    session = begin(game)
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


ANY_SEED, ANY_PLIES = st.integers(0, 10**6), st.integers(0, 40)
ANY_PAUSES = st.lists(st.sampled_from(PAUSES), min_size=8, max_size=8)


def is_never_refused_and_booked_once(
    head: str, eyes: str, seed: int, plies: int, pauses: Sequence[float]
) -> None:
    """Checks an action, taken apart by chance, at a table with such eyes."""
    rng = Random(seed)
    session = play_on(opening(head, rng), plies, rng)
    action = None if session.outcome else chosen(session, rng)
    if action is None:
        return
    is_booked_once(session, action, Orders(session, action).draw(rng), eyes, pauses)


def is_booked_once(
    session: Session, action: str, touches: Sequence[Part], eyes: str, pauses: Sequence[float]
) -> None:
    """Checks that an action whose touches come in this order is not refused, and told or asked about."""
    table = Table(session, eyes)
    for n, part in enumerate(touches):
        table.touch(part, pauses[n % len(pauses)])
    table.wait(POLICY.ahead + 1.0)
    if table.desk.session.actions == session.actions and not table.desk.snapshot.questions:
        finish(table)
    # What a capture reveals may ask for more than hands could know: it was no trap that took both pieces.
    assert not {*table.kinds} - ({"unfinished", "restore"} if session.has_secrets else {"unfinished"})
    assert "refused" not in table.events
    told, truth = table.desk.session, session.apply(Entry("action", action))
    is_asked = bool(table.desk.snapshot.questions)
    assert is_asked or told.actions == truth.actions or pieces_of(told.look) == table.board


def finish(table: Table) -> None:
    """Does what the card says is left: a grid feels the same of the two pieces of a trap that were taken off
    as of a piece that captures while it is in the hand."""
    table.wait(POLICY.piece_in_hand)
    while (verdict := table.desk.snapshot.verdict) and verdict.steps:
        table.do(verdict.steps[0])
        table.wait(POLICY.ahead + 1.0)


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=2, derandomize=True)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES)
def test_an_action_in_any_order_is_never_refused_and_booked_once(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float]
) -> None:
    is_never_refused_and_booked_once(head, eyes, seed, plies, pauses)


@pytest.mark.soak
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=300)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES)
def test_many_actions_in_any_order_are_never_refused(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float]
) -> None:
    is_never_refused_and_booked_once(head, eyes, seed, plies, pauses)


@pytest.mark.parametrize(
    ("head", "eyes", "seed", "plies", "pauses"),
    [
        # A pawn that can only capture: a grid feels the same while it is in the hand as once it has captured.
        ("chess", "grid", 39, 39, [10.0, *7 * [0.2]]),
        # A Port that is lifted would look as if it had bounced, once the other player passed the turn.
        ("teleporters", "grid", 386181, 28, [3.0, 10.0, 10.0]),
        # A trap that was captured: the magnet is put where the piece stood, and a grid feels the same there.
        ("magnet values=declared", "grid", 615147, 31, [0.2]),
        # With both pieces in the hand a trap seems to have been captured: the truth knows that it was none.
        ("magnet", "perfect", 344924, 37, [10.0, 3.0, 10.0]),
        ("magnet", "grid", 27, 27, [1.0]),
        # A trap's two pieces go one after the other: meanwhile it looks as if the piece had had another rank.
        ("magnet values=declared", "grid", 152, 39, [1.0]),
        # The magnet was taken off after its turn, and is put back where it had stood.
        ("magnet values=declared", "perfect", 346411, 9, [1.0]),
        # Castling by the rook, with the king under a hand at last.
        ("chess", "blind", 967519, 20, [10.0]),
    ],
)
def test_orders_that_were_once_refused_or_lost_are_not(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float]
) -> None:
    is_never_refused_and_booked_once(head, eyes, seed, plies, pauses)


@pytest.mark.parametrize(
    ("eyes", "text", "action", "touches"),
    [
        # The Port that is repelled was taken off first: it would look as if it had bounced.
        ("blind",
         "teleporters end g7se-f7 c6sw-c5 end e1-d2 end f6se-e6 end f3ne-g3 c3nw@ne d2-e2 end d8*g8 end"
         " c3ne-a3 end f7se@nw end g2ne-f2 c1*a1 end g8-g6 e6se-c6 c5sw-c4 end f2ne-e2@sw a1-a2 a3ne-b3 d1-c1"
         " c4sw@se e8*g8 end c1*d1 end c4se@nw", "b7sw-b3", "-b3ne -b7sw +b3sw"),
        # A Port that comes over a grid to where another stood: in the hand it looked as if it had bounced.
        ("grid",
         "teleporters end b7sw@nw g7se@nw end b2nw-c2 end b7nw-f7 end f3ne-f6 port:b2 c2nw-e2 f1-e2 c1-c3"
         " d8*h8 end e1*a1 end g7nw-g2 port:g7 end a1*f1 b2nw-b4 c3-d2 g2ne-g3 f6se-g6 f7nw-f3 c8*b8 end"
         " g3ne@se", "c3nw-f3", "-c3nw -f3nw +f3nw"),
    ],
)  # fmt: skip
def test_a_port_that_takes_the_place_of_another_is_told(
    eyes: str, text: str, action: str, touches: str
) -> None:
    session = session_of(text)
    puts = {part.place: part for part in parts_of(session, action) if part.look != EMPTY}
    order = [Part(word[1:], EMPTY) if word[0] == "-" else puts[word[1:]] for word in touches.split()]
    for pause in (3.0, 10.0):
        is_booked_once(session, action, order, eyes, [pause])


TERNION = (
    "ternion_factor d6 c3 e4 e9 i10 j5 h5 c10 f6 h8 j8 c8 i10-j9 e4-d5 j9-i8 -i8 +f8 +h3 end f8-f7 e9-d10"
    " d10-c9 -c8 -c10 +f8 end j5-j4 j8-j9 j9-i8 end d6-c7 f7-g7 h5-h4 end d5-c4 c9-d10 f6-e6 end g7-h8-h9"
)


@pytest.mark.parametrize("pause", [0.2, 1.0, 3.0])
def test_a_pawn_that_makes_a_ternion_and_is_removed_is_told(pause: float) -> None:
    """The marker of the ternion moves no piece: what was removed is not in somebody's hand."""
    table = Table(session_of(TERNION), "perfect")
    for part in (Part("f8", EMPTY), Part("g9", "white"), Part("g9", EMPTY)):
        table.touch(part, pause)
    table.wait(3.0)
    assert table.desk.session.actions[-3:] == ("f8-g9", "T:g9,h8,h9", "-g9")
    assert table.desk.snapshot.verdict is None


TRAPPED = (
    "magnet values=declared @g7 j7 @a2 g1+ @a4 h9+ @d1 k3+ @a2 i7 @f7 j3+ f2+ @e3 e10+ a3+ @h8 h5+ "
    "reveal:4 k5 @e5 a5 e9 @g5 b1 @j5 d9+ @f10 h8 reveal:T f4 @g7 g10 b3 c8 @b5 j1 @f4 a4 @e7 e1+ f7+ "
    "reveal:3 @i5 i8+ d8 @e5 e2 e7 i2+ j6+ @g3 g9+ b4+ @h5 k2 h3 e4 @f5 d5+ reveal:4 @f1 d1+ h1 @g2 g8 "
    "@c4 c2+ i1+ @e7 b7 e8 g6 @e5 c3+ e1+ i6+ @j3"
)
"""The piece on f7 may capture those on g6 and h5; with both in the hand it looks as if g6 had been a trap."""


@pytest.mark.parametrize(
    ("text", "touches", "action"),
    [
        ("magnet =24T2324t343K =43t3TK434222 @b2", "-b2 -a2 +b2", "a2"),
        ("magnet values=declared @b2", "-b2 -a2 +b2", "a2"),
        (TRAPPED, "-f7 -g6 -h5 +h5", "f7"),
    ],
)
def test_what_looked_like_another_action_may_go_on(text: str, touches: str, action: str) -> None:
    """What was lifted looked taken back, or like the end of an action that replaces the last one."""
    table = Table(session_of(text), "perfect")
    for word in touches.split():
        table.touch(Part(word[1:], "red" if word[0] == "+" else EMPTY), 3.0)
    assert "refused" not in table.events
    *before, last = table.desk.session.actions
    assert tuple(before) == session_of(text).actions
    assert last.rstrip("+") == action  # whether a piece was promoted is asked


def ends_as_the_card_says(head: str, eyes: str, seed: int, plies: int, pauses: Sequence[float]) -> None:
    """Checks that what the card says is left of an action, done word for word, ends it or undoes it."""
    begun = begun_by_chance(head, eyes, seed, plies, pauses)
    if begun is None:
        return
    table, session, *_ = begun
    table.wait(4.0)
    verdict = table.desk.snapshot.verdict
    if verdict is None or not verdict.steps:
        return
    for step in verdict.steps:
        table.do(step)
    table.wait(POLICY.ahead + 1.0)
    told = table.desk.session.actions
    assert table.desk.snapshot.verdict is None
    assert "refused" not in table.events
    # A grid cannot tell a disc that was put back from one that was turned, and asks.
    assert table.desk.snapshot.questions or len(told) <= len(session.actions) + 1
    if told[: len(session.actions)] != session.actions:  # what is lifted looks taken back: so it stays
        assert "takeback" in table.events
        assert pieces_of(table.desk.session.look) == table.board


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=1, derandomize=True)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES)
def test_what_is_left_done_word_for_word_ends_the_action(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float]
) -> None:
    ends_as_the_card_says(head, eyes, seed, plies, pauses)


@pytest.mark.soak
@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=300)
@given(ANY_SEED, ANY_PLIES, ANY_PAUSES)
def test_what_is_left_of_many_actions_ends_them(
    head: str, eyes: str, seed: int, plies: int, pauses: list[float]
) -> None:
    ends_as_the_card_says(head, eyes, seed, plies, pauses)


def is_refused_by_a_rule(head: str, seed: int, plies: int, begun: int) -> None:
    """Checks that a piece that is put where nothing stands, while an action is begun or before it is, is
    refused: one of the opponent's, or where there is none one from beside the board."""
    rng = Random(seed)
    session = play_on(opening(head, rng), plies, rng)
    action = None if session.outcome else chosen(session, rng)
    if action is None:
        return
    table, parts = Table(session, "perfect"), Orders(session, action).draw(rng)
    done = parts[: min(begun, len(parts) - 1)]
    for part in done:
        table.touch(part, 0.2)
    pieces = list(pieces_of(session.look).values())
    others = {*session.players} - {session.position.to_act}
    theirs = [look for look in pieces if owner_of(look) in others]  # no magnet: that is nobody's
    after = pieces_of(session.rules.look(session.rules.play(session.position, action).position))
    taken = {*table.board, *session.look, *after, *(part.place for part in parts)}
    free = [place for place in session.game.board.sites if place not in taken]
    before = session.plies[-2].after if len(session.plies) > 1 else session.first
    gone = Counter(pieces_of(session.rules.look(before)).values()) - Counter(pieces)
    gone += Counter(bare(session.look[part.place]) for part in done if part.look == EMPTY)
    theirs = [look for look in theirs if look not in gone]  # one that was just taken off may come back
    if not free or not theirs:
        return
    table.touch(Part(rng.choice(free), rng.choice(theirs)), POLICY.piece_in_hand + POLICY.slight_refusal)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind in ("refused", "turn")
    assert verdict.breaches


def is_refused_out_of_reach(head: str, eyes: str, seed: int, plies: int, begun: int) -> None:
    """Checks that any piece is refused that is put where no action leads, neither of this turn nor of the one
    before or after it, while an action is begun, or before it is, or once it is done."""
    rng = Random(seed)
    session = play_on(opening(head, rng), plies, rng)
    action = None if session.outcome else chosen(session, rng)
    if action is None:
        return
    table, after = Table(session, eyes), session.apply(Entry("action", action))
    done = Orders(session, action).draw(rng)[:begun]
    for part in done:
        table.touch(part, 0.2)
    before = replace(session, plies=session.plies[:-1])
    reach = {place for one in (before, session, after) for place in reached(one)}
    taken = {*table.board, *session.look, *after.look, *map(session.game.board.site_of, reach)}
    free = [place for place in session.game.board.sites if place not in taken]
    lifted = {
        bare(session.look[part.place]) for part in done if part.look == EMPTY
    }  # several actions may lead
    looks = sorted({*pieces_of(session.look).values()} - lifted)
    if not free or not looks or (lifted and eyes == "grid"):
        return
    piece = Part(rng.choice(free), rng.choice(looks))
    table.touch(piece, POLICY.piece_in_hand + POLICY.slight_refusal)
    if any(pieces_of(session.rules.look(p)).keys() == table.board.keys() for p in session.positions()):
        return  # as the board was before
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind in ("refused", "turn")
    assert verdict.breaches


def reached(session: Session) -> set[Place]:
    """Returns the places that change with any legal action, or that it leads over."""
    legal = () if session.outcome else session.rules.legal(session.position)
    actions = [action for action in legal if "?" not in action]
    changed = {part.place for action in actions for part in parts_of(session, action)}
    return changed.union(*map(session.rules.path, actions))


def test_who_captured_does_not_stand_where_that_was_captured() -> None:
    is_refused_by_a_rule("draughts", 367615, 15, begun=0)


@pytest.mark.parametrize(("head", "seed", "plies"), [("magnet values=declared", 0, 22), ("magnet", 1361, 24)])
def test_what_came_where_a_promoted_piece_had_stood_is_refused(head: str, seed: int, plies: int) -> None:
    """The piece had left that place, even if no sensor tells it from what it became."""
    is_refused_by_a_rule(head, seed, plies, begun=0)


def test_a_magnet_that_is_lifted_before_the_last_capture_is_not_refused() -> None:
    """Whether it goes with that capture depends on what is captured, which its owner alone knows."""
    ends_as_the_card_says("magnet", "perfect", 1802, 10, [0.2])


@pytest.mark.parametrize("eyes", ["perfect", "blind"])
def test_a_queen_may_come_before_the_pawn_goes(eyes: str) -> None:
    """The law puts the queen down once the pawn is off: hands need not. A grid takes the queen for the bishop
    that was put back, and waits for the pawn."""
    table = Table(session_of("chess e2e4 d7d5 e4d5 c7c6 d5c6 d8d6 c6b7 d6d7"), eyes)
    table.touch(Part("c8", EMPTY), 3.0)
    table.touch(Part("c8", "white"), 10.0)
    verdict = table.desk.snapshot.verdict
    steps = [(step.start, step.end) for step in verdict.steps] if verdict else []
    assert steps == ([("b7", None)] if eyes == "perfect" else [])  # a hand hides c8
    table.touch(Part("b7", EMPTY), POLICY.ahead + 1.0)
    assert "refused" not in table.events
    told = table.desk.session.actions[-1]
    assert table.desk.snapshot.questions or told.startswith("b7c8")


WITH_OPPONENTS = HEADS[:11]


@pytest.mark.parametrize("head", WITH_OPPONENTS)
@settings(max_examples=2, derandomize=True)
@given(ANY_SEED, ANY_PLIES, st.integers(0, 4))
def test_one_touch_too_many_is_refused_by_a_rule(head: str, seed: int, plies: int, begun: int) -> None:
    is_refused_by_a_rule(head, seed, plies, begun)


@pytest.mark.soak
@pytest.mark.parametrize("head", WITH_OPPONENTS)
@settings(max_examples=300)
@given(ANY_SEED, ANY_PLIES, st.integers(0, 4))
def test_one_touch_too_many_of_many_is_refused(head: str, seed: int, plies: int, begun: int) -> None:
    is_refused_by_a_rule(head, seed, plies, begun)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("head", HEADS)
def test_a_piece_where_no_action_leads_is_refused_by_a_rule(head: str, eyes: str) -> None:
    is_refused_out_of_reach(head, eyes, seed=5, plies=17, begun=1)
    is_refused_out_of_reach(head, eyes, seed=9, plies=6, begun=4)


@pytest.mark.soak
@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("head", HEADS)
@settings(max_examples=300)
@given(ANY_SEED, ANY_PLIES, st.integers(0, 4))
def test_many_pieces_where_no_action_leads_are_refused(
    head: str, eyes: str, seed: int, plies: int, begun: int
) -> None:
    is_refused_out_of_reach(head, eyes, seed, plies, begun)


def test_two_magnets_are_refused_and_not_told_in_turn() -> None:
    """The magnet of the last turn may stand where it stood: not beside another one."""
    table = shown(
        "magnet values=declared @f4 a4 @e10 k5 e1+ @j2", lift("j6"), lift("j7"), put("k1", "magnet", 9.0)
    )
    assert table.events == ["refused"]


CASTLING = "chess e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
ESCAPING = "escape"


def lift(place: str, pause: float = 0.2) -> tuple[Part, float]:
    return Part(place, EMPTY), pause


def put(place: str, look: str, pause: float = 1.7) -> tuple[Part, float]:
    return Part(place, look), pause


def shown(text: str, *touches: tuple[Part, float], eyes: str = "perfect") -> Table:
    table = Table(session_of(text), eyes)
    for part, pause in touches:
        table.touch(part, pause)
    return table


def card(table: Table) -> tuple[str, str, list[str]] | None:
    """Returns what the card says: its kind, why, and the steps."""
    verdict = table.desk.snapshot.verdict
    return verdict and (verdict.kind, str(verdict.words), [str(step.words) for step in verdict.steps])


@pytest.mark.parametrize("eyes", EYES)
def test_castling_with_the_king_first_waits_for_the_rook(eyes: str) -> None:
    table = shown(CASTLING, lift("e1"), put("g1", "white"), eyes=eyes)
    if eyes != "blind":
        assert card(table) == (
            "unfinished", "White castles on the king's side.", ["Move the white rook from h1 to f1."]
        )  # fmt: skip
    table.touch(Part("h1", EMPTY), 3.0)
    table.touch(Part("f1", "white"), 3.0)
    assert card(table) is None
    assert table.desk.session.actions[-1] == "e1g1"
    assert all(entry.kind != "refused" for entry in table.desk.session.log)


def test_castling_whose_last_place_a_hand_hides_is_not_finished_yet() -> None:
    touches = (lift("h1"), put("f1", "white", 3.0), lift("e1", 9.0), put("g1", "white", 9.0))
    table = shown(CASTLING, *touches, eyes="blind")
    table.wait(5.0)
    assert table.desk.session.actions[-1] == "e1g1"
    assert "refused" not in table.events


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_castling_with_the_rook_first_is_castling_all_the_same(eyes: str) -> None:
    touches = (lift("h1"), put("f1", "white", 3.0), lift("e1", 9.0), put("g1", "white", 3.0))
    assert shown(CASTLING, *touches, eyes=eyes).desk.session.actions[-1] == "e1g1"


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("rest", [1.6, 5.0])
@pytest.mark.parametrize(
    ("text", "king", "rook", "action"),
    [
        (CASTLING, "e1 f1 g1", "h1 f1", "e1g1"),
        ("chess fen=r3k2r/8/8/8/8/8/8/R3K2R_b_KQkq_-_0_1", "e8 d8 c8", "a8 d8", "e8c8"),
    ],
)
def test_a_king_that_rests_beside_castles_all_the_same(
    text: str, king: str, rook: str, action: str, rest: float, eyes: str
) -> None:
    start, beside, end = king.split()
    look = session_of(text).position.to_act
    touches = (lift(start), put(beside, look, rest), lift(beside), put(end, look, rest))
    table = shown(text, *touches, lift(rook.split()[0]), put(beside, look, 3.0), eyes=eyes)
    assert table.desk.session.actions[-1] == action
    assert "refused" not in table.events


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("rest", ["e5", "f6", "g7"])
def test_a_king_may_rest_wherever_it_lands_in_a_capture(rest: str, eyes: str) -> None:
    text = "draughts variant=international fen=W:WK46,50:B32,14,26"
    table = shown(text, lift("a1"), put(rest, "white", 3.0), lift("d4", 3.0), eyes=eyes)
    assert card(table) == ("unfinished", "It goes on to 10 or 5.", ["Take the black man off 14."])
    for part in (Part("h8", EMPTY), Part(rest, EMPTY), Part("i9", "white")):
        table.touch(part, 3.0)
    assert table.desk.session.actions == ("a1xe5xi9",)
    assert "refused" not in table.events


TO_ESCAPE = (
    "escape i3>g4 g10~g9 f3>f4 h12>g12 f4>g5 d11>h8 d2>c4 h8>j9 f2>h4 j10>f8 c2>g6 h10>f1 d1>i8 b10>e4 j3>e9"
    " g9~f9 h3>l4=d1 i12>d5 i1>h8 e4>j8 c4>k9 d10>i1 i2>c4 e11>f3 d3>g7 f12>g9 c4>f12 i11~i12 g1>i2 j11>e11"
)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("end", ["f12", "h12"])
def test_a_pawn_that_has_escaped_is_to_be_taken_off_and_has_escaped_there(end: str, eyes: str) -> None:
    table = shown(TO_ESCAPE, lift("g7"), put(end, "south"), eyes=eyes)
    told = card(table)
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", [f"Take the pawn of South off {end}."])
    table.touch(Part(end, EMPTY), 2.0)
    assert table.desk.session.actions[-1] == f"g7>{end}"


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_pawn_out_of_bounds_is_to_be_put_where_the_rules_let_it(eyes: str) -> None:
    table = shown(TO_ESCAPE, lift("g7"), put("l9", "south"), eyes=eyes)
    told = card(table)
    assert told is not None
    assert told[0] == "unfinished"
    table.touch(Part("l9", EMPTY), 0.2)
    table.touch(Part("g1", "south"), 3.0)
    assert table.desk.session.actions[-1] == "g7>l9=g1"


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_what_a_turn_owes_is_not_done_there_and_back_unseen(eyes: str) -> None:
    """The pawn on d4 has two moves left: that it made them, and came back, is no reason to accept another."""
    table = shown("jump_to_center D4-d4", lift("E2"), put("e2", "solver", 4.0), eyes=eyes)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert [breach.rule for breach in verdict.breaches] == ["PZ-7"]


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_what_a_ternion_owes_is_done_in_any_order(eyes: str) -> None:
    """No pawn is taken for one that was removed, and then put back in place of another."""
    text = "ternion_factor d6 c3 e4 e9 i10 j5 h5 c10 f6 h8 j8 c8 i10-j9 e4-d5 j9-i8"  # which owes -i8 or -j8
    table = shown(text, put("f8", "black", 0.4), put("h3", "black", 0.4), lift("i8", 4.0), eyes=eyes)
    assert sorted(table.desk.session.actions[-3:]) == ["+f8", "+h3", "-i8"]
    assert not table.desk.snapshot.questions


TO_ADD = (
    "ternion_factor h9 d10 j3 g5 j8 c4 j5 h3 e4 f3 j10 d8 h9-h10 e4-d3 g5-h5 end c4-d3-e4 f3-f4 -e4 +e3 +c9"
)
TO_LEAVE = (
    "escape f3>c4 i10>k9 j3>j4 g11>e9 d2>e4 i11>i10 h2>j3 e9~h9 e3>h4 e11>k8 c3>b4 h10>g11 g1>b5 d11>i8"
    " d1>c5 k8>g9 c5>i5 f11>f8 i5>g4 i12>i11 d3>g1 g9~e9 h4>d2 d10>i7 c2>c5 f12~f11 b5>f4"
)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    ("text", "place", "look"),
    [
        (TO_ADD, "d10", "white"),
        (TO_LEAVE, "g2", "south"),
    ],
)
def test_a_piece_that_is_adjusted_is_not_refused_as_one_taken_off(
    text: str, place: str, look: str, eyes: str
) -> None:
    """To take it off would break a rule, or be the other player's to do: but it is merely in a hand."""
    table = shown(text, lift(place, 1.4), put(place, look, 2.0), eyes=eyes)
    assert not table.desk.session.log[len(table.session.log) :]
    assert "refused" not in table.events


TO_CAPTURE = "chess e2e4 a7a6 e4e5 d7d5"


@pytest.mark.parametrize(("pause", "eyes"), few(product([0.2, 10.0], ["perfect", "grid"]), 3))
@pytest.mark.parametrize(
    ("text", "begun", "reply", "left", "last", "played"),
    [
        (CASTLING, "-e1 +g1", "-a7 +a6", ["Move the white rook from h1 to f1."], "-h1 +f1", "e1g1 a7a6"),
        (TO_CAPTURE, "-e5 +d6", "-h7 +h6", ["Take the black piece off d5."], "-d5", "e5d6 h7h6"),
        (TO_CAPTURE, "-e5 +d6", "-c7 +d6", ["Take the black piece off d5."], "-d5", "e5d6 c7d6"),
        (
            "draughts fen=B:W15,29:B11,1", "-f6 +d4", "-a1 +b2",
            ["Take the white piece off 15."], "-e5", "f6xd4 a1-b2",
        ),
        (
            "draughts fen=B:W15,23,30:B11,1", "-f6 +f2 -e5", "-c1 +b2",
            ["Take the white piece off 23."], "-e3", "f6xd4xf2 c1-b2",
        ),
        (TO_ESCAPE, "-g7 +f12", "-c10 +b10", ["Take the pawn of South off f12."], "-f12", "g7>f12 c10~b10"),
    ],
)  # fmt: skip
def test_what_was_answered_before_it_was_finished_counts_once_it_is(
    text: str, begun: str, reply: str, left: list[str], last: str, played: str, pause: float, eyes: str
) -> None:
    session = session_of(text)
    table = Table(session, eyes)
    mover, other = session.position.to_act, next(p for p in session.players if p != session.position.to_act)
    for words, player in ((begun, mover), (reply, other)):
        for word in words.split():
            table.touch(Part(word[1:], player if word[0] == "+" else EMPTY), pause)
        table.wait(4.0)
    told = card(table)
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", left)
    assert told[1].endswith("What was done since counts once this is finished.")
    assert "refused" not in table.events
    for word in last.split():
        table.touch(Part(word[1:], mover if word[0] == "+" else EMPTY), 0.2)
    table.wait(4.0)
    assert table.desk.session.actions[len(session.actions) :] == tuple(played.split())
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize(("pause", "eyes"), few(product([0.2, 1.0, 3.0], EYES), 4))
@pytest.mark.parametrize(
    ("text", "touches", "played"),
    [
        ("chess", "-e7 +e5=black -e2 +e4=white", "e2e4 e7e5"),
        ("chess", "-e2 -e7 +e5=black +e4=white", "e2e4 e7e5"),
        ("chess e2e4", "-g1 +f3=white -e7 +e5=black", "e7e5 g1f3"),
        ("triune", "-b7 +b6=blue/solid -a2 +a3=red/solid", "a2-a3 b7-b6"),
        ("trid", "-j6 +i6=blue/master -a8 +b8=black/jumper", "a8-b8 j6-i6"),
        ("escape", "-h10 +h9=north -f3 +f4=south", "f3~f4 h10>h9"),
    ],
)
def test_a_reply_that_comes_before_its_action_counts_once_that_is_done(
    text: str, touches: str, played: str, pause: float, eyes: str
) -> None:
    table = Table(session_of(text), eyes)
    for word in touches.split():
        place, _, look = word[1:].partition("=")
        table.touch(Part(place, look or EMPTY), pause)
    table.wait(9.0)
    assert table.desk.session.actions == (*session_of(text).actions, *played.split())
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize(("eyes", "pause"), few(product(["perfect", "grid"], [0.2, 1.0, 3.0]), 5))
def test_a_pawn_out_of_bounds_that_is_answered_is_returned_all_the_same(pause: float, eyes: str) -> None:
    """With the pawn in the hand it seems to have escaped: so it was told, before the answer or with it."""
    session = session_of(TO_ESCAPE)
    table = Table(session, eyes)
    for word in ("-g7", "+l9=south", "-c10", "+b10=north"):
        place, _, look = word[1:].partition("=")
        table.touch(Part(place, look or EMPTY), pause)
    table.wait(4.0)
    told = card(table)
    assert told is not None
    assert told == (
        "unfinished", "It goes on to f1, g1 or i1. What was done since counts once this is finished.", []
    )  # fmt: skip
    assert "refused" not in table.events
    for part in (Part("l9", EMPTY), Part("g1", "south")):
        table.touch(part, pause)
    table.wait(9.0)
    *before, out, answer = table.desk.session.actions
    assert (tuple(before), answer) == (session.actions, "c10~b10")
    assert out in ("g7>l9=g1", "g7>g1")
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_captor_that_is_captured_where_the_captured_piece_stood_may_still_stand(eyes: str) -> None:
    touches = (lift("c5"), put("e3", "black", 3.0), lift("d4"), lift("f2"), put("d4", "white", 4.0))
    table = shown("draughts b6-c5 e3-d4", *touches, eyes=eyes)
    told = card(table)
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", ["Take the black man off 23."])
    assert "refused" not in table.events
    table.touch(*lift("e3", 4.0))
    assert table.desk.session.actions[2:] == ("c5xe3", "f2xd4")


def test_a_piece_that_is_not_stacked_yet_and_answered_is_not_taken_for_misread() -> None:
    touches = (lift("d5"), put("a8", "red/marked", 3.0), lift("f5"), put("e4", "blue/solid", 4.0))
    told = card(shown(TO_CROWN, *touches))
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", ["Put a second piece on top of the one on a8."])


def test_a_disc_that_was_turned_and_answered_is_not_on_its_way_to_a_stray_piece() -> None:
    touches = (put("a2", "blue/solid", 0.2), lift("c7"), put("c6", "blue/solid", 4.0))
    told = card(shown("triune a2-a3 b7-b6 b2~", *touches))
    assert told is not None
    assert (told[0], told[2][0]) == ("refused", "Take the solid blue piece off a2.")


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_pawn_that_is_exchanged_for_a_queen_is_no_knight(eyes: str) -> None:
    """With a knight, which cannot mate, the game would be over, and touches after it free."""
    alone = "chess fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1"
    touches = (lift("a7"), put("a8", "white", 2.0), lift("a8", 2.0), put("a8", "white", 3.0))
    table = shown(alone, *touches, eyes=eyes)
    assert table.desk.session.actions == ("a7a8q",)
    assert "over" not in table.events


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_queen_that_comes_before_the_pawn_has_gone_is_felt_to_be_another_piece(eyes: str) -> None:
    alone = "chess fen=8/P6k/8/8/8/8/8/K7_w_-_-_0_1"
    table = shown(alone, put("a8", "white", 2.0), lift("a7", 3.0), eyes=eyes)
    assert table.desk.session.actions == ("a7a8q",)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_pawn_that_is_put_back_where_its_marker_lies_is_no_marker(eyes: str) -> None:
    """A grid feels that something stands there, and the game has a marker there alone."""
    text = (
        "ternion_factor d5 f4 c7 i6 f6 i10 d3 j8 g10 d8 f8 h4 d3-c3 f6-e6 i6-i5 end h4-h5 i10-j10 f8-f9 end"
        " c7-d6 -e6"
    )
    table = shown(text, lift("d5", 2.0), put("d5", "black", 2.0), lift("d6", 3.0), eyes=eyes)
    assert table.desk.session.actions[-2:] == ("-e6", "-d6")
    assert "refused" not in table.events


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    ("text", "before", "left", "last", "action"),
    [
        (CASTLING, "-e1 +g1", ["Move the white rook from h1 to f1."], "-h1 +f1", "e1g1"),
        (TO_CAPTURE, "-e5 +d6", ["Take the black pawn off d5."], "-d5", "e5d6"),
    ],
)
def test_what_was_begun_before_a_restart_is_gone_on_with(
    text: str, before: str, left: list[str], last: str, action: str, eyes: str
) -> None:
    """No touch of it is known any more: a grid has to take it as it stands."""
    table = Table(session_of(text), eyes)
    for word in before.split():
        table.touch(Part(word[1:], "white" if word[0] == "+" else EMPTY), 0.2)
    table.open_again()
    table.wait(4.0)
    told = card(table)
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", left)
    for word in last.split():
        table.touch(Part(word[1:], "white" if word[0] == "+" else EMPTY), 0.2)
    table.wait(4.0)
    assert table.desk.session.actions[-1] == action
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    ("text", "touches", "entered"),
    [
        ("chess e2e4", (lift("e7"), put("e5", "black", 0.2), lift("g1", 0.2)), (m.Submit("e7e5"),)),
        ("chess e2e4 e7e5", (lift("g1", 1.0),), (m.TakeBack(1), m.Deed("redo"))),
    ],
)
def test_a_piece_that_was_lifted_before_an_entry_by_hand_may_be_put_down_after_it(
    text: str, touches: Sequence[tuple[Part, float]], entered: Sequence[m.Message], eyes: str
) -> None:
    table = shown(text, *touches, eyes=eyes)
    for message in entered:
        assert table.desk.handle(message)[0].ok
        table.wait(0.4)
    table.wait(1.0)
    table.touch(Part("f3", "white"), 4.0)
    assert table.desk.session.actions == ("e2e4", "e7e5", "g1f3")
    assert "refused" not in table.events


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_board_that_is_laid_after_a_restart_is_no_action(eyes: str) -> None:
    table = Table(session_of(CASTLING), eyes)
    standing = sorted(table.board.items())
    table.board.clear()
    table.open_again()
    table.wait(2.0)
    for place, look in standing:
        table.touch(Part(place, look), 0.4)
    table.wait(4.0)
    assert table.desk.session.text == CASTLING
    assert not {*table.events} & {"refused", "action", "begun"}
    assert table.desk.snapshot.verdict is None


TO_CROWN = (
    "triune f1~ c8~ c1~ g7-f6 f2-f3 a8~ f1~ h8~ e2~ f8-g7 c2-d3 e7~ f3-f2 f7-g6 f2-e3 g6-g5 c1-c4 g5-g4 d2~"
    " g4-f4 h2-g3 a7~ c4-c1 c7-b6 e3-e4 h7~ e2~ d8~ d3-c4 e7xe4 d2-d5 g7-g6 c4-d4 b7-a6 b1~ f6-f5 e2~ b6~"
    " c1-c4 e4-e7 a1~ h7-h4 g2-f2 a8~ d1-c2 g6-g7 b1~ a6-a5"
)


def test_a_piece_in_the_corner_waits_for_a_second_one_on_top() -> None:
    table = shown(TO_CROWN, lift("d5"), put("a8", "red/marked"))
    told = card(table)
    assert told is not None
    assert told[0] == "unfinished"
    assert told[2] == ["Put a second piece on top of the one on a8."]
    table.touch(Part("a8", "red/triune"), 1.0)
    assert table.desk.session.actions[-1] == "d5xa8=T"


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("rest", [0.6, 1.3, 9.0])
def test_a_pawn_that_rests_and_goes_on_has_made_one_move(eyes: str, rest: float) -> None:
    touches = (lift("e2"), put("e3", "white", rest), lift("e3"), put("e4", "white", rest))
    table = shown("chess", *touches, lift("e7"), put("e5", "black", 1.0), eyes=eyes)
    assert table.desk.session.actions == ("e2e4", "e7e5")
    assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_knights_that_come_home_are_nobodys_question(eyes: str) -> None:
    ways = (("g1", "f3", "white"), ("g8", "f6", "black"), ("f3", "g1", "white"), ("f6", "g8", "black")) * 2
    table = shown("chess", *(touch for a, b, look in ways for touch in (lift(a), put(b, look))), eyes=eyes)
    assert "ask" not in table.events
    assert len(table.desk.session.actions) == 8


EXCHANGE = "trid a8-b8 j6-i6 b8-c10 i6-i5 a7-a9 j5-i7 c10-b10 j7-i8 a9-b9 j4-i6 b9-a7 j8-j7 a6-b6 j7-j6 a5-a6"
LIFTS = (Part("a4", EMPTY), Part("b6", EMPTY))
PUTS = (Part("a4", "black/master"), Part("b6", "black/glider"))


@pytest.mark.parametrize("pause", [0.2, 1.6])
def test_pieces_that_are_exchanged_are_told_by_the_touches_alone(pause: float) -> None:
    """A grid feels the same before and after: that both were in the hands at once is all that it knows."""
    for lifts, puts in product((LIFTS, LIFTS[::-1]), (PUTS, PUTS[::-1])):
        table = shown(EXCHANGE, *((part, pause) for part in (*lifts, *puts)), eyes="grid")
        table.wait(0.6)
        assert table.desk.session.actions[-1] == "a4%b6"
        assert table.desk.snapshot.verdict is None


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize("rest", [0.2, 3.0])
def test_a_pawn_that_was_added_and_is_lifted_may_be_moved(eyes: str, rest: float) -> None:
    """With the pawn in the hand the board looks as before it was added, by another player, a turn ago."""
    text = "ternion_factor e6 e10 d8 d5 j9 i5 f3 j6 j3 c3 g10 c10 j9-j8 d5-d6 d8-d7 -d7 +i6 +c7 end"
    table = shown(text, lift("c7", rest), put("d7", "black", 3.0), eyes=eyes)
    *before, last = table.desk.session.actions
    assert ("ternion_factor", *before) == tuple(text.split())
    assert last in ("c7-d7", "c7-d6-d7")


def test_pieces_that_are_put_right_one_after_the_other_are_not_exchanged() -> None:
    for first, second in ((0, 1), (1, 0)):
        touches = (LIFTS[first], PUTS[first], LIFTS[second], PUTS[second])
        table = shown(EXCHANGE, *((part, 0.2) for part in touches), eyes="grid")
        assert table.desk.session.actions[-1] == "a5-a6"


def test_a_piece_that_was_put_right_was_not_captured() -> None:
    """To a grid both were touched, and the board is as after a capture: but nothing came there later."""
    touches = (lift("d5"), put("d5", "black", 0.2), lift("e4", 9.0))
    table = shown("chess e2e4 d7d5 a2a3 e7e5", *touches, eyes="grid")
    told = card(table)
    assert told is not None
    assert (told[0], told[2]) == ("unfinished", ["Put a white pawn on e4."])
    table.touch(Part("e4", "white"), 2.0)
    assert table.desk.session.actions[-1] == "e7e5"


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_a_pawn_that_was_put_down_meanwhile_was_moved_and_removed(eyes: str) -> None:
    """The board is as with the pawn in the hand; that it stood on f9 tells that it went there."""
    text = "ternion_factor d3 d8 j3 f6 g10 d6 j6 i5 i10 f3 f8 e10"
    lifted = shown(text, lift("f8", 9.0), eyes=eyes)
    assert lifted.events == ["begun"]
    removed = shown(text, lift("f8"), put("f9", "black", 0.2), lift("f9", 2.0), eyes=eyes)
    assert removed.desk.session.actions[-2:] == ("f8-f9", "-f9")


def test_a_piece_in_the_hand_has_not_gone_to_where_the_magnet_stands() -> None:
    """To a grid the magnet is as good as the piece that is put in its place."""
    text = "magnet values=declared @a1 a2+ @g6 k2+ g1 @b2"
    table = shown(text, lift("a1", 9.0), eyes="grid")
    words = "The red piece is missing on a1. Go on with it, or put it back."
    assert card(table) == ("unfinished", words, ["Put a red piece on a1."])
    table.touch(Part("b2", EMPTY), 0.2)
    table.touch(Part("b2", "red"), 2.0)
    assert table.desk.session.actions[-1] in ("a1", "a1+")


def test_a_disc_that_was_only_lifted_was_not_turned() -> None:
    """To a grid it was lifted once, and put on another place: not turned there first."""
    touches = (lift("c6"), lift("c3"), put("c6", "red/marked", 0.2), put("d3", "blue/solid", 9.0))
    table = shown("triune c2-c3 e7~ c3~ d7-c6", *touches, eyes="grid")
    assert table.events == ["refused"]


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_who_is_answered_before_the_board_rests_has_no_piece_put_back(eyes: str) -> None:
    table = shown("chess", lift("g1", 0), put("f3", "white", 0), lift("g8", 9.0), eyes=eyes)
    words = "The black knight is missing on g8. Go on with it, or put it back."
    assert card(table) == ("unfinished", words, ["Put a black knight on g8."])
    table.touch(Part("g8", "black"), 3.0)
    assert table.desk.session.actions == ("g1f3",)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_pieces_of_both_players_that_are_lifted_are_no_capture_with_a_reply(eyes: str) -> None:
    """To a grid the pawn in the hand is a pawn that has captured, had it been felt where that stands."""
    table = shown("chess e2e4 d7d5", lift("e4"), lift("g8", 9.0), eyes=eyes)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind == "refused"


TELEPORT = "teleporters f3ne@se end end c3nw-f3 end end"
"""South is to play, and has a Teleport on f3: two Ports in corners across from each other."""


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
@pytest.mark.parametrize(
    ("touches", "left"),
    [
        ("-f3nw -f3se +f3ne", "Put a Port of South on f3sw."),
        ("-f3nw -f3se +f3sw", "Put a Port of South on f3ne."),
        ("-f3nw +f3ne", "Turn the Port of South from f3se to f3sw."),
        ("-f3nw +f3sw", "Turn the Port of South from f3se to f3ne."),
        ("-f3se +f3sw -f3nw", "Put a Port of South on f3ne."),
    ],
)
def test_a_teleport_that_is_turned_says_where_its_other_port_goes(eyes: str, touches: str, left: str) -> None:
    """Which of two Ports is which nobody sees, and neither of them is in two places."""
    table = Table(session_of(TELEPORT), eyes)
    for word in touches.split():
        table.touch(Part(word[1:], "south/port" if word[0] == "+" else EMPTY), 0.2)
    table.wait(9.0)
    assert card(table) == ("unfinished", "South turns the Teleport on f3.", [left])


def test_the_card_speaks_of_the_board_as_it_stands() -> None:
    wrong = (
        lift("c2"),
        put("c5", "red/solid", 3.0),
        lift("h2", 3.0),
        lift("c5"),
        put("c2", "red/solid", 3.0),
    )
    table = shown("triune", *wrong)
    words = "The solid red piece is missing on h2. Go on with it, or put it back."
    assert card(table) == ("unfinished", words, ["Put a solid red piece on h2."])
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert not verdict.breaches


@pytest.mark.parametrize(
    ("text", "touches", "told"),
    [
        (
            "chess",
            (lift("e2"), put("e4", "white", 0.2), lift("h1", 4.0)),
            ("The white rook is missing on h1.", ["Put a white rook on h1."]),
        ),
        (
            "chess",
            (lift("e2"), put("e4", "white", 0.2), put("h5", "white", 4.0)),
            ("There is a white piece on h5.", ["Take the white piece off h5."]),
        ),
        (
            "triune",
            (lift("d2"), put("d3", "red/solid", 0.2), lift("g1", 4.0)),
            ("The solid red piece is missing on g1.", ["Put a solid red piece on g1."]),
        ),
    ],
)
def test_what_was_allowed_stands_while_the_rest_is_put_right(
    text: str, touches: Sequence[tuple[Part, float]], told: tuple[str, list[str]]
) -> None:
    table = shown(text, *touches)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    (breach,) = verdict.breaches
    assert (str(breach.words), [str(step.words) for step in verdict.steps]) == told
    assert not verdict.action
    table.do(verdict.steps[0])
    table.wait(4.0)
    assert len(table.desk.session.actions) == 1
    assert table.desk.snapshot.verdict is None


def test_of_a_move_and_another_that_is_not_allowed_the_first_stands() -> None:
    touches = (lift("d2"), put("d3", "white", 0.2), lift("b1"), lift("d8", 0), put("d8", "white", 4.0))
    table = shown("chess", *touches)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.after, verdict.action) == (("d2d3",), "b1d8")
    steps = [str(step.words) for step in verdict.steps]
    assert steps == ["Move the white knight from d8 to b1.", "Put a black queen on d8."]
    for place, look in (("d8", EMPTY), ("b1", "white"), ("d8", "black")):
        table.touch(Part(place, look), 0.4)
    table.wait(4.0)
    assert table.desk.session.actions == ("d2d3",)


@pytest.mark.parametrize("eyes", ["perfect", "grid"])
def test_pieces_that_were_carried_one_after_the_other_are_told_apart(eyes: str) -> None:
    """A grid feels that something stands there: by the order of touches it is what was in the hand."""
    ways = (lift("b8", 0.4), put("c6", "black", 0.4), lift("g1", 0.4), put("g3", "white", 4.0))
    verdict = shown("chess e2e4 e7e5", *ways, eyes=eyes).desk.snapshot.verdict
    assert verdict is not None
    assert sorted(str(step.words) for step in verdict.steps) == [
        "Move the black knight from c6 to b8.",
        "Move the white knight from g3 to g1.",
    ]


def test_a_piece_that_no_pawn_can_become_is_no_attempt() -> None:
    """A captured pawn still stands on d5, and nothing went there; a knight becomes nothing."""
    touches = (lift("e5"), put("d6", "white", 3.0), lift("h7"), put("h3", "black", 4.0))
    verdict = shown(TO_CAPTURE, *touches).desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.after, verdict.action) == (("e5d6",), "h7h3")
    (entry,) = (
        e for e in shown("chess", lift("b1"), put("c3", "white", 0.2), lift("h1", 4.0)).desk.session.log
    )
    assert entry.text == "GEN-4"


def test_of_two_pieces_that_were_moved_one_is_put_back() -> None:
    table = shown("triune", lift("d2"), put("d3", "red/solid", 0.2), lift("f2"), put("f3", "red/solid", 3.0))
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert [str(b.words) for b in verdict.breaches] == ["Two pieces were moved: put one of them back."]
    table.touch(Part("f3", EMPTY), 0.2)
    table.touch(Part("f2", "red/solid"), 4.0)
    assert table.desk.session.actions == ("d2-d3",)


@pytest.mark.parametrize(
    ("text", "touches", "rule"),
    [
        (CASTLING, (lift("e1"), put("g1", "white", 3.0), lift("h1"), put("h3", "white", 3.0)), "CH-1"),
        ("chess", (lift("e2", 9.0), put("e5", "white", 3.0)), "CH-2"),
        ("triune", (lift("d2", 9.0), put("d5", "red/solid", 3.0)), "TR-3"),
        ("draughts", (lift("c3", 9.0), put("c5", "white", 3.0)), "DR-1"),
    ],
)
def test_what_cannot_become_legal_any_more_is_refused(
    text: str, touches: Sequence[tuple[Part, float]], rule: str
) -> None:
    table = shown(text, *touches)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind == "refused"
    assert rule in [breach.rule for breach in verdict.breaches]


def watched(text: str, file: Path) -> list[dict[str, object]]:
    """Returns what `companion watch` tells of a trace."""
    with Store(":memory:") as store:
        desk = Desk(store)
        desk.handle(m.NewGame(text))
        with open_sightings(f"trace:{file}", desk.session.game.board, None) as source:
            return [plain(line) for line in referee(desk, source.sightings())]


@pytest.mark.parametrize(
    ("text", "name", "record"),
    [
        ("chess", "slide-pawn.jsonl", "chess e2e4 e7e5"),
        ("chess e2e4 e7e5", "change-of-mind-bishop.jsonl", "chess e2e4 e7e5 f1c4 b8c6"),
        ("chess e2e4 e7e5", "change-of-mind-knight.jsonl", "chess e2e4 e7e5 b1c3"),
        (CASTLING, "castling-king-first.jsonl", CASTLING + " e1g1"),
    ],
)
def test_a_grid_trace_is_told_in_the_order_in_which_hands_went(
    text: str, name: str, record: str, shared: Path
) -> None:
    told = watched(text, shared / "cases" / "turn3" / name)
    assert told[-1] == {"event": "record", "text": record}
    if name.startswith("castling"):
        begun, *_ = told
        assert (begun["event"], begun["left"]) == ("begun", ["Move the white rook from h1 to f1."])
        assert all(event["event"] != "refused" for event in told)


HOME = (("e2", "e4", "white"), ("e7", "e5", "black"), ("g1", "f3", "white"), ("b8", "c6", "black"))


@pytest.mark.parametrize("is_over", [True, False])
def test_pieces_set_up_anew_ask_for_a_new_game(is_over: bool) -> None:
    table = shown("chess", *(touch for a, b, look in HOME for touch in (lift(a), put(b, look))))
    if is_over:
        table.desk.handle(m.Deed("resign", "white"))
    else:
        table.desk.handle(m.Submit("f1c4"))  # an entry by hand, which the board never follows
    for a, b, look in HOME:
        table.touch(Part(b, EMPTY), 0.2)
        table.touch(Part(a, look), 0.6)
    assert table.desk.snapshot.is_set_up is False or is_over
    table.wait(1.0 if is_over else 70.0)
    assert table.desk.snapshot.is_set_up
    assert table.desk.snapshot.verdict is None
    table.touch(Part("e2", EMPTY), 0.2)
    table.touch(Part("e4", "white"), 2.0)
    assert not table.desk.snapshot.is_set_up


RESTED = (lift("e2"), put("e3", "white", 1.3))
ON = (lift("e3"), put("e4", "white", 3.0))


def test_who_has_pressed_the_clock_has_moved() -> None:
    table = shown("chess", *RESTED)
    assert table.desk.handle(m.EndTurn("white"))[0].ok
    for part, pause in ON:
        table.touch(part, pause)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.kind, table.desk.session.actions) == ("turn", ("e2e3",))


def test_with_strict_touch_move_a_piece_that_was_let_go_stands() -> None:
    table = shown("chess touch=strict", *RESTED, *ON)
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.kind, table.desk.session.actions) == ("turn", ("e2e3",))


def test_a_piece_that_was_put_back_and_goes_again_was_not_misread_all_along() -> None:
    """Play that goes on beside a place that nothing explains takes it for misread: one that was right since
    is a new one."""
    gone = (lift("c8", 3.0), put("c8", "blue/solid"))
    table = shown("triune", *gone, lift("c2"), lift("c8"), put("c3", "red/solid", 3.0))
    told = card(table)
    assert told is not None
    assert told[0] in ("unfinished", "refused")


SETUP = {"red": "a2 a3 a4 a5 b7 c8 d9 e10 g10 h9 i8 j7", "blue": "k5 k4 k3 k2 j1 i1 h1 g1 e1 d1 c1 b1"}


@pytest.mark.parametrize("pause", [0.2, 3.0])
@pytest.mark.parametrize("eyes", EYES)
def test_secret_pieces_may_be_laid_before_the_page_is_told(eyes: str, pause: float) -> None:
    table = Table(session_of("magnet"), eyes)
    for player in ("red", "blue"):
        for place in SETUP[player].split():
            table.touch(Part(place, player), pause)
    table.wait(POLICY.slight_refusal + 2.0)
    assert "refused" not in table.events
    verdict = table.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.kind, verdict.steps, verdict.action) == ("unfinished", (), "")
    for letters in ("=24T2324t343K", "=43t3TK434222"):
        reply, _ = table.desk.handle(m.Submit(letters, table.desk.session.position.to_act))
        assert reply.ok
        table.wait(POLICY.slight_refusal + 2.0)
    assert table.desk.snapshot.verdict is None
    assert "refused" not in table.events
