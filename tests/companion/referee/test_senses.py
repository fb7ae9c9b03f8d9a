"""Simulated eyes: how they err in the referee's benchmark."""

from dataclasses import replace
from random import Random

import pytest

from benchmarks.referee import run
from benchmarks.simulation.senses import ERRORS, EYES, NEAR, LastingSenses, Senses, senses_of
from benchmarks.simulation.trials import Tally
from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game

CHESS = read_game("chess")
START = dict(CHESS.rules.look(CHESS.start()))
ALWAYS = replace(ERRORS["real"], rate=1.0, sure=1.0, beside=1.0)


def misread(senses: Senses, looks: dict[Place, Look]) -> set[Place]:
    return {p for p, reading in senses.readings(looks).items() if reading.best() != looks.get(p, EMPTY)}


def test_a_place_is_misread_until_something_changes_there() -> None:
    senses = LastingSenses(CHESS, "colours", Random(1), ALWAYS)
    assert not misread(senses, START)
    moved = {place: look for place, look in START.items() if place != "e2"} | {"e4": "white"}
    assert [misread(senses, moved) for _ in range(50)] == [{"e2", "e4"}] * 50
    senses._errors = replace(ALWAYS, rate=0.0)
    assert not misread(senses, START)


def test_places_under_a_hand_are_unknown_and_those_beside_it_wrong() -> None:
    senses = LastingSenses(CHESS, "colours", Random(1), ALWAYS)
    seen, _ = senses.under_hand(START, "e4")
    hidden = {place for place, reading in seen.items() if len({reading.other, *reading.looks.values()}) == 1}
    wrong = {place for place, reading in seen.items() if reading.best() != START.get(place, EMPTY)} - hidden
    assert hidden == {"e4", "d4", "f4", "e3", "e5"}
    assert wrong == {
        place for place in CHESS.board.sites
        if place not in hidden and abs(ord(place[0]) - 101) ** 2 + abs(int(place[1]) - 4) ** 2 <= NEAR**2
    }  # fmt: skip


@pytest.mark.parametrize(("unnoticed", "noticed"), [(0.0, True), (1.0, False)])
def test_a_hand_may_go_unnoticed(unnoticed: float, noticed: bool) -> None:
    senses = LastingSenses(CHESS, "colours", Random(1), replace(ALWAYS, unnoticed=unnoticed))
    assert senses.under_hand(START, "e4")[1] is noticed


@pytest.mark.parametrize("kind", ["colours", "occupancy"])
def test_only_eyes_err_like_eyes(kind: str) -> None:
    kinds = [type(senses_of(eyes, CHESS, kind, Random(1))) for eyes in EYES]
    lasting = LastingSenses if kind == "colours" else Senses
    assert kinds == [Senses, lasting, lasting]


def test_a_game_is_played_before_such_eyes() -> None:
    tally: Tally = run("play", "triune", "colours", 1, 5, eyes="real")
    assert tally.counts["all"] > 0
    assert not tally.counts["believed"]
