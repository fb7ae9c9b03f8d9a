"""Lines of a log as a hall gets them: each with what it came to."""

import pytest

from broker_bridge.telling import Telling
from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import Entry, begin
from companion.table.refusals import rules_refused

LOG = (
    Entry("action", "e2e4", "white", "camera:0", 0.9, 10.0, 599.5),
    Entry("refused", "e7e4 (CH-2)", "black", "camera:0", time=11.0),
    Entry("action", "e7e5", "black", time=12.0),
    Entry("takeback", "1", "arbiter", time=13.0),
    Entry("resign", "", "black", time=14.0),
    Entry("note", "a fine game", "arbiter", time=15.0),
)


def test_each_line_says_what_it_came_to() -> None:
    telling = Telling("c", 7, Record(read_game("chess"), LOG[:2], {"white": "Ann"}, started=9.0))
    telling.add(LOG[2:])
    told = [(x.kind, x.player, x.written, x.plies, x.rules, x.winner, x.reason) for x in telling.lines]
    over = ("white", "Black resigned")
    assert told == [
        ("begin", "", "", 0, (), None, ""),
        ("action", "white", "e4", 1, (), None, ""),
        ("refused", "black", "", 1, ("CH-2",), None, ""),
        ("action", "black", "e5", 2, (), None, ""),
        ("takeback", "", "", 1, (), None, ""),
        ("resign", "black", "", 1, (), *over),
        ("note", "", "", 1, (), *over),
    ]
    first, second = telling.lines[:2]
    assert (first.text, first.head, first.time) == ("chess", {"white": "Ann"}, 9.0)
    assert (second.certainty, second.clock, second.source) == (0.9, 599.5, "camera:0")
    assert [line.key.line for line in telling.lines] == list(range(7))
    assert telling.ready == 7


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a2-a5 (TR-3)", ("TR-3",)),
        ("a2-a3 b2-b3 (TR-1, GEN-2)", ("TR-1", "GEN-2")),
        ("GEN-4", ("GEN-4",)),
        ("", ()),
        ("a2-a5", ()),
        ("(words of a person)", ()),
    ],
)
def test_the_rules_of_a_refusal_are_read(text: str, expected: tuple[str, ...]) -> None:
    assert rules_refused(text) == expected


def test_magnet_has_secrets_and_is_told_up_to_its_end() -> None:
    game = read_game("magnet")
    assert begin(game).may_hide
    assert not begin(read_game("chess")).may_hide
    assert not begin(read_game("magnet values=declared")).may_hide, "only the players know what is secret"
    telling = Telling("c", 1, Record(game, ()))
    telling.add([Entry("resign", "", "red")])
    assert telling.ready == 2
    telling.add([Entry("takeback", "1", "arbiter")])
    assert telling.ready == 2, "the result was lifted: the game goes on"
