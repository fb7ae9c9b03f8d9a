"""The events of a table as `companion watch` prints them: one JSON object a line."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, UnsetType

from companion.core.game import Action
from companion.wire.state import Breach
from companion.wire.values import Player, Wire, Words


class ActionPlayed(Wire, kw_only=True):
    """An action was played."""

    event: Literal["action"] = "action"
    action: Action
    player: Player
    words: tuple[Words, ...]
    source: str
    certainty: float
    settled: Literal["likeliest"] | UnsetType = UNSET
    """It was the likeliest answer to a question that nobody answered."""


class ActionRefused(Wire, kw_only=True):
    """The board shows what no rule allows."""

    event: Literal["refused"] = "refused"
    action: Action | None
    breaks: tuple[Breach, ...]
    steps: tuple[Words, ...]
    after: tuple[Action, ...] | UnsetType = UNSET
    """The actions before it that were allowed."""


class ActionBegun(Wire, kw_only=True):
    """An action is not finished."""

    event: Literal["begun"] = "begun"
    actions: tuple[Action, ...]
    words: Words
    left: tuple[Words, ...]


class SetUpAsked(Wire, kw_only=True):
    """The board is not set up as a game begins."""

    event: Literal["setup"] = "setup"
    words: Words
    steps: tuple[Words, ...]


class ChoiceAsked(Wire, kw_only=True):
    """Sensors cannot tell which of these was played."""

    event: Literal["ask"] = "ask"
    choices: tuple[str, ...]


class TakenBack(Wire, kw_only=True):
    """So many actions were taken back."""

    event: Literal["takeback"] = "takeback"
    count: int
    words: Words | UnsetType = UNSET


class Corrected(Wire, kw_only=True):
    """These actions turned out to be otherwise than they were told."""

    event: Literal["corrected"] = "corrected"
    actions: tuple[Action, ...]
    words: Words = ""


class Restored(Wire, kw_only=True):
    """The board is as the game has it again."""

    event: Literal["restored"] = "restored"


class SourceFailed(Wire, kw_only=True):
    """A sensor does not see the board: it has `moved` against it, or was `lost`."""

    event: Literal["moved", "lost"]
    words: Words


class GameOver(Wire, kw_only=True):
    """The game has ended."""

    event: Literal["over"] = "over"
    winner: Player | None
    reason: Words


class RecordTold(Wire, kw_only=True):
    """The game text of all that was played: the last event."""

    event: Literal["record"] = "record"
    text: str


PlainEvent: TypeAlias = (
    ActionBegun | SetUpAsked | ChoiceAsked | TakenBack | Corrected | Restored | SourceFailed | GameOver
)
"""An event that a table tells as it is printed."""
Event: TypeAlias = ActionPlayed | ActionRefused | PlainEvent | RecordTold
