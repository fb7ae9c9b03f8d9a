"""Tournament reports (TRF16): rounds as pairing programs leave them, and results that change nothing else."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hall.rounds.pairs import Pair, RoundError, Score
from hall.rounds.trf import SIGNS, fill_in, pairings, read_engine_pairs, read_report, with_pairs

CELL = "{opponent:>4} {colour} {result}"


def line(number: int, name: str, *cells: str, points: str = "0.0", rating: str = "1900") -> str:
    """A player's line in the columns of the format; a cell is written as `12 w 1`."""
    head = f"001 {number:4} m    {name:<33} {rating:>4} GER 12345678901 1990/01/31 {points:>4} {number:4}"
    return head + "".join("  " + f"{cell:>8}" if cell.strip() else " " * 10 for cell in cells)


def report(*lines: str, end: str = "\n", encoding: str = "utf-8") -> bytes:
    return "".join(each + end for each in ("012 Spring Open", "022 Bern", "XXR 5", *lines)).encode(encoding)


ROUND_3 = (
    line(1, "Amsel, Ann", "3 w 1", "2 b 1", "4 w  ", points="2.0"),
    line(2, "Berg, Bo", "4 b =", "1 w 0", "3 b  ", points="0.5"),
    line(3, "Çelik, Cy", "1 b 0", "0000 - U", "2 w  ", points="1.0"),
    line(4, "Dahl, Di", "2 w =", "5 b +", "1 b  ", points="1.5"),
    line(5, "Ernst, Ed", "0000 - H", "4 w -", "0000 - Z", points="0.5"),
    line(6, "Frei, Flo", "", "", "0000 - H", points="0.5"),
)
TEAMS = ("013 Horses                           1    2", "XXC white1 rank", "### XXR is 5", "132 26/01/02", "")
GAMES = (
    Pair(1, "Amsel, Ann", "Dahl, Di", 3, event="Spring Open", numbers=(1, 4)),
    Pair(2, "Çelik, Cy", "Berg, Bo", 3, event="Spring Open", numbers=(3, 2)),
)
BYE = Pair(0, "Frei, Flo", "", 3, event="Spring Open", numbers=(6, 0))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=repr)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_round_is_read(end: str, encoding: str) -> None:
    found = pairings(read_report(report(*ROUND_3, *TEAMS, end=end, encoding=encoding)), 3)
    assert (found.pairs, found.faults) == ((*GAMES, BYE), ())


def test_columns_may_be_counted_in_bytes() -> None:
    """As programs do that know no letters beyond ASCII; what is written is in the same columns."""
    content = report(*ROUND_3).replace("Çelik, Cy ".encode(), "Çelik, Cy".encode())
    found = read_report(content)
    assert pairings(found, 3).pairs == (*GAMES, BYE)
    assert fill_in(found, 3, []) == content
    filled = read_report(fill_in(found, 3, [replace(GAMES[1], score=Score.WIN)]))
    assert [pair.score for pair in pairings(filled, 3).pairs[:2]] == [Score.OPEN, Score.WIN]


def test_the_head_is_read() -> None:
    found = read_report(report(*ROUND_3, *TEAMS, "222 40/6000+30:900+30", "XXS W=3 D=1"))
    assert (found.event, found.city, found.round_count) == ("Spring Open", "Bern", 5)
    assert found.clock == "40/100:00,15:00+30"
    assert read_report(b"142 7\n").round_count == 7


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("5400+30", "90:00+30"),
        ("300", "5:00"),
        ("90", "1:30"),
        ("W300-B240", ""),
        ("90 min", ""),
        ("1:2", ""),
    ],
)
def test_time_controls(text: str, clock: str) -> None:
    assert read_report(f"222 {text}\n".encode()).clock == clock


def test_scores_of_rounds_that_were_played() -> None:
    found = pairings(read_report(report(*ROUND_3)), 1)
    assert [(pair.numbers, pair.score) for pair in found.pairs if not pair.is_bye] == [
        ((1, 3), Score.WIN),
        ((4, 2), Score.DRAW),
    ]
    second = pairings(read_report(report(*ROUND_3)), 2).pairs
    assert {pair.numbers: pair.score for pair in second if not pair.is_bye} == {
        (2, 1): Score.LOSS,
        (5, 4): Score.FORFEIT_LOSS,
    }


def test_boards_follow_the_points_that_the_tournament_gives() -> None:
    players = [
        line(1, "A", "3 w =", "4 w =", "2 w  "),
        line(2, "B", "4 b =", "3 b =", "1 b  "),
        line(3, "C", "1 b =", "2 w =", "4 w  "),
        line(4, "D", "2 w =", "1 b =", "3 b  "),
        line(5, "E", "6 w 1", "6 b 0", "6 w  "),
        line(6, "F", "5 b 0", "5 w 1", "5 b  "),
    ]
    assert [pair.first for pair in pairings(read_report(report(*players)), 3).pairs] == ["A", "C", "E"]
    assert pairings(read_report(report(*players, "XXS W=3 D=1")), 3).pairs[0].first == "E"


FAULTS = {
    "columns": ([line(1, "A", "2w   1"), line(2, "B", "1 b 0")], [4, 5]),
    "result": ([line(1, "A", "2 w X"), line(2, "B", "1 b 0")], [4, 5]),
    "number": ([line(1, "A", "2 w 1").replace("001    1", "001    x"), line(2, "B", "0000 - U")], [4]),
    "name": ([line(1, "", "0000 - U")], [4]),
    "twice": ([line(1, "A", "0000 - U"), line(1, "B", "0000 - U")], [5]),
    "nobody": ([line(1, "A", "9 w  ")], [4]),
    "not mutual": ([line(1, "A", "2 w  "), line(2, "B", "3 b  "), line(3, "C", "2 w  ")], [4]),
    "same colours": ([line(1, "A", "2 w  "), line(2, "B", "1 w  ")], [4, 5]),
    "one result": ([line(1, "A", "2 w 1"), line(2, "B", "1 b  ")], [4, 5]),
}


@pytest.mark.parametrize(("lines", "numbers"), FAULTS.values(), ids=FAULTS)
def test_a_line_that_is_wrong_is_told_with_its_number(lines: list[str], numbers: list[int]) -> None:
    found = pairings(read_report(report(*lines)), 1)
    assert [fault.line for fault in found.faults] == numbers
    assert all(fault.words for fault in found.faults)


def test_a_wrong_cell_is_told_with_its_column() -> None:
    (fault,) = read_report(report(line(1, "A", "0000 - U", "2 w X"))).faults
    assert fault.words == "round 2 (from column 102) reads '   2 w X': it has to be '  12 w 1'"


def test_results_change_nothing_else() -> None:
    before = report(*ROUND_3, *TEAMS, end="\r\n", encoding="cp1252")
    scores = {(1, 4): Score.WIN, (3, 2): Score.DRAW}
    done = [Pair(0, "", "", 3, score, numbers=numbers) for numbers, score in scores.items()]
    after = fill_in(read_report(before), 3, done)
    assert len(after) == len(before)
    assert bytes(b for a, b in zip(before, after, strict=True) if a != b) == b"1==0"
    found = pairings(read_report(after), 3)
    assert {pair.numbers: pair.score for pair in found.pairs if not pair.is_bye} == scores
    assert fill_in(read_report(after), 3, [Pair(0, "", "", 3, Score.LOSS, numbers=(1, 4))]) == after


def test_points_are_added_where_wanted() -> None:
    done = [Pair(0, "", "", 3, Score.WIN, numbers=(1, 4)), Pair(0, "", "", 3, Score.DRAW, numbers=(3, 2))]
    text = fill_in(read_report(report(*ROUND_3)), 3, done, with_points=True).decode()
    players = [each for each in text.splitlines() if each.startswith("001")]
    assert [each[80:84] for each in players] == [" 3.0", " 1.0", " 1.5", " 1.5", " 0.5", " 0.5"]


def test_pairs_of_an_engine_become_a_round() -> None:
    before = read_report(report(*(each[:111].rstrip() for each in ROUND_3)))
    assert not pairings(before, 3).pairs
    after = with_pairs(before, 3, read_engine_pairs("3\n1 4\n3 2\n6 0\n"))
    assert pairings(after, 3).pairs == GAMES
    with pytest.raises(RoundError, match="player 9"):
        with_pairs(before, 3, [(9, 1)])


@pytest.mark.parametrize("text", ["", "2\n1 2\n", "1\n1 2 3\n", "1\n1 b\n", "x\n", "1\n12345 1\n"])
def test_a_list_of_pairs_is_whole(text: str) -> None:
    with pytest.raises(RoundError, match="no list of pairs"):
        read_engine_pairs(text)


def test_a_player_who_is_paired_otherwise_keeps_the_opponent() -> None:
    with pytest.raises(RoundError, match="another one"):
        fill_in(read_report(report(*ROUND_3)), 3, [Pair(0, "", "", 3, Score.WIN, numbers=(1, 2))])


NAMES = st.text(st.characters(categories=["L"]), min_size=1, max_size=33)


@given(st.data(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.sampled_from(["\n", "\r", "\r\n"]))
def test_what_is_filled_in_is_read_again(data: st.DataObject, encoding: str, end: str) -> None:
    count = 2 * data.draw(st.integers(1, 4))
    numbers = data.draw(st.permutations(range(1, count + 1)))
    names = data.draw(st.lists(NAMES, min_size=count, max_size=count))
    games = list(pairwise(numbers))[::2]
    cells = {white: f"{black} w  " for white, black in games} | {
        black: f"{white} b  " for white, black in games
    }
    lines = [line(number, names[number - 1], cells[number]) for number in sorted(numbers)]
    content = report(*lines, end=end, encoding=encoding)
    before = read_report(content)
    assert before.text.encode(before.encoding) == content
    found = pairings(before, 1)
    assert found.faults == ()
    assert {pair.numbers: (pair.first, pair.second) for pair in found.pairs} == {
        (white, black): (names[white - 1], names[black - 1]) for white, black in games
    }
    scores = {game: data.draw(st.sampled_from([*SIGNS, Score.OPEN])) for game in games}
    done = [Pair(0, "", "", 1, score, numbers=game) for game, score in scores.items()]
    after = fill_in(before, 1, done)
    assert {pair.numbers: pair.score for pair in pairings(read_report(after), 1).pairs} == scores
    marks = sum(a != b for a, b in zip(content, after, strict=True))
    assert marks == 2 * sum(score is not Score.OPEN for score in scores.values())


@given(st.binary(max_size=300), st.binary(max_size=40))
def test_any_bytes_are_read(content: bytes, more: bytes) -> None:
    found = read_report(b"XXS " + more + b"\n001    1 " + content)
    assert found.text.encode(found.encoding) == b"XXS " + more + b"\n001    1 " + content
    pairings(found, 1)
