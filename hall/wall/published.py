"""Encodes tiles for displays: each board once for every language, however many displays show it."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace

from broker_bridge.topics import BoardName
from companion.wire.codec import write
from hall.wall.hall import NOTHING_TOLD, Board
from hall.wall.tile import tile_of

log = logging.getLogger(__name__)


class Tiles:
    """The newest tiles as JSON on one line. Any thread may ask."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._encoded: dict[tuple[BoardName, str], tuple[int, bytes]] = {}

    def show(self, board: Board, language: str) -> bytes:
        key = board.name, language
        with self._lock:
            version, text = self._encoded.get(key, (-1, b""))
            if version != board.version:
                text = self._encode(board, language)
                self._encoded[key] = board.version, text
            return text

    def _encode(self, board: Board, language: str) -> bytes:
        """Returns a tile. One that cannot be made costs nobody else a tile: its board is shown as silent."""
        try:
            return write(tile_of(board, self._patience), language)
        except Exception:
            log.exception("the tile of %s cannot be made", board.name)
        silent = replace(board, told=NOTHING_TOLD)
        return write(tile_of(silent, self._patience), language)
