"""Drawn files: made by processes of their own, one at a time, within limits."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace

import pytest
from flask import Flask
from web_clients import Client

from companion.core.game import GameError
from companion.record.exports import formats
from companion.record.record import Record, read_any
from companion.record.session import Entry
from companion.store.store import Store
from web.drawing.apart import MOST_ENTRIES, DrawingError, draw
from web.server.shared import OF_ONE, PLACES, Turns

RECORD = read_any("triune a2-a3 b7~")
EXPORT = "/api/v1/records/1/export"


def python(code: str) -> tuple[str, ...]:
    """A command in the place of the one that draws."""
    return sys.executable, "-c", code


@pytest.mark.parametrize(("form", "step"), [("png", 0), ("png", None), ("gif", None), ("pdf", None)])
def test_a_drawing_made_apart_is_the_same(form: str, step: int | None) -> None:
    record = Record(RECORD.game, RECORD.log, {"red": 'Zoë – "Z"', "place": "Košice"}, started=1.7e9)
    assert draw(record, form, step) == formats()[form].write(record, step)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import time; time.sleep(60)", "takes longer than 0.5 seconds"),
        ("import sys; sys.exit(1)", "perhaps for want of memory"),
        ("import os; os.abort()", "perhaps for want of memory"),
    ],
)
def test_a_drawing_that_fails_or_takes_too_long(code: str, words: str) -> None:
    with pytest.raises(DrawingError, match=words):
        draw(RECORD, "gif", seconds=0.5, command=python(code))


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(DrawingError, match="No such file"):
        draw(RECORD, "gif", command=("/nowhere/python",))


def test_a_game_that_cannot_have_a_form() -> None:
    with pytest.raises(GameError, match="there is no step 7"):
        draw(RECORD, "png", 7)


def test_a_drawing_may_use_so_much_memory(caplog: pytest.LogCaptureFixture) -> None:
    eager = (
        "from web.drawing.__main__ import main; import web.drawing.diagrams as d;"
        "d.gif = lambda record, language: bytes(600 << 20); main('gif', 'en')"
    )
    with pytest.raises(DrawingError, match="for want of memory"):
        draw(RECORD, "gif", command=python(eager))
    assert "MemoryError" in caplog.text


def test_a_drawing_is_not_told_the_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PIN", "471100")
    code = "import os; print(sorted(n for n in os.environ if n.startswith('COMPANION_P')), end='')"
    assert draw(RECORD, "gif", command=python(code)) == b"[]"


def test_one_draws_and_few_wait() -> None:
    drawings = Turns(wait=60)
    done: list[str] = []
    at_work = threading.Semaphore(0)
    go_on = threading.Event()

    def ask(address: str) -> None:
        with drawings.turn(address) as has_turn:
            assert has_turn
            at_work.release()
            go_on.wait(60)
            done.append(address)

    asking = [threading.Thread(target=ask, args=(f"10.0.0.{n}",)) for n in range(PLACES)]
    for thread in asking:
        thread.start()
    assert at_work.acquire(timeout=60)
    while not drawings._places.are_taken:  # until all have come in
        threading.Event().wait(0.001)
    with drawings.turn("10.0.0.99") as has_turn:
        assert not has_turn
    assert not at_work.acquire(blocking=False)  # one at a time
    go_on.set()
    for thread in asking:
        thread.join()
    assert len(done) == PLACES
    with drawings.turn("10.0.0.99") as has_turn:
        assert has_turn


def test_one_address_does_not_take_all_places() -> None:
    drawings = Turns(wait=0)
    with drawings.turn("a") as first, drawings.turn("a") as second, drawings.turn("a") as third:
        assert (first, second, third) == (True, False, False)  # the second waited in vain
        with drawings.turn("b") as other:
            assert not other
        assert drawings._places._held["a"] == OF_ONE
    with drawings.turn("a") as again:
        assert again
    assert not drawings._places.held


def test_who_comes_when_all_places_are_taken_is_told_so(home: Client, opened: Flask) -> None:
    application = home.http.application
    drawings: Turns = application.extensions["companion"].drawings
    drawings._wait = 0.0
    with drawings.turn("10.0.0.9"):
        answer = home.get(f"{EXPORT}/gif")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "others wait" in answer.get_json()["error"]
    assert home.get(f"{EXPORT}/svg").status_code == 200


def test_a_drawing_that_takes_too_long_is_told_so(home: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise DrawingError("this takes longer than 60 seconds here")

    monkeypatch.setattr("web.routes.records.draw", fail)
    answer = home.get(f"{EXPORT}/webp")
    words = "this takes longer than 60 seconds here: save the game's record instead"
    assert (answer.status_code, answer.get_json()["error"]) == (503, words)


def test_a_game_that_is_too_long_to_be_drawn(home: Client, store: Store) -> None:
    record = store.load(1)
    log = (*record.log, *(Entry("note", "x", "arbiter") for _ in range(MOST_ENTRIES)))
    number = store.add(replace(record, log=log), 1.0)
    for form, code in (("gif", 413), ("pdf", 413), ("record", 200), ("svg", 200)):
        assert home.get(f"/api/v1/records/{number}/export/{form}").status_code == code, form
    told = home.get(f"/api/v1/records/{number}/export/gif").get_json()["error"]
    assert "its log has 2002 lines, and 2000 are the most" in told
