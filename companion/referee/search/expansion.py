"""Expansion of a node: the nodes that follow it by one more action, and what they cost.

Only actions that touch a place which is wrong now, or that touch none (ending a turn), are tried: a story
with any other moves a piece away and back. Actions in another order than that in which their changes were
first seen cost more, and so do those that nobody felt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.core.game import EMPTY, Action, Changes, Look, Place, Player
from companion.core.rules import Rules
from companion.referee.evidence.evidence import DOUBT, Evidence
from companion.referee.evidence.looks import bare, changes
from companion.referee.evidence.timeline import SAME_MOMENT_S
from companion.referee.hypotheses.paths import grip, path_of, with_sites
from companion.referee.search.limits import Limits
from companion.referee.search.node import Effect, Effort, NextAction, Node, Root

REPLIES = 2
"""The number of replies that may well have come before anything held still; a further one costs more."""
FEW_ACTIONS = 12
"""Up to this number of legal actions all are tried."""


class Expansion:
    """The steps from node to node, on the evidence of one board."""

    def __init__(self, rules: Rules[Any], evidence: Evidence, limits: Limits, roots: Sequence[Root]) -> None:
        self.rules = rules
        self.evidence = evidence
        self.limits = limits
        self._told = [evidence.retold(rules.look(position)) for position, _ in roots]
        """The evidence as it is for who believes each of the roots."""
        self.roots = [self._root(n, position, cost) for n, (position, cost) in enumerate(roots)]
        felt = evidence.timeline.touched or frozenset()
        self.disturbed = max((root.wrong | felt for root in self.roots), key=len)
        """The places where pieces came, went or were felt; markers come with what is done elsewhere."""
        self.changed = max(len(self.disturbed), 2)  # a piece that was moved and then removed
        """Their number, as far as it says how many actions there may have been."""
        visited = evidence.timeline.visited(self.disturbed)
        self.roots = [root._replace(key=(*root.key[:2], visited)) for root in self.roots]

    def _root(self, number: int, position: Any, cost: float) -> Node:
        looks, evidence = self.rules.look(position), self._told[number]
        return Node(
            number,
            position,
            looks,
            evidence.board_misfit(looks),
            evidence.piece_misfit(looks),
            cost,
            actions=(),
            player=position.to_act,
            wrong=evidence.wrong_pieces(looks),
            key=(self._state(position), False, frozenset()),
        )

    def next_actions(self, node: Node) -> Iterator[NextAction]:
        """Yields the legal actions that may be part of the story."""
        step_cost = self._step_cost(node)
        wrong = node.wrong or self.evidence_for(node).wrong(node.looks)
        wrong_sites = with_sites(wrong | (self.evidence.timeline.touched or frozenset()))
        # After a whole turn nearly every place may fit: then any action may be missing.
        is_near = self.limits.turn_is_over and len(wrong) < 2
        if is_near:
            legal = self.rules.legal(node.position)
        else:
            legal = self.rules.legal_at(node.position, wrong_sites)
        actions = [action for action in legal if "?" not in action]  # '?' stands for what is secret
        all_are_tried = is_near or len(actions) <= FEW_ACTIONS
        for action in actions:
            path = path_of(self.rules, action)
            touches_wrong = not path or not wrong_sites.isdisjoint(path)
            if not (all_are_tried or touches_wrong or self.rules.is_transient(action)):
                continue
            yield NextAction(action, step_cost, bool(path))

    def next_action(self, node: Node, action: Action) -> NextAction:
        return NextAction(action, self._step_cost(node), bool(path_of(self.rules, action)))

    def effect(self, node: Node, action: Action) -> Effect:
        after = self.rules.after(node.position, action)
        looks = self.rules.look(after)
        changed = changes(node.looks, looks)
        return Effect(after, looks, changed, self.evidence_for(node).fit_change(changed))

    def evidence_for(self, node: Node) -> Evidence:
        """Returns the evidence as it is for who believes the root of a node."""
        return self._told[node.root]

    def effort(self, node: Node, following: NextAction, pieces: int) -> Effort:
        """Returns the effort with one more action that changes so many places."""
        limits = self.limits
        rarity = self.rules.rarity(node.position, following.action)
        is_owed = rarity < 0
        if is_owed and node.actions:
            rarity = 0.0  # what a story owes by its own actions makes it no likelier
        is_choice = following.is_handled and not is_owed and not self.rules.is_transient(following.action)
        handled = node.handled + (min(1.0, pieces / 2) if is_choice else 0.0)
        cost = node.cost_so_far + following.step_cost + rarity
        if handled > max(node.handled, self.changed / 2):
            cost += limits.extra  # more than one action for two places
        if handled > max(node.handled, self.changed):
            cost += limits.detour  # more than one action for each place
        return Effort(handled, cost)

    def child(self, node: Node, following: NextAction, effect: Effect, effort: Effort) -> Node:
        action, changed, fit = following.action, effect.changed, effect.fit
        *_, stray = node.key
        seen = self._first_seen(changed)
        is_late = seen is not None and seen < node.seen_last - SAME_MOMENT_S
        is_late = is_late and self.rules.rarity(node.position, action) >= 0  # what is owed has no order
        cost = effort.cost_so_far + (
            self._cost_of_touches(action, changed, node.position, effect.position)
            + (self.limits.disorder if is_late else 0.0)
        )
        is_seen = following.is_handled or bool(changed)
        is_reply = is_seen and node.player not in ("", node.position.to_act)
        if self._is_unseen(node, action, changed, is_reply):
            cost += self.limits.unmarked if self.evidence.shows_marks else self.limits.unseen
        return Node(
            node.root,
            effect.position,
            effect.looks,
            node.misfit + fit.misfit,
            node.piece_misfit + fit.piece_misfit,
            cost,
            actions=(*node.actions, action),
            player=self._player(node, action, is_seen),
            wrong=node.wrong.union(fit.wrong).difference(fit.right),
            key=(self._state(effect.position), not is_seen, stray - {*changed, *path_of(self.rules, action)}),
            begins_turn=self._begins_turn(node.position, effect.position),
            changes_nothing=not changed,
            seen_last=node.seen_last if seen is None else max(seen, node.seen_last),
            handled=effort.handled,
            replies=node.replies + is_reply,
        )

    def _is_unseen(self, node: Node, action: Action, changed: Changes, is_reply: bool) -> bool:
        """Returns whether a piece stood somewhere meanwhile, and nobody saw or felt it there.

        So it is where an action takes off the board what this story put down, or puts a piece where it took
        one from; and where a player carries on what another has just put down. Who moves the same piece
        twice need not stop in between, unless it goes there and back.
        """
        if self.rules.is_transient(action):
            return False
        way = grip(self.rules, action)
        if node.actions and len({*way}) == 2 and way == grip(self.rules, node.actions[-1])[::-1]:
            return not self.evidence.timeline.was_there(way[0], self.disturbed)
        pieces = {place: now for place, (was, now) in changed.items() if bare(was) != bare(now)}
        taken = way[:1] if is_reply else ()
        handled = pieces.keys() if len(pieces) == 1 else pieces.keys() & {*taken}
        looks = self.roots[node.root].looks
        return any(
            bare(looks.get(place, EMPTY)) == bare(pieces[place]) and not self._was_seen(place, pieces[place])
            for place in handled
        )

    def _was_seen(self, place: Place, look: Look) -> bool:
        """Returns whether a place was seen to change with the others, or felt; a marker tells it too."""
        is_marked = "+" in look and self.evidence.shows_marker(place, look)
        return is_marked or self.evidence.timeline.was_there(place, self.disturbed)

    def _begins_turn(self, before: Any, after: Any) -> bool:
        """Returns whether the next turn begins after an action, or the game is over."""
        return after.turn != before.turn or self.rules.outcome(after) is not None

    def unlifted(self, node: Node, action: Action) -> float:
        """Returns the cost of an action that carries a piece which nobody felt lifted.

        An action that is owed may be no more than a choice, and costs nothing.
        """
        if self.evidence.timeline.touched is None:
            return 0.0
        path = path_of(self.rules, action)
        if len(path) < 2 or self.rules.rarity(node.position, action) < 0:
            return 0.0
        start = (p for p in path[:1] if not self._shows_only(p, node.looks.get(p, EMPTY), EMPTY))
        return self.evidence.unfelt(start)

    def _shows_only(self, place: Place, was: Look, now: Look) -> bool:
        """Returns whether a place shows what was there, and not what is there now."""
        return self.evidence.misfit(place, was) <= DOUBT < self.evidence.misfit(place, now)

    def _state(self, position: Any) -> object:
        """Returns the part of a position that two nodes share if the cheaper one replaces the other: all of
        it where markers are seen, since they tell ways apart."""
        return position if self.evidence.shows_marks else self.rules.future(position)

    def _cost_of_touches(self, action: Action, changed: Changes, before: Any, after: Any) -> float:
        """Returns the cost of the touches that an action needs, and that were not felt, or in another order.

        A piece that goes off the board need not be put down first. In an exchange each of two is carried.
        One that becomes another kind may go once that has come from beside the board.
        """
        hands = grip(self.rules, action)
        pieces = {p: (bare(was), bare(now)) for p, (was, now) in changed.items() if bare(was) != bare(now)}
        ways = [hands] if len({*hands}) == 2 else []
        ways += [(end, start) for start, end in ways if _is_exchange(pieces, start, end)]
        backwards = max((self.evidence.timeline.backwards(*way) for way in ways), default=0.0)
        if backwards:
            was, now = self.rules.pieces(before), self.rules.pieces(after)
            backwards *= any(now.get(end, was.get(start)) == was.get(start) for start, end in ways)
        # What stands where something stood before was put there, though no path may name the place.
        # A place that shows what it showed before was felt by nobody: it speaks against a story once.
        seen = {place: looks for place, looks in pieces.items() if not self._shows_only(place, *looks)}
        handled = {place for place, looks in seen.items() if place in hands or EMPTY not in looks}
        put = {place for place in handled if pieces[place][1] != EMPTY}
        return backwards + self.evidence.unfelt(handled - put) + self.evidence.unput(put)

    def _player(self, node: Node, action: Action, is_seen: bool) -> Player:
        """Returns who acted last after an action; see `Node.player`."""
        if is_seen:
            return str(node.position.to_act)
        is_owed = not node.actions and self.rules.rarity(node.position, action) < 0
        return "" if is_owed else node.player

    def _first_seen(self, changed: Changes) -> float | None:
        """Returns when the last of these changes was first seen, or felt; None where none is."""
        since = self.evidence.timeline.seen_since
        if not since:
            return None
        times = [
            since[place]
            for place, (was, now) in changed.items()
            if place in since and self._is_noticed(place, was, now)
        ]
        return max(times, default=None)

    def _is_noticed(self, place: Place, was: Look, now: Look) -> bool:
        """Returns whether the change of a place is what was seen or felt there."""
        if self.evidence.misfit(place, now) > DOUBT:
            return False
        is_felt = place in (self.evidence.timeline.touched or ())
        return is_felt or self.evidence.misfit(place, was) > DOUBT

    def _step_cost(self, node: Node) -> float:
        """Returns the least that one more action costs after a node."""
        limits, position = self.limits, node.position
        if position.to_act != position.turn:
            return limits.answer
        is_reply = node.player not in ("", position.to_act)
        reply_cost = limits.turn * (1 if node.replies < REPLIES else 3) if is_reply else 0.0
        return reply_cost + (limits.more if node.actions and node.player else limits.first)


def _is_exchange(pieces: Changes, start: Place, end: Place) -> bool:
    """Returns whether the piece that stood at the end of a way stands at its start now."""
    gone, _ = pieces.get(end, (EMPTY, EMPTY))
    _, came = pieces.get(start, (EMPTY, EMPTY))
    return gone == came != EMPTY
