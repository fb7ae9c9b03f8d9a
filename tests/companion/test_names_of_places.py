"""Places as players call them: whoever reads of draughts reads numbers, in sentences, lists and drawings."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.board import BoardError, load_board, parse_board
from companion.core.game import EMPTY
from companion.games.draughts.board import ENGLISH, INTERNATIONAL, Variant
from companion.games.text import read_game
from companion.language import Message, listed, say, translated
from companion.record.session import ARBITER, Entry, begin
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.sensor_conflicts import SensorConflicts
from companion.tutorials import tutorial
from tests.companion.sensor import Sensor
from tests.shown import present, present_happening
from tests.stores import open_store

VARIANTS = pytest.mark.parametrize("variant", [ENGLISH, INTERNATIONAL], ids=lambda variant: variant.name)
COORDINATE = re.compile(r"(?<![A-Za-z0-9])[a-j](?:10|[1-9])(?![0-9])")
READ = ("words", "written", "here", "label", "prompt", "notice", "claim", "left", "steps")
"""The members of what leaves a table that people read, be they messages or not."""


def texts(data: Any, is_read: bool = False) -> Iterator[str]:
    """All that people read in some data."""
    if isinstance(data, Message) or (isinstance(data, str) and is_read):
        yield str(data)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from texts(value, key in READ)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from texts(value, is_read)


def coordinates(data: Any) -> list[str]:
    return [text for text in texts(data) if COORDINATE.search(text)]


@VARIANTS
def test_the_numbers_of_the_board_are_those_of_the_game(variant: Variant) -> None:
    board = load_board(variant.board)
    assert board.names == {site: str(number) for site, number in variant.net.numbers.items()}
    drawn = {shape.words: shape.points[0] for shape in board.shapes if shape.kind == "text"}
    assert drawn.keys() == set(board.names.values())
    for site, number in board.names.items():
        (x, y), (at_x, at_y) = board.sites[site], drawn[number]
        assert -0.5 < at_x - x < 0 < at_y - y < 0.5


def test_words_call_places_as_players_do() -> None:
    board = load_board("draughts")
    assert board.called("c3") == "22"
    assert board.called("c3xe5xg7") == "22x15x8"
    assert board.called("b8-h1") == "1-28/32"
    assert board.called("the table on b8") == "the table on 1"
    assert (
        board.called(say("{player} on {places}", player="a", places=listed(["a1", "h8"]))) == "a on 29 and 4"
    )
    assert board.called(say("Off {place}.", place="b7")) == "Off the square between 5 and 6."
    assert board.called("a8") == "the square between 1 and 5"
    assert load_board("chess").called("e2e4") == "e2e4"
    german = translated(board.called(say("{place} is occupied.", place="h1")), "de")
    assert german == "Feld zwischen 28 und 32 ist besetzt."


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ({"z9": "1", "a1": "2"}, "z9 is not a site"),
        ({"a1": "", "b1": "2"}, "a1 needs a text that no other site has"),
        ({"a1": "2", "b1": "2"}, "a1 needs a text that no other site has"),
        ({"a1": 2, "b1": "1"}, "names.a1 must be a text"),
        ({"a1": "2"}, "needs two sites at least"),
    ],
)
def test_names_that_are_none(names: dict[str, Any], problem: str) -> None:
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    data = {"format": "board-companion board 1", "sites": {"a1": [0, 0], "b1": [1, 0]}, "names": names}
    with pytest.raises(BoardError, match=problem):
        parse_board({**data, "corners": square, "outline": square})


@VARIANTS
def test_no_sentence_of_draughts_names_a_coordinate(variant: Variant) -> None:
    """A table whose pieces are pushed about by chance: moves, offences, pieces on light squares or gone."""
    chance = Random(0)
    with open_store() as store:
        desk = Desk(store)
        desk.handle(m.NewGame(f"draughts variant={variant.name}"))
        session = desk.session
        sensor = Sensor(session.game)
        kinds = set()
        for _ in range(60):
            if desk.session.outcome:
                break
            legal = list(desk.session.rules.legal(desk.session.position))
            sensor.looks = dict(desk.session.look)
            if chance.random() < 0.5:
                desk.handle(m.Submit(chance.choice(legal)))
            else:
                for _ in range(chance.choice((1, 1, 2))):
                    end = chance.choice(sorted(session.game.board.sites.keys() - sensor.looks.keys()))
                    sensor.move(chance.choice(sorted(sensor.looks)), end)
                happened = [present_happening(h, desk.session) for h in sensor.show(desk, 4.0)]
                assert not coordinates(happened)
            shown = present(desk.snapshot, ARBITER)
            assert not coordinates(shown)
            kinds |= {shown["verdict"]["kind"]} if shown["verdict"] else set()
            sensor.looks = dict(desk.session.look)
            sensor.show(desk, 1.0)
        assert {"refused"} <= kinds


def test_a_move_that_is_refused_is_named_as_players_do() -> None:
    desk = Desk(open_store())
    desk.handle(m.NewGame("draughts fen=W:W22,32:B18,10,4"))
    reply, _ = desk.handle(m.Submit("22-17"))
    assert reply.words == "'22-17' is not allowed (DR-4): White has to capture, with the piece on 22."


@VARIANTS
def test_no_reason_names_a_coordinate(variant: Variant) -> None:
    session, chance = begin(read_game(f"draughts variant={variant.name}")), Random(5)
    squares, rules = sorted(variant.net.squares), set()
    while not session.outcome and len(session.plies) < 80:
        for _ in range(60):
            attempt = chance.choice("-x").join(chance.sample(squares, 2))
            found = session.reasons(attempt)
            rules |= {breach.rule for breach in found}
            assert not coordinates([breach.words for breach in found])
        action = chance.choice(list(session.rules.legal(session.position)))
        session = session.apply(Entry("action", action))
        assert not coordinates([session.tell(event) for event in session.plies[-1].events])
    assert {"DR-1", "DR-2", "DR-3", "DR-4", "DR-6", "DR-11"} <= rules


def test_sensors_that_disagree_are_told_by_numbers() -> None:
    board = load_board("draughts")
    sensor = Sensor(read_game("draughts"), "camera:0")
    odds = SensorConflicts({"camera:0": frozenset({"c3", EMPTY})})
    assert "22" in odds.status(sensor.sight(), board).words


def test_the_tutorial_of_draughts_names_no_coordinate() -> None:
    assert not coordinates([topic.words for topic in tutorial("draughts").topics])
