"""The legal actions of draughts, what follows from one, and how the game ends."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from companion.core.game import EMPTY, Action, Changes, Event, Outcome, Step
from companion.games.draughts.board import PLAYERS, Mask, Net, members, passed, shifted
from companion.games.draughts.position import KINDS, Position, few_limit
from companion.language import say

Route: TypeAlias = tuple[int, ...]
"""The bits on which a capturing piece stands, from first to last."""
SITE = r"[a-j](?:10|[1-9])"
SPELLING = re.compile(rf"{SITE}(?:-{SITE}|(?:x{SITE})+)")
REPEATED = 3
"""The number of times that a position stands there before the game is drawn (DR-13)."""
PARSED = 1 << 16
"""The number of spellings whose bits are kept."""


def legal(position: Position) -> Iterator[Action]:
    """Yields each legal action once; none when the game is over."""
    if is_drawn(position):
        return
    if can_capture(position):  # DR-4
        names = position.variant.net.names
        for route in captures(position):
            yield "x".join([names[bit] for bit in route])
    else:
        yield from _steps(position)


def captures(position: Position) -> list[Route]:
    """Returns the captures, each once: of ways that capture the same, the first that is found."""
    found: dict[tuple[int, int, Mask], Route] = {}
    for start in members(position.own):
        for route, taken in routes(position, start):
            found.setdefault((start, route[-1], taken), route)
    return _greatest(found) if position.variant.majority else list(found.values())


def _greatest(found: Mapping[tuple[int, int, Mask], Route]) -> list[Route]:
    """Returns the captures that take as many pieces as any does (DR-8)."""
    most = max((taken.bit_count() for _, _, taken in found), default=0)
    return [route for (_, _, taken), route in found.items() if taken.bit_count() == most]


def routes(position: Position, start: int) -> Iterator[tuple[Route, Mask]]:
    """Yields the whole captures of a piece of the side to move: its way, and the pieces it takes (DR-7).

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
    """Tells whether a capturing man has reached the king row and goes no further (DR-9)."""
    variant = position.variant
    return not is_king and not variant.backward and bool(variant.net.king_rows[position.seat] >> at & 1)


def can_jump_on(position: Position, route: Route, taken: Mask) -> bool:
    """Tells whether a piece that came this way and took these pieces can take another one."""
    is_king = bool(position.kings >> route[0] & 1)
    empty = position.empty | 1 << route[0]
    return any(True for _ in _jumps(position, route[-1], taken, empty, is_king))


def _jumps(
    position: Position, at: int, taken: Mask, empty: Mask, is_king: bool
) -> Iterator[tuple[Mask, int]]:
    """Yields each piece that can be taken next, and where that jump ends.

    Pieces taken before stay where they are (DR-10).
    """
    theirs = position.theirs & ~taken
    if is_king and position.variant.flying:
        for ray in position.variant.net.rays[at]:
            yield from _flights(ray, theirs, empty)
        return
    for over, end in position.variant.jumps(position.seat, is_king)[at]:
        if theirs & over and empty >> end & 1:
            yield over, end


def _flights(ray: tuple[int, ...], theirs: Mask, empty: Mask) -> Iterator[tuple[Mask, int]]:
    """Yields a flying king's jumps along a diagonal: over the first piece, onto any empty square behind."""
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
    """Tells whether the side to move can capture anything."""
    theirs, empty, variant = position.theirs, position.empty, position.variant
    net, kings = variant.net, position.own & position.kings
    men = position.own if not variant.flying else position.own & ~kings
    ahead = net.forward[position.seat]
    for direction in net.directions:
        movers = men if variant.backward or direction in ahead else men & kings
        if movers & shifted(theirs, -direction) & shifted(empty, -2 * direction):
            return True
    if variant.flying:
        return any(
            True for bit in members(kings) for ray in net.rays[bit] for _ in _flights(ray, theirs, empty)
        )
    return False


def can_step(position: Position) -> bool:
    """Tells whether the side to move has a move that captures nothing."""
    net, empty, own = position.variant.net, position.empty, position.own
    ahead = net.forward[position.seat]
    return any(
        (own if direction in ahead else own & position.kings) & shifted(empty, -direction)
        for direction in net.directions
    )


def _steps(position: Position) -> Iterator[Action]:
    net, empty, spelled = position.variant.net, position.empty, position.variant.net.steps
    kings = position.own & position.kings
    ahead = net.forward[position.seat]
    walking = position.own & ~kings if position.variant.flying else position.own
    for direction in net.directions:  # DR-3
        movers = walking if direction in ahead else walking & kings
        for bit in members(movers & shifted(empty, -direction)):
            yield spelled[bit, bit + direction]
    if position.variant.flying:
        for bit in members(kings):
            yield from (spelled[bit, end] for end in flights(position, bit))


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
    """Returns why the player to move may claim a draw; '' while nobody may."""
    return "" if outcome(position) else _repetition(position) or _quiet(position)


def is_drawn(position: Position) -> bool:
    return bool(draw_reason(position))


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
    return "" if can_step(position) or can_capture(position) else say("the opponent cannot move")


def outcome(position: Position) -> Outcome | None:
    """Returns how the game ended, or None while it is on."""
    if reason := loss_reason(position):
        return Outcome(PLAYERS[1 - position.seat], reason)
    reason = draw_reason(position)
    return Outcome(None, reason) if reason else None


@lru_cache(maxsize=PARSED)
def parse(net: Net, action: Action) -> Route:
    """Returns the bits of the squares that an action names."""
    return tuple(net.index[name] for name in action.replace("-", "x").split("x"))


def numbered(net: Net, action: Action) -> str:
    """Returns an action as PDN has it: `c3xe5xg7` is `22x15x6`. A square without a number keeps its name."""
    return re.sub(SITE, lambda match: str(net.numbers.get(match[0], match[0])), action)


def change(position: Position, action: Action) -> Changes:
    """Returns which pieces a legal action takes and moves."""
    net, own, theirs = position.variant.net, position.turn, PLAYERS[1 - position.seat]
    route = parse(net, action)
    taken = passed(net, route) & position.theirs
    changed = dict.fromkeys(net.name(taken), (theirs, EMPTY))
    if route[0] != route[-1]:
        changed[net.names[route[0]]] = (own, EMPTY)
        changed[net.names[route[-1]]] = (EMPTY, own)
    return changed


def play(position: Position, action: Action) -> Step[Position]:
    """Plays a legal action."""
    net, seat = position.variant.net, position.seat
    route = parse(net, action)
    start, end = 1 << route[0], 1 << route[-1]
    taken = passed(net, route) & position.theirs if "x" in action else 0
    own = position.own ^ start | end
    theirs = position.theirs ^ taken
    was_king = bool(position.kings & start)
    is_crowned = not was_king and bool(end & net.king_rows[seat])  # DR-9
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
        position.ends_drawn,
        (*position.past, position.key) if is_quiet else (),
    )
    if limit := few_limit(after):
        left = min(position.left - 1, limit) if few_limit(position) else limit
        after = replace(after, left=left)
    return Step(after, tuple(_events(position, after, route, taken, is_crowned)))


def _events(
    position: Position, after: Position, route: Route, taken: Mask, is_crowned: bool
) -> Iterator[Event]:
    names, player = position.variant.net.names, position.turn
    start, end = names[route[0]], names[route[-1]]
    kind = KINDS[position.kings >> route[0] & 1]
    yield Event("moved", player, (start, end), {"piece": kind, "start": start, "end": end})
    if taken:
        yield Event("captured", player, position.variant.net.name(taken))
    if is_crowned:
        yield Event("crowned", player, (end,))
    if reason := loss_reason(after):
        yield Event("won", player, (), {"reason": reason})
    elif reason := draw_reason(after):
        yield Event("drawn", "", (), {"reason": reason})
