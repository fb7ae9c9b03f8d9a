"""What a board tells, and that nothing of it is lost: a broker in memory, and a clock of the test's own."""

import json
from collections.abc import Callable
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from broker_bridge.link import Letter
from broker_bridge.outbox import Outbox
from broker_bridge.topics import CLOCK, EVENT, OFFLINE, ONLINE, PAIRING, STATE, STATUS
from companion.record.record import Note
from companion.table import messages as m
from companion.wire.codec import read, write
from companion.wire.hall import LogLine, Pairing
from tests.broker_bridge.stage import BOARD, Stage


def kinds_of(stage: Stage) -> list[str]:
    return [letter.topic.rpartition("/")[2] for letter in stage.broker.seen]


def test_a_board_says_that_it_is_there_and_what_it_shows() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.ask(m.Submit("e2e4", "white"))
    stage.pass_time(1)
    assert stage.heard(STATUS) == [ONLINE]
    first, second = (json.loads(state) for state in stage.heard(STATE))
    assert (first["state"], first["turn"], first["last"]) == ("playing", "white", None)
    assert (second["turn"], second["last"]["action"]) == ("black", "e2e4")
    assert second["companion"] == stage.store.identity
    lines = [read(event, LogLine) for event in stage.heard(EVENT)]
    assert [(line.kind, line.text, line.written, line.plies) for line in lines] == [
        ("begin", "chess", "", 0),
        ("action", "e2e4", "e4", 1),
    ]


def test_a_clean_stop_says_offline_and_a_cut_lets_the_broker_say_it() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.broker.cut(str(BOARD))
    assert stage.broker.kept[BOARD.topic(STATUS)] == OFFLINE
    stage.pass_time(1)
    assert [(s.name, s.state, s.words) for s in stage.desk.snapshot.sources] == [
        ("hall", "away", "the broker is not there")
    ]
    stage.broker.mend(str(BOARD))
    stage.pass_time(2, turns=2)
    assert stage.broker.kept[BOARD.topic(STATUS)] == ONLINE
    assert stage.desk.snapshot.sources == ()
    stage.speaker.close()
    assert stage.broker.kept[BOARD.topic(STATUS)] == OFFLINE


def test_the_state_is_told_when_it_changes_and_the_newest_counts() -> None:
    stage = Stage()
    stage.pass_time(2, turns=2)
    told = len(stage.heard(STATE))
    stage.play(5)
    stage.pass_time(0.01)
    stage.play(5)
    stage.pass_time(0.05)
    assert len(stage.heard(STATE)) == told + 1
    stage.pass_time(0.1)
    assert len(stage.heard(STATE)) == told + 2
    assert json.loads(stage.heard(STATE)[-1])["fen"] == stage.desk.session.rules.write_position(
        stage.desk.session.position
    )
    stage.pass_time(5, turns=5)
    assert len(stage.heard(STATE)) == told + 2


def test_silence_is_broken_now_and_then() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.pass_time(60, turns=60)
    assert stage.heard(STATUS) == [ONLINE] * 3


def test_the_clock_is_told_when_somebody_presses_it() -> None:
    stage = Stage()
    stage.pass_time(1)
    assert stage.heard(CLOCK) == [b""]
    stage.ask(m.NewGame("chess", {"clock": "10:00"}))
    stage.pass_time(1)
    stage.play()
    stage.pass_time(20, turns=5)
    clocks = [json.loads(clock) for clock in stage.heard(CLOCK)[1:]]
    assert [clock["runs"] for clock in clocks] == [None, "black"]
    assert clocks[1]["left"] == {"white": 600, "black": 596}
    stage.ask(m.CloseGame())
    stage.pass_time(1)
    assert stage.broker.kept.keys() & {BOARD.topic(CLOCK)} == set()


def test_a_pairing_is_proposed_and_taken_back() -> None:
    stage = Stage()

    def proposed(*payloads: bytes) -> list[str]:
        for payload in payloads:
            stage.broker.put(Letter(BOARD.topic(PAIRING), payload, is_sure=True, is_kept=True))
            stage.pass_time(1)
        proposal = stage.desk.snapshot.proposal
        return [proposal.head["white"], proposal.head["round"]] if proposal else []

    pairing = Pairing("3", {"white": "Ann", "black": "Bo"})
    assert proposed(write(pairing), b"nonsense", write(replace(pairing, game="ludo"))) == ["Ann", "3"]
    assert proposed(b"") == []
    assert proposed(write(pairing)) == ["Ann", "3"]
    stage.broker.cut(str(BOARD))
    stage.pass_time(1)
    stage.broker.put(Letter(BOARD.topic(PAIRING), b"", is_sure=True, is_kept=True))
    stage.broker.mend(str(BOARD))
    stage.settle()
    assert proposed() == []


def test_what_was_played_without_a_network_comes_in_order() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.broker.cut(str(BOARD))
    for _ in range(60):
        stage.play(3)
        stage.pass_time(60)
    stage.broker.mend(str(BOARD))
    stage.settle()
    assert stage.archive
    assert stage.archive.lines == stage.should
    assert stage.archive.order == sorted(stage.archive.order)


def test_letters_on_their_way_are_few() -> None:
    stage = Stage()
    stage.broker.cut(str(BOARD))
    stage.play(100)
    stage.broker.mend(str(BOARD))
    stage.broker.settle()
    stage.speaker.turn()
    assert sum(kind == EVENT for kind in kinds_of(stage)) == 0
    assert len(stage.speaker._outbox._flying) == 16


def test_games_of_before_and_imports_do_not_go_out_and_corrections_do() -> None:
    stage = Stage()
    old = stage.store.load(1)
    stage.ask(m.NewGame("chess"))
    stage.speaker = stage.begin_to_speak()
    stage.pass_time(5, turns=5)
    stage.store.add(old, 0.0)
    stage.store.note(2, Note("well played"))
    corrected = stage.store.correct(2, stage.store.load(2))
    stage.store.correct(1, old)
    stage.pass_time(5, turns=5)
    told = {read(event, LogLine).key.game for event in stage.heard(EVENT)}
    assert told == {2, corrected} == {2, 4}


def test_a_deleted_game_goes_out_all_the_same() -> None:
    stage = Stage()
    stage.pass_time(1)
    stage.broker.cut(str(BOARD))
    stage.play(4)
    stage.ask(m.CloseGame())
    stage.pass_time(1)
    stage.store.delete(1, stage.now)
    stage.broker.mend(str(BOARD))
    stage.settle()
    assert stage.archive
    assert len(stage.archive.lines) == 5


def test_lines_that_a_killed_broker_lost_are_sent_again() -> None:
    stage = Stage()
    archive = stage.archive
    assert archive
    stage.pass_time(1)
    stage.broker.save()
    stage.broker.cut("archive")
    stage.play(20)
    stage.pass_time(1)
    stage.broker.kill()
    stage.pass_time(1)
    stage.broker.start()
    stage.broker.mend("archive")
    stage.settle()
    assert archive.lines == stage.should


def test_without_an_archive_the_last_hour_is_sent_again_and_no_more() -> None:
    stage = Stage(has_archive=False)
    stage.play(3)
    stage.pass_time(2, turns=2)
    assert len(stage.heard(EVENT)) == 4
    for waited, expected in ((60, 8), (7200, 8)):
        stage.broker.stop()
        stage.pass_time(waited)
        stage.broker.start()
        stage.pass_time(2, turns=2)
        assert len(stage.heard(EVENT)) == expected


def test_an_archive_that_begins_anew_gets_everything() -> None:
    stage = Stage(has_archive=False)
    stage.play(30)
    stage.pass_time(10_000, turns=3)
    sent = len(stage.heard(EVENT))
    receipt = b'{"companion":"%s","games":{}}' % stage.store.identity.encode()
    stage.broker.put(Letter(BOARD.topic("archived"), receipt, is_sure=True, is_kept=True))
    stage.pass_time(30, turns=30)
    assert len(stage.heard(EVENT)) == 2 * sent
    stage.pass_time(3000, turns=30)
    assert len(stage.heard(EVENT)) == 2 * sent, "nobody has asked for it again"


def test_a_time_of_day_that_is_set_back_holds_no_line_back() -> None:
    """A Pi without a clock learns what time it is when it finds a network."""
    outbox = Outbox()
    outbox.add(1)
    outbox.make_ready(1, 5)
    for line in range(5):
        outbox.fly(1, line, line)
        outbox.sent(line, 2e9)
    outbox.take_receipt({1: 2}, 2e9)
    assert outbox.next() is None
    outbox.turn(1e9)
    assert outbox.next() == (1, 2)


def test_a_lost_file_of_the_outbox_loses_no_game_that_an_archive_knows() -> None:
    stage = Stage()
    stage.play(10)
    stage.pass_time(5, turns=5)
    stage.broker.cut(str(BOARD))
    stage.play(10)
    stage.ask(m.NewGame("trid"))
    stage.disk.save(stage.store.identity, {}, 0)
    stage.disk._db.execute("DELETE FROM cursors")
    stage.cut_power()
    stage.settle()
    assert stage.archive
    assert stage.archive.lines == stage.should


def test_a_game_with_secrets_is_told_when_it_is_over() -> None:
    stage = Stage(game="magnet")
    stage.play(10)
    stage.settle()
    assert [read(event, LogLine).kind for event in stage.heard(EVENT)] == ["begin"]
    stage.ask(m.Deed("resign", "red"))
    stage.settle()
    assert stage.archive
    assert stage.archive.lines == stage.should
    assert len(stage.archive.lines) == 12


def move_on(stage: Stage, steps: float) -> None:
    stage.speaker.turn()
    for _ in range(int(steps)):
        stage.broker.step()


def wait(stage: Stage, seconds: float) -> None:
    stage.now += seconds
    stage.speaker.turn()


def begin_another(stage: Stage, _: float) -> None:
    stage.ask(m.NewGame(stage.chance.choice(["chess", "trid", "magnet"])))
    stage.speaker.turn()


def take_back(stage: Stage, _: float) -> None:
    session = stage.desk.session
    if session.plies and not session.has_secrets and not session.outcome:
        stage.ask(m.TakeBack(1, "arbiter"))


def correct(stage: Stage, _: float) -> None:
    number = stage.chance.choice(stage.store.list()).id
    stage.store.correct(number, stage.store.load(number))


FAULTS: dict[str, Callable[[Stage, float], object]] = {
    "play": lambda stage, plies: stage.play(int(plies)),
    "move on": move_on,
    "wait": wait,
    "begin another": begin_another,
    "take back": take_back,
    "correct": correct,
    "cut": lambda stage, _: stage.broker.cut(str(BOARD)),
    "mend": lambda stage, _: stage.broker.mend(str(BOARD)),
    "cut archive": lambda stage, _: stage.broker.cut("archive"),
    "mend archive": lambda stage, _: stage.broker.mend("archive"),
    "cut power": lambda stage, _: stage.cut_power(),
    "save": lambda stage, _: stage.broker.save(),
    "stop": lambda stage, _: stage.broker.stop(),
    "kill": lambda stage, _: stage.broker.kill(),
    "start": lambda stage, _: stage.broker.start(),
}
OPS = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.integers(1, 8)),
        st.tuples(st.just("move on"), st.integers(1, 40)),
        st.tuples(st.just("wait"), st.sampled_from([0.05, 1, 12, 4000])),
        st.tuples(st.sampled_from(sorted(FAULTS.keys() - {"play", "move on", "wait"})), st.just(0)),
    ),
    max_size=40,
)


@settings(max_examples=40)
@example(ops=[("correct", 0), ("cut power", 0)], seed=0)
@given(ops=OPS, seed=st.integers(0, 99))
def test_all_lines_arrive_whatever_breaks(ops: list[tuple[str, float]], seed: int) -> None:
    stage = Stage(seed)
    archive = stage.archive
    assert archive
    for op, value in ops:
        FAULTS[op](stage, value)
    stage.broker.stop()
    stage.broker.start()
    stage.broker.mend("archive")
    stage.broker.mend(str(BOARD))
    stage.settle()
    assert archive.lines == stage.should
    if ("kill", 0) not in ops:  # what a killed broker has lost comes late
        assert sorted(archive.order, key=lambda key: key.game) == sorted(archive.order)
