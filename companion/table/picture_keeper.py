"""The picture keeper: keeps a small picture with each doubtful action, where the table's owner wants that.

It is told what happened after everybody has been shown it, so that no display waits for a picture.
"""

from __future__ import annotations

import logging

from companion.store.album import Album
from companion.table.snapshot import Happening, Played, Refused

log = logging.getLogger(__name__)
CERTAIN = 0.95
"""An action less certain than this is doubtful."""


class PictureKeeper:
    """A listener to all events of a table: it keeps pictures of what was refused, asked or unsure."""

    def __init__(self, album: Album) -> None:
        self._album = album

    def __call__(self, happening: Happening) -> None:
        scene = happening.scene if isinstance(happening, Played | Refused) else None
        if scene is None or not is_doubtful(happening) or not self._album.is_wanted:
            return
        try:
            self._album.keep(scene.number, scene.line, scene.picture())
        except Exception:  # a picture less must not stop the game
            log.exception("a picture of game %d, line %d is not kept", scene.number, scene.line)


def is_doubtful(happening: Happening) -> bool:
    """Returns whether an action was refused, was unsure, or was played though another was as likely."""
    match happening:
        case Played(ply, is_marked):
            return is_marked or ply.entry.certainty < CERTAIN
        case _:
            return isinstance(happening, Refused)
