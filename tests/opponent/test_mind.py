"""What an opponent plays: whole turns, what wins, what its level sees; and nothing that it may not know."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion import games
from companion.core.game import GameError
from companion.core.puzzle import Puzzle
from companion.record.opponents import LEVELS as OFFERED
from companion.record.record import read_any
from companion.record.session import Entry, Session, write_looks
from opponent.levels import LEVELS, Level
from opponent.mind import Choice, Question, ask, chance, choose, replay

HEADS = [
    *(name for name in games.GAMES if not isinstance(games.rules(name), Puzzle)),
    "magnet setup=random",
    "trid players=3",
    "trid players=4",
    "ternion_factor players=3",
    "draughts variant=international",
]
RED = "=K222333444tT"


def session_of(text: str) -> Session:
    return read_any(text).session()


def played(head: str, seed: int, actions: int) -> Session:
    """Returns a game of random actions, with set-ups that are dealt where there are any."""
    rng, session = random.Random(seed), session_of(head)
    for _ in range(actions):
        rules, position = session.rules, session.position
        dealt = rules.deal(position, {**session.game.options, "setup": "random"}, rng)
        actions_open = [dealt] if dealt else list(rules.considered(position))
        if not actions_open:
            break
        session = session.apply(Entry("action", rng.choice(actions_open)))
    return session


def begun(session: Session, number: int) -> Session:
    return replace(session, plies=session.plies[:number])


@pytest.mark.parametrize("head", HEADS)
def test_a_question_leads_to_the_position_as_its_seat_knows_it(head: str) -> None:
    session = played(head, 1, 60)
    for number in range(0, len(session.plies) + 1, 7):
        at = begun(session, number)
        for seat in at.players:
            positions = replay(ask(at, seat))[1]
            assert positions[-1] == at.seen_by(seat, at.position)


@pytest.mark.parametrize("head", HEADS)
def test_a_turn_can_be_played_and_is_the_same_again(head: str) -> None:
    session = played(head, 2, 25)
    question = ask(session, session.position.to_act, nodes=600)
    choice = choose(question)
    assert replace(choice, seconds=0.0) == replace(choose(question), seconds=0.0)
    assert 0 <= choice.worth <= 1
    assert choice.line[: len(choice.actions)] == choice.actions
    for action in choice.actions:
        assert session.position.to_act == question.seat
        session = session.apply(Entry("action", action))


@pytest.mark.parametrize("head", HEADS)
def test_a_game_is_played_from_its_first_action(head: str) -> None:
    session = session_of(head.removesuffix(" setup=random"))
    for _ in range(4):
        for action in choose(ask(session, session.position.to_act, 1, nodes=300)).actions:
            session = session.apply(Entry("action", action))
    assert len(session.plies) >= 4


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("chess fen=6k1/5ppp/8/8/8/8/5PPP/R5K1_w_-_-_0_1", ("a1a8",)),
        ("chess fen=7k/8/6K1/8/8/8/8/5Q2_w_-_-_0_1", ("f1f8",)),
    ],
)
def test_every_level_sees_a_win_in_one(level: int, text: str, turn: tuple[str, ...]) -> None:
    session = session_of(text)
    choice = choose(ask(session, session.position.to_act, level, engine="-"))
    assert (choice.actions, choice.worth) == (turn, 1.0)


def test_at_first_sight_a_capture_is_seen_and_little_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEVELS, 9, Level(nodes=500, depth=3, slips=1.0))

    def turns(text: str) -> set[tuple[str, ...]]:
        session = session_of(text)
        asked = (ask(session, session.position.to_act, 9, seed=seed, engine="-") for seed in range(12))
        return {choose(question).actions for question in asked}

    assert turns("chess fen=4k3/8/3q4/8/8/8/3Q4/4K3_w_-_-_0_1") == {("d2d6",)}
    assert turns("teleporters") == turns("teleporters")
    assert len(turns("teleporters")) > 6


def test_a_game_says_how_often_its_levels_play_at_first_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    session = session_of("ternion_factor")
    asked = [ask(session, session.position.to_act, 6, seed=seed, nodes=1_000) for seed in range(3)]
    assert min(choose(question).depth for question in asked) > 1
    monkeypatch.setattr(type(session.rules), "slips", {6: 1.0})
    assert {choose(question).depth for question in asked} == {1}


def test_a_piece_that_is_guarded_is_not_taken_by_who_looks_ahead() -> None:
    session = session_of("chess fen=4k3/2p5/3p4/8/8/8/3Q4/4K3_w_-_-_0_1")
    assert choose(ask(session, "white", 4, engine="-")).actions != ("d2d6",)


def test_who_is_ahead_does_not_repeat_the_position() -> None:
    past = "chess fen=7k/8/8/8/8/8/Q7/K7_w_-_-_0_1 a2b2 h8g8 b2a2 g8h8"
    assert choose(ask(session_of(past), "white", 3, engine="-")).actions != ("a2b2",)


def test_other_seeds_play_other_games() -> None:
    opening = session_of("triune")
    assert len({choose(ask(opening, "red", 1, seed=seed)).actions for seed in range(20)}) > 5


def test_levels_differ_in_what_they_spend() -> None:
    session = played("triune", 3, 30)
    spent = [choose(ask(session, session.position.to_act, level)).nodes for level in (1, 3, 4, 5)]
    assert spent == sorted(spent)
    assert len(set(spent)) == len(spent)


def test_a_puzzle_is_gone_on_with() -> None:
    assert choose(Question("queens", "solver")).worth == 1
    assert choose(Question("rooks", "solver")).actions


def test_time_only_caps() -> None:
    for head, seat in (("triune", "red"), ("teleporters", "south"), ("escape", "south")):
        choice = choose(Question(head, seat, seconds=0.0))
        assert choice.actions
        assert choice.nodes < LEVELS[6].nodes


def test_nobody_answers_for_another_or_after_the_end() -> None:
    with pytest.raises(GameError, match="blue"):
        choose(Question("triune", "blue"))
    with pytest.raises(GameError):
        choose(Question("chess", "black", ("f2f3", "e7e5", "g2g4", "d8h4")))
    with pytest.raises(GameError, match="e2e5"):
        choose(Question("chess", "black", ("e2e5",)))


def test_a_correction_is_followed() -> None:
    session = session_of("draughts")
    looks = {site: look for site, look in session.rules.pieces(session.position).items() if "white" in look}
    looks["f6"] = "black/man"
    text = write_looks("white", looks, session.rules.pieces(session.position))
    session = session.apply(Entry("correction", text, by="arbiter"))
    assert replay(ask(session, "white"))[1][-1] == session.position
    assert choose(ask(session, "white", 3)).worth > 0.9


def test_a_lost_game_is_given_up_and_a_worse_one_drawn() -> None:
    assert Choice((), 0.01).resigns
    assert not Choice((), 0.2).resigns
    assert Choice((), 0.4).takes_draw
    assert not Choice((), 0.6).takes_draw
    assert (chance(0), chance(-1010), chance(1010)) == (0.5, 0, 1)
    assert chance(4) == pytest.approx(10 / 11)


def secretly_different() -> Iterator[tuple[Session, Session]]:
    """Yields games that differ in blue's set-up alone, and not in anything that red has seen."""
    for seed in range(6):
        rng = random.Random(seed)
        letters = list(RED[1:])
        rng.shuffle(letters)
        other = letters[::-1]
        a, b = (session_of(f"magnet {RED} ={''.join(blue)}") for blue in (letters, other))
        for _ in range(12):
            if any(event.kind == "captured" for ply in a.plies for event in ply.events):
                break
            action = rng.choice(list(a.rules.legal(a.position)))
            if b.judge(action):  # a promotion that the other piece cannot have
                continue
            a, b = a.apply(Entry("action", action)), b.apply(Entry("action", action))
            if a.position.to_act == "red" and a.public_position == b.public_position:
                yield a, b


def test_what_it_may_not_know_changes_nothing() -> None:
    pairs = list(secretly_different())
    assert len(pairs) > 10
    for a, b in pairs:
        assert a.position != b.position
        assert ask(a, "red") == ask(b, "red")
    a, b = pairs[-1]
    choices = [replace(choose(ask(at, "red", nodes=1500)), seconds=0.0) for at in (a, b)]
    assert choices[0] == choices[1]


def test_a_guess_is_a_position_that_looks_the_same() -> None:
    for seed in range(5):
        session = played("magnet setup=random", seed, 60)
        rules, rng = session.rules, random.Random(seed)
        for position in session.positions()[2:]:
            if rules.outcome(position):
                continue
            for seat in ("red", "blue"):
                view = rules.view(position, seat)
                guess = rules.guess(view, seat, rng)
                assert rules.view(guess, seat) == view
                assert [code and code >> 3 & 7 for code in guess.pieces].count(1) == 2  # both kings


def test_the_levels_that_are_offered_are_those_that_there_are() -> None:
    assert list(LEVELS) == list(OFFERED)
