"""The rules of Escape! that an action breaks, the intersections concerned, and what is wrong there.

It is for any text and position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from companion.core.bits import members
from companion.core.game import Breach, Site
from companion.core.players import say_player
from companion.games.escape.moves import (
    SITE,
    can_move,
    jump_ends,
    landings,
    last_home_gap,
    returns,
    sites_of,
    sneak_ends,
)
from companion.games.escape.position import PLAYERS, Position
from companion.games.reasons import by_rule, say_blocked, say_occupied, say_whose
from companion.language import Message, listed, say

JUMP = re.compile(f"{SITE}(?:>{SITE})+(?:=({SITE}))?")
SNEAK = re.compile(f"{SITE}~{SITE}(?:=({SITE}))?")


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if not all(position.pawns):
        return (Breach("GEN-3"),)
    if action == "pass":
        words = say("{player} can still move.", player=say_player(position.turn))
        return (Breach("ES-9", (), words),) if can_move(position) else ()
    match = JUMP.fullmatch(action) or SNEAK.fullmatch(action)
    sites = sites_of(action)
    if not match or any(site not in position.net.index for site in sites):
        return (Breach("GEN-1"),)
    back: Site | None = match[1]
    owner = tuple(_judge_owner(position, sites[0]))
    position = in_owners_turn(position, sites[0])
    if "~" in action:
        return by_rule((*owner, *_judge_sneak(position, sites[0], sites[1], back)))
    chain = sites[:-1] if back else sites
    if len(chain) == 2:
        return by_rule((*owner, *_judge_jump(position, chain[0], chain[1], back)))
    return _judge_chain(position, chain, back, owner)


def _judge_owner(position: Position, start: Site) -> Iterator[Breach]:
    bit, opponent = position.net.index[start], 1 - position.seat
    if not position.pawns[position.seat] >> bit & 1:
        owner = PLAYERS[opponent] if position.pawns[opponent] >> bit & 1 else ""
        yield Breach("ES-1", (start,), say_whose(start, owner, position.turn))


def in_owners_turn(position: Position, start: Site) -> Position:
    """Returns the position as if it were the turn of the pawn's owner, whose zones decide where it may go."""
    opponent = 1 - position.seat
    is_opponents = position.pawns[opponent] >> position.net.index[start] & 1
    return position._replace(seat=opponent) if is_opponents else position


def _judge_chain(
    position: Position, chain: list[Site], back: Site | None, owner: tuple[Breach, ...]
) -> tuple[Breach, ...]:
    """Judges a chain written in full. The first rules that it breaks are enough."""
    found = [*owner, *judge_landings(position, chain, back)]
    if not found:
        found.extend(_judge_jump(position, chain[0], chain[-1], back))
    if not found:
        # All is allowed, but a legal action has only one spelling. `words.read` gives it.
        found.append(Breach("GEN-1", tuple(chain)))
    return by_rule(found)


def judge_landings(position: Position, chain: list[Site], back: Site | None = None) -> Iterator[Breach]:
    """Judges a chain written in full jump by jump (ES-2 to ES-5)."""
    net = position.net
    path = [net.index[name] for name in chain]
    occupied = position.occupied & ~(1 << path[0])
    for a, b in pairwise(path):
        over = net.near[a] & net.near[b] & occupied
        if not over or occupied >> b & 1 or a == b:
            yield Breach("ES-2", (net.names[a], net.names[b]), _say_jump(position, a, b))
    for site in path[1:-1]:
        if net.home[1 - position.seat] >> site & 1:
            yield Breach("ES-4", (net.names[site],), _say_home((net.names[site],), chain[-1]))
        if net.outside >> site & 1:
            landing = (net.names[site],)
            yield Breach("ES-5", landing, _say_outside(position, landing, (chain[0], chain[-1], back)))


def _judge_jump(position: Position, start: Site, end: Site, back: Site | None) -> Iterator[Breach]:
    a, b = position.net.index[start], position.net.index[end]
    if a == b:
        yield Breach("ES-3", (start,), say("The jumps end where they began, on {place}.", place=start))
    elif not jump_ends(position, a) >> b & 1:
        yield from _judge_reach(position, a, b, back)
    yield from _judge_ending(position, a, b, back)


def _judge_reach(position: Position, start: int, end: int, back: Site | None) -> Iterator[Breach]:
    """Says why no chain lands on `end`.

    Either none would at all (ES-2), or only one that goes on where chains end: in the opponent's home zone
    (ES-4) or out of bounds (ES-5). Both rules are broken where only the two together would lead there, or
    where either of them would.
    """
    net = position.net
    onward, target = net.onward[position.seat], net.home[1 - position.seat]
    ends = (net.names[start], net.names[end])
    if not landings(position, start, onward | target | net.outside) >> end & 1:
        is_occupied = position.occupied >> end & 1
        yield Breach("ES-2", ends[1:] if is_occupied else ends, _say_jump(position, start, end))
        return
    through_home = landings(position, start, onward | target) >> end & 1
    through_outside = landings(position, start, onward | net.outside) >> end & 1
    if through_home or not through_outside:
        yield Breach("ES-4", ends, _say_home(ends, ends[1]))
    if through_outside or not through_home:
        yield Breach("ES-5", ends, _say_outside(position, ends, (*ends, back)))


def _judge_sneak(position: Position, start: Site, end: Site, back: Site | None) -> Iterator[Breach]:
    a, b = position.net.index[start], position.net.index[end]
    if not sneak_ends(position, a) >> b & 1:
        yield Breach("ES-6", (start, end), _say_sneak(position, start, end))
    yield from _judge_ending(position, a, b, back)


def _judge_ending(position: Position, start: int, end: int, back: Site | None) -> Iterator[Breach]:
    """Judges whether the pawn may stay where it ends, and where it is returned to (ES-5, ES-7)."""
    net = position.net
    is_outside = bool(net.outside >> end & 1)
    stays = net.index[back] if back else end
    way = (net.names[start], net.names[end], back)
    if is_outside != (back is not None):
        yield Breach("ES-5", way[1:2], _say_outside(position, way[1:2], way))
    elif back and not returns(position, start) >> stays & 1:
        yield Breach("ES-5", (back,), _say_outside(position, (back,), way))
    if last_home_gap(position, start) >> stays & 1:
        home = members(net.home[position.seat])
        words = say("{place} is the last empty place of its home zone.", place=net.names[stays])
        yield Breach("ES-7", tuple(net.names[site] for site in home), words)


def _say_jump(position: Position, start: int, end: int) -> Message:
    net = position.net
    if position.occupied >> end & 1:
        return say_occupied(net.names[end])
    if not net.near[start] & position.occupied:
        return say("No pawn stands next to {start} to be jumped.", start=net.names[start])
    return say("No jump leads from {start} to {end}.", start=net.names[start], end=net.names[end])


def _say_home(sites: tuple[Site, ...], end: Site) -> Message:
    if end in sites:
        return say("Only jumps that go on in the opponent's home zone would lead to {end}.", end=end)
    return say("A pawn that lands on {place} has escaped and jumps no further.", place=sites[0])


def _say_outside(position: Position, sites: tuple[Site, ...], way: tuple[Site, Site, Site | None]) -> Message:
    start, end, back = way
    net = position.net
    is_outside = bool(net.outside >> net.index[end] & 1)
    if is_outside and not back:
        return say("{end} is out of bounds: the pawn has to be returned.", end=end)
    if back and not is_outside:
        return say("{end} is not out of bounds: the pawn stays there.", end=end)
    if back in sites:
        return _say_return(position, start, back)
    if end in sites:
        return say("Only jumps that go on out of bounds would lead to {end}.", end=end)
    return say("A pawn that lands on {place} is out of bounds and jumps no further.", place=sites[0])


def _say_return(position: Position, start: Site, back: Site) -> Message:
    free = [position.net.names[site] for site in members(returns(position, position.net.index[start]))]
    if not free:
        return say("A returned pawn cannot go to {back}.", back=back)
    places = listed(free, "or")
    return say("The pawn is returned to {places}, not to {back}.", places=places, back=back)


def _say_sneak(position: Position, start: Site, end: Site) -> Message:
    net = position.net
    line = next((ray for ray in net.rays[net.index[start]] if net.index[end] in ray), ())
    if not line:
        return say("No straight line leads from {start} to {end}.", start=start, end=end)
    passed = line[: line.index(net.index[end]) + 1]
    if pawns := [net.names[site] for site in passed if position.occupied >> site & 1]:
        return say_occupied(end) if pawns == [end] else say_blocked(pawns)
    if homes := [net.names[site] for site in passed if net.home[1 - position.seat] >> site & 1]:
        return say("A sneak ends on {place}, where the opponent's home zone begins.", place=homes[0])
    return say("A sneak does not stop on {end}: the line goes on, and nothing is in the way.", end=end)
