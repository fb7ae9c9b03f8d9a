"""How to play, on the page: by the API, on a page of its own, in a sheet over a game, and on paper."""

from __future__ import annotations

from typing import Any

import pytest
from web_clients import Client
from web_pages import expect, leave, tap, tap_at, visit

from companion import games
from companion.table.messages import NewGame, Submit
from companion.table.table import Table


def begin_triune(table: Table) -> None:
    assert table.ask(NewGame("triune", {"red": "Ann", "blue": "Ben"})).ok


@pytest.mark.parametrize("game", tuple(games.GAMES))
def test_a_tutorial_can_be_drawn_on_the_boards_that_it_names(home: Client, game: str) -> None:
    told = home.get(f"/api/v1/tutorials/{game}").get_json()
    assert told["goal"]
    boards = {topic["board"] for topic in told["topics"]} | {told["board"]}
    known = {board: home.get(f"/api/v1/{board}").get_json() for board in boards}
    for topic in told["topics"]:
        board = known[topic["board"]]
        for frame in topic["frames"]:
            assert {place for place in frame["pieces"] if "-" not in place} <= set(board["places"])
            looks = set(frame["pieces"].values())
            assert {look for look in looks if "+" not in look} <= set(board["symbols"])
    for entry in told["legend"]:
        board = known[told["board"]]
        shown = entry["at"] in board["places"] or entry["look"].partition("+")[0] in ("", *board["symbols"])
        assert shown, entry


def test_options_leave_out_what_is_for_others(home: Client) -> None:
    def names(query: str) -> set[str]:
        told = home.get(f"/api/v1/tutorials/draughts{query}").get_json()
        return {topic["name"] for topic in told["topics"]}

    english, international = names("?variant=english"), names("?variant=international&fen=")
    assert "majority" in international - english
    assert "man" in english - international
    assert names("") == english | international


def test_there_is_none_for_a_game_that_is_not(home: Client) -> None:
    assert home.get("/api/v1/tutorials/go").status_code == 404
    assert home.get("/how-to-play/go").status_code == 404
    assert home.get("/how-to-play/magnet").status_code == 200


def test_the_page_and_the_state_say_that_a_game_can_be_learned(home: Client) -> None:
    assert all(offer["tutorial"] for offer in home.get("/api/v1/games").get_json())
    assert home.get("/api/v1/state").get_json()["game"]["tutorial"] is True


@pytest.mark.browser
def test_a_topic_goes_step_by_step(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, f"{address}/how-to-play/triune", "tablet", reduced_motion="no-preference")
    topic = page.locator("[data-topic=solid]")
    expect(topic.locator(".caption")).to_contain_text("It is Red's turn")
    topic.get_by_label("One step on").click()
    expect(topic.locator(".caption")).to_contain_text("exactly one square")
    expect(topic.locator('.piece[data-place="d4"]')).to_have_count(1)
    expect(topic.locator('.piece[data-place="c3"]')).to_have_count(0)
    topic.get_by_label("One step on").click()
    topic.get_by_label("One step on").click()
    expect(topic.locator(".wrong .caption")).to_contain_text("Not like this")
    expect(topic.locator(".arrow.refused")).to_have_count(1)
    expect(topic.get_by_label("One step on")).to_be_disabled()
    leave(page)


@pytest.mark.browser
def test_only_one_topic_plays_at_a_time(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, f"{address}/how-to-play/triune", "tablet", reduced_motion="no-preference")
    first, second = page.locator("[data-topic=solid]"), page.locator("[data-topic=flip]")
    first.get_by_text("Play", exact=True).click()
    expect(first.get_by_text("Pause")).to_be_visible()
    second.get_by_text("Play", exact=True).click()
    expect(second.get_by_text("Pause")).to_be_visible()
    expect(first.get_by_text("Play", exact=True)).to_be_visible()
    leave(page)


@pytest.mark.browser
def test_who_wants_nothing_to_move_gets_steps_alone(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, f"{address}/how-to-play/trid", "phone", reduced_motion="reduce")
    topic = page.locator("[data-topic=glider]")
    expect(topic.locator(".caption")).to_be_visible()
    expect(page.get_by_text("Play", exact=True)).to_have_count(0)
    page.get_by_text("All steps side by side").click()
    expect(topic.locator(".strip figure")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    leave(page)


@pytest.mark.browser
def test_on_paper_all_steps_stand_side_by_side(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, f"{address}/how-to-play/rooks", "tablet")
    expect(page.locator(".topic")).to_have_count(3)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator("[data-topic=put] .strip figure").first).to_be_visible()
    for hidden in (".keys", ".modes", "main > header .button"):
        expect(page.locator(hidden).first).to_be_hidden()
    leave(page)


@pytest.mark.browser
def test_a_number_of_a_rule_leads_to_where_it_is_taught(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, f"{address}/how-to-play/magnet#MG-9", "7 inch")
    expect(page.locator(".topic.revealed .caption")).to_contain_text("the king's rank is always 1")
    expect(page.locator(".topic.revealed")).to_be_in_viewport()
    page.locator(".topic.revealed").get_by_text("MG-9").click()
    expect(page.locator("[data-rule=MG-9].revealed")).to_be_in_viewport()
    leave(page)


@pytest.mark.browser
def test_a_game_is_learned_before_it_is_chosen(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address, "tablet")
    page.get_by_label("How to play: Magnet").click()
    expect(page.locator("h1")).to_have_text("How to play Magnet")
    page.get_by_text("Back", exact=True).click()
    expect(page.locator("[data-game=magnet]")).to_be_visible()
    leave(page)


@pytest.mark.browser
def test_a_refusal_shows_its_rule_and_the_game_stays(browser: Any, address: str, table: Table) -> None:
    begin_triune(table)
    page = visit(browser, address, "7 inch")
    tap(page, "a2")
    board = page.evaluate("fetch('/api/v1/board').then((answer) => answer.json())")
    tap_at(page, board, "a4")
    page.get_by_text("Show me this rule").click()
    expect(page.locator("#sheet h2").first).to_have_text("How to play Triune")
    expect(page.locator("#sheet .topic.revealed .caption")).to_contain_text("two squares are too far")
    page.locator("#sheet header").get_by_text("Close").click()
    expect(page.locator(".card.verdict")).to_be_visible()
    expect(page.locator('#board .piece[data-place="a2"]')).to_have_count(1)
    leave(page)


@pytest.mark.browser
def test_the_menu_leads_to_it_and_the_options_of_the_game_hold(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("draughts variant=international", {})).ok
    page = visit(browser, address, "tablet")
    page.get_by_text("More", exact=True).click()
    page.locator("#sheet").get_by_text("How to play").click()
    expect(page.locator("#sheet [data-topic=majority]")).to_have_count(1)
    expect(page.locator("#sheet [data-topic=man]")).to_have_count(0)
    leave(page)


@pytest.mark.browser
def test_a_newcomer_is_told_what_can_be_done(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address, "tablet")
    page.tap("[data-game=triune]")
    page.get_by_text("Yes: show what can be done").tap()
    page.get_by_text("Start the game").tap()
    card = page.locator(".card.help")
    expect(card.locator(".choices button")).to_have_text(["Move", "Flip"])
    expect(page.locator("#board .mark.can")).to_have_count(16)
    tap(page, "b2")
    expect(page.locator("#board .mark.target")).to_have_count(3)
    expect(page.locator("#board .mark.label")).to_have_count(0)  # all three are moves
    tap(page, "b3")
    expect(page.locator("#said")).to_contain_text("from b2 to b3")
    expect(page.locator("#turn")).to_contain_text("Blue")
    card.get_by_label("Show me: flip").tap()
    expect(page.locator("#sheet .topic.revealed")).to_have_attribute("data-topic", "flip")
    page.locator("#sheet header").get_by_text("Close").tap()
    page.reload()
    expect(card).to_be_visible()
    card.get_by_text("No more help").tap()
    expect(card).to_have_count(0)
    leave(page)


@pytest.mark.browser
def test_help_is_off_until_it_is_asked_for(browser: Any, address: str, table: Table) -> None:
    begin_triune(table)
    page = visit(browser, address, "7 inch")
    expect(page.locator("#turn")).to_contain_text("Ann")
    expect(page.locator(".card.help")).to_have_count(0)
    expect(page.locator("#board .mark.can")).to_have_count(0)
    page.get_by_text("First game?").tap()
    expect(page.locator(".card.help")).to_be_visible()
    expect(page.get_by_text("First game?")).to_have_count(0)
    leave(page)


@pytest.mark.browser
def test_a_game_is_chosen_in_peace_while_the_one_that_is_on_goes_on(
    browser: Any, address: str, table: Table
) -> None:
    begin_triune(table)
    page = visit(browser, address, "tablet")
    page.get_by_text("More", exact=True).tap()
    page.locator("#sheet").get_by_text("New game").tap()
    page.get_by_text("Choose a new game").tap()
    expect(page.locator("[data-game=magnet]")).to_be_visible()
    assert table.ask(Submit("a2-a3")).ok
    expect(page.locator("#moves")).to_contain_text("a2-a3")
    expect(page.locator("[data-game=magnet]")).to_be_visible()
    page.tap("[data-game=rooks]")
    page.get_by_text("Start the game").tap()
    expect(page.locator("#turn")).to_contain_text("Put a Teleport on the board")
    leave(page)


@pytest.mark.browser
def test_a_puzzle_states_its_goal_until_it_is_begun(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("rooks", {})).ok
    page = visit(browser, address, "7 inch")
    expect(page.locator(".card.goal")).to_contain_text("no two of them stand in one row")
    assert table.ask(Submit("+a1")).ok
    expect(page.locator(".card.goal")).to_have_count(0)
    leave(page)


@pytest.mark.browser
def test_a_newcomer_lays_a_piece_where_it_is_wanted(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("ternion_factor", {})).ok
    page = visit(browser, address, "tablet")
    page.get_by_text("First game?").tap()
    expect(page.locator(".card.help")).to_contain_text("eighteen")
    expect(page.locator(".card.help")).to_contain_text("Tap the place where you want it.")
    tap(page, "f6")
    expect(page.locator("#said")).to_contain_text("Black places a pawn on f6")
    expect(page.locator(".card.help")).not_to_contain_text("eighteen")
    leave(page)
