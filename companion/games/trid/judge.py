"""Why an action of TRID is refused: every broken rule and the fields concerned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.core import Breach
from companion.games.trid.grid import Grid
from companion.games.trid.moves import SPELLING, is_stuck, reach, switch_name
from companion.games.trid.position import GLIDER, JUMPER, MASTER, Position, closed_to


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    """Every rule that the text breaks; () exactly when it is legal."""
    if position.winner >= 0:
        return (Breach("GEN-3"),)
    if action in ("keep", "pass"):
        return _judge_word(position, action)
    match = SPELLING.fullmatch(action)
    index = position.grid.index
    if not match or match[1] not in index or match[3] not in index:
        return (Breach("GEN-1"),)
    start, end = index[match[1]], index[match[3]]
    if match[2] == "%":
        return _judge_switch(position, start, end, action)
    if position.made:
        corners = dict.fromkeys(f for triangle in position.made for f in triangle)
        return (Breach("TD-1", position.grid.name(corners)),)
    return tuple(_merge(_judge_move(position, start, end, match[2] == "x")))


def _judge_word(position: Position, word: str) -> tuple[Breach, ...]:
    if word == "keep":
        return () if position.made else (Breach("TD-12"),)
    if position.made:
        return (Breach("TD-1"), Breach("TD-16"))
    return () if is_stuck(position) else (Breach("TD-16"),)


def _judge_switch(position: Position, a: int, b: int, action: str) -> tuple[Breach, ...]:
    pairs = {pair for corners in position.made for pair in combinations(corners, 2)}
    if (min(a, b), max(a, b)) not in pairs or position.fields[a] == position.fields[b]:
        return (Breach("TD-12", position.grid.name((a, b))),)
    return () if action == switch_name(position.grid, a, b) else (Breach("GEN-1"),)


def _judge_move(position: Position, start: int, end: int, capture: bool) -> Iterator[Breach]:
    grid, fields = position.grid, position.fields
    pawn, there = fields[start], fields[end]
    if not pawn or pawn >> 2 != position.seat:
        yield Breach("TD-1", grid.name((start,)))
    if not pawn:
        return
    own = bool(there) and there >> 2 == pawn >> 2 and start != end
    if capture != bool(there) or own:
        yield Breach("TD-9", grid.name((end,)))
    if end in grid.walls:
        yield Breach("TD-2", grid.name((end,)))
    closed = closed_to(position, pawn >> 2)
    if end in closed:
        yield Breach("TD-13", grid.name((end,)))
    judges = {MASTER: _judge_master, GLIDER: _judge_glider, JUMPER: _judge_jumper}
    yield from judges[pawn & 3](position, start, end, closed)


def _judge_master(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    grid, seat = position.grid, position.fields[start] >> 2
    depth = grid.depths[position.side(seat)]
    bordering = end in grid.borders[start]
    if depth[end] < depth[start] or not (bordering or end in reach(position, start)):
        yield Breach("TD-3", grid.name((start, end)))
    chain = [f for f in grid.borders[start] if position.fields[f] and position.fields[f] >> 2 == seat]
    if chain and not bordering and end not in reach(position, start):
        yield Breach("TD-4", grid.name((start, end)))


def _judge_jumper(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    grid, there = position.grid, position.fields[end]
    own = there and there >> 2 == position.fields[start] >> 2
    if end not in grid.jumps[start] or end in grid.walls or own:
        yield Breach("TD-8", grid.name((start, end)))


def _judge_glider(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    """Of the ways that lead there the one that breaks least."""
    ways = [way for way in position.grid.ways[start] if end in way]
    if not ways:
        yield Breach("TD-5", position.grid.name((start, end)))
        return
    verdicts = [list(_judge_way(position, start, way, way.index(end), closed)) for way in ways]
    yield from min(verdicts, key=len)


def _judge_way(
    position: Position, start: int, way: tuple[int, ...], end: int, closed: frozenset[int]
) -> Iterator[Breach]:
    grid, fields = position.grid, position.fields
    passed, there = way[:end], fields[way[end]]
    yield from _named(grid, "TD-2", [f for f in passed if f in grid.walls])
    yield from _named(grid, "TD-5", [f for f in passed if fields[f]])
    yield from _named(grid, "TD-6", [f for f in passed if f in grid.stops])
    yield from _named(grid, "TD-13", [f for f in passed if f in closed])
    if there and there >> 2 == fields[start] >> 2:
        yield Breach("TD-5", grid.name((way[end],)))
    elif there:
        if any(fields[f] or f in grid.walls or f in grid.stops or f in closed for f in passed):
            yield Breach("TD-7", grid.name((way[end],)))
    elif way[end] not in grid.stops and not _is_stopped(position, way[end + 1 :], closed):
        yield Breach("TD-5", grid.name((way[end],)))


def _is_stopped(position: Position, rest: tuple[int, ...], closed: frozenset[int]) -> bool:
    if not rest:
        return True
    return bool(position.fields[rest[0]]) or rest[0] in position.grid.walls or rest[0] in closed


def _named(grid: Grid, rule: str, fields: list[int]) -> Iterator[Breach]:
    if fields:
        yield Breach(rule, grid.name(fields))


def _merge(breaches: Iterator[Breach]) -> Iterator[Breach]:
    """One breach for each rule, with all its fields."""
    sites: dict[str, dict[str, None]] = {}
    for breach in breaches:
        sites.setdefault(breach.rule, {}).update(dict.fromkeys(breach.sites))
    return (Breach(rule, tuple(found)) for rule, found in sites.items())
