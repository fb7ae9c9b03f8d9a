"""The page in a real browser, by touch: choosing a game, playing, refusals, the end, reloading, the dark."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from web_clients import Hand, serving
from web_hands import wait_until
from web_pages import SIZES, enter_pin, expect, leave, resize, tap, tap_at, turn_speech_on, visit

from companion.games.text import read_game
from companion.table.messages import CloseGame, Deed, NewGame, Propose, SightingArrived, Submit, TakeBack
from companion.table.table import Table
from tests.companion.sensor import Sensor
from web import Services, Settings, create_app
from web.routes.auth import seat_link

pytestmark = pytest.mark.browser

MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"


def test_a_newcomer_chooses_a_game_and_plays(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address)
    page.tap("[data-game=triune]")
    page.fill("input[type=text] >> nth=0", "Ann")
    page.tap("text=Start the game")
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    expect(page.locator("#board .piece")).to_have_count(32)
    tap(page, "a2")
    expect(page.locator("#board .mark.target")).to_have_count(2)
    tap(page, "a3")
    expect(page.locator(".turn .name")).to_have_text("Blue")
    expect(page.locator("#moves .move")).to_have_text(["a2-a3"])
    expect(page.locator("#board .mark.last")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("Ann (Red) moves a solid piece from a2 to a3.")
    tap(page, "b7")
    page.tap("#news >> text=Flip b7")
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    with page.expect_request("**/takebacks") as sent:
        page.tap("text=Undo")
    assert sent.value.post_data_json == {"count": 1, "number": 1, "plies": 2}
    expect(page.locator("#moves .move")).to_have_count(1)
    page.tap("text=Redo")
    expect(page.locator("#moves .move")).to_have_count(2)
    page.reload()
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    assert table.snapshot.session
    assert table.snapshot.session.actions == ("a2-a3", "b7~")
    leave(page)


@pytest.mark.parametrize("has_game", [False, True])
def test_the_first_page_leads_to_the_camera_the_grid_and_earlier_games(
    browser: Any, table: Table, has_game: bool
) -> None:
    """The quick start sets the camera up before a game is chosen: the links are there without one, too."""
    table.ask(NewGame("triune") if has_game else CloseGame())
    services = Services(camera_setup=object(), grid_setup=object())  # type: ignore[arg-type]
    with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}")
        if has_game:
            page.tap("text=More")
        for words in ("Set up the camera", "Set up the sensor grid", "Earlier games"):
            expect(page.get_by_role("link", name=words)).to_be_visible()
        leave(page)


def test_a_tap_where_a_piece_may_not_go_names_the_rule(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    board = page.evaluate("fetch('/api/v1/board').then((answer) => answer.json())")
    tap(page, "a2")
    tap_at(page, board, "a5")
    expect(page.locator(".verdict")).to_contain_text("TR-3")
    expect(page.locator(".verdict")).to_contain_text("exactly one square")
    expect(page.locator("#board .mark.broken")).to_have_count(2)
    page.tap("text=Close")
    expect(page.locator(".verdict")).to_have_count(0)
    leave(page)


def test_a_clock_runs_for_the_player_who_owes_the_action(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address)
    page.tap("[data-game=triune]")
    page.tap("text=10 min + 5 s")
    page.tap("text=Start the game")
    expect(page.locator(".clock b")).to_have_text(["10:00", "10:00"])
    tap(page, "a2")
    tap(page, "a3")
    expect(page.locator(".clock.runs .label")).to_have_text("Blue")
    expect(page.locator(".clock.runs b")).not_to_have_text("10:00")
    leave(page)


def test_undo_and_the_clock_mean_the_action_that_is_shown(browser: Any, address: str, table: Table) -> None:
    """Within a turn of many actions the buttons stay as they were drawn."""
    opening = "h7 h3 g10 e3 h9 f4 d10 e6 c3 j6 h5 d8"
    assert table.ask(NewGame(f"ternion_factor {opening}", {"clock": "10:00"})).ok
    page = visit(browser, address, "tablet")
    for action in ("h9-h10", "e6-e5", "e3-d3"):
        assert table.ask(Submit(action, "black", "tablet")).ok
        expect(page.locator("#moves .move >> nth=-1")).to_have_text(action)
    # A second tap is not for the next player, whose button comes under the finger.
    expect(page.locator("#tools .arriving")).to_have_text("End the turn")
    for left in (14, 13):
        page.tap("text=Undo")
        expect(page.locator("#moves .move")).to_have_count(left)
    page.tap("text=Redo")
    expect(page.locator("#moves .move")).to_have_count(14)
    with page.expect_response("**/turn-ends") as pressed:
        page.tap(".clock.runs")
    assert pressed.value.ok
    leave(page)


def test_what_arrives_late_moves_nothing_that_can_be_tapped(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address)
    page.wait_for_selector("[data-game=triune]")
    page.evaluate("document.fonts.ready")
    cards = "[...document.querySelectorAll('.game')].map((game) => game.getBoundingClientRect().top)"
    before = page.evaluate(cards)
    assert table.ask(Propose("triune", {"red": "Ann", "blue": "Bo", "pairing": "3-7"})).ok
    expect(page.locator(".proposed h2")).to_have_text("Ann – Bo")
    assert page.evaluate(cards) == before
    # What comes over the cards lets them be touched while it comes.
    touched = """() => {
        const card = document.querySelector('.proposed'), { x, y, height } = card.getBoundingClientRect();
        card.classList.remove('arriving');
        const touched = () => document.elementFromPoint(x + 20, y + height / 2).closest('.proposed, .game');
        if (touched() !== card) return 'nothing came';
        card.classList.add('arriving');
        return touched().className;
    }"""
    assert page.evaluate(touched) == "game"

    held: list[Any] = []
    page.route("**/api/v1/puzzles/*", lambda route: held.append(route))
    page.tap("[data-game=triune]")
    wait_until(page, lambda: bool(held), "the question for puzzles")
    page.evaluate("document.fonts.ready")
    places = """[...document.querySelectorAll("#setup button, #setup input, #setup select")]
        .filter((field) => !field.closest(".puzzles"))
        .map((field) => [field.name || field.textContent, field.getBoundingClientRect().top])"""
    before = page.evaluate(places)
    assert len(before) > 10
    held[0].continue_()
    expect(page.locator(".puzzles button")).to_be_attached()
    assert page.evaluate(places) == before
    leave(page)


def test_a_clock_of_the_players_own_and_the_arbiters_changes(
    browser: Any, address: str, table: Table
) -> None:
    page = visit(browser, address)
    page.tap("[data-game=triune]")
    page.tap("text=Other…")
    page.locator(".own-clock select").select_option("x")
    page.check("text=Each player has a time of their own")
    page.fill("[name=own-minutes-red]", "5")
    page.fill("[name=own-minutes-blue]", "0:30")
    page.fill("[name=own-seconds-blue]", "20")
    page.check("text=More time after some turns")
    page.fill("[name=own-turns]", "25")
    page.tap("text=Start the game")
    expect(page.locator(".clock b")).to_have_text(["5:00", "0:30"])
    expect(page.locator(".clock .periods")).to_have_text(["3 × 10 s", "3 × 20 s"])
    assert table.snapshot.head["clock"] == "red=25/5:00,30:00+3x10 blue=25/0:30,30:00+3x20"
    page.tap("text=More")
    page.tap("#sheet >> text=Clock")
    red = page.locator(".clock-tools", has_text="Red")
    red.locator("text=+1 min").tap()
    expect(red.locator("b")).to_have_text("6:00")
    red.locator("input").fill("2:99")
    red.locator("text=Set").tap()
    expect(page.locator("#sheet .wrong")).to_contain_text("5 or 5:30")
    red.locator("input").fill("2:30")
    red.locator("select").select_option("1")
    red.locator("text=Set").tap()
    expect(page.locator(".clock b")).to_have_text(["2:10", "0:30"])
    expect(page.locator("#sheet .wrong")).to_have_count(0)
    page.tap("text=Keep the clock stopped")
    expect(page.locator(".news")).to_contain_text("The arbiter has stopped the clock.")
    expect(page.locator(".clock.paused")).to_have_count(2)
    page.tap("text=Let the clock go on")
    expect(page.locator(".clock.paused")).to_have_count(0)
    leave(page)


def test_a_flag_that_falls_is_shown_large(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3 b7~", {"clock": "0:01", "red": "Ann"})).ok
    page = visit(browser, address)
    expect(page.locator(".clock.fallen .label")).to_have_text("Ann (Red)")
    expect(page.locator(".clock.fallen b")).to_have_text("0:00.0")
    expect(page.locator(".turn .name")).to_have_text("Blue wins")
    leave(page)


def test_what_happens_elsewhere_appears_by_itself(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame(f"chess {MATE}", {"white": "Cora"})).ok
    page = visit(browser, address, "tablet")
    expect(page.locator("#moves .move")).to_have_count(6)
    assert table.ask(Submit("h5f7", "white", "camera:0")).ok
    expect(page.locator(".turn .name")).to_have_text("Cora (White) wins")
    expect(page.locator(".turn .prompt")).to_have_text("Checkmate")
    expect(page).to_have_title("Cora (White) wins: checkmate.")
    assert table.ask(TakeBack()).ok
    expect(page.locator(".turn .name")).to_have_text("Cora (White)")
    leave(page)


def test_a_promotion_is_asked_when_it_is_tapped(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("chess e2e4 d7d5 e4d5 g8f6 d5d6 f6g8 d6c7 g8f6")).ok
    page = visit(browser, address, "phone")
    tap(page, "c7")
    tap(page, "d8")
    expect(page.locator(".choose .button")).to_have_count(4)
    page.locator(".choose .button").nth(0).tap()
    expect(page.locator("#moves .move")).to_have_count(9)
    assert table.snapshot.session
    assert table.snapshot.session.actions[-1].startswith("c7d8")
    leave(page)


def test_resigning_is_asked_twice_and_a_new_game_follows(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap("text=Red resigns")
    page.tap("text=No, go on")
    expect(page.locator(".turn .name")).to_have_text("Red")
    page.tap("text=More")
    page.tap("text=Red resigns")
    page.tap("#sheet >> text=Resign >> nth=-1")
    expect(page.locator(".turn .name")).to_have_text("Blue wins")
    page.tap("text=New game")
    page.tap("[data-game=chess]")
    page.tap("text=Start the game")
    expect(page.locator(".turn .name")).to_have_text("White")
    expect(page.locator("#board .piece")).to_have_count(32)
    leave(page)


def test_a_draw_is_offered_and_agreed(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap("text=Red offers a draw")
    page.tap("text=Accept draw")
    expect(page.locator(".turn .name")).to_have_text("Draw")
    leave(page)


def test_the_arbiter_corrects_and_hears_why_not(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address, "tablet")
    page.tap("text=More")
    page.tap("text=Correct the position")
    page.tap("text=Clear")
    page.tap("[aria-label='Marked red piece']")
    tap(page, "d4")
    tap(page, "e4")
    page.tap("text=Done")
    expect(page.locator(".correct .why")).to_contain_text("1 to 16 pieces")
    page.tap("[aria-label='Blue triune']")
    tap(page, "d7")
    tap(page, "e8")
    page.tap("text=Blue to play")
    page.tap("text=Done")
    expect(page.locator(".turn .name")).to_have_text("Blue")
    expect(page.locator("#board .piece")).to_have_count(4)
    expect(page.locator(".correct")).to_have_count(0)
    leave(page, faults=1)  # the browser reports the refused correction's 409


def correcting(browser: Any, address: str, table: Table) -> Any:
    """A page on which two pieces are left of a game of Triune, and nobody has said that it is done."""
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address, "tablet")
    page.tap("text=More")
    page.tap("text=Correct the position")
    page.tap("text=Clear")
    for look, place in (("Marked red piece", "d4"), ("Blue triune", "d7")):
        page.tap(f"[aria-label='{look}']")
        tap(page, place)
    return page


@pytest.mark.parametrize("game", ["triune", pytest.param("magnet values=declared", marks=pytest.mark.soak)])
def test_a_correction_is_at_hand_on_every_screen_and_leaves_the_table_shown(
    browser: Any, playground: str, table: Table, game: str
) -> None:
    assert table.ask(NewGame(game)).ok
    page = visit(browser, playground)
    expect(page.locator("#tabletop canvas")).to_be_visible()
    page.tap("text=More")
    page.tap("text=Correct the position")
    for size in SIZES:
        resize(page, size)
        done, side = (page.locator(what).bounding_box() for what in (".correct .row", "#side"))
        assert done["y"] + done["height"] <= side["y"] + side["height"], size
        assert page.locator("#side").evaluate("side => getComputedStyle(side).maskImage") == "none"
    page.tap(".correct >> text=Cancel")
    expect(page.locator("#tabletop canvas")).to_be_visible()
    leave(page)


@pytest.mark.parametrize(("text", "pieces"), [("triune a2-a3", 32), ("", 0)])
def test_a_correction_ends_with_its_game(
    browser: Any, address: str, table: Table, text: str, pieces: int
) -> None:
    page = correcting(browser, address, table)
    assert table.ask(NewGame(text) if text else CloseGame()).ok
    expect(page.locator("#toast")).to_have_text("This game is no longer on: the correction was left.")
    expect(page.locator(".correct")).to_have_count(0)
    expect(page.locator("#board .piece:visible")).to_have_count(pieces)
    leave(page)


def test_a_move_that_was_made_meanwhile_is_not_corrected_away(
    browser: Any, address: str, table: Table
) -> None:
    page = correcting(browser, address, table)
    assert table.ask(Submit("a2-a3")).ok
    expect(page.locator("#moves .move")).to_have_count(1)
    page.tap("text=Done")
    expect(page.locator(".correct .why")).to_contain_text("The game went on meanwhile")
    page.tap("text=Cancel")
    expect(page.locator("#board .piece")).to_have_count(32)
    expect(page.locator(".correct")).to_have_count(0)
    assert table.snapshot.session
    assert table.snapshot.session.actions == ("a2-a3",)
    leave(page, faults=1)  # the browser reports the refused correction's 409


def test_a_correction_that_came_late_is_made_once_that_was_told(
    browser: Any, address: str, table: Table
) -> None:
    page = correcting(browser, address, table)
    assert table.ask(Submit("a2-a3")).ok
    expect(page.locator("#moves .move")).to_have_count(1)
    page.tap("text=Done")
    expect(page.locator(".correct .why")).to_be_in_viewport()
    tap(page, "e8")
    expect(page.locator(".correct .why")).to_have_count(0)
    page.tap("[aria-label='Marked red piece']")
    tap(page, "e4")
    page.tap("text=Done")
    expect(page.locator(".correct")).to_have_count(0)
    expect(page.locator("#board .piece")).to_have_count(4)
    leave(page, faults=1)  # the browser reports the refused correction's 409


@pytest.mark.parametrize(("item", "act"), [("Clock", "Keep the clock stopped"), ("Who plays?", "Done")])
def test_a_dialog_whose_act_is_refused_says_why(
    browser: Any, address: str, table: Table, item: str, act: str
) -> None:
    assert table.ask(NewGame("triune", {"clock": "10:00"})).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap(f"#sheet >> text={item}")
    assert table.ask(NewGame("triune", {"clock": "10:00"})).ok
    page.tap(f"#sheet >> text={act}")
    expect(page.locator("#sheet .wrong")).to_contain_text("Another game is on")
    leave(page, faults=1)  # the browser reports the refusal's 409


def test_the_board_turns_round_and_taps_follow(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    before = page.locator('#board .hit[data-place="a2"]').bounding_box()
    page.tap("text=More")
    page.tap("text=Turn the board round")
    after = page.locator('#board .hit[data-place="a2"]').bounding_box()
    assert after["y"] < before["y"]
    tap(page, "a2")
    tap(page, "b3")
    expect(page.locator("#moves .move")).to_have_text(["a2-b3"])
    leave(page)


def test_a_display_says_when_it_is_cut_off_and_comes_back(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    assert table.ask(SightingArrived(Sensor(read_game("triune")).sight())).ok
    page = visit(browser, address)
    expect(page.locator(".turn .name")).to_have_text("Red")
    expect(page.locator("#sources")).to_contain_text("sees the board")
    page.route("**/api/v1/events", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")  # opens the stream anew, in vain
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#sources .unknown")).to_contain_text("not known now")
    assert table.ask(Submit("a2-a3")).ok
    page.unroute("**/api/v1/events")
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#sources")).to_contain_text("sees the board")
    expect(page.locator(".turn .name")).to_have_text("Blue")
    page.context.close()


def test_the_board_can_be_played_by_keyboard_and_read_in_words(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    piece, chosen = page.locator('#board .hit[data-place="c2"]'), page.locator("#board .mark.chosen")
    for drop in ("Enter", "Escape"):
        piece.press("Enter")
        expect(chosen).to_have_count(1)
        expect(piece).to_be_focused()
        page.keyboard.press(drop)
        expect(chosen).to_have_count(0)
    piece.press("Enter")
    page.locator('#board .hit[data-place="c3"]').press("Enter")
    expect(page.locator("#moves .move")).to_have_text(["c2-c3"])
    page.tap("text=More")
    page.tap("text=The board in words")
    expect(page.locator("#sheet dd").first).to_contain_text("a7")
    leave(page)


def test_a_button_keeps_the_focus_while_it_is_there(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3 b7~")).ok
    page = visit(browser, address)
    undo = page.get_by_role("button", name="Undo")
    undo.press("Enter")
    expect(page.locator("#moves .move")).to_have_count(1)
    expect(undo).to_be_focused()
    page.tap("text=More")
    page.tap("text=Correct the position")
    swatch = page.get_by_role("button", name="Marked red piece")
    swatch.press("Enter")
    expect(swatch).to_have_attribute("aria-pressed", "true")
    expect(swatch).to_be_focused()
    leave(page)


def test_a_game_is_replayed_from_the_records(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3 b7~", {"red": "Ann"})).ok
    page = visit(browser, f"{address}/records")
    page.fill("#search", "ann")
    page.tap("text=Ann (Red)")
    expect(page.locator("#replay .piece[data-place=a3]")).to_have_count(1)
    page.tap("[aria-label='To the start']")
    expect(page.locator("#replay .piece[data-place=a2]")).to_have_count(1)
    page.tap("[aria-label='One step on']")
    expect(page.locator("#replay .said")).to_contain_text("Red moves")
    leave(page)


def test_the_list_of_games_is_filtered_and_pictured(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("chess f2f3 e7e5 g2g4 d8h4")).ok
    assert table.ask(NewGame("magnet setup=random")).ok
    assert table.ask(NewGame("triune a2-a3")).ok
    page = visit(browser, f"{address}/records", "tablet")
    expect(page.locator("#list a")).to_have_count(3)
    expect(page.locator("#list img")).to_have_count(2)  # Magnet shows nothing while it is on
    page.select_option("#ended", "won")
    expect(page.locator("#list a")).to_have_count(1)
    page.select_option("#game", "triune")
    expect(page.locator("#list")).to_contain_text("No game is like this.")
    page.select_option("#ended", "")
    expect(page.locator("#list a")).to_contain_text(["Triune"])
    page.wait_for_function(
        "() => [...document.querySelectorAll('#list img')].every((img) => img.naturalWidth > 0)"
    )
    leave(page)


def test_a_game_is_added_searched_for_and_gone_on_with(
    browser: Any, address: str, table: Table, tmp_path: Path
) -> None:
    for _ in range(51):
        assert table.ask(NewGame("queens")).ok
    page = visit(browser, f"{address}/records", "phone")
    expect(page.locator("#list a")).to_have_count(50)
    page.tap("text=Show more")
    expect(page.locator("#list a")).to_have_count(51)
    bad, good = tmp_path / "bad.txt", tmp_path / "good.pgn"
    bad.write_text("triune a2-a9")
    good.write_text('[White "Zoë"]\n\n1. e4 e5 *')
    page.set_input_files("#file", bad)
    expect(page.locator("#list [role=alert]")).to_contain_text("bad.txt: Step 1: 'a2-a9' is not allowed")
    page.set_input_files("#file", good)
    expect(page.locator("#replay h1")).to_have_text("Chess: Zoë")
    page.tap('#replay >> text="Games"')
    page.fill("#search", "zoë")
    expect(page.locator("#list a")).to_have_count(1)
    page.tap("#list a")
    page.tap("text=More…")
    page.tap("text=Go on with it at the table")
    expect(page.locator(".turn .name")).to_have_text("Zoë (White)")
    expect(page.locator("#moves .move")).to_have_count(2)
    page.context.close()


def test_fingers_reach_the_virtual_table_in_pixels_of_the_picture(browser: Any, table: Table) -> None:
    import numpy as np

    class Shot:
        image = np.full((240, 320, 3), 90, np.uint8)

    hand, shot = Hand(), Shot()
    assert table.ask(NewGame("triune")).ok
    app = create_app(
        table, Settings(port=0, streams=8), Services(virtual_table=hand, newest_frame=lambda camera: shot)
    )
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}")
        expect(page.locator(".picture")).to_have_js_property("width", 320)
        box = page.locator(".picture").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        with page.expect_response(lambda answer: '"up"' in (answer.request.post_data or "")):
            page.mouse.up()
        page.tap("text=Diagram")
        expect(page.locator("#board")).to_be_visible()
        leave(page)
    kinds = [kind for kind, *_ in hand.done]
    assert kinds[0] == "press"
    assert kinds[-1] == "drop"
    assert hand.done[0][1:] == pytest.approx((80, 120), abs=2)
    assert hand.done[-1][1:] == pytest.approx((160, 120), abs=2)


PAINTED = """([grey]) => {
  const pen = document.querySelector(".picture").getContext("2d");
  return pen.getImageData(9, 9, 1, 1).data[0] === grey;
}"""


def test_a_picture_that_is_drawn_is_not_sent_again(browser: Any, table: Table) -> None:
    import numpy as np

    class Shot:
        def __init__(self, grey: int) -> None:
            self.image = np.full((240, 320, 3), grey, np.uint8)

    shots = [Shot(90)]
    assert table.ask(NewGame("triune")).ok
    services = Services(virtual_table=Hand(), newest_frame=lambda camera: shots[-1])
    with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}")
        for shot in (Shot(160), Shot(220)):
            with page.expect_response(lambda answer: answer.status == 304):
                pass
            shots.append(shot)
            page.wait_for_function(PAINTED, arg=[int(shot.image[0, 0, 0])])
        leave(page)


def test_a_phone_takes_a_seat_and_plays_for_it_alone(browser: Any, table: Table) -> None:
    assert table.ask(NewGame("triune", {"red": "Ann"})).ok
    app = create_app(table, Settings(host="0.0.0.0", port=0, streams=8, pin="4711"))
    with serving(app) as (host, port):
        display = visit(browser, f"http://{host}:{port}", "tablet")
        expect(display.locator("text=Undo")).to_have_count(0)
        display.tap("text=More")
        enter_pin(display)
        display.tap("text=More")
        display.tap("text=Join with a phone")
        expect(display.locator(".seats figcaption")).to_contain_text(["Watch", "Ann", "Blue"])
        for code in display.locator(".seats img").all():
            expect(code).not_to_have_js_property("naturalWidth", 0)
        for address in display.locator(".seats a").all():
            expect(address).not_to_have_attribute("href", re.compile("localhost|127[.]0[.]0"))
        with app.test_request_context(base_url=f"http://{host}:{port}"):
            link = seat_link("red").partition("/seat")[2]
        phone = visit(browser, f"http://{host}:{port}/seat{link}", "phone")
        phone.tap("#take")
        tap(phone, "a2")
        tap(phone, "a3")
        expect(phone.locator(".turn .name")).to_have_text("Blue")
        expect(phone.locator("#board .hit")).to_have_count(0)
        expect(display.locator("#moves .move")).to_have_count(1)
        expect(phone.locator("text=Undo")).to_be_visible()
        assert table.ask(Deed("resign", "red")).ok
        expect(phone.locator(".turn .name")).to_have_text("Blue wins")
        expect(phone.locator("text=Undo")).to_have_count(0)
        display.tap("text=Close")
        display.tap("text=Undo")
        expect(phone.locator("text=Undo")).to_be_visible()
        assert table.ask(Submit("b7~", "blue")).ok
        expect(phone.locator("#moves .move")).to_have_count(2)
        expect(phone.locator("text=Undo")).to_have_count(0)
        leave(phone)
        leave(display)


def test_a_seat_s_page_is_that_of_its_player(browser: Any, table: Table) -> None:
    assert table.ask(NewGame("triune", {"blue": "Bo"})).ok
    app = create_app(table, Settings(port=0, streams=8, pin="4711"))
    with serving(app) as (host, port):
        with app.test_request_context(base_url=f"http://{host}:{port}"):
            link = seat_link("blue")
        phone = visit(browser, link, "phone")
        phone.tap("#take")
        expect(phone.locator(".turn .holder")).to_have_text("You are Bo (Blue). Please wait.")
        places = [phone.locator(f'#board [data-place="{place}"]').first for place in ("a8", "a1")]
        own, other = (place.bounding_box() for place in places)
        assert own["y"] > other["y"], "the own pieces stand below"
        assert table.ask(Submit("a2-a3", "red")).ok
        expect(phone.locator(".turn .holder")).to_have_text("You are Bo (Blue). Your move.")
        assert table.ask(Deed("offer", "blue")).ok
        expect(phone.locator(".question h2")).to_contain_text("offers a draw")
        assert table.ask(Deed("decline", "red")).ok
        expect(phone.locator("#news")).to_contain_text("The offer of a draw was declined.")
        phone.locator("#news").get_by_role("button", name="Close").tap()
        expect(phone.locator("#news")).not_to_contain_text("declined")
        assert table.ask(NewGame("triune")).ok
        expect(phone.locator("#news")).to_contain_text("Your seat was for the game before.")
        phone.goto(link)
        phone.tap("#take")
        expect(phone.locator("#words")).to_contain_text("This link belongs to an earlier game")
        leave(phone, faults=1)


def test_a_page_for_this_machine_alone_says_how_phones_get_in(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap("text=Join with a phone")
    expect(page.locator("#sheet code")).to_have_text("./run --host 0.0.0.0")
    expect(page.locator("#sheet img")).to_have_count(0)
    leave(page)


def test_a_page_that_does_not_know_its_arbiter_yet_keeps_the_sheet_open(browser: Any, table: Table) -> None:
    """Whoever is quick would else open what a spectator is offered."""
    assert table.ask(NewGame("triune")).ok
    app = create_app(table, Settings(port=0, streams=8, pin="4711"))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}", "tablet")
        page.tap("text=More")
        held: list[Any] = []
        page.route("**/api/v1/session", lambda route: held.append(route))
        with page.expect_request("**/api/v1/session"):
            enter_pin(page)
        expect(page.locator("#sheet")).to_be_visible()
        held[0].continue_()
        page.tap("text=More")
        expect(page.locator("text=Correct the position")).to_be_visible()
        leave(page)


@pytest.mark.parametrize("first", ["the list", "the options"])
def test_with_no_game_on_the_pin_is_entered_where_games_are_chosen(
    browser: Any, table: Table, first: str
) -> None:
    with serving(create_app(table, Settings(port=0, streams=8, pin="4711"))) as (host, port):
        page = visit(browser, f"http://{host}:{port}", "tablet")
        start = page.get_by_role("button", name="Start the game")
        if first == "the options":
            page.tap("[data-game=trid]")
            page.tap("text=4 >> nth=-1")
            expect(page.locator("#setup")).to_contain_text("Only the arbiter starts a game.")
            expect(start).to_be_disabled()
        enter_pin(page)
        expect(page.locator("text=Enter the arbiter’s PIN")).to_have_count(0)
        if first == "the list":
            page.tap("[data-game=trid]")
        expect(page.locator("#setup .only")).to_have_count(0)
        start.tap()
        expect(page.locator(".turn .name")).to_have_text("Black")
        leave(page)


def test_options_are_chosen_by_keys_and_keep_the_focus(browser: Any, address: str) -> None:
    page = visit(browser, address, "tablet")
    page.tap("[data-game=trid]")
    page.fill("input[placeholder=Name] >> nth=0", "Ann")
    page.focus("input[name=players]:checked")
    for key, chosen in (("ArrowRight", 3), ("ArrowRight", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(page.locator("input[name=players]:focus")).to_have_value(str(chosen))
        expect(page.locator("#players input")).to_have_count(chosen)
    leave(page)


def test_a_name_goes_with_its_seat(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address, "tablet")
    page.tap("[data-game=trid]")
    page.check("input[name=players][value='4']", force=True)
    for n, name in enumerate(("Ann", "Ben", "Cleo", "Dan")):
        page.fill(f"#players input >> nth={n}", name)
    page.check("input[name=players][value='3']", force=True)
    page.tap("text=Start the game")
    expect(page.locator(".turn .name")).to_have_text("Ann (Black)")
    assert [table.snapshot.head.get(seat) for seat in ("red", "green")] == ["Cleo", None]
    leave(page)


def test_without_a_pin_nobody_is_sent_to_enter_one(browser: Any, address: str) -> None:
    page = visit(browser, address, "tablet", extra_http_headers={"Forwarded": "for=10.0.0.9"})
    page.tap("[data-game=triune]")
    expect(page.locator("#setup .only")).to_have_text("Only a browser on the machine itself starts a game.")
    expect(page.get_by_role("button", name="Start the game")).to_be_disabled()
    leave(page)


def test_what_happens_is_spoken_once_sound_is_on(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3")).ok
    page = visit(browser, address)
    page.evaluate("() => { speechSynthesis.speak = (speech) => (window.spoken ||= []).push(speech.text); }")
    turn_speech_on(page)
    assert table.ask(Submit("b7~")).ok
    expect(page.locator("#said")).to_contain_text("Blue flips")
    said = page.evaluate("window.spoken")
    assert said == ["Sound is on.", "Blue flips the piece on b7: it is now a marked piece."]
    leave(page)


def test_the_shell_opens_without_a_server_and_says_so(browser: Any, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    with serving(create_app(table, Settings(port=0, streams=8))) as (host, port):
        page = visit(browser, f"http://{host}:{port}", service_workers="allow")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        expect(page.locator(".turn .name")).to_have_text("Red")
        kept = page.evaluate("caches.open('shell-1').then((c) => c.keys()).then((k) => k.map((r) => r.url))")
        assert not [url for url in kept if "/api/" in url]
        page.context.set_offline(True)
        page.reload()
        expect(page.locator("#lost")).to_be_visible()
        page.context.set_offline(False)
        expect(page.locator(".turn .name")).to_have_text("Red")
        page.context.close()


@pytest.mark.parametrize(("path", "button"), [("/phone", "#start"), ("/seat#token", "#take")])
def test_a_button_waits_for_its_script(browser: Any, address: str, path: str, button: str) -> None:
    """A tap before would be lost: a phone that has just opened the page is slow."""
    page = visit(browser, "about:blank")
    held: list[Any] = []
    script = f"**{path.partition('#')[0]}/main.js*"
    page.route(script, lambda route: held.append(route))
    page.goto(f"{address}{path}", wait_until="commit")
    wait_until(page, lambda: bool(held), "asked for")
    expect(page.locator(button)).to_be_disabled()
    held[0].continue_()
    expect(page.locator(button)).to_be_enabled()
    leave(page)


OVERFLOW = """() => {
  const parts = [...document.querySelectorAll('.stage *')].filter((e) => !e.closest('svg'));
  const wide = parts.filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width && (box.right > innerWidth + 1 || box.left < -1);
  });
  const shown = (e) => getComputedStyle(e);
  const root = document.documentElement;
  return {
    scrolls: root.scrollWidth > innerWidth || root.scrollHeight > innerHeight,
    wide: wide.map((e) => e.className),
    name: parseFloat(shown(document.querySelector('.turn .name')).fontSize),
    small: Math.min(...[...document.querySelectorAll('.tools .button')].map((e) => e.offsetHeight)),
    ink: shown(document.body).color, page: shown(root).backgroundColor,
  };
}"""
"""What is too wide or too high for the window, how large words and buttons are, and the page's colours."""


def test_nothing_overflows_and_words_can_be_read(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("teleporters c1-c2", {"south": "Magdalena Kowalska-Nowak"})).ok
    page = visit(browser, address)
    expect(page.locator("#moves .move")).to_have_count(1)
    for size, scheme in product(SIZES, ("light", "dark")):
        page.emulate_media(color_scheme=scheme)
        resize(page, size)
        found = page.evaluate(OVERFLOW)
        assert not found["scrolls"], size
        assert found["wide"] == [], size
        assert found["name"] >= 25, size
        assert found["small"] >= 43, size
        assert (sum(int(v) for v in found["page"][4:-1].split(",")) > 384) is (scheme == "light")
    leave(page)


def test_the_board_keeps_half_of_a_small_screen_whatever_the_size_of_words(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("triune a2-a3")).ok
    page = visit(browser, address)
    expect(page.locator("#moves .move")).to_have_count(1)
    for size in SIZES:
        resize(page, size)
        page.evaluate("document.documentElement.style.fontSize = '220%'")
        found = page.evaluate(OVERFLOW)
        assert not found["scrolls"], size
        assert found["wide"] == [], size
        board = page.locator("#board svg").bounding_box()
        assert board["width"] > 0.4 * min(page.viewport_size.values()), size
    leave(page)


def test_a_puzzle_says_whether_it_can_be_solved_and_how(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("queens +a1 +b5 +c8 +d6 +f3")).ok
    page = visit(browser, address)
    page.tap("text=Hint")
    expect(page.locator(".advice")).to_contain_text("This can no longer be solved")
    expect(page.locator(".advice")).not_to_contain_text("Take away")
    page.tap("text=Show how to go on")
    expect(page.locator(".advice")).to_contain_text("take away the Pole on")
    expect(page.locator("#board .mark.guide")).to_have_count(1)
    page.tap("text=Do it")
    expect(page.locator("#moves .move")).to_have_count(6)
    expect(page.locator(".advice")).to_have_count(0)
    page.tap("text=Hint")
    expect(page.locator(".advice")).to_contain_text("It can still be solved")
    leave(page)
