"""The desk: what is seen and what is entered becomes the game, and what is wrong is told and put right."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from unittest.mock import Mock

import pytest

from companion.core.game import EMPTY, Look, Outcome, Place
from companion.games.text import read_game
from companion.referee import Referee
from companion.referee.search.expansion import Expansion
from companion.sensing.observation import Reading, Touch
from companion.table import messages as m
from companion.table.desk import OWN_FAULT, Desk
from companion.table.snapshot import Question
from companion.wire.events import GameOver
from tests.companion.sensor import Sensor
from tests.shown import present, present_happening
from tests.stores import open_store


class Game:
    """A desk and a sensor over its board."""

    def __init__(self, text: str = "triune") -> None:
        self.store = open_store()
        self.desk = Desk(self.store, wall=lambda: 1_000.0)
        assert self.desk.handle(m.NewGame(text))[0].ok
        self.sensor = Sensor(read_game(text.split()[0]))
        self.see()

    def see(self, seconds: float = 0.6, hand: bool = False) -> list[str]:
        """What happened meanwhile, in short."""
        told = self.sensor.show(self.desk, seconds, hand)
        lines = [present_happening(h, self.desk.session) for h in told]
        return [str(x.get("action") or x.get("count") or x["event"]) for x in lines]

    def move(self, start: Place, end: Place, look: Look | None = None) -> None:
        self.sensor.move(start, end, look)

    @property
    def actions(self) -> list[str]:
        return list(self.desk.session.actions)


@pytest.fixture
def game() -> Game:
    return Game()


def test_a_move_is_seen(game: Game) -> None:
    game.move("a2", "a3")
    assert game.see() == ["a2-a3"]
    assert game.see(3.0) == []


def test_quick_replies_are_found(game: Game) -> None:
    game.move("a2", "a3")
    game.sensor.looks["b7"] = "blue/marked"
    assert game.see() == ["a2-a3", "b7~"]


def test_nothing_is_believed_under_a_hand(game: Game) -> None:
    game.move("a2", "a3")
    assert game.see(5.0, hand=True) == []
    assert game.see() == ["a2-a3"]


def test_an_illegal_move_is_refused_after_the_grace_time_and_guided_back(game: Game) -> None:
    game.move("a2", "a5")
    assert game.see(0.9) == []
    assert game.see(0.9) == ["a2-a5"]
    verdict = present(game.desk.snapshot, None)["verdict"]
    assert verdict["kind"] == "refused"
    assert [b["rule"] for b in verdict["breaks"]] == ["TR-3"]
    assert "exactly one square" in verdict["words"]
    assert [s["words"] for s in verdict["steps"]] == ["Move the solid red piece from a5 to a2."]
    game.move("a5", "a2")
    assert game.see() == ["restored"]
    assert game.desk.snapshot.verdict is None
    game.move("a2", "a3")
    assert game.see() == ["a2-a3"]


def test_play_goes_on_from_a_refusal_without_a_stop(game: Game) -> None:
    game.move("a2", "a5")
    game.see(2.0)
    game.move("a5", "a3")
    assert game.see() == ["restored", "a2-a3"]


def test_a_refused_action_is_on_record(game: Game) -> None:
    game.move("a2", "a5")
    game.see(2.0)
    assert [e.kind for e in game.desk.session.log] == ["refused"]
    assert "TR-3" in game.desk.session.log[0].text


@pytest.mark.parametrize("back", [1, 2, 3])
def test_pieces_moved_back_take_the_action_back(game: Game, back: int) -> None:
    for start, end in (("a2", "a3"), ("b7", "b6"), ("c2", "c3")):
        game.move(start, end)
        game.see()
    for end, start in (("c3", "c2"), ("b6", "b7"), ("a3", "a2"))[:back]:
        game.move(end, start)
    assert game.see() == [str(back)]
    assert len(game.actions) == 3 - back


def test_an_action_entered_waits_for_the_board(game: Game) -> None:
    assert game.desk.handle(m.Submit("a2-a3"))[0].ok
    assert game.see(3.0) == []
    assert game.actions == ["a2-a3"]
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert [s.words for s in verdict.steps] == ["Move the solid red piece from a2 to a3."]
    game.move("a2", "a3")
    assert game.see() == ["restored"]


def test_a_takeback_entered_is_not_undone_by_the_board_that_lags(game: Game) -> None:
    for start, end in (("a2", "a3"), ("b7", "b6")):
        game.move(start, end)
        game.see()
    assert game.desk.handle(m.TakeBack(2))[0].ok
    assert game.see(3.0) == []
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind == "restore"  # nothing is set up: two pieces go back
    game.move("b6", "b7")
    assert game.see(3.0) == []
    game.move("a3", "a2")
    assert game.see() == ["restored"]
    assert game.actions == []


def test_the_opponent_may_reply_to_an_action_entered(game: Game) -> None:
    game.desk.handle(m.Submit("a2-a3"))
    game.move("a2", "a3")
    game.move("b7", "b6")
    assert game.see() == ["b7-b6"]
    assert game.actions == ["a2-a3", "b7-b6"]


def test_a_capture_that_is_not_finished_is_none_the_less_so_right_after_an_entry() -> None:
    game = Game("trid")
    game.move("a5", "d6")
    assert game.see() == ["a5-d6"]
    assert game.desk.handle(m.Submit("j6-j9"))[0].ok
    game.move("j6", "j9")
    game.move("d6", "j9")
    game.see(3.0)
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.kind, verdict.action) == ("unfinished", "d6xj9")
    assert [(step.start, step.end) for step in verdict.steps] == [(p, None) for p in ("j4", "j5", "j7", "j8")]
    for place in ("j4", "j5", "j7", "j8"):
        del game.sensor.looks[place]
    assert game.see(3.0)[:1] == ["d6xj9"]


def test_a_wrong_reply_right_after_an_entry_is_refused_by_its_rule(game: Game) -> None:
    game.desk.handle(m.Submit("a2-a3"))
    game.move("a2", "a3")
    game.move("b7", "b4")
    assert game.see(3.0) == ["b7-b4"]


def test_an_entry_that_is_laid_wrong_is_put_right_and_not_refused(game: Game) -> None:
    game.desk.handle(m.Submit("a2-a3"))
    game.move("a2", "a5")
    assert game.see(9.0) == []
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert [(step.start, step.end) for step in verdict.steps] == [("a5", "a3")]


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (m.Submit("a2-a5"), "TR-3"),
        (m.Submit("b7~"), "TR-1"),
        (m.Submit("nonsense"), "GEN-1"),
        (m.Submit("a2-a3", by="blue"), "GEN-2"),
        (m.TakeBack(1), "nothing"),
        (m.Deed("redo"), "nothing"),
        (m.Deed("accept", "red"), "no draw"),
        (m.Deed("resign", "green"), "no seat"),
        (m.Answer(7, ("a2-a3",)), "no longer open"),
        (m.NewGame("nonsense"), "there is no game"),
        (m.NewGame("triune a2-a9"), "not allowed"),
        (m.OpenGame(99), "there is no game 99"),
        (m.Correct({"a1": "red/solid"}, "red"), "1 to 16"),
        (m.Meant(m.Submit("a2-a3"), 2), "another game is on"),
        (m.Meant(m.NewGame("triune"), 0), "another game is on"),
        (m.Meant(m.Submit("a2-a3"), 1, 3), "went on meanwhile"),
        (m.Meant(m.Submit("nonsense"), 1, 0), "GEN-1"),
        (m.RuleResult("green"), "no seat"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    game: Game, message: m.Message | m.Meant, words: str
) -> None:
    before = game.desk.snapshot
    reply, happened = game.desk.handle(message)
    assert not reply.ok
    assert words in reply.words
    assert happened == []
    assert game.desk.snapshot == before


def test_a_correction_is_guided_onto_the_board(game: Game) -> None:
    looks = dict(game.sensor.looks)
    looks["d4"] = looks.pop("d2")
    assert game.desk.handle(m.Correct(looks, "blue"))[0].ok
    assert game.desk.session.position.turn == "blue"
    assert game.see(2.0) == []
    game.move("d2", "d4")
    assert game.see() == ["restored"]


def test_the_winner_is_told_once() -> None:
    game = Game("chess")
    for text in ("f2f3", "e7e5", "g2g4"):
        game.move(text[:2], text[2:])
        game.see()
    game.move("d8", "h4")
    assert game.see() == ["d8h4", "over"]
    assert game.see(3.0) == []
    assert present(game.desk.snapshot)["outcome"]["winner"] == "black"


def test_clearing_the_board_after_the_game_is_no_offence() -> None:
    game = Game("chess")
    for text in ("f2f3", "e7e5", "g2g4", "d8h4"):
        game.move(text[:2], text[2:])
        game.see()
    game.sensor.looks.clear()
    assert game.see(3.0) == []
    assert game.desk.snapshot.verdict is None


PROMOTION = "chess a2a4 b7b5 a4b5 a7a6 b5a6 b8c6 a6a7 c6b8"


def test_a_promotion_is_asked_and_the_answer_counts() -> None:
    game = Game(PROMOTION)
    game.sensor.looks = dict(game.desk.session.rules.look(game.desk.session.position))
    game.see(2.0)
    game.move("a7", "b8")
    assert "a7b8q" in game.see()
    question = game.desk.snapshot.question
    assert question is not None
    assert question.choices[0] == ("a7b8q",)
    assert game.desk.handle(m.Answer(question.id, ("a7b8n",)))[0].ok
    assert game.actions[-1] == "a7b8n"
    assert game.desk.snapshot.question is None
    assert game.see(3.0) == []


def promoted() -> Game:
    """A pawn has gone to the last rank, and what it became is asked."""
    game = Game(PROMOTION)
    see_as_played(game)
    game.move("a7", "b8")
    game.see()
    assert game.desk.snapshot.question is not None
    return game


def answer(desk: Desk, action: str) -> m.Reply:
    question = desk.snapshot.question
    assert question is not None
    return desk.handle(m.Answer(question.id, (action,)))[0]


@pytest.mark.parametrize(
    ("message", "offer"),
    [(m.Deed("offer", "black"), "black"), (m.Deed("decline", "black"), ""), (m.Deed("accept", "black"), "")],
)
def test_what_plays_nothing_leaves_a_question_open(message: m.Message, offer: str) -> None:
    game = promoted()
    game.desk.handle(message)
    assert game.see(3.0) == []
    assert answer(game.desk, "a7b8n").ok
    assert game.actions[-1] == "a7b8n"
    assert game.desk.session.offer == offer
    assert game.see(3.0) == []


@pytest.mark.parametrize("end", [m.Deed("resign", "black"), m.RuleResult("white")])
def test_a_game_that_is_over_asks_nothing(end: m.Message) -> None:
    game = promoted()
    assert game.desk.handle(end)[0].ok
    assert game.desk.snapshot.question is None


def test_a_flag_that_falls_ends_the_questions() -> None:
    watch = Watch()
    desk, sensor = Desk(open_store(), wall=watch), Sensor(read_game("chess"))
    desk.handle(m.NewGame(PROMOTION, {"clock": "1"}))
    sensor.looks = dict(desk.session.look)
    sensor.show(desk)
    sensor.move("a7", "b8")
    sensor.show(desk)
    assert desk.snapshot.question is not None
    watch.time += 100
    assert [h.event for h in desk.handle(m.Tick())[1]] == ["over"]
    assert desk.snapshot.question is None


def test_what_nobody_answered_is_asked_again_after_a_restart() -> None:
    game = promoted()
    again = Desk(game.store, wall=lambda: 2_000.0)
    assert again.handle(m.OpenGame(1))[0].ok
    assert again.snapshot.question is not None
    assert set(again.snapshot.question.choices) == {(f"a7b8{piece}",) for piece in "qnrb"}
    assert answer(again, "a7b8n").ok
    assert again.session.actions[-1] == "a7b8n"
    settled = Desk(game.store, wall=lambda: 3_000.0)
    settled.handle(m.OpenGame(1))
    assert settled.snapshot.question is None


def test_a_game_that_was_given_up_is_not_gone_on_with_by_hand(game: Game) -> None:
    """The loser shows what would have been better."""
    game.move("a2", "a3")
    game.see()
    game.desk.handle(m.Deed("resign", "blue"))
    game.move("a3", "a2")
    assert game.see(5.0) == []
    assert game.desk.session.outcome is not None


def test_a_game_that_cannot_be_opened_leaves_the_table_as_it_is(game: Game) -> None:
    head = {"clock": "5 elephants"}
    other = game.store.begin("triune", head, 1.0)
    game.move("a2", "a3")
    game.see()
    assert not game.desk.handle(m.OpenGame(other))[0].ok
    game.move("b7", "b6")
    assert game.see() == ["b7-b6"]
    assert game.store.latest() == 1


def test_another_game_begins_without_the_last_ones_notice() -> None:
    desk, watch = timed("1", "trid players=3")
    desk.handle(m.Submit(next(desk.session.rules.legal(desk.session.position))))
    while desk.session.position.turn == "black":
        desk.handle(m.Submit(next(desk.session.rules.legal(desk.session.position))))
    watch.time += 100
    desk.handle(m.Tick())
    assert "time is up" in desk.snapshot.notice
    desk.handle(m.NewGame("triune"))
    assert desk.snapshot.notice == ""


def test_a_piece_that_comes_to_the_magnet_may_stand_behind_it() -> None:
    game = Game("magnet =44t24232TK33 =22433Kt234T4 @e7 a3 @h3 j1 h1 d1 k3 @b5")
    game.sensor.looks = dict(game.desk.session.look)
    game.see()
    del game.sensor.looks["b4"]
    game.see(6.0)
    assert game.actions[-1] == "b4"
    assert game.desk.snapshot.verdict is None


@pytest.mark.parametrize(
    "text", ["magnet values=declared @g5 g10+", "magnet =K222333444tT =K222333444tT @g5 g10"]
)
def test_where_a_hidden_magnet_stands_is_asked_before_the_turn_goes_on(text: str) -> None:
    """Several magnets that pieces hide draw the same piece, and different ones after it."""
    game = Game(text)
    see_as_played(game)
    game.move("k5", "j6")
    assert "ask" in game.see(3.0)
    question = game.desk.snapshot.question_to("blue")
    assert question is not None
    assert present(game.desk.snapshot, "blue")["question"]["words"] == "Where was the magnet?"
    game.move("e1", "e3")
    game.see(5.0)
    assert game.desk.snapshot.verdict is not None
    game.move("e3", "e1")
    assert game.see() == ["restored"]
    assert game.desk.snapshot.question_to("blue") == question, "what is wrong meanwhile loses no question"
    choice = next(choice for choice in question.choices if choice[0] == "@g9")
    assert game.desk.handle(m.Answer(question.id, choice, "blue"))[0].ok
    assert "@g9" in game.actions


def test_in_magnet_only_the_mover_is_asked_and_only_it_may_answer() -> None:
    game = Game("magnet =K222333444tT =K222333444tT @f4")
    see_as_played(game)
    start, end = next(plain_move(game))
    game.move(start, end)
    del game.sensor.looks["f4"]
    game.see(3.0)
    told, question = game.actions, game.desk.snapshot.question_to("red")
    assert told[-1] == start, "a promotion is not told before its player says so"
    assert game.desk.snapshot.question is None, "all may know of it"
    assert question == Question(1, ((start,), (f"{start}+",)), "red")
    assert not game.desk.handle(m.Answer(1, (f"{start}+",), "blue"))[0].ok
    assert game.actions == told
    assert game.desk.handle(m.Answer(1, (f"{start}+",), "red"))[0].ok
    assert game.actions == [*told[:-1], f"{start}+"]


def see_as_played(game: Game) -> None:
    game.sensor.looks = dict(game.desk.session.rules.look(game.desk.session.position))
    game.see(2.0)


def plain_move(game: Game) -> Iterator[tuple[str, str]]:
    """Moves after which a turn is over, of pieces that could be promoted: from where to where."""
    session = game.desk.session
    legal = tuple(session.rules.legal(session.position))
    for action in legal:
        if f"{action}+" in legal:
            (moved,) = session.rules.play(session.position, action).events
            yield str(moved.details["start"]), str(moved.details["end"])


def test_several_actions_entered_wait_for_the_board_one_by_one(game: Game) -> None:
    for action in ("a2-a3", "b7-b6", "c2-c3"):
        assert game.desk.handle(m.Submit(action))[0].ok
    for start, end in (("c2", "c3"), ("b7", "b6")):
        assert game.see(3.0) == []
        game.move(start, end)
    game.move("a2", "a3")
    assert game.see() == ["restored"]
    assert game.actions == ["a2-a3", "b7-b6", "c2-c3"]


def test_the_start_is_set_up_piece_by_piece_and_wrong_pieces_are_named() -> None:
    game = Game()
    should = dict(game.sensor.looks)
    del game.sensor.looks["a1"]
    game.sensor.looks["a4"], game.sensor.looks["h8"] = "blue/solid", "red/solid"
    game.desk.handle(m.NewGame("triune"))
    game.see(2.0)
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind == "setup"
    assert {(s.start, s.end) for s in verdict.steps} == {("h8", "a1"), ("a4", "h8")}
    game.sensor.looks = should
    assert game.see() == ["restored"]
    assert game.actions == []


def test_nothing_is_looked_for_on_a_board_that_is_being_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Yet the first move is found that is made as soon as the last piece stands."""
    game, tried = Game("chess"), Mock()
    monkeypatch.setattr(Expansion, "effect", tried)
    should, game.sensor.looks = game.sensor.looks, {}
    game.desk.handle(m.NewGame("chess"))
    *most, fifth, fourth, third, second, last = should
    for place in ("", *most):
        if place:
            game.sensor.looks[place] = should[place]
        game.see(1.5)
    assert not tried.called
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert {step.end for step in verdict.steps} == {fifth, fourth, third, second, last}
    monkeypatch.undo()
    game.sensor.looks = dict(should)
    game.move("e2", "e4")
    assert game.see(1.5) == ["restored", "e2e4"]


def test_a_board_that_is_cleared_in_play_is_refused_once_and_searched_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was taken from it is named, and the game goes on once it is put back."""
    game, effect, tries = Game("chess"), Expansion.effect, Counter[str]()
    game.move("e2", "e4")
    assert game.see() == ["e2e4"]
    monkeypatch.setattr(Expansion, "effect", lambda *args: tries.update(("",)) or effect(*args))
    stood = dict(game.sensor.looks)
    for place in stood:
        del game.sensor.looks[place]
        game.see(1.5)
    assert tries.total() < 2_000  # that many are tried in one look at a board
    assert [entry.kind for entry in game.desk.session.log if entry.kind == "refused"] == ["refused"]
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert len(verdict.steps) == len(stood)
    game.sensor.looks = stood
    assert game.see(1.5) == ["restored"]


def test_a_game_gone_on_with_is_compared_with_the_board(game: Game) -> None:
    game.move("a2", "a3")
    game.see()
    again = Desk(game.store, wall=lambda: 2_000.0)
    again.handle(m.OpenGame(1))
    game.move("a3", "a2")
    game.sensor.show(again, 3.0)
    verdict = again.snapshot.verdict
    assert verdict is not None
    assert [s.words for s in verdict.steps] == ["Move the solid red piece from a2 to a3."]
    assert again.session.actions == ("a2-a3",)


def test_pieces_set_up_again_after_the_game_take_nothing_back() -> None:
    game = Game("chess")
    start = dict(game.sensor.looks)
    for text in ("f2f3", "e7e5", "g2g4", "d8h4"):
        game.move(text[:2], text[2:])
        game.see()
    game.sensor.looks = start
    assert game.see(3.0) == []
    assert len(game.actions) == 4


def test_a_board_of_long_ago_is_not_taken_back_to_without_a_word(game: Game) -> None:
    start = dict(game.sensor.looks)
    for column in "abcdefg":
        for before, after in (("2", "3"), ("7", "6")):
            game.move(column + before, column + after)
            game.see()
    assert len(game.actions) == 14
    game.sensor.looks = start
    assert game.see(3.0) == []
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert "14 actions ago" in verdict.words
    assert len(game.actions) == 14


def test_a_refusal_is_recorded_once_however_it_is_put_right(game: Game) -> None:
    for start, end in (("a2", "a5"), ("b2", "b5"), ("c2", "c5")):
        game.move(start, end)
    game.see(2.0)
    for start, end in (("a5", "a2"), ("b5", "b2"), ("c5", "c2")):
        game.move(start, end)
        game.see(2.0)
    assert [e.kind for e in game.desk.session.log] == ["refused"]
    assert game.desk.snapshot.verdict is None


def test_a_change_that_no_hand_made_has_to_last(game: Game) -> None:
    game.see(hand=True)
    game.see(2.0)
    game.sensor.looks["a2"] = "red/marked"
    assert game.see(0.9) == []
    assert game.see(0.9) == ["a2~"]


def test_a_piece_seen_where_it_went_before_it_left_has_to_stay_there(game: Game) -> None:
    """A phantom, and a piece that is lifted from where it would have come."""
    solid = game.sensor.looks["a2"]
    game.sensor.looks["a3"] = solid
    game.see(0.6)
    del game.sensor.looks["a2"]
    assert game.see(3.5) == []
    assert game.see(1.5) == ["a2-a3"]


def test_doubt_that_grows_while_nothing_changes_is_heard(game: Game) -> None:
    """The likeliest reading of a2 is 'empty' all along: at first hardly, then firmly."""
    for margin, told in ((0.8, []), (8.0, ["a2-a3"])):
        happened: list[str] = []
        for _ in range(30):
            sighting = game.sensor.sight()
            assert sighting.observation is not None
            there = Reading({EMPTY: 0.0, "red/solid": -margin}, -9.0)
            gone = Reading({"red/solid": 0.0, EMPTY: -margin}, -9.0)
            readings = {**sighting.observation.readings, "a2": there, "a3": gone}
            seen = replace(sighting, observation=replace(sighting.observation, readings=readings))
            happened += [h.event for h in game.desk.handle(m.SightingArrived(seen))[1]]
        assert happened == ["action"] * len(told)
        assert game.actions == told


@pytest.mark.parametrize(("margin", "seconds"), [(8.0, 1.1), (2.0, 3.4)])
def test_a_place_that_hardly_speaks_for_a_change_is_waited_for(
    game: Game, margin: float, seconds: float
) -> None:
    """a3 may be misread, and a2 have been taken off: time tells."""
    there = Reading({"red/solid": 0.0, EMPTY: -margin}, -9.0)
    game.see(hand=True)
    game.sensor.looks.pop("a2")
    told: list[float] = []
    for _ in range(40):
        sighting = game.sensor.sight()
        assert sighting.observation is not None
        readings = {**sighting.observation.readings, "a3": there}
        seen = replace(sighting, observation=replace(sighting.observation, readings=readings))
        told += [seen.time for h in game.desk.handle(m.SightingArrived(seen))[1] if h.event == "action"]
    assert [time - 0.6 for time in told] == [pytest.approx(seconds, abs=0.4)]
    assert game.actions == ["a2-a3"]


def test_a_piece_that_was_hardly_seen_where_nothing_stands_is_not_told(game: Game) -> None:
    """What was found on a first glance is not believed once the place is read otherwise."""
    game.see(hand=True)
    game.sensor.looks.pop("a2")
    glimpsed = Reading({"red/solid": 0.0, EMPTY: -0.5}, -9.0)
    told: list[str] = []
    for n in range(50):
        sighting = game.sensor.sight()
        assert sighting.observation is not None
        found = {**sighting.observation.readings, **({"a3": glimpsed} if n < 8 else {})}
        seen = replace(sighting, observation=replace(sighting.observation, readings=found))
        told += [h.event for h in game.desk.handle(m.SightingArrived(seen))[1]]
    assert told == ["begun"]


def test_what_changes_once_hands_are_gone_has_to_stay(game: Game) -> None:
    """A piece was taken off, and a phantom seen where it might have gone."""
    solid = game.sensor.looks["a2"]
    game.see(hand=True)
    del game.sensor.looks["a2"]
    game.see(0.6)
    game.sensor.looks["a3"] = solid
    assert game.see(2.5) == []
    assert game.see(1.5) == ["a2-a3"]


def test_a_lost_source_is_told_and_found_again(game: Game) -> None:
    _, told = game.desk.handle(m.SightingArrived(game.sensor.lose("the cable is out")))
    assert [h.event for h in told] == ["lost"]
    assert present(game.desk.snapshot)["sources"] == [
        {"name": "sensor", "state": "lost", "words": "the cable is out"}
    ]
    game.move("a2", "a3")
    assert game.see() == ["a2-a3"]
    assert present(game.desk.snapshot)["sources"][0]["state"] == "ok"


def test_a_restarted_desk_goes_on(game: Game) -> None:
    game.move("a2", "a3")
    game.see()
    again = Desk(game.store, wall=lambda: 2_000.0)
    assert again.handle(m.OpenGame(1))[0].ok
    assert again.session == game.desk.session


class Watch:
    """A wall clock with a test side."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def timed(control: str, text: str = "triune") -> tuple[Desk, Watch]:
    watch = Watch()
    desk = Desk(open_store(), wall=watch)
    assert desk.handle(m.NewGame(text, {"clock": control}))[0].ok
    return desk, watch


SEEN = 0.4
"""Seconds that a board stands until it is believed, by a `Sensor`: they count for nobody."""


def left(desk: Desk, player: str, now: float) -> float:
    assert desk.snapshot.clock is not None
    return desk.snapshot.clock.remaining(player, now)


def test_the_clock_runs_and_is_set_back_with_a_takeback() -> None:
    desk, watch = timed("10+5")
    for seconds, action in ((0, "a2-a3"), (30, "b7~"), (40, "c2~")):
        watch.time += seconds
        assert desk.handle(m.Submit(action))[0].ok
    assert left(desk, "blue", watch.time) == 575
    assert left(desk, "red", watch.time) == 565
    assert desk.handle(m.TakeBack(1))[0].ok
    assert left(desk, "red", watch.time) == 600
    assert left(desk, "red", watch.time + 10) == 590


def test_the_clock_is_set_back_with_pieces_that_go_back() -> None:
    desk, watch = timed("10+5")
    sensor = Sensor(read_game("triune"))
    sensor.show(desk)
    for start, end, seconds in (("a2", "a3", 0), ("b7", "b6", 30), ("c2", "c3", 40)):
        watch.time += seconds
        sensor.move(start, end)
        sensor.show(desk)
    sensor.move("c3", "c2")
    sensor.show(desk)
    assert desk.session.actions == ("a2-a3", "b7-b6")
    assert left(desk, "blue", watch.time) == pytest.approx(575 + SEEN)
    assert left(desk, "red", watch.time + 10) == 590


@pytest.mark.parametrize(
    "moves", [["c7-c6"], ["c7-c6", "d2-d3"], ["c7-c6", "d2-d3", "e7-e6"], ["a3-a2"]], ids=" ".join
)
def test_to_be_sure_takes_time_from_nobody(moves: list[str]) -> None:
    """The clock runs for whoever acts next from when that is told, after quick replies and a takeback too."""
    watch, sensor = Watch(), Sensor(read_game("triune"), step=0.1)
    desk = Desk(open_store(), wall=watch)
    desk.handle(m.NewGame("triune b2-b3 b7-b6 a2-a3", {"clock": "10+5"}))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))

    def see() -> list[str]:
        watch.time += 0.1
        return [happening.event for happening in desk.handle(m.SightingArrived(sensor.sight()))[1]]

    for _ in range(20):
        see()
    for move in moves:
        sensor.move(*move.split("-"))
    assert any({"action", "takeback"} & {*see()} for _ in range(50))
    assert desk.snapshot.clock is not None
    assert desk.snapshot.clock.since == pytest.approx(watch.time)


def test_an_answer_gives_no_time_back() -> None:
    watch = Watch()
    desk = Desk(open_store(), wall=watch)
    sensor = Sensor(read_game("chess"))
    desk.handle(m.NewGame(PROMOTION, {"clock": "10+5"}))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))
    sensor.show(desk)
    for start, end, seconds in (("h2", "h3", 0), ("h7", "h6", 0), ("a7", "b8", 60)):
        watch.time += seconds
        sensor.move(start, end)
        sensor.show(desk)
    assert left(desk, "white", watch.time) == pytest.approx(550 + SEEN)
    question = desk.snapshot.question
    assert question is not None
    watch.time += 20
    assert desk.handle(m.Answer(question.id, ("a7b8n",)))[0].ok
    assert left(desk, "white", watch.time) == pytest.approx(550 + SEEN)
    assert left(desk, "black", watch.time) == 585
    assert desk.session.plies[-1].entry.clock == 550 + SEEN


MATE_IN_ONE = "chess e2e4 e7e5 d1h5 b8c6 f1c4 g8f6"
HAS_LEFT = [
    ("1", ("h5", "f7"), 1, "checkmate"),
    ("1+5", ("h2", "h3"), 1, None),
    ("1", ("h5", "f7"), -1, "White's time is up"),
    ("1", None, 1, "White's time is up"),
]
"""The control, a move or none, whether it comes before the flag falls or after, and why the game is over."""


@pytest.mark.parametrize(("control", "move", "sign", "reason"), HAS_LEFT)
@pytest.mark.parametrize(("step", "seconds"), [(0.1, 0.2), (0.5, 0.8)])
def test_a_move_that_stood_before_the_flag_fell_was_in_time(
    control: str, move: tuple[str, str] | None, sign: int, reason: str | None, step: float, seconds: float
) -> None:
    """It is made when the piece is let go (FIDE 4.7), and mate ends the game at once (5.1.1)."""
    watch, sensor = Watch(), Sensor(read_game("chess"), step=step)
    desk = Desk(open_store(), wall=watch)
    desk.handle(m.NewGame(MATE_IN_ONE, {"clock": control}))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))

    def see(until: float) -> None:
        while watch.time < until:
            watch.time += 0.1
            desk.handle(
                m.SightingArrived(sensor.sight())
                if sensor.time + step <= watch.time - 1000 + 1e-6
                else m.Tick()
            )

    see(1060 - sign * seconds)
    if move:
        sensor.move(*move)
    see(1066)
    outcome = desk.session.outcome
    assert (outcome.reason if outcome else None) == reason
    if reason is None:
        assert desk.session.plies[-1].entry.clock == pytest.approx(5 + seconds, abs=3 * step)


def test_the_flag_ends_the_game() -> None:
    desk, watch = timed("1")
    desk.handle(m.Submit("a2-a3"))
    watch.time += 61
    _, told = desk.handle(m.Tick())
    assert [h.event for h in told] == ["over"]
    assert desk.session.outcome is not None
    assert desk.session.outcome.winner == "red"


def test_what_is_entered_after_the_flag_fell_comes_too_late() -> None:
    desk, watch = timed("1+5", "chess e2e4 e7e5")
    watch.time += 60.1
    reply, _ = desk.handle(m.Submit("g1f3"))
    assert (reply.ok, [breach.rule for breach in reply.breaches]) == (False, ["GEN-3"])
    desk.handle(m.Tick())
    assert desk.session.outcome
    assert desk.session.outcome.winner == "black"


def test_who_cannot_win_does_not_win_by_time() -> None:
    """Black has a bare king: White's flag falls, and the game is drawn (FIDE 6.9)."""
    desk, watch = timed("1", "chess fen=4k3/8/8/8/8/8/4P3/4K3_w_-_-_0_1 e2e4 e8e7")
    for action, seconds in (("e1e2", 0), ("e7e6", 0)):
        assert desk.handle(m.Submit(action))[0].ok
        watch.time += seconds
    watch.time += 61
    desk.handle(m.Tick())
    assert desk.session.outcome is not None
    assert desk.session.outcome.winner is None
    assert desk.snapshot.clock
    assert desk.snapshot.clock.flags == ("white",)
    for message in (m.CloseGame(), m.OpenGame(1)):
        assert desk.handle(message)[0].ok
    assert left(desk, "white", watch.time) == 0


@pytest.mark.parametrize(
    ("ends", "had"),
    [
        ([m.Deed("resign", "blue")], 460),
        ([m.Deed("offer", "red"), m.Deed("accept", "blue")], 460),
        ([m.RuleResult("red")], 460),
        ([m.RuleResult("red"), m.RuleResult("blue")], 460),
        ([m.Tick()], 600),  # a flag that is lifted has the turn again: it would fall at once
    ],
)
def test_a_result_that_is_lifted_takes_no_action_back_and_gives_no_time(
    ends: list[m.Message], had: float
) -> None:
    desk, watch = timed("10")
    for action in ("a2-a3", "b7~", "a3-a2"):
        assert desk.handle(m.Submit(action))[0].ok
    watch.time += 140 if had == 460 else 601
    for message in ends:
        assert desk.handle(message)[0].ok
    assert desk.session.outcome
    watch.time += 100
    assert not desk.handle(m.TakeBack(0, "blue"))[0].ok
    assert desk.handle(m.TakeBack(0, "arbiter"))[0].ok
    assert not desk.handle(m.TakeBack(0, "arbiter"))[0].ok  # a second tap takes no action
    assert (desk.session.outcome, len(desk.session.plies)) == (None, 3)
    assert (left(desk, "blue", watch.time), left(desk, "blue", watch.time + 5)) == (had, had - 5)


def test_what_was_taken_back_before_the_end_is_offered_again_once_the_result_is_lifted() -> None:
    desk, _ = timed("10")
    desk.handle(m.Submit("a2-a3"))
    for message, can_redo in (
        (m.TakeBack(), True),
        (m.Deed("resign", "red"), False),
        (m.TakeBack(0, "arbiter"), True),
        (m.Deed("redo"), False),
    ):
        assert desk.handle(message)[0].ok
        assert present(desk.snapshot)["can_redo"] == can_redo


def test_with_three_players_a_flag_is_shown_until_the_arbiter_gives_time() -> None:
    desk, watch = timed("1", "trid players=3")
    assert desk.handle(m.Submit(next(iter(desk.session.rules.legal(desk.session.position)))))[0].ok
    watch.time += 61
    desk.handle(m.Tick())
    assert "time is up: the arbiter rules" in desk.snapshot.notice
    player = desk.session.position.to_act
    assert desk.snapshot.clock
    assert desk.snapshot.clock.flags == (player,)
    assert desk.handle(m.ChangeTime(player, 30))[0].ok
    desk.handle(m.Tick())
    assert (desk.snapshot.notice, desk.snapshot.clock.flags) == ("", ())


def test_the_arbiter_stops_the_clock_also_over_a_restart() -> None:
    """An adjourned game: what the turn has used is not given back."""
    desk, watch = timed("10")
    desk.handle(m.Submit("a2-a3"))
    watch.time += 100
    assert desk.handle(m.StopClock())[0].ok
    for message in (m.CloseGame(), m.OpenGame(1)):
        watch.time += 3600
        assert desk.handle(message)[0].ok
    assert left(desk, "blue", watch.time) == 500
    assert desk.handle(m.StopClock(False))[0].ok
    assert left(desk, "blue", watch.time + 5) == 495


def test_the_clock_that_the_arbiter_stopped_stands_also_when_the_board_is_right_again() -> None:
    desk, watch = timed("10")
    sensor = Sensor(read_game("triune"))
    sensor.show(desk)
    sensor.move("a2", "a3")
    sensor.show(desk)
    assert desk.handle(m.StopClock())[0].ok
    for end in ("b4", "b7"):
        sensor.move("b7" if end == "b4" else "b4", end)
        sensor.show(desk, 2.0)
        had = left(desk, "blue", watch.time)
        assert left(desk, "blue", watch.time + 60) == had


def test_what_the_arbiter_gave_outlasts_takebacks_and_restarts() -> None:
    desk, watch = timed("10+5")
    for action, seconds in (("a2-a3", 0), ("b7-b6", 30), ("a3-a4", 40)):
        watch.time += seconds
        desk.handle(m.Submit(action))
    assert desk.handle(m.ChangeTime("blue", 120))[0].ok
    assert desk.handle(m.ChangeTime("red", 300, is_set=True))[0].ok
    for message in (m.CloseGame(), m.OpenGame(1), m.TakeBack(1), m.CloseGame(), m.OpenGame(1)):
        assert desk.handle(message)[0].ok
    assert (left(desk, "blue", watch.time), left(desk, "red", watch.time)) == (695, 335)
    log = [(e.kind, e.text, e.by, e.clock) for e in desk.session.log if e.kind == "clock"]
    assert log == [("clock", "blue +120.0", "arbiter", 695), ("clock", "red -265.0", "arbiter", 300)]


def test_what_was_played_otherwise_keeps_what_the_arbiter_gave() -> None:
    watch = Watch()
    desk = Desk(open_store(), wall=watch)
    sensor = Sensor(read_game("chess"))
    desk.handle(m.NewGame(PROMOTION, {"clock": "10"}))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))
    sensor.show(desk)
    for start, end in (("h2", "h3"), ("h7", "h6"), ("a7", "b8")):
        sensor.move(start, end)
        sensor.show(desk)
    assert desk.handle(m.ChangeTime("white", 60))[0].ok
    question = desk.snapshot.question
    assert question is not None
    assert desk.handle(m.Answer(question.id, ("a7b8n",)))[0].ok
    had = left(desk, "white", watch.time)
    for message in (m.CloseGame(), m.OpenGame(1)):
        assert desk.handle(message)[0].ok
    assert left(desk, "white", watch.time) == had == 660


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (m.ChangeTime("red", -600), "between one second and a day"),
        (m.ChangeTime("red", 90_000, is_set=True), "between one second and a day"),
        (m.ChangeTime("green", 60), "no clock"),
        (m.StopClock(False), "not stopped"),
    ],
)
def test_what_no_arbiter_can_do_to_a_clock(message: m.Message, words: str) -> None:
    desk, _ = timed("10")
    reply, _ = desk.handle(message)
    assert not reply.ok
    assert words in reply.words
    assert desk.session.log == ()


def test_a_game_without_a_clock_or_that_is_over_has_nothing_to_change() -> None:
    desk = Desk(open_store())
    desk.handle(m.NewGame("triune"))
    assert desk.handle(m.StopClock())[0].words == "this game has no clock"
    desk, _ = timed("10")
    desk.handle(m.Deed("resign", "red"))
    assert desk.handle(m.ChangeTime("red", 60))[0].words == "the game is over"


def test_the_clock_stands_while_the_board_is_put_right() -> None:
    desk, watch = timed("10")
    sensor = Sensor(read_game("triune"))
    sensor.show(desk)
    sensor.move("a2", "a3")
    sensor.show(desk)
    sensor.move("b7", "b4")
    sensor.show(desk, 2.0)
    assert desk.snapshot.verdict is not None
    before = left(desk, "blue", watch.time)
    watch.time += 300
    assert left(desk, "blue", watch.time) == before
    sensor.move("b4", "b7")
    sensor.show(desk)
    assert left(desk, "blue", watch.time + 10) == before - 10


def test_setting_the_time_of_day_takes_no_time_from_a_player() -> None:
    wall, steady = Watch(), Watch()
    desk = Desk(open_store(), wall=wall, steady=steady)
    desk.handle(m.NewGame("triune", {"clock": "1"}))
    desk.handle(m.Submit("a2-a3"))
    wall.time += 86_400
    steady.time += 10
    desk.handle(m.Tick())
    assert desk.session.outcome is None
    assert left(desk, "blue", steady.time) == 50
    desk.handle(m.Submit("b7-b6"))
    assert desk.session.log[-1].time == wall.time


def test_after_a_correction_the_clock_of_the_next_player_runs() -> None:
    desk, watch = timed("1")
    for action in ("a2-a3", "b7-b6"):
        desk.handle(m.Submit(action))
    watch.time += 20
    assert desk.handle(m.Correct(dict(desk.session.look), "blue"))[0].ok
    watch.time += 30
    assert (left(desk, "red", watch.time), left(desk, "blue", watch.time)) == (40, 30)


def test_a_correction_that_goes_on_with_a_game_starts_the_clock() -> None:
    desk, watch = timed("1")
    desk.handle(m.Submit("a2-a3"))
    watch.time += 20
    desk.handle(m.Deed("resign", "blue"))
    desk.handle(m.Correct(dict(desk.session.look), "blue"))
    watch.time += 30
    assert left(desk, "blue", watch.time) == 10


def fallen() -> tuple[Desk, Watch]:
    """A game in which blue's flag fell, with 55 seconds left for red."""
    desk, watch = timed("1")
    for action in ("a2-a3", "b7-b6", "a3-a4"):
        watch.time += 5
        desk.handle(m.Submit(action))
    watch.time += 100
    desk.handle(m.Tick())
    assert desk.session.outcome is not None
    return desk, watch


def test_a_correction_lets_a_fallen_flag_lie() -> None:
    desk, watch = fallen()
    _, happened = desk.handle(m.Correct(dict(desk.session.look), "blue"))
    assert [type(event) for event in happened] == [GameOver]
    assert desk.session.outcome == Outcome("red", "Blue's time is up")
    assert left(desk, "blue", watch.time) == 0
    assert not desk.handle(m.Tick())[1]


def test_a_correction_of_whose_turn_it_was_gives_back_what_ran_for_the_wrong_player() -> None:
    desk, watch = fallen()
    assert desk.handle(m.Correct(dict(desk.session.look), "red"))[0].ok
    for message in (m.Tick(), m.CloseGame(), m.OpenGame(1)):
        assert desk.handle(message)[0].ok
    assert desk.session.outcome is None
    watch.time += 10
    assert (left(desk, "red", watch.time), left(desk, "blue", watch.time)) == (45, 55)


@pytest.mark.parametrize("text", ["magnet setup=random", "teleporters"])
def test_no_clock_runs_before_the_first_turn_is_over(text: str) -> None:
    desk, watch = timed("1", text)
    action = next(a for a in desk.session.rules.legal(desk.session.position) if a != "end")
    assert desk.handle(m.Submit(action))[0].ok
    assert desk.handle(m.TakeBack(1, "arbiter"))[0].ok
    watch.time += 50
    assert {left(desk, player, watch.time) for player in desk.session.players} == {60}


def test_a_bonus_is_for_each_turn_whoever_answers_in_it() -> None:
    desk, _ = timed("10+5", "teleporters")
    rng, ended = Random(3), Counter[str]()
    while not any(p.turn != p.to_act for p in desk.session.positions()) or len(ended) < 2:
        before = desk.session.position
        assert desk.handle(m.Submit(rng.choice(sorted(desk.session.rules.legal(before)))))[0].ok
        ended[before.turn] += desk.session.position.turn != before.turn
    first = desk.session.positions()[0].turn
    assert desk.snapshot.clock
    assert desk.snapshot.clock.left == {p: 600 + 5 * (n - (p == first)) for p, n in ended.items()}


def test_a_bonus_for_a_turn_that_another_ended_outlasts_takebacks_and_restarts() -> None:
    """Red tells what blue captured, and ends blue's turn by that."""
    desk, watch = timed("10+5", "magnet values=declared")
    actions = "@a3 i8+ @k5 b1+ @e5 e10 a5+ @d4 i1 d1+ @d2 a2 d9+ @d1 k3+ e1+ @i1 a4+ @f3 d1+ h1+ j3"
    for action in f"{actions} @j4 d8+ j7+ @h8 h3+ k5+ reveal:T".split():
        watch.time += 1
        assert desk.handle(m.Submit(action))[0].ok
    assert desk.session.position.turn == "red"
    assert desk.snapshot.clock
    had = desk.snapshot.clock.left
    for message in (m.Submit("@c8"), m.TakeBack(1), m.CloseGame(), m.OpenGame(1)):
        assert desk.handle(message)[0].ok
        assert not desk.snapshot.clock or desk.snapshot.clock.left == had


def test_a_time_control_that_cannot_be_read_begins_no_game() -> None:
    desk = Desk(open_store())
    reply, _ = desk.handle(m.NewGame("triune", {"clock": "soon"}))
    assert not reply.ok
    assert desk.snapshot.session is None


def test_a_step_is_stored_whole_or_not_at_all() -> None:
    """The answer takes a move back and plays another one: the disk is full at the second line."""
    game = promoted()
    before, lines = game.desk.snapshot, len(game.desk.session.log)
    game.store._db.execute(
        f"CREATE TEMP TRIGGER full BEFORE INSERT ON entries WHEN NEW.n = {lines + 1} BEGIN"
        " SELECT RAISE(ABORT, 'disk full'); END"
    )
    assert before.question is not None
    message = m.Answer(before.question.id, ("a7b8n",))
    assert game.desk.handle(message)[0] == m.Reply(False, OWN_FAULT)
    assert game.desk.snapshot is before
    assert len(game.store.load(1).log) == lines
    game.store._db.execute("DROP TRIGGER full")
    assert game.desk.handle(message)[0].ok
    assert game.store.load(1).session().actions == game.desk.session.actions


def test_a_game_text_is_stored_whole_or_not_at_all(game: Game) -> None:
    game.store._db.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON entries WHEN NEW.n = 2 BEGIN"
        " SELECT RAISE(ABORT, 'disk full'); END"
    )
    assert not game.desk.handle(m.NewGame("triune a2-a3 b7~ a3-a4"))[0].ok
    assert [(s.id, s.plies) for s in game.store.list()] == [(1, 0)]


def test_what_was_told_wrongly_is_withdrawn_with_a_word() -> None:
    """Nobody answers what the pawn became; two moves later it goes as only a knight can."""
    game = Game(PROMOTION)
    game.sensor.looks = dict(game.desk.session.rules.look(game.desk.session.position))
    game.see(2.0)
    game.move("a7", "b8")
    game.see()
    reply = next(a for a in game.desk.session.rules.legal(game.desk.session.position) if a.startswith("g7"))
    game.move(reply[:2], reply[2:4])
    game.see()
    assert game.actions[-2:] == ["a7b8q", reply]
    game.move("b8", "a6")
    assert [line for line in game.see(2.5) if line != "ask"] == ["corrected", "b8a6"]
    assert game.actions[-3:] == ["a7b8n", reply, "b8a6"]
    assert game.desk.snapshot.notice == "Not axb8=Q but axb8=N: what followed shows it."
    assert [entry.by for entry in game.desk.session.log if entry.kind == "takeback"] == ["referee"]


AMID_TURN = "ternion_factor e5 i8 i10 d6 h4 g9 g6 j6 c8 f3 c3 j4 f3-f4 h4-h3"


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        ({"f3-f4", "h3-h4"}, ""),
        ({"f3-f4"}, "Lay a move marker at h3-h4."),
        (set(), "Lay a move marker at f3-f4 and a move marker at h3-h4."),
        ({"f3-f4", "h3-h4", "j4-j5"}, "Take the move marker off j4-j5."),
    ],
)
@pytest.mark.parametrize("head", [{"markers": "laid"}, {}])
def test_markers_are_checked_where_players_lay_them(head: dict[str, str], laid: set[str], words: str) -> None:
    desk, sensor = Desk(open_store()), Sensor(read_game("ternion_factor"))
    desk.handle(m.NewGame(AMID_TURN, head))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))
    for _ in range(50):
        sighting = sensor.sight()
        assert sighting.observation is not None
        marks = {spot: 4.0 if spot in laid else -4.0 for spot in sensor.game.board.marks}
        desk.handle(
            m.SightingArrived(replace(sighting, observation=replace(sighting.observation, marks=marks)))
        )
    assert desk.snapshot.notice == (words if head else "")
    assert desk.session.text == AMID_TURN
    assert desk.snapshot.verdict is None


def test_a_place_that_is_misread_for_good_is_left_out_until_it_is_read_otherwise(game: Game) -> None:
    stuck = game.sensor.looks["a2"]
    assert game.desk.handle(m.Submit("a2-a3"))[0].ok
    game.move("a2", "a3")
    game.sensor.looks["a2"] = stuck
    game.see(3.0)
    assert game.desk.snapshot.verdict is not None
    game.desk.handle(m.Believe())
    assert "a2" in game.desk.snapshot.notice
    assert game.see(3.0) == []
    assert game.desk.snapshot.verdict is None
    game.move("b7", "b6")
    assert game.see() == ["b7-b6"]
    del game.sensor.looks["a2"]
    assert game.see(3.0) == []
    game.sensor.looks["a2"] = stuck
    assert game.see(3.0) != []


def press(text: str) -> Desk:
    """A desk whose player says that the turn is over, and the board seen thereafter."""
    desk, sensor = Desk(open_store()), Sensor(read_game("ternion_factor"))
    desk.handle(m.NewGame(text))
    sensor.looks = dict(desk.session.rules.look(desk.session.position))
    sensor.show(desk)
    assert desk.handle(m.EndTurn("black"))[0].ok
    sensor.show(desk)
    return desk


def test_a_turn_whose_end_nothing_shows_is_ended_by_the_clock() -> None:
    desk = press(f"{AMID_TURN} c8-c9")
    assert desk.session.actions[-1] == "end"
    assert desk.session.position.turn == "white"


def test_a_turn_that_is_not_over_is_not_ended() -> None:
    desk = press(AMID_TURN)
    assert desk.session.text == AMID_TURN
    assert desk.snapshot.notice.startswith("Black's turn is not over: ")


def test_only_who_has_the_turn_ends_it(game: Game) -> None:
    reply, _ = game.desk.handle(m.EndTurn("blue"))
    assert not reply.ok
    assert reply.words == "it is Red's turn"


def test_what_was_felt_is_kept_until_it_is_seen() -> None:
    """The switches under a move are unsure of themselves for a while, after the piece was felt."""
    desk, sensor = Desk(open_store()), Sensor(read_game("chess"))
    desk.handle(m.NewGame("chess"))
    sensor.show(desk)
    sensor.move("e2", "e4")
    unsure = {
        "e2": Reading({EMPTY: 0.0, "white": -4.6}, -9.0),
        "e4": Reading({EMPTY: 0.0, "white": -4.6}, -9.0),
    }
    touches = (Touch(1.0, "e2", True), Touch(1.1, "e4", False))
    for n in range(30):
        sighting = sensor.sight()
        assert sighting.observation is not None
        seen = replace(sighting.observation, readings={**sighting.observation.readings, **unsure})
        desk.handle(m.SightingArrived(replace(sighting, observation=seen, touches=touches if n == 0 else ())))
    assert desk.session.actions == ()
    sensor.show(desk, 3.0)
    assert desk.session.actions == ("e2e4",)


def feel(desk: Desk, sensor: Sensor, place: str = "", seconds: float = 0.1) -> None:
    """Lets a grid that knows no colours feel its board, where something was just lifted or put."""
    touches = (Touch(sensor.time + sensor.step, place, place not in sensor.looks),) if place else ()
    for n in range(round(seconds / sensor.step)):
        sighting = sensor.sight()
        assert sighting.observation is not None
        felt = {p: Reading({EMPTY: -7.0}, 0.0) for p, look in sensor.looks.items() if look != EMPTY}
        free = dict.fromkeys(sighting.observation.readings.keys() - felt, Reading({EMPTY: 0.0}, -7.0))
        seen = replace(sighting.observation, readings={**felt, **free})
        desk.handle(m.SightingArrived(replace(sighting, observation=seen, touches=() if n else touches)))


@pytest.mark.parametrize("empty", [0.2, 3.0], ids=["before it says so", "as it says"])
def test_what_was_set_up_on_a_grid_was_not_played(empty: float) -> None:
    """Each piece was touched, and none turned over: a wrong move is no move of a piece that was."""
    desk, sensor = Desk(open_store()), Sensor(read_game("triune"))
    start, sensor.looks = sensor.looks, {}
    desk.handle(m.NewGame("triune"))
    feel(desk, sensor, seconds=empty)
    for place, look in start.items():
        if look != EMPTY:
            sensor.looks[place] = look
            feel(desk, sensor, place)
    feel(desk, sensor, seconds=3.0)
    for places in (("a2", "a3"), ("b7", "b6"), ("a3", "a4"), ("c7", "c4")):
        sensor.move(*places)
        for place in places:
            feel(desk, sensor, place)
        feel(desk, sensor, seconds=3.0)
    assert desk.session.actions == ("a2-a3", "b7-b6", "a3-a4")
    assert desk.snapshot.verdict is not None
    assert desk.snapshot.verdict.action == "c7-c4"


@pytest.mark.parametrize("touched", [("a2",), ("h7", "a2"), ("b2", "h7", "a2")], ids=" ".join)
def test_whether_a_piece_was_turned_over_is_asked_whatever_was_touched_beside(
    touched: tuple[str, ...],
) -> None:
    """A grid that knows no colours feels each lifted, and put down where it stood."""
    desk, sensor = Desk(open_store()), Sensor(read_game("triune"))
    desk.handle(m.NewGame("triune"))
    feel(desk, sensor, seconds=1.0)
    for place in touched:
        look = sensor.looks.pop(place)
        feel(desk, sensor, place, seconds=0.3)
        sensor.looks[place] = look
        feel(desk, sensor, place, seconds=0.3)
    feel(desk, sensor, seconds=5.0)
    question = desk.snapshot.question
    assert question is not None
    assert {(), ("a2~",)} <= {*question.choices}
    assert desk.handle(m.Answer(question.id, ("a2~",), question.by))[0].ok
    feel(desk, sensor, seconds=3.0)
    assert desk.session.actions == ("a2~",)


def placed_at_once() -> tuple[Desk, Sensor]:
    """A desk that saw three pawns placed at one stop, in whatever order."""
    desk, sensor = Desk(open_store()), Sensor(read_game("ternion_factor"))
    desk.handle(m.NewGame("ternion_factor"))
    sensor.show(desk)
    sensor.looks = {"e5": "black", "i8": "white", "d7": "black"}
    sensor.show(desk, 2.0)
    return desk, sensor


def test_a_board_that_is_being_put_right_is_no_takeback() -> None:
    """With one of two steps done, it looks as if the other piece had never been placed."""
    desk, sensor = placed_at_once()
    placed = desk.session.actions
    assert {*placed} == {"e5", "i8", "d7"}
    sensor.looks = {"i8": "white", "d7": "black", "g4": "white"}
    sensor.show(desk, 3.0)
    verdict = desk.snapshot.verdict
    assert verdict is not None
    assert len(verdict.steps) == 2
    del sensor.looks["g4"]
    sensor.show(desk, 2.0)
    assert desk.session.actions == placed
    assert desk.snapshot.verdict is not None
    assert [step.end for step in desk.snapshot.verdict.steps] == ["e5"]
    sensor.looks["e5"] = "black"
    sensor.show(desk, 2.0)
    assert desk.session.actions == placed
    assert desk.snapshot.verdict is None


def test_a_piece_that_seems_to_come_before_it_left_is_told_however_other_places_flicker(game: Game) -> None:
    """It has to stand there for four seconds, and does, while a place far away is misread now and then."""
    game.sensor.looks["a3"] = game.sensor.looks["a2"]
    game.see(0.6)
    del game.sensor.looks["a2"]
    told = []
    for n in range(9):
        wrong = {"e5": "red/solid"} if n % 3 == 2 else {}
        game.sensor.looks.update(wrong)
        told += game.see(0.7)
        for place in wrong:
            del game.sensor.looks[place]
    assert "a2-a3" in told


def flicker(game: Game, right: float, wrong: float) -> list[str]:
    """What happened while places far away were misread now and then, for so many seconds."""
    told: list[str] = []
    for place in ("e5", "d4", "c5", "e4"):
        told += game.see(right)
        game.sensor.looks[place] = "red/solid"
        told += game.see(wrong)
        del game.sensor.looks[place]
    return told


def test_a_piece_that_was_taken_off_is_missed_however_other_places_flicker(game: Game) -> None:
    """It has to be gone for two seconds, and is, while places far away are misread now and then."""
    game.see(hand=True)
    del game.sensor.looks["a2"]
    assert len(flicker(game, 0.8, 0.4)) == 1
    verdict = game.desk.snapshot.verdict
    assert verdict is not None
    assert [step.words for step in verdict.steps] == ["Put a solid red piece on a2."]


def test_a_board_that_was_put_back_is_taken_back_however_other_places_flicker(game: Game) -> None:
    """A refused board has to hold for three seconds before a takeback is seen in it."""
    game.move("a2", "a3")
    game.see()
    game.see(hand=True)
    game.move("a3", "a5")
    assert game.see(2.0) == ["a3-a5"]
    game.see(hand=True)
    game.move("a5", "a2")
    assert "1" in flicker(game, 0.9, 0.2)
    assert game.actions == []


def test_part_of_a_stop_that_is_taken_back_is_said_as_that() -> None:
    desk, sensor = placed_at_once()
    first = desk.session.actions[0]
    del sensor.looks[first]
    sensor.show(desk, 3.0)
    assert {*desk.session.actions} == {*sensor.looks}
    assert desk.snapshot.notice == f"Taken back: {first}."


def test_an_unlikely_story_is_told_only_when_a_likelier_one_was_looked_for() -> None:
    """Three quick actions of Escape!; four others that lead there too are found sooner."""
    before = (
        "escape h3~h5 f11>e9 i1>g6 g10>e8 j3>h7 d10>c9 f3>l4=i1 c9>f11 c3>j3 f11>k9 i2>h4 g11>g10 j3>g4"
        " g10>k8 h2>h3 c10>l9=g11 f2>k4 e8>a9=f11 g4>i2 j11>h9 k4>i7 h12>j9 h5>i8 h10>i6 i1>j8 h9>j4"
    )
    desk = Desk(open_store(), Referee(clock=lambda: 0.0), wall=lambda: 1_000.0)
    assert desk.handle(m.NewGame(before))[0].ok
    sensor = Sensor(read_game("escape"))
    sensor.looks = dict(desk.session.look)
    sensor.show(desk, 0.6)
    moves = (("i8", "h8"), ("f12", "j5"), ("g6", "h10"))
    for start, end in moves:
        sensor.move(start, end)
        sensor.show(desk, 0.1, hand=True)
    sensor.show(desk, 3.0)
    last = desk.session.actions[-3:]
    assert tuple(tuple(action.replace("~", ">").split(">")) for action in last) == moves


@pytest.mark.parametrize("is_entered", [True, False])
def test_what_was_entered_is_not_taken_for_something_else(is_entered: bool) -> None:
    """A knight that goes as a rook is refused, whether it was entered or answered."""
    pytest.importorskip("chess")
    game = Game("chess fen=8/4P1k1/8/8/p7/P7/6K1/8_w_-_-_0_1")
    game.sensor.looks = dict.fromkeys(("e7", "a3", "g2"), "white") | dict.fromkeys(("a4", "g7"), "black")
    game.see()
    if is_entered:
        assert game.desk.handle(m.Submit("e7e8n"))[0].ok
    game.move("e7", "e8")
    game.see(2.0)
    if question := game.desk.snapshot.question:
        chosen = next(c for c in question.choices if c == ("e7e8n",))
        game.desk.handle(m.Answer(question.id, chosen, "white"))
    game.move("g7", "g6")
    game.see(2.0)
    assert game.actions == ["e7e8n", "g7g6"]
    game.move("e8", "e1")
    game.see(6.0)
    assert game.actions == ["e7e8n", "g7g6"]
    assert game.desk.snapshot.verdict
