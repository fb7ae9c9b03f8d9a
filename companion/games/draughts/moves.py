"""The legal actions of draughts, what follows from one, and how the game ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from companion.core.bits import members
from companion.core.game import EMPTY, Action, Changes, Event, Outcome, Place, Step
from companion.games.draughts.board import PLAYERS, Jump, Mask, Net, Route, Way, passed
from companion.games.draughts.position import KINDS, Position, few_limit
from companion.language import say

SITE = r"[a-j](?:10|[1-9])"
SPELLING = re.compile(rf"{SITE}(?:-{SITE}|(?:x{SITE})+)")
REPEATED = 3
"""The number of times that a position stands there before the game is drawn (DR-13)."""
KEPT_SPELLINGS = 1 << 12
"""The number of spellings, and of sets of pieces that step, that are looked up and not worked out again."""


def legal(position: Position) -> Iterator[Action]:
    if (position.quiet or position.variant.few) and draw_reason(position):  # else nothing is counted
        return iter(())
    if found := captures(position):  # DR-4
        net = position.variant.net
        return iter([_spell_capture(net, route) for route, _ in found])
    return iter(_steps(position))


def captures(position: Position) -> list[Way]:
    """Returns the captures, each once: of ways that capture the same, the first that is found."""
    variant, white, black, kings, seat, _, _, _, _ = position
    own, theirs = (black, white) if seat else (white, black)
    net, flying = variant.net, own & kings if variant.flying else 0
    near, far, empty = net.near, net.far, net.all & ~(white | black)
    walking = own ^ flying  # these take the next piece only, and land behind it
    back = walking if variant.backward else walking & kings
    north, south = (back, walking) if seat else (walking, back)
    # The squares from which something can be jumped, by the two directions north and the two south.
    far_north = near_north = near_south = far_south = 0
    if north:
        far_north, near_north = theirs << far & empty << 2 * far, theirs << near & empty << 2 * near
    if south:
        near_south, far_south = theirs >> near & empty >> 2 * near, theirs >> far & empty >> 2 * far
    every = far_north | near_north | near_south | far_south
    if not (flying or every & walking):
        return []
    forward = near_south | far_south if seat else far_north | near_north
    ahead = every if variant.backward else forward
    jumpers = far_north & north, near_north & north, near_south & south, far_south & south
    found: list[Way] = []
    begun: list[Way] = [((bit,), 0) for bit in members(flying)]
    for movers, ways in zip(jumpers, net.first_jumps, strict=True):
        while movers:
            mover = movers & -movers
            movers ^= mover
            way = ways[mover]
            further = every if kings & mover else ahead
            (begun if further >> way[0][1] & 1 else found).append(way)
    if begun:
        found += _whole(position, begun)
    if variant.majority:  # DR-8
        most = max((taken.bit_count() for _, taken in found), default=0)
        return [way for way in found if way[1].bit_count() == most]
    return found


def _whole(position: Position, begun: list[Way]) -> list[Way]:
    """Returns the whole captures that begin so (DR-7).

    Of ways that have taken the same on the same square only one is followed. Pieces that are taken stay where
    they are (DR-10). A man that is crowned has no jump forward left (DR-9).
    """
    variant, kings, theirs, empty = position.variant, position.kings, position.theirs, position.empty
    jumps, net, flying = variant.jumps[position.seat], variant.net, variant.flying
    found: list[Way] = []
    seen: set[tuple[int, int, Mask]] = set()
    waiting = begun[::-1]
    while waiting:
        route, taken = waiting.pop()
        start, at, goes_on = route[0], route[-1], False
        is_king, left, free = kings >> start & 1, theirs ^ taken, empty | 1 << start
        for over, end in _flights(net, at, left, free) if flying and is_king else jumps[is_king][at]:
            if left & over and free >> end & 1:
                goes_on, after = True, taken | over
                if (start, end, after) not in seen:
                    seen.add((start, end, after))
                    waiting.append(((*route, end), after))
        if taken and not goes_on:
            found.append((route, taken))
    return found


def stops(position: Position, action: Action) -> set[Place]:
    """Returns the squares on which a piece lands by any of the ways that are the same capture."""
    net, route = position.variant.net, parse(position.variant.net, action)
    taken = passed(net, route) & position.theirs
    ways = _ways_of_taking(position, route[:1], taken) if len(route) > 2 else [route]
    return {net.names[stop] for way in ways if way[-1] == route[-1] for stop in way}


def _ways_of_taking(position: Position, route: Route, left: Mask) -> Iterator[Route]:
    """Yields the ways in which a piece that came so far may take all of these pieces."""
    if not left:
        yield route
    variant, start, at = position.variant, route[0], route[-1]
    is_king, free = position.kings >> start & 1, position.empty | 1 << start
    jumps = variant.jumps[position.seat][is_king][at]
    for over, end in _flights(variant.net, at, left, free) if variant.flying and is_king else jumps:
        if over & left and free >> end & 1:
            yield from _ways_of_taking(position, (*route, end), left ^ over)


def ends_turn(position: Position, at: int, is_king: bool) -> bool:
    """Tells whether a capturing man has reached the king row and goes no further (DR-9)."""
    variant = position.variant
    return not is_king and not variant.backward and bool(variant.net.king_rows[position.seat] >> at & 1)


def can_jump_on(position: Position, route: Route, taken: Mask) -> bool:
    """Tells whether a piece that came this way and took these pieces can take another one."""
    return any(len(further) > len(route) for further, _ in _whole(position, [(route, taken)]))


def _flights(net: Net, at: int, theirs: Mask, empty: Mask) -> list[Jump]:
    """Returns a flying king's jumps: over the first piece on a diagonal, onto any empty square behind.

    The last is to be tried first, as in `Net.jumps`.
    """
    found = []
    for ray in net.rays[at]:
        over = 0
        for bit in ray:
            if empty >> bit & 1:
                if over:
                    found.append((over, bit))
            elif over or not theirs >> bit & 1:
                break
            else:
                over = 1 << bit
    return found[::-1]


def can_step(position: Position) -> bool:
    """Tells whether the side to move has a move that captures nothing."""
    return any(_steppers(position, position.own))


def _steppers(position: Position, movers: Mask) -> tuple[Mask, ...]:
    """Returns those of the movers that can step to the next square, in each of the board's directions."""
    variant, white, black, kings, seat, _, _, _, _ = position
    net = variant.net
    near, far, empty = net.near, net.far, net.all & ~(white | black)
    north, south = (movers & kings, movers) if seat else (movers, movers & kings)
    return (north & empty << far, north & empty << near, south & empty >> near, south & empty >> far)


def _steps(position: Position) -> list[Action]:
    """Returns the moves that capture nothing (DR-3, DR-5)."""
    variant, own = position.variant, position.own
    net, flying = variant.net, own & position.kings if variant.flying else 0
    found: list[Action] = []
    for way, movers in enumerate(_steppers(position, own ^ flying)):
        if movers:
            found += _spell_steps(net, way, movers)
    if flying:
        for bit in members(flying):
            found += [f"{net.names[bit]}-{net.names[end]}" for end in flights(position, bit)]
    return found


@lru_cache(maxsize=KEPT_SPELLINGS)
def _spell_steps(net: Net, way: int, movers: Mask) -> tuple[Action, ...]:
    """Returns the movers' steps in one direction. Few sets of movers come again and again."""
    return tuple(net.steps[way][bit] for bit in members(movers))


@lru_cache(maxsize=KEPT_SPELLINGS)
def _spell_capture(net: Net, route: Route) -> Action:
    return "x".join(net.names[bit] for bit in route)


def flights(position: Position, start: int) -> Iterator[int]:
    """Yields where a flying king can go without capturing (DR-5)."""
    empty = position.empty
    for ray in position.variant.net.rays[start]:
        for end in ray:
            if not empty >> end & 1:
                break
            yield end


def is_repeated(position: Position) -> bool:
    """Returns whether the position stands there for the third time (DR-13)."""
    return len(position.past) >= 2 * (REPEATED - 1) and position.past.count(position.key) >= REPEATED - 1


def claim(position: Position) -> str:
    return "" if outcome(position) else _repetition(position) or _quiet(position)


def draw_reason(position: Position) -> str:
    """Returns why the game is drawn; '' while it is not, or while a draw may be claimed."""
    if not position.ends_drawn:
        return ""
    return (not position.variant.claims_repetition and _repetition(position)) or _quiet(position)


def _repetition(position: Position) -> str:
    return say("the same position for the third time") if is_repeated(position) else ""  # DR-13


def _quiet(position: Position) -> str:
    """Returns which count of moves says that nobody gets on with the game; '' while none does."""
    variant = position.variant
    if position.quiet >= variant.quiet:  # DR-14
        count = variant.quiet // 2
        return say("{count} moves of each side without a capture or a man's move", count=count)
    if position.left <= 0 and few_limit(position):  # DR-15
        return say("no win in time against a single king")
    return ""


def loss_reason(position: Position) -> str:
    """Returns why the side to move has lost; '' while it has not (DR-12)."""
    if not position.own:
        return say("all opposing pieces are captured")
    return "" if can_step(position) or captures(position) else say("the opponent cannot move")


def outcome(position: Position) -> Outcome | None:
    if reason := loss_reason(position):
        return Outcome(PLAYERS[1 - position.seat], reason)
    reason = draw_reason(position)
    return Outcome(None, reason) if reason else None


def parse(net: Net, action: Action) -> Route:
    return tuple(net.index[name] for name in action.replace("-", "x").split("x"))


@lru_cache(maxsize=KEPT_SPELLINGS)
def _way(net: Net, action: Action) -> tuple[Mask, Mask, Mask]:
    """Returns the squares where an action begins and ends, and those that it passes."""
    route = parse(net, action)
    return 1 << route[0], 1 << route[-1], passed(net, route)


def numbered(net: Net, action: Action) -> str:
    """Returns an action as PDN has it: `c3xe5xg7` is `22x15x6`. A square without a number keeps its name."""
    return re.sub(SITE, lambda match: str(net.numbers.get(match[0], match[0])), action)


def change(position: Position, action: Action) -> Changes:
    net, own, theirs = position.variant.net, position.turn, PLAYERS[1 - position.seat]
    route = parse(net, action)
    taken = passed(net, route) & position.theirs
    changed = dict.fromkeys(net.name(taken), (theirs, EMPTY))
    if route[0] != route[-1]:
        changed[net.names[route[0]]] = (own, EMPTY)
        changed[net.names[route[-1]]] = (EMPTY, own)
    return changed


def play(position: Position, action: Action) -> Step[Position]:
    following = after(position, action)
    return Step(following, tuple(_events(position, following, parse(position.variant.net, action))))


def after(position: Position, action: Action) -> Position:
    variant, white, black, kings, seat, quiet, left, ends_drawn, past = position
    start, end, passing = _way(variant.net, action)
    own, theirs = (black, white) if seat else (white, black)
    own, taken, was_king = own ^ start | end, passing & theirs, kings & start
    theirs ^= taken
    kings &= ~(start | taken)
    if was_king or end & variant.net.king_rows[seat]:  # DR-9
        kings |= end
    is_quiet = was_king and not taken
    following = Position(
        variant,
        theirs if seat else own,
        own if seat else theirs,
        kings,
        1 - seat,
        quiet + 1 if is_quiet else 0,
        0,
        ends_drawn,
        (*past, position.key) if is_quiet else (),
    )
    if variant.few and (limit := few_limit(following)):
        return following._replace(left=min(left - 1, limit) if few_limit(position) else limit)
    return following


def _events(position: Position, following: Position, route: Route) -> Iterator[Event]:
    net, player = position.variant.net, position.turn
    start, end = net.names[route[0]], net.names[route[-1]]
    was_king = position.kings >> route[0] & 1
    yield Event("moved", player, (start, end), {"piece": KINDS[was_king], "start": start, "end": end})
    if taken := position.theirs ^ following.own:
        yield Event("captured", player, net.name(taken))
    if following.kings >> route[-1] & 1 and not was_king:
        yield Event("crowned", player, (end,))
    if reason := loss_reason(following):
        yield Event("won", player, (), {"reason": reason})
    elif reason := draw_reason(following):
        yield Event("drawn", "", (), {"reason": reason})
