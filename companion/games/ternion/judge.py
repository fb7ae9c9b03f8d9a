"""The rules of the Ternion games that an action breaks, and the sites concerned: for any text and position.

Each kind of action has its own judge. Two things are asked of all of them: whether the turn has come to
this kind of action, and whether the action itself keeps the rules. So an action can break both. Rules go by
their numbers in Ternion Factor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from companion.core.game import Breach, Site
from companion.games.breaches import by_rule
from companion.games.ternion.board import DIAMOND, SITE, listed, spelling_order
from companion.games.ternion.moves import can_move
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    GONE,
    MOVES,
    TERNION,
    Phase,
    Position,
    best_ternions,
    blocked_gates,
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
"""The form in which each kind of action is written, by the phase to which it belongs."""
OWED = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-11",
}
"""The rule that any other kind of action breaks in these phases."""
UNTIMELY = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-10",
}
"""The rule that an action of this kind breaks outside of its phase."""


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.winner >= 0:
        return (Breach("GEN-3"),)
    if action == "end":
        return tuple(_judge_end(position))
    if action == "out":
        return tuple(_judge_out(position))
    for kind, spelling in SPELLINGS.items():
        if spelling.fullmatch(action):
            return _judge_kind(position, kind, action)
    return (Breach("GEN-1"),)


def _judge_kind(position: Position, kind: Phase, action: str) -> tuple[Breach, ...]:
    net = position.setup.net
    names = SITE.findall(action.removeprefix("T:"))
    if not all(name in net.index for name in names):
        return (Breach("GEN-1"),)
    if kind is Phase.CHOOSE and names != sorted(set(names), key=spelling_order):
        return (Breach("GEN-1", tuple(names)),)
    sites = [net.index[name] for name in names]
    return by_rule((*_judge_time(position, kind), *_JUDGES[kind](position, sites)))


def _judge_time(position: Position, kind: Phase) -> Iterator[Breach]:
    """Judges whether the turn has come to this kind of action."""
    phase = position.phase
    if kind is phase:
        return
    if phase in OWED:
        yield Breach(OWED[phase], _awaited(position))
    has_moved_thrice = phase > Phase.MOVE and not position.moves_left
    is_before_review = phase is Phase.PLACE or position.moves_left > 0
    if kind in UNTIMELY:
        yield Breach(UNTIMELY[kind])
    elif kind is Phase.MOVE and has_moved_thrice:
        yield Breach("TF-12")
    elif kind is Phase.REVIEW and is_before_review:
        yield Breach("TF-13")


def _awaited(position: Position) -> tuple[Site, ...]:
    """Returns the sites of the ternion for which something is owed."""
    net = position.setup.net
    if position.phase is Phase.CHOOSE:
        return listed(net, (position.moved,))
    return listed(net, position.ternions[-1]) if position.phase in (Phase.REMOVE, Phase.ADD) else ()


def _judge_end(position: Position) -> Iterator[Breach]:
    if position.phase in OWED:
        yield Breach(OWED[position.phase], _awaited(position))
    # A placement is no turn of three markers.
    if position.moves_left and position.phase is not Phase.PLACE:
        yield Breach("TF-12")


def _judge_out(position: Position) -> Iterator[Breach]:
    if position.phase is not Phase.MOVE or can_move(position):
        yield Breach("TF-14")


def _judge_placement(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.PLACE:
        return  # _judge_time has found TF-1
    net, site = position.setup.net, sites[0]
    if site not in placeable(position.setup, position.sites):
        occupied = [other for other in net.near[site] if position.sites[other]]
        yield Breach("TF-1", listed(net, sorted((site, *occupied))))


def _judge_move(position: Position, path: list[int]) -> Iterator[Breach]:
    net, sites = position.setup.net, position.sites
    if not in_play(sites[path[0]]):
        yield Breach("TF-2", listed(net, path[:1]))
    if len(path) == 2:
        yield from _judge_step(position, path)
    else:
        yield from _judge_jump(position, path)
    yield from _judge_gates(position, path)
    if sites[path[-1]] & GONE:
        yield Breach("TF-7", listed(net, path[-1:]))


def _judge_step(position: Position, path: list[int]) -> Iterator[Breach]:
    net, (start, end) = position.setup.net, path
    if end not in net.gates[start] or position.sites[end]:
        yield Breach("TF-3", listed(net, path))
    if position.sites[end] == DIAMOND:  # a diamond is never ended on: TS-4
        yield Breach("TF-4", listed(net, path[1:]))


def _judge_jump(position: Position, path: list[int]) -> Iterator[Breach]:
    net = position.setup.net
    faults = _path_faults(position, path)
    if faults:
        yield Breach("TF-4", listed(net, (site for site in path if site in faults)))
    yield from _judge_own_colour(position, path)
    crossings = len(path) - 1
    # Once no markers are left, TF-12 says so; a jump is then judged as if it were the turn's first move.
    has_markers = crossings <= (position.moves_left or MOVES)
    if not has_markers or position.sites[path[-1]] == DIAMOND:
        yield Breach("TF-4", listed(net, path))


def _path_faults(position: Position, path: list[int]) -> set[int]:
    """Returns the sites of a jump at which it breaks TF-4.

    It goes along lines, none twice, over occupied sites, to an empty one that is not the first.
    """
    net, sites = position.setup.net, position.sites
    faults: set[int] = set()
    crossed: set[frozenset[int]] = set()
    for a, b in pairwise(path):
        line = frozenset((a, b))
        if b not in net.gates[a] or line in crossed:
            faults |= line
        crossed.add(line)
    faults.update(site for site in path[1:-1] if not sites[site])
    if sites[path[-1]] or path[-1] == path[0]:
        faults.add(path[-1])
    return faults


def _judge_own_colour(position: Position, path: list[int]) -> Iterator[Breach]:
    """Judges whether a jump goes over pawns of the jumping one's colour, also removed ones (TF-5, TF-7)."""
    net, sites = position.setup.net, position.sites
    colour = sites[path[0]] & COLOUR
    if not colour:
        return
    same = [site for site in path[1:-1] if sites[site] & COLOUR == colour]
    removed = [site for site in same if sites[site] & GONE]
    if same:
        yield Breach("TF-5", listed(net, same))
    if removed:
        yield Breach("TF-7", listed(net, removed))


def _judge_gates(position: Position, path: list[int]) -> Iterator[Breach]:
    """Judges whether a gate holds a marker already, or would be used twice by this move (TF-6)."""
    net, shut = position.setup.net, blocked_gates(position)
    crossed: list[int] = []
    for a, b in pairwise(path):
        gate = net.gates[a].get(b)
        if gate is None:
            continue
        if gate in shut:
            crossed += [a, b]
        shut.add(gate)
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
    start, end = sites
    if position.sites[start] == position.colour | ADDED:
        yield from _judge_vacancy(position, end, "TF-13")
    elif (start, end) not in set(exchanges(position)):
        yield Breach("TF-13", listed(position.setup.net, sites))


def _judge_vacancy(position: Position, site: int, rule: str) -> Iterator[Breach]:
    net, content = position.setup.net, position.sites[site]
    if content or site not in net.area:
        yield Breach(rule, listed(net, (site,)))
    if content & GONE:
        yield Breach("TF-7", listed(net, (site,)))


_JUDGES: dict[Phase, Callable[[Position, list[int]], Iterator[Breach]]] = {
    Phase.PLACE: _judge_placement,
    Phase.MOVE: _judge_move,
    Phase.CHOOSE: _judge_choice,
    Phase.REMOVE: _judge_removal,
    Phase.ADD: _judge_addition,
    Phase.REVIEW: _judge_review,
}
