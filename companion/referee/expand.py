"""What becomes of a story by one action more: the board that it leads to, and what that costs.

Only actions that touch a place which is wrong now, or that touch none (ending a turn), are tried: a story
with any other moves a piece away and back. Actions in another order than that in which their changes were
first seen cost more, and so do those that nobody felt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, TypeAlias

from companion.core import Action, Changes, Look, Place, Player, Rules
from companion.referee.course import SOON
from companion.referee.evidence import DOUBT, Change, Evidence
from companion.referee.limits import Limits
from companion.referee.looks import bare, changes
from companion.referee.paths import grip, path_of, with_sites

REPLIES = 2
"""So often another player may well have gone on before anything held still."""
FEW = 12
"""So few legal actions are all tried."""

Root: TypeAlias = tuple[Any, float]
"""A position from which a story may begin, and how many nats speak against it."""


class Node(NamedTuple):
    """A story as far as it goes."""

    root: int
    position: Any
    looks: Mapping[Place, Look]
    misfit: float
    hope: float
    cost: float
    actions: tuple[Action, ...]
    player: Player
    """Who did something last; nobody where a turn was over and had but to be ended."""
    wrong: frozenset[Place]
    """Where the pieces do not fit."""
    kind: tuple[object, bool]
    """What it shares with nodes of which only the cheapest counts, and whether the last action was unseen."""
    is_fresh: bool = False
    """Whether a turn begins here."""
    is_silent: bool = False
    """Whether the last action changed nothing on the board."""
    seen_last: float = -inf
    """When the latest change by these actions was first seen."""
    handled: float = 0.0
    """How many of the actions are done on the board of one's own accord, and not gone again; what changes one
    place counts half."""
    turns: int = 0
    """How often another player went on."""


class Act(NamedTuple):
    """An action that may come next, what one more costs at least, and whether it is done on the board."""

    action: Action
    step: float
    is_handled: bool


class Effort(NamedTuple):
    """How much was handled, and what a story costs with it."""

    handled: float
    cost: float


class Effect(NamedTuple):
    """What an action leads to, what it changes on the board, and how that fits."""

    position: Any
    looks: Mapping[Place, Look]
    changed: Changes
    fit: Change


class Expansion:
    """The steps from node to node, on the evidence of one board."""

    def __init__(self, rules: Rules[Any], evidence: Evidence, limits: Limits, roots: Sequence[Root]) -> None:
        self._rules, self._evidence, self._limits = rules, evidence, limits
        self.roots = [self._root(n, position, cost) for n, (position, cost) in enumerate(roots)]
        felt = evidence.course.touched or frozenset()
        self.disturbed = max((evidence.wrong_pieces(root.looks) | felt for root in self.roots), key=len)
        """The places where pieces came, went or were felt; markers come with what is done elsewhere."""
        self.changed = max(len(self.disturbed), 2)  # a piece that was moved and then removed
        """The same, as far as it says how many actions there may have been."""

    def _root(self, number: int, position: Any, cost: float) -> Node:
        looks, evidence = self._rules.look(position), self._evidence
        fit = evidence.total(looks), evidence.hope(looks)
        wrong, kind = evidence.wrong_pieces(looks), (self._kind(position), False)
        return Node(number, position, looks, *fit, cost, (), position.to_act, wrong, kind)

    def acts(self, node: Node) -> Iterator[Act]:
        """The legal actions that may be part of the story."""
        rules, step = self._rules, self._step_cost(node)
        wrong = node.wrong or self._evidence.wrong(node.looks)
        wrong_sites = with_sites(wrong | (self._evidence.course.touched or frozenset()))
        is_near = self._limits.whole and len(wrong) < 2
        legal = rules.legal(node.position) if is_near else rules.legal_at(node.position, wrong_sites)
        actions = [a for a in legal if "?" not in a]  # '?' stands for what is secret
        few = len(actions) <= FEW or is_near
        for action in actions:
            path = path_of(rules, action)
            if few or not path or not wrong_sites.isdisjoint(path) or rules.is_transient(action):
                yield Act(action, step, bool(path))

    def act(self, node: Node, action: Action) -> Act:
        return Act(action, self._step_cost(node), bool(path_of(self._rules, action)))

    def effect(self, node: Node, action: Action) -> Effect:
        after = self._rules.play(node.position, action).position
        looks = self._rules.look(after)
        changed = changes(node.looks, looks)
        return Effect(after, looks, changed, self._evidence.change(changed))

    def effort(self, node: Node, act: Act, pieces: int) -> Effort:
        """The effort with an action more that changes so many places."""
        limits, rarity = self._limits, self._rules.rarity(node.position, act.action)
        is_choice = act.is_handled and rarity >= 0 and not self._rules.is_transient(act.action)
        handled = node.handled + (min(1.0, pieces / 2) if is_choice else 0.0)
        cost = node.cost + act.step + rarity
        cost += limits.extra if handled > max(node.handled, self.changed / 2) else 0.0
        cost += limits.detour if handled > max(node.handled, self.changed) else 0.0
        return Effort(handled, cost)

    def child(self, node: Node, act: Act, effect: Effect, effort: Effort) -> Node:
        after, looks, changed, fit = effect
        handled, cost = effort
        seen = self._first_seen(changed)
        is_late = seen is not None and seen < node.seen_last - SOON
        cost += self._unfelt(act.action, changed) + (self._limits.disorder if is_late else 0.0)
        is_seen = act.is_handled or bool(changed)
        return Node(
            node.root,
            after,
            looks,
            node.misfit + fit.total,
            node.hope + fit.hope,
            cost,
            (*node.actions, act.action),
            self._player(node, act.action, is_seen),
            node.wrong.union(fit.wrong).difference(fit.right),
            (self._kind(after), not is_seen),
            is_fresh=after.turn != node.position.turn or self._rules.outcome(after) is not None,
            is_silent=not changed,
            seen_last=node.seen_last if seen is None else max(seen, node.seen_last),
            handled=handled,
            turns=node.turns + (is_seen and node.player not in ("", node.position.to_act)),
        )

    def unlifted(self, node: Node, action: Action) -> float:
        """What speaks against an action that carries a piece, if nobody felt it lifted; what is owed may be
        but a choice."""
        if self._evidence.course.touched is None:
            return 0.0
        path = path_of(self._rules, action)
        if len(path) < 2 or self._rules.rarity(node.position, action) < 0:
            return 0.0
        return self._evidence.unfelt(path[:1])

    def _kind(self, position: Any) -> object:
        """What two nodes must share for the cheaper one to do: markers that are seen tell ways apart."""
        return position if self._evidence.shows_marks else self._rules.future(position)

    def _unfelt(self, action: Action, changed: Changes) -> float:
        """What touches speak against an action; what goes off the board need not be put down first."""
        hands = grip(self._rules, action)
        backwards = self._evidence.course.backwards(*hands) if len(set(hands)) == 2 else 0.0
        pieces = {place for place, (was, now) in changed.items() if bare(was) != bare(now)}
        return backwards + self._evidence.unfelt(pieces & set(hands))

    def _player(self, node: Node, action: Action, is_seen: bool) -> Player:
        if is_seen:
            return str(node.position.to_act)
        is_owed = not node.actions and self._rules.rarity(node.position, action) < 0
        return "" if is_owed else node.player

    def _first_seen(self, changed: Changes) -> float | None:
        """When the last of these changes was first seen, or felt; None where none is."""
        since, misfit = self._evidence.course.seen_since, self._evidence.misfit
        if not since:
            return None
        felt = self._evidence.course.touched or ()
        times = [
            since[p] for p, (was, now) in changed.items()
            if p in since and misfit(p, now) <= DOUBT and (p in felt or misfit(p, was) > DOUBT)
        ]  # fmt: skip
        return max(times, default=None)

    def _step_cost(self, node: Node) -> float:
        limits, position = self._limits, node.position
        if position.to_act != position.turn:
            return limits.answer
        is_reply = node.player not in ("", position.to_act)
        turn = limits.turn * (1 if node.turns < REPLIES else 3) if is_reply else 0.0
        return turn + (limits.more if node.actions and node.player else limits.first)
