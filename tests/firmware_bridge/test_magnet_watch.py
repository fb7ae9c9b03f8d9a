"""A magnet that is held still is told from one that passes, and from a supply that moves."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from firmware_bridge.setup.calibrate import Scan
from firmware_bridge.setup.magnet_watch import Baseline, MagnetWatch

SITES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
PERIOD_S = 0.05


class Board:
    """Sensors with a little noise, and a supply that moves all of them."""

    def __init__(self, noise: float = 1.0) -> None:
        self.rng, self.noise, self.supply = random.Random(1), noise, 0.0

    def scan(self, swings: Mapping[str, float] | None = None) -> Scan:
        return {
            site: round(512 + self.supply + (swings or {}).get(site, 0.0) + self.rng.gauss(0, self.noise))
            for site in SITES
        }


class Hand:
    """Scans one after the other, at a steady pace."""

    def __init__(self, noise: float = 1.0) -> None:
        self.board = Board(noise)
        self.watch = MagnetWatch(Baseline([self.board.scan() for _ in range(40)]))
        self.now = 0.0

    def hold(self, seconds: float, wanted: str | None = None, **swings: float) -> None:
        for _ in range(round(seconds / PERIOD_S)):
            self.now += PERIOD_S
            self.watch.scan(self.board.scan(swings), self.now, wanted)


def test_a_magnet_that_is_held_is_felt_for_as_long() -> None:
    hand = Hand()
    hand.hold(1.0, c3=160)
    assert hand.watch.felt == "c3"
    assert hand.watch.held == pytest.approx(1.0, abs=2 * PERIOD_S)
    assert hand.watch.swing("c3") == pytest.approx(160, abs=3)
    assert hand.watch.levels()["c3"] == pytest.approx(672, abs=3)


def test_a_magnet_that_passes_is_never_still() -> None:
    hand = Hand()
    longest = 0.0
    for site in "abcdefgh":
        for swing in (20, 80, 150, 90, 25):
            hand.hold(PERIOD_S, **{f"{site}1": swing})
            longest = max(longest, hand.watch.held)
    assert longest < 0.2


def test_a_magnet_that_comes_down_slowly_counts_from_when_it_is_down() -> None:
    hand = Hand()
    for swing in range(30, 160, 15):
        hand.hold(PERIOD_S, c3=swing)
    hand.hold(0.5, c3=160)
    assert 0.4 <= hand.watch.held <= 0.8


@pytest.mark.parametrize("swing", [12, -12])
def test_what_is_hardly_felt_is_nothing(swing: int) -> None:
    hand = Hand()
    hand.hold(1.0, c3=swing)
    assert hand.watch.felt is None
    assert hand.watch.is_clear


def test_a_noisy_sensor_is_not_taken_for_a_magnet() -> None:
    hand = Hand(noise=30)
    hand.hold(3.0)
    assert hand.watch.felt is None


def test_a_supply_that_sags_is_no_magnet_and_hides_none() -> None:
    hand = Hand()
    hand.board.supply = -35
    hand.hold(1.0)
    assert hand.watch.felt is None
    hand.hold(1.0, c3=100)
    assert hand.watch.felt == "c3"
    assert hand.watch.swing("c3") == pytest.approx(100, abs=3)


def test_of_two_that_feel_the_same_the_wanted_one_answers() -> None:
    hand = Hand()
    hand.hold(1.0, wanted="c3", c3=150, d3=160)
    assert hand.watch.felt == "c3"
    hand.hold(1.0, wanted="e5", c3=150, d3=160)
    assert hand.watch.felt in ("c3", "d3")


def test_a_lifted_magnet_leaves_a_clear_board_after_a_moment() -> None:
    hand = Hand()
    hand.hold(1.0, c3=160)
    hand.hold(PERIOD_S)
    assert not hand.watch.is_clear
    hand.hold(0.3)
    assert hand.watch.is_clear
    assert hand.watch.held == 0.0


def test_shared_noise_is_told_from_a_sensor_s_own() -> None:
    board = Board()
    scans = []
    for _ in range(60):
        board.supply = board.rng.gauss(0, 8)
        scans.append(board.scan())
    baseline = Baseline(scans)
    assert 6 < baseline.ripple < 10
    assert max(baseline.noise.values()) < 2.5
