"""The lamps of a board with sensors: they show what the page shows."""

from __future__ import annotations

from companion.table.present import present
from companion.table.snapshot import Snapshot
from firmware_bridge.sensing.lamps import Lighted, lamps_of


def shine(source: Lighted, snapshot: Snapshot) -> bool:
    """Lights the lamps for a snapshot. Returns False while none are known of."""
    sites = source.lit_sites
    if sites:
        source.shine(lamps_of(present(snapshot, None), sites))
    return bool(sites)
