"""What may be played in draughts, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from companion.core import Action, Event, Step
from companion.games.draughts.grid import Grid, Mask, members, passed, shifted
from companion.games.draughts.position import Position, few_limit

Route: TypeAlias = tuple[int, ...]
"""The bits on which a capturing piece stands, from first to last."""
SITE = r"[a-j](?:10|[1-9])"
SPELLING = re.compile(rf"{SITE}(?:-{SITE}|(?:x{SITE})+)")
KINDS = ("man", "king")
REPEATED = 3
"""So often a position has stood there when the game is drawn (DR-13)."""
PARSED = 1 << 16
"""Spellings whose bits are kept."""


def legal(position: Position) -> Iterator[Action]:
    """Each legal action once; none when the game is over."""
    if is_drawn(position):
        return
    if can_capture(position):  # DR-4
        names = position.variant.grid.names
        for route in captures(position):
            yield "x".join([names[bit] for bit in route])
    else:
        yield from _steps(position)


def captures(position: Position) -> list[Route]:
    """The captures, each once by the first route found: what ways of capturing the same come to is alike."""
    found: dict[tuple[int, int, Mask], Route] = {}
    for start in members(position.own):
        for route, taken in routes(position, start):
            found.setdefault((start, route[-1], taken), route)
    if position.variant.majority and found:  # DR-8
        most = max(taken.bit_count() for _, _, taken in found)
        return [route for (_, _, taken), route in found.items() if taken.bit_count() == most]
    return list(found.values())


def routes(position: Position, start: int) -> Iterator[tuple[Route, Mask]]:
    """The whole captures of a piece of the side to move: the ways that it goes, and what it takes (DR-7).

    Of ways that have taken the same on the same square only one is followed.
    """
    is_king = bool(position.kings >> start & 1)
    empty = position.empty | 1 << start
    seen: set[tuple[int, Mask]] = set()
    waiting: list[tuple[Route, Mask]] = [((start,), 0)]
    while waiting:
        route, taken = waiting.pop()
        further = list(_jumps(position, route[-1], taken, empty, is_king))
        if not further or (len(route) > 1 and ends_turn(position, route[-1], is_king)):
            if taken:
                yield route, taken
            continue
        for over, end in reversed(further):
            if (end, taken | over) not in seen:
                seen.add((end, taken | over))
                waiting.append(((*route, end), taken | over))


def ends_turn(position: Position, at: int, is_king: bool) -> bool:
    """Whether a capturing man has reached the king row and goes no further (DR-9)."""
    variant = position.variant
    return not is_king and not variant.backward and bool(variant.grid.king_rows[position.seat] >> at & 1)


def can_jump_on(position: Position, route: Route, taken: Mask) -> bool:
    """Whether a piece that came this way and took these pieces can take another one."""
    is_king = bool(position.kings >> route[0] & 1)
    empty = position.empty | 1 << route[0]
    return any(True for _ in _jumps(position, route[-1], taken, empty, is_king))


def _jumps(
    position: Position, at: int, taken: Mask, empty: Mask, is_king: bool
) -> Iterator[tuple[Mask, int]]:
    """What can be taken next, and where that jump ends; pieces taken before stay where they are (DR-10)."""
    theirs = position.theirs & ~taken
    if is_king and position.variant.flying:
        for ray in position.variant.grid.rays[at]:
            yield from _flights(ray, theirs, empty)
        return
    for over, end in position.variant.jumps(position.seat, is_king)[at]:
        if theirs & over and empty >> end & 1:
            yield over, end


def _flights(ray: tuple[int, ...], theirs: Mask, empty: Mask) -> Iterator[tuple[Mask, int]]:
    """The jumps of a flying king along a diagonal: over the first piece, onto any empty square behind it."""
    over = 0
    for bit in ray:
        if empty >> bit & 1:
            if over:
                yield over, bit
        elif over or not theirs >> bit & 1:
            return
        else:
            over = 1 << bit


def can_capture(position: Position) -> bool:
    """Whether the side to move can capture anything."""
    theirs, empty, variant = position.theirs, position.empty, position.variant
    grid, kings = variant.grid, position.own & position.kings
    men = position.own if not variant.flying else position.own & ~kings
    ahead = grid.forward[position.seat]
    for direction in grid.directions:
        movers = men if variant.backward or direction in ahead else men & kings
        if movers & shifted(theirs, -direction) & shifted(empty, -2 * direction):
            return True
    if variant.flying:
        return any(
            True for bit in members(kings) for ray in grid.rays[bit] for _ in _flights(ray, theirs, empty)
        )
    return False


def can_step(position: Position) -> bool:
    """Whether the side to move has a move that captures nothing."""
    grid, empty, own = position.variant.grid, position.empty, position.own
    ahead = grid.forward[position.seat]
    return any(
        (own if direction in ahead else own & position.kings) & shifted(empty, -direction)
        for direction in grid.directions
    )


def _steps(position: Position) -> Iterator[Action]:
    grid, empty, spelled = position.variant.grid, position.empty, position.variant.grid.steps
    kings = position.own & position.kings
    ahead = grid.forward[position.seat]
    walking = position.own & ~kings if position.variant.flying else position.own
    for direction in grid.directions:  # DR-3
        movers = walking if direction in ahead else walking & kings
        for bit in members(movers & shifted(empty, -direction)):
            yield spelled[bit, bit + direction]
    if position.variant.flying:
        for bit in members(kings):
            yield from (spelled[bit, end] for end in flights(position, bit))


def flights(position: Position, start: int) -> Iterator[int]:
    """Where a flying king can go without capturing (DR-5)."""
    empty = position.empty
    for ray in position.variant.grid.rays[start]:
        for end in ray:
            if not empty >> end & 1:
                break
            yield end


def is_drawn(position: Position) -> bool:
    return bool(draw_reason(position))


def draw_reason(position: Position) -> str:
    """Why the game is drawn; '' while it is not."""
    variant = position.variant
    if len(position.past) >= 2 * (REPEATED - 1) and position.past.count(position.key) >= REPEATED - 1:
        return "the same position for the third time"  # DR-13
    if position.quiet >= variant.quiet:  # DR-14
        return f"{variant.quiet // 2} moves of each side without a capture or a man's move"
    if not position.left and few_limit(position):  # DR-15
        return "no win in time against a single king"
    return ""


def loss_reason(position: Position) -> str:
    """Why the side to move has lost; '' while it has not (DR-12)."""
    if not position.own:
        return "all opposing pieces are captured"
    return "" if can_step(position) or can_capture(position) else "the opponent cannot move"


@lru_cache(maxsize=PARSED)
def parse(grid: Grid, action: Action) -> Route:
    """The bits of the squares that an action names."""
    return tuple(grid.index[name] for name in action.replace("-", "x").split("x"))


def play(position: Position, action: Action) -> Step[Position]:
    """What a legal action leads to."""
    grid, seat = position.variant.grid, position.seat
    route = parse(grid, action)
    start, end = 1 << route[0], 1 << route[-1]
    taken = passed(grid, route) & position.theirs if "x" in action else 0
    own = position.own ^ start | end
    theirs = position.theirs ^ taken
    was_king = bool(position.kings & start)
    is_crowned = not was_king and bool(end & grid.king_rows[seat])  # DR-9
    kings = position.kings & ~(start | taken) | (end if was_king or is_crowned else 0)
    is_quiet = was_king and not taken
    after = Position(
        position.variant,
        theirs if seat else own,
        own if seat else theirs,
        kings,
        1 - seat,
        position.quiet + 1 if is_quiet else 0,
        0,
        (*position.past, position.key) if is_quiet else (),
    )
    if limit := few_limit(after):
        left = min(position.left - 1, limit) if few_limit(position) else limit
        after = replace(after, left=left)
    return Step(after, tuple(_events(position, after, route, taken, is_crowned)))


def _events(
    position: Position, after: Position, route: Route, taken: Mask, is_crowned: bool
) -> Iterator[Event]:
    names, player = position.variant.grid.names, position.turn
    start, end = names[route[0]], names[route[-1]]
    kind = KINDS[position.kings >> route[0] & 1]
    yield Event("moved", player, (start, end), {"kind": kind, "start": start, "end": end})
    if taken:
        many = taken.bit_count()
        what = "a piece" if many == 1 else f"{many} pieces"
        yield Event("captured", player, position.variant.grid.name(taken), {"what": what})
    if is_crowned:
        yield Event("crowned", player, (end,))
    if reason := loss_reason(after):
        yield Event("won", player, (), {"reason": reason})
    elif reason := draw_reason(after):
        yield Event("drawn", "", (), {"reason": reason})
