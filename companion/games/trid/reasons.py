"""TRID's refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach, Place, Player
from companion.core.players import say_player
from companion.games.reasons import say_blocked, say_whose
from companion.games.trid.moves import SPELLING
from companion.games.trid.position import PLAYERS, Position
from companion.language import Message, listed, say, say_count


def explain(position: Position, action: str, breach: Breach) -> Message:
    match = SPELLING.fullmatch(action)
    if not match:
        return _say_word(position, breach)
    start, end = match[1], match[3]
    if match[2] == "%":
        return _say_switch(position, start, end)
    match breach.rule:
        case "TD-1":
            return (
                _say_owed(position)
                if position.made
                else say_whose(start, _owner(position, start), position.turn)
            )
        case "TD-2":
            return say_count(
                "{places} is a wall.", "{places} are walls.", len(breach.sites), places=listed(breach.sites)
            )
        case "TD-3":
            return _say_master(position, start, end)
        case "TD-4":
            return say(
                "It may jump along a chain of its own pawns, and none leads from {start} to {end}.",
                start=start,
                end=end,
            )
        case "TD-9":
            return _say_capture(position, start, end)
        case "TD-13":
            return say("{places} is inside a triangle that stands.", places=listed(breach.sites, "or"))
    return _say_slide(position, breach, (start, end))


def _owner(position: Position, field: Place) -> Player:
    pawn = position.fields[position.net.index[field]]
    return PLAYERS[pawn >> 2] if pawn else ""


def _say_owed(position: Position) -> Message:
    corners = dict.fromkeys(field for triangle in position.made for field in triangle)
    return say(
        "{player} made a triangle with {places}, and first switches two of its corners or keeps them.",
        player=say_player(position.turn),
        places=listed(position.net.name(corners)),
    )


def _say_word(position: Position, breach: Breach) -> Message:
    if breach.rule == "TD-12":
        return say("{player} has made no triangle in this turn.", player=say_player(position.turn))
    if breach.rule == "TD-1" or position.made:
        return _say_owed(position)
    return say("{player} can still move.", player=say_player(position.turn))


def _say_switch(position: Position, start: Place, end: Place) -> Message:
    index, fields = position.net.index, position.fields
    corners = {field for triangle in position.made for field in triangle}
    if not {index[start], index[end]} <= corners:
        return say("{one} and {other} are not corners of a triangle made in this turn.", one=start, other=end)
    if fields[index[start]] == fields[index[end]]:
        return say("The pawns on {one} and {other} are of one kind.", one=start, other=end)
    return say("{one} and {other} are corners of two triangles.", one=start, other=end)


def _say_master(position: Position, start: Place, end: Place) -> Message:
    net = position.net
    if net.index[end] not in net.borders[net.index[start]]:
        return say(
            "The master moves to a field that borders {start}, and {end} does not.", start=start, end=end
        )
    owner = say_player(_owner(position, start))
    return say("{end} is nearer to the border of {player} than {start}.", start=start, end=end, player=owner)


def _say_capture(position: Position, start: Place, end: Place) -> Message:
    owner = _owner(position, end)
    if not owner:
        return say("There is nothing to take on {end}.", end=end)
    if owner == _owner(position, start):
        return say("{player} has a pawn on {end} already.", player=say_player(owner), end=end)
    return say("A pawn of {player} stands on {end}: this move takes it.", player=say_player(owner), end=end)


def _say_slide(position: Position, breach: Breach, ends: tuple[Place, Place]) -> Message:
    """Says what is wrong with a glider's or a jumper's way."""
    start, end = ends
    match breach.rule:
        case "TD-6":
            return say("A glider stops on {places}.", places=listed(breach.sites, "or"))
        case "TD-7":
            return say("The glider cannot take the pawn on {end}: its way there is not free.", end=end)
        case "TD-8":
            return _say_jump(position, start, end)
    if start in breach.sites:
        return say("{start} and {end} are not on one strip.", start=start, end=end)
    if passed := [place for place in breach.sites if place != end]:
        return say_blocked(passed)
    if owner := _owner(position, end):
        return say("{player} has a pawn on {end} already.", player=say_player(owner), end=end)
    return say("A glider does not stop on {end}: nothing stops it there.", end=end)


def _say_jump(position: Position, start: Place, end: Place) -> Message:
    net = position.net
    if net.index[end] in net.jumps[net.index[start]]:
        return say("A jumper cannot jump to {end}: it is not free.", end=end)
    return say(
        "{end} is no field of the colour of {start} that touches it at a corner.", start=start, end=end
    )
