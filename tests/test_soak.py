"""The soaks, for a few minutes: `python -m benchmarks soak` tells growth and losses, `two_tables` losses."""

from __future__ import annotations

import pytest

from benchmarks.soak import Evening, has_grown, main
from benchmarks.soaking.life import Reported, Use
from benchmarks.two_tables import GAMES, play_game


def test_a_few_minutes_lose_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status, told = main(["--hours", "0.05", "--watched", "0"]), capsys.readouterr().out
    assert status == 0, told
    assert "20 displays" in told


@pytest.mark.parametrize(
    ("memory", "descriptors", "threads", "grown"),
    [(104, 9, 5, False), (106, 9, 5, True), (100, 10, 5, True), (100, 9, 6, True), (90, 8, 4, False)],
)
def test_growth_is_told(memory: int, descriptors: int, threads: int, grown: bool) -> None:
    first = [Use(float(n), 100, 9, 5, 0.0) for n in range(8)]
    last = [Use(float(n), memory, descriptors, threads, 0.0) for n in range(8)]
    assert has_grown(first, last) is grown


@pytest.mark.parametrize(
    ("found", "is_lost"), [(("a",), False), (("a", "b"), False), ((), True), (("a", "c"), True)]
)
def test_a_game_that_goes_on_otherwise_is_told(found: tuple[str, ...], is_lost: bool) -> None:
    evening = Evening()
    for news in (
        Reported("begun", 1, ()),
        Reported("doing", 1, ("a",)),
        Reported("done", 1, ("a",)),
        Reported("doing", 1, ("a", "b")),
        Reported("begun", 1, found),
    ):
        evening.hear(news)
    assert bool(evening.lost) is is_lost


def test_two_tables_come_to_the_same_record_through_a_cut_and_two_ends() -> None:
    assert len(play_game("triune", 1)) > 3


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_two_tables_come_to_the_same_record_through_ten_cuts_and_twenty_ends(game: str) -> None:
    assert len(play_game(game, 10)) > 20
