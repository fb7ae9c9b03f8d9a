"""Puzzles from games: begun on the page, solved on the board, marked; and found in games that are over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from test_web_opponent import BLUNDER
from test_web_whole_games import understood
from web_clients import LITTLE_THOUGHT, Client, serving, until
from web_hands import MouseHands, wait_until
from web_pages import expect, leave, visit

from benchmarks.simulation.direct_thinker import DirectThinker
from companion.record.session import PUZZLE
from companion.store.store import Store
from companion.table import messages as m
from companion.table.table import Table
from opponent import puzzles
from opponent.puzzles import FoundPuzzle, of_day
from web import Services, Settings, create_app
from web.runtime.look_back import LookBacks
from web.runtime.puzzles import IdleLooks, OwnPuzzles
from web.runtime.runtime import Runtime

TODAY = FoundPuzzle("triune a2-a3", ("b7~",))
OWN = FoundPuzzle("triune a2-a3 b7~", ("b2~",))
NOON = datetime(2026, 5, 1, 12).timestamp()


@pytest.fixture
def own(tmp_path: Path) -> OwnPuzzles:
    return OwnPuzzles(tmp_path / "puzzles.txt")


@pytest.fixture
def solver(table: Table, store: Store, own: OwnPuzzles, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(puzzles, "collection", lambda: (TODAY,))
    own.keep(OWN)
    return Client(create_app(table, services=Services(store=store, own_puzzles=own, wall=lambda: NOON)))


def begin(client: Client, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/puzzles", {"game": "triune", **more})
    assert answer.status_code == 200, answer.get_json()
    return client.state()


def act(client: Client, action: str) -> Any:
    return client.post("/api/v1/actions", {"action": action})


def test_todays_puzzle_is_solved_and_marked(solver: Client, table: Table) -> None:
    shown = solver.get("/api/v1/puzzles/triune").get_json()
    assert shown == {"today": True, "solved": False, "own": 1, "words": ""}
    state = begin(solver)
    assert (state["puzzle"], state["to_act"], state["game"]["hints"]) == ("open", "blue", True)
    assert PUZZLE not in state["head"], "the solution is told"
    wrong = act(solver, "a7~")
    assert (wrong.status_code, wrong.get_json()["breaks"]) == (409, [])
    assert "not the turn" in wrong.get_json()["error"]
    assert solver.post("/api/v1/takebacks").status_code == 409
    advice = solver.get("/api/v1/advice").get_json()
    assert (advice["action"], advice["nudge"]) == ("b7~", "It begins on b7.")
    assert act(solver, "b7~").status_code == 200
    state = solver.state()
    assert (state["puzzle"], state["state"], state["can_undo"]) == ("solved", "over", False)
    assert state["outcome"] == {"winner": "blue", "reason": "solved", "words": "Solved."}
    assert solver.post("/api/v1/takebacks", {"count": 0}).status_code == 409
    assert solver.get("/api/v1/puzzles/triune").get_json()["solved"]
    step = {"step": state["plies"], "companion": "red=1/2"}
    assert solver.post("/api/v1/records/1/branches", step).status_code == 200
    assert (solver.state()["puzzle"], solver.state()["state"]) == ("", "playing")


def test_own_puzzles_are_offered_until_they_are_solved(solver: Client) -> None:
    assert begin(solver, own=True)["to_act"] == "red"
    assert act(solver, "b2~").status_code == 200
    assert solver.get("/api/v1/puzzles/triune").get_json()["own"] == 0
    assert solver.post("/api/v1/puzzles", {"game": "triune", "own": True}).status_code == 409


def test_a_puzzle_that_is_given_up_is_not_solved(solver: Client, table: Table) -> None:
    begin(solver)
    assert table.ask(m.Deed("resign", "blue")).ok
    assert solver.state()["puzzle"] == "open"
    assert not solver.get("/api/v1/puzzles/triune").get_json()["solved"]


@pytest.mark.parametrize(
    ("game", "words"), [("magnet", "what is best depends on what is hidden"), ("queens", "a puzzle itself")]
)
def test_games_that_have_none_say_so(solver: Client, game: str, words: str) -> None:
    shown = solver.get(f"/api/v1/puzzles/{game}").get_json()
    assert (shown["today"], shown["own"]) == (False, 0)
    assert words in shown["words"]
    answer = solver.post("/api/v1/puzzles", {"game": game})
    assert (answer.status_code, answer.get_json()["error"]) == (409, shown["words"])


def test_what_is_no_game_has_no_puzzles(solver: Client) -> None:
    assert solver.get("/api/v1/puzzles/nonsense").status_code == 404
    assert solver.post("/api/v1/puzzles", {"game": "nonsense"}).status_code == 404
    assert solver.get("/api/v1/puzzles/draughts").get_json()["today"] is False
    assert solver.post("/api/v1/puzzles", {"game": "draughts"}).status_code == 409


def test_own_puzzles_are_kept(own: OwnPuzzles, tmp_path: Path) -> None:
    own.keep(OWN)
    own.keep(TODAY)
    own.keep(OWN)
    assert OwnPuzzles(tmp_path / "puzzles.txt").of("triune") == [TODAY, OWN]
    (tmp_path / "puzzles.txt").write_bytes(b"\xff\xfe nonsense | ")
    assert OwnPuzzles(tmp_path / "puzzles.txt").of("triune") == []


def test_what_was_missed_in_a_game_becomes_a_puzzle(
    table: Table, own: OwnPuzzles, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("chess")
    monkeypatch.setattr("opponent.mind._is_plain", lambda search, view, found: False)
    looks = LookBacks(partial(DirectThinker, most=LITTLE_THOUGHT), own.keep)
    idle = IdleLooks(table, looks, lambda number: number)
    idle.start()
    assert table.ask(m.NewGame(" ".join(BLUNDER.split()[:-1]))).ok
    until(table, lambda snapshot: snapshot.session)
    assert table.ask(m.Submit("d8h4", "black")).ok
    snapshot = until(table, lambda snapshot: snapshot.session.outcome)
    idle.follow(snapshot)  # the follower's own thread may not have come to it
    idle.stop()
    assert own.of("chess") == [FoundPuzzle("chess f2f3 e7e5 g2g4", ("d8h4",))]
    looks.rest()
    assert looks.found(1) is None


def test_the_day_says_which_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "collection", lambda: (TODAY, OWN))
    first, second = (of_day("triune", datetime(2026, 5, day).date()) for day in (1, 2))
    assert {first, second} == {TODAY, OWN}
    assert of_day("triune", datetime(2026, 5, 3).date()) == first
    assert of_day("chess", datetime(2026, 5, 3).date()) is None


@pytest.mark.browser
def test_a_puzzle_is_solved_by_mouse(
    browser: Any,
    table: Table,
    runtime: Runtime,
    store: Store,
    own: OwnPuzzles,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(puzzles, "collection", lambda: (FoundPuzzle("triune a2-a3", ("b7-b6",)),))
    services = Services(
        virtual_table=runtime.virtual, newest_frame=runtime.newest, view=runtime.view, store=store,
        own_puzzles=own,
    )  # fmt: skip
    with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}", "tablet")
        page.locator("[data-game=triune]").tap()
        page.get_by_role("button", name="Today’s puzzle").tap()
        expect(page.locator(".puzzle")).to_contain_text("Blue: find the best turn.")
        wait_until(page, lambda: understood(table, runtime), "the board on the table")
        hands = MouseHands(page, runtime)
        hands.drag("c7", "c6")
        verdict = page.locator(".verdict")
        expect(verdict).to_contain_text("This is not the turn that is looked for")
        verdict.get_by_role("button", name="Put it right for me").tap()
        expect(verdict).to_have_count(0)
        page.get_by_role("button", name="Hint").tap()
        expect(page.locator(".advice")).to_contain_text("It begins on b7.")
        page.get_by_role("button", name="Show how to go on").tap()
        expect(page.locator(".advice")).to_contain_text("b7-b6")
        hands.drag("b7", "b6")
        expect(page.locator(".puzzle")).to_contain_text("Solved!")
        expect(page.locator("#turn")).to_contain_text("Solved")
        page.get_by_role("button", name="Another game or puzzle").tap()
        page.locator("[data-game=triune]").tap()
        expect(page.locator(".puzzles")).to_contain_text("solved ✓")
        leave(page)
