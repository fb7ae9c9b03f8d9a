"""Makes tables of the sets that the studio renders (`vision.training.studio`): an empty board, then a
game."""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np

from vision.reading.layout import PlaceLayout
from vision.training.places.photographs import board_of, height_of, photographs, view_of
from vision.training.places.tables import Frame, Table, misplaced, variants

TILT, SHIFT = 0.0006, 0.5
"""The error that the views are taken to have, beside what is wrong by where a lens is thought to be."""


def tables(folder: Path) -> list[Table]:
    """Makes the tables of one set."""
    empty, *played = photographs(folder)
    name = f"studio.{empty.game}.{folder.name}"
    rng = np.random.default_rng(crc32(name.encode()))
    layout = PlaceLayout.of(board_of(empty.game), parts=False)
    picture = empty.read()
    view = view_of(empty, picture, layout.board)
    views = [misplaced(view, TILT, SHIFT, rng) for _ in range(2)]
    frames = [Frame(photograph.read(), photograph.position) for photograph in played]
    return variants(name, layout, views, height_of(empty.game), picture, frames)
