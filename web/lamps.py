"""The lamps of a sensor grid, which shine as the page is."""

from __future__ import annotations

from companion.present import present
from companion.snapshot import Snapshot
from firmware_bridge.eye import GridEye
from firmware_bridge.lamps import lamps_of


def shine(eye: GridEye, snapshot: Snapshot) -> bool:
    """Lights the lamps of a grid; False while there is none."""
    grid = eye.grid
    if grid is not None:
        eye.shine(lamps_of(present(snapshot, None), grid.wiring.sites))
    return grid is not None
