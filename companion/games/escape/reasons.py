"""Escape!'s refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach, Player, Site
from companion.core.players import say_player
from companion.games.escape.board import members
from companion.games.escape.judge import JUMP, SNEAK, in_owners_turn
from companion.games.escape.moves import returns, sites_of
from companion.games.escape.position import PLAYERS, Position
from companion.games.reasons import say_blocked, say_occupied, say_whose
from companion.language import Message, listed, say


def explain(position: Position, action: str, breach: Breach) -> Message:
    match = JUMP.fullmatch(action) or SNEAK.fullmatch(action)
    if not match:
        return say("{player} can still move.", player=say_player(position.turn))
    sites, back = sites_of(action), match[1]
    start, end = sites[0], sites[-2] if back else sites[-1]
    if breach.rule == "ES-1":
        return say_whose(start, _owner(position, start), position.turn)
    position = in_owners_turn(position, start)
    match breach.rule:
        case "ES-2":
            return _say_jump(position, breach.sites)
        case "ES-3":
            return say("The jumps end where they began, on {place}.", place=start)
        case "ES-4":
            return _say_home(breach.sites, end)
        case "ES-5":
            return _say_outside(position, breach.sites, (start, end, back))
        case "ES-6":
            return _say_sneak(position, start, end)
    return say("{place} is the last empty place of its home zone.", place=back or end)


def _owner(position: Position, site: Site) -> Player:
    bit = position.net.index[site]
    owners = (player for player, pawns in zip(PLAYERS, position.pawns, strict=True) if pawns >> bit & 1)
    return next(owners, "")


def _say_jump(position: Position, sites: tuple[Site, ...]) -> Message:
    """Says why no jump leads from the first of these places to the next, or onto the only one."""
    start, end = sites[0], sites[min(1, len(sites) - 1)]
    if position.occupied >> position.net.index[end] & 1:
        return say_occupied(end)
    near = position.net.near[position.net.index[start]]
    if not near & position.occupied:
        return say("No pawn stands next to {start} to be jumped.", start=start)
    return say("No jump leads from {start} to {end}.", start=start, end=end)


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
