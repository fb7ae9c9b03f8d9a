"""The rules of TRID that an action breaks, and the fields concerned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.core.game import Breach
from companion.games.breaches import by_rule
from companion.games.trid.moves import SPELLING, is_stuck, reach, switch_name
from companion.games.trid.position import GLIDER, JUMPER, MASTER, Position, closed_to


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.winner >= 0:
        return (Breach("GEN-3"),)
    if action in ("keep", "pass"):
        return _judge_word(position, action)
    match = SPELLING.fullmatch(action)
    index = position.net.index
    if not match or match[1] not in index or match[3] not in index:
        return (Breach("GEN-1"),)
    start, end = index[match[1]], index[match[3]]
    if match[2] == "%":
        return _judge_switch(position, start, end, action)
    if position.made:
        corners = dict.fromkeys(f for triangle in position.made for f in triangle)
        return (Breach("TD-1", position.net.name(corners)),)
    return by_rule(_judge_move(position, start, end, match[2] == "x"))


def _judge_word(position: Position, word: str) -> tuple[Breach, ...]:
    if word == "keep":
        return () if position.made else (Breach("TD-12"),)
    if position.made:
        return (Breach("TD-1"), Breach("TD-16"))
    return () if is_stuck(position) else (Breach("TD-16"),)


def _judge_switch(position: Position, a: int, b: int, action: str) -> tuple[Breach, ...]:
    pairs = {pair for corners in position.made for pair in combinations(corners, 2)}
    if (min(a, b), max(a, b)) not in pairs or position.fields[a] == position.fields[b]:
        return (Breach("TD-12", position.net.name((a, b))),)
    return () if action == switch_name(position.net, a, b) else (Breach("GEN-1"),)


def _judge_move(position: Position, start: int, end: int, capture: bool) -> Iterator[Breach]:
    net, fields = position.net, position.fields
    pawn, there = fields[start], fields[end]
    if not pawn or pawn >> 2 != position.seat:
        yield Breach("TD-1", net.name((start,)))
    if not pawn:
        return
    own = bool(there) and there >> 2 == pawn >> 2 and start != end
    if capture != bool(there) or own:
        yield Breach("TD-9", net.name((end,)))
    if end in net.walls:
        yield Breach("TD-2", net.name((end,)))
    closed = closed_to(position, pawn >> 2)
    if end in closed:
        yield Breach("TD-13", net.name((end,)))
    judges = {MASTER: _judge_master, GLIDER: _judge_glider, JUMPER: _judge_jumper}
    yield from judges[pawn & 3](position, start, end, closed)


def _judge_master(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    net, seat = position.net, position.fields[start] >> 2
    depth, ends = net.depths[position.side(seat)], net.name((start, end))
    borders = end in net.borders[start]
    is_reached = borders or end in reach(position, start)
    if depth[end] < depth[start] or not is_reached:
        yield Breach("TD-3", ends)
    if not is_reached and _has_chain(position, start):
        yield Breach("TD-4", ends)


def _has_chain(position: Position, start: int) -> bool:
    """Tells whether an own pawn borders the field."""
    fields, seat = position.fields, position.fields[start] >> 2
    return any(fields[field] and fields[field] >> 2 == seat for field in position.net.borders[start])


def _judge_jumper(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    net, there = position.net, position.fields[end]
    own = there and there >> 2 == position.fields[start] >> 2
    if end not in net.jumps[start] or end in net.walls or own:
        yield Breach("TD-8", net.name((start, end)))


def _judge_glider(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    """Yields the breaches on the one of the ways there that breaks least."""
    ways = [way for way in position.net.ways[start] if end in way]
    if not ways:
        yield Breach("TD-5", position.net.name((start, end)))
        return
    verdicts = [list(_judge_way(position, start, way, way.index(end), closed)) for way in ways]
    yield from min(verdicts, key=len)


def _judge_way(
    position: Position, start: int, way: tuple[int, ...], end: int, closed: frozenset[int]
) -> Iterator[Breach]:
    obstacles = list(_judge_passed(position, way[:end], closed))
    yield from obstacles
    goal, there = position.net.name((way[end],)), position.fields[way[end]]
    if there and there >> 2 == position.fields[start] >> 2:
        yield Breach("TD-5", goal)
    elif there and obstacles:
        yield Breach("TD-7", goal)
    elif not there and not _stops_at(position, way, end, closed):
        yield Breach("TD-5", goal)


def _judge_passed(position: Position, passed: tuple[int, ...], closed: frozenset[int]) -> Iterator[Breach]:
    net = position.net
    pawns = frozenset(field for field in passed if position.fields[field])
    barred = {"TD-2": net.walls, "TD-5": pawns, "TD-6": net.stops, "TD-13": closed}
    for rule, fields in barred.items():
        if found := [field for field in passed if field in fields]:
            yield Breach(rule, net.name(found))


def _stops_at(position: Position, way: tuple[int, ...], end: int, closed: frozenset[int]) -> bool:
    """Tells whether a glider stops there: on a stop, at the border, or before what it cannot enter."""
    net, rest = position.net, way[end + 1 :]
    if way[end] in net.stops or not rest:
        return True
    return bool(position.fields[rest[0]]) or rest[0] in net.walls or rest[0] in closed
