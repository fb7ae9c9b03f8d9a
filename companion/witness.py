"""The witness: keeps a small picture with each doubtful action, where the table's owner wants that.

It is told what happened after everybody has been shown it, so that no display waits for a picture.
"""

from __future__ import annotations

import logging

from companion.album import Album
from companion.session import Ply
from companion.snapshot import Happening, Scene

log = logging.getLogger(__name__)
CERTAIN = 0.95
"""An action less certain than this is doubtful."""


class Witness:
    """Told of all that happens, it keeps what a camera saw of what was refused, asked or unsure."""

    def __init__(self, album: Album) -> None:
        self._album = album

    def __call__(self, happening: Happening) -> None:
        scene = happening.data.get("scene")
        if not isinstance(scene, Scene) or not is_doubtful(happening) or not self._album.is_wanted:
            return
        try:
            self._album.keep(scene.number, scene.line, scene.picture())
        except Exception:  # a picture less must not stop the game
            log.exception("a picture of game %d, line %d is not kept", scene.number, scene.line)


def is_doubtful(happening: Happening) -> bool:
    """Whether something was refused, or played though another action was as likely or it was unsure."""
    ply = happening.data.get("ply")
    unsure = isinstance(ply, Ply) and ply.entry.certainty < CERTAIN
    return happening.kind == "refused" or bool(happening.data.get("marked")) or unsure
