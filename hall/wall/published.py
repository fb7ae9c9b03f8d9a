"""Encodes tiles for displays: each board once for every language, however many displays show it."""

from __future__ import annotations

import json
import threading

from broker_bridge.topics import BoardName
from companion.language import translated
from hall.wall.hall import Board
from hall.wall.tile import tile_of


class Tiles:
    """The newest tiles as JSON on one line. Any thread may ask."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._lock = threading.Lock()
        self._encoded: dict[tuple[BoardName, str], tuple[int, bytes]] = {}

    def show(self, board: Board, language: str) -> bytes:
        """Returns a board's tile in a language."""
        key = board.name, language
        with self._lock:
            version, text = self._encoded.get(key, (-1, b""))
            if version != board.version:
                tile = translated(tile_of(board, self._patience), language)
                text = json.dumps(tile, separators=(",", ":"), ensure_ascii=False).encode()
                self._encoded[key] = board.version, text
            return text
