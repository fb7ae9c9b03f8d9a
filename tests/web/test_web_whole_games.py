"""Games played by hand on the virtual table: the end of each, the next begun after it, and whole games."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_web_games import GAMES
from test_web_games import play as tap_action
from web_checks import text_faults
from web_hands import MouseHands, wait_until
from web_pages import SIZES, expect, leave, visit

from companion import games
from companion.core.game import EMPTY, Action
from companion.record.session import Entry, Session
from companion.referee.hypotheses.hidden_alternatives import hidden_alternatives
from companion.table.messages import NewGame
from companion.table.table import Table
from web.runtime.runtime import Runtime

pytestmark = [pytest.mark.browser, pytest.mark.soak]
log = logging.getLogger(__name__)
BY_HAND = 6
"""The actions at the end of each game that are played by hand; those before them are its opening."""
NEXT = dict(zip(games.GAMES, [*[*games.GAMES][1:], "rooks"], strict=True))
"""The game that is chosen on the page after each one."""
WHOLE = ("chess", "triune", "escape", "teleporters", "ternion_factor", "ternion_spaces")
"""The games that are played by hand from their first action to the last: one to five minutes each."""
PAUSES = (0, 400, 1700)
"""Milliseconds for which hands rest between the parts of an action, in turn."""


class Player:
    """Somebody who plays one game on the virtual table, and answers what is asked on the page."""

    def __init__(self, page: Any, runtime: Runtime) -> None:
        self.page, self.table = page, runtime.table
        self.hands = MouseHands(page, runtime)
        self.asked = self.corrected = 0
        """The questions that were answered, and the actions that were understood otherwise and put right."""

    @property
    def session(self) -> Session:
        assert self.table.snapshot.session
        return self.table.snapshot.session

    def play(self, action: Action, number: int) -> None:
        """Plays the action of this number, unless the companion has understood it already."""
        is_tapped = False
        if len(self.session.plies) < number:
            is_tapped = not self._do(action)
        wait_until(self.page, lambda: self._is_settled(number, action), f"{number}. {action}")
        if is_tapped:  # its pieces and markers move by themselves, and meet no hand
            wait_until(self.page, self._is_laid, "the virtual table as the game is")
        if len(self.session.plies) >= number and self.session.actions[number - 1] != action:
            self._correct(action, number)

    def _is_laid(self) -> bool:
        should = {place: look for place, look in self.session.look.items() if look != EMPTY}
        return self.hands.virtual.table.looks() == should

    def _do(self, action: Action) -> bool:
        """Does an action, and returns whether by moving pieces; else it has a button."""
        words = re.compile(f"^{re.escape(self.session.rules.label(action))}$", re.IGNORECASE)
        button = self.page.locator("#tools, #news").get_by_role("button", name=words)
        if self.hands.steps(self.session, action):
            for n, step in enumerate(self.hands.steps(self.session, action)):
                self.page.wait_for_timeout(PAUSES[(len(self.session.plies) + n) % len(PAUSES)] if n else 0)
                self.hands.do(step)
            return True
        button.first.tap()
        return False

    def _is_settled(self, number: int, action: Action) -> bool:
        """Tells whether an action is played, and all is answered that was asked about it."""
        snapshot = self.table.snapshot
        if snapshot.question:
            self._answer(action, number)
            return False
        return len(self.session.plies) >= number and not snapshot.verdict

    def _answer(self, action: Action, number: int) -> None:
        question = self.table.snapshot.question
        assert question
        self.asked += 1
        meant = [choice for choice in question.choices if action in choice]
        chosen = question.choices.index((meant or question.choices)[0])
        self.page.locator(".question .choices button").nth(chosen).tap()
        self.page.wait_for_timeout(100)

    def _correct(self, action: Action, number: int) -> None:
        """Takes back what else the same board could mean, and taps on the diagram what was meant."""
        self.corrected += 1
        while len(self.session.plies) >= number:
            plies = len(self.session.plies)
            # An undo is meant for the action that the page shows last: a player waits to see it.
            expect(self.page.locator("#moves .move")).to_have_count(plies)
            self.page.locator("#tools").get_by_text("Undo", exact=True).tap()
            wait_until(self.page, lambda: len(self.session.plies) < plies, "taken back")  # noqa: B023
        self.page.locator("#tools").get_by_text("Diagram", exact=True).tap()
        tap_action(self.page, self.session, action)
        wait_until(self.page, lambda: self.session.actions[number - 1 :] == (action,), action)
        self.page.locator("#tools").get_by_text("Table", exact=True).tap()


def understood(table: Table, runtime: Runtime) -> bool:
    """Tells whether the virtual table shows the game, and its camera sees it."""
    session, virtual = table.snapshot.session, runtime.virtual
    return bool(session and virtual and virtual.table.board is session.game.board)


def play_by_hand(
    browser: Any,
    playground: str,
    table: Table,
    runtime: Runtime,
    name: str,
    opening: int,
    size: str = "tablet",
    look: Callable[[str, Player], None] = lambda moment, player: None,
) -> Player:
    """Begins a stored game after so many of its words, and plays the rest by hand, until somebody has won.
    Before each action somebody may have a `look`."""
    words = (GAMES / f"{name}.txt").read_text().split()
    assert table.ask(NewGame(" ".join(words[:opening]))).ok
    page = visit(browser, playground, size)
    wait_until(page, lambda: understood(table, runtime), "the board on the table")
    expect(page.locator("#sources")).to_contain_text("sees the board")
    player = Player(page, runtime)
    for number, action in enumerate(words[opening:], opening):
        look(f"before {number}", player)
        player.play(action, number)
    assert player.session.outcome
    assert player.session.outcome.winner
    won = "Solved" if len(player.session.players) == 1 else "wins"
    expect(page.locator(".turn .name")).to_contain_text(won)
    return player


def words_of_opening(name: str) -> int:
    """The head of a game's stored text; in Magnet also the set-ups, which players keep from each other."""
    return 3 if name == "magnet" else 1


@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_the_end_of_a_game_is_played_by_hand(
    browser: Any, playground: str, table: Table, runtime: Runtime, tmp_path: Path, name: str
) -> None:
    count = len((GAMES / f"{name}.txt").read_text().split())
    opening = max(words_of_opening(name), count - BY_HAND)
    player = play_by_hand(browser, playground, table, runtime, name, opening)
    page = player.page
    page.screenshot(path=tmp_path / f"{name}.png")

    page.tap("text=New game")
    page.tap(f"[data-game={NEXT[name]}]")
    page.tap("text=Start the game")
    wait_until(page, lambda: player.session.rules.name == NEXT[name], "the next game")
    expect(page.locator(".turn .name")).not_to_contain_text("wins")
    expect(page.locator("#sources")).to_contain_text("sees the board")
    leave(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_the_end_of_a_game_is_readable_on_every_screen(
    browser: Any, playground: str, table: Table, runtime: Runtime, tmp_path: Path, name: str, size: str
) -> None:
    """After each action, over a mistake, when it is put right, and when somebody has won."""
    count = len((GAMES / f"{name}.txt").read_text().split())
    opening = max(words_of_opening(name), count - 3)
    mistakes = iter([True])

    def look(moment: str, player: Player) -> None:
        page = player.page
        if next(mistakes, False) and (way := out_of_reach(player.session)):
            player.hands.drag(*way)
            expect(page.locator(".verdict")).to_be_visible()
            read("mistake", page)
            page.tap("text=Put it right for me")
            wait_until(page, lambda: not table.snapshot.verdict, "the mistake is put right")
        read(moment, page)

    def read(moment: str, page: Any) -> None:
        page.screenshot(path=tmp_path / f"{moment}.png")
        assert text_faults(page) == [], moment

    player = play_by_hand(browser, playground, table, runtime, name, opening, size, look)
    read("end", player.page)
    leave(player.page)


def out_of_reach(session: Session) -> tuple[str, str] | None:
    """Returns from where to where no piece of the player who is to act may go now, whatever no sensor saw.

    Neither may it be taken off, or put down, and then the other.
    """
    rules, position = session.rules, session.position
    parts = [action for action in rules.legal(position) if len(rules.path(action)) == 1]
    known = [session, *(other for other, _ in hidden_alternatives(session))]
    known += [session.apply(Entry("action", action)) for action in parts]
    paths = {rules.path(action)[:2] for at in known for action in rules.legal(at.position)}
    pieces = rules.pieces(position)
    own = [site for site, look in pieces.items() if look.startswith(position.to_act)]
    empty = [site for site in reversed(session.game.board.sites) if site not in pieces]
    ways = ((start, end) for start in own for end in empty if not {(start, end), (end,)} & paths)
    return next(ways, None)


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_game_is_played_by_hand(
    browser: Any, playground: str, table: Table, runtime: Runtime, name: str
) -> None:
    player = play_by_hand(browser, playground, table, runtime, name, words_of_opening(name))
    leave(player.page)
    assert [entry.text for entry in player.session.log if entry.kind == "refused"] == []
    count = len(player.session.plies)
    log.info("%s: %d actions, asked %d, corrected %d", name, count, player.asked, player.corrected)
