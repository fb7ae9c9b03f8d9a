"""Which rules of Escape! an action would break, and where: for any text, in any position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from companion.core import Action, Breach, Site
from companion.games.breaches import by_rule
from companion.games.escape.actions import (
    Position,
    can_act,
    filling,
    jump_ends,
    landings,
    returns,
    sneak_ends,
)
from companion.games.escape.course import members

SITE = r"[a-z][1-9][0-9]?"
JUMP = re.compile(f"{SITE}(?:>{SITE})+(?:=({SITE}))?")
SNEAK = re.compile(f"{SITE}~{SITE}(?:=({SITE}))?")


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    """Every rule that the action would break; () exactly when it is legal."""
    if not all(position.pawns):
        return (Breach("GEN-3"),)
    if action == "pass":
        return (Breach("ES-9"),) if can_act(position) else ()
    match = JUMP.fullmatch(action) or SNEAK.fullmatch(action)
    if not match or any(name not in position.course.index for name in sites(action)):
        return (Breach("GEN-1"),)
    start, end, *_ = sites(action)
    owner = tuple(_judge_owner(position, start))
    position = _seen_by_owner(position, start)
    if ">" in action:
        return _judge_chain(position, sites(action), match[1], owner)
    return by_rule((*owner, *_judge_sneak(position, start, end, match[1])))


def shorten(position: Position, text: str) -> Action:
    """The canonical spelling of a chain written in full, when each of its jumps is allowed."""
    match = JUMP.fullmatch(text)
    if not match or any(name not in position.course.index for name in sites(text)):
        return text
    chain = sites(text.partition("=")[0])
    if len(chain) == 2 or next(_judge_landings(position, chain), None):
        return text
    return f"{chain[0]}>{chain[-1]}" + (f"={match[1]}" if match[1] else "")


def sites(action: str) -> list[Site]:
    """The intersections that an action names, in order."""
    return re.findall(SITE, action)


def _judge_owner(position: Position, start: Site) -> Iterator[Breach]:
    if not position.pawns[position.seat] >> position.course.index[start] & 1:
        yield Breach("ES-1", (start,))


def _seen_by_owner(position: Position, start: Site) -> Position:
    """The position as if it were the turn of the pawn's owner, by whose zones its way is judged."""
    other = 1 - position.seat
    owned = position.pawns[other] >> position.course.index[start] & 1
    return position._replace(seat=other) if owned else position


def _judge_chain(
    position: Position, named: list[Site], back: Site | None, owner: tuple[Breach, ...]
) -> tuple[Breach, ...]:
    chain = named[:-1] if back else named
    found = list(owner)
    if len(chain) > 2:
        found += _judge_landings(position, chain)
        if not found and not (found := list(_judge_jump(position, chain[0], chain[-1], back))):
            return (Breach("GEN-1", tuple(chain)),)  # in full it is another spelling: `read` knows it
        return by_rule(found)
    return by_rule((*found, *_judge_jump(position, chain[0], chain[1], back)))


def _judge_landings(position: Position, chain: list[Site]) -> Iterator[Breach]:
    """ES-2 to ES-5 for a chain in full, jump by jump."""
    course = position.course
    path = [course.index[name] for name in chain]
    occupied = position.occupied & ~(1 << path[0])
    for a, b in pairwise(path):
        over = course.near[a] & course.near[b] & occupied
        if not over or occupied >> b & 1 or a == b:
            yield Breach("ES-2", (course.names[a], course.names[b]))
    for site in path[1:-1]:
        if course.home[1 - position.seat] >> site & 1:
            yield Breach("ES-4", (course.names[site],))
        if course.outside >> site & 1:
            yield Breach("ES-5", (course.names[site],))


def _judge_jump(position: Position, start: Site, end: Site, back: Site | None) -> Iterator[Breach]:
    a, b = position.course.index[start], position.course.index[end]
    if a == b:
        yield Breach("ES-3", (start,))
    elif not jump_ends(position, a) >> b & 1:
        yield from _judge_reach(position, a, b)
    yield from _judge_ending(position, (a, b), back)


def _judge_reach(position: Position, start: int, end: int) -> Iterator[Breach]:
    """Why no chain lands there: none would, or only one that goes on where chains end (ES-4, ES-5)."""
    course = position.course
    onward, target = course.onward[position.seat], course.home[1 - position.seat]
    ends = (course.names[start], course.names[end])
    if not landings(position, start, onward | target | course.outside) >> end & 1:
        yield Breach("ES-2", ends[1:] if position.occupied >> end & 1 else ends)
        return
    by_home = landings(position, start, onward | target) >> end & 1
    by_outside = landings(position, start, onward | course.outside) >> end & 1
    if by_home or not by_outside:
        yield Breach("ES-4", ends)
    if by_outside or not by_home:
        yield Breach("ES-5", ends)


def _judge_sneak(position: Position, start: Site, end: Site, back: Site | None) -> Iterator[Breach]:
    a, b = position.course.index[start], position.course.index[end]
    if not sneak_ends(position, a) >> b & 1:
        yield Breach("ES-6", (start, end))
    yield from _judge_ending(position, (a, b), back)


def _judge_ending(position: Position, ends: tuple[int, int], back: Site | None) -> Iterator[Breach]:
    """ES-5 and ES-7: whether the pawn may stay where it ends, and where it is returned to."""
    course, (start, end) = position.course, ends
    last_vacant = filling(position, start)
    home = tuple(course.names[s] for s in members(course.home[position.seat]))
    outside = course.outside >> end & 1
    stays = course.index[back] if back else end
    if outside != (back is not None):
        yield Breach("ES-5", (course.names[end],))
    elif back and not returns(position, start) >> stays & 1:
        yield Breach("ES-5", (back,))
    if last_vacant >> stays & 1:
        yield Breach("ES-7", home)
