"""The values of a game: players, places, looks, actions, events, and what can be wrong with them.

A position is an immutable value. An action *is* its canonical spelling: it needs no second form for the
record, the page or the wire, and it compares and hashes as text. A player decides an action; all that follows
from it is told as events. `companion/core/rules.py` says what a game does with these values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from companion.core.errors import CompanionError
from companion.language import say

Player: TypeAlias = str
"""A seat's name, as the game's page spells it: `red`, `south`, `solver`."""
Site: TypeAlias = str
"""A point or cell on which a piece can stand: `a1`. Case matters: one board has both `B8` and `b8`."""
Place: TypeAlias = str
"""A site, or a part of one that is seen apart from it: the Port corner `b2nw`."""
Look: TypeAlias = str
"""The visible content of a place: `empty`, `red`, `red/marked`, `white+T`, `+T`; owner, face and marker."""
Changes: TypeAlias = Mapping[Place, tuple[Look, Look]]
"""The look before and after of each place that changes."""
Action: TypeAlias = str
"""The canonical spelling of the smallest deed of a player that the rules judge by itself."""

EMPTY: Look = "empty"


class GameError(CompanionError, ValueError):
    """The base of all errors in a game's text, options or board; the message is one line for a person."""


class OptionError(GameError):
    """An option that the game does not have, or a value that it does not take."""


class PositionError(GameError):
    """An arrangement of pieces that cannot be a position of the game."""


class IllegalActionError(GameError):
    """An action that the rules refuse; `breaches` tells why. In a game that is replayed it has a `step`."""

    def __init__(self, action: str, breaches: tuple[Breach, ...], step: int = 0) -> None:
        rules = ", ".join(b.rule for b in breaches)
        words = say("'{action}' is not allowed ({rules})", action=action, rules=rules)
        if breaches and breaches[0].words:
            words = say("{problem}: {reason}", problem=words, reason=breaches[0].words)
        if step:
            words = say("step {step}: {problem}", step=step, problem=words)
        super().__init__(words)
        self.action = action
        self.breaches = breaches


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule and the places concerned. The rule's own words are in the rulebook.

    `words` say what is wrong here, in a sentence; '' leaves it at those.
    """

    rule: str
    sites: tuple[Place, ...] = ()
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Event:
    """A consequence of an action: its kind (a key of the game's `sentences`), player, sites and details."""

    kind: str
    player: Player = ""
    sites: tuple[Place, ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game: the winner, or None for a draw, and the reason in a few words."""

    winner: Player | None
    reason: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The first action of a game (from 1) that cannot have been, by what was told after it, and why."""

    number: int
    action: Action
    words: str
    breaches: tuple[Breach, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """A line of the scoreboard, such as 'in reserve': a number for each player, or for the turn (key '')."""

    name: str
    values: Mapping[Player, int]
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game text, `name=value`. Without `values` it takes any text, such as a file name."""

    name: str
    values: tuple[str, ...]
    default: str
    about: str
    chosen: str = ""
    """A few words that tell of a game in which it was chosen, with a field `{value}`: `{value} players`."""
    labels: tuple[str, ...] = ()
    """What each of the values means, as a form names it; () where their spellings say it."""


class Position(Protocol):
    """The common part of all positions. They are immutable, and equal when nothing tells them apart."""

    @property
    def turn(self) -> Player:
        """The player whose turn it is."""

    @property
    def to_act(self) -> Player:
        """The player who owes the next action: in the middle of a turn this may be another than `turn`."""


P = TypeVar("P", bound=Position)


class ActionForm(NamedTuple):
    """A form for an action of many choices, whose pattern has a `?`: a piece of the stock for each site.

    The letters of the chosen pieces, in the order of the sites, replace the `?`. `stock` lists for each
    letter the name of its piece, its look and the number of such pieces.
    """

    sites: tuple[Site, ...]
    stock: tuple[tuple[str, str, Look, int], ...]

    @property
    def letters(self) -> str:
        return "".join(number * letter for letter, _, _, number in self.stock)

    def fill(self, pattern: str) -> Action:
        """Returns a pattern with the first pieces of the stock: some action that the form allows."""
        return pattern.replace("?", self.letters[: len(self.sites)])


class Asked(NamedTuple):
    """A question which of several things was done, and the words for each of them."""

    words: str
    choices: tuple[str, ...]
    parts: tuple[tuple[int, str], ...] = ()
    """Where any number of things may have been done, and there is a choice for each such number of them: for
    each thing which action of a choice tells of it, and its words. Without any they are the first choice."""


class Step(NamedTuple, Generic[P]):
    """The result of an action: the position after it, and the events in their order."""

    position: P
    events: tuple[Event, ...]
