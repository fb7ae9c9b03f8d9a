"""The values that all requests to the wall share."""

from __future__ import annotations

from collections.abc import Callable

from flask import current_app

from hall.wall.board_addresses import BoardAddresses
from hall.wall.board_calls import BoardCalls
from hall.wall.journal import Journal
from hall.wall.lookout import Lookout
from hall.wall.published import Tiles
from web.server.access import Access
from web.server.settings import Settings
from web.server.shared import Shared

PACE = 0.1
"""The least seconds between two events with boards."""
PATIENCE_S = 20.0
"""The seconds after which a refusal or a question that goes on needs an arbiter."""


class WallContext(Shared):
    """The hall, and what the arbiter's desk rules by. `wall` gives seconds since 1970 that never jump."""

    def __init__(
        self,
        settings: Settings,
        lookout: Lookout,
        journal: Journal,
        addresses: BoardAddresses,
        calls: BoardCalls,
        wall: Callable[[], float],
        access: Access | None = None,
        patience: float = PATIENCE_S,
    ) -> None:
        super().__init__(settings, access, wall=wall)
        self.lookout = lookout
        lookout.told, self.pace = self.news.tell, PACE
        self.journal = journal
        self.addresses = addresses
        self.calls = calls
        self.tiles = Tiles(patience)


def context() -> WallContext:
    found: WallContext = current_app.extensions["companion"]
    return found
