"""What follows from an action: the pawns and markers that move, what is owed next, whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from companion.core import EMPTY, Action, Event, Look, Site, Step
from companion.games.ternion.net import COLOURS, listed
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    GONE,
    PAWNS,
    TERNION,
    Phase,
    Position,
    Triple,
    additions,
    best_ternions,
    chart,
    on_board,
    placeable,
)

CLEAR = bytes(0 if content & GONE else content & ~(TERNION | ADDED) for content in range(256))
"""What is left of each content when the markers are taken off."""
NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


def play(position: Position, action: Action) -> Step[Position]:
    """What a legal action leads to."""
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


def change(position: Position, action: Action) -> dict[Site, tuple[Look, Look]]:
    """The pawns that an action puts, takes and moves; dropping out apart."""
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
    if content & GONE:
        start, end = end, start
    pawn = COLOURS[(content & COLOUR) - 1]
    return {start: (pawn, EMPTY), end: (EMPTY, pawn)}


def _place(position: Position, site: int) -> Step[Position]:
    event = Event("placed", position.turn, _names(position, site))
    sites = _put(position.sites, {site: position.colour})
    return Step(open_turn(position._replace(sites=sites), _next_seat(position)), (event,))


def open_turn(position: Position, seat: int) -> Position:
    """The start of a player's turn: still a placement (TF-1), or three moves."""
    setup, sites = position.setup, position.sites
    placing = (
        position.phase is Phase.PLACE
        and on_board(sites, seat + 1) < setup.pawns
        and bool(placeable(setup, sites))
    )
    if placing:
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
    events = [_moved(position, path, colour)]
    if colour != position.colour:  # TF-8
        return Step(settle(after), tuple(events))
    return find_ternion(after, end, events)


def find_ternion(position: Position, moved: int, events: list[Event]) -> Step[Position]:
    """TF-9: the best set of three becomes a ternion; among several the player chooses."""
    best = best_ternions(position, moved)
    if not best:
        return Step(settle(position), tuple(events))
    if len(best) == 1:
        return _mark(position, best[0], events)
    events.append(Event("choice", position.turn, _names(position, moved), {"sets": _number(len(best))}))
    return Step(position._replace(phase=Phase.CHOOSE, moved=moved), tuple(events))


def _mark(position: Position, triple: Triple, events: list[Event]) -> Step[Position]:
    sites = _put(position.sites, {s: position.sites[s] | TERNION for s in triple})
    after = position._replace(sites=sites, ternions=(*position.ternions, triple), moved=-1)
    removals, _ = chart(after, triple)
    adding = additions(after, removals)
    owed = f"{_number(removals)} to remove, {_number(adding)} to add" if removals else _to_add(adding)
    event = Event("ternion", position.turn, _names(position, *triple), {"owed": owed})
    after = after._replace(phase=Phase.REMOVE, owed=removals) if removals else _begin_adding(after)
    return Step(after, (*events, event))


def _remove(position: Position, site: int) -> Step[Position]:
    event = Event("removed", position.turn, _names(position, site))
    after = position._replace(
        sites=_put(position.sites, {site: position.sites[site] | GONE}), owed=position.owed - 1
    )
    return Step(after if after.owed else _begin_adding(after), (event,))


def _begin_adding(position: Position) -> Position:
    count = additions(position)
    return position._replace(phase=Phase.ADD, owed=count) if count else settle(position)


def _add(position: Position, site: int) -> Step[Position]:
    event = Event("added", position.turn, _names(position, site))
    sites = _put(position.sites, {site: position.colour | ADDED})
    after = position._replace(sites=sites, owed=position.owed - 1)
    return Step(after if after.owed else settle(after), (event,))


def settle(position: Position) -> Position:
    """TF-12, TF-13: nothing is owed for a ternion: the next move, or after the third the review."""
    phase = Phase.MOVE if position.moves_left else Phase.REVIEW
    return position._replace(phase=phase, owed=0, moved=-1)


def _alter(position: Position, start: int, end: int) -> Step[Position]:
    """TF-13: an added pawn goes elsewhere, or a removed one comes back in exchange for another."""
    content = position.sites[start]
    if content & GONE:
        changed = {start: content & ~GONE, end: content}
        kind = "exchanged"
    else:
        changed = {start: 0, end: content}
        kind = "relocated"
    first, second = _names(position, start, end)
    event = Event(kind, position.turn, (first, second), {"start": first, "end": second})
    return Step(position._replace(sites=_put(position.sites, changed)), (event,))


def _end(position: Position) -> Step[Position]:
    sites = position.sites.translate(CLEAR)
    ended = Event("ended", position.turn)
    if on_board(sites, position.colour) == PAWNS:  # TF-15
        over = Position(
            position.setup, sites, position.seat, Phase.MOVE,
            before=sites, out=position.out, winner=position.seat,
        )
        return Step(over, (ended, Event("won", position.turn, (), {"reason": reason(over)})))
    return Step(open_turn(position._replace(sites=sites), _next_seat(position)), (ended,))


def _drop_out(position: Position) -> Step[Position]:
    """TF-14: the turn is undone, and the player plays no more."""
    dropped = Event("out", position.turn)
    after = position._replace(sites=position.before, out=position.out | 1 << position.seat)
    after = open_turn(after, _next_seat(after))
    if len(remaining(after)) > 1:
        return Step(after, (dropped,))
    over = after._replace(winner=after.seat)  # TF-15
    return Step(over, (dropped, Event("won", over.turn, (), {"reason": reason(over)})))


def reason(position: Position) -> str:
    """Why the game is won."""
    if on_board(position.sites, position.winner + 1) == PAWNS:
        return "all eighteen pawns are on the board"
    return "the others have dropped out"


def remaining(position: Position) -> tuple[int, ...]:
    """The seats that have not dropped out."""
    return tuple(s for s in range(len(position.setup.players)) if not position.out >> s & 1)


def _next_seat(position: Position) -> int:
    seats = len(position.setup.players)
    order = ((position.seat + n) % seats for n in range(1, seats))
    return next(seat for seat in order if not position.out >> seat & 1)


def _moved(position: Position, path: list[int], colour: int) -> Event:
    names = _names(position, *path)
    pawn = COLOURS[colour - 1]
    details = {"pawn": pawn, "start": names[0], "end": names[-1], "over": " and ".join(names[1:-1])}
    return Event("jumped" if len(path) > 2 else "moved", position.turn, names, details)


def _put(sites: bytes, changes: dict[int, int]) -> bytes:
    changed = bytearray(sites)
    for site, content in changes.items():
        changed[site] = content
    return bytes(changed)


def _names(position: Position, *sites: int) -> tuple[str, ...]:
    return listed(position.setup.net, sites)


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _to_add(count: int) -> str:
    return f"{_number(count)} to add"


_WORDS: dict[str, Callable[[Position], Step[Position]]] = {"end": _end, "out": _drop_out}
_SIGNS: dict[str, Callable[[Position, int], Step[Position]]] = {"-": _remove, "+": _add}
