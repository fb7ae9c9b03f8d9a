"""Teleporters' refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from companion.core.game import Breach, Place
from companion.core.players import say_player
from companion.games.reasons import say_occupied
from companion.games.teleporters.board import HOMES, INDEX, PLAYERS
from companion.games.teleporters.position import Position, is_teleport, ports_of
from companion.language import Message, NamedPhrases, listed, say, say_count

SQUARE = "[a-h][1-8]"
ONCE: NamedPhrases = {
    "pole": "The Pole on {place} has moved in this turn already.",
    "port": "The Port on {place} has moved in this turn already.",
    "unit": "The Teleport on {place} has moved in this turn already.",
}
NONE_THERE: NamedPhrases = {
    "pole": "{player} has no Pole on {place}.",
    "port": "{player} has no Port on {place}.",
    "unit": "{player} has no Teleport on {place}.",
}
NONE_LEFT: NamedPhrases = {
    "pole": "{player} has no Pole move left in this turn.",
    "port": "{player} has no Port move left in this turn.",
    "unit": "{player} has no Port move left in this turn.",
}
IN_HAND: NamedPhrases = {
    "pole": "{player} first puts down the Pole in hand.",
    "port": "{player} first puts down the Port in hand.",
}
NOT_IN_HAND: NamedPhrases = {"pole": "No Pole is in hand.", "port": "No Port is in hand."}
PLAIN: NamedPhrases = {
    "TP-4": "There is a wall between {one} and {other}.",
    "TP-5": "Home and Goal do not go round the edge from {one} to {other}.",
    "TP-7": "The Pole on {place} is not blockaded: it cannot escape to Home.",
    "TP-9": "No straight line of quadrants leads from {start} to {end}.",
    "TP-12": "The Port cannot turn to another corner on {place}.",
}
"""The sentences that need no look at the position, by the rule."""


def explain(position: Position, action: str, breach: Breach) -> Message:
    if position.owed and not breach.sites:
        return _say_owed(position)
    if action.startswith(("pole:", "port:")):
        return _say_answer(position, action, breach)
    if breach.rule == "TP-1":
        return _say_turn(position, action, breach)
    if breach.rule in PLAIN:
        start, end = _ends(action)
        one, other = breach.sites[0], breach.sites[-1]
        return say(PLAIN[breach.rule], place=one, one=one, other=other, start=start, end=end)
    return _SENTENCES[breach.rule](position, action, breach.sites)


def _kind(action: str) -> str:
    """Returns which piece an action moves."""
    if action.startswith("="):
        return "unit"
    return "pole" if re.fullmatch(f"{SQUARE}[-*]{SQUARE}", action) else "port"


def _ends(action: str) -> tuple[Place, Place]:
    """Returns the squares from which and to which an action goes."""
    squares = re.findall(SQUARE, action)
    return squares[0], squares[-1]


def _say_owed(position: Position) -> Message:
    assert position.owed
    return say(IN_HAND[position.owed.kind], player=say_player(position.to_act))


def _say_answer(position: Position, action: str, breach: Breach) -> Message:
    kind, _, place = action.partition(":")
    if not position.owed:
        return say(NOT_IN_HAND[kind])
    if breach.rule == "TP-18":
        return _say_owed(position)
    player = say_player(position.to_act)
    if breach.rule == "TP-14":
        return say("The portpad on {place} is taken.", place=place)
    if kind == "port":
        return say("{place} is no portpad of {player}.", place=place, player=player)
    if INDEX[place] in HOMES[position.owed.side]:
        return say_occupied(place)
    return say("{place} is no Home telepad of {player}.", place=place, player=player)


def _say_turn(position: Position, action: str, breach: Breach) -> Message:
    player = say_player(position.turn)
    if not breach.sites:
        return say(NONE_LEFT[_kind(action)], player=player)
    return say(NONE_THERE[_kind(action)], player=player, place=breach.sites[0][:2])


def _say_once(position: Position, action: str, sites: Sequence[Place]) -> Message:
    return say(ONCE[_kind(action)], place=_ends(action)[0])


def _say_walk(position: Position, action: str, sites: Sequence[Place]) -> Message:
    start, end = _ends(action)
    if len(sites) > 1:
        return say("{start} to {end} is more than two steps.", start=start, end=end)
    if start == end:
        return say("The Pole ends where it began, on {place}.", place=start)
    return say("A Pole stands on {place}.", place=sites[0])


def _say_teleport(position: Position, action: str, sites: Sequence[Place]) -> Message:
    start, end = _ends(action)
    if len(sites) == 1:
        return say("A Pole stands on {place}.", place=end)
    if INDEX[end] in HOMES[1 - position.side]:
        return say(
            "{end} is a Goal telepad, which no Pole reaches by a teleport from {start}.", start=start, end=end
        )
    return say("No teleport leads from {start} to {end}.", start=start, end=end)


def _say_spin(position: Position, action: str, sites: Sequence[Place]) -> Message:
    place = sites[0]
    if is_teleport(position.squares[INDEX[place[:2]]], position.side):
        return say("The Port on {place} is part of a Teleport, which spins as a whole.", place=place)
    return say("The Port on {place} stands in that corner already.", place=place)


def _say_glide(position: Position, action: str, sites: Sequence[Place]) -> Message:
    if sites[0] == _ends(action)[0]:
        return say("A Port cannot leave {place} through that side.", place=sites[0])
    return say_count("{places} is in the way.", "{places} are in the way.", len(sites), places=listed(sites))


def _say_landing(position: Position, action: str, sites: Sequence[Place]) -> Message:
    place = sites[0]
    there = position.squares[INDEX[place]]
    for side, player in enumerate(PLAYERS):
        if is_teleport(there, side):
            return say("A Teleport of {player} stands on {place}.", player=say_player(player), place=place)
    if ports_of(there, position.side):
        return say("The Port that stands on {place} leaves no room for this one.", place=place)
    return say("The Port would not take in the Pole on {place} through its open side.", place=place)


def _say_bounce(position: Position, action: str, sites: Sequence[Place]) -> Message:
    if "@" in action:
        return say("The Port bounces off {place} and takes no other corner there.", place=sites[0])
    return say("The Port would bounce off {place}, and no portpad is free for it.", place=sites[0])


def _say_unit(position: Position, action: str, sites: Sequence[Place]) -> Message:
    start, end = _ends(action)
    if not is_teleport(position.squares[INDEX[start]], position.side):
        return say(NONE_THERE["unit"], player=say_player(position.turn), place=start)
    if "*" not in action:
        return say_count(
            "{places} is not empty.", "{places} are not empty.", len(sites), places=listed(sites)
        )
    if sites[0] == start and not position.squares[INDEX[start]] & 3:
        return say("There is no Pole in the Teleport on {place}.", place=start)
    return say("The Teleport cannot send a Pole to {place}.", place=end)


_SENTENCES: Mapping[str, Callable[[Position, str, Sequence[Place]], Message]] = {
    "TP-2": _say_once,
    "TP-3": _say_walk,
    "TP-6": _say_teleport,
    "TP-8": _say_spin,
    "TP-10": _say_glide,
    "TP-11": _say_landing,
    "TP-15": _say_bounce,
    "TP-16": _say_unit,
}
