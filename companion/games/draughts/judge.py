"""The rules of draughts that an action breaks, the squares concerned, and what is wrong there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.core.game import Action, Breach
from companion.core.players import say_player
from companion.games.draughts.board import PLAYERS, Mask, Route, passed
from companion.games.draughts.moves import (
    SPELLING,
    can_jump_on,
    captures,
    draw_reason,
    ends_turn,
    flights,
    loss_reason,
    numbered,
    parse,
)
from companion.games.draughts.position import Position
from companion.games.reasons import by_rule, say_occupied, say_whose
from companion.language import listed, say


class Chain(NamedTuple):
    """A capture as it is written, up to the first jump that is none: the pieces taken, and what is wrong."""

    taken: Mask
    breaches: tuple[Breach, ...]


def judge(position: Position, action: Action) -> tuple[Breach, ...]:
    if draw_reason(position) or loss_reason(position):
        return (Breach("GEN-3"),)
    net = position.variant.net
    if not SPELLING.fullmatch(action):
        return (Breach("GEN-1"),)
    named = action.replace("-", "x").split("x")
    if any(name not in net.squares for name in named):
        return (Breach("GEN-1"),)
    found = tuple(_judge_squares(position, named))
    if found:
        return found
    route = parse(net, action)
    return by_rule(_judge_capture(position, route) if "x" in action else _judge_step(position, *route))


def _judge_squares(position: Position, named: Sequence[str]) -> Iterator[Breach]:
    """Judges whose piece is moved, and whether all these squares are played on."""
    net = position.variant.net
    start = 1 << net.index[named[0]] if named[0] in net.index else 0
    if start and not position.own & start:
        owner = PLAYERS[1 - position.seat] if position.theirs & start else ""
        yield Breach("DR-1", (named[0],), say_whose(named[0], owner, position.turn))
    if light := tuple(name for name in named if name not in net.index):
        yield Breach("DR-2", light, say("Draughts are played on the dark squares alone."))


def _judge_step(position: Position, start: int, end: int) -> Iterator[Breach]:
    net = position.variant.net
    a, b = ends = (net.names[start], net.names[end])
    if not position.empty >> end & 1:
        yield Breach("DR-11", (b,), say_occupied(b))
    elif not position.kings >> start & 1:
        ahead = net.forward[position.seat]
        if end - start not in ahead:
            words = say(
                "{end} is not the next square diagonally in front of the man on {start}.", start=a, end=b
            )
            yield Breach("DR-3", ends, words)
    elif end not in _reach(position, start):
        yield Breach("DR-5", ends, say("The king on {start} cannot go to {end}.", start=a, end=b))
    if ways := captures(position):
        able = tuple(dict.fromkeys(net.names[route[0]] for route, _ in ways))
        player, places = say_player(position.turn), listed(able, "or")
        words = say("{player} has to capture, with the piece on {places}.", player=player, places=places)
        yield Breach("DR-4", able, words)


def _reach(position: Position, start: int) -> set[int]:
    if position.variant.flying:
        return set(flights(position, start))
    return {start + direction for direction in position.variant.net.directions}


def _judge_capture(position: Position, route: Route) -> Iterator[Breach]:
    net, is_king = position.variant.net, bool(position.kings >> route[0] & 1)
    ends = (net.names[route[0]], net.names[route[-1]])
    if crowned := [stop for stop in route[1:-1] if ends_turn(position, stop, is_king)]:
        place = net.names[crowned[0]]
        words = say("A man that reaches {place} goes no further in this turn.", place=place)
        yield Breach("DR-9", (place,), words)
        return
    chain = follow(position, route)
    meant = captures_meant(position, "x".join(net.names[bit] for bit in route)) if chain.breaches else []
    if len(meant) > 1:
        ways = listed([numbered(net, action) for action in meant], "or")
        yield Breach("DR-6", ends, say("That may be {ways}: name the squares between, too.", ways=ways))
        return
    yield from chain.breaches
    if chain.breaches:
        return
    if not ends_turn(position, route[-1], is_king) and can_jump_on(position, route, chain.taken):
        yield Breach("DR-7", ends[1:], say("From {place} the piece can capture again.", place=ends[1]))
        return
    legal = [way for way, _ in captures(position)]
    if route in legal:
        return
    if position.variant.majority and chain.taken.bit_count() < len(legal[0]) - 1:
        able = tuple(dict.fromkeys(net.names[other[0]] for other in legal))
        words = say("More can be captured, with the piece on {places}.", places=listed(able, "or"))
        yield Breach("DR-8", able, words)
    else:
        yield Breach("GEN-1", ends)  # the same capture has another spelling: `read` knows it


def follow(position: Position, route: Route) -> Chain:
    """Follows the jumps of a capture, one by one, up to the first that is none."""
    net, taken, is_king = position.variant.net, 0, bool(position.kings >> route[0] & 1)
    empty = position.empty | 1 << route[0]
    for a, b in pairwise(route):
        names = (net.names[a], net.names[b])
        if not empty >> b & 1:
            return Chain(taken, (Breach("DR-11", names[1:], say_occupied(names[1])),))
        over = net.between.get((a, b), 0)
        jumped, flown = over & ~empty, position.variant.flying and is_king
        if jumped & taken:
            again = net.name(jumped & taken)
            words = say("The piece on {places} was jumped before.", places=listed(again))
            return Chain(taken, (Breach("DR-10", again, words),))
        is_far = over.bit_count() != 1 and not flown
        is_one = jumped.bit_count() == 1 and bool(jumped & position.theirs)
        if is_far or not is_one or not (is_king or _goes_right(position, a, b)):
            start, end = names
            words = say("There is no piece to capture by a jump from {start} to {end}.", start=start, end=end)
            return Chain(taken, (Breach("DR-6", names, words),))
        taken |= jumped
    return Chain(taken, ())


def _goes_right(position: Position, start: int, end: int) -> bool:
    """Tells whether a man may capture in this direction."""
    return any(stop == end for _, stop in position.variant.jumps[position.seat][0][start])


def captures_meant(position: Position, spelled: Action) -> list[Action]:
    """Returns the legal captures that may be meant by the squares of a spelling.

    All landings may be named, by whichever way the same is captured, or only some of them.
    """
    net = position.variant.net
    if not net.index.keys() >= {*spelled.split("x")}:
        return []
    named = parse(net, spelled)
    ends = named[0], named[-1]
    known = [route for route, _ in captures(position) if (route[0], route[-1]) == ends]
    meant = _taking_the_same(position, named, known) or [
        route for route in known if _passes(route[1:-1], named[1:-1])
    ]
    return ["x".join(net.names[bit] for bit in route) for route in meant]


def _taking_the_same(position: Position, named: Route, known: Sequence[Route]) -> list[Route]:
    """Returns those of the known captures that take what a capture with these landings would take."""
    chain = follow(position, named)
    if chain.breaches:
        return []
    net, theirs = position.variant.net, position.theirs
    return [route for route in known if passed(net, route) & theirs == chain.taken]


def _passes(stops: Sequence[int], wanted: Sequence[int]) -> bool:
    rest = iter(stops)
    return all(stop in rest for stop in wanted)
