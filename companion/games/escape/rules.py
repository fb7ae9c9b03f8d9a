"""Escape!: pawns jump across the Ternion board until they reach the opponent's home zone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    PositionError,
    Rules,
    Step,
)
from companion.games.escape import verdict
from companion.games.escape.actions import EVERYWHERE, PLAYERS, Position, actions, can_act
from companion.games.escape.attempts import attempts
from companion.games.escape.course import Course, Mask, lay_course, mask, members


class Escape(Rules[Position]):
    name = "escape"
    title = "Escape!"
    board = "escape"
    options = (Option("first", PLAYERS, "south", "who begins"),)
    alternates = True
    sentences: ClassVar[Mapping[str, str]] = {
        "jumped": "{player} jumps from {start} to {end}.",
        "sneaked": "{player} sneaks from {start} to {end}.",
        "escaped": "The pawn on {sites} escapes: {player} has {left} left.",
        "returned": "{end} is out of bounds: the pawn is returned to {start}.",
        "passed": "{player} has no move and passes.",
        "won": "{player} wins: all pawns have escaped.",
    }

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        course = lay_course(board)
        return Position(course, course.start, PLAYERS.index(options["first"]))

    def legal(self, position: Position) -> Iterator[Action]:
        return _legal(position, EVERYWHERE)

    def legal_at(self, position: Position, places: Collection[Place]) -> Iterator[Action]:
        index = position.course.index
        return _legal(position, mask(index[place] for place in places if place in index))

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return verdict.judge(position, action)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return _pass(position) if action == "pass" else _act(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        for player, pawns in zip(PLAYERS, position.pawns, strict=True):
            if not pawns:  # ES-8
                return Outcome(player, "all pawns have escaped")
        return None

    def look(self, position: Position) -> Mapping[Place, Look]:
        names = position.course.names
        return {
            names[s]: player
            for player, pawns in zip(PLAYERS, position.pawns, strict=True) for s in members(pawns)
        }

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def path(self, action: Action) -> tuple[Place, ...]:
        return tuple(verdict.sites(action))

    def read(self, position: Position, text: str) -> Action:
        """A chain written jump by jump, `e5>g6>h8`, is the jump from its start to its last landing."""
        return verdict.shorten(position, text)

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        return attempts(position, changed)

    def change(self, position: Position, action: Action) -> Changes:
        player, sites = position.turn, verdict.sites(action)
        if not sites:
            return {}
        start, end = sites[0], sites[-1]
        escapes = len(sites) < 3 and position.course.home[1 - position.seat] >> position.course.index[end] & 1
        left = {start: (player, EMPTY)}
        return left if escapes else {**left, end: (EMPTY, player)}

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        if turn not in PLAYERS:
            raise PositionError(f"'{turn}' does not play Escape!: the turn is south's or north's")
        south, north = (_standing(position.course, looks, player) for player in PLAYERS)
        arranged = Position(position.course, (south, north), PLAYERS.index(turn))
        if arranged != position:
            _check_arranged(arranged, looks)
        return arranged

    def counts(self, position: Position) -> tuple[Count, ...]:
        left = [pawns.bit_count() for pawns in position.pawns]
        total = [start.bit_count() for start in position.course.start]
        return (
            Count("escaped", {p: total[i] - left[i] for i, p in enumerate(PLAYERS)}, total[0]),
            Count("on the board", {p: left[i] for i, p in enumerate(PLAYERS)}, total[0]),
        )

    def prompt(self, position: Position) -> str:
        if not all(position.pawns):
            return ""
        return "jump or sneak with one pawn" if can_act(position) else "no pawn can move: pass"

    def label(self, action: Action) -> str:
        sites = verdict.sites(action)
        if not sites:
            return action
        words = f"{sites[0]} {'sneaks' if '~' in action else 'jumps'} to {sites[1]}"
        return f"{words}, returned to {sites[2]}" if len(sites) > 2 else words


def _legal(position: Position, named: Mask) -> Iterator[Action]:
    if not all(position.pawns):
        return
    found = False
    for action in actions(position, named):
        found = True
        yield action
    if not found and not can_act(position):
        yield "pass"  # ES-9


def _pass(position: Position) -> Step[Position]:
    return Step(_hand_over(position, position.pawns[position.seat]), (Event("passed", position.turn),))


def _act(position: Position, action: Action) -> Step[Position]:
    course, player = position.course, position.turn
    kind = "sneaked" if "~" in action else "jumped"
    start, end, *back = re.split("[>~=]", action)
    pawns = position.pawns[position.seat] & ~(1 << course.index[start])
    events = [Event(kind, player, (start, end), {"start": start, "end": end})]
    if back:  # ES-5
        pawns |= 1 << course.index[back[0]]
        events.append(Event("returned", player, (back[0],), {"start": back[0], "end": end}))
    elif course.home[1 - position.seat] >> course.index[end] & 1:  # ES-4
        events.append(Event("escaped", player, (end,), {"left": pawns.bit_count()}))
    else:
        pawns |= 1 << course.index[end]
    if not pawns:
        events.append(Event("won", player))
    return Step(_hand_over(position, pawns), tuple(events))


def _hand_over(position: Position, pawns: Mask) -> Position:
    """The opponent's turn, with these pawns of the player left."""
    both = (pawns, position.pawns[1]) if position.seat == 0 else (position.pawns[0], pawns)
    return Position(position.course, both, 1 - position.seat)


def _standing(course: Course, looks: Mapping[Place, Look], player: Player) -> Mask:
    for place, look in looks.items():
        if place not in course.index:
            raise PositionError(f"'{place}' is not an intersection of the board")
        if look not in (EMPTY, *PLAYERS):
            raise PositionError(f"'{look}' is not a pawn of Escape!")
    return mask(course.index[place] for place, look in looks.items() if look == player)


def _check_arranged(position: Position, looks: Mapping[Place, Look]) -> None:
    """PositionError for what cannot stand when no action is under way."""
    course = position.course
    for seat, player in enumerate(PLAYERS):
        pawns, most = position.pawns[seat], course.start[seat].bit_count()
        if not 1 <= pawns.bit_count() <= most:
            raise PositionError(f"{player} has 1 to {most} pawns on the board")
        if pawns & course.home[1 - seat]:
            raise PositionError(f"a pawn of {player} in the other home zone has escaped: take it off")
        if pawns & course.outside:
            raise PositionError(f"a pawn of {player} stands out of bounds")
        if not course.home[seat] & ~position.occupied:
            raise PositionError(f"one intersection of {player}'s home zone stays empty")
