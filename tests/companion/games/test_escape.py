"""Escape! by its page and its rulebook: the perft suite, every rule kept and broken, random games."""

import json
import random
from importlib import resources
from pathlib import Path

import pytest

from companion import games, rulebook
from companion.core.game import GameError, PositionError
from companion.core.perft import perft
from companion.games.escape.position import Position
from companion.games.text import read_game, replay
from tests.suites import perft_suite
from tests.ternion import after, broken, told

GAME = "escape"
RULES = games.rules(GAME)
START = read_game(GAME).start()


def lay_out(south: str, north: str, turn: str = "south") -> Position:
    looks = dict.fromkeys(south.split(), "south") | dict.fromkeys(north.split(), "north")
    return RULES.arrange(START, looks, turn)


CHAIN = lay_out("e5 c4", "f6 g7 c9")
"""South on e5 can jump over f6 and on over g7."""
FINISH = lay_out("e10 d3", "e11 d11 j9")
"""South on e10 can jump over e11 into North's home zone, from where d11 could be jumped."""
EDGE = lay_out("b6 d3", "b7 b9 c8 c7 j9")
"""South on b6 jumps over b7 out of bounds; only from there b9 could be jumped."""
HOME = lay_out("d1 e1 g1 i1 f3 d5 b9", "f2 c9 j9")
"""All of South's home zone is taken but f1."""
NOWHERE = lay_out("c2 d2 f2 g2 h2 i2 e1 f1 g1 i1", "c3 b5 j9")
"""South's pawn on c2 could be returned to d1, which would fill the zone, or to where it began."""
SHUT = lay_out("e5", "d5 e4 e6 f4 f6 c4 c5 d6 d3 e3 d7 f7 f3 g4 g5 g6")
"""South's last pawn within two rings of North's."""
ZONE = ("d1", "e1", "f1", "g1", "i1")

CASES = [
    # position, kept, broken, the rules broken and where
    (START, "d3>c4", "d10>c9", {"ES-1": ("d10",)}),
    (CHAIN, "e5>h7", "h7>h8", {"ES-1": ("h7",)}),
    (CHAIN, "e5>g6", "e5>e4", {"ES-2": ("e5", "e4")}),
    (CHAIN, "e5>g6", "e5>f6", {"ES-2": ("f6",)}),
    (CHAIN, "e5>h8", "e5>j9", {"ES-2": ("e5", "j9")}),
    (CHAIN, "e5>h8", "e5>e5", {"ES-3": ("e5",)}),
    (CHAIN, "e5>h8", "e5>g6>e5", {"ES-3": ("e5",)}),
    (CHAIN, "e5>h8", "e5>g6>j9", {"ES-2": ("g6", "j9")}),
    (CHAIN, "e5>h8", "e5>g6>h8", {"GEN-1": ("e5", "g6", "h8")}),
    (CHAIN, "e5>h8", "e5>h8=d1", {"ES-5": ("h8",)}),
    (CHAIN, "e5~e3", "e5~e4", {"ES-6": ("e5", "e4")}),
    (CHAIN, "e5~e3", "e5~d6", {"ES-6": ("e5", "d6")}),
    (CHAIN, "e5~e3", "e5~e5", {"ES-6": ("e5",)}),
    (CHAIN, "e5~e3", "f6~f9", {"ES-1": ("f6",)}),
    (CHAIN, "e5~e3", "pass", {"ES-9": ()}),
    (CHAIN, "e5~e3", "e5-e4", {"GEN-1": ()}),
    (CHAIN, "e5~e3", "e5>d4", {"GEN-1": ()}),
    (CHAIN, "e5~e3", "e5", {"GEN-1": ()}),
    (FINISH, "e10>d12", "e10>c10", {"ES-4": ("e10", "c10")}),
    (FINISH, "e10>d12", "e10>d12>c10", {"ES-4": ("d12",)}),
    (EDGE, "b6>a8=d1", "b6>a8", {"ES-5": ("a8",)}),
    (EDGE, "b6>a8=i1", "b6>a8=d2", {"ES-5": ("d2",)}),
    (EDGE, "b6>a8=d1", "b6>c9", {"ES-5": ("b6", "c9")}),
    (EDGE, "b6>a8=d1", "b6>a8>c9", {"ES-5": ("a8",)}),
    (EDGE, "b6~a6=d1", "b6~a6", {"ES-5": ("a6",)}),
    (NOWHERE, "c2>b4", "c2>a4=c2", {"ES-5": ("c2",)}),
    (NOWHERE, "c2>b4", "c2>a4=d1", {"ES-5": ("d1",), "ES-7": ZONE}),
    (HOME, "f3>g2", "f3>f1", {"ES-7": ZONE}),
    (HOME, "d1>f1", "d5>f1", {"ES-2": ("d5", "f1"), "ES-7": ZONE}),
    (HOME, "g1~f1", "b9~a9=f1", {"ES-5": ("f1",), "ES-7": ZONE}),
    (HOME, "b9~a9=c2", "b9~a9=f1", {"ES-5": ("f1",), "ES-7": ZONE}),
    (HOME._replace(seat=1), "j9~j11", "f3>f1", {"ES-1": ("f3",), "ES-7": ZONE}),
    (FINISH._replace(seat=1), "j9~j11", "e10>d12", {"ES-1": ("e10",)}),
    (SHUT, "pass", "e5~e6", {"ES-6": ("e5", "e6")}),
]


@pytest.mark.parametrize(("position", "kept", "wrong", "rules"), CASES)
def test_rules_are_kept_and_broken(
    position: Position, kept: str, wrong: str, rules: dict[str, tuple[str, ...]]
) -> None:
    assert kept in set(RULES.legal(position))
    assert broken(GAME, position, kept) == {}
    assert wrong not in set(RULES.legal(position))
    assert broken(GAME, position, wrong) == rules


def test_every_rule_that_an_action_can_break_has_its_case() -> None:
    cases = {rule for *_, rules in CASES for rule in rules}
    assert {f"ES-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 9)} <= cases
    assert all(rulebook.rule(f"ES-{n}").source for n in range(1, 10))


def test_figure_1_each_back_row_has_one_empty_intersection() -> None:
    """'Preparing to play'."""
    net = START.net
    for home, pawns in zip(net.home, START.pawns, strict=True):
        assert (home & ~pawns).bit_count() == 1
        assert pawns.bit_count() == 18


def test_jumped_pawns_stay_and_the_turn_passes() -> None:
    """'Rules', paragraph 5."""
    position = after(GAME, CHAIN, "e5>h8")
    assert RULES.look(position) == {"h8": "south", "c4": "south", "f6": "north", "g7": "north", "c9": "north"}
    assert position.turn == "north"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("e5>g6>h8", "e5>h8"),
        ("e5>g6>e6", "e5>e6"),
        ("e5>g6>e5>f7", "e5>f7"),
        ("e5>h8", "e5>h8"),
        ("e5>g6>j9", "e5>g6>j9"),
        ("e5>g6>k99", "e5>g6>k99"),
        ("c4~c5", "c4~c5"),
    ],
)
def test_a_chain_in_full_is_checked_jump_by_jump(text: str, action: str) -> None:
    """The page: `e5>g6>h8`, over f6 and g7; ES-3: over the same pawn again, by way of its start."""
    assert RULES.read(CHAIN, text) == action


def test_a_record_may_hold_chains_in_full() -> None:
    assert replay("escape c3>c4>e4 d10>e9")[2] == ("c3>e4", "d10>e9")
    assert RULES.read(EDGE, "b6>b8>a8=d1") == "b6>b8>a8=d1"
    assert RULES.read(EDGE, "b6>d6>a8=d1") == "b6>d6>a8=d1"


def test_a_pawn_in_the_home_zone_has_escaped_and_the_last_one_wins() -> None:
    """'Rules', paragraph 3, and 'Determining the Winner'; ES-8."""
    position = lay_out("e10", "e11 j9")
    assert told(GAME, position, "e10>d12") == [
        "South jumps from e10 to d12.",
        "The pawn on d12 escapes: South has 0 left.",
        "South wins: all pawns have escaped.",
    ]
    position = after(GAME, position, "e10>d12")
    assert RULES.outcome(position).winner == "south"
    assert (list(RULES.legal(position)), RULES.prompt(position)) == ([], "")
    assert broken(GAME, position, "j9~k9") == {"GEN-3": ()}
    assert RULES.outcome(after(GAME, FINISH, "e10>d12")) is None


def test_out_of_bounds_returns_the_pawn_to_the_farthest_back_rank() -> None:
    """'Rules', paragraph 6; ES-5: the owner chooses among several in the rank."""
    returns = {a for a in RULES.legal(EDGE) if a.startswith("b6>a8")}
    assert returns == {f"b6>a8={site}" for site in ZONE}
    assert told(GAME, EDGE, "b6>a8=d1") == [
        "South jumps from b6 to a8.",
        "a8 is out of bounds: the pawn is returned to d1.",
    ]
    north = lay_out("d3", "k9", "north")
    assert {a for a in RULES.legal(north) if a.startswith("k9~l9")} == {
        f"k9~l9={site}" for site in ("d12", "f12", "g12", "h12", "i12")
    }


def test_a_sneak_stops_where_its_line_ends_before_a_pawn_or_in_the_zone() -> None:
    """'Rules', paragraph 7; ES-6."""
    position = lay_out("g9 c4", "f9 j9")
    assert {a for a in RULES.legal(position) if "g9~" in a} == {"g9~g12", "g9~h9"}
    assert told(GAME, position, "g9~h9") == ["South sneaks from g9 to h9."]


def test_a_player_without_a_move_passes() -> None:
    """ES-9."""
    assert list(RULES.legal(SHUT)) == ["pass"]
    assert RULES.prompt(SHUT) == "no pawn can move: pass"
    assert after(GAME, SHUT, "pass") == SHUT._replace(seat=1)
    assert told(GAME, SHUT, "pass") == ["South has no move and passes."]


@pytest.mark.parametrize(
    ("changed", "attempt"),
    [
        ({"e5": ("south", "empty"), "e4": ("empty", "south")}, "e5~e4"),
        ({"e5": ("south", "empty"), "j9": ("empty", "south")}, "e5>j9"),
        ({"f6": ("north", "empty"), "e6": ("empty", "north")}, "f6~e6"),
        ({"e5": ("south", "empty")}, "e5>d12"),
    ],
)
def test_what_a_change_of_the_board_may_have_meant(changed: dict[str, tuple[str, str]], attempt: str) -> None:
    assert next(RULES.attempts(CHAIN, changed)) == attempt
    assert RULES.judge(CHAIN, attempt)


def test_a_wrong_return_is_told_as_one() -> None:
    changed = {"b9": ("south", "empty"), "f1": ("empty", "south")}
    assert "b9~a9=f1" in set(RULES.attempts(HOME, changed))
    assert list(RULES.attempts(HOME, {"b9": ("south", "north")})) == []


def test_who_begins() -> None:
    assert START.turn == "south"
    assert read_game("escape first=north").start().turn == "north"


@pytest.mark.parametrize("seed", range(3))
def test_random_games_keep_their_pawns_and_one_home_intersection_empty(seed: int) -> None:
    chance, position = random.Random(seed), START
    for _ in range(300):
        actions = list(RULES.legal(position))
        if not actions:
            break
        position = RULES.play(position, chance.choice(actions)).position
        escaped, board = RULES.counts(position)
        for seat, player in enumerate(("south", "north")):
            assert escaped.values[player] + board.values[player] == 18
            assert position.net.home[seat] & ~position.occupied
            assert not position.pawns[seat] & (position.net.home[1 - seat] | position.net.outside)
        assert not position.pawns[0] & position.pawns[1]


@pytest.mark.parametrize(
    ("action", "path", "label"),
    [
        ("e5>h8", ("e5", "h8"), "e5 jumps to h8"),
        ("b5>a6=d1", ("b5", "a6", "d1"), "b5 jumps to a6, returned to d1"),
        ("c3~f3", ("c3", "f3"), "c3 sneaks to f3"),
        ("pass", (), "pass"),
    ],
)
def test_paths_and_labels(action: str, path: tuple[str, ...], label: str) -> None:
    assert (RULES.path(action), RULES.label(action)) == (path, label)


@pytest.mark.parametrize(
    "position", [START, CHAIN, HOME, SHUT, after(GAME, lay_out("e10", "e11"), "e10>d12")]
)
def test_a_correction_that_corrects_nothing_changes_nothing(position: Position) -> None:
    assert RULES.arrange(position, RULES.look(position), position.turn) == position


@pytest.mark.parametrize(
    ("looks", "turn", "words"),
    [
        ({"d1": "south", "d12": "north"}, "east", "does not play"),
        ({"d1": "south", "z1": "north"}, "south", "not an intersection"),
        ({"d1": "south", "d12": "blue"}, "south", "not a pawn"),
        ({"d1": "south"}, "south", "North has 1 to 18"),
        ({"d12": "south", "e9": "north"}, "south", "has escaped"),
        ({"a4": "south", "e9": "north"}, "south", "out of bounds"),
        ({**dict.fromkeys(ZONE, "south"), "e9": "north"}, "south", "stays empty"),
    ],
)
def test_corrections_that_are_no_position(looks: dict[str, str], turn: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        RULES.arrange(START, looks, turn)


def test_an_owners_board_brings_its_own_zones_and_starts(tmp_path: Path) -> None:
    data = json.loads((resources.files("companion") / "boards" / "escape.json").read_text())
    data["areas"] |= {"south": ["d1", "e1"], "north": ["d12"]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(data))
    position = read_game(f"escape board={path}").start()
    assert RULES.look(position) == {"d1": "south", "e1": "south", "d12": "north"}
    del data["areas"]["out of bounds"]
    path.write_text(json.dumps(data))
    with pytest.raises(GameError, match='lacks the area "out of bounds"'):
        read_game(f"escape board={path}").start()


def test_the_perft_suite_holds(shared: Path) -> None:
    for text, counts in perft_suite(shared, GAME):
        game, position, _ = replay(text)
        assert {n: perft(game.rules, position, n) for n in counts} == counts, text
