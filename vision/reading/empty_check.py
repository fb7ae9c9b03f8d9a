"""Checks that a board is empty, of which nothing is known yet but its drawing.

In goes a picture of the board; out come the places on which something stands. Each is compared with what the
places of its tone usually show, as if pieces might hide the whole board, and the network says whether it
shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.core.board import Board
from companion.core.game import Look, Place
from vision.arrays import Image
from vision.calibration.background_estimate import estimate_background
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.reading.gallery import closeness, squared_distances
from vision.reading.network import embed
from vision.reading.sight import Sight


def standing(image: Image, view: View, board: Board, looks: Sequence[Look]) -> list[Place]:
    """Returns the sites of a board on which pieces of such looks stand, in a picture of the view's size.

    It finds some of them wherever most sites are empty or alike.
    """
    layout = PlaceLayout.of(board, parts=False)
    anywhere = dict.fromkeys(layout.places, "a piece")
    usual_board = estimate_background(layout, view, layout.height(looks), [image], [anywhere])
    sight = Sight(layout, view, usual_board)
    rows = np.arange(len(layout.places))
    seen = embed(sight.planes(sight.colours(image), rows))
    usual = np.median(squared_distances(seen.vectors, seen.vectors), axis=1).argmin()
    empty = closeness(seen.vectors, seen.vectors[[usual]])
    return [layout.places[n] for n in np.flatnonzero(seen.novel > empty)]
