"""The values that the search passes along: a node, an action that may follow it, and its effect."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, NamedTuple, TypeAlias

from companion.core.game import Action, Changes, Look, Place, Player
from companion.referee.evidence.evidence import FitChange

Root: TypeAlias = tuple[Any, float]
"""A position from which a story may begin, and how many nats speak against it."""


class Node(NamedTuple):
    """A sequence of actions from one of the roots, and the board that it leads to."""

    root: int
    position: Any
    looks: Mapping[Place, Look]
    misfit: float
    """The misfit of the board, with its markers."""
    piece_misfit: float
    """The misfit of the board without its markers, which may be gone before the story ends."""
    cost_so_far: float
    """The cost of the root and of the actions: how unlikely they are (g)."""
    actions: tuple[Action, ...]
    player: Player
    """The player who acted last; nobody where a turn was over and only had to be ended."""
    wrong: frozenset[Place]
    """The places where the pieces do not fit."""
    key: tuple[object, bool, frozenset[Place]]
    """Of nodes with the same key only the cheapest counts: it holds all that bears on the future, whether the
    last action was unseen, and where hands were felt and did nothing so far."""
    begins_turn: bool = False
    """True if the next turn begins here, or the game is over."""
    changes_nothing: bool = False
    """True if the last action changed nothing on the board."""
    seen_last: float = -inf
    """The time at which the latest change by these actions was first seen."""
    handled: float = 0.0
    """The number of actions that a player chose to do on the board, apart from what is gone again; one that
    changes one place counts half."""
    replies: int = 0
    """The number of times that another player went on."""


class NextAction(NamedTuple):
    """An action that may follow a node; `step_cost` is the least that it costs."""

    action: Action
    step_cost: float
    is_handled: bool
    """True if hands do it on the board."""


class Effort(NamedTuple):
    """The amount that was handled so far, and the cost of a story with it."""

    handled: float
    cost_so_far: float


class Effect(NamedTuple):
    """The position that an action leads to, what it changes on the board, and how that fits."""

    position: Any
    looks: Mapping[Place, Look]
    changed: Changes
    fit: FitChange
