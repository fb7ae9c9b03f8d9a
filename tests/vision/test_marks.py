"""Move markers as a camera sees them: on the lines between pieces, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from math import dist
from random import Random

import pytest

from benchmarks.simulation.players import opening, play_on
from companion.record.session import Session
from companion.referee.evidence.evidence import DOUBT
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import Item
from web.runtime.runtime import lay_virtual

APART = 1.0
"""Steps from a marker to the nearest pawn, where none can hide it."""


@pytest.fixture(scope="module")
def crowded() -> tuple[Session, VirtualTable, Reader]:
    """A board with many pawns, whose places lie closer than a step from each other."""
    session = play_on(opening("ternion_spaces", Random(3)), 40, Random(3))
    virtual = VirtualTable(session.game.board, Random(7))
    return session, virtual, lay_virtual(virtual, session)


def seen(reader: Reader, virtual: VirtualTable) -> dict[str, float]:
    observation = reader.read(virtual.picture()).sighting.observation
    assert observation
    return dict(observation.marks)


def test_no_pawn_is_taken_for_a_move_marker(crowded: tuple[Session, VirtualTable, Reader]) -> None:
    session, virtual, reader = crowded
    marks = seen(reader, virtual)
    assert len(marks) > len(session.game.board.marks) / 2
    assert not {spot: ratio for spot, ratio in marks.items() if ratio > DOUBT}


def test_move_markers_are_seen_in_the_open(crowded: tuple[Session, VirtualTable, Reader]) -> None:
    session, virtual, reader = crowded
    board, table = session.game.board, virtual.table
    pawns = [board.where(place) for place in session.look]
    spots = [spot for spot, at in board.marks.items() if min(dist(at, pawn) for pawn in pawns) > APART][::9]
    virtual.show(replace(table, items=(*table.items, *(Item("+1", board.marks[spot]) for spot in spots))))
    marks = seen(reader, virtual)
    virtual.show(table)
    assert {spot for spot, ratio in marks.items() if ratio > 0} == {*spots}
