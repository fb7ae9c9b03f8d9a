"""TRID: its board, each of its rules kept and broken, and the examples that its rulebook gives in words."""

import json
from itertools import product
from pathlib import Path

import pytest

from companion import games
from companion.core.board import load_board, parse_board
from companion.core.game import GameError, Outcome, PositionError
from companion.core.perft import perft
from companion.games.text import read_game, replay
from companion.games.trid.board import Net, net_of
from companion.games.trid.position import Position

TRID = games.rules("trid")
KINDS = {"M": "master", "G": "glider", "J": "jumper"}
BLUE = "blue Mj6"
"""A lonely blue master at home: nothing in its way, nothing that it disturbs."""


def position(pawns: str, turn: str = "black", players: int = 2) -> Position:
    """`black Ma6 Ga5 / blue Mj6`: each player's pawns, by kind and field."""
    looks = {}
    for group in pawns.split(" / "):
        player, *own = group.split()
        looks |= {pawn[1:]: f"{player}/{KINDS[pawn[0]]}" for pawn in own}
    arranged: Position = TRID.arrange(read_game(f"trid players={players}").start(), looks, turn)
    return arranged


def broken(at: Position, action: str) -> dict[str, tuple[str, ...]]:
    return {breach.rule: breach.sites for breach in TRID.judge(at, action)}


def moves_of(at: Position, field: str) -> set[str]:
    return {action for action in TRID.legal(at) if action.startswith((f"{field}-", f"{field}x"))}


def after(at: Position, *actions: str) -> Position:
    for action in actions:
        assert TRID.judge(at, action) == ()
        at = TRID.play(at, action).position
    return at


@pytest.fixture(scope="module")
def table() -> Net:
    return net_of(load_board("trid"))


def test_the_board_agrees_with_the_table(shared: Path, table: Net) -> None:
    data = json.loads((shared / "boards" / "trid.json").read_text())
    board = load_board("trid")
    assert set(board.sites) == set(data["fields"])
    for site, field in data["fields"].items():
        number = table.index[site]
        assert board.sites[site] == pytest.approx(field["centre"], abs=1e-3)
        assert set(table.name(table.borders[number])) == set(field["borders"])
        assert set(table.name(table.jumps[number])) == set(field["corner"])
    assert (set(board.areas["walls"]), set(board.areas["stops"])) == (set(data["walls"]), set(data["stops"]))


def test_strips_and_sides_agree_with_the_table(shared: Path, table: Net) -> None:
    data = json.loads((shared / "boards" / "trid.json").read_text())
    strips = [set(strip) for group in data["strips"] for strip in group]
    for start, ways in enumerate(table.ways):
        for way in ways:
            assert any({table.names[start], *table.name(way)} <= strip for strip in strips)
    for side, entry in data["sides"].items():
        rows = [{table.depths[int(side)][table.index[site]] for site in row} for row in entry["rows"]]
        assert [len(row) for row in rows] == [1] * 10
        assert rows == sorted(rows, key=min)
        assert set(load_board("trid").areas[f"side {side}"]) == set(entry["border_row"])


def test_there_are_346_controlling_triangles(table: Net) -> None:
    assert len(table.triangles) == 346
    for corners, inside in table.triangles.items():
        size = round((len(inside) + 3) ** 0.5)
        assert size >= 2
        assert size * size == len(inside) + 3
        assert inside.isdisjoint(corners)


def test_perft(shared: Path) -> None:
    for line in (shared / "rules" / "perft" / "trid.txt").read_text().splitlines():
        text, *counts = line.split(";")
        game, at, _ = replay(text)
        for depth, leaves in (count.split() for count in counts):
            assert perft(game.rules, at, int(depth[1:])) == int(leaves), line


@pytest.mark.parametrize(
    ("players", "turns"),
    [
        (2, ("black", "blue", "black")),
        (3, ("black", "blue", "red", "black")),
        (4, ("black", "blue", "red", "green", "black")),
    ],
)
def test_seats_follow_clockwise(players: int, turns: tuple[str, ...]) -> None:
    at = read_game(f"trid players={players}").start()
    seen = [at.turn]
    for _ in turns[1:]:
        at = TRID.play(at, next(iter(TRID.legal(at)))).position
        seen.append(at.turn)
    assert tuple(seen) == turns


def test_the_start_as_the_south_sees_it() -> None:
    """'3. Starting setting': the master in the middle, gliders to its left, jumpers to its right."""
    shown = TRID.look(read_game("trid players=4").start())
    kinds = [shown[f"a{n}"].split("/") for n in range(4, 9)]
    assert [kind for _, kind in kinds] == ["glider", "glider", "master", "jumper", "jumper"]
    assert {owner for owner, _ in kinds} == {"black"}
    assert len(shown) == 20


KEPT_AND_BROKEN = [
    # rule, pawns, an action that keeps it, one that breaks it, the fields concerned
    ("TD-1", f"black Ma6 Ja8 / {BLUE}", "a8-b10", "j6-j5", ("j6",)),
    ("TD-1", f"black Ma6 Ja8 / {BLUE}", "a6-a7", "a5-a6", ("a5",)),
    ("TD-2", f"black Ma6 Jb8 / {BLUE}", "b8-c10", "b8-c8", ("c8",)),
    ("TD-2", f"black Ma6 Gc4 / {BLUE}", "c4-c7", "c4-c9", ("c8",)),
    ("TD-2", f"black Mc7 / {BLUE}", "c7-d8", "c7-c8", ("c8",)),
    ("TD-3", f"black Md8 / {BLUE}", "d8-d9", "d8-c7", ("d8", "c7")),
    ("TD-3", f"black Md8 / {BLUE}", "d8-d7", "d8-e8", ("d8", "e8")),
    ("TD-4", f"black Ma6 Ja7 / {BLUE}", "a6-b8", "a6-b9", ("a6", "b9")),
    ("TD-4", f"black Ma6 Ja7 Ga8 / {BLUE}", "a6-a9", "a6-a10", ("a6", "a10")),
    ("TD-5", f"black Ma6 Ga5 / {BLUE}", "a5-a1", "a5-a2", ("a2",)),
    ("TD-5", f"black Ma6 Gb3 / {BLUE}", "b3-b1", "b3-d5", ("b3", "d5")),
    ("TD-5", f"black Ma6 Ga5 Ja2 / {BLUE}", "a5-a3", "a5-a1", ("a2",)),
    ("TD-6", f"black Ma6 Gb5 / {BLUE}", "b5-b7", "b5-b13", ("b7",)),
    ("TD-7", "black Ma6 Ge1 / blue Mj6 Ge8 Je10", "e1xe8", "e1xe10", ("e10",)),
    ("TD-8", f"black Ma6 Jc6 / {BLUE}", "c6-d8", "c6-c7", ("c6", "c7")),
    ("TD-8", f"black Ma6 Jc6 Gd6 / {BLUE}", "c6-d8", "c6xd6", ("c6", "d6")),
    ("TD-9", "black Ma6 Jc6 / blue Mj6 Gd8", "c6xd8", "c6-d8", ("d8",)),
    ("TD-9", "black Ma6 Jc6 / blue Mj6 Gd8", "c6-d6", "c6xd6", ("d6",)),
    ("TD-16", f"black Ma6 / {BLUE}", "a6-a7", "pass", ()),
]


@pytest.mark.parametrize(("rule", "pawns", "kept", "refused", "sites"), KEPT_AND_BROKEN)
def test_a_rule_kept_and_broken(
    rule: str, pawns: str, kept: str, refused: str, sites: tuple[str, ...]
) -> None:
    at = position(pawns)
    assert TRID.judge(at, kept) == ()
    assert broken(at, refused)[rule] == sites


def test_td1_a_switch_is_owed_before_the_next_move() -> None:
    at = after(position(f"black Ma10 Jc7 Ge7 Jf12 / {BLUE}"), "f12-e11")
    assert broken(at, "j6-j5") == {"TD-1": ("c7", "e7", "e11")}
    assert set(broken(at, "pass")) == {"TD-1", "TD-16"}
    assert at.turn == "black"
    assert after(at, "keep").turn == "blue"


def test_every_broken_rule_is_named() -> None:
    at = position("black Ma6 Gb5 / blue Mj6 Gb9 Jc5")
    assert broken(at, "b5-b9") == {"TD-9": ("b9",), "TD-6": ("b7",), "TD-7": ("b9",)}
    assert set(broken(at, "c5xc8")) == {"TD-1", "TD-2", "TD-8", "TD-9"}


def test_td2_walls_and_gliders() -> None:
    """'Glider and Master stops on field before wall field. Jumper … can jump over it' (1, 'Wall field')."""
    assert "c4-c7" in moves_of(position(f"black Ma6 Gc4 / {BLUE}"), "c4")
    assert "c7-c9" in moves_of(position(f"black Ma6 Jc7 / {BLUE}"), "c7")


def test_td4_no_chain_ends_on_a_wall() -> None:
    """'Master can't end jumping over own pawns on this field' (1, 'Wall field')."""
    at = position(f"black Mc6 Gc7 / {BLUE}")
    assert broken(at, "c6-c8") == {"TD-2": ("c8",)}
    assert "c6-d8" in moves_of(at, "c6")


def test_td3_no_jump_goes_backwards() -> None:
    """'When jumping can't move backwards' (2, 'Master pawn', 'Movement')."""
    at = position(f"black Md7 Jd8 Gc7 / {BLUE}")
    assert "d7-d9" in moves_of(at, "d7")
    assert broken(at, "d7-c6") == {"TD-3": ("d7", "c6")}


def test_td4_any_number_and_taking() -> None:
    """'Can jump over allies (over any number and stand on bordering to them field)' (2, 'Master pawn')."""
    at = position("black Ma6 Ja7 Ga8 Ga9 / blue Mj6 Gb10")
    assert moves_of(at, "a6") == {"a6-a5", "a6-b8", "a6xb10", "a6-a10"}


def test_td5_td6_td7_the_gliders_example() -> None:
    """'Black Glider can't take blue 1, because it's behind a Stop field nor … blue 2, because it's behind a
    wall. It can take blue 3' (2, 'Glider pawn', 'Taking')."""
    at = position("black Ma10 Gb5 / blue Mj6 Gb9 Jf5 Gh11")
    assert broken(at, "b5xb9") == {"TD-6": ("b7",), "TD-7": ("b9",)}
    assert broken(at, "b5xf5") == {"TD-2": ("d5",), "TD-7": ("f5",)}
    assert "b5xh11" in moves_of(at, "b5")
    assert "b5-g12" in moves_of(at, "b5")


def test_td8_the_jumpers_example() -> None:
    """'Black jumper can't take blue 1, because it's on the different field colour. It can take blue 2,
    despite it's behind wall' (2, 'Jumper pawn', 'Taking')."""
    at = position("black Ma6 Jc7 / blue Mj6 Gd8 Gc9")
    assert broken(at, "c7xd8") == {"TD-8": ("c7", "d8")}
    assert "c7xc9" in moves_of(at, "c7")


def test_td8_the_jumpers_of_a_player_keep_to_one_colour_each() -> None:
    """'Every jumper controls different colour (lightgrey and white)' (2, 'Jumper pawn')."""
    at = read_game("trid").start()
    ends = {site: {a[3:] for a in moves_of(at, site)} for site in ("a7", "a8")}
    assert ends == {"a7": {"a9", "b7", "b9"}, "a8": {"a10", "b8", "b10"}}


def test_td9_taking_is_never_compulsory() -> None:
    at = position("black Ma6 Ge1 / blue Mj6 Ge8")
    assert {"e1-e7", "e1xe8"} <= moves_of(at, "e1")
    assert TRID.look(after(at, "e1xe8"))["e8"] == "black/glider"


STEPS = "black Ma10 Gc4 Je7 Ge11 / blue Mj6 Jd8 Gc9"


def test_td10_to_td13_the_three_steps() -> None:
    """'1. Starting position. Black's turn. 2. Upper Glider moved to the right and stopped before a wall.
    Blue 1 is taken by triangle. 3. Player decides to switch upper Glider with a Jumper … Blue 2 can't escape
    from the trap' (5). The figures are lost: the fields are ours."""
    one = position(STEPS)
    two = TRID.play(one, "c4-c7")
    assert [event.kind for event in two.events] == ["moved", "made", "taken"]
    assert "d8" not in TRID.look(two.position)
    assert set(TRID.legal(two.position)) == {"c7%e7", "e7%e11", "keep"}
    three = after(two.position, "c7%e7")
    assert (TRID.look(three)["c7"], TRID.look(three)["e7"]) == ("black/jumper", "black/glider")
    assert "c7xc9" in moves_of(three._replace(seat=0), "c7")
    assert broken(three, "c9-d9") == {"TD-13": ("d9",)}
    assert three.turn == "blue"


def test_td10_only_corners_of_a_big_triangle_count() -> None:
    at = position(f"black Ma10 Gc4 Je8 Ge11 / {BLUE}")
    assert after(at, "c4-c7").turn == "blue"


def test_td11_all_triangles_just_made_take() -> None:
    at = position("black Mc3 Gc4 Je7 Ge11 Ja3 / blue Mj6 Jd8 Gb4")
    step = TRID.play(at, "c4-c7")
    assert [e.sites for e in step.events if e.kind == "made"] == [("a3", "c3", "c7"), ("c7", "e7", "e11")]
    assert sorted(e.sites for e in step.events if e.kind == "taken") == [("b4",), ("d8",)]
    assert "c3%e7" in broken_switches(step.position)


def broken_switches(at: Position) -> set[str]:
    """Switches of two own pawns that are not corners of one triangle just made."""
    own = [site for site, look in TRID.look(at).items() if look.startswith("black")]
    pairs = {f"{a}%{b}" for a, b in product(own, own)}
    return {pair for pair in pairs if "TD-12" in broken(at, pair)}


def test_td11_a_triangle_that_stood_before_takes_nothing_new() -> None:
    at = position("black Ma10 Ga2 Jc7 Ge7 Je11 / blue Mj6 Jd8")
    step = TRID.play(at, "a10-a9")
    assert [event.kind for event in step.events] == ["moved"]


def test_td12_switches() -> None:
    at = after(position(STEPS), "c4-c7")
    assert broken(at, "c7%e11") == {"TD-12": ("c7", "e11")}, "two gliders"
    assert broken(at, "a10%c7") == {"TD-12": ("a10", "c7")}, "no corner"
    assert broken(at, "e7%c7") == {"GEN-1": ()}, "not in alphabetical order"
    assert broken(position(STEPS), "c4%e7") == {"TD-12": ("c4", "e7")}, "no triangle"
    assert broken(position(STEPS), "keep") == {"TD-12": ()}


def test_td12_numbers_are_ordered_as_numbers() -> None:
    at = after(position(f"black Ma1 Ge8 Gf9 Jf11 / {BLUE}"), "f11-e10")
    assert set(TRID.legal(at)) == {"e8%e10", "e10%f9", "keep"}


def test_td12_a_switch_moves_a_master_backwards() -> None:
    """'This is the only possibility to move the Master pawn backwards' (5)."""
    at = after(position(f"black Me7 Gc4 Je11 / {BLUE}"), "c4-c7", "c7%e7")
    assert TRID.look(at)["c7"] == "black/master"


def test_td13_a_triangle_is_closed_while_it_stands() -> None:
    """'No one of enemy's pawn can enter inside triangle' (5)."""
    pawns = "black Ma10 Gc7 Je7 Ge11 / blue Mj6 Jd6 Ge3"
    at = position(pawns, "blue")
    assert broken(at, "d6-d8") == {"TD-13": ("d8",)}
    assert "e3xe7" in moves_of(at, "e3"), "a corner can be taken"
    opened = after(at, "e3xe7", "a10-a9")
    assert "d6-d8" in moves_of(opened, "d6")
    assert "a10-b10" not in moves_of(at, "a10")
    own = position(pawns)
    assert "c7-d8" not in moves_of(own, "c7"), "a glider does not stop by itself"
    assert "e7-e9" in moves_of(own, "e7"), "its own pawns go in"


def test_td14_a_triangle_takes_a_master() -> None:
    """'Controlling triangle can be used for taking enemy's Master pawn' (5)."""
    at = position("black Ma10 Gc4 Je7 Ge11 / blue Md8 Gj5 / red Mh15 Gg16", players=3)
    step = TRID.play(at, "c4-c7")
    assert [event.kind for event in step.events] == ["moved", "made", "taken", "out"]
    assert not any(look.startswith("blue") for look in TRID.look(step.position).values())
    assert after(step.position, "keep").turn == "red"


def test_td14_a_move_takes_a_master() -> None:
    """'After taking enemy's Master pawn, enemy loses and takes all his pawns off the board' (4)."""
    at = position("black Ma6 Jc6 / blue Md8 Gj5")
    end = after(at, "c6xd8")
    assert TRID.outcome(end) == Outcome("black", "no opponent is left")
    assert set(TRID.look(end)) == {"a6", "d8"}
    assert broken(end, "a6-a7") == {"GEN-3": ()}


def test_td15_arrival() -> None:
    """'If Master pawn gets to the row on the opposite board border player wins' (4)."""
    at = position("black Mi5 / blue Mh2")
    assert TRID.outcome(after(at, "i5-i4")) is None
    end = after(at, "i5-i4", "h2-h1", "i4-j3")
    assert TRID.outcome(end) == Outcome("black", "the master has reached the opposite border")


@pytest.mark.parametrize("turn", ["black", "blue"])
def test_td15_a_corrected_board_has_its_winner_whoever_is_to_move(turn: str) -> None:
    at = position("black Mj3 / blue Mh9", turn)
    assert TRID.outcome(at) == Outcome("black", "the master has reached the opposite border")


def test_td15_arrival_by_a_switch() -> None:
    """'…or for switching own Master pawn with other pawn that is at the last row' (5)."""
    at = after(position("black Mi3 Jj3 Jh5 / blue Mh9 Gb6"), "h5-i5")
    assert TRID.outcome(at) is None
    assert set(TRID.legal(at)) == {"i3%i5", "i3%j3", "keep"}
    assert TRID.outcome(after(at, "i3%i5")) is None
    assert TRID.outcome(after(at, "i3%j3")) == Outcome("black", "the master has reached the opposite border")


def test_td16_a_player_without_a_move_passes() -> None:
    stuck = position("black Ma6 Gc7 Je7 Ge11 / blue Me9", "blue")
    assert list(TRID.legal(stuck)) == ["pass"], "its fields are closed, or nearer to its own border"
    assert set(broken(stuck, "e9-f9")) == {"TD-3"}
    assert TRID.prompt(stuck) == "no pawn can move: pass"
    assert TRID.play(stuck, "pass").position.turn == "black"
    assert broken(stuck, "keep") == {"TD-12": ()}


def test_nonsense() -> None:
    at = read_game("trid").start()
    for text in ("", "a6", "a6-", "a6-z9", "a06-a7", "a6~", "a6-a7-a8", "A6-a7", "a6 - a7", "e1=T"):
        assert broken(at, text) == {"GEN-1": ()}, text


@pytest.mark.parametrize(
    "text",
    [
        "trid",
        "trid players=4 a8-b10 g1-f1 j8-g14 d17-e17",
        "trid players=3 a4-d4 h1-g3 i13-h13 d4xg1 i1-i7 h13-g15",
    ],
)
def test_the_whole_spelling_space(text: str) -> None:
    _, at, _ = replay(text)
    fields = at.net.names
    legal = set(TRID.legal(at))
    for start, mark, end in product(fields, "-x%", fields):
        assert (TRID.judge(at, f"{start}{mark}{end}") == ()) == (f"{start}{mark}{end}" in legal)


def test_words() -> None:
    at = position("black Ma10 Gc4 Je7 Ge11 / blue Md8 Gj5")
    assert [TRID.tell(event) for event in TRID.play(at, "c4-c7").events] == [
        "Black moves the glider from c4 to c7.",
        "Black makes a controlling triangle with c7, e7, e11.",
        "Black takes Blue's master on d8.",
        "Blue has lost the master and is out of the game.",
        "Black wins: no opponent is left.",
    ]
    assert TRID.label("c7%e11") == "switch c7 and e11"


@pytest.mark.parametrize(
    ("looks", "turn", "words"),
    [
        ({"a6": "black/master"}, "red", "does not play"),
        ({"a66": "black/master"}, "black", "not a field"),
        ({"a6": "red/master"}, "black", "not a pawn"),
        ({"c8": "black/master"}, "black", "wall"),
        ({"a6": "black/master", "a7": "black/master"}, "black", "at most 1 of the kind master"),
        ({"a6": "black/glider", "j6": "blue/master"}, "black", "no master"),
    ],
)
def test_what_cannot_be_arranged(looks: dict[str, str], turn: str, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        TRID.arrange(read_game("trid").start(), looks, turn)


def test_attempts_are_what_a_player_may_have_meant() -> None:
    at = position("black Ma6 Jc6 / blue Mj6 Gd8")
    moved = {"c6": ("black/jumper", "empty"), "d8": ("blue/glider", "black/jumper")}
    assert next(iter(TRID.attempts(at, moved))) == "c6xd8"
    swapped = {"a6": ("black/master", "black/jumper"), "c6": ("black/jumper", "black/master")}
    assert "a6%c6" in list(TRID.attempts(at, swapped))


def test_an_owner_changes_walls_and_stops(tmp_path: Path) -> None:
    source = Path(__file__).parents[3] / "companion" / "boards" / "trid.json"
    data = json.loads(source.read_text())
    data["areas"]["walls"] = ["a2"]
    data["areas"]["stops"] = ["b6"]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(data))
    at = read_game(f"trid board={file}").start()
    moves = moves_of(at, "a5")
    assert "a5-b6" in moves
    assert broken(at, "a4-a1") == {"TD-2": ("a2",)}
    assert broken(at, "a4-a3") == {}


@pytest.mark.parametrize(
    ("key", "change", "words"),
    [
        ("areas", {}, 'has no area "walls"'),
        ("sites", {"a1": [0.3, 0.3]}, "a1 is no field of the triangular grid"),
        ("tables", {"seats": {"2": [0, 3]}}, 'no "seats" for 4 players'),
    ],
)
def test_a_board_that_does_not_suit(key: str, change: dict[str, object], words: str) -> None:
    source = Path(__file__).parents[3] / "companion" / "boards" / "trid.json"
    data = json.loads(source.read_text())
    data[key] = {**data[key], **change} if change else {}
    with pytest.raises(GameError, match=words):
        TRID.start({"players": "4"}, parse_board(data))


def test_a_correction_that_changes_nothing_leaves_a_switch_open() -> None:
    at = after(position(STEPS), "c4-c7")
    assert TRID.arrange(at, TRID.look(at), "black") == at
