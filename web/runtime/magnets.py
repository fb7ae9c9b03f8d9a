"""Joins the virtual table to a virtual grid: the grid feels the pieces that stand on the table."""

from __future__ import annotations

from firmware_bridge.sensing.grid_source import VirtualGridSource
from vision.sources.virtual import VirtualTable

PERIOD = 0.04
"""The seconds between two looks at the table."""


def lay_magnets(virtual: VirtualTable, grid: VirtualGridSource) -> None:
    """Lays a magnet for each piece on a site, unless the page moves magnets by hand."""
    table = virtual.table
    if not grid.is_busy:
        grid.lay(table.board, table.looks().keys() & table.board.sites.keys())
