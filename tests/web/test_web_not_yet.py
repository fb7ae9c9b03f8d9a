"""Actions in progress on the page: the calm card, what is left, and nothing that was right refused."""

from __future__ import annotations

from typing import Any

import pytest
from web_hands import MouseHands, wait_until
from web_pages import expect, leave, visit

from companion.table.messages import Deed, NewGame
from companion.table.table import Table
from tests.samples import first_few
from web.runtime.runtime import Runtime

pytestmark = pytest.mark.browser
soak = pytest.mark.soak
"""Of what `tests/companion/test_not_yet.py` has without a page."""

ITALIAN = "chess e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
TO_CROWN = (
    "triune f1~ c8~ c1~ g7-f6 f2-f3 a8~ f1~ h8~ e2~ f8-g7 c2-d3 e7~ f3-f2 f7-g6 f2-e3 g6-g5 c1-c4 g5-g4 d2~"
    " g4-f4 h2-g3 a7~ c4-c1 c7-b6 e3-e4 h7~ e2~ d8~ d3-c4 e7xe4 d2-d5 g7-g6 c4-d4 b7-a6 b1~ f6-f5 e2~ b6~"
    " c1-c4 e4-e7 a1~ h7-h4 g2-f2 a8~ d1-c2 g6-g7 b1~ a6-a5"
)
TO_ESCAPE = (
    "escape i3>g4 g10~g9 f3>f4 h12>g12 f4>g5 d11>h8 d2>c4 h8>j9 f2>h4 j10>f8 c2>g6 h10>f1 d1>i8 b10>e4 j3>e9"
    " g9~f9 h3>l4=d1 i12>d5 i1>h8 e4>j8 c4>k9 d10>i1 i2>c4 e11>f3 d3>g7 f12>g9 c4>f12 i11~i12 g1>i2 j11>e11"
)


def table_of(
    browser: Any, playground: str, table: Table, runtime: Runtime, text: str
) -> tuple[Any, MouseHands]:
    """Shows a game on the virtual table, once its camera has seen it; returns the page and hands at it."""
    assert table.ask(NewGame(text)).ok
    page = visit(browser, playground, "tablet")
    session = table.snapshot.session
    assert session
    board = session.game.board
    wait_until(
        page, lambda: runtime.virtual is not None and runtime.virtual.table.board is board, "the board"
    )
    wait_until(
        page,
        lambda: table._desk.state.is_understood and table._desk.state.by_hand.has_caught_up,
        "the board as the game is",
    )
    return page, MouseHands(page, runtime)


def is_played(page: Any, table: Table, action: str) -> None:
    """Checks that an action was booked, and nothing refused."""
    wait_until(page, lambda: action in played(table), action)
    session = table.snapshot.session
    assert session
    assert all(entry.kind != "refused" for entry in session.log)
    expect(page.locator(".verdict")).to_have_count(0)


def played(table: Table) -> tuple[str, ...]:
    session = table.snapshot.session
    return session.actions if session else ()


@pytest.mark.parametrize(
    ("text", "first", "left", "then", "action"),
    first_few(
        1,
        [
            (ITALIAN, ("e1", "g1"), "Move the white rook from h1 to f1.", ("h1", "f1"), "e1g1"),
            (TO_ESCAPE, ("g7", "f12"), "Take the pawn of South off f12.", None, "g7>f12"),
            (TO_CROWN, ("d5", "a8"), "Put a second piece on top of the one on a8.", None, "d5xa8=T"),
        ],
    ),
    ids=["castling", "escape", "corner"],
)
def test_what_is_not_finished_says_what_is_left(
    browser: Any,
    playground: str,
    table: Table,
    runtime: Runtime,
    text: str,
    first: tuple[str, str],
    left: str,
    then: tuple[str, str] | None,
    action: str,
) -> None:
    page, hands = table_of(browser, playground, table, runtime, text)
    session = table.snapshot.session
    assert session
    if first[1] in session.look:
        taken = hands._at(first[1])
        hands.carry(taken, hands._free_spot(taken))
    hands.drag(*first)
    card = page.locator(".verdict.unfinished")
    expect(card.locator("h2")).to_contain_text("Not yet")
    expect(card.locator(".steps li")).to_have_text([left])
    if then:
        hands.drag(*then)
    else:
        page.get_by_text("Finish it for me").click()
    is_played(page, table, action)
    leave(page)


@soak
def test_a_pawn_that_rests_and_goes_on_has_made_one_move(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page, hands = table_of(browser, playground, table, runtime, "chess")
    hands.drag("e2", "e3")
    expect(page.locator("#moves .move .action")).to_have_text(["e3"])
    hands.drag("e3", "e4")
    expect(page.locator("#moves .move .action")).to_have_text(["e4"])
    hands.drag("e7", "e5")
    expect(page.locator("#moves .move .action")).to_have_text(["e4", "e5"])
    leave(page)


@soak
def test_knights_that_come_home_open_no_question_but_a_claim(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page, hands = table_of(browser, playground, table, runtime, "chess")
    for number, way in enumerate((("g1", "f3"), ("g8", "f6"), ("f3", "g1"), ("f6", "g8")) * 2, 1):
        hands.drag(*way)
        expect(page.locator("#moves .move .action")).to_have_count(number)
        assert table.snapshot.question is None
    claim = "White may claim a draw: the same position for the third time."
    expect(page.locator("#news")).to_contain_text(claim)
    page.get_by_text("Claim the draw").click()
    expect(page.locator(".turn .name")).to_contain_text("Draw")
    leave(page)


@soak
def test_a_pawn_out_of_bounds_is_put_where_the_rules_let_it(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page, hands = table_of(browser, playground, table, runtime, TO_ESCAPE)
    hands.drag("g7", "l9")
    expect(page.locator(".verdict.unfinished h2")).to_contain_text("Not yet")
    hands.drag("l9", "g1")
    wait_until(page, lambda: played(table)[-1] in ("g7>l9=g1", "g7>g1"), "the pawn on g1")
    is_played(page, table, played(table)[-1])
    leave(page)


def test_a_mistake_that_is_mended_goes_away_beside_a_new_one(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page, hands = table_of(browser, playground, table, runtime, "triune")
    hands.drag("c2", "c5")
    expect(page.locator(".verdict.refused")).to_have_count(1)
    knocked = hands._at("h2")
    hands.carry(knocked, hands._free_spot(knocked))
    hands.drag("c5", "c2")
    card = page.locator(".verdict")
    expect(card).to_contain_text("missing on h2")
    expect(card).not_to_contain_text("c5")
    assert played(table) == ()
    leave(page)


def test_pieces_set_up_anew_after_a_game_offer_another(
    browser: Any, playground: str, table: Table, runtime: Runtime
) -> None:
    page, hands = table_of(browser, playground, table, runtime, "chess e2e4 e7e5")
    assert table.ask(Deed("resign", "white")).ok
    hands.drag("e4", "e2")
    hands.drag("e5", "e7")
    expect(page.locator(".again h2")).to_have_text("A new game?")
    leave(page)
