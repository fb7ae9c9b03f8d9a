"""The rules of TRID that an action breaks, the fields concerned, and what is wrong there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations

from companion.core.game import Breach, Place, Player
from companion.core.players import say_player
from companion.games.reasons import by_rule, say_blocked, say_whose
from companion.games.trid.moves import SPELLING, is_stuck, reach, switch_name
from companion.games.trid.position import GLIDER, JUMPER, MASTER, PLAYERS, Position, closed_to
from companion.language import Message, listed, say, say_count


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
        return (Breach("TD-1", position.net.name(corners), _say_owed(position)),)
    return by_rule(_judge_move(position, start, end, match[2] == "x"))


def _judge_word(position: Position, word: str) -> tuple[Breach, ...]:
    player = say_player(position.turn)
    if word == "keep":
        words = say("{player} has made no triangle in this turn.", player=player)
        return () if position.made else (Breach("TD-12", (), words),)
    if position.made:
        owed = _say_owed(position)
        return (Breach("TD-1", (), owed), Breach("TD-16", (), owed))
    return (
        () if is_stuck(position) else (Breach("TD-16", (), say("{player} can still move.", player=player)),)
    )


def _owner(position: Position, field: int) -> Player:
    pawn = position.fields[field]
    return PLAYERS[pawn >> 2] if pawn else ""


def _say_owed(position: Position) -> Message:
    corners = dict.fromkeys(field for triangle in position.made for field in triangle)
    return say(
        "{player} made a triangle with {places}, and first switches two of its corners or keeps them.",
        player=say_player(position.turn),
        places=listed(position.net.name(corners)),
    )


def _judge_switch(position: Position, a: int, b: int, action: str) -> tuple[Breach, ...]:
    pairs = {pair for corners in position.made for pair in combinations(corners, 2)}
    if (min(a, b), max(a, b)) not in pairs or position.fields[a] == position.fields[b]:
        return (Breach("TD-12", position.net.name((a, b)), _say_switch(position, a, b)),)
    return () if action == switch_name(position.net, a, b) else (Breach("GEN-1"),)


def _say_switch(position: Position, a: int, b: int) -> Message:
    one, other = position.net.name((a, b))
    if not {a, b} <= {field for triangle in position.made for field in triangle}:
        return say("{one} and {other} are not corners of a triangle made in this turn.", one=one, other=other)
    if position.fields[a] == position.fields[b]:
        return say("The pawns on {one} and {other} are of one kind.", one=one, other=other)
    return say("{one} and {other} are corners of two triangles.", one=one, other=other)


def _judge_move(position: Position, start: int, end: int, capture: bool) -> Iterator[Breach]:
    net, fields = position.net, position.fields
    pawn, there = fields[start], fields[end]
    if not pawn or pawn >> 2 != position.seat:
        site = net.name((start,))
        yield Breach("TD-1", site, say_whose(site[0], _owner(position, start), position.turn))
    if not pawn:
        return
    own = bool(there) and there >> 2 == pawn >> 2 and start != end
    if capture != bool(there) or own:
        yield Breach("TD-9", net.name((end,)), _say_capture(position, start, end))
    if end in net.walls:
        yield Breach("TD-2", net.name((end,)), _say_walls(net.name((end,))))
    closed = closed_to(position, pawn >> 2)
    if end in closed:
        yield Breach("TD-13", net.name((end,)), _say_closed(net.name((end,))))
    judges = {MASTER: _judge_master, GLIDER: _judge_glider, JUMPER: _judge_jumper}
    yield from judges[pawn & 3](position, start, end, closed)


def _say_capture(position: Position, start: int, end: int) -> Message:
    owner, (place,) = _owner(position, end), position.net.name((end,))
    if not owner:
        return say("There is nothing to take on {end}.", end=place)
    if owner == _owner(position, start):
        return say("{player} has a pawn on {end} already.", player=say_player(owner), end=place)
    return say("A pawn of {player} stands on {end}: this move takes it.", player=say_player(owner), end=place)


def _say_walls(places: Sequence[Place]) -> Message:
    return say_count("{places} is a wall.", "{places} are walls.", len(places), places=listed(places))


def _say_closed(places: Sequence[Place]) -> Message:
    return say("{places} is inside a triangle that stands.", places=listed(places, "or"))


def _judge_master(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    net, seat = position.net, position.fields[start] >> 2
    depth, ends = net.depths[position.side(seat)], net.name((start, end))
    borders = end in net.borders[start]
    is_reached = borders or end in reach(position, start)
    way = {"start": ends[0], "end": ends[1]}
    if depth[end] < depth[start] or not is_reached:
        words = say("The master moves to a field that borders {start}, and {end} does not.", **way)
        if borders:
            player = say_player(PLAYERS[seat])
            words = say("{end} is nearer to the border of {player} than {start}.", player=player, **way)
        yield Breach("TD-3", ends, words)
    if not is_reached and _has_chain(position, start):
        words = say(
            "It may jump along a chain of its own pawns, and none leads from {start} to {end}.", **way
        )
        yield Breach("TD-4", ends, words)


def _has_chain(position: Position, start: int) -> bool:
    """Tells whether an own pawn borders the field."""
    fields, seat = position.fields, position.fields[start] >> 2
    return any(fields[field] and fields[field] >> 2 == seat for field in position.net.borders[start])


def _judge_jumper(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    net, there = position.net, position.fields[end]
    own = there and there >> 2 == position.fields[start] >> 2
    one, other = net.name((start, end))
    if end not in net.jumps[start]:
        words = say(
            "{end} is no field of the colour of {start} that touches it at a corner.", start=one, end=other
        )
        yield Breach("TD-8", (one, other), words)
    elif end in net.walls or own:
        words = say("A jumper cannot jump to {end}: it is not free.", end=other)
        yield Breach("TD-8", (one, other), words)


def _judge_glider(position: Position, start: int, end: int, closed: frozenset[int]) -> Iterator[Breach]:
    """Yields the breaches on the one of the ways there that breaks least."""
    ways = [way for way in position.net.ways[start] if end in way]
    if not ways:
        one, other = position.net.name((start, end))
        words = say("{start} and {end} are not on one strip.", start=one, end=other)
        yield Breach("TD-5", (one, other), words)
        return
    verdicts = [list(_judge_way(position, start, way, way.index(end), closed)) for way in ways]
    yield from min(verdicts, key=len)


def _judge_way(
    position: Position, start: int, way: tuple[int, ...], end: int, closed: frozenset[int]
) -> Iterator[Breach]:
    obstacles = list(_judge_passed(position, way[:end], closed))
    yield from obstacles
    goal, owner = position.net.name((way[end],)), _owner(position, way[end])
    if owner and owner == _owner(position, start):
        words = say("{player} has a pawn on {end} already.", player=say_player(owner), end=goal[0])
        yield Breach("TD-5", goal, words)
    elif owner and obstacles:
        words = say("The glider cannot take the pawn on {end}: its way there is not free.", end=goal[0])
        yield Breach("TD-7", goal, words)
    elif not owner and not _stops_at(position, way, end, closed):
        words = say("A glider does not stop on {end}: nothing stops it there.", end=goal[0])
        yield Breach("TD-5", goal, words)


def _judge_passed(position: Position, passed: tuple[int, ...], closed: frozenset[int]) -> Iterator[Breach]:
    net = position.net
    pawns = frozenset(field for field in passed if position.fields[field])
    barred: tuple[tuple[str, Collection[int], Callable[[Sequence[Place]], Message]], ...] = (
        ("TD-2", net.walls, _say_walls),
        ("TD-5", pawns, say_blocked),
        ("TD-6", net.stops, lambda places: say("A glider stops on {places}.", places=listed(places, "or"))),
        ("TD-13", closed, _say_closed),
    )
    for rule, fields, words in barred:
        if found := net.name(field for field in passed if field in fields):
            yield Breach(rule, found, words(found))


def _stops_at(position: Position, way: tuple[int, ...], end: int, closed: frozenset[int]) -> bool:
    """Tells whether a glider stops there: on a stop, at the border, or before what it cannot enter."""
    net, rest = position.net, way[end + 1 :]
    if way[end] in net.stops or not rest:
        return True
    return bool(position.fields[rest[0]]) or rest[0] in net.walls or rest[0] in closed
