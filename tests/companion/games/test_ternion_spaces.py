"""Ternion Spaces by its page and its rulebook: what it changes of Ternion Factor, and the perft suite."""

import random
from pathlib import Path

import pytest

from companion import games, rulebook
from companion.core.perft import perft
from companion.games.reasons import explained
from companion.games.ternion.position import ADDED, PAWNS, Phase, Position, on_board
from companion.games.text import read_game, replay
from tests.suites import perft_suite
from tests.ternion import after, broken, lay_out, told

GAME = "ternion_spaces"
RULES = games.rules(GAME)
TWO = f"{GAME} players=2"
THREE = f"{GAME} players=3"

PLACING = read_game(TWO).start()
OPEN = lay_out(TWO, "c4 i9 | d4 e5 h3")
"""Black on c4 between D4 and the white pawns d4 and e5."""
SAME = lay_out(TWO, "c4 d4 | i9")
TWO_SETS = after(GAME, lay_out(TWO, "c4 d6 | d5 c6"), "c4-c5")
REMOVING = after(GAME, lay_out(TWO, "c4 d5 e4 | d6 e6 f6 h3"), "c4-c5")
VACATED = after(GAME, REMOVING, "-d5 +i9 +h9")
REVIEW = after(GAME, VACATED, "h3-g3 g3-g4")

CASES = [
    # position, kept, broken, the rules broken and where
    (PLACING, "d4", "a4", {"TS-1": ("a4",)}),
    (PLACING, "d4", "D4", {"TS-1": ("D4",)}),
    (replay(f"{TWO} d4")[1], "f6", "d5", {"TS-1": ("d4", "d5")}),
    (replay(f"{TWO} d4")[1], "f6", "c4", {"TS-1": ("c4", "d4")}),
    (OPEN, "h3-h4", "D4-c4", {"TF-2": ("D4",), "TS-3": ("D4", "c4")}),
    (OPEN, "c4-c5", "c4-c6", {"TS-3": ("c4", "c6")}),
    (OPEN, "c4-c5", "c4-d4", {"TS-3": ("c4", "d4")}),
    (OPEN, "c4-c5", "c4-b4", {"TS-3": ("c4", "b4")}),
    (OPEN, "c4-D4-e3", "c4-D4", {"TS-3": ("c4", "D4"), "TS-4": ("D4",)}),
    (OPEN, "c4-D4-e3", "c4-c5-D4", {"TS-4": ("c5", "D4", "c4")}),
    (OPEN, "c4-d4-d5", "c4-c5-c6", {"TS-4": ("c5",)}),
    (OPEN, "c4-d4-e5-f5", "c4-d4-e5", {"TS-4": ("e5",)}),
    (OPEN, "c4-D4-d4-d5", "c4-D4-e3-f3", {"TS-4": ("e3",)}),
    (OPEN, "c4-d4-D4-e3", "c4-c5-C6-c6", {"TS-4": ("c5", "C6", "c6")}),
    (after(GAME, OPEN, "h3-h4 h4-h5"), "c4-c5", "c4-D4-e3", {"TS-4": ("c4", "D4", "e3")}),
    (OPEN, "c4-d4-d5", "d4-e5-f5", {"TF-5": ("e5",)}),
    (SAME, "c4-c5", "c4-d4-e4", {"TF-5": ("d4",)}),
    (lay_out(TWO, "c5 | i9"), "c5-D4-e4", "c5-D4-d5", {"TS-6": ("D4", "d5")}),
    (after(GAME, OPEN, "c4-c5"), "c5-D4-d3", "c5-c4", {"TS-6": ("c5", "c4")}),
    (TWO_SETS, "T:c5,d5,d6", "T:c5,c6,i9", {"TS-8": ("c5", "c6", "i9")}),
    (TWO_SETS, "T:c5,c6,d6", "T:c5,c6,d5", {"TF-9": ("c5", "c6", "d5")}),
    (REMOVING, "-c5", "-d6", {"TF-10": ("d6",)}),
    (after(GAME, REMOVING, "-d5"), "+c4", "+D4", {"TF-11": ("D4",)}),
    (after(GAME, REMOVING, "-d5"), "+c4", "+d5", {"TF-11": ("d5",), "TF-7": ("d5",)}),
    (VACATED, "h3-h4", "end", {"TF-12": ()}),
    (REVIEW, "~i9>c4", "~i9>D4", {"TF-13": ("D4",)}),
    (REVIEW, "~d5>c5", "~d5>d6", {"TF-13": ("d5", "d6")}),
    (OPEN, "c4-c5", "out", {"TF-14": ()}),
    (OPEN, "c4-c5", "c4-D5", {"GEN-1": ()}),
]


@pytest.mark.parametrize(("position", "kept", "wrong", "rules"), CASES)
def test_rules_are_kept_and_broken(
    position: Position, kept: str, wrong: str, rules: dict[str, tuple[str, ...]]
) -> None:
    assert kept in set(RULES.legal(position))
    assert broken(GAME, position, kept) == {}
    assert wrong not in set(RULES.legal(position))
    assert broken(GAME, position, wrong) == rules


def test_every_rule_that_this_game_changes_has_its_case() -> None:
    changed = {f"TS-{n}" for n in (1, 3, 4, 6, 8)}
    cases = {rule for *_, rules in CASES for rule in rules}
    assert changed <= cases
    assert not cases & {rule.replace("TS", "TF") for rule in changed}
    assert all(rulebook.rule(rule).text for rule in changed)


def test_play_areas_hold_as_many_spaces_and_diamonds_as_the_page_says() -> None:
    """'Preparing to Play': all spaces, those inside the blue line, those inside the red line."""
    found = {}
    for players in (4, 3, 2):
        net = read_game(f"{GAME} players={players}").start().setup.net
        passed = {way.to for ways in net.exits for way in ways} - set(net.area)
        found[players] = (len(net.area), len(passed))
    assert found == {4: (101, 16), 3: (77, 12), 2: (49, 8)}


def test_triangles_meet_seven_spaces_and_squares_eight() -> None:
    """'Strategy Hints', last point."""
    game = read_game(f"{GAME} players=4")
    net, corners = game.start().setup.net, game.board.tables["corners"]
    met = {3: 0, 4: 0}
    for s in net.area:
        size = len(corners[net.names[s]])
        met[size] = max(met[size], len(net.near[s]))
    assert met == {3: 7, 4: 8}


def test_a_diamond_takes_two_move_markers_and_is_never_occupied() -> None:
    """'Step 1': moving a pawn across the large diamonds requires two move markers."""
    position = after(GAME, OPEN, "c4-D4-e3")
    assert position.moves_left == 1
    assert "D4" not in RULES.look(position)
    assert all(not action.endswith(tuple("ABCDEFGHIJK")) for action in RULES.legal(OPEN))
    for start, refused in ((PLACING, "D4"), (OPEN, "c4-D4"), (OPEN, "c4-K5")):
        breaches = explained(RULES, start, refused, RULES.judge(start, refused))
        assert breaches[0].words == f"{refused[-2:]} is a large diamond: no pawn ends there."


def test_figures_1_and_2_jumps() -> None:
    """'Making a Jump move': two markers over one pawn, three over two, none over the same colour."""
    assert after(GAME, OPEN, "c4-d4-d5").moves_left == 1
    assert after(GAME, OPEN, "c4-d4-e5-f5").moves_left == 0
    assert "TF-5" in broken(GAME, SAME, "c4-d4-e4")


def test_a_marked_intersection_stops_every_crossing_through_it_but_not_its_lines() -> None:
    """TS-6: c5 to D4 goes through the intersection d5, as c4 to d5 would; c4 to c5 crosses a line there."""
    position = after(GAME, lay_out(TWO, "c5 c4 | i9"), "c5-D4-e4")
    assert broken(GAME, position, "c4-d5") == {"TS-6": ("c4", "d5")}
    assert "c4-c5" in set(RULES.legal(position))


def test_figure_3_a_moved_black_pawn_makes_a_ternion() -> None:
    position = after(GAME, lay_out(TWO, "c4 | d5 d6"), "c4-c5")
    assert RULES.look(position) == {"c5": "black+T", "d5": "white+T", "d6": "white+T"}


def test_figure_4_a_moved_white_pawn_makes_none() -> None:
    assert after(GAME, lay_out(TWO, "d5 d6 | c4"), "c4-c5").ternions == ()


def test_figure_5_white_twice_then_black_makes_a_ternion_and_black_first_none() -> None:
    position = lay_out(TWO, "c4 | d5 f7")
    assert after(GAME, position, "c4-c5").ternions == ()
    assert len(after(GAME, position, "f7-e6 e6-d6 c4-c5").ternions) == 1


def test_figures_6_11_and_12_pawns_out_of_play_no_longer_interfere() -> None:
    """'Strategy Hints': first two black pawns (two added, one removed), then one alone (two added)."""
    position = after(GAME, VACATED, "e4-e5")
    assert RULES.look(position) == {
        "c5": "black+T",
        "d5": "+T",
        "d6": "white+T",
        "e5": "black+T",
        "e6": "white+T",
        "f6": "white+T",
        "h3": "white",
        "h9": "black+A",
        "i9": "black+A",
    }
    assert (position.phase, position.owed) == (Phase.ADD, 2)


@pytest.mark.parametrize(
    ("head", "pawns", "words"),
    [
        pytest.param(TWO, "c4 | d5 d6", "2 pawns to add", id="figure 7"),
        pytest.param(THREE, "c4 | d5 | d6", "1 pawn to add", id="figure 8"),
        pytest.param(TWO, "c4 d5 | d6", "1 pawn to remove and 2 pawns to add", id="figure 9"),
        pytest.param(TWO, "c4 d5 d6 | i9", "2 pawns to remove and 1 pawn to add", id="figure 10"),
    ],
)
def test_figures_7_to_10_the_chart(head: str, pawns: str, words: str) -> None:
    said = told(GAME, lay_out(head, pawns), "c4-c5")
    assert f"Black makes a ternion with c5, d5, d6: {words}." in said


def test_the_moved_pawn_is_adjacent_to_both_others_unless_connected_is_enough() -> None:
    """The introduction, 'adjacent to two other pawns'; TS-8: c5 meets d6, which meets e6."""
    for head, made in ((TWO, 0), (f"{TWO} ternion=connected", 1)):
        assert len(after(GAME, lay_out(head, "c4 | d6 e6"), "c4-c5").ternions) == made


def test_each_player_places_four_pawns() -> None:
    """'Placement Phase'."""
    position = PLACING
    while position.phase is Phase.PLACE:
        position = after(GAME, position, next(iter(RULES.legal(position))))
    assert [on_board(position.sites, colour) for colour in (1, 2)] == [4, 4]


def test_a_correction_that_corrects_nothing_changes_nothing() -> None:
    for position in (PLACING, OPEN, TWO_SETS, REMOVING, VACATED, REVIEW):
        assert RULES.arrange(position, RULES.look(position), position.turn) == position


CHANGES = {"-": -1, "+": 1}
"""How an action changes the number of the player's pawns on the board, by its first letter."""


@pytest.mark.parametrize(
    "head",
    [
        f"{game} players={n} {kind}"
        for game in (GAME, "ternion_factor")
        for n in (2, 3, 4)
        for kind in ("ternion=hub", "ternion=connected")
    ],
)
def test_pawns_come_and_go_only_by_removals_and_additions(head: str) -> None:
    game, chance = read_game(head), random.Random(head)
    position = game.start()
    for _ in range(400):
        actions = list(game.rules.legal(position))
        if not actions:
            break
        action = chance.choice([a for a in actions if a[0] != "~"] or actions)
        placing, follower = position.phase is Phase.PLACE, game.rules.play(position, action).position
        for seat in range(len(position.setup.players)):
            counts = on_board(position.sites, seat + 1), on_board(follower.sites, seat + 1)
            own = seat == position.seat
            change = 1 if placing and own else CHANGES.get(action[0], 0) if own else 0
            assert counts[1] - counts[0] == change or action == "out"
            assert counts[1] <= PAWNS
        assert len(follower.ternions) <= 3
        assert follower.sites.count(follower.colour | ADDED) <= 6
        position = follower


def test_the_perft_suite_holds(shared: Path) -> None:
    for text, counts in perft_suite(shared, GAME):
        game, position, _ = replay(text)
        assert {n: perft(game.rules, position, n) for n in counts} == counts, text
