"""The snapshot: all that a table shows at one moment. Immutable, published whole, read by everyone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias, TypeVar

from companion.core.board import Board
from companion.core.game import Action, Breach, Look, Place, Player
from companion.record.clock import Clock
from companion.record.head import PAIRING
from companion.record.session import Ply, Session
from companion.referee.verdict.guide import GuideStep
from companion.wire.events import ActionRefused, PlainEvent
from companion.wire.state import SourceStatus, Teller, VerdictKind

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The reason why play waits: an action refused, the board to be put as the game has it, or set up."""

    kind: VerdictKind
    words: str
    action: Action = ""
    breaches: tuple[Breach, ...] = ()
    steps: tuple[GuideStep, ...] = ()
    after: tuple[Action, ...] = ()
    """The actions before it that were allowed."""
    then: tuple[Action, ...] = ()
    """The actions after one that is not finished, which count once it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """A choice that the sensors cannot make and player `by` must: equals, the likeliest first."""

    id: int
    choices: tuple[tuple[Action, ...], ...]
    by: Player = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game that a round has for this table: what it begins with, and who plays what it is called."""

    text: str
    head: Mapping[str, str]
    title: str
    players: tuple[Player, ...]

    @property
    def pairing(self) -> str:
        """Returns what tells the pairing from others; '' for none."""
        return self.head.get(PAIRING, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A table shows this beside its game. `seen` is what last stood on the board where it differs from it."""

    verdict: Verdict | None = None
    question: Question | None = None
    """The question that all may know of; it is shown to whom it may be shown."""
    owners: Mapping[Player, Question] = field(default_factory=dict)
    """The questions of which only the player knows who is asked."""
    teller: Teller | None = None
    """The player who may be asked, as far as everybody knows."""
    notice: str = ""
    is_set_up: bool = False
    """True if the pieces stand as at the start again, and the game on the table is over or left alone."""
    is_turned: bool = False
    """True if the pieces are laid as on the board turned round: south sits where the board has north."""
    may_be_turned: bool = False
    """True if the board for which play waits would be as right turned round: the sensors cannot tell."""
    proposal: Proposal | None = None
    """The game that is to be begun here once none is on."""
    seen: Mapping[Place, Look] = field(default_factory=dict)
    sources: tuple[SourceStatus, ...] = ()

    def as_laid(self, board: Board, told: Mapping[Place, T]) -> Mapping[Place, T]:
        """Returns what is told of places of the board, by the names that its sensors know."""
        return board.turned(told) if self.is_turned else told


@dataclass(frozen=True, slots=True)
class Snapshot(Shown):
    """A table at one moment."""

    id: int = 0
    session: Session | None = None
    number: int | None = None
    head: Mapping[str, str] = field(default_factory=dict)
    clock: Clock | None = None
    store_trouble: str = ""
    """The reason why the game is not stored now, and what to do; '' while it is. What was played since is
    not shown."""
    fault: str = ""
    """What the companion itself fails at, and what to do; '' while it does not."""
    store_warning: str = ""
    """Words on the stored games for a person: they were damaged, or are not kept."""

    @property
    def look_as_laid(self) -> Mapping[Place, Look]:
        """Returns what stands on each place of the board, by the names that its sensors know."""
        return self.as_laid(self.session.game.board, self.session.look) if self.session else {}

    @property
    def questions(self) -> tuple[Question, ...]:
        """Returns all questions that are open, whoever may know of them."""
        return (*((self.question,) if self.question else ()), *self.owners.values())

    def question_to(self, player: Player) -> Question | None:
        """Returns the question that this player is asked; None for none."""
        is_asked = self.question is not None and self.question.by == player
        return self.question if is_asked else self.owners.get(player)


@dataclass(frozen=True, slots=True)
class PlayedAction:
    """An action was played; `is_marked` where another one was as likely."""

    event: ClassVar = "action"
    ply: Ply
    is_marked: bool = False


Happening: TypeAlias = PlayedAction | ActionRefused | PlainEvent
"""Something to be told as it happens."""
