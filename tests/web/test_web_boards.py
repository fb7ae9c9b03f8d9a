"""Boards and pieces as SVG: any board of data, any look, any style."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from web_clients import Client

from companion import games
from companion.core.board import Face, PieceSet, bundled_boards, load_board, parse_board
from companion.games.text import read_game
from companion.record.session import begin
from web.drawing.board import draw_board, frame, look_id, spacing, turned
from web.drawing.pieces import GLYPHS, draw_look, glyph_of, readable_on
from web.routes.boards import describe, sits_north

SMALL: dict[str, Any] = {
    "format": "board-companion board 1",
    "sites": {"a1": [0, 0], "b1": [1, 0], "a2": [0, 2]},
    "places": {"a1nw": [-0.3, 0.3], "a1ne": [0.3, 0.3], "a1se": [0.3, -0.3], "a1sw": [-0.3, -0.3]},
    "corners": [[0, 0], [1, 0], [1, 2], [0, 2]],
    "outline": [[-1, -1], [2, -1], [2, 3], [-1, 3]],
}


@pytest.mark.parametrize("name", bundled_boards())
def test_every_board_is_sound_xml_with_every_layer(name: str) -> None:
    root = ET.fromstring(draw_board(load_board(name), ["red/x", "a&b<c"]))
    classes = [child.get("class") for child in root]
    assert classes == [None, "wood s-frame", "wood", "under", "pieces", "over", "hits"]


@pytest.mark.parametrize("name", games.installed())
def test_every_look_of_a_game_has_a_symbol(name: str) -> None:
    game = read_game(name)
    start = game.start()
    board = describe(game)
    root = ET.fromstring(board.svg)
    ids = {element.get("id") for element in root.iter() if element.tag.endswith("symbol")}
    for look in {*game.rules.looks(start), *game.rules.pieces(start).values()} - {"empty"}:
        assert board.symbols[look] in ids
    assert set(board.sites) == set(game.board.sites)


@pytest.mark.parametrize(
    ("game", "turned"), [("triune", "disc"), ("teleporters", "port"), ("chess", ""), ("draughts", "")]
)
def test_the_page_is_told_what_a_double_tap_turns(game: str, turned: str) -> None:
    assert describe(read_game(game)).turns == turned


@pytest.mark.parametrize("style", ["dark", "red-line", "blue-zone", "never-heard-of", "", "south-pad"])
@pytest.mark.parametrize("kind", ["polygon", "line", "circle", "text"])
def test_any_style_of_any_shape_is_drawn(kind: str, style: str) -> None:
    shape = {"kind": kind, "points": [[0, 0], [1, 0], [1, 1]], "style": style, "radius": 0.3, "words": "<&>"}
    root = ET.fromstring(draw_board(parse_board({**SMALL, "shapes": [shape]}), []))
    drawn = [e for e in root.iter() if e.get("class") == f"s-{style}"]
    assert len(drawn) == 1
    assert {drawn[0].get("fill"), drawn[0].get("stroke")} - {None, "none"}


def test_an_unknown_polygon_never_hides_what_is_below() -> None:
    shape = {"kind": "polygon", "points": [[0, 0], [1, 0], [1, 1]], "style": "mystery"}
    root = ET.fromstring(draw_board(parse_board({**SMALL, "shapes": [shape]}), []))
    (drawn,) = (e for e in root.iter() if e.get("class") == "s-mystery")
    assert drawn.get("fill") == "none"


def test_the_frame_holds_the_outline_and_the_spacing_is_the_nearest_pair() -> None:
    board = parse_board(SMALL)
    left, top, width, height = frame(board)
    assert left < -1 < 2 < left + width
    assert top < -3 < 1 < top + height
    assert spacing(board) == 1


def test_a_piece_in_a_corner_is_turned_into_it() -> None:
    board = parse_board(SMALL)
    assert [turned(board, f"a1{c}") for c in ("nw", "ne", "se", "sw")] == [0, 90, 180, 270]
    assert turned(board, "a1") == 0


def test_ids_of_looks_never_meet() -> None:
    looks = ["red/marked", "red+marked", "red_2f_marked", "redmarked", "+T", "T"]
    assert len({look_id(look) for look in looks}) == len(looks)


@pytest.mark.parametrize(
    "form", ["disc", "pawn", "block", "pole", "port", "pillar", "cross", "piece", "unheard"]
)
@pytest.mark.parametrize("badge", ["", "ring", "dot", "stack", "tall", "K", "T1/3", "knight", "<b>"])
def test_every_form_with_every_badge(form: str, badge: str) -> None:
    pieces = PieceSet({"red": "#b1201c"}, {"x": Face(form, 0.3, 0.3, badge)})
    assert len(ET.fromstring(f"<g>{draw_look(pieces, 'red/x+T')}</g>")) == 2


def test_owners_differ_by_more_than_colour() -> None:
    pieces = PieceSet({"red": "#b1201c", "blue": "#1d4c9c", "white": "#fff", "black": "#000"}, {})
    owners = ("red", "blue", "white", "black")
    assert len({glyph_of(pieces, owner) for owner in owners}) == 4
    assert set(GLYPHS) >= {glyph_of(pieces, owner) for owner in owners}
    assert glyph_of(pieces, "nobody") == ""


@pytest.mark.parametrize(
    ("paint", "ink"), [("#ffffff", "#1d1712"), ("#000", "#fffaf0"), ("#e3a81c", "#1d1712")]
)
def test_what_can_be_read_on_a_paint(paint: str, ink: str) -> None:
    assert readable_on(paint) == ink


def test_boards_are_kept_by_the_browser_until_they_change(home: Client) -> None:
    for path in ("/api/v1/board", "/api/v1/boards/triune", "/api/v1/boards/triune.svg"):
        first = home.get(path)
        assert first.status_code == 200
        again = home.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert again.status_code == 304


@pytest.mark.parametrize("game", ["chess", "draughts"])
@pytest.mark.parametrize(
    "fen", ["x", "%0a%1b[31m", "8/8/8/8/8/8/8/8_w_-_-_0_1", "W:W1:W1", "%ed%a0%80", "9" * 300]
)
def test_a_fen_that_is_none_is_refused_in_a_line(home: Client, game: str, fen: str) -> None:
    for form in ("", ".svg"):
        answer = home.get(f"/api/v1/boards/{game}{form}?fen={fen}")
        assert answer.status_code == 400
        assert "\n" not in answer.get_json()["error"]


@pytest.mark.parametrize(("query", "squares"), [
    ("", 64), ("?variant=international", 100), ("?variant=nonsense", 64), ("?board=/etc/passwd", 64),
])  # fmt: skip
def test_an_option_may_have_a_board_of_its_own(home: Client, query: str, squares: int) -> None:
    assert len(home.get(f"/api/v1/boards/draughts{query}").get_json()["sites"]) == squares
    assert home.get(f"/api/v1/boards/draughts.svg{query}").status_code == 200


@pytest.mark.parametrize("game", ["ternion_factor", "ternion_spaces"])
def test_every_marker_has_a_symbol(game: str) -> None:
    symbols = describe(read_game(game)).symbols
    assert {"+1", "+2", "+3"} <= symbols.keys()


BOARDS = ("triune", "magnet", "trid", "escape", "ternion_factor", "teleporters", "chess", "draughts")


@pytest.mark.parametrize("name", BOARDS)
def test_marks_on_every_site_and_all_coordinates_lie_within_the_drawing(name: str) -> None:
    """Also where the board is turned round: then a coordinate stands where `data-turned` says."""
    board = read_game(name).board
    left, top, width, height = frame(board)
    root = ET.fromstring(draw_board(board, []))
    middle_x, middle_y = map(float, root.attrib["data-middle"].split())
    ring = min(0.46, spacing(board) / 2)
    rings = [(x, -y, ring) for x, y in board.sites.values()]
    texts = [e for e in root.iter() if e.tag.endswith("text")]
    words = [(float(e.attrib["x"]), float(e.attrib["y"]), 0.2) for e in texts]
    turned = [tuple(map(float, e.attrib["data-turned"].split())) for e in texts if e.get("data-turned")]
    around = [(2 * middle_x - x, 2 * middle_y - y, 0.2) for x, y in turned]
    assert bool(turned) is not bool(board.names)
    for x, y, reach in (*rings, *words, *around):
        assert left <= x - reach < x + reach <= left + width
        assert top <= y - reach < y + reach <= top + height


def seen_turned(name: str) -> dict[str, tuple[float, float]]:
    """Where the coordinates of a turned board are seen, from its middle: to the right and down."""
    root = ET.fromstring(draw_board(read_game(name).board, []))
    middle_x, middle_y = map(float, root.attrib["data-middle"].split())
    texts = [e for e in root.iter() if e.tag.endswith("text") and e.get("data-turned")]
    places = [(e, *map(float, e.attrib["data-turned"].split())) for e in texts]
    return {e.text or "": (middle_x - x, middle_y - y) for e, x, y in places}


@pytest.mark.parametrize("name", BOARDS)
def test_coordinates_of_a_turned_board_meet_nowhere(name: str) -> None:
    seen = list(seen_turned(name).values())
    assert all(math.dist(a, b) > 0.4 for n, a in enumerate(seen) for b in seen[:n])


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [("triune", "18", "ah"), ("escape", "18", "al"), ("trid", "aj", ""), ("magnet", "16", "")],
)
def test_coordinates_of_a_turned_board_stand_at_the_left_and_below(
    name: str, rows: str, columns: str
) -> None:
    seen = seen_turned(name)
    assert all(seen[word][0] < -2 for word in rows)
    assert all(seen[word][1] > 3 for word in columns)


def test_every_row_and_column_of_trid_is_named() -> None:
    words = [shape.words for shape in read_game("trid").board.shapes if shape.kind == "text"]
    assert set("abcdefghij") | {"1", "3", "5", "7", "9", "11"} <= set(words)
    assert words[-10:] == ["11", "13", "15", "17", "19", "19", "17", "15", "13", "11"]  # the last of each row


@pytest.mark.parametrize("name", ["escape", "ternion_factor", "ternion_spaces"])
def test_a_ternion_board_has_its_outer_edge(name: str) -> None:
    board = read_game(name).board
    assert any(shape.kind == "polygon" and set(shape.points) == set(board.outline) for shape in board.shapes)


def test_each_game_is_drawn_in_play(home: Client) -> None:
    for name in games.GAMES:
        answer = home.get(f"/api/v1/boards/{name}/in-play.svg")
        assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
        assert answer.data != home.get(f"/api/v1/boards/{name}.svg").data, name
        again = home.get(
            f"/api/v1/boards/{name}/in-play.svg", headers={"If-None-Match": answer.headers["ETag"]}
        )
        assert again.status_code == 304
    assert home.get("/api/v1/boards/ludo/in-play.svg").status_code == 404


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("triune", {"blue"}),
        ("escape", {"north"}),
        ("magnet", {"red"}),
        ("ternion_factor", set()),
        ("queens", set()),
    ],
)
def test_who_begins_in_the_north_sees_the_board_from_there(text: str, seats: set[str]) -> None:
    session = begin(read_game(text))
    assert {seat for seat in session.players if sits_north(session, seat)} == seats
