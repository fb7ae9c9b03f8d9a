"""The virtual camera: what it draws lies where the view says, looks as painted, and is the same each time."""

from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from random import Random

import cv2
import numpy as np
import pytest

from companion.core.board import Board, load_board
from companion.games.text import replay
from vision.geometry.view import View
from vision.virtual.layout import corner_offset, face_of, spacing
from vision.virtual.render import Finish, ImageSensor, LightSource, Painter, draw, overlook
from vision.virtual.render.light import paint
from vision.virtual.render.outlook import shifted
from vision.virtual.render.solids import solid
from vision.virtual.tabletop import Hand, Item, Tabletop, handle, lay, place_of, stand

GAMES = [
    "triune",
    "chess",
    "trid",
    "teleporters",
    "escape",
    "ternion_factor players=4",
    "ternion_spaces",
    "magnet",
    "jump_to_center",
    "queens",
    "rooks",
    "draughts fen=W:W21,22,K30:B1,2,K9",
    "draughts variant=international",
]
NOON = LightSource(elevation=86, ambient=0.7)


def table_of(text: str) -> Tabletop:
    game, position, _ = replay(text)
    return lay(game.rules, position, game.board, Random(1))


def overhead(board: Board) -> View:
    return overlook(board, 89)


@lru_cache(maxsize=16)
def painter_of(board: Board, view: View, light: LightSource) -> Painter:
    return Painter(board, view, light)


def drawn(table: Tabletop, view: View, light: LightSource = NOON) -> np.ndarray:
    """As `draw`, with what was drawn for other tests kept."""
    return painter_of(table.board, view, light).draw(table)


def pixel(image: np.ndarray, at: np.ndarray) -> np.ndarray:
    x, y = np.round(at).astype(int)
    return image[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, 3).mean(axis=0)


def difference(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return cv2.absdiff(one, other).max(axis=2)


@pytest.mark.parametrize("text", GAMES)
def test_every_game_is_drawn_each_thing_where_the_view_says(text: str) -> None:
    table = table_of(text)
    view = overhead(table.board)
    bare = drawn(Tabletop(table.board), view)
    full = drawn(table, view)
    changed = difference(full, bare)
    assert full.shape == (480, 640, 3)
    for item in table.items:
        x, y = view.pixels([handle(item)], [face_of(table.board, item.look).height / 2])[0]
        if 4 < x < 636 and 4 < y < 476:
            reach = round(0.9 * face_of(table.board, item.look).radius * view.step_pixels(handle(item)))
            around = changed[
                max(0, round(y) - reach) : round(y) + reach + 1,
                max(0, round(x) - reach) : round(x) + reach + 1,
            ]
            assert around.max() > 25, item


@pytest.mark.parametrize("text", ["triune", "escape", "trid"])
def test_empty_sites_are_as_on_the_empty_board(text: str) -> None:
    table = table_of(text)
    view = overhead(table.board)
    changed = difference(drawn(table, view), drawn(Tabletop(table.board), view))
    taken = [item.at for item in table.items]
    for site, at in table.board.sites.items():
        if all(np.hypot(at[0] - x, at[1] - y) > 1.01 * spacing(table.board) for x, y in taken):
            x, y = np.round(view.pixels([at])[0]).astype(int)
            assert changed[y, x] < 12, site


@pytest.mark.parametrize("elevation", [45, 65, 89])
@pytest.mark.parametrize("azimuth", [-90, -60, 0, 135])
def test_a_disc_has_its_owners_colour_where_its_top_is_projected(elevation: float, azimuth: float) -> None:
    board = load_board("triune")
    table = Tabletop(board, (Item("red/solid", (1.0, 2.0)), Item("blue/solid", (6.1, 5.9))))
    view = overlook(board, elevation, azimuth)
    image = drawn(table, view)
    for item in table.items:
        seen = pixel(image, view.pixels([item.at], [0.18])[0])
        paints = {owner: paint(colour) for owner, colour in board.pieces.paint.items()}
        assert min(paints, key=lambda o: float(np.linalg.norm(paints[o] - seen))) == item.owner


@pytest.mark.parametrize(
    ("board", "look", "height"),
    [
        ("chess", "white/king", 1.5),
        ("teleporters", "south/pole", 0.85),
        ("magnet", "magnet", 1.0),
        ("ternion", "black+T", 0.8),
    ],
)
def test_what_is_tall_leans_away_from_the_camera(board: str, look: str, height: float) -> None:
    wood = load_board(board)
    item = stand(wood, next(iter(sorted(wood.sites))), look, Random(1))
    view = overlook(wood, 50)
    changed = difference(drawn(Tabletop(wood, (item,)), view), drawn(Tabletop(wood), view))
    x, y = np.round(view.pixels([item.at], [height])[0]).astype(int)
    assert changed[y - 2 : y + 3, x - 2 : x + 3].max() > 25
    assert np.hypot(*(view.pixels([item.at])[0] - (x, y))) > 10


def test_what_is_nearer_hides_what_is_behind_it() -> None:
    board = load_board("teleporters")
    near, far = Item("south/pole", (4.0, 3.0)), Item("north/pole", (4.0, 3.4))
    view = overlook(board, 40)
    both = drawn(Tabletop(board, (near, far)), view)
    alone = drawn(Tabletop(board, (near,)), view)
    assert (
        np.abs(
            pixel(both, view.pixels([near.at], [0.8])[0]) - pixel(alone, view.pixels([near.at], [0.8])[0])
        ).max()
        < 6
    )
    assert np.array_equal(both, drawn(Tabletop(board, (far, near)), view))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("red/solid", "red/marked"),
        ("red/solid", "red/triune"),
        ("red/marked", "red/triune"),
    ],
)
def test_faces_can_be_told_apart(one: str, other: str) -> None:
    board = load_board("triune")
    view = overlook(board)
    first, second = (drawn(Tabletop(board, (Item(k, (3.0, 3.0)),)), view) for k in (one, other))
    assert (difference(first, second) > 30).sum() > 60


@pytest.mark.parametrize("owner", ["white", "black"])
def test_each_kind_of_chess_piece_can_be_told_from_each_other(owner: str) -> None:
    board = load_board("chess")
    view = overlook(board)
    kinds = ("pawn", "knight", "bishop", "rook", "queen", "king")
    pictures = [drawn(Tabletop(board, (Item(f"{owner}/{kind}", (3.0, 3.0)),)), view) for kind in kinds]
    for one, other in combinations(pictures, 2):
        assert (difference(one, other) > 30).sum() > 40


@pytest.mark.parametrize(("kind", "least"), [("bishop", 4), ("rook", 16)])
def test_a_bishop_has_a_slit_and_a_rook_battlements(kind: str, least: int) -> None:
    body = solid(load_board("chess"), f"white/{kind}")
    assert (body.colours.sum(axis=1) < 0.5 * body.colours.max(axis=0).sum()).sum() >= least


@pytest.mark.parametrize("marker", ["T", "A"])
def test_a_marker_has_its_own_colour_on_a_pawn_and_alone(marker: str) -> None:
    board = load_board("ternion")
    view = overhead(board)
    for look in (f"black+{marker}", f"+{marker}"):
        image = drawn(Tabletop(board, (Item(look, (5.0, 5.0)),)), view)
        changed = difference(image, drawn(Tabletop(board), view)) > 30
        own = paint(board.pieces.paint[marker])
        assert (np.linalg.norm(image[changed] - own, axis=1) < 60).sum() > 15


def test_four_printed_markers_are_found_where_they_belong() -> None:
    board = load_board("triune")
    view = overlook(board, 70)
    image = draw(Tabletop(board), view, finish=Finish(markers=True))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(image)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    quarter = {0: (-1, 1), 1: (1, 1), 2: (1, -1), 3: (-1, -1)}
    for number, square in zip(ids.ravel().tolist(), corners, strict=True):
        east, north = np.sign(view.board(square[0].mean(axis=0)[None])[0] - 3.5)
        assert (east, north) == quarter[number]
        top_left, bottom_left = view.board(square[0][[0, 3]])
        assert top_left[1] > bottom_left[1]


def test_the_same_seed_draws_the_same_picture_and_another_one_other_noise() -> None:
    table = table_of("triune")
    painter = Painter(table.board, overlook(table.board))
    first, again, other = (painter.draw(table, np.random.default_rng(s)) for s in (1, 1, 2))
    fresh = draw(table, overlook(table.board), rng=np.random.default_rng(1))
    assert np.array_equal(first, again)
    assert np.array_equal(first, fresh)
    assert 0.5 < np.std(first.astype(float) - other) < 6


def test_a_painter_that_kept_things_draws_as_a_fresh_one() -> None:
    table = table_of("triune")
    painter = Painter(table.board, overlook(table.board))
    for item in (table.items[3], table.items[20]):
        table = table.move(item.at, (4.0, 4.0), Random(1))
        assert np.array_equal(painter.draw(table), draw(table, painter.view))


def test_the_empty_board_is_drawn_once_for_all_painters_of_a_view() -> None:
    view = overlook(load_board("triune"))
    one, other = Painter(load_board("triune"), view), Painter(load_board("triune"), view)
    assert one.ground is other.ground
    with pytest.raises(ValueError, match="read-only"):
        one.ground[0] = 0


@pytest.mark.parametrize(
    ("light", "check"),
    [
        (LightSource(brightness=0.6), lambda b, g, r: 0.5 < g < 0.7),
        (LightSource(brightness=1.4), lambda b, g, r: g > 1.15),
        (LightSource(kelvin=2700), lambda b, g, r: r > 1.1 and b < 0.8),
        (LightSource(kelvin=6500), lambda b, g, r: b > 1.05 and r < 1.0),
    ],
)
def test_brightness_and_warmth(light: LightSource, check: object) -> None:
    table = table_of("triune")
    view = overlook(table.board)
    plain, lit = (draw(table, view, k).mean(axis=(0, 1)) for k in (LightSource(), light))
    assert callable(check)
    assert check(*(lit / plain))


def test_a_shade_darkens_the_west_half_alone() -> None:
    table = table_of("triune")
    view = overlook(table.board)
    plain, shady = draw(table, view).astype(float), draw(table, view, LightSource(shade=0.5)).astype(float)
    assert shady[:, :280].mean() == pytest.approx(plain[:, :280].mean() * 0.5, rel=0.05)
    assert shady[:, 360:].mean() == pytest.approx(plain[:, 360:].mean(), rel=0.02)


def test_a_painter_takes_another_light() -> None:
    table = table_of("triune")
    painter = Painter(table.board, overlook(table.board))
    for light in (
        LightSource(shade=0.4),
        LightSource(brightness=0.7),
        LightSource(shade=0.6),
        LightSource(azimuth=20),
        LightSource(),
    ):
        painter = painter.under(light)
        assert np.array_equal(painter.draw(table), draw(table, painter.view, light))


def test_shadows_fall_away_from_the_light() -> None:
    board = load_board("triune")
    view = overhead(board)
    table = Tabletop(board, (Item("red/solid", (3.0, 3.0)),))
    for azimuth, side in ((0.0, -1), (180.0, 1)):
        light = LightSource(azimuth=azimuth, elevation=30)
        darker = drawn(Tabletop(board), view, light).mean(axis=2) - drawn(table, view, light).mean(axis=2)
        here, there = (view.pixels([(3.0 + k * 0.5, 3.0)])[0].round().astype(int) for k in (side, -side))
        assert darker[here[1], here[0]] > 10 + darker[there[1], there[0]]


def test_a_hand_covers_its_fingertips_and_the_arm_runs_out_of_the_picture() -> None:
    table = table_of("triune")
    view = overlook(table.board)
    bare = drawn(table, view)
    for side, edge in ((-90.0, np.s_[-1, :]), (90.0, np.s_[0, :]), (0.0, np.s_[:, -1]), (180.0, np.s_[:, 0])):
        covered = difference(drawn(replace(table, hand=Hand((3.5, 3.5), side)), view), bare) > 20
        x, y = view.pixels([(3.5, 3.5)])[0].round().astype(int)
        assert covered[y - 30 : y + 30, x - 30 : x + 30].any()
        assert covered[edge].sum() > 20


def test_a_held_piece_is_drawn_in_the_hand() -> None:
    table = table_of("triune")
    held = table.grasp(table.items[0]).reach((4.0, 4.0))
    view = overlook(table.board)
    assert held.hand
    changed = difference(drawn(held, view), drawn(replace(held, hand=Hand((4.0, 4.0))), view))
    assert (changed > 40).sum() > 100


def test_a_bumped_camera_sees_the_board_elsewhere() -> None:
    table = table_of("triune")
    view = overlook(table.board)
    bumped = shifted(view, 20, -10, 2)
    assert np.allclose(bumped.pixels([(3.5, 3.5)]) - view.pixels([(3.5, 3.5)]), [[20, -10]], atol=3)
    seen = draw(Tabletop(table.board, (Item("red/solid", (6.0, 5.0)),)), bumped)
    red = pixel(seen, bumped.pixels([(6.0, 5.0)], [0.18])[0])
    assert red[2] > 2 * red[0]


@pytest.mark.parametrize("elevation", [35, 60, 90])
@pytest.mark.parametrize("board", ["triune", "magnet", "trid", "ternion"])
def test_the_whole_board_is_in_the_picture(board: str, elevation: float) -> None:
    wood = load_board(board)
    pixels = overlook(wood, elevation).pixels(list(wood.outline))
    assert (pixels > 5).all()
    assert (pixels < (634, 474)).all()


def test_a_lens_bends_what_is_drawn_as_it_bends_the_view() -> None:
    board = load_board("triune")
    view = overlook(board, 70, bend=-0.15)
    item = Item("red/solid", (0.0, 7.0))
    image = draw(Tabletop(board, (item,)), view)
    red = pixel(image, view.pixels([item.at], [0.18])[0])
    assert red[2] > 2 * red[0]
    straight = replace(view, lens=None).pixels([item.at])
    assert np.hypot(*(straight - view.pixels([item.at]))[0]) > 2


def test_blur_takes_the_edges_away() -> None:
    table = table_of("triune")
    view = overlook(table.board)
    sharp, soft = (
        cv2.Laplacian(draw(table, view, sensor=ImageSensor(blur=b)), cv2.CV_64F).std() for b in (0, 2)
    )
    assert soft < 0.5 * sharp


def test_ports_stand_in_their_corners() -> None:
    board = load_board("teleporters")
    view = overhead(board)
    for corner in ("nw", "ne", "sw", "se"):
        item = Item("south/port", (4.0, 3.0), corner)
        changed = difference(drawn(Tabletop(board, (item,)), view), drawn(Tabletop(board), view))
        x, y = corner_offset(corner)
        elbow, away = view.pixels([(4 + 1.3 * x, 3 + 1.3 * y), (4 - x, 3 - y)]).round().astype(int)
        assert changed[elbow[1], elbow[0]] > 40
        assert changed[away[1], away[0]] < 15
        assert place_of(board, item) == f"e4{corner}"
