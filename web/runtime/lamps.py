"""The lamps under a sensor grid: they show what the page shows."""

from __future__ import annotations

from companion.table.present import present
from companion.table.snapshot import Snapshot
from firmware_bridge.sensing.grid_source import GridSource
from firmware_bridge.sensing.lamps import lamps_of


def shine(source: GridSource, snapshot: Snapshot) -> bool:
    """Lights the lamps for a snapshot. Returns False while no grid is connected."""
    grid = source.grid
    if grid is not None:
        source.shine(lamps_of(present(snapshot, None), grid.wiring.sites))
    return grid is not None
