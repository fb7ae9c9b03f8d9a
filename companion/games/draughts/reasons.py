"""Draughts' refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

from companion.core.game import Breach, Player, Site
from companion.core.players import say_player
from companion.games.draughts.board import PLAYERS
from companion.games.draughts.position import Position
from companion.games.reasons import say_occupied, say_whose
from companion.language import Message, listed, say


def explain(position: Position, action: str, breach: Breach) -> Message:
    named = action.replace("-", "x").split("x")
    start, sites = named[0], breach.sites
    match breach.rule:
        case "DR-1":
            return say_whose(start, _owner(position, start), position.turn)
        case "DR-2":
            return say("Draughts are played on the dark squares alone.")
        case "DR-3" | "DR-5" | "DR-6":
            return _say_way(position, breach)
        case "DR-4":
            return say(
                "{player} has to capture, with the piece on {places}.",
                player=say_player(position.turn),
                places=listed(sites, "or"),
            )
        case "DR-11":
            return say_occupied(sites[0])
    return _say_chain(breach)


def _owner(position: Position, square: Site) -> Player:
    bit = position.variant.net.index[square]
    sides = zip(PLAYERS, (position.white, position.black), strict=True)
    return next((player for player, pieces in sides if pieces >> bit & 1), "")


def _say_way(position: Position, breach: Breach) -> Message:
    """Says why a piece does not go from one square to the other."""
    start, end = breach.sites[0], breach.sites[-1]
    if breach.rule == "DR-3":
        return say("{end} is not diagonally in front of the man on {start}.", start=start, end=end)
    if breach.rule == "DR-5":
        return say("The king on {start} cannot go to {end}.", start=start, end=end)
    return say("There is no piece to capture by a jump from {start} to {end}.", start=start, end=end)


def _say_chain(breach: Breach) -> Message:
    place = breach.sites[0]
    match breach.rule:
        case "DR-7":
            return say("From {place} the piece can capture again.", place=place)
        case "DR-8":
            return say("More can be captured, with the piece on {places}.", places=listed(breach.sites, "or"))
        case "DR-9":
            return say("A man that reaches {place} goes no further in this turn.", place=place)
    return say("The piece on {places} was jumped before.", places=listed(breach.sites))
