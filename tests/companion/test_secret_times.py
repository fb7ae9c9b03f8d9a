"""Magnet over a sensor, in pairs of worlds that differ in one player's secrets alone.

All that the opponent, spectators and the arbiter get is the same, and when: what is shown, what they are
asked, and what they are refused. The clocks are the test's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest

from benchmarks.simulation.trials import owners_choice
from companion.core.game import EMPTY, GameError
from companion.games.text import read_game
from companion.record.session import ARBITER, Entry, Session, begin
from companion.referee import Referee
from companion.table import messages as m
from companion.table.desk import Desk
from tests.companion.sensor import Sensor
from tests.shown import present
from tests.stores import open_store

GAME = read_game("magnet")
RULES = GAME.rules
BLUE = "=43t3TK434222"
OTHER = {"red": "blue", "blue": "red"}
HAND, CALM = 3, 18
"""Sightings with a hand before a board, and without one after it, ten a second."""


def steps() -> Callable[[], float]:
    """Returns a clock that goes on by a millisecond whenever it is read."""
    ticks = count()
    return lambda: next(ticks) / 1000


def after(session: Session, *actions: str) -> Session:
    for action in actions:
        session = session.apply(Entry("action", action))
    return session


@dataclass
class World:
    """A table in one of two worlds, and all that others than the owner of the secrets get of it."""

    owner: str
    truth: Session
    clock: str = ""
    got: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sensor = Sensor(GAME)
        self.sensor.looks = dict(self.truth.look)
        time = lambda: self.sensor.time  # noqa: E731
        self.desk = Desk(open_store(), Referee(clock=steps()), wall=time, steady=time)
        head = {"clock": self.clock} if self.clock else {}
        assert self.desk.handle(m.NewGame(self.truth.text, head))[0].ok
        self.watch(0, 6)

    def watch(self, hand: int = HAND, calm: int = CALM) -> None:
        """The sensor looks on; what others are shown is noted with its time."""
        for n in range(hand + calm):
            assert self.desk.handle(m.SightingArrived(self.sensor.sight(hand=n < hand)))[0].ok
            self.note()

    def note(self) -> None:
        shown = [present(self.desk.snapshot, viewer) for viewer in (None, OTHER[self.owner], ARBITER)]
        if not self.got or self.got[-1][1] != shown:
            self.got.append((round(self.sensor.time, 1), shown))

    def show(self, looks: Mapping[str, str], hand: int = HAND, calm: int = CALM) -> None:
        self.sensor.looks = dict(looks)
        self.watch(hand, calm)

    def send(self, message: m.Message) -> None:
        """Others than the owner send a message, and get a reply."""
        self.got.append((message, self.desk.handle(message)[0]))
        self.note()

    def answer(self, player: str) -> None:
        """A player answers all that it is asked, truly."""
        for _ in range(20):
            question = self.desk.snapshot.question_to(player)
            if question is None:
                return
            choice = owners_choice(self.desk.session, question, self.truth)
            self.desk.handle(m.Answer(question.id, choice, player))
            self.note()


Deed = Callable[[World], None]


def play(world: World, actions: Sequence[str], hand: int = HAND) -> None:
    world.truth = after(world.truth, *actions)
    world.show(world.truth.look, hand)


def enter(world: World, action: str) -> None:
    """A player enters an action on the own device, and lays it on the board."""
    player = world.truth.position.to_act
    world.truth = after(world.truth, action)
    world.desk.handle(m.Submit(action, player))
    world.note()
    world.show(world.truth.look)


def meddle(world: World, changed: Mapping[str, str]) -> None:
    """Hands change the board, and put it back."""
    looks = {**world.truth.look, **changed}
    world.show({place: look for place, look in looks.items() if look != EMPTY}, calm=24)
    world.show(world.truth.look)


def answer(world: World, player: str) -> None:
    world.answer(player)
    world.watch(0, 4)


def probe(world: World, messages: Sequence[m.Message]) -> None:
    for message in messages:
        world.send(message)
    world.watch(0, 2)


def worlds(seed: int) -> tuple[World, World, list[Deed]]:
    """Returns two worlds that look alike to all but an owner of secrets, and what is done in both."""
    chance = Random(seed)
    owner = chance.choice(("red", "blue"))
    while True:
        first, second = twins(owner, chance)
        for _ in range(chance.choice((0, 4, 20, 60))):
            one = next_alike(owner, first, second, chance)
            if one:
                first, second = after(first, one), after(second, one)
        deeds = list(script(owner, (first, second), chance))
        if deeds:
            control = chance.choice(("", "10:00+5"))
            return World(owner, first, control), World(owner, second, control), deeds


def twins(owner: str, chance: Random) -> tuple[Session, Session]:
    """Returns two games in which that player's set-ups differ."""
    red, blue = (RULES.set_up(begin(GAME).position, chance) for _ in OTHER)  # type: ignore[attr-defined]
    own = list((red if owner == "red" else blue)[1:])
    other = own.copy()
    for n in (own.index("K"), *chance.sample(range(len(own)), chance.randrange(3))):
        k = chance.choice([k for k in range(len(own)) if own[k] != other[n]])
        other[n], other[k] = other[k], other[n]
    set_ups = [("=" + "".join(letters)) for letters in (own, other)]
    pairs = [(text, blue) if owner == "red" else (red, text) for text in set_ups]
    first, second = (after(begin(GAME), *pair) for pair in pairs)
    return first, second


def next_alike(owner: str, first: Session, second: Session, chance: Random) -> str:
    """Returns an action after which both worlds still look alike; '' where none is found."""
    if first.outcome or second.outcome:
        return ""
    legal = [action for action in RULES.legal(first.position) if action != "declare"]
    for action in chance.sample(legal, min(6, len(legal))):
        try:
            pair = after(first, action), after(second, action)
        except GameError:
            continue  # a promotion that only one of the pieces can have
        if alike(owner, *pair):
            return action
    return ""


def alike(owner: str, first: Session, second: Session) -> bool:
    """Returns whether others than the owner learn the same of both."""
    views = (RULES.view(session.position, OTHER[owner]) for session in (first, second))
    return first.outcome == second.outcome and len({*views}) == 1


def script(owner: str, pair: tuple[Session, Session], chance: Random, stops: int = 4) -> Iterator[Deed]:
    """Yields what is done at each stop; nothing where the worlds part at once."""
    for _ in range(stops):
        actions = list[str]()
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            if action := next_alike(owner, *pair, chance):
                actions.append(action)
                pair = after(pair[0], action), after(pair[1], action)
        if not actions:
            return
        is_entered = len(actions) == 1 and chance.random() < 0.15
        yield (
            partial(enter, action=actions[0])
            if is_entered
            else partial(play, actions=actions, hand=chance.choice((0, HAND, HAND)))
        )
        if pair[0].outcome:
            return
        for player in ("red", "blue"):
            if chance.random() < 0.6:
                yield partial(answer, player=player)
        if chance.random() < 0.4:
            yield partial(meddle, changed=meddling(owner, pair[0], chance))
        if chance.random() < 0.5:
            yield partial(probe, messages=probes(owner, pair[0], chance))


def meddling(owner: str, session: Session, chance: Random) -> dict[str, str]:
    """Returns a change of the board: a piece of the other player's moved, any piece gone, or a magnet."""
    looks, sites = session.look, session.game.board.sites
    free = chance.choice([site for site in sites if site not in looks])
    own = [place for place, look in looks.items() if look == OTHER[owner]]
    gone = chance.choice([place for place, look in looks.items() if look in OTHER])
    moved = chance.choice(own)
    return chance.choice(({moved: EMPTY, free: OTHER[owner]}, {gone: EMPTY}, {free: "magnet"}))


def probes(owner: str, session: Session, chance: Random) -> list[m.Message]:
    """Returns what the other player, and an arbiter, may ask for to learn a secret."""
    position, other = RULES.view(session.position, None), OTHER[owner]
    hidden = chance.choice([place for place, look in session.look.items() if look == owner])
    named = {**RULES.pieces(position), hidden: f"{owner}/K1"}
    choice = ((f"{hidden}+",), (hidden,))[chance.randrange(2)]
    return [
        m.Submit(f"{hidden}+", other),
        m.Submit("declare", other),
        m.Correct(named, position.turn),
        *(m.Answer(n, choice, by) for n in range(4) for by in (other, ARBITER)),
    ]


def compare(seed: int) -> World:
    first, second, deeds = worlds(seed)
    for deed in deeds:
        deed(first)
        deed(second)
        for one, other in zip(first.got, second.got, strict=False):
            assert one == other, deed
        assert len(first.got) == len(second.got), deed
    return first


def test_an_action_is_told_as_soon_whether_a_piece_is_the_king() -> None:
    pair = [World("red", after(begin(GAME), red, BLUE)) for red in ("=24T2324t343K", "=24T2424t3K33")]
    for world in pair:
        for action in ("@j2", "j7", "@h7", "h1", "k4"):
            play(world, [action])
    assert pair[0].got == pair[1].got
    shown = pair[0].got[-1][1]
    assert [move["action"] for move in shown[0]["moves"][2:]] == ["@j2", "j7", "@h7", "h1", "k4"]


def test_an_action_is_told_as_soon_as_the_board_has_held() -> None:
    world = World("red", after(begin(GAME), "=24T2324t343K", BLUE))
    play(world, ["@j2", "j7"])
    told = next(time for time, shown in world.got if len(shown[0]["moves"]) == 4)
    assert told == pytest.approx(0.6 + HAND / 10 + 0.5)


@pytest.mark.parametrize("seed", range(2, 4))
def test_what_others_get_does_not_depend_on_secrets(seed: int) -> None:
    compare(seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(200))
def test_what_others_get_does_not_depend_on_secrets_in_many_games(seed: int) -> None:
    compare(seed)
