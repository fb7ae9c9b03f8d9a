"""What a display tells: every kind of verdict, questions, clocks, offers; and how it sleeps and wakes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from web_clients import serving
from web_pages import SIZES, expect, leave, resize, tap_at, turn_speech_on, visit

from companion.core.game import Breach
from companion.games.text import read_game
from companion.record.session import Entry, begin
from companion.referee.verdict.guide import GuideStep
from companion.table.messages import (
    Answer,
    Believe,
    Meant,
    NewGame,
    Reply,
    SightingArrived,
    Submit,
    TurnBoard,
)
from companion.table.snapshot import Question, Snapshot, Verdict
from companion.table.table import Table
from tests.companion.sensor import Sensor
from web import Settings, create_app

pytestmark = pytest.mark.browser


@dataclass
class Still:
    """A table that shows one snapshot after another, when a test says so."""

    snapshot: Snapshot
    heard: list[Meant] = field(default_factory=list)
    is_open: bool = True
    _listeners: list[Callable[[Snapshot], None]] = field(default_factory=list)

    def show(self, **changes: Any) -> None:
        self.snapshot = replace(self.snapshot, id=self.snapshot.id + 1, **changes)
        for listener in self._listeners:
            listener(self.snapshot)

    def listen(self, listener: Callable[[Snapshot], None]) -> None:
        self._listeners.append(listener)

    def ask(self, message: Meant, timeout: float = 1.0) -> Reply:
        self.heard.append(message)
        return Reply(True)


@pytest.fixture
def still() -> Iterator[tuple[Still, str]]:
    table = Still(Snapshot(1, begin(read_game("triune")), 1))
    with serving(create_app(table, Settings(port=0, streams=8))) as (host, port):
        yield table, f"http://{host}:{port}"


VERDICTS = {
    "refused": (Verdict("refused", "", "a2-a5", (Breach("TR-3", ("a2", "a5")),)),
                "Not allowed", "exactly one"),
    "turn": (Verdict("turn", "It is Red's turn: flip or move.", "b7-b6",
                     (Breach("GEN-2", words="It is Red's turn: flip or move."),)),
             "Not yet", "It is Red's turn: flip or move."),
    "unfinished": (Verdict("unfinished", "Red's turn is not finished: one more move.", "b7-b6"),
                   "Not yet", "one more move"),
    "restore": (Verdict("restore", "Put the board as the game has it.",
                        steps=(GuideStep("d4", "a2", "red/solid", "Move the piece from d4 to a2."),)),
                "Put it right", "from d4 to a2"),
    "setup": (Verdict("setup", "Set the board up.",
                      steps=(GuideStep("", "a1", "red/solid", "Put a solid red piece on a1."),)),
              "Set up the board", "on a1"),
}  # fmt: skip


def test_every_kind_of_verdict_is_told_on_the_board_in_words_and_aloud(
    browser: Any, still: tuple[Still, str]
) -> None:
    table, address = still
    page = visit(browser, address)
    page.evaluate("() => { speechSynthesis.speak = (speech) => (window.spoken ||= []).push(speech.text); }")
    turn_speech_on(page)
    for kind, (verdict, title, words) in VERDICTS.items():
        table.show(verdict=verdict, seen={})
        expect(page.locator(f".verdict.{kind} h2")).to_contain_text(title)
        expect(page.locator(f".verdict.{kind}")).to_contain_text(words)
        if verdict.steps:
            expect(page.locator("#board .mark.guide")).to_have_count(1)
        assert words in page.evaluate("window.spoken.at(-1)")
    with page.expect_response("**/beliefs"):
        page.tap("text=The sensors are wrong")
    expect(page.get_by_text("We sit the other way round")).to_have_count(0)
    table.show(may_be_turned=True)
    with page.expect_response("**/board-turns"):
        page.tap("text=We sit the other way round")
    assert table.heard == [Meant(Believe(), 1, 0), Meant(TurnBoard(), 1, 0)]
    table.show(verdict=None)
    expect(page.locator(".verdict")).to_have_count(0)
    leave(page)


def test_a_new_card_comes_into_view(browser: Any, still: tuple[Still, str]) -> None:
    table, address = still
    session = begin(read_game("magnet"))
    for action in ("=K222333444tT", "=K222333444tT", "@f4", "a4"):
        session = session.apply(Entry("action", action))
    table.show(session=session)
    page = visit(browser, address)
    expect(page.locator("#moves .move")).to_have_count(len(session.plies))
    side = page.locator("#side")
    side.evaluate("side => side.scrollTop = side.scrollHeight")
    assert side.evaluate("side => side.scrollTop") > 0
    table.show(verdict=VERDICTS["refused"][0])
    expect(page.locator(".verdict h2")).to_be_in_viewport(ratio=1)
    leave(page)


def test_a_card_that_was_there_is_not_read_out_again(browser: Any, still: tuple[Still, str]) -> None:
    table, address = still
    page = visit(browser, address)
    expect(page.locator("#news")).to_have_attribute("aria-live", "polite")
    for verdict, notice, first in (
        ("refused", "", 0),
        ("refused", "Something was seen.", 1),
        ("restore", "", 0),
    ):
        table.show(verdict=VERDICTS[verdict][0], notice=notice)
        card = page.locator(f".verdict.{verdict}")
        expect(page.locator("#news > *").nth(first)).to_have_class(f"card verdict {verdict}")
        assert card.get_attribute("data-kept") == ("yes" if first else None)
        card.evaluate("card => card.dataset.kept = 'yes'")
    leave(page)


def test_in_high_contrast_it_is_seen_whose_a_thing_is_and_what_is_chosen(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("chess e2e4 e7e5", {"clock": "10:00"})).ok
    page = visit(browser, address, "tablet", forced_colors="active")
    look = "element => { const { backgroundColor, outlineStyle } = getComputedStyle(element);"
    look += " return [backgroundColor, outlineStyle]; }"
    tokens = {page.locator(".clock .token").nth(n).evaluate(look)[0] for n in (0, 1)}
    assert len(tokens) == 2
    assert page.locator(".clock.runs").evaluate(look)[1] == "solid"
    page.tap("text=More")
    page.tap("text=Correct the position")
    assert page.locator(".swatch[aria-pressed=true]").evaluate(look)[1] == "solid"
    leave(page)


def test_a_piece_that_strayed_is_shown_where_it_stands(browser: Any, still: tuple[Still, str]) -> None:
    table, address = still
    page = visit(browser, address)
    looks = dict(begin(read_game("triune")).rules.look(table.snapshot.session.position))  # type: ignore[union-attr]
    looks["d4"] = looks.pop("a2")
    table.show(verdict=VERDICTS["restore"][0], seen=looks)
    expect(page.locator("#board .piece.ghost[data-place=d4]")).to_have_count(1)
    expect(page.locator("#board .piece.ghost")).to_have_count(2)  # and where it belongs
    expect(page.locator("#board .arrow")).to_have_count(1)
    leave(page)


def test_a_question_is_answered_with_a_finger_on_the_board(browser: Any, still: tuple[Still, str]) -> None:
    table, address = still
    page = visit(browser, address)
    table.show(question=Question(4, (("a2-a3",), ("b2-b3",)), "red"))
    expect(page.locator(".question")).to_contain_text("Red: Which of these was it?")
    expect(page.locator("#board .mark.ask")).to_have_count(2)
    with page.expect_response("**/answers"):
        page.locator(".question .button").nth(1).tap()
    board = page.evaluate("fetch('/api/v1/board').then((answer) => answer.json())")
    with page.expect_response("**/answers"):
        tap_at(page, board, "a3")
    table.show(question=None)
    expect(page.locator(".question")).to_have_count(0)
    assert table.heard == [Meant(Answer(4, (action,), "red")) for action in ("b2-b3", "a2-a3")]
    leave(page)


def test_who_is_asked_on_a_shared_tablet_answers_before_it_is_passed_on(browser: Any) -> None:
    """Meanwhile it is the other's turn: the own pieces are veiled, and after the answer covered."""
    session = begin(read_game("magnet"))
    for action in ("=K222333444tT", "=K222333444tT", "@f4"):
        session = session.apply(Entry("action", action))
    table = Still(Snapshot(1, session, 1))
    with serving(create_app(table, Settings(port=0, streams=8))) as (host, port):
        page = visit(browser, f"http://{host}:{port}")
        page.tap("text=Show Red’s pieces")
        expect(page.locator("#board .piece[data-look='red/K1']")).to_have_count(1)
        after = session.apply(Entry("action", "a4"))
        table.show(session=after, question=Question(1, (("a4",), ("a4+",)), "red"))
        expect(page.locator(".question")).to_contain_text("Red: Was the piece from a4 promoted?")
        expect(page.locator("#board .piece")).to_have_count(0)
        assert "222333" not in page.locator("#moves").inner_text()
        page.tap("#news >> text=Yes, to rank 2")
        table.show(question=None)
        expect(page.locator("#news")).to_contain_text("Pass the tablet to Blue")
        expect(page.locator("#board .piece[data-look='red/1']")).to_have_count(12)
        leave(page)
    assert table.heard == [Meant(Answer(1, ("a4+",), "red"))]


def test_clocks_stand_still_while_the_board_is_put_right(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune a2-a3", {"clock": "10"})).ok
    sensor = Sensor(read_game("triune"))
    sensor.looks = {**sensor.looks, "d5": "blue/solid"}
    for _ in range(30):
        assert table.ask(SightingArrived(sensor.sight())).ok
    page = visit(browser, address)
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.locator(".clock.paused")).to_have_count(2)
    shown = page.locator(".clock.runs b").inner_text()
    page.clock.install()
    page.clock.run_for(5_000)
    assert page.locator(".clock.runs b").inner_text() == shown
    leave(page)


SPILT = """() => {
  const box = (element) => element.getBoundingClientRect();
  const side = box(document.querySelector('.side'));
  const spills = (clock) => {
    const own = box(clock);
    const parts = [...clock.children].map(box).filter(({ width }) => width);
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const apart = parts.every((part, i) => parts.slice(i + 1).every((other) => !meet(part, other)));
    const inside = parts.every(({ left, right }) => left >= own.left && right <= own.right);
    return !apart || !inside || own.right > side.right || own.bottom > side.bottom;
  };
  return [...document.querySelectorAll('.clock')].filter(spills).map((clock) => clock.innerText);
}"""


def test_every_time_stays_in_its_clock(browser: Any, address: str, table: Table) -> None:
    names = {"black": "Magdalena Kowalska-Nowak", "blue": "Ben"}
    page = visit(browser, address)
    digits = "parseFloat(getComputedStyle(document.querySelector('.clock b')).fontSize)"
    for players in (2, 3, 4):
        assert table.ask(NewGame(f"trid players={players}", {"clock": "120", **names})).ok
        expect(page.locator(".clock b")).to_have_text(["120:00"] * players)
        for size in SIZES:
            resize(page, size)
            assert page.evaluate(SPILT) == [], size
            assert page.evaluate(digits) >= 20, size
    leave(page)


LINES_OF_WORDS = """() => {
  const text = document.querySelector(".turn .name").firstChild;
  return [...text.data.matchAll(/[^\\s-]+/g)].map(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
}"""


def test_a_long_name_is_not_broken_within_a_word(browser: Any, address: str, table: Table) -> None:
    page = visit(browser, address)
    for name in ("Maximilianalexandrowna", "Johann Sebastian Bartholomäus-Hohenlohe"):
        assert table.ask(NewGame("triune", {"red": name})).ok
        expect(page.locator(".turn .name")).to_have_text(f"{name} (Red)")
        for size in ("7 inch", "phone", "tablet"):
            resize(page, size)
            assert set(page.evaluate(LINES_OF_WORDS)) == {1}, (name, size)
    leave(page)


COUNTS_IN_ONE_LINE = """() => [...document.querySelectorAll("#counts td")].map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const [first, ...rest] = [...range.getClientRects()];
  return rest.every(({ top, bottom }) => top < first.bottom && first.top < bottom);
})"""


def test_a_count_and_its_total_stand_in_one_line(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("ternion_factor players=4 pawns=6 b4 c9 h3 j9")).ok
    page = visit(browser, address)
    expect(page.locator("#counts tbody tr").first).to_contain_text("/18")
    for size in ("7 inch", "phone", "tablet"):
        resize(page, size)
        in_one_line = page.evaluate(COUNTS_IN_ONE_LINE)
        assert len(in_one_line) >= 4, size
        assert all(in_one_line), size
    leave(page)


def test_what_is_below_the_news_of_an_action_stays_where_it_is(
    browser: Any, address: str, table: Table
) -> None:
    assert table.ask(NewGame("chess e2e4", {"black": "Bartholomew"})).ok
    page = visit(browser, address, "phone")
    tops, lines = set(), set()
    for action, words in (("e7e5", "e5"), ("d2d3", "d3"), ("d7d6", "d6")):
        assert table.ask(Submit(action)).ok
        expect(page.locator("#said")).to_contain_text(words)
        said, moves = (page.locator(what).bounding_box()["y"] for what in ("#said", "#moves"))
        tops.add(moves - said)
        lines.add(len(page.locator("#said").evaluate("said => [...said.firstChild.getClientRects()]")))
    assert len(tops) == 1
    assert len(lines) > 1  # some are long, others short
    leave(page)


def test_each_player_s_name_stands_at_the_clock(browser: Any, address: str, table: Table) -> None:
    names = {"red": "Ann", "blue": "Bo"}
    assert table.ask(NewGame("triune", {**names, "clock": "10+5"})).ok
    page = visit(browser, address)
    for name in names.values():
        expect(page.locator(".clock .label", has_text=name)).to_be_visible()
    leave(page)


def test_a_draw_is_declined_and_offered_with_a_name(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune", {"red": "Bo"})).ok
    page = visit(browser, address)
    expect(page.locator(".turn .name")).to_have_text("Bo (Red)")
    assert table.ask(NewGame("triune", {"red": "Ann"})).ok
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    page.tap("text=More")  # drawn for the game before, which has the same tools
    page.tap("text=Ann (Red) offers a draw")
    expect(page.locator(".question h2")).to_have_text("Ann (Red) offers a draw.")
    page.tap("text=Decline")
    expect(page.locator(".question")).to_have_count(0)
    expect(page.locator(".turn .name")).to_have_text("Ann (Red)")
    leave(page)


TAKE = "async (seat) => (await import('/static/js/shared/api.js')).post('session/seat', { seat })"


def offering(page: Any, **offer: object) -> None:
    """The page is shown this offer of a draw from now on."""
    state = page.evaluate("fetch('/api/v1/state').then((answer) => answer.json())")
    event = f"event: state\ndata: {json.dumps({**state, 'offer': {'kind': 'draw', **offer}})}\n\n"
    page.route("**/events", lambda route: route.fulfill(body=event, content_type="text/event-stream"))
    page.evaluate("dispatchEvent(new Event('online'))")  # opens the stream anew


def test_all_who_have_not_agreed_are_asked_for_a_draw(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("trid players=3", {"blue": "Ben"})).ok
    page = visit(browser, address, "tablet")
    expect(page.locator(".turn .name")).to_have_text("Black")
    for agreed, seat, answers in (
        (None, "", ["Ben (Blue) accepts", "Ben (Blue) declines", "Red accepts", "Red declines"]),
        (["blue"], "red", ["Red accepts", "Red declines"]),
        (["blue"], "blue", []),
        ([], "black", []),
    ):
        if seat:
            page.evaluate(TAKE, seat)
            page.reload()
        offering(page, by="black", **({} if agreed is None else {"agreed": agreed}))
        expect(page.locator(".question h2")).to_have_text("Black offers a draw.")
        expect(page.locator(".question p")).to_have_text(["Agreed so far: Ben (Blue)."] if agreed else [])
        expect(page.locator(".question .button")).to_have_text(answers)
        if answers:
            with page.expect_request("**/draws/decline") as declined:
                page.locator(".question .button").last.tap()
            assert declined.value.post_data_json == {"player": "red", "number": 1, "plies": 0}
    page.context.close()


@pytest.mark.parametrize(("text", "resigning"), [("trid", 2), ("trid players=3", 0)])
def test_one_of_more_than_two_players_does_not_resign(
    browser: Any, address: str, table: Table, text: str, resigning: int
) -> None:
    assert table.ask(NewGame(text)).ok
    page = visit(browser, address)
    page.tap("text=More")
    expect(page.locator("#sheet >> text=Black offers a draw")).to_be_visible()
    expect(page.locator("#sheet >> text=resigns")).to_have_count(resigning)
    leave(page)


def test_the_arbiter_rules_the_result(browser: Any, address: str, table: Table) -> None:
    assert table.ask(NewGame("triune", {"blue": "Ben"})).ok
    page = visit(browser, address)
    page.tap("text=More")
    page.tap("text=Rule the result")
    page.tap("text=Ben (Blue) wins")
    expect(page.locator(".turn .name")).to_have_text("Ben (Blue) wins")
    expect(page.locator(".turn .prompt")).to_have_text("Ruled by the arbiter")
    page.tap("text=Undo")
    expect(page.locator(".turn .name")).to_have_text("Red")
    leave(page)


def test_wrong_pins_are_limited_and_said(browser: Any, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    with serving(create_app(table, Settings(port=0, streams=8, pin="4711"))) as (host, port):
        page = visit(browser, f"http://{host}:{port}", "phone")
        page.tap("text=More")
        page.tap("text=Enter the arbiter’s PIN")
        for words in (*["That is not the PIN"] * 5, "Too many wrong PINs: wait 5 minutes"):
            page.fill("[aria-label=PIN]", "0000")
            with page.expect_response("**/session/pin"):
                page.tap("#sheet >> text=Enter >> nth=-1")
            expect(page.locator("#sheet .wrong")).to_have_text(words)
        page.context.close()


def test_what_is_typed_while_a_pin_is_judged_stays(browser: Any, table: Table) -> None:
    assert table.ask(NewGame("triune")).ok
    with serving(create_app(table, Settings(port=0, streams=8, pin="4711"))) as (host, port):
        held: list[Any] = []
        page = visit(browser, f"http://{host}:{port}", "phone")
        page.route("**/session/pin", lambda route: held.append(route))
        page.tap("text=More")
        page.tap("text=Enter the arbiter’s PIN")
        page.fill("[aria-label=PIN]", "0000")
        with page.expect_request("**/session/pin"):
            page.tap("#sheet >> text=Enter >> nth=-1")
        page.fill("[aria-label=PIN]", "4711")
        held[0].continue_()
        expect(page.locator("#sheet .wrong")).to_have_text("That is not the PIN")
        expect(page.locator("[aria-label=PIN]")).to_have_value("4711")
        page.context.close()


SLEEPER = """
  const Real = EventSource;
  const [sources, deaf] = [[], new WeakSet()];
  window.EventSource = class extends Real {
    constructor(...given) { super(...given); sources.push(this); }
    addEventListener(kind, hear) { super.addEventListener(kind, (event) => deaf.has(this) || hear(event)); }
  };
  window.fallAsleep = () => sources.forEach((source) => deaf.add(source));
"""


def test_a_display_that_slept_an_hour_is_right_within_two_seconds(
    browser: Any, address: str, table: Table
) -> None:
    """Asleep, a tablet runs no script and its connection dies unnoticed; awake, its clock has jumped."""
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, "about:blank")
    page.add_init_script(SLEEPER)
    page.clock.install()
    page.goto(address)
    expect(page.locator(".turn .name")).to_have_text("Red")
    page.evaluate("window.fallAsleep()")
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    assert table.ask(Submit("a2-a3")).ok
    assert table.ask(Submit("b7~")).ok
    with page.expect_response("**/api/v1/events"):
        page.clock.fast_forward("01:00:00")
    expect(page.locator("#moves .move")).to_have_count(2)
    expect(page.locator("#lost")).to_be_hidden()
    leave(page)


@pytest.mark.parametrize(
    ("lock", "words"),
    [
        ("({ request: () => Promise.resolve({ released: false }) })", "The screen stays on"),
        ("({ request: () => Promise.reject(new Error()) })", "would not keep the screen on"),
        ("undefined", "lets the screen go dark"),
    ],
)
def test_it_is_said_whether_the_screen_stays_on(
    browser: Any, address: str, table: Table, lock: str, words: str
) -> None:
    assert table.ask(NewGame("triune")).ok
    page = visit(browser, "about:blank")
    deny = "delete Navigator.prototype.wakeLock;" if lock == "undefined" else ""
    grant = "" if deny else f"Object.defineProperty(navigator, 'wakeLock', {{ value: {lock} }});"
    page.add_init_script(deny + grant)
    page.goto(address)
    page.tap("text=More")
    expect(page.locator("#sheet .soft").first).to_contain_text(words)
    leave(page)
