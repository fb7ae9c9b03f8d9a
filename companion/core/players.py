"""Players in words: `red` is 'Red', and 'Bo (Red)' where Bo's name is known.

Sentences name players by `say_player`; where they leave for a display, `named` puts the names in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace as replace_members

from companion.core.game import Player, PositionError
from companion.language import Message, NamedPhrases, listed, say, say_text
from companion.language.message import Lookup

Data = TypeVar("Data")

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


@lru_cache(maxsize=64)
def say_player(player: Player) -> PlayerName:
    """Returns how a player is named in a sentence: 'Red'."""
    colour = say(COLOURS[player]) if player in COLOURS else say_text(player.capitalize())
    name = PlayerName(colour)
    name.colour, name.player = colour, player
    return name


def seat_of(turn: Player, players: Sequence[Player]) -> int:
    """Returns the number of the seat whose turn it is to be. PositionError for who does not play."""
    if turn not in players:
        raise PositionError(
            say(
                "'{turn}' does not play: the turn is one of {players}",
                turn=turn,
                players=listed([say_player(player) for player in players], "or"),
            )
        )
    return players.index(turn)


def say_name(player: Player, names: Mapping[Player, str]) -> Message:
    """Returns a player with the name, where it is known: 'Bo (Red)'."""
    colour = say_player(player)
    name = names.get(player)
    return say("{name} ({colour})", name=name, colour=colour.colour) if name else colour


def named(data: Data, names: Mapping[Player, str]) -> Data:
    """Returns data, classes of the wire among them, with the players' names in every message."""
    return cast(Data, _named(data, names)) if names else data


def _named(data: Any, names: Mapping[Player, str]) -> Any:
    if type(data) is str:
        return data
    if isinstance(data, PlayerName):
        return say_name(data.player, names)
    if isinstance(data, Message):
        return data.with_values(lambda value: _named(value, names))
    if isinstance(data, dict):
        return {key: _named(value, names) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return type(data)(_named(value, names) for value in data)
    members = getattr(data, "__dataclass_fields__", getattr(data, "__struct_fields__", ()))
    values = ((name, getattr(data, name)) for name in members)
    changes = {name: new for name, old in values if (new := _named(old, names)) is not old}
    if not changes:
        return data
    return replace_members(data, **changes) if isinstance(data, Struct) else replace(data, **changes)
