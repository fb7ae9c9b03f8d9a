"""The search: iterative deepening alpha-beta over actions, or over whole turns where these are long.

Values are leads in pieces. All other seats together play against the one that thinks (paranoid), so two,
three and four players are searched alike. What the seat does not know is guessed several times, and a turn
is worth what it comes to on the average of these worlds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from heapq import nlargest
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from companion.core.game import Action, Player
from companion.core.rules import Rules
from opponent.levels import FIRST_SIGHT, Level

WON = 1000.0
"""The value of a game that is won, less a little for each turn until then."""
ANYTHING = 10 * WON
WORLDS, WORLD = 8, 1_500
"""The most guesses at what is hidden, and the nodes for each: to look ahead in one is better than in many not
to."""
SHARE = 16
"""Each action of a long turn is looked for with this part of the nodes."""
WIDTHS = (64, 12, 8, 4)
"""The number of long turns that are searched further, by their depth in the search."""
LEAST = 24
"""The fewest nodes for an action of a long turn."""
LONGEST = 40
"""The most actions of a turn."""
PART = 0.25
"""The depth that an action uses up which does not end the turn."""
CAPTURES = 6
"""The most captures in a row that are looked at before a position is judged."""
SECOND_BEST, LOOK = 8, 3
"""How many times the nodes of a turn may be spent on the next best one, and the least depth at which it is
looked at, but for long turns: a second way to win may be longer."""
REPEATED = 0.4
"""The loss in pieces for each time that a position was there before: games have to end."""
TIE = 0.004
"""Chance decides between turns that differ by less."""
EXACT, AT_LEAST, AT_MOST = 0, 1, -1
Slips: TypeAlias = Sequence[bool] | None
"""Tells of each action of the turn that is thought about whether it is chosen at first sight; None for a
reply, in which none is."""


class SearchResult(NamedTuple):
    """A turn, its value for the seat that thinks, the line expected, and the depth of the search in turns."""

    actions: tuple[Action, ...]
    value: float
    line: tuple[Action, ...]
    depth: int


class Turn(NamedTuple):
    """The actions of a player until another acts, and the position after them."""

    actions: tuple[Action, ...]
    after: Any


class TableEntry(NamedTuple):
    """A line of the table: how deep a position was searched, its value or a bound of it, the best turn."""

    depth: float
    bound: int
    value: float
    best: tuple[Action, ...]

    def decides(self, low: float, high: float) -> bool:
        """Returns whether the value is exact, or known to lie outside a window."""
        return self.bound == EXACT or (self.value >= high if self.bound == AT_LEAST else self.value <= low)


class SpentError(Exception):
    """The nodes or the time for a search are used up."""


class Search:
    """A search for one turn. `nodes` counts the actions that it has tried."""

    def __init__(
        self, rules: Rules[Any], me: Player, level: Level, rng: Random, deadline: float = float("inf")
    ) -> None:
        self.rules, self.me, self.level, self.rng, self.deadline = rules, me, level, rng, deadline
        self.nodes = 0
        self._limit = self._until = float("inf")  # as long as there is no turn at all
        self._table: dict[object, TableEntry] = {}
        self._history: Counter[Action] = Counter()
        self._order: list[Turn] = []

    def best(self, view: Any, past: Iterable[Any] = ()) -> SearchResult:
        """Returns the best turn in a position as the seat knows it; `past` are positions that were before."""
        slips = [self.rng.random() < self.level.slips for _ in range(LONGEST)]
        turns = list(self._turns(view, (), slips))
        self._limit, self._until = self.level.nodes, self.deadline
        worlds = self._worlds = self._guess(view)
        seen = Counter(self.rules.future(position) for position in past)
        errors = [self.rng.random() * TIE - REPEATED * seen[self.rules.future(t.after)] for t in turns]
        order, first = list(range(len(turns))), turns[0]
        found = SearchResult(first.actions, self._now(first.after, view.to_act), first.actions, 0)
        for depth in range(1, 2 if slips[0] else self.level.depth + 1):
            width = WIDTHS[min(depth, len(WIDTHS)) - 1] if self.rules.long_turns else len(order)
            values: dict[int, float] = {}
            try:
                for number in order[:width]:
                    low = max(values.values(), default=-ANYTHING) - errors[number]
                    values[number] = self._worth(turns[number], view, worlds, depth, low) + errors[number]
            except SpentError:
                pass
            if not values:
                break
            ranked = sorted(values, key=lambda number: -values[number])
            top = turns[ranked[0]]
            line = self._line(top.after, depth) if len(worlds) == 1 else ()
            found = SearchResult(
                top.actions, values[ranked[0]] - errors[ranked[0]], (*top.actions, *line), depth
            )
            order = ranked + [number for number in order if number not in values]
            self._order = [turns[number] for number in order]
            if len(values) < min(width, len(turns)) or len(turns) == 1 or abs(found.value) > WON / 2:
                break
        return found

    def worth(self, view: Any, actions: Iterable[Action], depth: int) -> float:
        """Returns the value of a turn after `best`, as deep as that was found, with as many nodes again."""
        self._limit = self.nodes + self.level.nodes
        turn = Turn(tuple(actions), self._play(view, actions))
        try:
            return self._worth(turn, view, self._worlds, depth, -ANYTHING)
        except SpentError:
            self._limit = self._until = float("inf")
            return self._worth(turn, view, self._worlds, 1, -ANYTHING)

    def second(self, view: Any, best: SearchResult) -> float:
        """Returns the value of the next best turn after `best`, found as deep: of one that leads elsewhere.
        A win where there are too many to tell."""
        self._limit, top, is_long = (
            self.nodes + SECOND_BEST * self.level.nodes,
            -ANYTHING,
            self.rules.long_turns,
        )
        depth = best.depth if is_long else max(best.depth, LOOK)
        width = WIDTHS[min(depth, len(WIDTHS)) - 1] if is_long else len(self._order)
        try:
            for turn in self._order[:width]:
                if not self.is_same(view, turn.actions, best.actions):
                    top = max(top, self._worth(turn, view, self._worlds, depth, top))
        except SpentError:
            return WON
        return top

    def is_same(self, view: Any, one: Iterable[Action], other: Iterable[Action]) -> bool:
        ends = (reduce(self.rules.after, turn, view) for turn in (one, other))
        return len({self.rules.future(end) for end in ends}) == 1

    def _guess(self, view: Any) -> list[Any]:
        """Returns positions that may be the true one: this one alone where nothing is hidden."""
        count = max(1, min(WORLDS, self.level.nodes // WORLD))
        worlds = [self.rules.guess(view, self.me, self.rng) for _ in range(count)]
        return worlds[:1] if worlds[0] is view else worlds

    def _worth(self, turn: Turn, view: Any, worlds: Sequence[Any], depth: int, low: float) -> float:
        """Returns what a turn is worth, on the average of the worlds."""
        if len(worlds) == 1:
            return self._after(view, turn.after, depth, low, ANYTHING)
        return fmean(self._after(w, self._play(w, turn.actions), depth, -ANYTHING, ANYTHING) for w in worlds)

    def _play(self, position: Any, actions: Iterable[Action]) -> Any:
        for action in actions:
            self._count()
            position = self.rules.after(position, action)
        return position

    def _after(self, before: Any, after: Any, depth: float, low: float, high: float) -> float:
        """Returns the value of a turn for its player, who acted `before`."""
        left = depth - (1 if after.turn != before.turn else PART)
        if self._are_one(before.to_act, after.to_act):
            return self._value(after, left, low, high)
        return -self._value(after, left, -high, -low)

    def _value(self, position: Any, depth: float, low: float, high: float) -> float:
        """Returns the value of a position for the player to act: exact within the window, else a bound."""
        if (over := self._over(position)) is not None:
            return over + depth if over > 0 else over - depth  # a win sooner, a loss later
        if depth <= 0:
            return self._quiet(position, low, high)
        key = self.rules.future(position)
        known = self._table.get(key)
        if known and known.depth >= depth and known.decides(low, high):
            return known.value
        best: tuple[Action, ...] = ()
        top, alpha = -ANYTHING, low
        for turn in self._turns(position, known.best if known else ()):
            value = self._after(position, turn.after, depth, alpha, high)
            if value > top:
                best, top = turn.actions, value
                alpha = max(alpha, value)
                if alpha >= high:
                    self._history[turn.actions[0]] += 1 + int(depth * depth)
                    break
        bound = AT_LEAST if top >= high else EXACT if top > low else AT_MOST
        self._table[key] = TableEntry(depth, bound, top, best)
        return top

    def _quiet(self, position: Any, low: float, high: float, plies: int = CAPTURES) -> float:
        """Returns the value of a position for the player to act once captures are answered."""
        value = self._lead(position)
        if value >= high or not plies or self.rules.long_turns:
            return value
        rules = self.rules
        actions = list(rules.considered(position))
        captures = [action for action in actions if rules.takes(position, action)]
        if len(captures) == len(actions):
            value = -ANYTHING  # there is nothing else to do
        for action in sorted(captures, key=self._history.__getitem__, reverse=True):
            if value >= high:
                break
            after = self._play(position, (action,))
            low, are_one = max(low, value), self._are_one(position.to_act, after.to_act)
            if (found := self._over(after)) is None:
                found = self._quiet(after, *((low, high) if are_one else (-high, -low)), plies - 1)
            value = max(value, found if are_one else -found)
        return value

    def _over(self, position: Any) -> float | None:
        """Returns the value of a game that is over for the player who would act; None while it is on."""
        outcome = self.rules.outcome(position)
        if outcome is None:
            return None
        if outcome.winner is None:
            return 0.0
        return WON if (outcome.winner == self.me) == (position.to_act == self.me) else -WON

    def _lead(self, position: Any) -> float:
        """Returns how far the side of the player to act is ahead."""
        ahead = lead(self.rules, position, self.me)
        return ahead if position.to_act == self.me else -ahead

    def _now(self, position: Any, player: Player) -> float:
        """Returns the value of a position for a player as it stands, without a look ahead."""
        over = self._over(position)
        value = self._lead(position) if over is None else over
        return value if self._are_one(position.to_act, player) else -value

    def _are_one(self, a: Player, b: Player) -> bool:
        """Tells whether two players are of one side: all play together against the seat that thinks."""
        return (a == self.me) == (b == self.me)

    def _turns(self, position: Any, first: Sequence[Action], slips: Slips = None) -> Iterable[Turn]:
        """Returns what the player to act may do, likely the best first."""
        if self.rules.long_turns:
            return self._long_turns(position, slips)
        return self._actions(position, first, slips is not None and slips[0])

    def _actions(self, position: Any, first: Sequence[Action], slips: bool) -> Iterator[Turn]:
        rules, history = self.rules, self._history
        actions = self._seen(position, slips)
        keys = {a: (a in first, rules.takes(position, a), history[a]) for a in actions}
        for action in sorted(actions, key=keys.__getitem__, reverse=True):
            yield Turn((action,), self._play(position, (action,)))

    def _long_turns(self, position: Any, slips: Slips) -> list[Turn]:
        """Returns the best turns that a beam finds, in which each action has the same share of the nodes."""
        rules, mover = self.rules, position.to_act
        share, width = self.level.nodes // SHARE, WIDTHS[0]
        if slips is None:
            share, width, slips = max(LEAST, share // WIDTHS[1]), WIDTHS[-1], (False,) * LONGEST
        ends: dict[object, tuple[float, Turn]] = {}
        begun = [(0.0, Turn((), position))]
        for slip in slips:
            more: dict[object, tuple[float, Turn]] = {}
            until = self.nodes + share
            for _, (actions, at) in begun[:1] if slip else begun:
                if self.nodes >= until:
                    break
                for action in self._seen(at, slip):
                    after = self._play(at, (action,))
                    kept = self._now(after, mover), Turn((*actions, action), after)
                    goes_on = after.to_act == mover and after.turn == at.turn and not rules.outcome(after)
                    (more if goes_on else ends).setdefault(rules.future(after), kept)
            begun = sorted(more.values(), key=_value, reverse=True)
            if not begun:
                break
        best = nlargest(width, ends.values(), key=_value)
        return [turn for _, turn in best or begun]

    def _seen(self, position: Any, slips: bool) -> list[Action]:
        """Returns the actions that are thought of: at first sight a few, captures, and what wins at once."""
        rules, actions = self.rules, list(self.rules.considered(position))
        if not slips or len(actions) <= FIRST_SIGHT:
            return actions
        few = set(self.rng.sample(actions, FIRST_SIGHT))
        wins = {a for a in actions if self._now(rules.after(position, a), self.me) > WON / 2}
        return [a for a in actions if a in few | wins or rules.takes(position, a)]

    def _line(self, position: Any, depth: int) -> tuple[Action, ...]:
        """Returns the actions that the table expects from a position on."""
        line: list[Action] = []
        for _ in range(4 * depth):
            known = None if self.rules.outcome(position) else self._table.get(self.rules.future(position))
            if not known or not known.best:
                break
            line += known.best
            for action in known.best:
                position = self.rules.after(position, action)
        return tuple(line)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self._limit or (self.nodes % 256 == 0 and time.monotonic() > self._until):
            raise SpentError


def lead(rules: Rules[Any], position: Any, me: Player) -> float:
    """Returns how far a seat is ahead of the others' average, in pieces."""
    worths = rules.estimate(position)
    mine = worths[me]
    return mine - (sum(worths.values()) - mine) / max(1, len(worths) - 1)


def _value(kept: tuple[float, Turn]) -> float:
    return kept[0]
