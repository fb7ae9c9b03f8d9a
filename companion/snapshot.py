"""What a table shows at one moment: immutable, published whole, read by everyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.clock import Clock
from companion.core import Action, Breach, Look, Place, Player
from companion.referee.guide import GuideStep
from companion.session import Session

VerdictKind = Literal["refused", "turn", "unfinished", "restore", "setup"]
SourceState = Literal["ok", "hand", "moving", "trouble", "lost"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why play waits: an action refused, the board to be put as the game has it, or set up."""

    kind: VerdictKind
    words: str
    action: Action = ""
    breaches: tuple[Breach, ...] = ()
    steps: tuple[GuideStep, ...] = ()
    after: tuple[Action, ...] = ()
    """What was allowed before it."""
    facts: str = ""
    """What stands otherwise than it should, where that is no action."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the sensors cannot tell and `by` must: equals to choose among, the likeliest first."""

    id: int
    choices: tuple[tuple[Action, ...], ...]
    by: Player = ""


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """How a source is: `words` say what is wrong where something is."""

    name: str
    state: SourceState = "ok"
    words: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table at one moment. `seen` is what last stood on the board where it differs from the game."""

    id: int = 0
    session: Session | None = None
    number: int | None = None
    head: Mapping[str, str] = field(default_factory=dict)
    verdict: Verdict | None = None
    question: Question | None = None
    sources: tuple[SourceStatus, ...] = ()
    notice: str = ""
    clock: Clock | None = None
    seen: Mapping[Place, Look] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a camera saw when a line of a game's log was written: `picture` makes a small JPEG of it."""

    number: int
    line: int
    picture: Callable[[], bytes] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something to be told as it happens, as `companion watch` prints it: a kind and its particulars."""

    kind: str
    data: Mapping[str, object] = field(default_factory=dict)
