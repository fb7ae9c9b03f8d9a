"""Readers of profiles for tests: one takes half a second of a processor to make, and hardly any to copy."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache

from companion.core.board import Board
from vision.calibration.profile import Profile
from vision.reading.reader import Reader


def new_reader(profile: Profile, board: Board) -> Reader:
    """Returns a reader that has read nothing yet, of this very profile."""
    shared = (profile, profile.view, board)
    return deepcopy(_first(profile, board), {id(one): one for one in shared})


@lru_cache(maxsize=8)
def _first(profile: Profile, board: Board) -> Reader:
    return Reader(profile, board)
