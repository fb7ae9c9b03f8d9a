"""Triune by its page: the perft suite, and every rule kept and broken."""

import itertools
import random
from pathlib import Path

import pytest

from companion.core.game import Breach, PositionError
from companion.core.perft import perft
from companion.games.text import read_game, replay
from companion.games.triune.board import SQUARES
from companion.games.triune.position import Position
from companion.games.triune.rules import Triune
from tests.suites import perft_suite

RULES = Triune()
START = read_game("triune").start()


def board(picture: str, turn: str = "red") -> Position:
    """A position drawn with rank 8 on top: r, m, t for Red's solid, marked and Triune; B, M, T for Blue's."""
    names = {"r": "red/solid", "m": "red/marked", "t": "red/triune"}
    names |= {"B": "blue/solid", "M": "blue/marked", "T": "blue/triune"}
    rows = enumerate(picture.split())
    drawn = {f"{file}{8 - y}": c for y, row in rows for file, c in zip("abcdefgh", row, strict=True)}
    looks = {square: names[c] for square, c in drawn.items() if c in names}
    return RULES.arrange(START, looks, turn)


def rules_broken(position: Position, action: str) -> set[str]:
    return {breach.rule for breach in RULES.judge(position, action)}


OPEN = board("""
    B.......
    ........
    ...M....
    ........
    .r......
    ........
    m..m...M
    t.......""")


@pytest.mark.parametrize(
    ("action", "broken"),
    [
        ("b4-b5", set()),
        ("b4-c5", set()),
        ("b4-b4", {"TR-2", "TR-7"}),
        ("b4-d5", {"TR-2"}),
        ("b4-b6", {"TR-3"}),
        ("b4-b7", {"TR-3"}),
        ("d2-d5", set()),
        ("d2-d3", {"TR-5"}),
        ("d2-d4", {"TR-5"}),
        ("d2-b4", {"TR-5", "TR-7"}),
        ("d2-d1", set()),
        ("a2-a1", {"TR-7"}),
        ("a2xa1", {"TR-7"}),
        ("a2-b1", set()),
        ("a2xb1", {"TR-8"}),
        ("d2-e1", set()),
        ("d2-h6", {"TR-4"}),
        ("d2-d6", {"TR-4", "TR-8"}),
        ("d2-g2", set()),
        ("d2-a2", {"TR-7"}),
        ("a2-d2", {"TR-7"}),
        ("a2xd2", {"TR-7"}),
        ("a1-a2", {"TR-7"}),
        ("a1-b2", set()),
        ("a1-c3", {"TR-11"}),
        ("a1-d4", set()),
        ("a1~", {"TR-11"}),
        ("b4~", set()),
        ("d2~", set()),
        ("d6~", {"TR-1"}),
        ("d6-d5", {"TR-1", "TR-5"}),
        ("e5~", {"TR-1"}),
        ("e5-e6", {"TR-1"}),
        ("b4xb5", {"TR-8"}),
        ("b4-b5=T", {"TR-10"}),
        ("pass", {"TR-13"}),
        ("b4", {"GEN-1"}),
        ("b4-b9", {"GEN-1"}),
        ("b4-b5 ", {"GEN-1"}),
        ("", {"GEN-1"}),
    ],
)
def test_rules_kept_and_broken(action: str, broken: set[str]) -> None:
    assert rules_broken(OPEN, action) == broken
    assert (action in set(RULES.legal(OPEN))) == (not broken)


EDGE = board("""
    r.......
    ........
    ........
    ........
    ........
    ........
    B.....mB
    .......B""")


@pytest.mark.parametrize(
    ("action", "broken", "why"),
    [
        ("g2-g1", set(), "the next step would leave the board"),
        ("g2xh2", {"TR-5"}, "an opponent's piece cannot be taken by a move of less than 3"),
        ("g2xh1", {"TR-5"}, "nor on the diagonal to the corner"),
        ("g2-f1", set(), "the diagonal edge counts too"),
        ("g2-f2", {"TR-5"}, "marked pieces cannot move less than three squares"),
        ("g2-d2", set(), "three squares"),
    ],
)
def test_the_edge_as_the_rulebook_has_it(action: str, broken: set[str], why: str) -> None:
    assert rules_broken(EDGE, action) == broken, why


BLOCKED = board("""
    ........
    .r......
    ........
    ........
    m.B.....
    ........
    ........
    ......BB""")


@pytest.mark.parametrize(
    ("action", "broken", "sites"),
    [("a4-d4", {"TR-6"}, ("c4",)), ("a4-a7", set(), ()), ("a4xd1", {"TR-8"}, ("d1",)), ("a4-d1", set(), ())],
)
def test_no_piece_is_passed_over(action: str, broken: set[str], sites: tuple[str, ...]) -> None:
    found = RULES.judge(BLOCKED, action)
    assert {b.rule for b in found} == broken
    assert tuple(s for b in found for s in b.sites) == sites


@pytest.mark.parametrize(
    ("action", "look"),
    [("b7-a8=T", "red/triune"), ("b7-b8", "red/solid"), ("b7-c8", "red/solid")],
)
def test_a_target_corner_makes_a_triune(action: str, look: str) -> None:
    after = RULES.play(BLOCKED, action).position
    assert action in set(RULES.legal(BLOCKED))
    assert RULES.look(after)[action[3:5]] == look


def test_the_crown_is_part_of_the_spelling() -> None:
    assert rules_broken(BLOCKED, "b7-a8") == {"TR-10"}


def test_a_triune_that_returns_to_a_corner_is_not_crowned_again() -> None:
    position = board("........ t....... r....... ........ ........ ........ ........ B......B")
    assert rules_broken(position, "a7-a8") == set()
    assert rules_broken(position, "a7-a8=T") == {"TR-10"}


def test_the_last_but_one_piece_wins() -> None:
    position = board("........ ........ ........ ...r.... ....B... ........ ........ B.......")
    step = RULES.play(position, "d5xe4")
    outcome = RULES.outcome(step.position)
    assert outcome is not None
    assert outcome.winner == "red"
    assert [e.kind for e in step.events] == ["moved", "captured", "won"]
    assert not list(RULES.legal(step.position))
    assert RULES.judge(step.position, "a1~") == (Breach("GEN-3"),)


def test_the_opening_has_38_actions() -> None:
    actions = set(RULES.legal(START))
    assert len(actions) == 38
    assert sum(a.endswith("~") for a in actions) == 16


def test_perft_suite(shared: Path) -> None:
    for text, counts in perft_suite(shared, "triune"):
        game, position, _ = replay(text)
        for depth, leaves in counts.items():
            assert perft(game.rules, position, depth) == leaves, (text, depth)


def random_positions(count: int, seed: int) -> list[Position]:
    rng, position, found = random.Random(seed), START, []
    while len(found) < count:
        position = START if RULES.outcome(position) else position
        found.append(position)
        position = RULES.play(position, rng.choice(list(RULES.legal(position)))).position
    return found


SPELLINGS = [
    *(f"{a}{m}{b}" for a, m, b in itertools.product(SQUARES, "-x", SQUARES)),
    *(f"{a}~" for a in SQUARES),
]


def assert_judge_is_legal(positions: list[Position]) -> None:
    for position in positions:
        legal = set(RULES.legal(position))
        crowned = {f"{a[:5]}=T" for a in SPELLINGS if a[3:5] in ("a8", "h8", "a1", "h1")}
        allowed = {a for a in (*SPELLINGS, *crowned) if not RULES.judge(position, a)}
        assert allowed == legal


def test_judge_agrees_with_legal_on_every_spelling() -> None:
    assert_judge_is_legal(random_positions(40, seed=1)[::7] + random_positions(400, seed=2)[::37])


@pytest.mark.soak
def test_judge_agrees_with_legal_in_a_thousand_positions() -> None:
    assert_judge_is_legal(random_positions(1000, seed=3))


@pytest.mark.parametrize(
    ("looks", "words"),
    [
        ({"a1": "green/solid"}, "not a piece"),
        ({"j9": "red/solid"}, "not a square"),
        ({"a1": "red/solid"}, "1 to 16"),
        ({}, "1 to 16"),
    ],
)
def test_arrangements_that_cannot_be(looks: dict[str, str], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        RULES.arrange(START, looks, "red")


def test_options() -> None:
    assert read_game("triune first=blue").start().turn == "blue"
