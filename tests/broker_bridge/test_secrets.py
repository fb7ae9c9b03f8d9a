"""No secret of Magnet leaves by the broker: worlds that differ in secrets alone say the same, byte by byte.

What is compared is all that was published on all topics, in its order, with the times in it.
"""

from collections.abc import Callable
from random import Random

import pytest

from benchmarks.simulation.virtual_broker import VirtualBroker
from broker_bridge.link import Letter
from broker_bridge.outbox_file import OutboxFile
from broker_bridge.speaker import Speaker, membership_of
from companion.record.session import Session
from companion.store.store import Store
from companion.table import messages as m
from tests.broker_bridge.stage import BOARD, DeskAsTable, Stage
from tests.companion.test_secret_times import World, after, next_alike, twins, worlds
from tests.stores import keep_open

SAME = "of both worlds"


def stage_of(session: Session) -> Stage:
    """Returns a board on which this game was begun, in a store that is called as the other world's is."""
    stage = Stage(game=session.text)
    stage.broker.drop(str(BOARD))
    call_same(stage.store)
    stage.broker.seen.clear()
    stage.speaker = stage.begin_to_speak()
    stage.pass_time(1)
    return stage


def call_same(store: Store) -> None:
    store.transaction.rows("UPDATE settings SET value = ? WHERE name = 'identity'", (SAME,))


def random_game(seed: int, begin: Callable[[Stage], None] = lambda stage: None) -> tuple[Stage, Stage, int]:
    """Plays a game in two worlds that all but one player cannot tell apart; returns both, and the plies.

    `begin` is called with each before the first ply.
    """
    chance = Random(seed)
    owner = chance.choice(("red", "blue"))
    pair = twins(owner, chance)
    stages = stage_of(pair[0]), stage_of(pair[1])
    for stage in stages:
        begin(stage)
    plies = 0
    while plies < 24 and (action := next_alike(owner, *pair, chance)):
        plies += 1
        player = pair[0].position.to_act
        pair = after(pair[0], action), after(pair[1], action)
        wait = chance.choice((0.05, 1, 40))
        for stage in stages:
            stage.ask(m.Submit(action, player))
            stage.pass_time(wait)
        if pair[0].outcome:
            break
    return *stages, plies


def test_games_tell_no_secret() -> None:
    """Fifty games, with all that a hall makes of them: `tests/hall/test_secrets.py`."""
    first, second, plies = random_game(50)
    assert plies > 3
    assert first.broker.seen == second.broker.seen
    for stage in (first, second):
        stage.ask(m.Deed("resign", "red"))
        stage.settle()
    assert first.broker.seen != second.broker.seen, "now all is known"


def overheard(world: World) -> list[Letter]:
    """Lets a speaker follow a world; returns the list of what it says, which grows."""
    broker, file = VirtualBroker(), OutboxFile(":memory:")
    keep_open(Closing(file.close))
    call_same(world.desk._store)
    table, link = DeskAsTable(world.desk), broker.link(membership_of(BOARD))
    speaker = Speaker(BOARD, link, table, world.desk._store, file, wall=lambda: world.sensor.time)
    speaker.open()
    note = world.note

    def note_and_tell() -> None:
        note()
        table.tell()
        broker.settle()
        speaker.turn()
        broker.settle()

    world.note = note_and_tell  # type: ignore[method-assign]
    return broker.seen


class Closing:
    """Closes something when the test has ended."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close

    def __enter__(self) -> "Closing":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 20))])
def test_a_board_that_is_watched_tells_no_secret(seed: int) -> None:
    first, second, deeds = worlds(seed)
    heard = overheard(first), overheard(second)
    for deed in deeds:
        deed(first)
        deed(second)
        assert heard[0] == heard[1]
    assert len(heard[0]) > 3
