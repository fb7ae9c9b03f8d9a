"""Games by mouse on the virtual table against the companion, begun on the page and played to their end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from test_web_whole_games import Player, understood
from web_hands import wait_until
from web_pages import expect, leave, visit

from companion.record.session import Session
from companion.table import messages as m
from companion.table.table import Table
from opponent.mind import ask, choose
from web.runtime.opponent import OpponentSeats
from web.runtime.runtime import Runtime

pytestmark = [pytest.mark.browser, pytest.mark.soak]
TURNS = 12
"""After so many of one's own turns the game is given up, where it is not over by then."""
LOOK = 2000
"""Milliseconds for which a player looks at the board that was put back."""
GAMES = (
    "triune", "chess", "draughts", "trid", "escape", "magnet", "ternion_factor", "ternion_spaces",
    "teleporters",
)  # fmt: skip


@pytest.fixture
def opponents(table: Table) -> Iterator[OpponentSeats]:
    seats = OpponentSeats(table)
    seats.start()
    yield seats
    seats.stop()


def own_action(session: Session, rng: Random) -> str:
    """Returns what a player who sees a little ahead plays."""
    return choose(ask(session, session.position.to_act, 3, nodes=200, seed=rng.randrange(1000))).actions[0]


def begin_on_page(page: Any, name: str) -> None:
    """Begins a game on the page: the companion has every seat but the first."""
    page.locator(f"[data-game={name}]").tap()
    seats = page.locator("#players select.level")
    expect(seats.first).to_be_visible()
    for n in range(1, seats.count()):
        seats.nth(n).select_option("1")
    page.get_by_role("button", name="Start the game").tap()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_against_the_companion_by_mouse(
    browser: Any, playground: str, table: Table, runtime: Runtime, opponents: OpponentSeats, name: str
) -> None:
    page, rng = visit(browser, playground, "tablet"), Random(3)
    begin_on_page(page, name)
    wait_until(page, lambda: table.snapshot.session is not None, "the game begun")
    wait_until(page, lambda: understood(table, runtime), "the board on the table")
    expect(page.locator("#sources")).to_contain_text("sees the board")
    player = Player(page, runtime)
    first, turns, has_taken_back = player.session.players[0], 0, False
    while turns < TURNS:
        wait_until(page, lambda: is_ones_own_turn(table, first), "one's own turn")
        session = player.session
        if questions := table.snapshot.questions:  # with secrets the page asks a seat alone
            answer = m.Answer(questions[0].id, questions[0].choices[0], first)
            assert table.ask(answer).ok
            continue
        if session.outcome:
            break
        if turns == 3 and not has_taken_back and not session.has_secrets:
            has_taken_back = True
            # An undo is meant for the action that the page shows last: a player waits to see it.
            expect(page.locator("#moves .move")).to_have_count(len(session.plies))
            page.locator("#tools").get_by_text("Undo", exact=True).tap()
            wait_until(page, lambda: len(player.session.plies) < len(session.plies), "taken back")  # noqa: B023
            wait_until(page, player._is_laid, "the board as it was")
            page.wait_for_timeout(
                LOOK
            )  # the same action again, unseen in between, would look as if it still stood
            assert player.session.position.to_act == first
            continue
        action = own_action(session, rng)
        if session.rules.keeps_secrets(session.first):  # only a seat is asked, and may put right
            assert table.ask(m.Submit(action, first)).ok
        else:
            player.play(action, len(session.plies) + 1)
        turns += player.session.position.turn != first
    if not player.session.outcome:
        assert table.ask(m.Deed("resign", first)).ok
    sources = {ply.entry.source for ply in player.session.plies if ply.player != first}
    assert sources == {"companion"}
    assert not [entry for entry in player.session.log if entry.kind == "refused"]
    expect(page.locator("#again, .card.again").first).to_be_visible()
    leave(page)


def is_ones_own_turn(table: Table, player: str) -> bool:
    """Tells whether a player may act, and the board is as the game has it; or is asked something."""
    snapshot = table.snapshot
    if any(question.by == player for question in snapshot.questions):
        return True
    session = snapshot.session
    is_over = session is not None and session.outcome is not None
    return is_over or bool(
        session and session.position.to_act == player and not snapshot.verdict and not snapshot.questions
    )
