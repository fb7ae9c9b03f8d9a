"""TRID's rules, joined to the contract of a game. Numbers TD-n are those of the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    GameError,
    Look,
    Option,
    Outcome,
    Place,
    Player,
    PositionError,
    Rules,
    Step,
)
from companion.games.trid import judge as judging
from companion.games.trid import moves
from companion.games.trid.grid import KINDS, grid
from companion.games.trid.position import PLAYERS, Position, looks_of, pawns


class Trid(Rules[Position]):
    name = "trid"
    title = "TRID"
    board = "trid"
    options = (Option("players", ("2", "3", "4"), "2", "how many play"),)
    sentences: ClassVar[Mapping[str, str]] = {
        "moved": "{player} moves the {kind} from {start} to {end}.",
        "taken": "{player} takes {owner}'s {kind} on {sites}.",
        "made": "{player} makes a controlling triangle with {sites}.",
        "switched": "{player} switches the pawns on {one} and {other}.",
        "kept": "{player} keeps the triangle's pawns where they are.",
        "passed": "{player} cannot move and passes.",
        "out": "{player} has lost the master and is out of the game.",
        "won": "{player} wins: {reason}.",
    }

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS[: position.players]

    def playing(self, position: Position) -> tuple[Player, ...]:
        left = moves.alive(position.fields)
        return tuple(player for seat, player in enumerate(self.players(position)) if seat in left)

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        table, players = grid(board), int(options["players"])
        if len(table.seats.get(players, ())) != players:
            raise GameError(f"board '{board.name}' has no \"seats\" for {players} players")
        fields = [0] * len(table.names)
        for seat, side in enumerate(table.seats[players]):
            for field, kind in table.starts[side].items():
                fields[field] = 4 * seat + 1 + KINDS.index(kind)
        return Position(table, bytes(fields), players, 0)

    def legal(self, position: Position) -> Iterator[Action]:
        return moves.legal(position)

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        return judging.judge(position, action)

    def play(self, position: Position, action: Action) -> Step[Position]:
        return moves.play(position, action)

    def outcome(self, position: Position) -> Outcome | None:
        if position.winner < 0:
            return None
        return Outcome(PLAYERS[position.winner], moves.reason(position, position.fields, position.winner))

    def look(self, position: Position) -> Mapping[Place, Look]:
        return looks_of(position.grid, position.fields)

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in self.players(position) for kind in KINDS))

    def path(self, action: Action) -> tuple[Place, ...]:
        match = moves.SPELLING.fullmatch(action)
        return (match[1], match[3]) if match else ()

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        gone = [p for p, (was, now) in changed.items() if was != EMPTY and now != was]
        gone.sort(key=lambda p: not changed[p][0].startswith(position.turn))
        for start in gone:
            for end, (was, now) in changed.items():
                if end != start and now.partition("/")[0] == changed[start][0].partition("/")[0]:
                    yield f"{start}{'-' if was == EMPTY else 'x'}{end}"
        if len(changed) == 2:
            a, b = (position.grid.index[place] for place in changed)
            yield moves.switch_name(position.grid, a, b)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        players = self.players(position)
        if turn not in players:
            raise PositionError(f"'{turn}' does not play: the turn is that of {', '.join(players)}")
        if turn == position.turn and {p: n for p, n in looks.items() if n != EMPTY} == self.look(position):
            return position
        fields = [0] * len(position.fields)
        for place, name in looks.items():
            _put(position, fields, place, name)
        arranged = Position(position.grid, bytes(fields), position.players, PLAYERS.index(turn))
        _check_pawns(arranged)
        return arranged._replace(winner=_winner(arranged))

    def counts(self, position: Position) -> tuple[Count, ...]:
        own = pawns(position.fields, position.players)
        total = max(len(start) for start in position.grid.starts)
        return (Count("pawns", {PLAYERS[seat]: len(fields) for seat, fields in enumerate(own)}, total),)

    def prompt(self, position: Position) -> str:
        if position.made:
            return "switch two corners of the triangle, or keep them"
        return "move one pawn" if not moves.is_stuck(position) else "no pawn can move: pass"

    def label(self, action: Action) -> str:
        if action == "keep":
            return "keep the pawns"
        return f"switch {action.replace('%', ' and ')}" if "%" in action else action


def _put(position: Position, fields: list[int], place: Place, name: Look) -> None:
    if place not in position.grid.index:
        raise PositionError(f"'{place}' is not a field of the board")
    owner, _, kind = name.partition("/")
    if name == EMPTY:
        return
    if owner not in PLAYERS[: position.players] or kind not in KINDS:
        raise PositionError(f"'{name}' on {place} is not a pawn of this game")
    field = position.grid.index[place]
    if field in position.grid.walls:
        raise PositionError(f"{place} is a wall: no pawn stands there")
    fields[field] = 4 * PLAYERS.index(owner) + 1 + KINDS.index(kind)


def _check_pawns(position: Position) -> None:
    for seat, own in enumerate(pawns(position.fields, position.players)):
        player, kinds = PLAYERS[seat], [KINDS[(position.fields[f] & 3) - 1] for f in own]
        most = Counter(position.grid.starts[position.side(seat)].values())
        for kind, number in Counter(kinds).items():
            if number > most[kind]:
                raise PositionError(f"{player} has at most {most[kind]} of the kind {kind}")
        if "master" not in kinds and (own or seat == position.seat):
            raise PositionError(f"{player} has no master: without it {player} is out")


def _winner(position: Position) -> int:
    seats = range(position.players)
    return next((seat for seat in seats if moves.has_won(position, position.fields, seat)), -1)
