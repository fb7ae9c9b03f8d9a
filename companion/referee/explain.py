"""Which legal actions explain what is seen: best-first search over positions, at every length of a story.

The search begins at all positions that are held for possible at once, each with what speaks against it;
where two stories come to the same, the cheaper one is told. A node's priority is what its actions cost (long
stories are less likely than short ones) plus how badly its pieces still fit; its markers may be gone before
the story ends. Only actions that touch a place which is wrong now, or that touch none (ending a turn), are
tried: a story with any other moves a piece away and back. Actions in another order than that in which their
changes were first seen cost more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import count
from math import ceil, inf
from typing import Any, NamedTuple, TypeAlias

from companion.core import Action, Look, Place, Player, Rules
from companion.referee.evidence import AHEAD, CAP, DOUBT, SOON, Change, Changes, Evidence, bare, changes
from companion.referee.limits import Limits
from companion.referee.paths import carried, ends, grip, origins_of, path_of, with_sites

IsLate: TypeAlias = Callable[[], bool]
REPLIES = 2
"""So often another player may well have gone on before anything held still."""
FEW = 12
"""So few legal actions are all tried."""


Root: TypeAlias = tuple[Any, float]
"""A position from which a story may begin, and how many nats speak against it."""


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


class _Node(NamedTuple):
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
    """What it shares with nodes of which only the cheapest counts."""
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


class _Act(NamedTuple):
    """An action that may come next, what one more costs at least, and whether it is done on the board."""

    action: Action
    step: float
    is_handled: bool


class _Effect(NamedTuple):
    """What an action leads to, what it changes on the board, and how that fits."""

    position: Any
    looks: Mapping[Place, Look]
    changed: Changes
    fit: Change


_Item: TypeAlias = tuple[tuple[float, float], int, _Node]


def explain(
    rules: Rules[Any],
    roots: Sequence[Root],
    evidence: Evidence,
    limits: Limits,
    is_late: IsLate,
    most: float = inf,
) -> Explanation:
    """What could be found from these roots before it was late, and is no dearer than `most`."""
    return _Search(rules, roots, evidence, limits, is_late, most).run()


class _Search:
    """One search from all roots, until a story is clearly the best or the budget is spent."""

    def __init__(
        self,
        rules: Rules[Any],
        roots: Sequence[Root],
        evidence: Evidence,
        limits: Limits,
        is_late: IsLate,
        most: float,
    ) -> None:
        self._rules, self._evidence, self._limits = rules, evidence, limits
        self._is_late = is_late
        self._heaps: list[list[_Item]] = [[] for _ in range(limits.actions + 1)]
        self._tie = count()
        self._done: dict[Any, float] = {}
        self._found: dict[Any, Story] = {}
        self._tried, self._most, self._reach = 0, limits.tries, 2
        self._roots = [self._root(n, position, cost) for n, (position, cost) in enumerate(roots)]
        felt = evidence.course.touched or frozenset()
        changed = max(len(evidence.wrong(root.looks) | felt) for root in self._roots)
        self._changed = max(changed, 2)  # a piece that was moved and then removed
        self._dearest = most if limits.whole else min(most, limits.offence + limits.place * changed)

    def _root(self, number: int, position: Any, cost: float) -> _Node:
        looks, evidence = self._rules.look(position), self._evidence
        fit = evidence.total(looks), evidence.hope(looks)
        wrong = evidence.wrong_pieces(looks)
        kind = self._kind(position), False
        return _Node(number, position, looks, *fit, cost, (), position.to_act, wrong, kind)

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
            if self._is_spent() or self._is_late():
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

    def _push(self, node: _Node) -> None:
        item = (self._priority(node), next(self._tie), node)
        heappush(self._heaps[len(node.actions)], item)

    def _priority(self, node: _Node) -> tuple[float, float]:
        """At first what nearly fits goes first; once a story is found, what may turn out the likeliest."""
        return node.cost + (self._still(node) if self._found else node.hope), node.hope

    def _reorder(self) -> None:
        for heap in self._heaps:
            heap[:] = [(self._priority(node), n, node) for _, n, node in heap]
            heapify(heap)

    def _promises(self, node: _Node) -> bool:
        """Whether a story that is likely enough may yet come of it."""
        is_new = node.cost < self._done.get(node.kind, inf) - 1e-6
        return is_new and node.cost + self._still(node) <= self._dearest

    def _still(self, node: _Node) -> float:
        return self._least(node.hope, node.misfit, node.handled)

    def _least(self, hope: float, misfit: float, handled: float) -> float:
        """What a story costs more at least: each action puts so many places right at most."""
        limits = self._limits
        places = ceil((hope - limits.fit) / CAP)
        if places <= 0:
            return limits.answer if misfit > limits.fit else 0.0
        actions = ceil(places / self._reach)
        extra = handled + places / 2 - max(handled, self._changed / 2)
        return limits.more * actions + limits.extra * max(0, ceil(extra))

    def _visit(self, node: _Node) -> None:
        self._done[node.kind] = node.cost
        fits = node.misfit <= self._limits.fit and (node.is_fresh or not self._limits.whole)
        if fits and not self._is_guess(node):
            self._tell(node)
        if len(node.actions) < self._limits.actions and not (self._limits.whole and node.is_fresh):
            for child in self._children(node):
                if self._promises(child):
                    self._push(child)

    def _kind(self, position: Any) -> object:
        """What two nodes must share for the cheaper one to do: markers that are seen tell ways apart."""
        return position if self._evidence.shows_marks else self._rules.future(position)

    def _is_guess(self, node: _Node) -> bool:
        """Whether the last action is one that would be seen, were it not gone again, and nothing shows."""
        return node.is_silent and self._rules.is_transient(node.actions[-1]) and not self._limits.whole

    def _tell(self, node: _Node) -> Story:
        marks = self._evidence.mark_misfit(self._rules.marks(node.position), node.looks)
        hands = ends(self._rules, node.actions)
        moves = carried(self._rules, node.actions)
        changed = changes(self._roots[node.root].looks, node.looks)
        handling = self._evidence.stray(hands, changed) + self._evidence.crossing(moves)
        handling += self._evidence.hanging(node.looks)
        ahead = self._ahead(node)
        story = Story(node.root, node.actions, node.position, node.cost, node.misfit, marks, handling, ahead)
        is_first = not self._found
        future = self._rules.future(node.position), node.kind[1]
        self._found[future] = min(story, self._found.get(future, story), key=lambda s: s.weight)
        self._dearest = min(self._dearest, story.weight + self._limits.margin)
        if is_first:
            self._most = min(self._most, self._tried + self._limits.rest)
            self._reorder()
        return story

    def _ahead(self, node: _Node) -> float:
        """What speaks against pieces that were there before they left; one of another kind may have come from
        beside the board. When a place was left that another piece took is not known."""
        rules, course = self._rules, self._evidence.course
        origins = origins_of(rules, node.actions)
        left = {end: start for end, start in origins.items() if start not in origins}
        early = [(start, end) for end, start in left.items() if course.is_ahead(start, end)]
        if not early:
            return 0.0
        before, after = rules.pieces(self._roots[node.root].position), rules.pieces(node.position)
        return AHEAD * sum(before.get(start) == after.get(end) for start, end in early)

    def _is_spent(self) -> bool:
        return self._tried >= self._most or len(self._found) >= self._limits.rivals

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
        """Finds the stories that differ from one that was found by an order or by a way of doing the same."""
        self._most = self._tried + self._limits.rest
        waiting = sorted(self._found.values(), key=lambda story: story.weight)
        while waiting and not self._is_spent() and not self._is_late():
            story = waiting.pop(0)
            root = self._roots[story.root]
            for actions in self._variants(root, story.actions):
                node = self._replay(root, actions)
                if node and self._promises(node) and node.misfit <= self._limits.fit:
                    self._done[node.kind] = node.cost
                    waiting.append(self._tell(node))

    def _variants(self, root: _Node, actions: tuple[Action, ...]) -> Iterator[tuple[Action, ...]]:
        rules, position = self._rules, root.position
        for n, action in enumerate(actions):
            before, rest = actions[:n], actions[n + 1 :]
            if n + 1 < len(actions):
                yield (*before, actions[n + 1], action, *actions[n + 2 :])
            for other in rules.legal(position) if grip(rules, action) else ():
                if other != action and grip(rules, other) == grip(rules, action):
                    yield (*before, other, *rest)
            position = rules.play(position, action).position

    def _replay(self, root: _Node, actions: tuple[Action, ...]) -> _Node | None:
        """The node that actions lead to; None where they are not all legal."""
        node = root
        for action in actions:
            if self._rules.judge(node.position, action):
                return None
            act = _Act(action, self._step_cost(node), bool(path_of(self._rules, action)))
            node = self._child(node, act, self._effect(node, action))
            self._tried += 1
        return node if node.is_fresh or not self._limits.whole else None

    def _children(self, node: _Node) -> Iterator[_Node]:
        step = self._step_cost(node)
        for n, (action, is_handled) in enumerate(self._candidates(node)):
            if n % 16 == 15 and self._is_late():
                return
            self._tried += 1
            if node.cost + step + self._unlifted(node, action) <= self._dearest:
                act = _Act(action, step, is_handled)
                yield from self._promising(node, act)

    def _promising(self, node: _Node, act: _Act) -> Iterator[_Node]:
        """The node after an action, unless too little comes right by what it changes."""
        known = self._rules.change(node.position, act.action)
        if known is None or self._may_fit(node, act, len(known), self._evidence.gain(known)):
            effect = self._effect(node, act.action)
            if self._may_fit(node, act, effect.fit.pieces, effect.fit.hope):
                yield self._child(node, act, effect)

    def _may_fit(self, node: _Node, act: _Act, pieces: int, hope: float) -> bool:
        """Whether a likely story may go on so, before anything is known but how the board fits then."""
        self._reach = max(self._reach, pieces)
        handled, cost = self._effort(node, act, pieces)
        return cost + self._least(node.hope + hope, 0.0, handled) <= self._dearest

    def _effect(self, node: _Node, action: Action) -> _Effect:
        after = self._rules.play(node.position, action).position
        looks = self._rules.look(after)
        changed = changes(node.looks, looks)
        return _Effect(after, looks, changed, self._evidence.change(changed))

    def _effort(self, node: _Node, act: _Act, pieces: int) -> tuple[float, float]:
        """How much was handled, and what that costs, with one action more."""
        limits, rarity = self._limits, self._rules.rarity(node.position, act.action)
        is_choice = act.is_handled and rarity >= 0 and not self._rules.is_transient(act.action)
        handled = node.handled + (min(1.0, pieces / 2) if is_choice else 0.0)
        cost = node.cost + act.step + rarity
        cost += limits.extra if handled > max(node.handled, self._changed / 2) else 0.0
        cost += limits.detour if handled > max(node.handled, self._changed) else 0.0
        return handled, cost

    def _child(self, node: _Node, act: _Act, effect: _Effect) -> _Node:
        after, looks, changed, fit = effect
        handled, cost = self._effort(node, act, fit.pieces)
        seen = self._first_seen(changed)
        is_late = seen is not None and seen < node.seen_last - SOON
        cost += self._unfelt(act.action, changed) + (self._limits.disorder if is_late else 0.0)
        is_seen = act.is_handled or bool(changed)
        return _Node(
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

    def _unlifted(self, node: _Node, action: Action) -> float:
        """What speaks against an action that carries a piece, if nobody felt it lifted; what is owed may be
        but a choice."""
        path = path_of(self._rules, action)
        if len(path) < 2 or self._rules.rarity(node.position, action) < 0:
            return 0.0
        return self._evidence.unfelt(path[:1])

    def _unfelt(self, action: Action, changed: Changes) -> float:
        """What touches speak against an action; what goes off the board need not be put down first."""
        hands = grip(self._rules, action)
        backwards = self._evidence.backwards(*hands) if len(set(hands)) == 2 else 0.0
        pieces = {place for place, (was, now) in changed.items() if bare(was) != bare(now)}
        return backwards + self._evidence.unfelt(pieces & set(hands))

    def _player(self, node: _Node, action: Action, is_seen: bool) -> Player:
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

    def _step_cost(self, node: _Node) -> float:
        limits, position = self._limits, node.position
        if position.to_act != position.turn:
            return limits.answer
        is_reply = node.player not in ("", position.to_act)
        turn = limits.turn * (1 if node.turns < REPLIES else 3) if is_reply else 0.0
        return turn + (limits.more if node.actions and node.player else limits.first)

    def _candidates(self, node: _Node) -> Iterator[tuple[Action, bool]]:
        """The legal actions that may be part of the story, and whether they are done on the board."""
        rules = self._rules
        wrong = node.wrong or self._evidence.wrong(node.looks)
        wrong_sites = with_sites(wrong | (self._evidence.course.touched or frozenset()))
        is_near = self._limits.whole and len(wrong) < 2
        legal = rules.legal(node.position) if is_near else rules.legal_at(node.position, wrong_sites)
        actions = [a for a in legal if "?" not in a]  # '?' stands for what is secret
        few = len(actions) <= FEW or is_near
        for action in actions:
            path = path_of(rules, action)
            if few or not path or not wrong_sites.isdisjoint(path) or rules.is_transient(action):
                yield action, bool(path)


def _is_part(some: tuple[Action, ...], actions: tuple[Action, ...]) -> bool:
    """Whether some actions are among others in the same order."""
    rest = iter(actions)
    return all(action in rest for action in some)
