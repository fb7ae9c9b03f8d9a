"""Which rules an action would break, and where: for any text, in any position.

Each kind of action has its own judge. Two things are asked of all of them: whether the turn has come to
this kind of action, and whether the action itself keeps the rules; so an action can break both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from companion.core import Breach, Site
from companion.games.breaches import by_rule
from companion.games.ternion.actions import can_move
from companion.games.ternion.net import DIAMOND, SITE, Net, listed, spelling_order
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    GONE,
    MOVES,
    TERNION,
    Phase,
    Position,
    best_ternions,
    blocked,
    exchanges,
    in_play,
    placeable,
    ternions,
)

NAME = SITE.pattern
SPELLINGS = {
    Phase.PLACE: SITE,
    Phase.MOVE: re.compile(f"{NAME}(?:-{NAME})+"),
    Phase.CHOOSE: re.compile(f"T:{NAME},{NAME},{NAME}"),
    Phase.REMOVE: re.compile(f"-{NAME}"),
    Phase.ADD: re.compile(rf"\+{NAME}"),
    Phase.REVIEW: re.compile(f"~{NAME}>{NAME}"),
}
"""How each kind of action is written, by the phase to which it belongs."""
OWED = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-11",
}
"""The rule that an action of another kind breaks."""
UNTIMELY = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-10",
}
"""The rule that calls for this kind of action, and does not call for it now."""


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    """Every rule that the action would break, by the numbers of Ternion Factor."""
    if position.winner >= 0:
        return (Breach("GEN-3"),)
    if action == "end":
        return tuple(_judge_end(position))
    if action == "out":
        return tuple(_judge_out(position))
    for kind, spelling in SPELLINGS.items():
        if spelling.fullmatch(action):
            return _judge_sites(position, kind, action)
    return (Breach("GEN-1"),)


def _judge_sites(position: Position, kind: Phase, action: str) -> tuple[Breach, ...]:
    net = position.setup.net
    names = SITE.findall(action.removeprefix("T:"))
    if not all(name in net.index for name in names):
        return (Breach("GEN-1"),)
    if kind is Phase.CHOOSE and names != sorted(set(names), key=spelling_order):
        return (Breach("GEN-1", tuple(names)),)
    sites = [net.index[name] for name in names]
    return by_rule((*_judge_time(position, kind), *_JUDGES[kind](position, sites)))


def _judge_time(position: Position, kind: Phase) -> Iterator[Breach]:
    """Whether the turn has come to this kind of action."""
    if kind is position.phase:
        return
    if position.phase in OWED:
        yield Breach(OWED[position.phase], _waiting(position))
    if kind in UNTIMELY:
        yield Breach(UNTIMELY[kind])
    elif kind is Phase.MOVE and position.phase > Phase.MOVE and not position.moves_left:
        yield Breach("TF-12")
    elif kind is Phase.REVIEW and (position.phase is Phase.PLACE or position.moves_left):
        yield Breach("TF-13")


def _waiting(position: Position) -> tuple[Site, ...]:
    """The sites of the ternion for which something is owed."""
    net = position.setup.net
    if position.phase is Phase.CHOOSE:
        return listed(net, (position.moved,))
    return listed(net, position.ternions[-1]) if position.phase in (Phase.REMOVE, Phase.ADD) else ()


def _judge_end(position: Position) -> Iterator[Breach]:
    if position.phase in OWED:
        yield Breach(OWED[position.phase], _waiting(position))
    if position.moves_left and position.phase is not Phase.PLACE:  # a placement is no turn of three markers
        yield Breach("TF-12")


def _judge_out(position: Position) -> Iterator[Breach]:
    if position.phase is not Phase.MOVE or can_move(position):
        yield Breach("TF-14")


def _judge_placement(position: Position, sites: list[int]) -> Iterator[Breach]:
    """TF-1: only asked while pawns are placed; afterwards the rule is broken anyway."""
    site, net = sites[0], position.setup.net
    if position.phase is Phase.PLACE and site not in placeable(position.setup, position.sites):
        here = {site, *(s for s in net.near[site] if position.sites[s])}
        yield Breach("TF-1", listed(net, sorted(here)))


def _judge_move(position: Position, path: list[int]) -> Iterator[Breach]:
    net, colour = position.setup.net, position.sites[path[0]]
    if not in_play(colour):
        yield Breach("TF-2", listed(net, path[:1]))
    if len(path) == 2:
        yield from _judge_step(position, path)
    else:
        yield from _judge_jump(position, path)
    yield from _judge_gates(position, path)
    if position.sites[path[-1]] & GONE:
        yield Breach("TF-7", listed(net, path[-1:]))


def _judge_step(position: Position, path: list[int]) -> Iterator[Breach]:
    net, (start, end) = position.setup.net, path
    if end not in net.gates[start] or position.sites[end]:
        yield Breach("TF-3", listed(net, path))
    if position.sites[end] == DIAMOND:  # a diamond is never ended on: TS-4
        yield Breach("TF-4", listed(net, path[1:]))


def _judge_jump(position: Position, path: list[int]) -> Iterator[Breach]:
    net, sites = position.setup.net, position.sites
    colour = sites[path[0]] & COLOUR
    passed, end = path[1:-1], path[-1]
    if faults := _faults(position, path):
        yield Breach("TF-4", listed(net, (s for s in path if s in faults)))
    same = [s for s in passed if colour and sites[s] & COLOUR == colour]
    if same:
        yield Breach("TF-5", listed(net, same))
    if vacated := [s for s in same if sites[s] & GONE]:
        yield Breach("TF-7", listed(net, vacated))
    left = position.moves_left
    if len(path) - 1 > (left or MOVES) or sites[end] == DIAMOND:
        yield Breach("TF-4", listed(net, path))


def _faults(position: Position, path: list[int]) -> set[int]:
    """TF-4: where this is no path of different lines, over occupied sites, to an empty one not the first."""
    net, sites = position.setup.net, position.sites
    faults = {s for pair in pairwise(path) if pair[1] not in net.gates[pair[0]] for s in pair}
    faults |= {s for s in path[1:-1] if not sites[s]}
    lines = [frozenset(pair) for pair in pairwise(path)]
    faults |= {s for line in lines if lines.count(line) > 1 for s in line}
    if sites[path[-1]] or path[-1] == path[0]:
        faults.add(path[-1])
    return faults


def _judge_gates(position: Position, path: list[int]) -> Iterator[Breach]:
    """TF-6: a gate that holds a marker already, or that this move would use twice."""
    net, shut = position.setup.net, blocked(position)
    used: set[int] = set()
    crossed: list[int] = []
    for a, b in pairwise(path):
        gate = net.gates[a].get(b)
        if gate is None:
            continue
        if gate in shut or gate in used:
            crossed += [a, b]
        used.add(gate)
    if crossed:
        yield Breach("TF-6", listed(net, dict.fromkeys(crossed)))


def _judge_choice(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.CHOOSE:
        return
    triple = (sites[0], sites[1], sites[2])
    if triple not in ternions(position.setup, position.sites, position.moved):
        yield Breach("TF-8", listed(position.setup.net, triple))
    elif triple not in best_ternions(position, position.moved):
        yield Breach("TF-9", listed(position.setup.net, triple))


def _judge_removal(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.REMOVE:
        return
    own = position.colour | TERNION
    if sites[0] not in position.ternions[-1] or position.sites[sites[0]] != own:
        yield Breach("TF-10", listed(position.setup.net, sites))


def _judge_addition(position: Position, sites: list[int]) -> Iterator[Breach]:
    yield from _judge_vacancy(position, sites[0], "TF-11")


def _judge_review(position: Position, sites: list[int]) -> Iterator[Breach]:
    net, (start, end) = position.setup.net, sites
    content = position.sites[start]
    if content == position.colour | ADDED:
        yield from _judge_vacancy(position, end, "TF-13")
    elif (start, end) not in set(exchanges(position)):
        yield Breach("TF-13", listed(net, sites))


def _judge_vacancy(position: Position, site: int, rule: str) -> Iterator[Breach]:
    net = position.setup.net
    if not _is_vacant(net, position.sites, site):
        yield Breach(rule, listed(net, (site,)))
    if position.sites[site] & GONE:
        yield Breach("TF-7", listed(net, (site,)))


def _is_vacant(net: Net, sites: bytes, site: int) -> bool:
    return not sites[site] and site in net.area


_JUDGES: dict[Phase, Callable[[Position, list[int]], Iterator[Breach]]] = {
    Phase.PLACE: _judge_placement,
    Phase.MOVE: _judge_move,
    Phase.CHOOSE: _judge_choice,
    Phase.REMOVE: _judge_removal,
    Phase.ADD: _judge_addition,
    Phase.REVIEW: _judge_review,
}
