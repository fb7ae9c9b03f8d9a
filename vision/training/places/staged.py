"""Makes tables of the sets that the studio renders (`vision.training.studio`): an empty board, then a
game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from zlib import crc32

import numpy as np

from vision.known.layout import PlaceLayout
from vision.training.places.photographs import (
    SQUARE,
    STRAIGHT,
    board_of,
    height_of,
    photographs,
    straight,
    view_of,
)
from vision.training.places.tables import CropTable, KnownFrame, misplaced, variants

TILT, SHIFT = 0.0006, 0.5
"""The error that the views are taken to have, beside what is wrong by where a lens is thought to be."""


def tables(folder: Path) -> list[CropTable]:
    """Makes the tables of one set."""
    empty, *played = photographs(folder)
    moved = not all(photograph.like(empty) for photograph in played)
    name = f"studio.{empty.game}{'-moved' if moved else ''}.{folder.name}"
    rng = np.random.default_rng(crc32(name.encode()))
    layout = PlaceLayout.of(board_of(empty.game), parts=False)
    pictures = [straight(p) if moved else p.read() for p in (empty, *played)]
    if moved:
        empty = replace(empty, size=(STRAIGHT, STRAIGHT), corners=SQUARE)
    view = view_of(empty, pictures[0], layout.board)
    views = [misplaced(view, TILT, SHIFT, rng) for _ in range(2)]
    frames = [KnownFrame(image, p.position) for image, p in zip(pictures[1:], played, strict=True)]
    return variants(name, layout, views, height_of(empty.game), pictures[0], frames)
