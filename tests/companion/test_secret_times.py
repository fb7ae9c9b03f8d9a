"""Magnet over a sensor, in pairs of worlds that differ in Red's secrets alone.

All that Blue and spectators get, and when they get it, is the same. The clocks are the test's own. Blue's own
questions are left out: one question is open at a table at a time, so that Red's may make Blue's wait.
"""

from collections.abc import Callable, Sequence
from itertools import count
from random import Random
from typing import Any

import pytest

from companion.core.game import GameError
from companion.games.text import read_game
from companion.record.session import Entry, Session, begin
from companion.referee import Referee
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.present import present
from tests.companion.sensor import Sensor
from tests.stores import open_store

GAME = read_game("magnet")
BLUE = "=43t3TK434222"
Told = list[tuple[float, list[dict[str, Any]]]]


def steps() -> Callable[[], float]:
    """Returns a clock that goes on by a millisecond whenever it is read."""
    ticks = count()
    return lambda: next(ticks) / 1000


def sessions(actions: Sequence[str]) -> list[Session]:
    """Returns the sessions after each of these actions."""
    found = [begin(GAME)]
    for action in actions:
        found.append(found[-1].apply(Entry("action", action)))
    return found


def told(red: str, blue: str, actions: Sequence[str]) -> Told:
    """Returns what a spectator and Blue are shown, and when, while hands do these actions."""
    desk = Desk(open_store(), Referee(clock=steps()), wall=lambda: 0.0)
    for message in (m.NewGame("magnet", {}), m.Submit(red, "red"), m.Submit(blue, "blue")):
        assert desk.handle(message)[0].ok
    sensor, shown = Sensor(GAME), Told()
    for session in sessions((red, blue, *actions))[2:]:
        sensor.looks = dict(session.look)
        for n in range(21):
            assert desk.handle(m.Seen(sensor.sight(hand=n < 3)))[0].ok
            now = [present(desk.snapshot, viewer) for viewer in (None, "blue")]
            assert now[0]["question"] is None
            del now[1]["question"]
            if not shown or shown[-1][1] != now:
                shown.append((round(sensor.time, 1), now))
    return shown


def pair(seed: int) -> tuple[str, str, str, list[str]]:
    """Returns two set-ups of Red's, one of Blue's, and actions that look alike after both."""
    chance = Random(seed)
    rules = GAME.rules
    while True:
        red, blue = (rules.set_up(begin(GAME).position, chance) for _ in range(2))
        pieces = list(red[1:])
        king, other = pieces.index("K"), chance.randrange(len(pieces))
        pieces[king], pieces[other] = pieces[other], "K"
        twin = "=" + "".join(pieces)
        session, actions = sessions((red, blue))[-1], list[str]()
        while len(actions) < 6 and not session.outcome:
            actions.append(chance.choice([a for a in rules.legal(session.position) if a != "declare"]))
            session = session.apply(Entry("action", actions[-1]))
        if red != twin and look_alike(sessions((red, blue, *actions)), (twin, blue, *actions)):
            return red, twin, blue, actions


def look_alike(played: list[Session], others: Sequence[str]) -> bool:
    """Returns whether Blue learns the same of these sessions and of others by these actions."""
    try:
        pairs = list(zip(played, sessions(others), strict=True))
    except GameError:
        return False  # a promotion that only one of the pieces can have
    return all(seen_by_blue(a) == seen_by_blue(b) for a, b in pairs)


def seen_by_blue(session: Session) -> Any:
    return session.outcome or session.rules.view(session.position, "blue")


def test_an_action_is_told_as_soon_whether_a_piece_is_the_king() -> None:
    actions = ["@j2", "j7", "@h7", "h1", "k4"]
    as_king, as_three = (told(red, BLUE, actions) for red in ("=24T2324t343K", "=24T2424t3K33"))
    assert as_king == as_three
    assert [move["action"] for move in as_king[-1][1][0]["moves"][2:]] == actions


@pytest.mark.parametrize("seed", range(2))
def test_what_others_get_does_not_depend_on_secrets(seed: int) -> None:
    red, twin, blue, actions = pair(seed)
    assert told(red, blue, actions) == told(twin, blue, actions)


def test_a_hand_over_the_board_is_waited_for() -> None:
    """Whether what is seen under a hand is beyond doubt depends on secrets."""
    desk = Desk(open_store(), Referee(clock=steps()), wall=lambda: 0.0)
    for message in (m.NewGame("magnet", {}), m.Submit("=24T2324t343K", "red"), m.Submit(BLUE, "blue")):
        assert desk.handle(message)[0].ok
    sensor = Sensor(GAME)
    sensor.looks = dict(desk.session.look)
    sensor.show(desk)
    sensor.looks = dict(sessions(("=24T2324t343K", BLUE, "@j2", "j7"))[-1].look)
    sensor.show(desk, 3.0, hand=True)
    assert not desk.session.plies[2:]
    sensor.show(desk, 2.5)
    assert desk.session.actions[-1] == "j7"
