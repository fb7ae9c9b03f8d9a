"""What owners of secrets alone are asked, and what all believe, at a desk that follows Magnet by a sensor."""

from random import Random

import pytest

from companion.games.text import read_game
from companion.record.session import ARBITER, Entry, Session, begin
from companion.referee import Referee
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.snapshot import Question
from companion.wire.state import Teller
from tests.companion.sensor import Sensor
from tests.shown import present
from tests.stores import open_store

GAME = read_game("magnet")
RULES = GAME.rules
SET_UP = ("=K222333444tT", "=K222333444tT")


def after(session: Session, *actions: str) -> Session:
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


class Seen:
    """A desk, the truth of its game, and a sensor that sees it."""

    def __init__(self, *actions: str, store: Store | None = None) -> None:
        self.truth = after(begin(GAME), *actions)
        # A search ends by its tries, and not by what else the machine has to do.
        self.desk = Desk(store or open_store(), Referee(clock=lambda: 0.0), wall=lambda: 0.0)
        self.sensor = Sensor(GAME)
        assert self.desk.handle(m.NewGame(self.truth.text))[0].ok
        self.see(self.truth)

    def see(self, truth: Session, seconds: float = 3.0) -> None:
        self.sensor.looks = dict(truth.look)
        self.sensor.show(self.desk, 0.3, hand=True)
        self.sensor.show(self.desk, seconds)

    def play(self, *actions: str) -> None:
        self.truth = after(self.truth, *actions)
        self.see(self.truth)

    def asked(self, player: str) -> tuple[tuple[str, ...], ...]:
        question = self.desk.snapshot.question_to(player)
        return question.choices if question else ()


def test_each_owner_is_asked_alone() -> None:
    seen = Seen(*SET_UP)
    for action in ("@f4", "a4", "@f9", "k4", "@d5"):
        seen.play(action)
    assert (seen.asked("red"), seen.asked("blue")) == ((("a4",), ("a4+",)), (("k4",), ("k4+",)))
    assert seen.desk.snapshot.question is None
    assert {question.id for question in seen.desk.snapshot.questions} == {1}
    assert seen.desk.handle(m.Answer(1, ("k4+",), "blue"))[0].ok
    assert (len(seen.asked("red")), seen.asked("blue")) == (2, ())
    assert seen.desk.handle(m.Answer(1, ("a4+",), "red"))[0].ok
    assert seen.desk.session.actions[2:] == ("@f4", "a4+", "@f9", "k4+", "@d5")
    assert not seen.desk.snapshot.questions


def test_an_answer_that_changes_nothing_is_seen_by_nobody_else() -> None:
    seen = Seen(*SET_UP)
    seen.play("@f4", "a4")
    before, belief = seen.desk.session, seen.desk.belief
    assert seen.desk.handle(m.Answer(1, ("a4",), "red"))[0].ok
    assert seen.desk.session is before
    assert seen.desk.belief is belief
    assert not seen.asked("red")


@pytest.mark.parametrize(("by", "choice"), [("blue", "a4+"), (ARBITER, "a4+"), ("red", "a5")])
def test_only_its_player_answers(by: str, choice: str) -> None:
    seen = Seen(*SET_UP)
    seen.play("@f4", "a4")
    reply, _ = seen.desk.handle(m.Answer(1, (choice,), by))
    assert (reply.ok, reply.words) == (False, "that question is no longer open")
    assert len(seen.asked("red")) == 2


def test_a_king_is_not_asked_about() -> None:
    seen = Seen("=222K333444tT", SET_UP[1])
    king = "a5"
    assert RULES.pieces(seen.truth.position)[king] == "red/K1"
    placed = next(
        a for a in RULES.legal(seen.truth.position) if king in RULES.legal(after(seen.truth, a).position)
    )
    seen.play(placed, king)
    assert seen.desk.session.actions[-1] == king
    assert not seen.asked("red")


def test_a_promotion_that_nobody_told_shows_when_the_piece_goes_farther() -> None:
    seen = Seen(*SET_UP)
    for action in ("@f4", "a4+", "@f9", "k4"):
        seen.play(action)
    assert seen.desk.session.actions[3] == "a4"
    seen.play("@f4", "b4")
    assert seen.desk.session.actions[3] == "a4+"
    assert seen.desk.session.actions[-1] == "b4"
    assert seen.desk.snapshot.verdict is None


def test_what_nobody_told_is_asked_again_after_a_restart() -> None:
    store = open_store()
    seen = Seen(*SET_UP, store=store)
    seen.play("@f4", "a4")
    again = Desk(store, wall=lambda: 0.0)
    assert again.handle(m.OpenGame(1))[0].ok
    assert again.snapshot.question_to("red") == Question(1, (("a4",), ("a4+",)), "red")


def trapped() -> tuple[Session, str]:
    """Returns a game, and an action that captures nothing but a trap."""
    for seed in range(200):
        chance = Random(seed)
        session = after(begin(GAME), *(RULES.set_up(begin(GAME).position, chance) for _ in SET_UP))  # type: ignore[attr-defined]
        for _ in range(80):
            action = chance.choice([a for a in RULES.legal(session.position) if a[-1] not in "+e"])
            step = RULES.play(session.position, action)
            if step.position.over:
                break
            if [event.kind for event in step.events] == ["moved", "captured", "destroyed"]:
                if len(session.position.left) == 1:
                    return session, action
                break
            session = after(session, action)
    raise AssertionError("no trap was captured")


def test_who_captures_a_trap_unawares_is_told_to_take_the_piece_off() -> None:
    session, action = trapped()
    seen = Seen(*session.actions)
    player, done = session.position.to_act, after(session, action)
    end = str(done.plies[-1].events[0].details["end"])
    seen.sensor.looks = {**done.look, end: player}
    seen.sensor.show(seen.desk, 0.3, hand=True)
    seen.sensor.show(seen.desk, 4.0)
    assert seen.desk.session.actions[-1] == action
    verdict = seen.desk.snapshot.verdict
    assert verdict is not None
    assert (verdict.kind, [(step.start, step.end) for step in verdict.steps]) == ("restore", [(end, None)])
    seen.see(done)
    assert seen.desk.snapshot.verdict is None


def test_who_takes_the_own_piece_off_learns_nothing_of_what_it_did_not_capture() -> None:
    """The board shows what a capture of a trap would leave; the piece was none, and its capture stands."""
    session, action = trapped()
    done = after(session, action)
    vertex = session.position.net.index[str(done.plies[-1].events[1].sites[0])]
    letters = [*session.actions[0][1:]], [*session.actions[1][1:]]
    owner = 1 - session.position.side
    kinds = "".join(letters[owner])
    start = start_of(session, vertex)
    other = next(n for n, letter in enumerate(kinds) if letter in "34" and n != start)
    letters[owner][start], letters[owner][other] = letters[owner][other], letters[owner][start]
    twin = after(begin(GAME), *("=" + "".join(own) for own in letters))
    for ply in session.plies[2:]:
        twin = after(twin, ply.action)
    seen = Seen(*twin.actions)
    seen.see(done, 4.0)
    assert seen.desk.session.actions[-1] == action
    assert seen.desk.snapshot.verdict is not None
    seen.see(after(twin, action))
    assert seen.desk.snapshot.verdict is None


def start_of(session: Session, vertex: int) -> int:
    """Returns the number of the starting vertex of the piece that stands on a vertex."""
    net = session.position.net
    at = net.names[vertex]
    for ply in reversed(session.plies):
        moves = [e.details for e in ply.events if e.kind == "moved"]
        at = next((str(move["start"]) for move in moves if move["end"] == at), at)
    return int(net.starts[1 - session.position.side].index(net.index[at]))


@pytest.mark.parametrize("look", ["red/K1", "red/21", "red/41", "red/K2"])
@pytest.mark.parametrize("letters", ["=K222333444tT", "=2K22333444tT"])
def test_a_correction_names_nothing_that_only_an_owner_knows(letters: str, look: str) -> None:
    seen = Seen(letters, SET_UP[1])
    looks = {**RULES.pieces(RULES.view(seen.truth.position, None)), "a2": look}
    reply, _ = seen.desk.handle(m.Correct(looks, "red"))
    words = f"'{look}' tells what only its owner knows: name a colour, with a rank or without"
    assert (reply.ok, reply.words) == (False, words)


@pytest.mark.parametrize("change", [{"a2": "red/2"}, {"a2": "empty"}, {"a2": "empty", "f6": "red"}])
@pytest.mark.parametrize("letters", ["=K222333444tT", "=2K22333444tT"])
def test_a_correction_is_taken_whatever_the_piece_is(letters: str, change: dict[str, str]) -> None:
    seen = Seen(letters, SET_UP[1])
    looks = {**RULES.pieces(RULES.view(seen.truth.position, None)), **change}
    assert seen.desk.handle(m.Correct(looks, "red"))[0].ok
    shown = RULES.pieces(RULES.view(seen.desk.session.position, None))
    assert [shown.get(place, "empty")[:3] for place in change] == [look[:3] for look in change.values()]


def test_a_magnet_that_stands_where_it_stood_is_no_action() -> None:
    seen = Seen(*SET_UP)
    seen.play("@d6")
    truth = after(seen.truth, "i8")
    seen.sensor.looks = {**truth.look, "d6": "magnet"}
    seen.sensor.show(seen.desk, 0.3, hand=True)
    seen.sensor.show(seen.desk, 6.0)
    session = seen.desk.snapshot.session
    assert session
    assert (session.actions[-2:], seen.desk.snapshot.verdict) == (("@d6", "i8"), None)
    seen.sensor.looks = dict(after(truth, "@h5").look)
    seen.sensor.show(seen.desk, 0.3, hand=True)
    seen.sensor.show(seen.desk, 3.0)
    session = seen.desk.snapshot.session
    assert session
    assert session.actions[-3:] == ("@d6", "i8", "@h5")


def test_a_magnet_that_is_used_where_it_stood_is_known_by_what_moved() -> None:
    seen = Seen(*SET_UP)
    seen.play("@d6")
    truth = after(seen.truth, "i8", "@d6", "d1")
    seen.sensor.looks = {**after(seen.truth, "i8").look, "d6": "magnet"}
    seen.sensor.show(seen.desk, 6.0)
    seen.sensor.looks = {**truth.look, "d6": "magnet"}
    seen.sensor.show(seen.desk, 0.3, hand=True)
    seen.sensor.show(seen.desk, 6.0)
    session = seen.desk.snapshot.session
    assert session
    assert session.actions[-4:] == ("@d6", "i8", "@d6", "d1")


def test_who_may_have_something_to_tell_is_known_to_all_and_tells_nothing() -> None:
    """Red's piece on i8 may be promoted or not, by its kind: the same player is named."""
    for set_up in ("=K222333444tT", "=" + "".join(reversed("K222333444tT"))):
        seen = Seen(set_up, SET_UP[1])
        seen.play("@d6")
        seen.play("i8")
        assert seen.desk.snapshot.teller == Teller("red", 4)
    assert Seen(*SET_UP).desk.snapshot.teller is None


def asked_of_many() -> Seen:
    """Returns a game after a turn in which a player may have promoted two pieces or more."""
    for seed in range(40):
        chance, seen = Random(seed), Seen(*SET_UP)
        for _ in range(24):
            legal = [a for a in RULES.legal(seen.truth.position) if a[-1] not in "+e"]
            if seen.truth.outcome or not legal:
                break
            seen.play(chance.choice(legal))
            for player in ("red", "blue"):
                if len(seen.asked(player)) > 2:
                    return seen
    raise AssertionError("no turn of many promotions")


def test_all_promotions_of_a_turn_are_one_question() -> None:
    count = len(asked_of_many().desk.snapshot.questions)
    for chosen in range(4):
        seen = asked_of_many()
        (player,) = (name for name in ("red", "blue") if len(seen.asked(name)) > 2)
        question = present(seen.desk.snapshot, player)["question"]
        assert question["words"] == "Tap the pieces that you promoted."
        assert len(question["choices"]) == 2 ** len(question["parts"])
        assert question["choices"][0]["words"] == "none of them"
        told = {n for n, part in enumerate(question["parts"]) if chosen in part["choices"]}
        choice = seen.asked(player)[chosen]
        assert len(told) == sum(action.endswith("+") for action in choice)
        before = seen.desk.session.actions
        assert seen.desk.handle(m.Answer(question["id"], choice, player))[0].ok
        assert len(seen.desk.snapshot.questions) == count - 1
        now = seen.desk.session.actions
        first = next(n for n in range(len(now)) if now[n : n + len(choice)] == choice)
        assert [a.removesuffix("+") for a in now] == [a.removesuffix("+") for a in before]
        assert now[:first] == before[:first]
        assert now[first + len(choice) :] == before[first + len(choice) :]
