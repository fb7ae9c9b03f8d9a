"""Plays the actions of the Ternion games: what changes on the board, what is owed next, and by whom."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from companion.core.game import EMPTY, Action, Event, Look, Site, Step
from companion.games.ternion.board import listed
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    COLOURS,
    GONE,
    PAWNS,
    TERNION,
    Phase,
    Position,
    Triple,
    additions,
    best_ternions,
    charted,
    on_board,
    placeable,
    remaining,
    win_reason,
)

CLEARED = bytes(0 if content & GONE else content & ~(TERNION | ADDED) for content in range(256))
"""The contents after the T and A markers are taken off: a table for `translate`."""


def play(position: Position, action: Action) -> Step[Position]:
    index = position.setup.net.index
    if action in _WORDS:
        return _WORDS[action](position)
    if action[0] in _SIGNS:
        return _SIGNS[action[0]](position, index[action[1:]])
    if action[0] == "~":
        start, end = action[1:].split(">")
        return _alter(position, index[start], index[end])
    if action.startswith("T:"):
        first, second, third = (index[name] for name in action[2:].split(","))
        return _mark(position, (first, second, third), [])
    path = [index[name] for name in action.split("-")]
    return _move(position, path) if len(path) > 1 else _place(position, path[0])


def change(position: Position, action: Action) -> dict[Site, tuple[Look, Look]] | None:
    """Returns the pawns that an action puts, takes and moves, without playing it.

    None for `out`: only playing tells what the board was at the start of the turn.
    """
    if action == "out":
        return None
    if action == "end" or action[0] == "T":
        return {}
    if action[0] == "-":
        return {action[1:]: (position.turn, EMPTY)}
    if action[0] == "+":
        return {action[1:]: (EMPTY, position.turn)}
    if position.phase is Phase.PLACE:
        return {action: (EMPTY, position.turn)}
    start, *_, end = re.split("[->]", action.removeprefix("~"))
    content = position.sites[position.setup.net.index[start]]
    if content & GONE:  # an exchange puts the pawn back at the start
        start, end = end, start
    pawn = COLOURS[(content & COLOUR) - 1]
    return {start: (pawn, EMPTY), end: (EMPTY, pawn)}


def _place(position: Position, site: int) -> Step[Position]:
    event = Event("placed", position.turn, _names(position, site))
    sites = _put(position.sites, {site: position.colour})
    return Step(open_turn(position._replace(sites=sites), _next_seat(position)), (event,))


def open_turn(position: Position, seat: int) -> Position:
    """Returns the start of a player's turn: another placement (TF-1), or three moves.

    The turns begin with Black, whoever placed last.
    """
    setup, sites = position.setup, position.sites
    is_placing = (
        position.phase is Phase.PLACE
        and on_board(sites, seat + 1) < setup.pawns
        and bool(placeable(setup, sites))
    )
    if is_placing:
        return Position(setup, sites, seat)
    if position.phase is Phase.PLACE:
        seat = 0
    return Position(setup, sites, seat, Phase.MOVE, before=sites, out=position.out)


def _move(position: Position, path: list[int]) -> Step[Position]:
    sites, start, end = position.sites, path[0], path[-1]
    colour = sites[start]
    after = position._replace(
        sites=_put(sites, {start: 0, end: colour}),
        markers=position.markers + tuple(pairwise(path)),
    )
    events = [_moved_event(position, path, colour)]
    if colour != position.colour:  # TF-8
        return Step(after_ternion(after), tuple(events))
    return find_ternion(after, end, events)


def find_ternion(position: Position, moved: int, events: list[Event]) -> Step[Position]:
    """Makes the best set of three with the moved pawn a ternion (TF-9); among several the player chooses."""
    best = best_ternions(position, moved)
    if not best:
        return Step(after_ternion(position), tuple(events))
    if len(best) == 1:
        return _mark(position, best[0], events)
    events.append(Event("choice", position.turn, _names(position, moved), {"sets": len(best)}))
    return Step(position._replace(phase=Phase.CHOOSE, moved=moved), tuple(events))


def _mark(position: Position, triple: Triple, events: list[Event]) -> Step[Position]:
    """Lays a T on the pawns of a ternion. Removals are owed for it first, then additions (TF-10)."""
    sites = _put(position.sites, {site: position.sites[site] | TERNION for site in triple})
    after = position._replace(sites=sites, ternions=(*position.ternions, triple), moved=-1)
    removals, _ = charted(after, triple)
    owed = {"removals": removals, "additions": additions(after, removals)}
    is_removing = removals > 0
    after = after._replace(phase=Phase.REMOVE, owed=removals) if is_removing else _begin_adding(after)
    event = Event("ternion", position.turn, _names(position, *triple), owed)
    return Step(after, (*events, event))


def _remove(position: Position, site: int) -> Step[Position]:
    event = Event("removed", position.turn, _names(position, site))
    sites = _put(position.sites, {site: position.sites[site] | GONE})
    after = position._replace(sites=sites, owed=position.owed - 1)
    return Step(after if after.owed else _begin_adding(after), (event,))


def _begin_adding(position: Position) -> Position:
    count = additions(position)
    return position._replace(phase=Phase.ADD, owed=count) if count else after_ternion(position)


def _add(position: Position, site: int) -> Step[Position]:
    event = Event("added", position.turn, _names(position, site))
    sites = _put(position.sites, {site: position.colour | ADDED})
    after = position._replace(sites=sites, owed=position.owed - 1)
    return Step(after if after.owed else after_ternion(after), (event,))


def after_ternion(position: Position) -> Position:
    """Returns the position when nothing is owed for a ternion: before the next move (TF-12) or the review
    (TF-13)."""
    phase = Phase.MOVE if position.moves_left else Phase.REVIEW
    return position._replace(phase=phase, owed=0, moved=-1)


def _alter(position: Position, start: int, end: int) -> Step[Position]:
    """Puts an added pawn elsewhere, or a removed one back in exchange for another (TF-13)."""
    content = position.sites[start]
    if content & GONE:
        kind, changed = "exchanged", {start: content & ~GONE, end: content}
    else:
        kind, changed = "relocated", {start: 0, end: content}
    first, second = _names(position, start, end)
    event = Event(kind, position.turn, (first, second), {"start": first, "end": second})
    return Step(position._replace(sites=_put(position.sites, changed)), (event,))


def _end(position: Position) -> Step[Position]:
    """Ends the turn, and with all eighteen pawns on the board the game (TF-15)."""
    setup, seat, sites = position.setup, position.seat, position.sites.translate(CLEARED)
    ended = Event("ended", position.turn)
    if on_board(sites, position.colour) < PAWNS:
        return Step(open_turn(position._replace(sites=sites), _next_seat(position)), (ended,))
    over = Position(setup, sites, seat, Phase.MOVE, before=sites, out=position.out, winner=seat)
    return Step(over, (ended, _won_event(over)))


def _drop_out(position: Position) -> Step[Position]:
    """Undoes the turn of a player who plays no more (TF-14). The last one left wins (TF-15)."""
    dropped = Event("out", position.turn)
    after = position._replace(sites=position.before, out=position.out | 1 << position.seat)
    after = open_turn(after, _next_seat(after))
    if len(remaining(after)) > 1:
        return Step(after, (dropped,))
    over = after._replace(winner=after.seat)
    return Step(over, (dropped, _won_event(over)))


def _next_seat(position: Position) -> int:
    seats = len(position.setup.players)
    order = ((position.seat + n) % seats for n in range(1, seats))
    return next(seat for seat in order if not position.out >> seat & 1)


def _won_event(over: Position) -> Event:
    return Event("won", over.turn, (), {"reason": win_reason(over)})


def _moved_event(position: Position, path: list[int], colour: int) -> Event:
    names = _names(position, *path)
    pawn = COLOURS[colour - 1]
    details = {"piece": pawn, "start": names[0], "end": names[-1], "over": names[1:-1]}
    return Event("jumped" if len(path) > 2 else "moved", position.turn, names, details)


def _put(sites: bytes, changes: dict[int, int]) -> bytes:
    changed = bytearray(sites)
    for site, content in changes.items():
        changed[site] = content
    return bytes(changed)


def _names(position: Position, *sites: int) -> tuple[str, ...]:
    return listed(position.setup.net, sites)


_WORDS: dict[str, Callable[[Position], Step[Position]]] = {"end": _end, "out": _drop_out}
_SIGNS: dict[str, Callable[[Position, int], Step[Position]]] = {"-": _remove, "+": _add}
