"""The rules of the Ternion games that an action breaks, the sites concerned, and what is wrong there.

It is for any text and position. Each kind of action has its own judge. Two things are asked of all of them:
whether the turn has come to this kind of action, and whether the action itself keeps the rules. So an action
can break both. Rules go by their numbers in Ternion Factor.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from companion.core.game import Breach, Site
from companion.core.players import say_player
from companion.games.reasons import by_rule, say_occupied
from companion.games.ternion.board import DIAMOND, SITE, listed, spelling_order
from companion.games.ternion.moves import can_move
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    COLOURS,
    GONE,
    MOVES,
    TERNION,
    Phase,
    Position,
    best_ternions,
    blocked_gates,
    exchanges,
    in_play,
    placeable,
    ternions,
)
from companion.language import Message, NamedPhrases, say, say_count
from companion.language import listed as say_list

NAME = SITE.pattern
SPELLINGS = {
    Phase.PLACE: SITE,
    Phase.MOVE: re.compile(f"{NAME}(?:-{NAME})+"),
    Phase.CHOOSE: re.compile(f"T:{NAME},{NAME},{NAME}"),
    Phase.REMOVE: re.compile(f"-{NAME}"),
    Phase.ADD: re.compile(rf"\+{NAME}"),
    Phase.REVIEW: re.compile(f"~{NAME}>{NAME}"),
}
"""The form in which each kind of action is written, by the phase to which it belongs."""
OWED = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-11",
}
"""The rule that any other kind of action breaks in these phases."""
UNTIMELY = {
    Phase.PLACE: "TF-1",
    Phase.CHOOSE: "TF-9",
    Phase.REMOVE: "TF-10",
    Phase.ADD: "TF-10",
}
"""The rule that an action of this kind breaks outside of its phase."""
FIRST: NamedPhrases = {
    "PLACE": "{player} first places a pawn.",
    "CHOOSE": "{player} first chooses which three pawns are the ternion.",
    "REMOVE": "{player} first removes own pawns of the ternion {places}.",
    "ADD": "{player} first adds pawns for the ternion {places}.",
}
"""The sentence for any other action, by the phase in which it comes too early."""
TOO_LATE: NamedPhrases = {
    "TF-1": "All pawns are placed: the turns have begun.",
    "TF-9": "There is no ternion to choose now.",
    "TF-10": "No pawn is to be removed or added now.",
}
"""The sentence for an action outside of its phase, by the rule that it breaks."""
OUTSIDE: NamedPhrases = {
    "2": "{place} is outside the play area: two players play inside the red line.",
    "3": "{place} is outside the play area: three players play inside the blue line.",
    "4": "{place} is outside the play area.",
}
"""The sentence for a place that is not in play, by the number of players."""


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if position.winner >= 0:
        return (Breach("GEN-3"),)
    if action == "end":
        return tuple(_judge_end(position))
    if action == "out":
        return tuple(_judge_out(position))
    for kind, spelling in SPELLINGS.items():
        if spelling.fullmatch(action):
            return _judge_kind(position, kind, action)
    return (Breach("GEN-1"),)


def _judge_kind(position: Position, kind: Phase, action: str) -> tuple[Breach, ...]:
    net = position.setup.net
    names = SITE.findall(action.removeprefix("T:"))
    if not all(name in net.index for name in names):
        return (Breach("GEN-1"),)
    if kind is Phase.CHOOSE and names != sorted(set(names), key=spelling_order):
        return (Breach("GEN-1", tuple(names)),)
    sites = [net.index[name] for name in names]
    return by_rule((*_judge_time(position, kind), *_JUDGES[kind](position, sites)))


def _judge_time(position: Position, kind: Phase) -> Iterator[Breach]:
    """Judges whether the turn has come to this kind of action."""
    phase = position.phase
    if kind is phase:
        return
    if phase in OWED:
        yield _owed_first(position)
    has_moved_thrice = phase > Phase.MOVE and not position.moves_left
    is_before_review = phase is Phase.PLACE or position.moves_left > 0
    if kind in UNTIMELY:
        yield Breach(UNTIMELY[kind], (), say(TOO_LATE[UNTIMELY[kind]]))
    elif kind is Phase.MOVE and has_moved_thrice:
        yield Breach("TF-12", (), _say_moves(position))
    elif kind is Phase.REVIEW and is_before_review:
        yield Breach("TF-13", (), say("The review comes after the third move."))


def _owed_first(position: Position) -> Breach:
    """Returns the breach by any other action than the one that is owed, with the ternion that it is for."""
    net, phase = position.setup.net, position.phase
    places = listed(net, position.ternions[-1] if position.ternions else ())
    words = say(FIRST[phase.name], player=say_player(position.turn), places=say_list(places))
    awaited: tuple[Site, ...] = ()
    if phase is Phase.CHOOSE:
        awaited = listed(net, (position.moved,))
    elif phase in (Phase.REMOVE, Phase.ADD):
        awaited = places
    return Breach(OWED[phase], awaited, words)


def _say_moves(position: Position) -> Message:
    left, player = position.moves_left, say_player(position.turn)
    if not left:
        return say("{player} has made all three moves of this turn.", player=player)
    return say_count(
        "{player} has {n} move left in this turn.",
        "{player} has {n} moves left in this turn.",
        left,
        player=player,
    )


def _judge_end(position: Position) -> Iterator[Breach]:
    if position.phase in OWED:
        yield _owed_first(position)
    # A placement is no turn of three markers.
    if position.moves_left and position.phase is not Phase.PLACE:
        yield Breach("TF-12", (), _say_moves(position))


def _judge_out(position: Position) -> Iterator[Breach]:
    if position.phase is not Phase.MOVE or can_move(position):
        yield Breach("TF-14", (), say("{player} can still move.", player=say_player(position.turn)))


def _judge_placement(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.PLACE:
        return  # _judge_time has found TF-1
    net, site = position.setup.net, sites[0]
    if site not in placeable(position.setup, position.sites):
        occupied = [other for other in net.near[site] if position.sites[other]]
        words: Message = say(
            "{place} touches {others}.", place=net.names[site], others=say_list(listed(net, sorted(occupied)))
        )
        if position.sites[site] or not occupied:
            words = _say_unfit(position, site)
        yield Breach("TF-1", listed(net, sorted((site, *occupied))), words)


def _say_unfit(position: Position, site: int) -> Message:
    """Says why no pawn can be put on a site: something is there, or it is not in play."""
    place = position.setup.net.names[site]
    if position.sites[site] == DIAMOND:
        return say("{place} is a large diamond: no pawn ends there.", place=place)
    if position.sites[site]:
        return say_occupied(place)
    return say(OUTSIDE[str(len(position.setup.players))], place=place)


def _judge_move(position: Position, path: list[int]) -> Iterator[Breach]:
    net, sites = position.setup.net, position.sites
    if not in_play(content := sites[path[0]]):
        words = say(
            "The pawn on {place} carries a marker: it is out of play in this turn.", place=net.names[path[0]]
        )
        if content in (0, DIAMOND) or content & GONE:
            words = say("There is no pawn on {place}.", place=net.names[path[0]])
        yield Breach("TF-2", listed(net, path[:1]), words)
    if len(path) == 2:
        yield from _judge_step(position, path)
    else:
        yield from _judge_jump(position, path)
    yield from _judge_gates(position, path)
    if sites[path[-1]] & GONE:
        yield _counts_still(position, path[-1:])


def _counts_still(position: Position, removed: list[int]) -> Breach:
    places = listed(position.setup.net, removed)
    words = say("A pawn was removed from {places} in this turn: its T still counts.", places=say_list(places))
    return Breach("TF-7", places, words)


def _judge_step(position: Position, path: list[int]) -> Iterator[Breach]:
    net, (start, end) = position.setup.net, path
    if end not in net.gates[start] or position.sites[end]:
        words = _say_unfit(position, end) if position.sites[end] else _say_apart(position, start, end)
        yield Breach("TF-3", listed(net, path), words)
    if position.sites[end] == DIAMOND:  # a diamond is never ended on: TS-4
        yield Breach("TF-4", listed(net, path[1:]), _say_jump(position, path))


def _say_apart(position: Position, start: int, end: int) -> Message:
    names = position.setup.net.names
    return say("{end} is not next to {start}.", start=names[start], end=names[end])


def _say_jump(position: Position, path: list[int]) -> Message:
    """Says the first thing that is wrong with a jump (TF-4)."""
    net, sites = position.setup.net, position.sites
    if apart := next(((a, b) for a, b in pairwise(path) if b not in net.gates[a]), None):
        return _say_apart(position, *apart)
    if empty := [site for site in path[1:-1] if not sites[site]]:
        return say("There is nothing on {place} to jump over.", place=net.names[empty[0]])
    if path[-1] == path[0]:
        return say("The jump ends where it began, on {place}.", place=net.names[path[0]])
    if sites[path[-1]]:
        return _say_unfit(position, path[-1])
    needed, left = len(path) - 1, position.moves_left or MOVES
    if needed <= left:
        return say("The jump goes along one line twice.")
    return say_count(
        "The jump needs {needed} move markers, and {n} is left.",
        "The jump needs {needed} move markers, and {n} are left.",
        left,
        needed=needed,
    )


def _judge_jump(position: Position, path: list[int]) -> Iterator[Breach]:
    net = position.setup.net
    faults = _path_faults(position, path)
    if faults:
        yield Breach(
            "TF-4", listed(net, (site for site in path if site in faults)), _say_jump(position, path)
        )
    yield from _judge_own_colour(position, path)
    crossings = len(path) - 1
    # Once no markers are left, TF-12 says so; a jump is then judged as if it were the turn's first move.
    has_markers = crossings <= (position.moves_left or MOVES)
    if not has_markers or position.sites[path[-1]] == DIAMOND:
        yield Breach("TF-4", listed(net, path), _say_jump(position, path))


def _path_faults(position: Position, path: list[int]) -> set[int]:
    """Returns the sites of a jump at which it breaks TF-4.

    It goes along lines, none twice, over occupied sites, to an empty one that is not the first.
    """
    net, sites = position.setup.net, position.sites
    faults: set[int] = set()
    crossed: set[frozenset[int]] = set()
    for a, b in pairwise(path):
        line = frozenset((a, b))
        if b not in net.gates[a] or line in crossed:
            faults |= line
        crossed.add(line)
    faults.update(site for site in path[1:-1] if not sites[site])
    if sites[path[-1]] or path[-1] == path[0]:
        faults.add(path[-1])
    return faults


def _judge_own_colour(position: Position, path: list[int]) -> Iterator[Breach]:
    """Judges whether a jump goes over pawns of the jumping one's colour, also removed ones (TF-5, TF-7)."""
    net, sites = position.setup.net, position.sites
    colour = sites[path[0]] & COLOUR
    if not colour:
        return
    same = [site for site in path[1:-1] if sites[site] & COLOUR == colour]
    removed = [site for site in same if sites[site] & GONE]
    if same:
        words = say(
            "The pawn jumps over a pawn of its own colour, {player}, on {places}.",
            player=say_player(COLOURS[colour - 1]),
            places=say_list([*dict.fromkeys(listed(net, same))]),
        )
        yield Breach("TF-5", listed(net, same), words)
    if removed:
        yield _counts_still(position, removed)


def _judge_gates(position: Position, path: list[int]) -> Iterator[Breach]:
    """Judges whether a gate holds a marker already, or would be used twice by this move (TF-6)."""
    net, shut = position.setup.net, blocked_gates(position)
    crossed: list[int] = []
    for a, b in pairwise(path):
        gate = net.gates[a].get(b)
        if gate is None:
            continue
        if gate in shut:
            crossed += [a, b]
        shut.add(gate)
    if crossed:
        places = listed(net, dict.fromkeys(crossed))
        words = say(
            "There is a move marker already between {one} and {other}.", one=places[0], other=places[-1]
        )
        yield Breach("TF-6", places, words)


def _judge_choice(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.CHOOSE:
        return
    triple, net = (sites[0], sites[1], sites[2]), position.setup.net
    places = listed(net, triple)
    if triple not in ternions(position.setup, position.sites, position.moved):
        words = say(
            "{places} are no ternion with the pawn on {moved}.",
            places=say_list(places),
            moved=net.names[position.moved],
        )
        yield Breach("TF-8", places, words)
    elif triple not in best_ternions(position, position.moved):
        yield Breach("TF-9", places, say("Another set goes before {places}.", places=say_list(places)))


def _judge_removal(position: Position, sites: list[int]) -> Iterator[Breach]:
    if position.phase is not Phase.REMOVE:
        return
    own = position.colour | TERNION
    if sites[0] not in position.ternions[-1] or position.sites[sites[0]] != own:
        (place,) = listed(position.setup.net, sites)
        player = say_player(position.turn)
        words = say("There is no pawn of {player} in this ternion on {place}.", player=player, place=place)
        yield Breach("TF-10", (place,), words)


def _judge_addition(position: Position, sites: list[int]) -> Iterator[Breach]:
    yield from _judge_vacancy(position, sites[0], "TF-11", _say_unfit(position, sites[0]))


def _judge_review(position: Position, sites: list[int]) -> Iterator[Breach]:
    start, end = sites
    if position.sites[start] == position.colour | ADDED:
        yield from _judge_vacancy(position, end, "TF-13", _say_unfit(position, end))
    elif (start, end) not in set(exchanges(position)):
        places = listed(position.setup.net, sites)
        words: Message = say(
            "The pawns on {start} and {end} cannot be exchanged in the review.",
            start=places[0],
            end=places[1],
        )
        if in_play(position.sites[end]):
            words = say_occupied(places[1])
        if position.phase is not Phase.REVIEW:
            words = say("The review comes after the third move.")
        yield Breach("TF-13", places, words)


def _judge_vacancy(position: Position, site: int, rule: str, words: Message) -> Iterator[Breach]:
    net, content = position.setup.net, position.sites[site]
    if content or site not in net.area:
        yield Breach(rule, listed(net, (site,)), words)
    if content & GONE:
        yield _counts_still(position, [site])


_JUDGES: dict[Phase, Callable[[Position, list[int]], Iterator[Breach]]] = {
    Phase.PLACE: _judge_placement,
    Phase.MOVE: _judge_move,
    Phase.CHOOSE: _judge_choice,
    Phase.REMOVE: _judge_removal,
    Phase.ADD: _judge_addition,
    Phase.REVIEW: _judge_review,
}
