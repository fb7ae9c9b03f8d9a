"""Ports before the virtual table's camera: walls that touch those of neighbours, and closed squares."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game
from companion.record.session import begin
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable
from vision.virtual.layout import CORNERS
from web.runtime.runtime import lay_virtual, some_of_each

GAME = read_game("teleporters")
OWNERS = ("south", "north")
TOUCHING = {
    "a side between them": "north: a6sw b6se c6sw c7se | south: b3sw c3nw e3sw g2ne | g2",
    "their own stripes": "north: c6sw f6se g5sw g6se | south: c3nw f2sw f3ne g2ne | c2",
    "a corner of three": "north: a7sw a6sw b7se c6sw | south: b4sw c4nw c2nw e3nw | c4",
}


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    return VirtualTable(GAME.board, Random(11))


@pytest.fixture(scope="module")
def reader(table: VirtualTable) -> Reader:
    return lay_virtual(table, begin(GAME))


def looks_of(text: str) -> dict[Place, Look]:
    """Returns the Ports of both sides, and the place of a Pole of South's."""
    *sides, pole = text.split(" | ")
    ports = {place: f"{side.split(':')[0]}/port" for side in sides for place in side.split(": ")[1].split()}
    return {**ports, pole: "south/pole"}


def standing(looks: Mapping[Place, Look]) -> dict[Place, Look]:
    return {place: look for place, look in looks.items() if look != EMPTY}


@pytest.mark.parametrize("text", TOUCHING.values(), ids=TOUCHING)
def test_ports_whose_walls_touch_are_told_apart(table: VirtualTable, reader: Reader, text: str) -> None:
    looks = looks_of(text)
    assert standing(reader.read(table.picture(looks)).looks) == looks


def test_a_closed_square_is_never_taken_for_an_empty_one(table: VirtualTable, reader: Reader) -> None:
    for owner, corners in product(OWNERS, (("nw", "se"), ("ne", "sw"))):
        looks = {f"{site}{corner}": f"{owner}/port" for site in ("b5", "d3", "g4") for corner in corners}
        seen = standing(reader.read(table.picture(looks)).looks)
        assert {place[:-2] for place in seen} == {"b5", "d3", "g4"}
        assert set(seen.values()) == {f"{owner}/port"}


def test_the_camera_is_shown_every_port_in_every_corner() -> None:
    shown = some_of_each(begin(GAME))
    ports = {place: look for place, look in shown.items() if place not in GAME.board.sites}
    assert {(place[-2:], look) for place, look in ports.items()} == {
        (corner, f"{owner}/port") for corner, owner in product(CORNERS, OWNERS)
    }
    squares = [GAME.board.sites[place[:-2]] for place in ports]
    assert min(abs(a - c) + abs(b - d) for a, b in squares for c, d in squares if (a, b) != (c, d)) > 1
