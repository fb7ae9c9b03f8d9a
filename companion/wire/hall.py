"""The messages between boards and a hall, a class for each topic; docs/hall.asyncapi.yaml is made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from companion.record.session import KINDS
from companion.wire.state import ControlledClock, Told, ToldGame
from companion.wire.values import Time, Whole, Wire, one_of

BEGIN = "begin"
"""The kind of a game's line 0: its text and its head. Later kinds are those of `companion.record.session`."""
Real: TypeAlias = Annotated[float, Meta(gt=-1e300, lt=1e300)]
"""Larger numbers, which JSON may hold, are no numbers everywhere."""
Waiting: TypeAlias = Literal["verdict", "question", "offer", "outcome"]
"""The members that somebody may have to see to."""


@dataclass(frozen=True, slots=True, order=True)
class LineKey:
    """The unique key of a line among all of a hall."""

    companion: str
    """The identity of the board's store of games."""
    game: Whole
    """The number of the game in that store."""
    line: Whole
    """The number of the line: 0 begins the game, entry n of the log is line n + 1."""


@dataclass(frozen=True, slots=True)
class LogLine(LineKey):
    """A line of a game's log, with what it came to.

    The members from `text` to `clock` are those of `companion.record.session.Entry`, whose certainty and
    clock may be unknown. The rest is what the board's rules make of it, so that nobody else needs them.
    """

    kind: Annotated[str, one_of(BEGIN, *KINDS)]
    """What happened. A hall that does not know a kind keeps its line all the same."""
    text: str = ""
    """The action, or what else the line is about: the game text of line 0."""
    by: str = ""
    """The player concerned, or arbiter, or referee."""
    source: str = ""
    """Which sensor or input reported it: camera:0, tablet."""
    certainty: Real | None = None
    time: Real = 0.0
    """Seconds since 1970, by the board's clock."""
    clock: Real | None = None
    """Seconds that the player had left."""
    head: Mapping[str, str] = field(default_factory=dict)
    """On line 0: the names of the players, the event, the time control, as they are when the line is told.
    Lines of the kind head change them, so a line 0 that comes again may hold later changes already."""
    player: str = ""
    """Whose action it is, or was to be."""
    written: str = ""
    """The action as players write it: Nf3."""
    plies: Whole = 0
    """How many actions stand after this line."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules that a refused action breaks."""
    winner: str | None = None
    """Who has won after this line; None for nobody, also in a draw."""
    reason: str = ""
    """Why the game is over after this line; '' while it goes on."""

    @property
    def key(self) -> LineKey:
        return LineKey(self.companion, self.game, self.line)


class Archived(Wire):
    """The number of lines that an archive has of each game."""

    companion: str
    games: Mapping[Whole, Whole]
    """By the game's number, how many lines the archive has without a gap, line 0 among them."""


class Pairing(Wire):
    """The game of a board in a round, with its players."""

    round: str
    players: Mapping[str, str]
    """Names by player, as in a game's head."""
    event: str = ""
    game: str = "chess"
    """The game text to begin with."""
    clock: str = ""
    """The time control, as a game's head has it."""
    id: str = ""
    """What tells this pairing from others: it ends with the game that was begun for it."""


class OfBoard(Told, kw_only=True):
    """The state that a board tells a hall, with a game or without."""

    companion: str = ""
    """The identity of the board's store of games."""
    address: str = ""
    """Where the board's page is for others; '' where they cannot open it."""
    since: Mapping[Waiting, Time] = field(default_factory=dict)
    """Since when each member that somebody may have to see to has been as it is."""
    at: Time = 0.0


class EmptyBoardState(OfBoard, kw_only=True):
    """The state of a board without a game, as spectators see it."""


class BoardState(OfBoard, ToldGame, kw_only=True):
    """The state of a board with a game, as spectators see it."""


class BoardClock(ControlledClock, kw_only=True):
    """The players' clock at a board at the time `at`."""

    number: Whole | None = None
    """The number of the game."""
    at: Time
