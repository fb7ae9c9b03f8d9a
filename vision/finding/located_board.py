"""The answer of locating a board: the view, how it was found, and what else it could be."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.language import say
from vision.geometry.view import View


class BoardNotFoundError(CompanionError, ValueError):
    """A board that was not found, or not surely; `reason` says why, in words for whoever sets it up."""

    def __init__(self, reason: str) -> None:
        super().__init__(say("board not found: {reason}", reason=reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class LocatedBoard:
    """A board located in a picture.

    `method` is `markers`, `lines` or `corners`; `score` is how well the drawing fits the picture, 0 to 1;
    `candidates` are all views that the picture alone cannot tell apart, likeliest first (only one where
    markers or corners say which side is south).
    """

    view: View
    method: str
    score: float
    candidates: tuple[View, ...]
