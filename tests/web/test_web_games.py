"""Every game played to its end on the page, by tapping, without a camera: its scoreboard, its winner."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from web_pages import expect, leave, tap, visit

from companion import games
from companion.core.game import ActionForm
from companion.record.session import Session
from companion.table.messages import NewGame
from companion.table.table import Table
from web.routes.auth import has_secrets

pytestmark = pytest.mark.browser
GAMES = Path(__file__).parent / "games"
DIFFERENT = {"chess", "draughts", "magnet", "queens", "ternion_spaces", "triune"}
"""Games that ask different things of the page, which knows none; all of them are played in the soak."""
TAPPED = 6
"""The actions at the end of each game that are tapped; those before them are its opening."""


def on_table(table: Table) -> Session:
    assert table.snapshot.session
    return table.snapshot.session


def play(page: Any, session: Session, action: str) -> None:
    """Taps an action's places; what they leave open is chosen by its words."""
    rules, position = session.rules, session.position
    words = re.compile(f"^{re.escape(rules.label(action))}$", re.IGNORECASE)
    path = rules.path(action)
    if form := action.startswith("=") and rules.form(position):
        fill_in(page, form, action)
        return
    if not path:
        page.locator("#tools").get_by_text(words).tap()
        return
    for place in path:
        tap(page, place)
    paths = [rules.path(other) for other in rules.legal(position) if other != action]
    waits = len(path) == 1 and path[0] in rules.pieces(position)
    if waits or any(other[: len(path)] == path for other in paths):
        choice = page.locator(".choose")
        spoken = choice.get_by_text(words)
        (spoken if spoken.count() else choice.get_by_text(rules.kind(action).capitalize(), exact=True)).tap()


def fill_in(page: Any, form: ActionForm, action: str) -> None:
    """Puts the pieces of a set-up one by one: of each kind those that stand on its sites."""
    for letter, words, _, _ in form.stock:
        page.get_by_role("button", name=re.compile(f"^{words}, ", re.IGNORECASE)).tap()
        for site, chosen in zip(form.sites, action[1:], strict=True):
            if chosen == letter:
                tap(page, site)
    page.tap("button:text-is('Ready')")


def look(page: Any, player: str) -> None:
    """The tablet goes to a player, who sees the own pieces; on the way it shows nobody's."""
    sees = page.locator("#tools button", has_text=f"Cover {player}’s pieces")
    if sees.count() == 0:
        expect(page.locator("#news")).to_contain_text(f"Pass the tablet to {player}")
        assert page.locator("#board .hit").count() == 0
        page.tap(f"text=Show {player}’s pieces")
        expect(sees).to_have_count(1)


def counts_shown(page: Any) -> list[str]:
    rows = page.locator("#counts tbody tr, #counts .count").all_inner_texts()
    return [" ".join(row.split()) for row in rows]


def counts_due(session: Session) -> list[str]:
    """The scoreboard as the page writes it: lines of players, then those of the turn, no noughts."""
    counts = [count for count in session.rules.counts(session.position) if any(count.values.values())]
    lines = []
    for count in sorted(counts, key=lambda count: "" in count.values):
        of = f"/{count.total}" if count.total else ""
        numbers = " ".join(f"{value}{of}" for value in count.values.values())
        lines.append(f"{count.name[:1].upper()}{count.name[1:]} {numbers}")
    return lines


def test_every_game_is_here() -> None:
    assert {path.stem for path in GAMES.glob("*.txt")} == set(games.GAMES)


@pytest.mark.parametrize(
    "name", [n if n in DIFFERENT else pytest.param(n, marks=pytest.mark.soak) for n in sorted(games.GAMES)]
)
def test_a_game_is_played_to_its_end(browser: Any, address: str, table: Table, name: str) -> None:
    words = (GAMES / f"{name}.txt").read_text().split()
    opening = max(1, len(words) - TAPPED)
    if name == "magnet":
        opening = 1
    assert table.ask(NewGame(" ".join(words[:opening]))).ok
    page = visit(browser, address, "tablet")
    secrets = has_secrets(table.snapshot)
    for number, action in enumerate(words[opening:], opening):
        session = on_table(table)
        if secrets:
            look(page, session.position.to_act.capitalize())
        play(page, session, action)
        expect(page.locator("#moves .move")).to_have_count(number)
        in_words = "set up" if action.startswith("=") else {"end": "end the turn"}.get(action)
        shown = in_words or on_table(table).plies[-1].written
        expect(page.locator("#moves .move.latest .action")).to_have_text(shown)
    outcome = on_table(table).outcome
    assert outcome
    assert outcome.winner
    solved = len(on_table(table).players) == 1
    end = "Solved" if solved else f"{outcome.winner.capitalize()} wins"
    why = on_table(table).rules.title if solved else outcome.reason[:1].upper() + outcome.reason[1:]
    expect(page.locator(".turn .name")).to_have_text(end)
    expect(page.locator(".turn .prompt")).to_have_text(why)
    assert counts_shown(page) == counts_due(on_table(table))
    page.reload()
    expect(page.locator(".turn .name")).to_have_text(end)
    leave(page)
