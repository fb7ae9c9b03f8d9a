"""Players in words: `red` is 'Red', and 'Bo (Red)' where Bo's name is known.

Sentences name players by `say_player`; where they leave for a display, `named` puts the names in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.game import Player
from companion.language import Message, NamedPhrases, say, say_text
from companion.language.message import Lookup

COLOURS: NamedPhrases = {
    "black": "Black",
    "blue": "Blue",
    "green": "Green",
    "north": "North",
    "red": "Red",
    "solver": "Solver",
    "south": "South",
    "white": "White",
    "yellow": "Yellow",
}


class PlayerName(Message):
    """A player, named by colour until the name is known."""

    __slots__ = ("colour", "player")
    colour: Message
    player: Player

    def rendered(self, lookup: Lookup, form: str = "") -> str:
        return self.colour.rendered(lookup, form)


def say_player(player: Player) -> PlayerName:
    """Returns how a player is named in a sentence: 'Red'."""
    colour = say(COLOURS[player]) if player in COLOURS else say_text(player.capitalize())
    name = PlayerName(colour)
    name.colour, name.player = colour, player
    return name


def say_name(player: Player, names: Mapping[Player, str]) -> Message:
    """Returns a player with the name, where it is known: 'Bo (Red)'."""
    colour = say_player(player)
    name = names.get(player)
    return say("{name} ({colour})", name=name, colour=colour.colour) if name else colour


def named(data: Any, names: Mapping[Player, str]) -> Any:
    """Returns data as JSON knows them, with the players' names in every message."""
    if isinstance(data, PlayerName):
        return say_name(data.player, names)
    if isinstance(data, Message):
        return data.with_values(lambda value: named(value, names))
    if isinstance(data, dict):
        return {key: named(value, names) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [named(value, names) for value in data]
    return data
