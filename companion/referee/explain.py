"""Which legal actions explain what is seen: best-first search over positions, at every length of a story.

The search begins at all positions that are held for possible at once, each with what speaks against it;
where two stories come to the same, the cheaper one is told. A node's priority is what its actions cost (long
stories are less likely than short ones) plus how badly its pieces still fit; its markers may be gone before
the story ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import count
from math import ceil, inf
from typing import Any, NamedTuple, TypeAlias

from companion.core import Action, Rules
from companion.referee.evidence import CAP, Evidence
from companion.referee.expand import Act, Effort, Expansion, Node, Root
from companion.referee.limits import Limits
from companion.referee.looks import changes
from companion.referee.paths import ahead, carried, ends, origins_of, path_of
from companion.referee.variants import Actions, exchanges, otherwise_gone, variants

Spent: TypeAlias = Callable[[], float]
"""Which share of its time a search has had."""
EXPLORE = 0.6
"""The share of its time in which a search looks for more stories; in the rest it varies those it found."""


@dataclass(frozen=True, slots=True)
class Story:
    """Actions that lead from a root (its number) to a board that fits: `cost` is how unlikely they and the
    root are, `misfit` what still speaks against the board that they lead to."""

    root: int
    actions: tuple[Action, ...]
    position: Any
    cost: float
    misfit: float
    marks: float = 0.0
    """How badly the move markers fit."""
    handling: float = 0.0
    """How badly the touches fit."""
    ahead: float = 0.0
    """How badly it fits when pieces were seen where they went."""

    @property
    def weight(self) -> float:
        return self.cost + self.misfit + self.marks + self.handling + self.ahead


class Explanation(NamedTuple):
    """Stories that fit, likeliest first, each leading to another future; `is_whole` where none was missed for
    want of time or tries."""

    stories: list[Story]
    is_whole: bool


_Item: TypeAlias = tuple[tuple[float, float], int, Node]


def explain(
    rules: Rules[Any],
    roots: Sequence[Root],
    evidence: Evidence,
    limits: Limits,
    spent: Spent,
    most: float = inf,
) -> Explanation:
    """What could be found from these roots in the time there is, and is no dearer than `most`."""
    return _Search(rules, roots, evidence, limits, spent, most).run()


class _Search:
    """One search from all roots, until a story is clearly the best or the budget is spent."""

    def __init__(
        self,
        rules: Rules[Any],
        roots: Sequence[Root],
        evidence: Evidence,
        limits: Limits,
        spent: Spent,
        most: float,
    ) -> None:
        self._rules, self._evidence, self._limits = rules, evidence, limits
        self._spent = spent
        self._heaps: list[list[_Item]] = [[] for _ in range(limits.actions + 1)]
        self._tie = count()
        self._done: dict[Any, float] = {}
        self._found: dict[Any, Story] = {}
        self._replayed: dict[tuple[int, Actions], Node | None] = {}
        self._tried, self._most, self._reach = 0, limits.tries, 2
        self._more = limits.more + (limits.turn if rules.alternates else 0.0)
        self._expansion = Expansion(rules, evidence, limits, roots)
        self._roots, self._changed = self._expansion.roots, self._expansion.changed
        self._bound = most
        self._dearest = most if limits.whole else min(most, limits.broken(self._expansion.disturbed))

    def run(self) -> Explanation:
        for root in self._roots:
            if root.misfit <= self._limits.fit and not self._limits.whole:
                self._tell(root)
            self._push(root)
        is_whole = self._explore()
        self._vary()
        stories = sorted(self._found.values(), key=lambda story: story.weight)
        weighed = sorted((self._weigh_anew(story, stories) for story in stories), key=lambda s: s.weight)
        return Explanation(weighed, is_whole)

    def _explore(self) -> bool:
        """Visits nodes until none is left that promises anything; False where it had to stop before."""
        for turn in count():
            if not any(self._heaps):
                break
            if self._is_enough() or self._is_late():
                return False
            node = heappop(self._next_heap(turn))[2]
            if self._promises(node):
                self._visit(node)
        return True

    def _next_heap(self, turn: int) -> list[_Item]:
        """The best node of all, and until a story is found every other time the best of each length in turn:
        a story that nearly fits is soon found, and may be a trap from which none goes on."""
        heaps = [heap for heap in self._heaps if heap]
        in_turn = turn % 2 and not self._found
        return heaps[turn // 2 % len(heaps)] if in_turn else min(heaps, key=lambda heap: heap[0][0])

    def _push(self, node: Node) -> None:
        item = (self._priority(node), next(self._tie), node)
        heappush(self._heaps[len(node.actions)], item)

    def _priority(self, node: Node) -> tuple[float, float]:
        """At first what nearly fits goes first; once a story is found, what may turn out the likeliest."""
        return node.cost + (self._still(node) if self._found else node.hope), node.hope

    def _reorder(self) -> None:
        for heap in self._heaps:
            heap[:] = [(self._priority(node), n, node) for _, n, node in heap]
            heapify(heap)

    def _promises(self, node: Node) -> bool:
        """Whether a story that is likely enough may yet come of it."""
        is_new = node.cost < self._done.get(node.kind, inf) - 1e-6
        return is_new and node.cost + self._still(node) <= self._dearest

    def _still(self, node: Node) -> float:
        return self._least(node.hope, node.misfit, node.handled, bool(node.actions))

    def _least(self, hope: float, misfit: float, handled: float, has_begun: bool) -> float:
        """What a story costs more at least: each action puts so many places right at most, as replies where
        players alternate."""
        limits = self._limits
        if hope <= limits.fit:
            return limits.answer if misfit > limits.fit else 0.0
        places = ceil((hope - limits.fit) / CAP)
        actions = ceil(places / self._reach)
        extra = handled + places / 2 - max(handled, self._changed / 2)
        first = self._more if has_begun else min(limits.first, self._more)
        return first + self._more * (actions - 1) + limits.extra * max(0, ceil(extra))

    def _visit(self, node: Node) -> None:
        self._done[node.kind] = node.cost
        if self._fits(node) and not self._is_guess(node):
            self._tell(node)
        if len(node.actions) < self._limits.actions and not (self._limits.whole and node.is_fresh):
            for child in self._children(node):
                if self._promises(child):
                    self._push(child)

    def _fits(self, node: Node) -> bool:
        """Whether it explains the board, and is likelier than that hands broke the rules there."""
        if node.misfit > self._limits.fit:
            return False
        if self._limits.whole:
            return node.is_fresh
        explained = self._expansion.disturbed - node.wrong
        return node.cost <= self._limits.broken(explained)

    def _is_guess(self, node: Node) -> bool:
        """Whether the last action is one that would be seen, were it not gone again, and nothing shows."""
        return node.is_silent and self._rules.is_transient(node.actions[-1]) and not self._limits.whole

    def _tell(self, node: Node) -> Story:
        marks = self._evidence.mark_misfit(self._rules.marks(node.position), node.looks)
        hands = ends(self._rules, node.actions)
        moves = carried(self._rules, node.actions)
        changed = changes(self._roots[node.root].looks, node.looks)
        course = self._evidence.course
        handling = course.stray(hands, changed) + course.crossing(moves) + course.hanging(node.looks)
        origins, begun = origins_of(self._rules, node.actions), self._roots[node.root].position
        early = ahead(self._rules, course, origins, begun, node.position)
        story = Story(node.root, node.actions, node.position, node.cost, node.misfit, marks, handling, early)
        is_first = not self._found
        future = self._rules.future(node.position), node.kind[1]
        self._found[future] = min(story, self._found.get(future, story), key=lambda s: s.weight)
        self._dearest = min(self._dearest, story.weight + self._limits.margin)
        if is_first:
            self._most = min(self._most, self._tried + self._limits.rest)
            self._reorder()
        return story

    def _is_late(self) -> bool:
        return self._spent() >= (EXPLORE if self._found else 1)

    def _is_enough(self) -> bool:
        return self._tried >= self._most or len(self._found) >= self._limits.rivals

    def _is_over(self) -> bool:
        return self._is_enough() or self._spent() >= 1

    def _weigh_anew(self, story: Story, stories: list[Story]) -> Story:
        """What hands did for nothing is a detour, unless they were felt doing it."""
        alike = [s.actions for s in stories if s.root == story.root]
        shorter = [actions for actions in alike if len(actions) < len(story.actions)]
        part = next((actions for actions in shorter if _is_part(actions, story.actions)), story.actions)
        touched = self._evidence.course.touched or frozenset()
        needless = [path_of(self._rules, a) for a in (Counter(story.actions) - Counter(part)).elements()]
        detours = sum(1 for path in needless if path and touched.isdisjoint(path))
        return replace(story, cost=story.cost + self._limits.detour * detours)

    def _vary(self) -> None:
        """Finds the stories that differ from one that was found by their root, by an order, by a way of doing
        the same, or by what is gone again: nearly as likely as that one, however unlikely it is itself."""
        self._most = self._tried + self._limits.rest
        best = min(self._found.values(), key=lambda story: story.weight, default=None)
        if best is None:
            return
        self._dearest = min(self._bound, best.weight + self._limits.margin)
        self._spread(list(self._found.values()))
        start = self._roots[best.root]
        gone = ((start, actions) for actions in otherwise_gone(self._rules, start.position, best.actions))
        self._spread(self._kin_told(gone))

    def _spread(self, stories: list[Story]) -> None:
        """Tells what differs from these stories by order or way, from the likeliest also by their root."""
        least = min((story.weight for story in stories), default=0.0)
        likeliest = [story for story in stories if story.weight <= least + 1e-6]
        roots = ((root, s.actions) for s in likeliest for root in self._roots if root.root != s.root)
        waiting = [(s.weight, next(self._tie), s) for s in (*stories, *self._kin_told(roots))]
        heapify(waiting)
        while waiting and not self._is_over():
            for story in self._kin_told(self._kin(heappop(waiting)[2])):
                heappush(waiting, (story.weight, next(self._tie), story))

    def _kin(self, story: Story) -> Iterator[tuple[Node, Actions]]:
        """What comes to the same as a story; two pieces are exchanged where that is likelier."""
        root = self._roots[story.root]
        if story.ahead:
            self._exchange(root, story.actions)
        yield from ((root, actions) for actions in variants(self._rules, root.position, story.actions))

    def _kin_told(self, kin: Iterable[tuple[Node, Actions]]) -> list[Story]:
        """The stories of these that are likely enough, while there is time."""
        told: list[Story] = []
        for root, actions in kin:
            if self._is_over():
                break
            node = self._replay(root, actions)
            if node and self._promises(node) and node.misfit <= self._limits.fit:
                self._done[node.kind] = node.cost
                told.append(self._tell(node))
        return told

    def _exchange(self, root: Node, actions: Actions) -> None:
        """Tells what comes to the same with two pieces that went each where the other did, where that is seen
        to be likelier."""
        for other in exchanges(self._rules, root.position, actions):
            node = self._replay(root, other)
            if node and node.misfit <= self._limits.fit:
                self._tell(node)

    def _replay(self, root: Node, actions: Actions) -> Node | None:
        """The node that actions lead to; None where they are not all legal."""
        node: Node | None = root
        for action in actions:
            node = self._next(node, action) if node else None
        return node if node and (node.is_fresh or not self._limits.whole) else None

    def _next(self, node: Node, action: Action) -> Node | None:
        """The node after an action; None where that is not legal. Many replays begin alike."""
        key = node.root, (*node.actions, action)
        if key not in self._replayed:
            self._tried += 1
            self._replayed[key] = self._played(node, action)
        return self._replayed[key]

    def _played(self, node: Node, action: Action) -> Node | None:
        if self._rules.judge(node.position, action):
            return None
        act, effect = self._expansion.act(node, action), self._expansion.effect(node, action)
        return self._expansion.child(node, act, effect, self._expansion.effort(node, act, effect.fit.pieces))

    def _children(self, node: Node) -> Iterator[Node]:
        for n, act in enumerate(self._expansion.acts(node)):
            if n % 16 == 15 and self._is_late():
                return
            self._tried += 1
            if node.cost + act.step + self._expansion.unlifted(node, act.action) <= self._dearest:
                yield from self._promising(node, act)

    def _promising(self, node: Node, act: Act) -> Iterator[Node]:
        """The node after an action, unless too little comes right by what it changes."""
        known = self._rules.change(node.position, act.action)
        if known is not None:
            effort = self._effort(node, act, len(known))
            if not self._may_fit(node, effort, self._evidence.gain(known)):
                return
        effect = self._expansion.effect(node, act.action)
        effort = self._effort(node, act, effect.fit.pieces)
        if self._may_fit(node, effort, effect.fit.hope):
            yield self._expansion.child(node, act, effect, effort)

    def _effort(self, node: Node, act: Act, pieces: int) -> Effort:
        self._reach = max(self._reach, pieces)
        return self._expansion.effort(node, act, pieces)

    def _may_fit(self, node: Node, effort: Effort, hope: float) -> bool:
        """Whether a likely story may go on so, before anything is known but how the board fits then."""
        return effort.cost + self._least(node.hope + hope, 0.0, effort.handled, True) <= self._dearest


def _is_part(some: tuple[Action, ...], actions: tuple[Action, ...]) -> bool:
    """Whether some actions are among others in the same order."""
    rest = iter(actions)
    return all(action in rest for action in some)
