"""The virtual table: a finger on the picture, the camera's frames, and what tests do to both."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from companion.core.board import load_board
from companion.games.text import replay
from vision.sources.virtual import STAY, VirtualTable, pick
from vision.virtual.render import LightSource
from vision.virtual.tabletop import Item, handle, place_of


def table_with(text: str = "triune") -> VirtualTable:
    game, position, _ = replay(text)
    table = VirtualTable(game.board, Random(3))
    table.lay(game.rules, position, game.board)
    return table


def pixel(table: VirtualTable, place: str) -> tuple[float, float]:
    ((x, y),) = table.view.pixels([table.table.board.where(place)]).tolist()
    return x, y


def drag(table: VirtualTable, start: str, end: str) -> None:
    table.press(*pixel(table, start))
    table.drag(*pixel(table, end))
    table.drop(*pixel(table, end))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("triune", "a2", "a3"),
        ("chess", "g1", "f3"),
        ("trid", "a6", "b8"),
        ("teleporters", "c1", "c2"),
        ("teleporters", "b2nw", "b4nw"),
        ("escape", "c3", "d5"),
    ],
)
def test_a_finger_moves_a_piece(text: str, start: str, end: str) -> None:
    table = table_with(text)
    before = table.table.looks()
    drag(table, start, end)
    after = table.table.looks()
    assert start not in after
    assert after[end] == before[start]
    assert {p: k for p, k in after.items() if p != end} == {p: k for p, k in before.items() if p != start}


def test_while_a_finger_holds_a_piece_a_hand_is_over_the_board() -> None:
    table = table_with()
    assert table.press(*pixel(table, "a2"))
    assert table.table.hand
    assert "a2" not in table.table.looks()
    table.drag(*pixel(table, "c4"))
    assert table.table.hand.at == pytest.approx((2, 3), abs=0.5)
    table.drop(*pixel(table, "c4"))
    assert table.table.hand is None


def test_a_tap_leaves_everything_exactly_as_it_was() -> None:
    table = table_with()
    before = table.table
    x, y = pixel(table, "b2")
    table.press(x, y)
    table.drop(x + 2, y - 1)
    assert table.table == before


def test_a_finger_beside_everything_takes_nothing() -> None:
    table = table_with()
    before = table.table
    assert not table.press(*pixel(table, "d5"))
    table.drag(100, 100)
    table.drop(100, 100)
    assert not table.turn_over(*pixel(table, "d5"))
    assert table.table == before


def test_a_piece_dragged_off_the_board_lies_beside_it_and_within_the_picture() -> None:
    table = table_with()
    count = len(table.table.items)
    table.press(*pixel(table, "a2"))
    table.drop(-500, 9000)
    assert "a2" not in table.table.looks()
    assert len(table.table.items) == count
    x, y = table.view.pixels([table.table.items[-1].at])[0]
    assert -30 < x < 670
    assert -30 < y < 510
    assert table.press(x, y)


def test_a_second_press_puts_down_what_was_held() -> None:
    table = table_with()
    table.press(*pixel(table, "a2"))
    table.drag(*pixel(table, "a4"))
    table.press(*pixel(table, "b2"))
    assert table.table.looks()["a4"] == "red/solid"
    assert "b2" not in table.table.looks()


def test_a_double_tap_turns_a_piece_over() -> None:
    table = table_with()
    assert table.turn_over(*pixel(table, "a2"))
    assert table.table.looks()["a2"] == "red/marked"


def port_on(table: VirtualTable, square: str) -> Item:
    board = table.table.board
    return next(
        item
        for item in table.table.items
        if item.corner and board.site_of(place_of(board, item) or "") == square
    )


def elbow(table: VirtualTable, square: str) -> tuple[float, float]:
    """The pixel at which one takes hold of the Port on a square."""
    ((x, y),) = table.view.pixels([handle(port_on(table, square))]).tolist()
    return x, y


def test_a_hand_stays_beside_a_port_that_it_turned_and_may_turn_it_on() -> None:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    table = table_with("teleporters")
    camera = table.source(clock=lambda: now[0], wait=sleep)
    assert port_on(table, "b2").corner == "nw"
    camera.read()
    sleep(60)  # nobody has touched the table for long
    for corner in ("sw", "se"):
        assert table.turn_over(*elbow(table, "b2"))
        camera.read()
        sleep(0.9 * STAY)
        camera.read()
        assert port_on(table, "b2").corner == corner
        assert table.table.hand
    sleep(STAY)
    camera.read()
    assert table.table.hand is None


def test_who_touches_a_port_that_was_just_turned_leaves_no_hand_behind() -> None:
    table = table_with("teleporters")
    assert table.turn_over(*elbow(table, "b2"))
    x, y = elbow(table, "b2")
    assert table.press(x, y)
    table.drop(x, y)
    assert table.table.hand is None


def test_a_tall_piece_can_be_taken_by_its_head() -> None:
    table = table_with("chess")
    king = table.table.at("e1")
    assert king
    ((x, y),) = table.view.pixels([king.at], [1.4])
    assert pick(table.scene, (x, y)) is king


@pytest.mark.parametrize("corner", ["nw", "ne", "sw", "se"])
def test_a_pole_between_the_walls_of_a_port_can_be_taken_and_so_can_the_port(corner: str) -> None:
    table = table_with("teleporters")
    table.become({"d4": "south/pole", f"d4{corner}": "north/port"})
    pole, port = table.table.at("d4"), table.table.at(f"d4{corner}")
    assert pole is not None
    assert port is not None
    (x, y), (east, north) = port.at, (0.4 if "e" in corner else -0.4, 0.4 if "n" in corner else -0.4)
    foot, elbow, wall, other_wall = table.view.pixels([
        pole.at, (x + east, y + north), (x + east, y - 0.9 * north), (x - 0.9 * east, y + north)
    ])  # fmt: skip
    taken = [pick(table.scene, (x, y)) for x, y in (foot, elbow, wall, other_wall)]
    assert taken == [pole, port, port, port]


def test_a_table_that_nobody_touches_sends_few_frames_until_somebody_does() -> None:
    table, now, waits = table_with(), [0.0], [0]

    def wait(seconds: float) -> None:
        now[0] += seconds
        waits[0] += 1
        if waits[0] == 200:
            drag(table, "a2", "a4")

    camera = table.source(10, clock=lambda: now[0], wait=wait)
    times = [frame.time for frame in (camera.read() for _ in range(80)) if frame and waits[0] < 400]
    touched = 20.0

    def gaps(start: float, end: float) -> list[float]:
        return [b - a for a, b in pairwise(times) if start < a and b < end]

    assert gaps(0, 2) == pytest.approx([0.1] * 18)
    assert min(gaps(2.2, touched)) > 0.45
    assert gaps(touched - 0.01, touched + 1.95) == pytest.approx([0.1] * 19)


def test_frames_come_at_the_rate_and_show_what_is_done() -> None:
    table, now = table_with(), [10.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    camera = table.source(10, clock=lambda: now[0], wait=wait)
    frames = [camera.read(), camera.read()]
    drag(table, "a2", "a4")
    frames.append(camera.read())
    now[0] += 5
    frames.append(camera.read())
    drag(table, "a4", "a5")
    first, second, third, late, after = seen = [f for f in (*frames, camera.read()) if f]
    assert [f.time for f in seen] == pytest.approx([10, 10.1, 10.2, 15.2, 15.3])
    assert [f.index for f in seen] == [0, 1, 2, 3, 4]
    assert not np.array_equal(late.image, after.image)
    assert np.abs(second.image.astype(int) - first.image).max() <= 25
    x, y = (round(v) for v in pixel(table, "a4"))
    assert np.abs(third.image[y, x].astype(int) - second.image[y, x]).max() > 40


def test_a_bump_and_another_light_show_in_the_next_frame() -> None:
    table = table_with()
    camera = table.source(wait=lambda seconds: None)
    before, view = camera.read(), table.view
    table.bump(25, 10, 1.0)
    bumped = camera.read()
    assert before
    assert bumped
    assert table.view != view
    assert (np.abs(bumped.image.astype(int) - before.image) > 40).mean() > 0.05
    table.shine(replace(LightSource(), brightness=0.5))
    dark = camera.read()
    assert dark
    assert dark.image.mean() == pytest.approx(0.5 * bumped.image.mean(), rel=0.05)


def test_another_game_is_another_board() -> None:
    table = table_with()
    camera = table.source(wait=lambda seconds: None)
    camera.read()
    game, position, _ = replay("teleporters")
    table.lay(game.rules, position, game.board)
    frame = camera.read()
    assert frame
    assert table.table.looks()["b2nw"] == "south/port"
    x, y = np.round(table.view.pixels([(3.2, 3.2)])[0]).astype(int)
    blue, _, red = frame.image[y, x].astype(int)
    assert blue > red + 40
    table.clear(load_board("chess"))
    assert table.table.items == ()


def test_an_empty_hand_comes_and_goes() -> None:
    table = table_with()
    before = table.table
    table.hand((3.5, 3.5))
    assert table.table.hand
    table.hand(None)
    assert table.table == before


def test_looks_can_be_set_without_a_hand() -> None:
    table = table_with()
    looks = {"a1": "red/triune", "h8": "blue/marked"}
    table.become(looks)
    assert table.table.looks() == looks


def test_both_sides_work_at_once() -> None:
    table = table_with()
    camera = table.source(wait=lambda seconds: None)
    shapes: list[tuple[int, ...]] = []

    def watch() -> None:
        for _ in range(12):
            frame = camera.read()
            assert frame
            shapes.append(frame.image.shape)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for _ in range(3):
        drag(table, "a2", "a4")
        drag(table, "a4", "a2")
    watcher.join()
    assert shapes == [(480, 640, 3)] * 12
    assert table.table.looks()["a2"] == "red/solid"


def test_pictures_to_learn_from_leave_the_table_as_it_is() -> None:
    table = table_with()
    table.press(*pixel(table, "a2"))
    before = table.table
    empty, as_it_is, other = table.picture({}), table.picture(), table.picture({"d4": "red/marked"})
    assert table.table == before
    x, y = (round(v) for v in pixel(table, "b2"))
    assert np.abs(as_it_is[y, x].astype(int) - empty[y, x]).max() > 40
    x, y = (round(v) for v in pixel(table, "d4"))
    assert (
        np.abs(other[y - 8 : y + 8, x - 8 : x + 8].astype(int) - empty[y - 8 : y + 8, x - 8 : x + 8]).max()
        > 40
    )
