"""Pebbles: players take pebbles by turns, and who takes the last one wins."""

from typing import ClassVar, NamedTuple

from companion.core.game import EMPTY, Breach, Event, Outcome, Step
from companion.core.rules import Rules

PLAYERS = ("red", "blue")


class Position(NamedTuple):
    pebbles: frozenset
    seat: int

    @property
    def turn(self):
        return PLAYERS[self.seat]

    to_act = turn


class Pebbles(Rules[Position]):
    name = "pebbles"
    title = "Pebbles"
    board = "pebbles"
    sentences: ClassVar = {"taken": "{player} takes the pebble on {sites}."}

    def players(self, position):
        return PLAYERS

    def start(self, options, board):
        return Position(frozenset(board.sites), 0)

    def legal(self, position):
        return (f"-{site}" for site in sorted(position.pebbles))

    def judge(self, position, action):
        if not position.pebbles:
            return (Breach("GEN-3"),)
        return () if action in self.legal(position) else (Breach("PB-1"),)

    def play(self, position, action):
        after = Position(position.pebbles - {action[1:]}, 1 - position.seat)
        return Step(after, (Event("taken", position.turn, (action[1:],)),))

    def outcome(self, position):
        return None if position.pebbles else Outcome(PLAYERS[1 - position.seat], "the last pebble")

    def look(self, position):
        return dict.fromkeys(position.pebbles, "red")

    def looks(self, position):
        return (EMPTY, "red")

    def path(self, action):
        return (action[1:],)

    def arrange(self, position, looks, turn):
        return Position(frozenset(looks), PLAYERS.index(turn))
