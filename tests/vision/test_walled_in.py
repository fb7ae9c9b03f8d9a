"""Squares that two pieces wall in: what stands in their middle."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.game import EMPTY, Look, Place
from companion.games.text import replay
from companion.record.session import begin
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable
from web.runtime.runtime import lay_virtual

Table = tuple[VirtualTable, Reader, dict[Place, Look]]


@pytest.fixture(scope="module")
def table() -> Table:
    """A table with the pieces at the start."""
    session = begin(replay("teleporters first=south")[0])
    virtual = VirtualTable(session.game.board, Random(7))
    return virtual, lay_virtual(virtual, session), dict(session.look)


@pytest.mark.parametrize("site", ["c5", "g6"])
def test_walls_that_come_are_no_pole_between_them_and_one_that_comes_then_is_seen(
    table: Table, site: Place
) -> None:
    virtual, reader, start = table
    walls = {**start, site + "nw": "south/port", site + "se": "south/port"}
    middles = []
    for looks in (start, walls, {**walls, site: "south/pole"}):
        picture = virtual.picture(looks)
        middles.append(reader.read(picture).looks[site])
        reader.learn(picture, looks)
    assert [look == EMPTY for look in middles] == [True, True, False]
