"""Ternion Factor by its page and its rulebook: the perft suite, the figures, every rule kept and broken."""

import json
from importlib import resources
from pathlib import Path

import pytest

from companion import games, rulebook
from companion.core.game import GameError, PositionError
from companion.core.perft import perft
from companion.games.ternion.position import Phase, Position
from companion.games.text import read_game, replay
from tests.suites import perft_suite
from tests.ternion import after, broken, lay_out, played, told

GAME = "ternion_factor"
RULES = games.rules(GAME)
TWO = f"{GAME} players=2"
THREE = f"{GAME} players=3"

PLACING = read_game(TWO).start()
OPEN = lay_out(TWO, "c4 e4 | c5 d6 h9")
"""Black on c4 beside White on c5 and d6; Black on e4; White far off on h9."""
PAIR = lay_out(TWO, "c4 e8 | c5 h9")
SAME = lay_out(TWO, "c4 c5 | h9")
TWO_SETS = after(GAME, lay_out(TWO, "e4 e6 | d5 f6"), "e4-e5")
"""Two sets with two black pawns, and one with a single one."""
REMOVING = after(GAME, lay_out(TWO, "c4 d5 e3 | d6 h9 j10"), "c4-c5")
VACATED = after(GAME, REMOVING, "-d5 +j3 +j5")
"""The ternion c5, d5, d6, of which the black pawn on d5 was removed; A on j3 and j5."""
HUB = lay_out(f"{TWO} ternion=hub", "c4 d5 e4 | d6 h9 j10")
HUB = after(GAME, HUB, "c4-c5 -d5 +j3 +j5")
REVIEW = after(GAME, VACATED, "h9-h10 h10-i10")
STUCK = after(GAME, lay_out(THREE, "e4 e6 f6"), "e4-e5 -e5 -e6 +c3")
"""Every pawn on the board is out of play after the first move."""


def placed(text: str) -> Position:
    return replay(f"{TWO} {text}")[1]


CASES = [
    # position, kept, broken, the rules broken and where
    (PLACING, "c4", "a4", {"TF-1": ("a4",)}),
    (placed("c4"), "c7", "c5", {"TF-1": ("c4", "c5")}),
    (placed("c4"), "e5", "c4", {"TF-1": ("c4",)}),
    (placed("c4"), "e5", "c4-c3", {"TF-1": ()}),
    (placed("c4"), "e5", "end", {"TF-1": ()}),
    (PLACING, "c4", "end", {"TF-1": ()}),
    (OPEN, "c4-c3", "e8", {"TF-1": ()}),
    (OPEN, "h9-h10", "e8-e9", {"TF-2": ("e8",)}),
    (VACATED, "e3-f3", "d6-c7", {"TF-2": ("d6",)}),
    (VACATED, "h9-h10", "j3-j4", {"TF-2": ("j3",)}),
    (OPEN, "c4-d5", "c4-e5", {"TF-3": ("c4", "e5")}),
    (OPEN, "c4-d5", "c4-c5", {"TF-3": ("c4", "c5")}),
    (OPEN, "c4-c3", "c4-b4", {"TF-3": ("c4", "b4")}),
    (OPEN, "c4-c5-d5", "c4-d5-d7", {"TF-4": ("d5", "d7")}),
    (OPEN, "c4-c5-d6-c7", "c4-c5-c7", {"TF-4": ("c5", "c7")}),
    (OPEN, "c4-c5-d5", "c4-c5-d6", {"TF-4": ("d6",)}),
    (OPEN, "c4-c5-d6-e6", "c4-c5-d6-e6-f6", {"TF-4": ("e6", "c4", "c5", "d6", "f6")}),
    (OPEN, "c4-c5-d5", "c4-c5-c4", {"TF-4": ("c4", "c5"), "TF-6": ("c5", "c4")}),
    (after(GAME, OPEN, "h9-h10"), "c4-c5-d5", "c4-c5-d6-e6", {"TF-4": ("c4", "c5", "d6", "e6")}),
    (OPEN, "c4-c5-d5", "d6-c5-d5", {"TF-5": ("c5",)}),
    (SAME, "c4-c3", "c4-c5-d6", {"TF-5": ("c5",)}),
    (after(GAME, OPEN, "c4-c3"), "c3-d3", "c3-c4", {"TF-6": ("c3", "c4")}),
    (after(GAME, PAIR, "c4-c5-d5"), "d5-e5", "d5-c5", {"TF-3": ("d5", "c5"), "TF-6": ("d5", "c5")}),
    (VACATED, "e3-e4", "e4-d5", {"TF-2": ("e4",), "TF-3": ("e4", "d5"), "TF-7": ("d5",)}),
    (after(GAME, VACATED, "e3-e4"), "e4-f4", "e4-d5", {"TF-3": ("e4", "d5"), "TF-7": ("d5",)}),
    (HUB, "e4-e5", "e4-d5-c4", {"TF-5": ("d5",), "TF-7": ("d5",)}),
    (TWO_SETS, "T:e5,e6,f6", "T:d5,e5,h9", {"TF-8": ("d5", "e5", "h9")}),
    (TWO_SETS, "T:d5,e5,e6", "T:d5,e5,f6", {"TF-9": ("d5", "e5", "f6")}),
    (TWO_SETS, "T:d5,e5,e6", "e5-e4", {"TF-9": ("e5",), "TF-6": ("e5", "e4")}),
    (TWO_SETS, "T:d5,e5,e6", "T:e6,d5,e5", {"GEN-1": ("e6", "d5", "e5")}),
    (OPEN, "c4-c3", "T:c4,c5,d6", {"TF-9": ()}),
    (REMOVING, "-c5", "-d6", {"TF-10": ("d6",)}),
    (REMOVING, "-d5", "-e3", {"TF-10": ("e3",)}),
    (REMOVING, "-d5", "+e8", {"TF-10": ("c5", "d5", "d6")}),
    (VACATED, "h9-h10", "-c5", {"TF-10": ()}),
    (VACATED, "h9-h10", "+e8", {"TF-10": ()}),
    (after(GAME, REMOVING, "-d5"), "+c4", "+d6", {"TF-11": ("d6",)}),
    (after(GAME, REMOVING, "-d5"), "+j4", "+a4", {"TF-11": ("a4",)}),
    (after(GAME, REMOVING, "-d5"), "+j4", "+d5", {"TF-11": ("d5",), "TF-7": ("d5",)}),
    (after(GAME, REMOVING, "-d5"), "+j4", "end", {"TF-11": ("c5", "d5", "d6"), "TF-12": ()}),
    (after(GAME, REMOVING, "-d5"), "+j4", "h9-h10", {"TF-11": ("c5", "d5", "d6")}),
    (VACATED, "h9-h10", "end", {"TF-12": ()}),
    (REVIEW, "end", "e3-e4", {"TF-12": ()}),
    (REVIEW, "~j3>c4", "~j3>d5", {"TF-13": ("d5",), "TF-7": ("d5",)}),
    (REVIEW, "~j3>c4", "~i10>h9", {"TF-13": ("i10", "h9")}),
    (REVIEW, "~d5>c5", "~d5>d6", {"TF-13": ("d5", "d6")}),
    (REVIEW, "~j5>j4", "~j5>j3", {"TF-13": ("j3",)}),
    (VACATED, "h9-h10", "~j3>c4", {"TF-13": ()}),
    (STUCK, "out", "end", {"TF-12": ()}),
    (OPEN, "c4-c3", "out", {"TF-14": ()}),
    (REVIEW, "end", "out", {"TF-14": ()}),
    (OPEN, "c4-c3", "c4-z9", {"GEN-1": ()}),
    (OPEN, "c4-c3", "c4-d4", {"GEN-1": ()}),
    (OPEN, "c4-c3", "pass", {"GEN-1": ()}),
    (OPEN, "c4-c3", "c4~c3", {"GEN-1": ()}),
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
    assert {f"TF-{n}" for n in range(1, 15)} <= cases
    assert all(rulebook.rule(f"TF-{n}").source for n in range(1, 16))


def test_play_areas_hold_as_many_intersections_as_the_page_says() -> None:
    """'Preparing to Play': all of them, on and inside the blue line, on and inside the red line."""
    counts = {n: len(read_game(f"{GAME} players={n}").start().setup.net.area) for n in (4, 3, 2)}
    assert counts == {4: 96, 3: 76, 2: 52}


def test_an_intersection_joins_at_most_five_others() -> None:
    """Ternion Spaces, 'Strategy Hints', last point."""
    assert max(len(ways) for ways in read_game(f"{GAME} players=4").start().setup.net.exits) == 5


@pytest.mark.parametrize(("option", "pawns"), [("pawns=6", 6), ("pawns=4", 4), ("", 6)])
def test_each_player_places_six_or_four_pawns_then_black_begins(option: str, pawns: int) -> None:
    """'Placement Phase'; TF-1."""
    position = read_game(f"{TWO} {option}").start()
    for n in range(2 * pawns):
        assert position.turn == ("black", "white")[n % 2]
        position = after(GAME, position, next(iter(RULES.legal(position))))
    assert (position.turn, position.phase) == ("black", Phase.MOVE)


def test_the_placement_phase_ends_early_when_no_free_intersection_is_left(tmp_path: Path) -> None:
    """TF-1, ruling; on a board of the owner's whose play area has room for three pawns."""
    data = json.loads((resources.files("companion") / "boards" / "ternion.json").read_text())
    data["areas"]["play area 2"] = ["c3", "c4", "c5", "d3", "d5", "d6", "e3"]
    (tmp_path / "small.json").write_text(json.dumps(data))
    game, position, _ = replay(f"{TWO} board={tmp_path / 'small.json'} c4 e3 d6")
    assert (position.turn, position.phase) == ("black", Phase.MOVE)
    assert set(game.rules.legal(position)) == {
        "c4-c3",
        "c4-c5",
        "c4-d3",
        "c4-d5",
        "e3-d3",
        "d6-c5",
        "d6-d5",
    }
    assert game.start() == read_game(game.head).start()


def test_figures_1_to_3_jumps_take_two_and_three_markers_and_no_own_colour() -> None:
    """'Making a Jump move': two markers over one pawn, three over two, none over the same colour."""
    assert after(GAME, OPEN, "c4-c5-d5").moves_left == 1
    assert after(GAME, OPEN, "c4-c5-d6-e6").moves_left == 0
    assert "TF-5" in broken(GAME, SAME, "c4-c5-d6")


def test_figure_4_a_moved_black_pawn_makes_a_ternion() -> None:
    position = after(GAME, lay_out(TWO, "e4 | e6 f6"), "e4-e5")
    assert RULES.look(position) == {"e5": "black+T", "e6": "white+T", "f6": "white+T"}


def test_figure_5_a_moved_pawn_of_another_colour_makes_none() -> None:
    position = after(GAME, lay_out(TWO, "e6 f6 | e4"), "e4-e5")
    assert (position.ternions, position.phase) == ((), Phase.MOVE)


def test_figure_6_white_twice_then_black_makes_a_ternion_and_black_first_none() -> None:
    position = lay_out(TWO, "c5 | e5 g5")
    assert after(GAME, position, "c5-d5").ternions == ()
    assert RULES.look(after(GAME, position, "g5-f4 f4-e4 c5-d5")) == {
        "d5": "black+T",
        "e4": "white+T",
        "e5": "white+T",
    }


def test_figure_7_pawns_and_intersections_with_markers_are_ignored() -> None:
    position = after(GAME, lay_out(TWO, "c4 d5 f6 | d6 f7 f8"), "c4-c5 -d5 +e5 +e4")
    position = after(GAME, position, "f6-e6")
    assert RULES.look(position) == {
        "c5": "black+T",
        "d5": "+T",
        "d6": "white+T",
        "e4": "black+A",
        "e5": "black+A",
        "e6": "black+T",
        "f7": "white+T",
        "f8": "white+T",
    }


@pytest.mark.parametrize(
    ("head", "pawns", "remove", "add", "words"),
    [
        pytest.param(TWO, "e4 | e6 f6", 0, 2, "2 pawns to add", id="figure 8"),
        pytest.param(THREE, "e4 | e6 | f6", 0, 1, "1 pawn to add", id="figure 9"),
        pytest.param(THREE, "e4 | e6 f6 | c3", 0, 2, "2 pawns to add", id="one of two players, three play"),
        pytest.param(TWO, "e4 e6 | f6", 1, 2, "1 pawn to remove and 2 pawns to add", id="figure 10"),
        pytest.param(TWO, "e4 e6 f6 | h9", 2, 1, "2 pawns to remove and 1 pawn to add", id="figure 11"),
    ],
)
def test_figures_8_to_11_the_chart(head: str, pawns: str, remove: int, add: int, words: str) -> None:
    """'Step 3: Ternion Resolution', TF-10: removals first, then additions."""
    position = lay_out(head, pawns)
    assert f"Black makes a ternion with e5, e6, f6: {words}." in told(GAME, position, "e4-e5")
    position = after(GAME, position, "e4-e5")
    for sign, count in (("-", remove), ("+", add)):
        for _ in range(count):
            action = next(iter(RULES.legal(position)))
            assert action[0] == sign
            position = after(GAME, position, action)
    assert position.phase is Phase.MOVE


@pytest.mark.parametrize(
    ("head", "pawns", "sets"),
    [
        (TWO, "e4 e6 | d5 f6", {"T:d5,e5,e6", "T:e5,e6,f6"}),
        (THREE, "e4 | d5 f6 | e6", {"T:d5,e5,e6", "T:e5,e6,f6"}),
        (THREE, "e4 | d5 f6", {"d5,e5,f6"}),
        (TWO, "e4 e6 d6 | d5 f6", {"d6,e5,e6"}),
    ],
)
def test_precedence_of_several_sets(head: str, pawns: str, sets: set[str]) -> None:
    """'Precedence order when multiple ternions are created'; TF-9."""
    position = after(GAME, lay_out(head, pawns), "e4-e5")
    if position.phase is Phase.CHOOSE:
        assert set(RULES.legal(position)) == sets
    else:
        names = position.setup.net.names
        assert {",".join(names[s] for s in position.ternions[0])} == sets


def test_with_a_hub_the_moved_pawn_touches_both_others() -> None:
    """TF-8: e4 to e5 beside e6 alone, which leads on to d7; f6 would touch e5 as well."""
    for head, made in ((TWO, 1), (f"{TWO} ternion=hub", 0)):
        assert len(after(GAME, lay_out(head, "e4 | e6 d7"), "e4-e5").ternions) == made
        assert len(after(GAME, lay_out(head, "e4 | e6 f6"), "e4-e5").ternions) == 1


CROWD = "h4 h5 h7 h8 h9 h10 i5 i6 i7 i8 i10 j4 j5 j6 j8"


def test_a_player_adds_only_as_many_pawns_as_remain() -> None:
    """'Updating the play area based on the chart', last paragraph; TF-11."""
    position = after(GAME, lay_out(TWO, f"e3 {CROWD} j9 | d5 e5 c9"), "e3-e4")
    assert (position.phase, position.owed) == (Phase.ADD, 1)
    position = after(GAME, lay_out(TWO, f"e3 {CROWD} j9 j10 | d5 e5 c9"), "e3-e4")
    assert position.phase is Phase.MOVE


def test_a_removed_pawn_may_be_added_back_at_once() -> None:
    """'Updating the play area based on the chart', note: the reserve was empty before."""
    position = after(GAME, lay_out(TWO, f"e3 d5 {CROWD} j9 | e5 c9"), "e3-e4 -d5")
    assert (position.phase, position.owed) == (Phase.ADD, 1)


def test_all_eighteen_pawns_win_when_the_turn_ends_and_not_before() -> None:
    """'Determining the Winner'; TF-15."""
    position = after(GAME, lay_out(TWO, f"e3 {CROWD} | d5 e5 c9"), "e3-e4 +j9 +j10 c9-c8 c8-c7")
    assert RULES.outcome(position) is None
    assert told(GAME, position, "end") == [
        "Black ends the turn.",
        "Black wins: all eighteen pawns are on the board.",
    ]
    position = after(GAME, position, "end")
    assert RULES.outcome(position).winner == "black"
    assert list(RULES.legal(position)) == []
    assert broken(GAME, position, "c7-d6") == {"GEN-3": ()}
    short = after(GAME, lay_out(TWO, f"e3 {CROWD[3:]} | d5 e5 c9"), "e3-e4 +j9 +j10 c9-c8 c8-c7 end")
    assert RULES.outcome(short) is None


def test_a_player_who_cannot_go_on_drops_out_and_the_turn_is_undone() -> None:
    """'Players unable to complete three turn actions'; TF-14."""
    assert list(RULES.legal(STUCK)) == ["out"]
    position = after(GAME, STUCK, "out")
    assert RULES.look(position) == {"e4": "black", "e6": "black", "f6": "black"}
    assert (position.turn, RULES.outcome(position)) == ("white", None)
    assert "e4-e5" in set(RULES.legal(position))
    looks = {"c5": "white", "d6": "black", "c7": "red"}
    position = after(GAME, RULES.arrange(position, looks, "white"), "c5-d5")
    assert (position.phase, position.owed) == (Phase.ADD, 1)


def test_turns_pass_over_a_player_who_dropped_out() -> None:
    position = after(GAME, STUCK, "out")
    position = RULES.arrange(position, {"c5": "white", "g5": "red"}, "red")
    assert after(GAME, position, "c5-c4 c4-c3 c3-d3 end").turn == "white"


def test_the_last_player_in_wins() -> None:
    """TF-15, ruling."""
    position = after(GAME, lay_out(TWO, "e4 e6 f6"), "e4-e5 -e5 -e6 +c3 out")
    assert RULES.outcome(position).winner == "white"
    assert RULES.outcome(position).reason == "the others have dropped out"


def test_the_review_moves_an_added_pawn_and_exchanges_a_removed_one() -> None:
    """'Turn Phase', step 2; TF-13."""
    position = after(GAME, REVIEW, "~j3>c4 ~d5>c5")
    assert RULES.look(position) == {
        "c4": "black+A",
        "c5": "+T",
        "d5": "black+T",
        "d6": "white+T",
        "e3": "black",
        "i10": "white",
        "j5": "black+A",
        "j10": "white",
    }
    assert RULES.look(after(GAME, position, "end")) == {
        "c4": "black",
        "d5": "black",
        "e3": "black",
        "j5": "black",
        "d6": "white",
        "i10": "white",
        "j10": "white",
    }


def test_a_turn_that_ends_takes_all_markers_off() -> None:
    position = after(GAME, REVIEW, "end")
    assert (position.turn, position.markers, position.ternions) == ("white", (), ())
    assert {count.name: dict(count.values) for count in RULES.counts(position)} == {
        "on the board": {"black": 4, "white": 3},
        "in reserve": {"black": 14, "white": 15},
        "move markers left": {"": 3},
        "T markers left": {"": 9},
        "A markers left": {"": 6},
    }


def test_the_scoreboard_counts_markers_in_hand() -> None:
    counts = {count.name: (dict(count.values), count.total) for count in RULES.counts(VACATED)}
    assert counts["on the board"] == ({"black": 4, "white": 3}, 18)
    assert counts["in reserve"] == ({"black": 14, "white": 15}, 18)
    assert counts["move markers left"] == ({"": 2}, 3)
    assert counts["T markers left"] == ({"": 6}, 9)
    assert counts["A markers left"] == ({"": 4}, 6)


@pytest.mark.parametrize(
    ("position", "prompt"),
    [
        (PLACING, "place a pawn that has no neighbour"),
        (OPEN, "three moves with any pawns"),
        (TWO_SETS, "choose which three pawns are the ternion"),
        (REMOVING, "remove 1 pawn of the ternion, then add 2"),
        (after(GAME, REMOVING, "-d5"), "add 2 pawns, then 2 more moves"),
        (after(GAME, VACATED, "h9-h10"), "1 more move"),
        (REVIEW, "change where pawns were added or removed, or end the turn"),
        (REVIEW._replace(ternions=()), "end the turn"),
        (STUCK, "no move is possible: drop out, or take moves back"),
    ],
)
def test_prompts_say_what_is_owed(position: Position, prompt: str) -> None:
    assert RULES.prompt(position) == prompt


@pytest.mark.parametrize(
    ("action", "path", "label"),
    [
        ("c4", ("c4",), "c4"),
        ("c4-c5-d6", ("c4", "c5", "d6"), "c4-c5-d6"),
        ("T:c5,d5,d6", ("c5", "d5", "d6"), "ternion c5, d5, d6"),
        ("-c5", ("c5",), "remove c5"),
        ("+e8", ("e8",), "add on e8"),
        ("~e8>f6", ("e8", "f6"), "instead of e8, f6"),
        ("end", (), "end the turn"),
        ("out", (), "drop out"),
    ],
)
def test_paths_and_labels(action: str, path: tuple[str, ...], label: str) -> None:
    assert (RULES.path(action), RULES.label(action)) == (path, label)


def test_every_action_is_told_in_a_sentence() -> None:
    assert told(GAME, PLACING, "c4") == ["Black places a pawn on c4."]
    assert told(GAME, OPEN, "h9-h10") == ["Black moves the white pawn from h9 to h10."]
    assert told(GAME, OPEN, "c4-c5-d6-e6") == [
        "Black jumps with the black pawn from c4 over c5 and d6 to e6.",
        "Black makes a ternion with c5, d6, e6: 2 pawns to add.",
    ]
    assert told(GAME, lay_out(TWO, "e4 e6 | d5 f6"), "e4-e5")[1:] == [
        "Black can make one of 2 ternions with the pawn on e5, and chooses."
    ]
    assert told(GAME, REMOVING, "-d5") == ["Black removes the pawn on d5."]
    assert told(GAME, REVIEW, "~j3>c4") == ["Black puts the pawn added on j3 on c4 instead."]
    assert told(GAME, REVIEW, "~d5>c5") == [
        "Black puts the pawn back on d5 and removes the one on c5 instead."
    ]
    assert told(GAME, STUCK, "out") == [
        "Black cannot go on and drops out; the board goes back to the start of the turn."
    ]


def test_the_page_sees_the_move_markers_and_the_camera_does_not() -> None:
    position = after(GAME, PAIR, "c4-c5-d5 e8-e9")
    markers = {"c4-c5": "+1", "c5-d5": "+2", "e8-e9": "+3"}
    assert {k: v for k, v in RULES.pieces(position).items() if "-" in k} == markers
    assert not markers.keys() & RULES.look(position).keys()


@pytest.mark.parametrize(
    ("position", "changed", "attempt"),
    [
        (PLACING, {"a4": ("empty", "black")}, "a4"),
        (OPEN, {"c4": ("black", "empty"), "c3": ("empty", "black")}, "c4-c3"),
        (OPEN, {"c4": ("black", "empty"), "d5": ("empty", "black")}, "c4-d5"),
        (SAME, {"c4": ("black", "empty"), "d6": ("empty", "black")}, "c4-c5-d6"),
        (OPEN, {"c4": ("black", "empty"), "e6": ("empty", "black")}, "c4-c5-d6-e6"),
        (OPEN, {"e4": ("black", "empty"), "e6": ("empty", "black")}, "e4-e5-e6"),
        (OPEN, {"h9": ("white", "empty"), "c10": ("empty", "white")}, "h9-c10"),
        (OPEN, {"h9": ("white", "empty")}, "-h9"),
        (OPEN, {"e8": ("empty", "black")}, "+e8"),
        (REMOVING, {"d6": ("white+T", "+T")}, "-d6"),
        (REVIEW, {"j3": ("black+A", "empty"), "c4": ("empty", "black+A")}, "~j3>c4"),
        (REVIEW, {"c5": ("black+T", "+T"), "d5": ("+T", "black+T")}, "~d5>c5"),
        (REVIEW, {"c5": ("black+T", "empty"), "c4": ("empty", "black+T")}, "c5-c4"),
    ],
)
def test_what_a_change_of_the_board_may_have_meant(
    position: Position, changed: dict[str, tuple[str, str]], attempt: str
) -> None:
    assert next(RULES.attempts(position, changed)) == attempt


def test_a_recoloured_pawn_is_no_attempt() -> None:
    assert list(RULES.attempts(OPEN, {"c4": ("black", "white")})) == []


def test_a_ternion_may_be_named_in_any_order() -> None:
    assert RULES.read(TWO_SETS, "T:e6,e5,d5") == "T:d5,e5,e6"
    assert RULES.read(TWO_SETS, "T:e6,e5") == "T:e5,e6"
    assert RULES.read(TWO_SETS, "e5-e6") == "e5-e6"


@pytest.mark.parametrize(
    "position", [PLACING, placed("c4 e5"), OPEN, TWO_SETS, REMOVING, VACATED, REVIEW, STUCK]
)
def test_a_correction_that_corrects_nothing_changes_nothing(position: Position) -> None:
    for looks in (RULES.look(position), RULES.pieces(position)):
        assert RULES.arrange(position, looks, position.turn) == position


def test_corrections() -> None:
    seen = dict(RULES.look(VACATED))
    moved = RULES.arrange(VACATED, seen | {"h9": "empty", "h10": "white"}, "black")
    assert (moved.markers, moved.ternions, moved.phase) == (VACATED.markers, VACATED.ternions, Phase.MOVE)
    bare = {place: look for place, look in seen.items() if "+" not in look}
    fresh = RULES.arrange(VACATED, bare, "white")
    assert (fresh.turn, fresh.markers, fresh.phase) == ("white", (), Phase.MOVE)
    assert RULES.look(fresh) == bare
    adding = after(GAME, REMOVING, "-d5")
    full = dict.fromkeys(CROWD.split(), "black") | {"c4": "black"}
    assert RULES.arrange(adding, {**RULES.look(adding), **full, "e3": "empty"}, "black").owed == 1


@pytest.mark.parametrize(
    ("position", "looks", "turn", "words"),
    [
        (OPEN, {"c4": "black"}, "red", "does not play"),
        (OPEN, {"c4": "red"}, "black", "not a piece"),
        (OPEN, {"c4": "black+Q"}, "black", "not a piece"),
        (OPEN, {"a4": "black"}, "black", "no place"),
        (OPEN, {"c4": "+T"}, "black", "removed this turn"),
        (OPEN, {"c4": "black+T"}, "black", "markers lie otherwise"),
        (VACATED, {"c5": "black+T"}, "white", "markers lie otherwise"),
        (OPEN, dict.fromkeys([*CROWD.split(), "c3", "c5", "c7", "c9"], "black"), "black", "18 pawns"),
        (TWO_SETS, {"e6": "black", "d5": "white"}, "black", "must stay"),
        (placed("c4"), {"c4": "black", "e5": "black"}, "white", "placed alike"),
        (after(GAME, STUCK, "out"), {"c4": "black"}, "black", "dropped out"),
    ],
)
def test_corrections_that_are_no_position(
    position: Position, looks: dict[str, str], turn: str, words: str
) -> None:
    with pytest.raises(PositionError, match=words):
        RULES.arrange(position, looks, turn)


def test_playing_to_a_choice_again_after_a_correction() -> None:
    position = RULES.arrange(TWO_SETS, {"e5": "black", "e6": "black", "d5": "white", "h9": "white"}, "black")
    assert (position.phase, len(position.ternions)) == (Phase.REMOVE, 1)


def test_a_board_without_its_play_area_is_refused(tmp_path: Path) -> None:
    data = json.loads((resources.files("companion") / "boards" / "escape.json").read_text())
    (tmp_path / "net.json").write_text(json.dumps(data))
    with pytest.raises(GameError, match="no play area for 2"):
        read_game(f"{TWO} board={tmp_path / 'net.json'}").start()


@pytest.mark.parametrize(("game", "name"), [(TWO, "ternion"), ("escape", "escape")])
def test_a_site_whose_name_no_action_can_spell_is_refused(tmp_path: Path, game: str, name: str) -> None:
    data = json.loads((resources.files("companion") / "boards" / f"{name}.json").read_text())
    data["sites"]["middle"] = [5.5, 5.5]
    (tmp_path / "odd.json").write_text(json.dumps(data))
    with pytest.raises(GameError, match="site 'middle'"):
        read_game(f"{game} board={tmp_path / 'odd.json'}").start()


def test_equal_boards_give_equal_positions() -> None:
    assert read_game(TWO).start() == read_game(GAME).start()
    assert hash(after(GAME, OPEN, "c4-c3 e4-e5")) == hash(after(GAME, OPEN, "c4-c3 e4-e5"))
    assert played(GAME, OPEN, "c4-c3").position == after(GAME, OPEN, "c4-c3")


def test_the_perft_suite_holds(shared: Path) -> None:
    for text, counts in perft_suite(shared, GAME):
        game, position, _ = replay(text)
        assert {n: perft(game.rules, position, n) for n in counts} == counts, text
