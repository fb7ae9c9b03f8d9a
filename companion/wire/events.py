"""The events of a table as `companion watch` prints them: one JSON object a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from companion.core.game import Action
from companion.wire.state import Breach
from companion.wire.values import Player, Words


@dataclass(frozen=True, kw_only=True)
class ActionPlayed:
    """An action was played."""

    event: Literal["action"] = "action"
    action: Action
    player: Player
    words: tuple[Words, ...]
    source: str
    certainty: float
    settled: Literal["likeliest"] | UnsetType = UNSET
    """It was the likeliest answer to a question that nobody answered."""


@dataclass(frozen=True, kw_only=True)
class ActionRefused:
    """The board shows what no rule allows."""

    event: Literal["refused"] = "refused"
    action: Action | None
    breaks: tuple[Breach, ...]
    steps: tuple[Words, ...]
    after: tuple[Action, ...] | UnsetType = UNSET
    """The actions before it that were allowed."""


@dataclass(frozen=True, kw_only=True)
class ActionBegun:
    """An action is not finished."""

    event: Literal["begun"] = "begun"
    actions: tuple[Action, ...]
    words: Words
    left: tuple[Words, ...]


@dataclass(frozen=True, kw_only=True)
class SetUpAsked:
    """The board is not set up as a game begins."""

    event: Literal["setup"] = "setup"
    words: Words
    steps: tuple[Words, ...]


@dataclass(frozen=True, kw_only=True)
class ChoiceAsked:
    """Sensors cannot tell which of these was played."""

    event: Literal["ask"] = "ask"
    choices: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TakenBack:
    """So many actions were taken back."""

    event: Literal["takeback"] = "takeback"
    count: int
    words: Words | UnsetType = UNSET


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """These actions turned out to be otherwise than they were told."""

    event: Literal["corrected"] = "corrected"
    actions: tuple[Action, ...]
    words: Words = ""


@dataclass(frozen=True, kw_only=True)
class Restored:
    """The board is as the game has it again."""

    event: Literal["restored"] = "restored"


@dataclass(frozen=True, kw_only=True)
class SourceFailed:
    """A sensor does not see the board: it has `moved` against it, or was `lost`."""

    event: Literal["moved", "lost"]
    words: Words


@dataclass(frozen=True, kw_only=True)
class GameOver:
    """The game has ended."""

    event: Literal["over"] = "over"
    winner: Player | None
    reason: Words


@dataclass(frozen=True, kw_only=True)
class RecordTold:
    """The game text of all that was played: the last event."""

    event: Literal["record"] = "record"
    text: str


Event: TypeAlias = (
    ActionPlayed
    | ActionRefused
    | ActionBegun
    | SetUpAsked
    | ChoiceAsked
    | TakenBack
    | Corrected
    | Restored
    | SourceFailed
    | GameOver
    | RecordTold
)
