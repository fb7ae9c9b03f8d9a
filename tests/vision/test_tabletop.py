"""The simulated wooden table: what a hand can do to it, and what then stands where."""

from dataclasses import replace
from math import dist
from random import Random

import pytest

from companion.core.board import load_board
from companion.core.game import EMPTY
from companion.games.text import replay
from vision.virtual.layout import nearest_site, plank, spacing
from vision.virtual.tabletop import Item, Tabletop, handle, laid_looks, lay, stand

STARTS = [
    "triune",
    "chess",
    "trid",
    "trid players=4",
    "teleporters",
    "escape",
    "magnet",
    "ternion_factor",
    "ternion_factor players=4",
    "ternion_spaces",
    "no_overlap",
    "jump_to_center",
    "queens",
    "rooks",
    "draughts",
    "draughts variant=international",
]


def table_of(text: str, seed: int = 1) -> Tabletop:
    game, position, _ = replay(text)
    return lay(game.rules, position, game.board, Random(seed))


def standing(board: str, looks: dict[str, str], beside: tuple[str, ...] = ()) -> Tabletop:
    """A table with looks on places, and things on the table to the east of the board."""
    wood = load_board(board)
    on = [stand(wood, place, look, Random(1)) for place, look in looks.items()]
    off = [Item(look, (plank(wood).east + 1, float(n))) for n, look in enumerate(beside)]
    return Tabletop(wood, (*on, *off))


def item(table: Tabletop, look: str) -> Item:
    return next(i for i in table.items if i.look == look)


@pytest.mark.parametrize("text", STARTS)
def test_a_laid_position_is_what_the_rules_say_and_lies_off_its_sites(text: str) -> None:
    game, position, _ = replay(text)
    table = table_of(text)
    assert table.looks() == {p: look for p, look in game.rules.look(position).items() if look != EMPTY}
    for thing in table.items:
        site = nearest_site(game.board, thing.at, marker=not thing.piece)
        if site:
            assert dist(game.board.where(site), thing.at) <= 0.11 * spacing(game.board)


@pytest.mark.parametrize("text", STARTS)
def test_what_lies_beside_the_board_lies_off_its_wood_and_apart(text: str) -> None:
    table = table_of(text)
    aside = [i for i in table.items if not plank(table.board).holds(i.at)]
    on_wood = [i for i in table.items if i not in aside]
    assert len(table.looks()) <= len(on_wood)
    apart = [dist(a.at, b.at) for n, a in enumerate(aside) for b in aside[:n]]
    assert all(d > 0.4 * spacing(table.board) for d in apart)


@pytest.mark.parametrize(
    ("text", "owner", "count"),
    [
        ("ternion_factor", "black", 18),
        ("ternion_factor players=4", "yellow", 18),
        ("magnet", "red", 12),
        ("triune", "red", 18),
        ("queens", "solver", 8),
        ("rooks", "solver", 4),
        ("chess", "white", 16),
    ],
)
def test_as_many_pieces_as_the_game_has(text: str, owner: str, count: int) -> None:
    assert sum(i.owner == owner for i in table_of(text).items) == count


def test_the_same_seed_lays_the_same_table() -> None:
    assert table_of("triune", 4) == table_of("triune", 4)
    assert table_of("triune", 4) != table_of("triune", 5)


MOVES = [
    # board, on places, beside, from, to, looks afterwards
    ("triune", {"a2": "red/solid"}, (), "a2", "a3", {"a3": "red/solid"}),
    ("triune", {"a2": "red/solid"}, (), "b2", "a3", {"a2": "red/solid"}),
    ("triune", {"a2": "red/marked", "a5": "blue/solid"}, (), "a2", "a5", {"a5": "red/marked"}),
    ("triune", {"a8": "red/solid", "a7": "red/solid"}, (), "a7", "a8", {"a8": "red/triune"}),
    ("triune", {"a7": "red/triune", "a8": "red/solid"}, (), "a7", "a8", {"a8": "red/triune"}),
    ("ternion", {"c4": "black+T"}, (), "c4", "d3", {"c4": "black", "d3": "+T"}),
    ("ternion", {"c4": "black", "d3": "+T"}, (), "d3", "c4", {"c4": "black+T"}),
    ("ternion", {"c4": "black", "d3": "+T"}, (), "c4", "d3", {"d3": "black+T"}),
    ("ternion", {"c4": "black+A", "d3": "+T"}, (), "d3", "c4", {"c4": "+T"}),
    (
        "teleporters",
        {"c1": "south/pole", "d2nw": "south/port"},
        (),
        "c1",
        "d2",
        {"d2": "south/pole", "d2nw": "south/port"},
    ),
    (
        "teleporters",
        {"b2nw": "south/port", "b5se": "south/port"},
        (),
        "b2nw",
        "b5nw",
        {"b5nw": "south/port", "b5se": "south/port"},
    ),
    ("teleporters", {"b2nw": "south/port", "b5ne": "north/port"}, (), "b2nw", "b5nw", {"b5nw": "south/port"}),
    ("magnet", {"f6": "magnet"}, (), "f6", "a1", {"a1": "magnet"}),
    ("magnet", {"a1": "red", "f6": "magnet"}, (), "f6", "a1", {"a1": "red"}),
    ("magnet", {"a1": "red", "f6": "magnet"}, (), "a1", "f6", {"f6": "red"}),
]


@pytest.mark.parametrize(("board", "looks", "beside", "start", "end", "after"), MOVES)
def test_a_hand_carries_a_thing(
    board: str, looks: dict[str, str], beside: tuple[str, ...], start: str, end: str, after: dict[str, str]
) -> None:
    table = standing(board, looks, beside)
    moved = table.move(table.board.where(start), table.board.where(end), Random(2))
    assert moved.looks() == after
    assert moved.hand is None


def test_a_spare_disc_on_an_own_piece_makes_a_stack_and_a_double_tap_takes_it_off() -> None:
    table = standing("triune", {"h8": "red/solid"}, ("red/solid",))
    spare = next(i for i in table.items if i.at[0] > 8)
    stacked = table.grasp(spare).reach(table.board.where("h8")).release(Random(1))
    assert stacked.looks() == {"h8": "red/triune"}
    assert len(stacked.items) == 1
    apart = stacked.turn_over(item(stacked, "red/triune"), Random(1))
    assert apart.looks() == {"h8": "red/solid"}
    assert len(apart.items) == 2


def test_what_is_held_is_nowhere_and_what_is_put_beside_the_board_is_off_it() -> None:
    table = standing("triune", {"a2": "red/solid", "b2": "red/solid"})
    held = table.grasp(item(table, "red/solid"))
    assert held.looks() == {"b2": "red/solid"}
    assert held.hand
    assert held.hand.item
    off = held.reach((plank(table.board).east + 1.0, 3.0)).release(Random(1))
    assert off.looks() == {"b2": "red/solid"}
    assert len(off.items) == 2


def test_a_capture_puts_the_taken_piece_beside_the_board() -> None:
    table = standing("triune", {"a2": "red/marked", "a5": "blue/solid"})
    after = table.move(table.board.where("a2"), table.board.where("a5"), Random(2))
    assert not plank(table.board).holds(item(after, "blue/solid").at)


def test_a_thing_let_go_comes_to_stand_nearer_to_its_site_than_the_finger_was() -> None:
    table = standing("triune", {"a2": "red/solid"})
    after = table.move((0.0, 1.0), (0.4, 2.35), Random(2))
    assert dist(item(after, "red/solid").at, (0, 2)) < 0.15


@pytest.mark.parametrize(
    ("board", "place", "look", "after"),
    [
        ("triune", "c3", "red/solid", {"c3": "red/marked"}),
        ("triune", "c3", "blue/marked", {"c3": "blue/solid"}),
        ("teleporters", "b2nw", "south/port", {"b2sw": "south/port"}),
        ("teleporters", "b2ne", "south/port", {"b2nw": "south/port"}),
        ("teleporters", "c1", "south/pole", {"c1": "south/pole"}),
        ("chess", "e1", "white/king", {"e1": "white/king"}),
        ("draughts", "c3", "white/man", {"c3": "white/man"}),
        ("ternion", "c4", "+T", {"c4": "+T"}),
        ("trid", "a4", "black/glider", {"a4": "black/glider"}),
    ],
)
def test_turning_over(board: str, place: str, look: str, after: dict[str, str]) -> None:
    table = standing(board, {place: look})
    assert table.turn_over(table.items[0], Random(1)).looks() == after


def test_a_move_marker_on_a_line_is_on_no_site() -> None:
    table = standing("ternion", {"c4": "black"})
    middle = (2.5, 3.0)
    after = table.put(Item("+1", middle), Random(1))
    assert after.looks() == {"c4": "black"}


def test_kinds_that_no_camera_tells_apart_are_seen_as_their_owner() -> None:
    table = table_of("chess")
    assert table.looks()["e1"] == "white"
    assert item(table, "white/king")


def test_what_is_untouched_stays_exactly_where_it_is() -> None:
    table = table_of("triune")
    after = table.become({**table.looks(), "a2": EMPTY, "a3": "red/solid"}, Random(9))
    kept = [i for i in table.items if i in after.items]
    assert len(kept) == len(table.items) - 1
    assert after.looks() == {**{p: k for p, k in table.looks().items() if p != "a2"}, "a3": "red/solid"}


def test_pieces_are_laid_by_their_kinds() -> None:
    """White's knight takes a bishop on the page: no other white piece lies where it went."""
    game, position, _ = replay("chess e2e4 d7d6 g1f3 c8g4 h2h3")
    table = lay(game.rules, position, game.board, Random(5))
    position = game.rules.play(position, "g4f3").position
    after = table.become(laid_looks(game.rules, position), Random(9))
    kinds = {place: piece.look for place in game.board.sites if (piece := after.at(place))}
    assert kinds == laid_looks(game.rules, position)
    kept = [piece for piece in table.items if piece in after.items]
    assert len(kept) == len(table.items) - 2
    assert after.become(after.looks(), Random(9)) == after


def test_a_marker_that_is_laid_is_one_of_those_beside_the_board() -> None:
    """As often as it is laid and taken off: else markers would pile up beside the board."""
    table = table_of("ternion_factor")
    after = table.become({"d5": "black", "e6": "white"}, Random(9))
    for _ in range(3):
        after = after.become({"d5": "black+A", "e6": "white+T"}, Random(9))
        assert after.looks() == {"d5": "black+A", "e6": "white+T"}
        after = after.become({"d5": "black", "e6": "white"}, Random(9))
    assert sorted(i.look for i in after.items) == sorted(i.look for i in table.items)


def test_a_pawn_is_exchanged_for_what_it_became_and_nothing_moves() -> None:
    table = standing("chess", {"a8": "white/pawn", "c3": "white/rook", "d5": "black/knight"})
    table = replace(table, seen=frozenset(("empty", "white", "black")))
    after = table.with_kinds({"a8": "white/queen", "c3": "black/rook", "d4": "white/king"})
    assert [item.at for item in after.items] == [item.at for item in table.items]
    assert [item.look for item in after.items] == ["white/queen", "white/rook", "black/knight"]
    triune = table_of("triune")
    assert triune.with_kinds({**triune.looks(), "a2": "red/marked"}) == triune


def test_the_handle_of_a_port_is_its_elbow() -> None:
    table = standing("teleporters", {"b2nw": "south/port"})
    assert dist(handle(table.items[0]), table.board.where("b2nw")) < 0.1
    assert table.nearest(table.board.where("b2nw")) is table.items[0]
