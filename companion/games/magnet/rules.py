"""Magnet's rules, joined to the contract of a game. Numbers MG-n are those of the rulebook."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import compress
from typing import ClassVar

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Form,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    PositionError,
    Rules,
    Step,
)
from companion.games.magnet import judge as judging
from companion.games.magnet import moves
from companion.games.magnet.arrange import arrange
from companion.games.magnet.net import LETTERS, PLAYERS, net
from companion.games.magnet.position import (
    KIND_WORDS,
    KINDS,
    MAGNET,
    UNKNOWN,
    VALUES,
    Position,
    conceal,
    face,
    may_promote,
    owned,
    piece,
)

SHOWN = tuple(KINDS.index(letter) for letter in "234tT")
"""The kinds of which the scoreboard tells how many have been revealed; a king's capture ends the game."""

IDLE = 0.5
"""Nats by which a move without the promotion that it could have is rarer than one with it."""
UNASKED = 0.5
"""Nats for a promotion where values are hidden: none is told before its player says so, for it gives away
that the piece is worth more, and a piece that goes farther later shows it anyway."""


class Magnet(Rules[Position]):
    name = "magnet"
    title = "Magnet"
    board = "magnet"
    options = (
        Option("setup", ("entered", "random"), "entered", "who deals the pieces: the players, or chance"),
        Option("values", ("entered", "declared"), "entered", "whether the pieces are told beforehand"),
    )
    sentences: ClassVar[Mapping[str, str]] = {
        "ready": "{player} has set up.",
        "placed": "{player} puts the magnet on {sites}.",
        "moved": "{player}'s piece moves from {start} to {end}.",
        "captured": "{player} captures a {kind} on {sites}.",
        "caught": "{player} captures a piece of rank {rank} on {sites}: its owner reveals it.",
        "destroyed": "A trap destroys {player}'s piece on {sites}.",
        "doubted": "If that was {player}'s king, {player} has lost and resigns.",
        "promoted": "{player} promotes the piece on {sites} to rank {rank}.",
        "won": "{player} wins: {reason}.",
        "drawn": "The game is drawn: {reason}.",
    }

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        table = net(board)
        pieces = bytearray(len(table.names))
        if options["values"] == "entered":
            return Position(table, bytes(pieces), fixed=options["setup"] == "random")
        for side, vertices in enumerate(table.starts):
            for vertex in vertices:
                pieces[vertex] = piece(side, UNKNOWN, 1)
        return moves.begin(Position(table, bytes(pieces), ready=2, declared=True), bytes(pieces), 0)

    def deal(self, position: Position, options: Mapping[str, str], rng: random.Random) -> Action | None:
        if position.ready == 2 or options["setup"] != "random":  # MG-1
            return None
        return self.set_up(position, rng)

    def set_up(self, position: Position, chance: random.Random) -> Action:
        """A set-up by chance, where `legal` gives the pattern `=?`."""
        return "=" + "".join(chance.sample(position.net.letters, len(position.net.letters)))

    def form(self, position: Position) -> Form | None:
        if position.ready == 2:
            return None
        side, letters = PLAYERS.index(position.to_act), position.net.letters
        stock = tuple(
            (letter, KIND_WORDS[kind], face(piece(side, kind, 1)), letters.count(letter))
            for kind, letter in enumerate(LETTERS, 1) if letter in letters
        )  # fmt: skip
        return Form(tuple(position.net.names[vertex] for vertex in position.net.starts[side]), stock)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judging.judge(position, action)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def change(self, position: Position, action: Action) -> Changes | None:
        index, pieces = position.net.index, position.pieces
        if action[0] == "@":
            return {} if pieces[index[action[1:]]] else {action[1:]: (EMPTY, MAGNET)}
        start = index.get(action.rstrip("+"), -1)
        return moves.change(position, start) if start >= 0 else None

    def outcome(self, position: Position) -> Outcome | None:
        return position.over

    def view(self, position: Position, viewer: Player | None) -> Position:
        if position.over:
            return position
        pieces = position.pieces
        for side, player in enumerate(PLAYERS):
            if player != viewer:
                pieces = conceal(pieces, side)
        return position._replace(pieces=pieces, seen=())

    def show(self, action: Action, player: Player, viewer: Player | None, over: bool) -> str:
        return "=?" if action.startswith("=") and viewer != player and not over else action

    def is_transient(self, action: Action) -> bool:
        return action.startswith("@")

    def reversible(self, position: Position) -> bool:
        return not position.fixed and not position.over

    def look(self, position: Position) -> Mapping[Place, Look]:
        names, pieces = position.net.names, position.pieces
        shown = {names[position.magnet]: MAGNET} if position.magnet >= 0 else {}
        for vertex in compress(range(len(pieces)), pieces):
            shown[names[vertex]] = PLAYERS[pieces[vertex] >> 6]
        return shown

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS, MAGNET)

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        shown = {position.net.names[position.magnet]: MAGNET} if position.magnet >= 0 else {}
        shown.update({position.net.names[v]: face(code) for v, code in enumerate(position.pieces) if code})
        return shown

    def palette(self, position: Position) -> tuple[Look, ...]:
        kinds = [UNKNOWN] if position.declared else range(1, len(KINDS))
        ranked = [(kind, rank) for kind in kinds for rank in range(1, VALUES[kind] + 1)]
        return (EMPTY, MAGNET, *(face(piece(side, kind, rank)) for side in (0, 1) for kind, rank in ranked))

    def path(self, action: Action) -> tuple[Place, ...]:
        match = judging.SPELLING.fullmatch(action)
        site = match and (match[2] or match[3])
        return (site,) if site else ()

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        yield from (f"@{place}" for place, (_, now) in changed.items() if now == MAGNET)
        gone = [(place, was) for place, (was, now) in changed.items() if was in PLAYERS and now != was]
        gone.sort(key=lambda item: item[1] != position.turn)
        for start, was in gone:
            yield start
            yield from (f"{start}>{end}" for end, (old, now) in changed.items() if now == was != old)

    def rarity(self, position: Position, action: Action) -> float:
        vertex = position.net.index.get(action, -1)
        if not position.declared:
            return UNASKED if action.endswith("+") else 0.0
        idle = vertex >= 0 and position.magnet >= 0 and may_promote(position.pieces[vertex])
        return IDLE if idle else 0.0

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        if turn not in PLAYERS:
            raise PositionError(f"'{turn}' does not play Magnet: the turn is red's or blue's")
        seen = {place: look for place, look in looks.items() if look != EMPTY}
        if turn == position.turn and seen in (self.look(position), self.pieces(position)):
            return position
        return arrange(position, looks, PLAYERS.index(turn))

    def counts(self, position: Position) -> tuple[Count, ...]:
        sides = {player: len(owned(position.pieces, side)) for side, player in enumerate(PLAYERS)}
        return (
            Count("pieces", sides, len(position.net.letters)),
            *(_revealed(position, kind) for kind in SHOWN if KINDS[kind] in position.net.letters),
        )

    def prompt(self, position: Position) -> str:
        if position.ready < 2:
            return "set up your pieces"
        if position.capture:
            vertex, rank = position.capture.owed[0]
            return f"reveal the piece of rank {rank} that stood on {position.net.names[vertex]}"
        return "place the magnet" if position.magnet < 0 else "move an affected piece"

    def label(self, action: Action) -> str:
        if action == "=?":
            return "set up"
        if action == "declare":
            return "declare victory"
        if action.startswith("reveal:"):
            return KIND_WORDS[KINDS.index(action[-1])]
        return f"{action[:-1]}, promoted" if action.endswith("+") else action.replace("@", "magnet on ")


def _revealed(position: Position, kind: int) -> Count:
    name = f"{KIND_WORDS[kind]}, revealed"
    values = {player: position.revealed[side][kind] for side, player in enumerate(PLAYERS)}
    return Count(name, values, position.net.letters.count(LETTERS[kind - 1]))
