"""The values that all requests to the wall share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import current_app

from hall.wall.board_addresses import BoardAddresses
from hall.wall.board_calls import BoardCalls
from hall.wall.hall import HallBoard
from hall.wall.journal import Journal
from hall.wall.lookout import Lookout
from hall.wall.tile import encode_tile
from web.server.access import Access
from web.server.made_once import MadeOnce
from web.server.settings import Settings
from web.server.shared import Shared

PACE = 0.1
"""The least seconds between two events with boards."""
TILES = 2000
"""Tiles that are kept: of some hundreds of boards, each in every language."""
NEEDS_ARBITER_AFTER_S = 20.0
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
        patience: float = NEEDS_ARBITER_AFTER_S,
    ) -> None:
        super().__init__(settings, access, wall=wall)
        self.lookout = lookout
        lookout.told, self.pace = self.news.tell, PACE
        self.journal = journal
        self.addresses = addresses
        self.calls = calls
        self._patience = patience
        self._tiles = MadeOnce(TILES)

    def show_tile(self, board: HallBoard, language: str) -> bytes:
        """Returns a board's tile: made once for every language, however many displays show it."""
        key = board.name, language
        make = partial(encode_tile, board, self._patience, language)
        return self._tiles.find(key, make, board.version).content


def context() -> WallContext:
    found: WallContext = current_app.extensions["companion"]
    return found
