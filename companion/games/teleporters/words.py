"""Teleporters in words: the places that an action names, sentences for events, labels and prompts.

A Pole walks, `c1-c2`, or teleports, `c1*e1`. A Port spins, `b2nw@ne`, or glides, `b2nw-b5`, and may turn
there, `b2nw-b5@ne`. A unit (a Teleport moved as a whole) spins, `=d3@`, glides, `=d3-d5`, or sends its Pole,
`=d3*e1`. `port:b2` and `pole:c1` put down a piece that is in hand. `end` ends the turn.
"""

from __future__ import annotations

import re

from companion.core.game import Action, Place
from companion.games.teleporters.position import Position
from companion.language import NamedPhrases, listed, say, say_count

CORNER_WORDS: NamedPhrases = {"nw": "north-west", "ne": "north-east", "sw": "south-west", "se": "south-east"}
SQUARE = "[a-h][1-8]"
PORT_MOVE = re.compile(rf"({SQUARE})(..)(?:-({SQUARE}))?(?:@(..))?")
LABELS: NamedPhrases = {
    "end": "end the turn",
    "pole:(?P<place>..)": "put the Pole on {place}",
    "port:(?P<place>..)": "put the Port on {place}",
    "=(?P<place>..)@": "spin the Teleport on {place}",
    "=(?P<start>..)-(?P<end>..)": "glide the Teleport from {start} to {end}",
    r"=(?P<start>..)\*(?P<end>..)": "send the Pole from {start} to {end}",
    "(?P<start>..)-(?P<end>..)": "walk from {start} to {end}",
    r"(?P<start>..)\*(?P<end>..)": "teleport from {start} to {end}",
    "(?P<start>..)..-(?P<end>..)": "glide the Port from {start} to {end}",
    "(?P<start>..)..-(?P<end>..)@(?P<corner>..)": (
        "glide the Port from {start} to {end} and turn it to {corner}"
    ),
    "(?P<place>..)..@(?P<corner>..)": "turn the Port on {place} to {corner}",
}
SENTENCES: NamedPhrases = {
    "walked": "{player} walks a Pole from {start} to {end}.",
    "teleported": "{player} teleports a Pole from {start} to {end}.",
    "escaped": "{player}'s Pole escapes from the blockade on {start} to {end}.",
    "glided": "{player} glides a Port from {start} to {end}.",
    "turned": "It turns to the {corner} corner of {sites}.",
    "spun": "{player} turns the Port on {sites} to the {corner} corner.",
    "joined": "{player} makes a Teleport on {sites}.",
    "parted": "{player}'s Teleport on {sites} comes apart.",
    "repelled": "{player}'s Port on {sites} is repelled: it goes to a portpad.",
    "bounced": "The Port on {sites} cannot be repelled: {player}'s Port bounces back to a portpad.",
    "vaulted": "{player}'s Pole on {sites} is vaulted: it goes to a Home telepad.",
    "put port": "{player} puts the Port on the portpad {sites}.",
    "put pole": "{player} puts the Pole on the Home telepad {sites}.",
    "spun unit": "{player} turns the Teleport on {sites}.",
    "glided unit": "{player} glides a Teleport from {start} to {end}.",
    "carried": "{player} glides a Teleport with its Pole from {start} to {end}.",
    "sent": "{player}'s Teleport on {start} sends its Pole to {end}.",
    "ended": "{player} ends the turn.",
    "turn": "It is {player}'s turn.",
    "won": "{player} wins: all four Poles stand on the Goal.",
}
ACTION_KINDS: NamedPhrases = {
    "end": "end the turn",
    "pole:..": "put the Pole down",
    "port:..": "put the Port down",
    "=..@": "spin the Teleport",
    "=..-..": "glide the Teleport",
    r"=..\*..": "send the Pole",
    "..-..": "walk",
    r"..\*..": "teleport",
    "....-..": "glide",
    "....-..@..": "glide and turn",
    "....@..": "spin",
}


def path(action: Action) -> tuple[Place, ...]:
    """Returns the squares that an action names; of a Port's move the corners where it began and ends."""
    if port := PORT_MOVE.fullmatch(action):
        start, corner, end, turned = port.groups()
        return (start + corner, (end or start) + (turned or corner))
    return tuple(re.findall(SQUARE, action))


def prompt(position: Position) -> str:
    if owed := position.owed:
        if owed.kind == "pole":
            return say("put the Pole in your hand on a Home telepad")
        return say("put the Port in your hand on a portpad of your own")
    left = []
    if position.pole_moves:
        left.append(say_count("{n} Pole move", "{n} Pole moves", position.pole_moves))
    if position.port_moves:
        left.append(say_count("{n} Port move", "{n} Port moves", position.port_moves))
    return say("{moves} left, or end the turn", moves=listed(left))
