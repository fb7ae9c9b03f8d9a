"""The contract of a notation: how a game is written for other programs, and read from them (PGN, PDN).

Notations work on plain values. The records make a `PlayedGame` of a log to write it, and a log of the
`ParsedGame`s that were read. A game offers its notations as `Rules.notations`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from companion.core.comments import Comment
from companion.core.game import Action, GameError, Outcome, Player

UNCLAIMED, POSSIBLE, CERTAIN = 0, 1, 2
"""The certainty with which a text is in a notation."""


class NotationError(GameError):
    """A text in a notation that cannot be read; the message is one line with what is wrong and where."""


@dataclass(frozen=True)
class PlayedGame:
    """A game to be written.

    `first` is the position from which the moves lead on: that after the last correction, if there was one.
    `comments[n]` are those after n moves, `head` the names of players, event, place and round, and `began` is
    in seconds since 1970, 0 where nobody knows. `clocks` are the seconds that a player had left after each
    move, None where no clock ran. `tags` are further ones, as PGN names them.
    """

    first: Any
    moves: tuple[Action, ...]
    comments: tuple[tuple[Comment, ...], ...]
    head: Mapping[str, str]
    began: float
    outcome: Outcome | None
    clocks: tuple[float | None, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ParsedGame:
    """A game that was read: the head of its game text, its moves as the game spells them, and what was told.

    The moves are legal ones, and `last` is the position after them. Each comment comes with the number of
    moves before it. `winner` is '' for a draw and None while the game goes on; `head` and `began` are as in a
    `PlayedGame`.
    """

    game: str
    moves: tuple[Action, ...]
    last: Any
    comments: tuple[tuple[int, Comment], ...]
    head: Mapping[str, str]
    began: float
    winner: Player | None
    clocks: tuple[float | None, ...] = ()
    """The seconds that the player had left after each move, None where nobody says; () where no move says."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Further tags, as the notation names them."""
    remarks: tuple[str, ...] = ()
    """What the reader has to be told of how this game was taken."""


class Notation(ABC):
    """A notation of one game."""

    name: ClassVar[str]
    """The name of the format, and the suffix of its files: `pgn`."""
    media_type: ClassVar[str]

    @abstractmethod
    def claims(self, text: str) -> int:
        """Returns how surely the text is in this notation: UNCLAIMED, POSSIBLE or CERTAIN.

        Its lines end with a line feed.
        """

    @abstractmethod
    def write(self, game: PlayedGame) -> str:
        """Returns the text of a game."""

    @abstractmethod
    def read(self, text: str) -> Sequence[ParsedGame | NotationError]:
        """Returns the games of a text, at least one. In the place of one that cannot be read stands what is
        wrong with it, and in which line."""
