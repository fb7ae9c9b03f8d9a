"""Teleporters: Poles cross the board through walls that Ports make, and through Teleports of two Ports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    Rules,
    Step,
)
from companion.games.teleporters import arrangement, consequences, moves
from companion.games.teleporters.attempts import attempts
from companion.games.teleporters.judgement import judge
from companion.games.teleporters.position import CORNER_WORDS, PLAYERS, Position, arrived, winner

LABELS = (
    (re.compile(r"end"), "end the turn"),
    (re.compile(r"pole:(..)"), "put the Pole on {0}"),
    (re.compile(r"port:(..)"), "put the Port on {0}"),
    (re.compile(r"=(..)@"), "spin the Teleport on {0}"),
    (re.compile(r"=(..)-(..)"), "glide the Teleport from {0} to {1}"),
    (re.compile(r"=(..)\*(..)"), "send the Pole from {0} to {1}"),
    (re.compile(r"(..)-(..)"), "walk from {0} to {1}"),
    (re.compile(r"(..)\*(..)"), "teleport from {0} to {1}"),
    (re.compile(r"(..)(..)-(..)"), "glide the Port from {0} to {2}"),
    (re.compile(r"(..)(..)-(..)@(..)"), "glide the Port from {0} to {2} and turn it to {3}"),
    (re.compile(r"(..)(..)@(..)"), "turn the Port on {0} to {2}"),
)


OWED = -0.7
"""Nats: an answer that is owed (TP-13, TP-15, TP-17) is likelier than any action of one's own choice."""


class Teleporters(Rules[Position]):
    name = "teleporters"
    title = "Teleporters"
    board = "teleporters"
    options = (Option("first", PLAYERS, "south", "who begins"),)
    sentences: ClassVar[Mapping[str, str]] = {
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

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return arrangement.start(board, PLAYERS.index(options["first"]))

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judge(position, action)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return consequences.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        side = winner(position.squares)
        return None if side is None else Outcome(PLAYERS[side], "four Poles on the Goal")

    def look(self, position: Position) -> Mapping[Place, Look]:
        return arrangement.look(position)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *arrangement.LOOKS)

    def rarity(self, position: Position, action: Action) -> float:
        return OWED if action.startswith(("port:", "pole:")) else 0.0

    def path(self, action: Action) -> tuple[Place, ...]:
        square = "[a-h][1-8]"
        if port := re.fullmatch(rf"({square})(..)(?:-({square}))?(?:@(..))?", action):
            start, corner, end, turned = port.groups()
            return (start + corner, (end or start) + (turned or corner))
        return tuple(re.findall(square, action))

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        return arrangement.arrange(position, looks, turn)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts(changed)

    def counts(self, position: Position) -> tuple[Count, ...]:
        goals = {player: arrived(position.squares, side) for side, player in enumerate(PLAYERS)}
        return (
            Count("Pole markers left", {"": position.pole_moves}, 2),
            Count("Port markers left", {"": position.port_moves}, 2),
            Count("Poles on the Goal", goals, 4),
        )

    def prompt(self, position: Position) -> str:
        if owed := position.owed:
            where = "a Home telepad" if owed.kind == "pole" else "a portpad of your own"
            return f"put the {owed.kind.capitalize()} in your hand on {where}"
        left = [
            f"{count} {kind} move{'s' if count > 1 else ''}"
            for kind, count in (("Pole", position.pole_moves), ("Port", position.port_moves)) if count
        ]
        return f"{' and '.join(left)} left, or end the turn"

    def label(self, action: Action) -> str:
        for spelling, words in LABELS:
            if match := spelling.fullmatch(action):
                return words.format(*(CORNER_WORDS.get(part, part) for part in match.groups()))
        return action
