"""Draughts, English and international: counts of the literature, every rule kept and broken, and words."""

import random

import pytest

from companion.core.game import EMPTY, OptionError, PositionError
from companion.core.perft import perft
from companion.games.draughts.position import Position
from companion.games.draughts.rules import Draughts
from companion.games.draughts.words import write_fen
from companion.games.text import read_game, replay

RULES = Draughts()
ENGLISH, INTERNATIONAL = "draughts", "draughts variant=international"
COUNTS = {
    ENGLISH: (7, 49, 302, 1469, 7361, 36768, 179740, 845931),
    INTERNATIONAL: (9, 81, 658, 4265, 27117, 167140, 1049442),
}
"""Leaf counts from the start, by depth, as programs for draughts have published them."""
ORDINARY = {ENGLISH: 6, INTERNATIONAL: 5}
"""The depth up to which every run counts; beyond it the soak does."""


def at(head: str, fen: str) -> Position:
    """The position of a FEN."""
    position: Position = read_game(f"{head} fen={fen}").start()
    return position


def broken(position: Position, action: str) -> dict[str, tuple[str, ...]]:
    return {breach.rule: breach.sites for breach in RULES.judge(position, action)}


def numbers(position: Position) -> set[str]:
    """The legal actions in the numbers of draughts."""
    number = position.variant.net.numbers
    return {
        ("x" if "x" in action else "-").join(str(number[site]) for site in RULES.path(action))
        for action in RULES.legal(position)
    }


@pytest.mark.parametrize("head", COUNTS)
def test_as_many_lines_as_published(head: str) -> None:
    start = read_game(head).start()
    for depth in range(1, ORDINARY[head] + 1):
        assert perft(RULES, start, depth) == COUNTS[head][depth - 1], depth


@pytest.mark.soak
@pytest.mark.parametrize("head", COUNTS)
def test_as_many_long_lines_as_published(head: str) -> None:
    start = read_game(head).start()
    for depth in range(ORDINARY[head] + 1, len(COUNTS[head]) + 1):
        assert perft(RULES, start, depth) == COUNTS[head][depth - 1], depth


@pytest.mark.parametrize(("head", "first", "men", "opening"), [
    (ENGLISH, "black", 12, {"9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"}),
    (INTERNATIONAL, "white", 20,
     {"31-26", "31-27", "32-27", "32-28", "33-28", "33-29", "34-29", "34-30", "35-30"}),
])  # fmt: skip
def test_who_begins_and_how(head: str, first: str, men: int, opening: set[str]) -> None:
    start = read_game(head).start()
    assert (start.turn, RULES.players(start)[0]) == (first, first)
    assert list(RULES.look(start).values()).count("white") == men
    assert numbers(start) == opening


@pytest.mark.parametrize(("head", "fen", "legal"), [
    # English: a man captures forward only, a king both ways, and any capture may be chosen
    (ENGLISH, "W:W18:B14,22", {"18x9"}),
    (ENGLISH, "W:WK18:B14,22", {"18x9", "18x25"}),
    (ENGLISH, "W:W30,18:B25,14,6", {"18x9x2", "30x21"}),
    (ENGLISH, "W:W32:B27,18", {"32x23x14"}),
    (ENGLISH, "W:WK1:B6,7,14,15", {"1x10x3", "1x10x17", "1x10x19"}),
    # a man that reaches the king row ends its turn
    (ENGLISH, "W:W11:B7,6", {"11x2"}),
    (ENGLISH, "W:W10:B6,7,8", {"10x1", "10x3"}),
    (ENGLISH, "W:WK10:B6,7,8", {"10x1", "10x3x12"}),
    # a king moves one square
    (ENGLISH, "B:W32:BK10", {"10-6", "10-7", "10-14", "10-15"}),
    # a king that captures around a ring comes back to where it began, in one action
    (ENGLISH, "W:WK30:B26,18,17,25", {"30x21x14x23x30"}),
    # international: men capture backward too
    (INTERNATIONAL, "W:W28:B22,33,1", {"28x17", "28x39"}),
    # the majority must be taken
    (INTERNATIONAL, "W:W28,36:B22,12,31,1", {"36x27x18x7"}),
    # a man that passes the king row in mid capture goes on, and stays a man
    (INTERNATIONAL, "W:W14:B9,8,18", {"14x3x12x23"}),
    # a king flies, and lands on any square behind
    (INTERNATIONAL, "W:WK46:BK6", {
        "46-41", "46-37", "46-32", "46-28", "46-23", "46-19", "46-14", "46-10", "46-5"}),
    (INTERNATIONAL, "W:WK46:B28", {"46x23", "46x19", "46x14", "46x10", "46x5"}),
    (INTERNATIONAL, "W:WK46:B28,14,10", {"46x23", "46x19"}),
    (INTERNATIONAL, "W:WK46:B28,23", {"46-41", "46-37", "46-32"}),
    (INTERNATIONAL, "W:WK46:B28,10", {"46x23x5"}),
    # what is captured is taken off when all is over, and stands in the way until then
    (INTERNATIONAL, "W:WK47:B38,20,24", {"47x33", "47x29"}),
])  # fmt: skip
def test_what_is_legal(head: str, fen: str, legal: set[str]) -> None:
    assert numbers(at(head, fen)) == legal


def test_a_king_that_captures_around_a_ring_changes_only_what_it_takes() -> None:
    position = at(ENGLISH, "W:WK30:B26,18,17,25")
    [action] = RULES.legal(position)
    changed, numbers = RULES.change(position, action), position.variant.net.numbers
    assert changed is not None
    assert {numbers[site]: change for site, change in changed.items()} == dict.fromkeys(
        (17, 18, 25, 26), ("black", EMPTY)
    )


def test_a_piece_may_not_be_jumped_twice() -> None:
    """Coup Turc: the king comes to a stop before a piece that it has taken already."""
    position = at(INTERNATIONAL, "W:WK26:B9,12,18,23,24,38,42,43")
    for action in RULES.legal(position):
        taken = set(RULES.look(position)) - set(RULES.look(RULES.play(position, action).position))
        assert len(taken - {RULES.path(action)[0]}) == action.count("x")


@pytest.mark.parametrize(("head", "fen", "action", "rules"), [
    (ENGLISH, "W:W21:B1", "a3-b4", set()),
    (ENGLISH, "W:W21:B1", "b8-a7", {"DR-1"}),
    (ENGLISH, "W:W21:B1", "c3-d4", {"DR-1"}),
    (ENGLISH, "W:W21:B1", "a3-a4", {"DR-2"}),
    (ENGLISH, "W:W21:B1", "b8-b7", {"DR-1", "DR-2"}),
    (ENGLISH, "W:W22:B1", "c3-b2", {"DR-3"}),
    (ENGLISH, "W:W22:B1", "c3-e5", {"DR-3"}),
    (ENGLISH, "W:WK22:B1", "c3-e5", {"DR-5"}),
    (ENGLISH, "W:W22,17:B1", "c3-b4", {"DR-11"}),
    (ENGLISH, "W:W22,31:B18", "e1-f2", {"DR-4"}),
    (ENGLISH, "W:W22,31:B18", "e1-e5", {"DR-3", "DR-4"}),
    (ENGLISH, "W:W22:B18", "c3xe5", set()),
    (ENGLISH, "W:W22:B18", "c3xa5", {"DR-6"}),
    (ENGLISH, "W:W22:B18", "c3xd4", {"DR-11"}),
    (ENGLISH, "W:W22,18:B1", "c3xe5", {"DR-6"}),
    (ENGLISH, "W:W18:B22", "d4xb2", {"DR-6"}),
    (ENGLISH, "W:W22:B18,11", "c3xe5", {"DR-7"}),
    (ENGLISH, "W:W11:B7,6", "f6xd8xb6", {"DR-9"}),
    (ENGLISH, "W:WK22:B18", "c3xe5xc3", {"DR-10"}),
    (ENGLISH, "W:WK30:B26,18,17,25", "c1xe3xc5xa3xc1", {"GEN-1"}),
    (ENGLISH, "W:W22:B18", "c3xi9", {"GEN-1"}),
    (ENGLISH, "W:W22:B18", "c3-d4-e5", {"GEN-1"}),
    (ENGLISH, "W:W22:B18", "22x15", {"GEN-1"}),
    (INTERNATIONAL, "W:W28,36:B22,12,31,1", "e5xc7xe9", {"DR-8"}),
    (INTERNATIONAL, "W:W28,36:B22,12,31,1", "e5xc7", {"DR-7"}),
    (INTERNATIONAL, "W:W28,36:B22,12,31,1", "a3-b4", {"DR-11", "DR-4"}),
    (INTERNATIONAL, "W:WK46:B28,23", "a1-g7", {"DR-5"}),
    (INTERNATIONAL, "W:WK46:B28,23", "a1xg7", {"DR-6"}),
    (INTERNATIONAL, "W:WK46:B28", "a1xh8xe5", {"DR-11"}),
])  # fmt: skip
def test_rules_kept_and_broken(head: str, fen: str, action: str, rules: set[str]) -> None:
    position = at(head, fen)
    assert set(broken(position, action)) == rules
    assert (action in set(RULES.legal(position))) == (not rules)


def test_who_must_capture_is_told() -> None:
    assert broken(at(ENGLISH, "W:W22,31:B18"), "e1-f2") == {"DR-4": ("c3",)}


@pytest.mark.parametrize(("head", "fen", "action", "site", "face"), [
    (ENGLISH, "W:W11:B7,6", "f6xd8", "d8", "white/king"),
    (ENGLISH, "B:W32:B21", "a3-b2", "b2", "black/man"),
    (ENGLISH, "B:W32:B25", "b2-a1", "a1", "black/king"),
    (INTERNATIONAL, "W:W14:B9,8,18", "h8xf10xd8xf6", "f6", "white/man"),
    (INTERNATIONAL, "W:W6:B20", "a9-b10", "b10", "white/king"),
])  # fmt: skip
def test_crowning(head: str, fen: str, action: str, site: str, face: str) -> None:
    position = at(head, fen)
    if action not in set(RULES.legal(position)):
        pytest.fail(f"{action} is not among {list(RULES.legal(position))}")
    after = RULES.play(position, action).position
    assert RULES.pieces(after)[site] == face
    assert RULES.look(after)[site] == face.partition("/")[0]


@pytest.mark.parametrize(("head", "fen", "line", "winner", "reason"), [
    (ENGLISH, "W:W18:B15", "18x11", "white", "all opposing pieces are captured"),
    (ENGLISH, "W:W17,25:B13", "25-22", "white", "the opponent cannot move"),
    (ENGLISH, "W:W21,22:B13", "22-17", None, None),
    (ENGLISH, "W:WK1:BK32", "1-6 32-28 6-1 28-32 " * 2, None, None),
    (INTERNATIONAL, "W:WK46,K47,K50:BK4", "46-41", None, None),
])  # fmt: skip
def test_ends(head: str, fen: str, line: str, winner: str | None, reason: str | None) -> None:
    _, position, _ = replay(f"{head} fen={fen} {line}")
    outcome = RULES.outcome(position)
    assert (outcome and outcome.winner, outcome and outcome.reason) == (winner, reason)


def test_a_third_repetition_is_claimed_in_english_draughts_and_a_draw_in_international() -> None:
    _, position, _ = replay(f"{ENGLISH} fen=W:WK1:BK32 " + "1-6 32-28 6-1 28-32 " * 2)
    assert RULES.claim(position) == "the same position for the third time"
    assert list(RULES.legal(position))
    _, once, _ = replay(f"{ENGLISH} fen=W:WK1:BK32 1-6 32-28 6-1 28-32")
    assert RULES.claim(once) == ""
    shuffle = "i1-h2 b10-c9 h2-i1 c9-b10 " * 2
    _, position, _ = replay(f"{INTERNATIONAL} fen=W:WK50,45,40:BK1,6,11 {shuffle}")
    ended = RULES.outcome(position)
    assert ended is not None
    assert (ended.winner, ended.reason) == (None, "the same position for the third time")
    assert RULES.claim(position) == ""


@pytest.mark.parametrize(("head", "fen", "quiet", "left", "reason"), [
    (ENGLISH, "W:WK1,20:BK32", 79, 0, "40 moves"),
    (INTERNATIONAL, "W:WK1,40,45:BK47,13", 49, 0, "25 moves"),
    (INTERNATIONAL, "W:WK46,K47,K50:BK4", 3, 1, "single king"),
    (INTERNATIONAL, "W:WK46:BK4", 3, 1, "single king"),
])  # fmt: skip
def test_draws_by_counting(head: str, fen: str, quiet: int, left: int, reason: str) -> None:
    position = at(head, fen)._replace(quiet=quiet, left=left)
    assert RULES.outcome(position) is None
    kings = {site for site, piece in RULES.pieces(position).items() if piece.endswith("king")}
    action = next(a for a in RULES.legal(position) if RULES.path(a)[0] in kings)
    outcome = RULES.outcome(RULES.play(position, action).position)
    assert outcome
    assert outcome.winner is None
    assert reason in outcome.reason


@pytest.mark.parametrize(("fen", "left"), [
    ("W:WK46,K47,K50:BK4", 32),
    ("W:WK46,47,50:BK4", 32),
    ("W:WK46,47:BK4", 10),
    ("W:WK46:BK4", 10),
    ("W:WK46,K47,K50,K49:BK4", 0),
    ("W:W47:BK4", 0),
    ("W:WK46,K47:B4", 0),
])  # fmt: skip
def test_few_pieces_have_so_many_moves_left(fen: str, left: int) -> None:
    assert at(INTERNATIONAL, fen).left == left


@pytest.mark.parametrize(("left", "after"), [(30, 10), (4, 3)])
def test_a_capture_gives_no_more_time_against_a_single_king(left: int, after: int) -> None:
    position = at(INTERNATIONAL, "B:WK32,K33,K50:BK28")._replace(left=left)
    captures = [action for action in RULES.legal(position) if "x" in action]
    assert captures
    assert {RULES.play(position, action).position.left for action in captures} == {after}


@pytest.mark.parametrize(("fen", "action", "others"), [
    ("W:WK46,50:B32,14,26", "a1xe5xi9", {"f6", "g7"}),  # wherever it lands between the two
    ("W:WK46:B41,37", "a1xd4", set()),
    ("W:W13:B9,10", "f8xh10xj8", set()),
])  # fmt: skip
def test_a_capture_may_rest_wherever_its_ways_lead(fen: str, action: str, others: set[str]) -> None:
    position = at(INTERNATIONAL, fen)
    for legal in RULES.legal(position):
        stops = {*RULES.stops(position, legal)}
        assert {*RULES.path(legal)} <= stops
        if legal == action:
            assert stops - {*RULES.path(legal)} == others


@pytest.mark.parametrize(("head", "fen", "text", "action"), [
    (ENGLISH, "", "11-15", "f6-e5"),
    (ENGLISH, "", "11-99", "11-99"),
    (ENGLISH, "W:W32:B27,18", "32x23x14", "g1xe3xc5"),
    (ENGLISH, "W:W32:B27,18", "32x14", "g1xe3xc5"),
    (ENGLISH, "W:W32:B27,18", "32:14", "g1xe3xc5"),
    (ENGLISH, "W:W32:B27,18", "g1xc5", "g1xe3xc5"),
    (ENGLISH, "W:W32:B27,18", "g1xa3xc5", "g1xa3xc5"),
    (ENGLISH, "W:WK30:B26,18,17,25", "c1xe3xc5xa3xc1", "c1xa3xc5xe3xc1"),
    (INTERNATIONAL, "W:WK46:B28,10,14", "46x19", "a1xg7"),
    (INTERNATIONAL, "W:WK46:B28,10", "46x5", "a1xf6xj10"),
    (INTERNATIONAL, "W:WK46:B28,10", "46x14x5", "a1xf6xj10"),
])  # fmt: skip
def test_other_ways_to_write(head: str, fen: str, text: str, action: str) -> None:
    position = at(head, fen) if fen else read_game(head).start()
    assert RULES.read(position, text) == action


@pytest.mark.parametrize(("head", "fen"), [
    (ENGLISH, "W:W21,22,K30:B1,2,K3"),
    (ENGLISH, "B:WK32:B5"),
    (INTERNATIONAL, "W:W21,22,K30:B1,2,K50"),
])  # fmt: skip
def test_fen_comes_back(head: str, fen: str) -> None:
    assert write_fen(at(head, fen)) == fen


def test_fen_knows_ranges_and_either_order() -> None:
    assert at(ENGLISH, "B:B1-12:W21-32") == read_game(ENGLISH).start()


@pytest.mark.parametrize(("fen", "words"), [
    ("nonsense", "is no FEN"),
    ("W:W1:W2", "is no FEN"),
    ("W:W33:B1", "no square of this board"),
    ("W:W5,5:B1", "twice"),
    ("W:W:B", "no piece"),
    ("W:W20:B20", "one square"),
    ("W:W9-22:B1", "at most 12"),
])  # fmt: skip
def test_a_fen_that_is_none_is_refused(fen: str, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        at(ENGLISH, fen)


@pytest.mark.parametrize(("looks", "words"), [
    ({"a1": "green"}, "not a piece"),
    ({"a2": "white"}, "not a piece"),
    ({}, "no piece"),
    ({"b8": "white/man"}, "is a king"),
])  # fmt: skip
def test_arrangements_that_cannot_be(looks: dict[str, str], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        RULES.arrange(read_game(ENGLISH).start(), looks, "white")


@pytest.mark.parametrize(("fen", "looks", "kinds"), [
    ("W:WK30,22:B1", {"e3": "white", "c3": "white", "b8": "black"}, {"e3": "king", "c3": "man"}),
    ("W:WK30,22:B1", {"c1": "white", "d4": "white", "b8": "black"}, {"c1": "king", "d4": "man"}),
    ("W:W22:B1", {"c3": "white", "d8": "white", "b8": "black"}, {"d8": "king", "c3": "man"}),
])  # fmt: skip
def test_a_correction_knows_kings_by_what_went(
    fen: str, looks: dict[str, str], kinds: dict[str, str]
) -> None:
    pieces = RULES.pieces(RULES.arrange(at(ENGLISH, fen), looks, "white"))
    assert {site: pieces[site].partition("/")[2] for site in kinds} == kinds


def test_a_correction_asks_where_kinds_cannot_be_told() -> None:
    with pytest.raises(PositionError, match="name their kinds"):
        RULES.arrange(at(ENGLISH, "W:WK30,22:B1"), {"e3": "white", "d4": "white", "b8": "black"}, "white")


@pytest.mark.parametrize(("fen", "changed", "first"), [
    ("W:W32:B27,18", {"g1": ("white", EMPTY), "e3": (EMPTY, "white"), "f2": ("black", EMPTY)}, "g1xe3"),
    ("W:W32:B1", {"g1": ("white", EMPTY), "h2": (EMPTY, "white")}, "g1-h2"),
    ("W:W32:B27", {"g1": ("white", EMPTY), "h2": (EMPTY, "white")}, "g1-h2"),
])  # fmt: skip
def test_what_hands_may_have_meant(fen: str, changed: dict[str, tuple[str, str]], first: str) -> None:
    assert next(RULES.attempts(at(ENGLISH, fen), changed)) == first


def test_the_whole_space_of_moves_from_square_to_square() -> None:
    """In positions of random games: no step and no single jump is judged other than it is listed."""
    chance = random.Random(5)
    for head in COUNTS:
        position = read_game(head).start()
        sites = list(position.variant.net.index)
        for ply in range(40):
            legal = list(RULES.legal(position))
            if not legal:
                break
            if ply % 3 == 0:  # of either player, in turn
                space = {a + mark + b for a in RULES.look(position) for mark in "-x" for b in sites}
                allowed = {action for action in space if not RULES.judge(position, action)}
                assert allowed == set(legal) & space
            position = RULES.play(position, chance.choice(legal)).position
